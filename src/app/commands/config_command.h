/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop config`: all settings of the screens, with what they are for and where they come from. */
#ifndef NT_APP_CONFIG_COMMAND_H
#define NT_APP_CONFIG_COMMAND_H

#include "nettop/status.h"

/* Prints them on standard output; a line of the file that could not be taken on standard error, and the exit status is 1 then. */
int nt_config_print(struct nt_error *err);

#endif
