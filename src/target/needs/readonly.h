/* SPDX-License-Identifier: GPL-2.0-only */
/* --readonly: what nettop may do to the target, or to the machine for its sake, and with that option does not. Whoever is about to do one of these has the reason from here. */
#ifndef NT_TARGET_READONLY_H
#define NT_TARGET_READONLY_H

#include <stdbool.h>

#include "nettop/status.h"

enum nt_change {
	NT_CHANGE_EVENTPIPE,
	NT_CHANGE_LTTNG,
	NT_CHANGE_PERF_MAP,
	NT_CHANGE_PROBE,
	NT_CHANGE_HEAP,
	NT_CHANGE_DUMP,
	NT_CHANGE_COUNT
};

/* The sentence; for ever. */
const char *nt_readonly_reason(enum nt_change change);

/* NT_OK unless `readonly`; else USAGE, with that sentence. */
enum nt_status nt_readonly_check(bool readonly, enum nt_change change, struct nt_error *err);

#endif
