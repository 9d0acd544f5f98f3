/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop record`: what enters the model of a watching, as a file. */
#ifndef NT_APP_RECORD_COMMAND_H
#define NT_APP_RECORD_COMMAND_H

#include "app/common/options.h"

/*
 * Until the duration, Ctrl-C, the target's end or the limit of the file. With --json the lines of batch mode are written besides, and go on when the file cannot be written any more. Returns the exit status: an end
 * of the target is one, because what there was of it is recorded.
 */
int nt_record_command(struct nt_options *options, struct nt_error *err);

#endif
