/* SPDX-License-Identifier: GPL-2.0-only */
/* Waits by what they are for, and by thread: the same pieces that the rows by place are made of, put together in other ways. */
#ifndef NT_MODEL_WAIT_GROUPS_H
#define NT_MODEL_WAIT_GROUPS_H

#include "model/waits/wait_sites.h"
#include "model/waits/wait_sums.h"

enum { NT_WAIT_THREADS_SUMMED = 4096 }; /* rows; the others have one together */

struct nt_wait_groups {
	struct nt_wait_sums reasons; /* by enum nt_wait_kind */
	struct nt_wait_sums threads; /* by tid */
	double window_ns;            /* weighted length of what was told of the window */
};

void nt_wait_groups_init(struct nt_wait_groups *groups);
void nt_wait_groups_fini(struct nt_wait_groups *groups);

/* As nt_wait_sums_begin(). */
void nt_wait_groups_begin(struct nt_wait_groups *groups);

/* A part of a wait, whose kind has been found. */
void nt_wait_groups_count(struct nt_wait_groups *groups, enum nt_wait_kind kind, const struct nt_wait_piece *piece);

void nt_wait_groups_thread_ended(struct nt_wait_groups *groups, uint32_t tid);

/* The rows; process->waits and process->threads are filled, the latter with what threads wait for. */
void nt_wait_groups_close(struct nt_wait_groups *groups, const struct nt_span *span, nt_time covered_ns,
			  struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_wait_groups_each_text(const struct nt_wait_groups *groups, nt_text_visit *visit, void *context);

#endif
