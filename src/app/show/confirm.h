/* SPDX-License-Identifier: GPL-2.0-only */
/* Before something that a process feels: it is said what, and nothing is done until a person says yes. */
#ifndef NT_APP_CONFIRM_H
#define NT_APP_CONFIRM_H

#include <stdbool.h>

#include "nettop/status.h"

/*
 * Say `price`, a sentence, on standard error, and ask there, unless `yes` (--yes): an answer other than y or yes is a no. NT_OK: go on. NT_END: no, or a signal came. USAGE: nobody can be
 * asked, because there is no terminal. Signals that end nettop must be blocked.
 */
enum nt_status nt_confirm(const char *price, bool yes, struct nt_error *err);

/*
 * How far it is, on a line of standard error that the next one takes the place of; nothing where that is no terminal. "" takes it away: before anything else is said.
 */
void nt_confirm_progress(const char *text);

#endif
