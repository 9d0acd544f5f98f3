/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * BPF programs at the scheduler's raw tracepoints sched_switch and sched_waking: they tell when a thread of one process leaves a CPU, with its user stack (stack_program.h), when it is woken
 * and by which other thread of the process, and when it comes to a CPU again. Nothing is mounted, and nothing of the kernel's structures has to be known: a thread that leaves is asked who it is, and found again by its address. So
 * it is told of from the first time on that it leaves. They and their maps are gone with the last descriptor, however nettop ends.
 */
#ifndef NT_SOURCE_SWITCH_PROGRAM_H
#define NT_SOURCE_SWITCH_PROGRAM_H

#include "source/perf/perf_filter.h"

#include <stdbool.h>
#include <stdint.h>

enum { NT_SWITCH_FRAMES = 63, NT_SWITCH_RING_BYTES = 16 << 20 };

/* Again: with the stack of this thread's last NT_SWITCH_OFF, a moment ago, as registers and return addresses say (stack_again.h). */
enum nt_switch_what { NT_SWITCH_OFF, NT_SWITCH_ON, NT_SWITCH_WAKE, NT_SWITCH_OFF_AGAIN };

/* Who woke a thread: 0 = not known, or it is no thread of the process. */
#define NT_SWITCH_BY_INTERRUPT UINT32_MAX /* while some thread or other ran: a timer, a disk, the network */

/* As the programs write it. The stack is that of the thread that leaves, or of the one that wakes; of others it is not there, and of few who wake. */
struct nt_switch_record {
	uint64_t time; /* CLOCK_MONOTONIC */
	uint32_t tid;  /* as the target numbers them */
	uint32_t what;
	uint32_t preempted;               /* of NT_SWITCH_OFF and NT_SWITCH_OFF_AGAIN: it could have gone on */
	uint32_t waker;                   /* of NT_SWITCH_WAKE: as `tid` */
	uint64_t stack[NT_SWITCH_FRAMES]; /* leaf first */
};

struct nt_switch_programs {
	int ring;               /* owned: BPF_MAP_TYPE_RINGBUF of NT_SWITCH_RING_BYTES; -1 = none, here and below */
	int threads, rooms;     /* owned */
	int rules;              /* owned: the map of struct nt_stack_program; empty at first. -1: the kernel walks, by frame pointers */
	int walked;             /* owned: what was walked of each thread last. -1 as above: each stack is told whole */
	int count;              /* owned: a page that can be mapped, whose first uint64_t says how many records found no room */
	int switched, woken;    /* owned: the programs */
	int on_switch, on_wake; /* owned: what attaches them */
};

/* They are attached when this returns 0. Else an errno value: EPERM or EACCES, it takes CAP_BPF and CAP_PERFMON; EINVAL: Linux 5.18. *out is the caller's, nothing is open then. */
int nt_switch_programs_load(const struct nt_perf_filter *process, struct nt_switch_programs *out);
void nt_switch_programs_free(struct nt_switch_programs *programs);

#endif
