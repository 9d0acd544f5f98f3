/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the threads of one process leave a CPU and come back, by the kernel's own records (PERF_RECORD_SWITCH_CPU_WIDE): where BPF programs are refused (switch_program.h). Neither where a thread was nor who
 * woke it is in them. An event of each CPU tells of all processes' threads, the others' are dropped here. It takes CAP_PERFMON, or kernel.perf_event_paranoid up to 0.
 * Elsewhere events of the threads themselves do, which cost them a little more and nobody else anything.
 */
#ifndef NT_SOURCE_SWITCH_TIMES_H
#define NT_SOURCE_SWITCH_TIMES_H

#include "source/perf/perf_attach.h"
#include "source/perf/perf_queue.h"

struct nt_switch_times;

/* From now on, of the process `pid`, as nettop's pid namespace numbers it. Returns 0 or an errno value; *out is the caller's. */
int nt_switch_times_new(uint32_t pid, struct nt_switch_times **out);

/* By its threads' events, which were opened with the wish `switches`; takes `attach`. */
struct nt_switch_times *nt_switch_times_new_of_tasks(uint32_t pid, struct nt_perf_attach *attach);

/* Are they those of all threads? NT_AGAIN: not yet, and nothing is put so long; NT_ERR_FAILED: they never will be. */
enum nt_status nt_switch_times_whole(const struct nt_switch_times *times);

void nt_switch_times_free(struct nt_switch_times *times); /* NULL is allowed */

/*
 * Put what there is into the queue, from `list`, as struct nt_switch_record without its stack; tids are those of nettop's namespace. Returns how many records, of whomever, are missing since the call before;
 * nothing is put then. Before Linux 6.0 what is missing at the end is found by the next call.
 */
uint64_t nt_switch_times_read(struct nt_switch_times *times, struct nt_perf_queue *queue, unsigned list);

#endif
