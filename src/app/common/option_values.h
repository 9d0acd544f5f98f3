/* SPDX-License-Identifier: GPL-2.0-only */
/* What each option sets. Inside src/app/ only; the table of the options, with their names and help, is in options.c. */
#ifndef NT_APP_OPTION_VALUES_H
#define NT_APP_OPTION_VALUES_H

#include "app/common/options.h"

/* An option with a short letter goes by it, the others by one of these. */
enum {
	OPT_JSON = 256,
	OPT_DURATION,
	OPT_TOP,
	OPT_ROWS,
	OPT_SORT,
	OPT_SOURCE,
	OPT_SESSION,
	OPT_MAX_TARGET_COST,
	OPT_ALLOC,
	OPT_CATCHES,
	OPT_CALLS,
	OPT_REQUESTS,
	OPT_JIT_CALLERS,
	OPT_POOL_ITEMS,
	OPT_REQUEST_CPU,
	OPT_NO_PAYLOAD,
	OPT_WAITS,
	OPT_COUNTERS,
	OPT_READONLY,
	OPT_NO_RUNDOWN,
	OPT_PREFER,
	OPT_EXCEPTIONS,
	OPT_ASCII,
	OPT_MOUSE,
	OPT_CHECK_REPLAY,
	OPT_NO_CONFIG,
	OPT_THEME,
	OPT_SLOW,
	OPT_PLAIN,
	OPT_EVENTS,
	OPT_EVENT_SOURCE,
	OPT_EVENT_NAME,
	OPT_BRIDGE,
	OPT_COMPARE,
	OPT_WALL,
	OPT_OFF_CPU,
	OPT_ALL_TIME,
	OPT_NATIVE,
	OPT_CALL_GRAPH,
	OPT_DURING,
	OPT_SERVER,
	OPT_SYMFS,
	OPT_CORE,
	OPT_MAP,
	OPT_MAX_MAP,
	OPT_REPEAT,
	OPT_FAIL_ABOVE,
	OPT_YES,
	OPT_PATHS,
	OPT_HELD,
	OPT_TYPE,
	OPT_IN,
	OPT_AS,
	OPT_ON,
	OPT_GC_PAUSE,
	OPT_ALL,
	OPT_CGROUP,
	OPT_CHILDREN,
	OPT_SSH,
	OPT_STACKS,
	OPT_LIMIT,
	OPT_FLIGHT,
	OPT_SPEED,
	OPT_REPLAY,
	OPT_FROM,
	OPT_TO,
	OPT_LISTEN,
	OPT_WITH
};

/* Set what `option` stands for; `text` is its argument, NULL = it has none, and stays borrowed. `name`: its long one, for the sentence of a USAGE. */
enum nt_status nt_option_set(struct nt_options *options, int option, const char *name, const char *text, struct nt_error *err);

#endif
