/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/cpu: samples: methods, call stacks. */
/*
 * Samples of one kind -> method rows. Samples are kept until their interval closes and resolved then, when the names of what they hit have arrived.
 * A chain is resolved once per version of the code map, not once per sample. What still has no final name is looked at again when the code map
 * changes; its samples move to the rows that it turns out to belong to.
 */
#ifndef NT_MODEL_CPU_H
#define NT_MODEL_CPU_H

#include "base/texts.h"
#include "model/code/annotate.h"
#include "model/common/ids.h"
#include "model/common/open_times.h"
#include "model/cpu/method_rows.h"
#include "model/cpu/pause_sides.h"
#include "model/cpu/purposes.h"
#include "model/cpu/sample_times.h"
#include "model/cpu/samples_kept.h"
#include "model/cpu/stacks_kept.h"
#include "model/process/threads.h"

struct nt_cpu_sample {
	nt_time time;
	struct nt_chain *chain; /* NULL = the sample has none */
	unsigned count;         /* of how many it tells */
	uint32_t what;          /* of a moment: nt_ev_moment.what; else 0 */
	double weight;          /* in a tree of stacks: of a moment its own, else `count` */
	uint32_t thread;        /* place, as nt_threads_sample() gave it */
	uint32_t waiting_tid;   /* of one that waits for the code map: its thread's id, as places change; 0 = it does not wait */
};

struct nt_cpu {
	enum nt_sample_kind kind;          /* of all samples in it */
	uint64_t weight_ns, weight_all_ns; /* CPU time that the samples stand for: of the open interval; of all before */
	uint64_t outside, outside_all;     /* wall samples in no managed code: in the open interval; of all */
	struct nt_resolver *resolver;      /* borrowed */
	struct nt_threads *threads;        /* borrowed */
	struct nt_annotate *annotate;      /* borrowed */
	struct nt_rows rows;
	struct nt_purposes purposes;
	const struct nt_pauses *pauses; /* borrowed; NULL = not known */
	struct nt_pause_sides *sides;   /* borrowed; of samples of CPU time, else NULL */
	struct nt_sample_times times;   /* of samples of CPU time */
	struct nt_samples_kept kept;    /* likewise */
	nt_time map_until;              /* the code map was read up to here; NT_TIME_UNKNOWN = nobody reads it */
	struct nt_cpu_sample *samples;  /* owned; of the open interval, and such that wait for the map */
	size_t sample_count, sample_capacity;
	size_t asked_count;        /* so many of the samples have said in this interval what they want to know */
	struct nt_chain **waiting; /* owned array of chains without final names */
	size_t waiting_count, waiting_capacity;
	struct nt_open_times open_times; /* of their samples */
	struct nt_chain *
		*unsaid; /* owned array of chains whose rows are still to hear of their samples; empty but while an interval is settled */
	size_t unsaid_count, unsaid_capacity;
	nt_frame *scratch; /* owned */
	size_t scratch_capacity;
	uint32_t scratch_own;    /* nt_chain.own of the chain whose frames those are */
	uint8_t scratch_purpose; /* likewise nt_chain.purpose */
	struct nt_frames frames;
	struct nt_stacks stacks;
	struct nt_stacks *into; /* where its stacks are kept: there, or in those of another kind that has the same tree (NT_STACKS_WALL) */
	double complete_window; /* weight of the samples with complete chains */
	uint64_t complete_all;
	double cut_window; /* likewise of those with chains that were cut */
	uint64_t cut_all;
	uint32_t no_chain_row;
	uint32_t mark;
};

void nt_cpu_init(struct nt_cpu *cpu, enum nt_sample_kind kind, struct nt_resolver *resolver, struct nt_threads *threads,
		 struct nt_annotate *annotate);
void nt_cpu_fini(struct nt_cpu *cpu);

/* `count` samples of the rate asked for, of which one was taken. `thread`: as nt_threads_sample() gave it. */
void nt_cpu_sample(struct nt_cpu *cpu, nt_time time, unsigned count, struct nt_chain *chain, uint32_t thread);

/* The sample before weighs so much in a tree of stacks, in place of `count`. */
void nt_cpu_weigh(struct nt_cpu *cpu, uint64_t weight);

/* The same of a moment. */
void nt_cpu_moment(struct nt_cpu *cpu, nt_time time, const struct nt_ev_moment *moment, struct nt_chain *chain, uint32_t thread);

/* Note what of the open interval's samples nobody has been asked about, so that it has a name when they are settled. */
void nt_cpu_want(struct nt_cpu *cpu);

/* The same of all that was settled and has not its last name: a mapping that has become known since makes questions of what lies in it. */
void nt_cpu_want_waiting(struct nt_cpu *cpu);

/*
 * Resolve the samples of the interval and count them. What is in code of dynamic methods waits until the code map has been read up to its time: before, nobody
 * can say which of several methods it was that were at the same address. `version`: of the code map. No other sample refers to a chain afterwards; those that wait hold the table of ids.
 */
void nt_cpu_settle(struct nt_cpu *cpu, uint32_t version, const struct nt_span *span);

/*
 * Which rows are to stay: chains that may still move their samples need their rows, and the tree of stacks the names. Then: may this one be given up, and its
 * number be used again? `gone`: because its code is gone, or its samples are; else because it has weighed nothing for long.
 */
void nt_cpu_mark_needed(struct nt_cpu *cpu);
bool nt_cpu_can_fold(const struct nt_cpu *cpu, uint32_t number, bool gone, const struct nt_span *span);

/* Keep the chains of a table of ids that wait for names, while it is packed. */
void nt_cpu_keep_waiting(struct nt_cpu *cpu, const struct nt_ids *ids);

/* Forget the chains of an ended table of ids: what they count for stays as it is. */
void nt_cpu_forget(struct nt_cpu *cpu, const struct nt_ids *ids);

/* Visit the texts that are kept. */
void nt_cpu_each_text(const struct nt_cpu *cpu, nt_text_visit *visit, void *context);

#endif
