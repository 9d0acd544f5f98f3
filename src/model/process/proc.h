/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/process: the process as /proc sees it, its threads, its end. */
/* The process as /proc sees it, the target's identity, and nettop's own cost. Readings do not wait for the watermark: the newest counts. */
#ifndef NT_MODEL_PROC_H
#define NT_MODEL_PROC_H

#include "base/texts.h"
#include "model/common/span.h"
#include "model/sites/sites.h"
#include "nettop/snapshot.h"

/* A pair of cumulated CPU times at a moment. */
struct nt_cpu_reading {
	nt_time time;
	uint64_t user_ns, kernel_ns;
	bool known;
};

/* Rates of such a pair: from the reading at the last close to the newest, and from the first. */
struct nt_cpu_rate {
	struct nt_cpu_reading first, closed, newest;
	struct nt_f64 user_pct, kernel_pct; /* of the last interval that had a reading */
	struct nt_u64 used_ns;              /* in the last interval, when it had a reading that was not the first after a gap */
	struct nt_u64 covered_ns;           /* of it */
	struct nt_u64 gap_used_ns,
		gap_ns; /* what was used between two readings that are of no interval, and how far apart they are; unknown: there is none */
	nt_time gaps_used_ns, gaps_ns; /* all of them */
	struct nt_u64 seen_ns;         /* of the interval: readings were no further apart than they should be */
};

/* Note a reading. One that goes back in time or value starts anew: it is somebody else's counter. */
void nt_cpu_rate_read(struct nt_cpu_rate *rate, nt_time time, uint64_t user_ns, uint64_t kernel_ns);

/*
 * End an interval: user_pct and kernel_pct follow, unknown when there was no reading for 3 s. What was used in a longer time, or read too late, is no interval's:
 * it is that of a gap, and counts in the sum since the first reading.
 */
void nt_cpu_rate_close(struct nt_cpu_rate *rate, const struct nt_span *span);

struct nt_proc {
	struct nt_cpu_rate cpu, self, daemons;
	struct nt_cpu_rate waited; /* for a CPU */
	struct nt_cpu_rate cost;   /* CPU time of the target's that watching takes */
	struct nt_ev_proc newest;
	bool known;
	uint64_t self_rss_bytes;
	struct nt_target_info target;
	nt_time target_time; /* when uptime was read */
	struct nt_left_out left_out;
	nt_site_ref end_stack; /* of the thread that ended it; 0 = not known */
	uint32_t end_tid;      /* likewise */
	bool end_unproven;     /* the exception counts only if that stack says so */
	bool end_overflowed;   /* the stack is one that was full */
	uint32_t end_frames;   /* of it, at least; 0 = not known */
};

void nt_proc_init(struct nt_proc *proc, uint32_t pid);

void nt_proc_read(struct nt_proc *proc, nt_time time, const struct nt_ev_proc *reading);
void nt_proc_read_self(struct nt_proc *proc, nt_time time, const struct nt_ev_self *reading);

/* The thread that ended it, and its stack; 0 = not known. */
void nt_proc_ended_in(struct nt_proc *proc, uint32_t tid, nt_site_ref stack);

/* Texts are the table's; NULL leaves what is known. */
struct nt_target_texts {
	const char *name, *runtime, *command, *end;
	const char *exception, *message, *stack, *end_reason; /* struct nt_target_end */
	struct nt_why no_jit, no_locks, no_pool, no_allocations;
};
void nt_proc_target(struct nt_proc *proc, nt_time time, const struct nt_ev_target *target, const struct nt_target_texts *texts);

/* Fill target, CPU usage, memory, thread counts and own cost, and start the next interval. */
void nt_proc_close(struct nt_proc *proc, const struct nt_span *span, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

/* Visit the texts that are kept. */
void nt_proc_each_text(const struct nt_proc *proc, nt_text_visit *visit, void *context);

#endif
