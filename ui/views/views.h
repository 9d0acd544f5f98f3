/* SPDX-License-Identifier: GPL-2.0-only */
/* The list of all views. */
#ifndef NT_UI_VIEWS_H
#define NT_UI_VIEWS_H

#include "ui/views/view.h"

enum {
	NT_VIEW_METHODS,
	NT_VIEW_GC,
	NT_VIEW_JIT,
	NT_VIEW_THREADS,
	NT_VIEW_ALLOCATIONS,
	NT_VIEW_EXCEPTIONS,
	NT_VIEW_LOCKS,
	NT_VIEW_WAITS,
	NT_VIEW_EVENTS,
	NT_VIEW_SOURCES,
	NT_VIEW_COUNTERS,
	NT_VIEW_IO,
	NT_VIEW_REQUESTS,
	NT_VIEW_TABS,
	NT_VIEW_CALLS = NT_VIEW_TABS,
	NT_VIEW_CODE,
	NT_VIEW_DIFFERENCE,
	NT_VIEW_WAIT_WALL, /* the other groupings of NT_VIEW_WAITS, in the order of key v */
	NT_VIEW_WAIT_THREADS,
	NT_VIEW_WAIT_REASONS,
	NT_VIEW_POOL_WAITS,      /* the other grouping of NT_VIEW_THREADS */
	NT_VIEW_SINGLE_REQUESTS, /* the other groupings of NT_VIEW_REQUESTS */
	NT_VIEW_REQUEST_TIMES,
	NT_VIEW_JIT_MODULES, /* the other groupings of NT_VIEW_JIT */
	NT_VIEW_JIT_NAMESPACES,
	NT_VIEW_JIT_TIERS,
	NT_VIEW_JIT_TRIGGERS,
	NT_VIEW_JIT_STARTUP,
	NT_VIEW_JIT_CAUSES,
	NT_VIEW_JIT_CALLERS,
	NT_VIEW_THROW_SITES, /* the other groupings of NT_VIEW_EXCEPTIONS */
	NT_VIEW_THROWN,
	NT_VIEW_ALLOCATION_SITES, /* the other groupings of NT_VIEW_ALLOCATIONS */
	NT_VIEW_ALLOCATION_THREADS,
	NT_VIEW_LOCK_OBJECTS, /* the other groupings of NT_VIEW_LOCKS */
	NT_VIEW_LOCK_OWNERS,
	NT_VIEW_EVENT_RATES, /* the other grouping of NT_VIEW_EVENTS */
	NT_VIEW_PROCESSES,
	NT_VIEW_WATCHED, /* the same of a list that is watched */
	NT_VIEW_COUNT
};

/* The first NT_VIEW_TABS in the order of the tab bar; call tree and code belong to a row, the difference to two spans, groupings to a tab, the lists of processes stand alone. */
extern const struct nt_view *const nt_views[NT_VIEW_COUNT];

/* The groupings of the same rows that a view is one of, its tab first, in the order of key v; ends with NT_VIEW_COUNT. NULL: it is the only one. */
const size_t *nt_views_groupings(size_t view);

#endif
