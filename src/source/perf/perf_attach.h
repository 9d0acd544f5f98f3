/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attaching to all threads of a process that goes on making threads. Where it is allowed, by one event for each CPU: nobody has to be attached to then, the kernel
 * drops the samples of other processes if it may (perf_filter.h), and the caller drops what is left of them. Else, up to NT_PERF_DESCRIPTORS_MAX descriptors
 * (CPUs x threads), by one event for each thread and CPU, inherited by later threads.
 *
 * A blind spot of the latter that is the kernel's: an inherited event begins with a whole period, so a thread that uses less CPU time than one period in all its
 * life is never sampled (`perf record -p` does not see it either; an event of a CPU does).
 */
#ifndef NT_SOURCE_PERF_ATTACH_H
#define NT_SOURCE_PERF_ATTACH_H

#include "nettop/status.h"
#include "source/common/tids.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_list.h"
#include "source/perf/perf_owners.h"
#include "target/needs/perf_limits.h"

enum { NT_PERF_LISTS_MAX = 9 };

/* Memory for rings, in all: bytes. */
#define NT_PERF_RINGS_BYTES ((size_t)64 << 20)

/* What of the target the attachment needs. A copy, because it may outlive the target (see perf_opening.h). */
struct nt_perf_target {
	uint32_t pid, ns_pid; /* the second in its own pid namespace */
	uid_t uid;
	char *proc_dir; /* "/proc/PID" */
};

struct nt_perf_attach {
	struct nt_perf_target target; /* proc_dir is owned */
	struct nt_perf_features features;
	struct nt_perf_list *lists[NT_PERF_LISTS_MAX]; /* owned; [0] is the first, the others for threads born meanwhile */
	unsigned list_count;
	bool filtered;                  /* of events of CPUs: the kernel drops what is not the target's */
	bool paused;                    /* no event counts: see nt_perf_attach_pause() */
	size_t thread_count, cpu_count; /* when it was opened */
	size_t ring_bytes;              /* of each ring of the first list */
	struct nt_perf_owners owners;

	/* Until it is sure that no thread is left out. */
	bool settled, left_out; /* the second: it is not, and nobody looks any more */
	struct nt_tids covered; /* opened, or seen to be born from a thread that was */
	struct nt_tids missing; /* of the last look: not covered; a thread that is missing twice gets a list */
	nt_time next_look;
	unsigned looks, clean_looks;
};

/* Sampling runs when this returns NT_OK; of several processes it is paused (see struct nt_perf_features). Errors: FORBIDDEN, GONE, FAILED, with the facts and the fix. *out is the caller's. */
enum nt_status nt_perf_attach_new(const struct nt_perf_target *target, const struct nt_perf_features *features, struct nt_perf_attach **out,
				  struct nt_error *err);
void nt_perf_attach_free(struct nt_perf_attach *attach); /* NULL is allowed */

/* Let no event count for a while, or all again. Nothing is heard of threads and mappings meanwhile. */
void nt_perf_attach_pause(struct nt_perf_attach *attach, bool paused);

/* Threads were born and ended, as the records say in order of time. */
void nt_perf_attach_born(struct nt_perf_attach *attach, pid_t parent, pid_t tid);
void nt_perf_attach_ended(struct nt_perf_attach *attach, pid_t tid);

/* Look whether a thread was left out, and attach to it. Call now and then, after the records of the time before have been told. */
void nt_perf_attach_settle(struct nt_perf_attach *attach, nt_time now);

/* How long the rings may go unread, in ns: two thirds of the time in which the largest samples fill one. */
nt_time nt_perf_attach_rest(const struct nt_perf_attach *attach);

/* Size of each ring of the first list for this many CPUs: 750 ms of the largest samples within the memory for all. Bytes, a power of two. */
size_t nt_perf_ring_bytes(const struct nt_perf_features *features, size_t cpu_count);

#endif
