/* SPDX-License-Identifier: GPL-2.0-only */
/* --readonly: what nettop may do to the target, or to the machine for its sake, and with that option does not. Whoever is about to do one of these has the reason from here. */
#ifndef NT_TARGET_READONLY_H
#define NT_TARGET_READONLY_H

#include <stdbool.h>

#include "nettop/status.h"

/* CHANGE(id, what it is, what it would do): the one list, of which the help of --readonly is made, too. */
#define NT_CHANGES(CHANGE)                                                                                                                 \
	CHANGE(EVENTPIPE, "EventPipe", "an EventPipe session would change the target")                                                     \
	CHANGE(LTTNG, "LTTng", "an LTTng session would change the target")                                                                 \
	CHANGE(PERF_MAP, "perf map", "a perf map would be written by the target")                                                          \
	CHANGE(PROBE, "probe", "a probe would change the target's memory")                                                                 \
	CHANGE(HEAP, "heap walk", "a look at the heap would make the target collect")                                                      \
	CHANGE(DUMP, "dump", "a dump would make the target stand still")

#define NT_CHANGE_ID(id, thing, effect)    NT_CHANGE_##id,
#define NT_CHANGE_THING(id, thing, effect) ", no " thing

enum nt_change { NT_CHANGES(NT_CHANGE_ID) NT_CHANGE_COUNT };

/* ", no EventPipe, no ..." */
#define NT_CHANGE_THINGS NT_CHANGES(NT_CHANGE_THING)

/* The sentence; for ever. */
const char *nt_readonly_reason(enum nt_change change);

/* NT_OK unless `readonly`; else USAGE, with that sentence. */
enum nt_status nt_readonly_check(bool readonly, enum nt_change change, struct nt_error *err);

#endif
