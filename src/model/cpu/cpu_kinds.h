/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples of several kinds at once: CPU time, wall time, moments. Each kind counts for itself, because shares of two kinds cannot be added; all have the rows of
 * one table of keys, so that what a method weighs by each of them stands in one row of the snapshot.
 */
#ifndef NT_MODEL_CPU_KINDS_H
#define NT_MODEL_CPU_KINDS_H

#include "model/cpu/cpu.h"

struct nt_cpu_kinds {
	struct nt_cpu *of[NT_SAMPLE_KINDS]; /* owned; NULL = no sample of this kind has come; that of CPU time is always there */
	enum nt_sample_kind shown;          /* whose shares the rows of the last interval are */
	enum nt_stacks_wanted wanted;       /* as asked for, of all kinds */
	size_t gone_looked;                 /* keys that there were when rows were last looked for whose code is gone */
	uint32_t version;                   /* of the code map, as of the last settling */
	struct nt_pauses pauses;            /* filled by who knows of them, before samples are settled */
	bool pauses_told;                   /* likewise: they are all of this interval */
	struct nt_pause_sides sides;        /* of samples of CPU time */
};

void nt_cpu_kinds_init(struct nt_cpu_kinds *kinds, struct nt_resolver *resolver, struct nt_threads *threads, struct nt_annotate *annotate);
void nt_cpu_kinds_fini(struct nt_cpu_kinds *kinds);

/* Where samples of this kind are counted; made when new. */
struct nt_cpu *nt_cpu_kinds_get(struct nt_cpu_kinds *kinds, enum nt_sample_kind kind);

/* Whose shares are shown. */
struct nt_cpu *nt_cpu_kinds_shown(const struct nt_cpu_kinds *kinds);

/* As nt_stacks_want(), nt_cpu_want(), nt_cpu_want_waiting(), nt_cpu_keep_waiting(), nt_cpu_forget(), nt_cpu_each_text(): of all kinds. */
void nt_cpu_kinds_want_stacks(struct nt_cpu_kinds *kinds, enum nt_stacks_wanted wanted);
void nt_cpu_kinds_want(struct nt_cpu_kinds *kinds, nt_time now);
void nt_cpu_kinds_want_waiting(struct nt_cpu_kinds *kinds);
void nt_cpu_kinds_keep_waiting(struct nt_cpu_kinds *kinds, const struct nt_ids *ids);
void nt_cpu_kinds_forget(struct nt_cpu_kinds *kinds, const struct nt_ids *ids);
void nt_cpu_kinds_each_text(const struct nt_cpu_kinds *kinds, nt_text_visit *visit, void *context);

/*
 * As nt_cpu_settle(). `map_until`: the code map was read up to there. Then `shown` is the kind of this interval's samples; of several the first in the order of
 * enum nt_sample_kind; where none came, the kind stays.
 */
void nt_cpu_kinds_settle(struct nt_cpu_kinds *kinds, nt_time map_until, const struct nt_span *span);

/* Write the rows in view, those of the shown kind with what they weigh by the others besides, and start the next interval. `known`: samples of the shown kind
 * were taken. */
void nt_cpu_kinds_close(struct nt_cpu_kinds *kinds, const struct nt_span *span, bool known, struct nt_snapshot *snapshot,
			struct nt_process_snapshot *process);

#endif
