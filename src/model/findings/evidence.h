/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the rules of findings look at. Intervals may be as short as 0.1 s, too short to say that something is too much: they are joined to steps
 * of a second or more, and each step gives every quantity a value, or none where no source delivers it.
 */
#ifndef NT_MODEL_EVIDENCE_H
#define NT_MODEL_EVIDENCE_H

#include "model/common/history.h"
#include "model/common/recent_sum.h"
#include "model/common/span.h"
#include "model/findings/growth.h"
#include "model/findings/pile_up.h"

/* What happens once counts for so long. */
#define NT_ONCE_NS (5 * NT_NS_PER_S)

/* A thread that waits for so long is blocked. */
#define NT_BLOCKED_NS (10 * NT_NS_PER_S)

enum nt_quantity {
	NT_QUANTITY_NONE,
	/* Of the process. */
	NT_QUANTITY_DEADLOCKED, /* threads that wait for each other in a circle */
	NT_QUANTITY_CPU_WAIT, /* % of the time in which threads could run that they waited for a CPU which others had, or a limit kept from them */
	NT_QUANTITY_CPU_WAITED,  /* ms/s of that, of all threads */
	NT_QUANTITY_CPU_NOT_HAD, /* % of the CPUs that it may use which it did not have */
	NT_QUANTITY_CPU_LIMITED, /* 1: the quota of its cgroup or the hypervisor keeps them from it; 0: others have them, or who does is not known */
	NT_QUANTITY_STARVED, /* adjustments of the pool for starvation, last 5 s; 0 where it is known that no item waited in this time */
	NT_QUANTITY_CLIMBED, /* workers more than the fewest of the last 5 s */
	NT_QUANTITY_SHORT, /* 1: items wait, or the pool says that its workers wait for tasks, or, where it is not known that no item waited, fewer are done than 5 s ago; 0: none of it */
	NT_QUANTITY_UNEXPLAINED, /* 1: nothing else explains that: most workers do not run, and no pause held them up; 0: something does */
	NT_QUANTITY_QUEUED,      /* work items that wait, per worker */
	NT_QUANTITY_STALLED,     /* 1: no more work items were done per second than in the step before; 0: more */
	NT_QUANTITY_WAITED,      /* ms/s spent waiting for locks */
	NT_QUANTITY_SAME_LOCK,   /* most threads that waited for one lock at a time */
	NT_QUANTITY_PAUSED,      /* % of the last 10 s */
	NT_QUANTITY_FULL_GCS,    /* blocking collections of gen2 per second, last 10 s */
	NT_QUANTITY_GEN2_GCS,    /* all of gen2 per second, also in the background; likewise */
	NT_QUANTITY_LOH_GCS,     /* those that large objects made necessary; likewise */
	NT_QUANTITY_LOH_FREED,   /* bytes per second of large objects that gen2 freed; likewise */
	NT_QUANTITY_GC_CPU,      /* % of the CPU samples of the last 10 s that are the collector's */
	NT_QUANTITY_LONG_PAUSE,  /* ns; longest pause of the last 5 s */
	NT_QUANTITY_JITTED,      /* ms/s spent compiling */
	/* The same three with a CPU at hand: less what they lasted longer for want of one, as far as that is known. */
	NT_QUANTITY_PAUSED_RUNNING,
	NT_QUANTITY_LONG_PAUSE_RUNNING,
	NT_QUANTITY_JITTED_RUNNING,
	NT_QUANTITY_UPTIME,       /* ns */
	NT_QUANTITY_DYNAMIC,      /* methods per second that were made at run time */
	NT_QUANTITY_FINALIZING,   /* ns that the thread of the finalizers has not been idle for */
	NT_QUANTITY_BACKLOG,      /* methods that wait for tier-1 */
	NT_QUANTITY_THROWN,       /* exceptions per second */
	NT_QUANTITY_THROWN_TIMES, /* that, as a multiple of what is usual */
	NT_QUANTITY_ALLOCATED,    /* bytes per second, last 10 s: estimates come with collections, in lumps */
	NT_QUANTITY_ALLOCATED_TIMES,
	/* Within ten minutes at most (growth.h): by how much; how much of its way to twice the size, or to its limit, an hour would be. */
	NT_QUANTITY_HEAP_GREW, /* bytes */
	NT_QUANTITY_HEAP_IN_AN_HOUR,
	NT_QUANTITY_MEMORY_GREW, /* bytes */
	NT_QUANTITY_MEMORY_IN_AN_HOUR,
	NT_QUANTITY_THREADS_GREW,
	NT_QUANTITY_THREADS_IN_AN_HOUR,
	NT_QUANTITY_DESCRIPTORS_GREW,
	NT_QUANTITY_DESCRIPTORS_IN_AN_HOUR,
	NT_QUANTITY_HANDLES_GREW,
	NT_QUANTITY_HANDLES_IN_AN_HOUR,
	NT_QUANTITY_TIMERS_GREW,
	NT_QUANTITY_TIMERS_IN_AN_HOUR,
	NT_QUANTITY_SERVES,     /* 1: the program serves requests: who computes for long makes somebody wait; 0: not as far as is known */
	NT_QUANTITY_FAILED,     /* requests served per second that failed */
	NT_QUANTITY_FAILED_PCT, /* of those served */
	NT_QUANTITY_CLOSED,     /* connections of HttpClient closed per second */
	NT_QUANTITY_CLOSED_PCT, /* of the requests that it made */
	/* Of the route that is slow (nt_blame_slow), against the minutes before. */
	NT_QUANTITY_OPENED,     /* connections of HttpClient per second, over 10 s */
	NT_QUANTITY_OPENED_PCT, /* of the requests that were made */
	NT_QUANTITY_SLOWER,     /* ns that its p99 is longer */
	NT_QUANTITY_SLOWER_TIMES,
	NT_QUANTITY_SLOW_CALL,        /* ns: the p99 of the calls that slow requests wait for; 0 = of none */
	NT_QUANTITY_DATABASE_POOL,    /* % of the connections to a database that are in use, of the pool that is fullest */
	NT_QUANTITY_DATABASE_WAITING, /* who waits for one of those */
	NT_QUANTITY_SERVED_P99,       /* ns: of the route that has the largest now */
	/* Requests of all routes, likewise (pile_up.h). */
	NT_QUANTITY_PILED, /* more in flight */
	NT_QUANTITY_PILED_TIMES,
	NT_QUANTITY_FEWER_TIMES, /* fewer end */
	NT_QUANTITY_STUCK,       /* for how long none has */
	NT_QUANTITY_MEMORY,      /* % of the memory limit of its control groups */
	NT_QUANTITY_SAMPLED,     /* CPU samples: without them no thread spins, as far as is known */
	/* Of a thread. */
	NT_QUANTITY_BUSY_PCT,   /* of one CPU, since it is busy */
	NT_QUANTITY_BUSY,       /* ns that it has been busy */
	NT_QUANTITY_METHOD_PCT, /* of its samples in its first method */
	NT_QUANTITY_BLOCKED,    /* ns that it waits for something that is known and no rest */
	NT_QUANTITY_COUNT
};

