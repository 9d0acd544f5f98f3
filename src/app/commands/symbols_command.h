/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop symbols -p PID`: debug files for the native libraries of a process that are stripped, from a symbol server. */
#ifndef NT_APP_SYMBOLS_COMMAND_H
#define NT_APP_SYMBOLS_COMMAND_H

#include "app/common/options.h"

/*
 * Fetches what is missing and prints what became of each library. The one place where nettop uses the network, and nothing else calls it. Returns the exit status: FAILURE
 * when something could not be fetched for another reason than that no server has it.
 */
int nt_fetch_symbols(struct nt_options *options, struct nt_error *err);

#endif
