/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/jit: compilations. */
/*
 * Compilations: MethodJittingStarted .. MethodLoadVerbose of the same method on the same thread. They nest (compiling may run code that must be
 * compiled), so each thread has a stack of open starts. Only loads with the "jitted" flag count; wall time, as JitInfo counts it.
 */
#ifndef NT_MODEL_JIT_H
#define NT_MODEL_JIT_H

#include "base/index.h"
#include "base/texts.h"
#include "model/common/recent_sum.h"
#include "model/common/span.h"
#include "model/jit/jit_background.h"
#include "model/jit/jit_callers.h"
#include "model/jit/jit_counters.h"
#include "model/jit/jit_cpu.h"
#include "model/jit/jit_modules.h"
#include "model/jit/jit_rows.h"
#include "model/jit/jit_startup.h"
#include "model/process/threads.h"

enum {
	NT_JIT_DEPTH = 16,     /* open starts per thread; deeper ones push out the oldest */
	NT_JIT_THREADS = 4096, /* threads with open starts */
};

struct nt_jit_thread {
	uint64_t key; /* source and tid */
	struct {
		uint64_t method_id;
		nt_time time;
		uint64_t within_ns; /* of compilations within it that have ended */
		uint32_t il_bytes;
		nt_text_ref name;
	} open[NT_JIT_DEPTH];
	uint32_t depth;
};

/* Numbers of type uint64_t only: they are summed as an array, too. */
struct nt_jit_counts {
	uint64_t method_count, time_ns, il_bytes, native_bytes, dynamic_count, rejected_count;
	uint64_t tier_count[NT_TIER_COUNT];
};

struct nt_jit {
	struct nt_jit_thread *threads; /* owned; those with open starts, in no order */
	size_t thread_count, thread_capacity;
	struct nt_index thread_of; /* key -> index in threads */
	nt_time covered_ns;        /* since attach */
	struct nt_jit_counts interval, total;
	struct nt_jit_counters counters;
	struct nt_recent recent; /* of intervals in which it was known */
	struct nt_jit_rows rows;
	struct nt_jit_group_table modules, namespaces;
	struct nt_jit_group tiers[NT_TIER_COUNT], triggers[NT_JIT_TRIGGER_COUNT];
	struct nt_u64 backlog_count;
	struct nt_jit_cpu cpu;
	struct nt_jit_sums cpu_sums; /* of those whose CPU time is known: its last two members */
	struct nt_jit_background background;
	struct nt_jit_callers callers;
	struct nt_jit_startup startup;
	uint64_t background_key; /* thread that compiles tier-1 code now; 0 = none */
};

void nt_jit_init(struct nt_jit *jit);
void nt_jit_fini(struct nt_jit *jit);

/* What the texts of an event are. */
struct nt_jit_texts {
	nt_text_ref method, namespace;
};

/* JIT_START, METHOD_LOAD and TIERING; others are ignored. */
void nt_jit_apply(struct nt_jit *jit, enum nt_source_id source, const struct nt_event *event, const struct nt_jit_texts *texts,
		  const struct nt_names *names);

/* What EventPipe brings from `time` on: enum nt_demand bits. A look that begins knows nothing of what went on at the end of the one before. */
void nt_jit_source(struct nt_jit *jit, uint32_t brings, nt_time time);

/* Fill figures and rows and start the next interval. `interval_known` and `total_known`: from events. */
void nt_jit_close(struct nt_jit *jit, const struct nt_span *span, bool interval_known, bool total_known, struct nt_resolver *resolver,
		  const struct nt_names *names, struct nt_process_snapshot *process);

void nt_jit_each_ref(struct nt_jit *jit, nt_ref_visit *visit, void *context);

/*
 * jit_now.c: fill the list of what is being compiled at the interval's end. What an ended thread has begun stays in `jit`, because its last
 * events may come after the news of its end; here it does not count.
 */
void nt_jit_fill_now(const struct nt_jit *jit, const struct nt_span *span, const struct nt_threads *threads, const struct nt_names *names,
		     struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_jit_each_text(const struct nt_jit *jit, nt_text_visit *visit, void *context);

#endif
