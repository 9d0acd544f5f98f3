/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop report -p PID`: all that was seen of a process in some time, as one text to pass on. */
#ifndef NT_APP_REPORT_COMMAND_H
#define NT_APP_REPORT_COMMAND_H

#include "app/common/options.h"

/* Writes it to where the options say, whole or not at all. Returns the exit status: TARGET_ENDED when there is a report, of a process that ended meanwhile. */
int nt_report(struct nt_options *options, struct nt_error *err);

#endif
