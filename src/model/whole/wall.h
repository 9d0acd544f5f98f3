/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where all threads' time went: samples of CPU time and waits, put together by the method of the program that ran or waited. Both are known by the same rule of which
 * frame that is, so that a method's running and its waiting are one row.
 */
#ifndef NT_MODEL_WALL_H
#define NT_MODEL_WALL_H

#include "model/cpu/run_sites.h"

enum { NT_WALL_ROWS = 512 }; /* that of all others included */

struct nt_wall {
	struct nt_run_site *ran; /* owned; between the two functions below */
	size_t ran_count;
	double interval_ns, all_ns; /* CPU time that a sample stands for, likewise */
	double window_ns;           /* weighted length of what was sampled of the window */
};

void nt_wall_fini(struct nt_wall *wall);

/* What ran in the interval, before its samples are closed. `covered_ns`: for so long of it there were samples. */
void nt_wall_take_samples(struct nt_wall *wall, struct nt_cpu *cpu, const struct nt_span *span, nt_time covered_ns);

/* The rows; process->waits is filled. */
void nt_wall_close(struct nt_wall *wall, struct nt_process_snapshot *process);

#endif
