/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A tap: one thing that happens in the target, as the kernel tells of it, with call stacks. How it is had:
 *
 *   software event   an event of each CPU, of which a BPF program lets the target's pass (tap_program.h); where that is not allowed one of each thread and CPU
 *   tracepoint       a BPF program there, which writes to a ring of each CPU
 *   probe            the same at a function of a file, in the target's memory alone. It stands in no list of tracefs, and is gone with its descriptor
 */
#ifndef NT_SOURCE_PERF_TAP_H
#define NT_SOURCE_PERF_TAP_H

#include "nettop/clock.h"
#include "source/common/moment.h"
#include "source/perf/perf_rate.h"
#include "source/perf/perf_ring.h"
#include "source/perf/tap_program.h"

#include <sys/types.h>

/* Whose, copied. */
struct nt_tap_target {
	uint32_t pid, ns_pid; /* the second in its own pid namespace */
	uid_t uid;
	char proc_dir[64], root_dir[64]; /* "/proc/PID", "/proc/PID/root" */
};

struct nt_tap_wish {
	unsigned hz;       /* of events of time */
	size_t ring_bytes; /* of a CPU at most, a power of two */
};

struct nt_tap {
	const struct nt_moment_asked *asked; /* borrowed */
	struct nt_tap_program program;
	bool of_tasks;              /* of a software event: one of each thread and CPU, without a program */
	struct nt_perf_ring hook;   /* where the program is attached, of a tracepoint or probe */
	struct nt_perf_ring *rings; /* owned */
	size_t ring_count;
	uint64_t period_ns; /* of events of time, between two; else 0 */
	/* Of the hook, to be opened once more: */
	struct perf_event_attr hook_attr; /* of a tracepoint */
	struct nt_tap_probe probe;
	int image; /* owned descriptor of the file of a probe; -1 = none */
	char image_path[32];
	/* What was told: */
	bool on;
	struct nt_perf_rate rate;
	uint64_t arrived, counted; /* records; for how often it happened they stand */
};

static inline bool nt_tap_is_probe(const struct nt_tap *tap)
{
	return tap->asked->sort == NT_MOMENT_CALL || tap->asked->sort == NT_MOMENT_RETURN;
}

/* It tells from now on when this is NT_OK. May take seconds: not for the main thread. The sentence names what was asked for. */
enum nt_status nt_tap_open(struct nt_tap *tap, const struct nt_moment_asked *asked, const struct nt_tap_target *target,
			   const struct nt_tap_wish *wish, struct nt_error *err);
void nt_tap_close(struct nt_tap *tap);

/* Tell no more, and cost nothing, or tell again. Returns 0 or an errno value. */
int nt_tap_turn(struct nt_tap *tap, bool on);

/* From now on one of so many is told: a power of two. */
void nt_tap_divide(struct nt_tap *tap, unsigned divisor, nt_time now);

/* How often it happened while it was on; of one of tasks as far as it was told. */
uint64_t nt_tap_hits(const struct nt_tap *tap);

#endif
