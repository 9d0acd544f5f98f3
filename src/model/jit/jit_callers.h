/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Who causes compilations: by the call stack of the compiling thread at the begin of each, which is told beside the events that count, while somebody asks for it. Its two
 * halves, the begin with the stack and the compilation that has ended, come from two streams in any order; they are of the same method and thread and have the same begin.
 * What compiles in the background has no caller: it is a row of its own. Bounded: places that cause least become one row.
 */
#ifndef NT_MODEL_JIT_CALLERS_H
#define NT_MODEL_JIT_CALLERS_H

#include "base/texts.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"

enum {
	NT_JIT_CALLERS = 256, /* rows, "(other places)" included */
	NT_JIT_CALLERS_OPEN =
		4096, /* halves of each sort, and compilations whose caller gets its name: beyond, the oldest are not told apart */
};

/* The first half. */
struct nt_jit_begun {
	uint64_t method_id;
	uint32_t tid;
	nt_time time;
	nt_site_ref stack;
};

/* The second one; then both. */
struct nt_jit_caused {
	uint64_t method_id;
	uint32_t tid;
	nt_time begun, ended;
	const char *compiled;      /* the table's; NULL = not said */
	bool background, replaced; /* in the background; on-stack replacement: of a method that runs */
	nt_site_ref stack;         /* 0 = not told */
	uint32_t closings;         /* it has waited for a name for so many */
};

struct nt_jit_caller {
	uint64_t id;
	struct nt_site site;
	const char *via, *compiled; /* the table's; NULL = none */
	nt_site_ref stack;
	uint64_t count, count_all, time_ns, time_all_ns, max_ns;
	bool shown;
};

struct nt_jit_callers {
	struct nt_jit_begun *begun;             /* owned */
	struct nt_jit_caused *waiting, *placed; /* owned: without their first half; with it */
	struct nt_jit_caller *items;            /* owned */
	size_t begun_count, begun_capacity, waiting_count, waiting_capacity, placed_count, placed_capacity, count, capacity;
	uint64_t made;                   /* rows, ever */
	nt_time since;                   /* it is told from then on; NT_TIME_UNKNOWN = it is not told now */
	nt_time counted_until;           /* of the time for which it is told */
	nt_time covered_ns, interval_ns; /* up to the open interval; of that, as far as counted */
	bool ever;
};

void nt_jit_callers_init(struct nt_jit_callers *callers);
void nt_jit_callers_fini(struct nt_jit_callers *callers);

/* Whoever brings stacks of compilations says that it does from `time` on, or no more. */
void nt_jit_callers_source(struct nt_jit_callers *callers, bool brings, nt_time time);

/* JIT_START with its stack. */
void nt_jit_callers_begun(struct nt_jit_callers *callers, const struct nt_event *event, nt_site_ref stack);

/* Is it told now? Then a compilation that has ended is added. */
bool nt_jit_callers_told(const struct nt_jit_callers *callers);
void nt_jit_callers_ended(struct nt_jit_callers *callers, const struct nt_jit_caused *caused);

/* The interval ends; between settle and sweep of `sites`. */
void nt_jit_callers_close(struct nt_jit_callers *callers, const struct nt_span *span, struct nt_sites *sites, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_jit_callers_each_text(const struct nt_jit_callers *callers, nt_text_visit *visit, void *context);

#endif
