/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop --relay URL`: the list as text frames, or as lines of JSON. */
#ifndef NT_APP_RELAY_COMMAND_H
#define NT_APP_RELAY_COMMAND_H

#include "app/common/options.h"

/* Returns the exit status. */
int nt_relay_command(const struct nt_options *options, struct nt_error *err);

#endif