struct nt_quantities {
	struct nt_f64 of[NT_QUANTITY_COUNT];
};

enum { NT_POOL_STEPS = 5 };

/* What the thread pool was like in the last steps. */
struct nt_pool_steps {
	struct {
		nt_time t1;
		struct nt_u64 workers, queued;
		struct nt_f64 done_per_s;
	} steps[NT_POOL_STEPS]; /* a ring */
	size_t newest;
};

/* A sum over those intervals of a step in which it was known. */
struct nt_step_sum {
	double sum;
	nt_time known_ns;
};

struct nt_evidence {
	bool begun;
	nt_time t0; /* of the open step */
	struct nt_step_sum jitted_ns, thrown, waited_ns, done, ran_ns, cpu_waited_ns, served, failed, made, closed, dynamic, compiled;
	nt_time finalizing_since; /* the thread of the finalizers is not idle since then; 0 = it is, or that is not known */
	struct nt_u64 same_lock_count;
	struct nt_recent gc, loh_gcs, loh_freed, alloc, cpu, samples; /* of intervals in which they were known */
	double cpu_waits[NT_POOL_STEPS];                              /* a ring: NT_QUANTITY_CPU_WAIT of the last steps */
	size_t newest_cpu_wait;
	nt_time starved_at, blocked_at, long_pause_at; /* last time; 0 = never */
	struct nt_pool_steps pool;
	uint64_t starved_count, long_pause_ns;
	struct nt_f64 done_before; /* per second, in the step before */
	struct nt_history thrown_history, alloc_history;
	struct nt_recent opened;   /* likewise, where connections were known before, too */
	struct nt_f64 connections; /* opened less closed, at the end of the last interval */
	nt_time piled_since;       /* requests pile up; 0 = they do not */
	nt_time compiling_since,
		compiling_at; /* an old process compiles a lot since then, and did so last: 0 = it does not, and never did */
};

/* A step that is over. */
struct nt_step {
	nt_time t0, t1;
	struct nt_quantities quantities; /* those of threads are unknown */
	nt_time gc_ns;                   /* what "the last 10 s" of collections are really over */
	struct nt_f64 alloc_usual;       /* bytes per second */
	double cpu_used;                 /* 1 = one CPU; when NT_QUANTITY_CPU_WAIT is known */
	struct nt_growing growing[NT_GROWING_COUNT];
	struct nt_pile pile;
};

/* An interval is over, and is in what is kept. True when a step is over with it: then it is in *step. */
bool nt_evidence_add(struct nt_evidence *evidence, const struct nt_kept_figures *kept, const struct nt_span *span,
		     const struct nt_process_snapshot *process, struct nt_step *step);

/*
 * Is it worth to ask the program for each compilation, which costs it 7 to 9 us? A process that has run for long and still compiles, or did a minute ago. What is compiled tells a storm from the
 * second start of a program whose traffic has just begun.
 */
bool nt_evidence_wants_compilations(const struct nt_evidence *evidence, nt_time now);

/* Who has the CPUs that it waits for, or keeps them from it. */
enum nt_keeper {
	NT_KEEPER_UNKNOWN,
	NT_KEEPER_NOBODY, /* nobody else: its own threads wait for each other */
	NT_KEEPER_QUOTA,
	NT_KEEPER_HYPERVISOR,
	NT_KEEPER_OTHERS,
};

/* Its own limit before the hypervisor, and that before the neighbours. */
enum nt_keeper nt_evidence_keeper(const struct nt_host_figures *host);

/* The quantities of one thread instead of those of the process. */
void nt_evidence_of_thread(const struct nt_thread_row *row, struct nt_quantities *out);

/*
 * How many threads have waited for 10 s or longer, and how long the longest of them. Waits that began before we came are not told of, so that none waits is
 * never known: then nothing is filled.
 */
void nt_evidence_fill_blocked(const struct nt_process_snapshot *process, struct nt_thread_figures *out);

#endif
