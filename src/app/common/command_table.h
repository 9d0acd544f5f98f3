/* SPDX-License-Identifier: GPL-2.0-only */
/* The table of the commands: the word of each, what stands behind it, what it does. What the others ask of it is in options.h. */
#ifndef NT_APP_COMMAND_TABLE_H
#define NT_APP_COMMAND_TABLE_H

#include "app/common/options.h"

/* The begin of a command's help: its usage, and what it does; of the one without a word also what the others do. */
void nt_command_put_about(enum nt_command command, FILE *out);

#endif
