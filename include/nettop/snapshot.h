/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the model knows at the end of an interval: plain, immutable data for screen, text and JSON.
 *
 * A value that is not known is not known: every figure carries its own `known`. Texts are valid as long as the snapshot is: it pins those of the model's
 * table, which forgets what nothing uses any more; whoever needs one for longer copies it. Rows are identified by `id`, never by index. An id of a row that
 * is forgotten names nothing ever after.
 */
#ifndef NETTOP_SNAPSHOT_H
#define NETTOP_SNAPSHOT_H

#include "nettop/annotation.h"
#include "nettop/counter_row.h"
#include "nettop/deployment.h"
#include "nettop/difference.h"
#include "nettop/event.h"
#include "nettop/exception_row.h"
#include "nettop/finding.h"
#include "nettop/gc_row.h"
#include "nettop/jit_row.h"
#include "nettop/jit_startup_row.h"
#include "nettop/subject.h"
#include "nettop/interval_samples.h"
#include "nettop/known.h"
#include "nettop/lock_row.h"
#include "nettop/memory_figures.h"
#include "nettop/pause_samples.h"
#include "nettop/purpose.h"
#include "nettop/pool_row.h"
#include "nettop/request_row.h"
#include "nettop/rundown.h"
#include "nettop/source.h"
#include "nettop/stacks.h"
#include "nettop/target_end.h"
#include "nettop/thread_row.h"
#include "nettop/told_row.h"
#include "nettop/wait_row.h"
#include "nettop/trend.h"

/*
 * ---- figures: the same struct for one interval and for the whole time ----
 *
 * `covered_ns`: for how long of the span the sources told of a subject; not known when they did not. A rate is one of that time. Counts that cover less than the
 * span (as long as the process lived) are lower bounds; more than it they cover when something is told late.
 */

/* Do figures that cover so much leave a part out that matters of the time in which the process lived? A hundredth is what two clocks differ by. */
static inline bool nt_is_partial(struct nt_u64 covered_ns, nt_time lived_ns)
{
	return covered_ns.known && covered_ns.v < lived_ns - lived_ns / 100;
}

struct nt_cpu_figures {
	struct nt_f64 usage_pct, user_pct, kernel_pct; /* 100 = one CPU; from procfs */
	struct nt_u64 samples, lost_samples;
	struct nt_purpose_figures purposes;
	struct nt_u64 side_samples[NT_PAUSE_SIDES]; /* in pauses for collections, and outside; of those on neither side nothing is known */
	struct nt_u64
		samples_covered_ns; /* threads were sampled for so long; where that is a part of the time by turns, samples are scaled up */
	struct nt_u64 time_ns;      /* CPU time used in the span; from procfs */
	struct nt_u64 waited_ns;    /* in which threads were ready to run and had no CPU, all together; from procfs */
	struct nt_u64 covered_ns;   /* of both */
	/* Used between two readings so far apart, or so late, that it is of no interval: nettop stood still. Unknown: there is no such time; the total has all. */
	struct nt_u64 gap_time_ns, gap_ns;
	struct nt_u64 hottest_tid;
	struct nt_f64 hottest_pct;
	const char *hottest_name; /* NULL = not known */
	struct nt_why why;
};

/* Of the runtime's own sampler. They are no CPU time: a thread is sampled whether it runs or not. */
struct nt_wall_figures {
	struct nt_u64 samples; /* in managed code: those that methods have */
	struct nt_u64 outside; /* in native code, or waiting there */
};

struct nt_thread_figures {
	struct nt_u64 covered_ns; /* /proc was looked at, time and again */
	struct nt_u64 count, running_count, blocked_count, blocked_max_ns;
	struct nt_why why;
};

struct nt_gc_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 count[3];         /* collections of exactly that generation */
	struct nt_u64 background_count; /* of the gen2 ones */
	struct nt_u64 pause_ns;         /* as GC.GetTotalPauseDuration() counts */
	struct nt_u64 pause_tracing_ns; /* further reason-6 stops, caused by tracing; not in pause_ns */
	struct nt_u64 pause_max_ns;
	struct nt_f64 pause_pct;        /* of the interval; of the whole time in totals */
	struct nt_f64 window_pause_pct; /* of the window in view */
	struct nt_u64 pause_p50_ns, pause_p99_ns;
	struct nt_u64 heap_bytes; /* after the last collection */
	struct nt_u64 loh_bytes;
	struct nt_u64 loh_count,
		loh_freed_bytes;    /* of those gen2 collections that large objects made necessary; what gen2 ones freed of such objects */
	struct nt_u64 handle_count; /* GC handles, as the last collection found them */
	struct nt_u64 committed_bytes; /* what the GC had of the system at the last collection; not all of it need be resident */
	struct nt_f64 fragmentation_pct;
	struct nt_u64 gen0_budget_bytes; /* as the last collection set it: what each heap allocates before the next */
	struct nt_u64 alloc_bytes;       /* by the runtime's counter, by samples, else estimated from heap histories */
	bool alloc_estimated;            /* show with ~ */
	struct nt_u64 alloc_covered_ns;
	struct nt_f64 alloc_error_pct;  /* of samples */
	struct nt_u64 suspend_other_ns; /* stops that are no GC */
	/* What collections found to be alive, by where from; of those that told it, which they do while somebody looks. */
	struct nt_u64 marked_bytes[NT_GC_ROOT_COUNT];
	struct nt_why why, alloc_why;
	struct nt_why stack_why; /* why it is not known who asked; no reason = it is */
};

struct nt_jit_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 method_count, time_ns, il_bytes, native_bytes;
	struct nt_u64 tier_count[NT_TIER_COUNT];
	struct nt_u64 dynamic_count;  /* of methods made at run time, that no assembly holds */
	struct nt_u64 rejected_count; /* compiled although there was precompiled code: the runtime did not take it */
	struct nt_u64 backlog_count;
	struct nt_u64 cpu_count, cpu_ns;  /* in total only: of so many compilations the CPU time is known, and what it comes to */
	struct nt_u64 rest_ns;            /* in total only: CPU time of the whole process since its CPU time was last read */
	struct nt_u64 background_cpu_ns;  /* in total only: CPU time of the threads that compile in the background, at least; by /proc */
	struct nt_u64 startup_count;      /* compilations of the process's start; not known where that was not seen */
	struct nt_u64 callers_covered_ns; /* for so long it was told who causes them */
	struct nt_why why;
	struct nt_why caller_why; /* why it is not; no reason = it is, or could be asked for */
};

struct nt_pool_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 worker_count, goal_count, queue_count, completed_count, injected_count;
	struct nt_u64 working_count, min_count, max_count; /* workers that have work; limits of their number */
	struct nt_u64 starved_count;                       /* adjustments whose reason was starvation */
	struct nt_u64 timer_count;                         /* timers that are active */
	struct nt_u64 wait_estimate_ns;                    /* mean wait of a work item, by Little's law */
	struct nt_u64 blocked_count;                       /* adjustments because workers wait for tasks (cooperative blocking) */
	const char *reason;                                /* of the last adjustment; NULL = none */
	bool worker_from_procfs;
	struct nt_pool_item_figures items; /* while somebody looks at them */
	struct nt_why why;
};

struct nt_exception_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 count;
	struct nt_u64 caught_count; /* catch blocks entered */
	const char *top_type;       /* most often thrown in the interval; NULL = none */
	struct nt_u64 top_count;
	struct nt_why why;
	struct nt_why stack_why; /* why it is not known where; no reason = it is */
};

struct nt_lock_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 count, waiting_count, wait_p99_ns;
	struct nt_u64 wait_ns;         /* of the waits that ended */
	struct nt_u64 spent_ns;        /* waited within the span, by threads that still wait, too */
	struct nt_u64 same_lock_count; /* most threads that waited for one lock at a time */
	struct nt_why why;
	struct nt_why stack_why; /* why it is not known where; no reason = it is */
};

/* Of threads that wait for whatever it is, those that wait for work left out. */
struct nt_wait_figures {
	struct nt_u64 covered_ns;
	struct nt_u64 count;           /* waits that ended */
	struct nt_u64 spent_ns;        /* waited within the span, by threads that still wait, too */
	struct nt_u64 waiting_count;   /* threads that wait at the end of it */
	struct nt_u64 idle_count;      /* threads that then wait for work */
	struct nt_u64 longest_ns;      /* for so long one has waited that still does */
	struct nt_u64 uncounted_count; /* threads beyond those of which waits are kept: theirs are in nothing; in total: most at a time */
	bool uncounted_at_least;       /* and more that nobody counted */
	const char *method;            /* in what way that is known: "polled", "timed", "exact", "mixed"; NULL = it is not */
	const char *less;              /* why it is not "exact", in two words; NULL = it is, or nobody knows; */
	struct nt_why less_why;        /* and as a sentence with its fix */
	struct nt_why why;
};

struct nt_figures {
	nt_time span_ns;  /* what the figures are of */
	nt_time lived_ns; /* of that, until the process ended: nothing is left out of what comes after */
	struct nt_cpu_figures cpu;
	struct nt_wall_figures wall;
	struct nt_thread_figures threads;
	struct nt_memory_figures memory;
	struct nt_gc_figures gc;
	struct nt_jit_figures jit;
	struct nt_pool_figures pool;
	struct nt_exception_figures exceptions;
	struct nt_lock_figures locks;
	struct nt_wait_figures waits;
	struct nt_io_figures io;
	struct nt_host_figures host;
	struct nt_request_figures requests;
	struct nt_told_figures told;
};

/* ---- rows ---- */

/* There are thousands of them: what most have in common, trend and samples by tier, is in the snapshot once. */
/* Samples of one kind in a method, as leaf and anywhere in the chain. */
struct nt_method_weight {
	uint64_t self_samples, total_samples;         /* in the interval */
	uint64_t self_samples_all, total_samples_all; /* since attach */
	bool known;                                   /* samples of this kind have come */
};

struct nt_method_row {
	uint64_t id;
	const char *name;             /* display form; for unknown code: image+0x... or 0xADDR */
	const char *raw_name;         /* as the runtime wrote it; NULL = same as name */
	const char *module;           /* NULL = none */
	const char *reason;           /* why it has no better name; NULL when it has one */
	const char *thread, *caller;  /* NT_NAMING_BOUNDED: thread and nearest managed method of most samples; NULL = none known */
	const struct nt_trend *trend; /* self samples per second; NULL = not known */
	const uint32_t *tier_samples; /* NT_TIER_COUNT of them, since attach; NULL = not known */
	const struct nt_method_weight *weights; /* NT_SAMPLE_KINDS of them; NULL = there is one kind of samples, that of the figures here */
	uint64_t self_samples, total_samples;   /* in the interval */
	uint64_t self_samples_all, total_samples_all; /* since attach */
	double window_self, window_total;             /* exponentially weighted samples */
	double self_pct, total_pct;                   /* of the interval's samples */
	double window_self_pct, window_total_pct;     /* of the window's samples */
	double all_self_pct, all_total_pct;           /* of all samples since attach */
	uint8_t sample_kind;                          /* enum nt_sample_kind: of all figures here but `weights` */
	uint8_t kind;                                 /* enum nt_code_kind */
	uint8_t tier;                                 /* enum nt_tier, of most samples in the window */
	uint8_t naming;                               /* enum nt_naming: in what way it got its name, or none */
	bool total_unknown;                           /* all of its totals: the row is of a part of the samples (made by ui/) */
	bool fresh;                                   /* first interval of the row */
	bool ended;                                   /* tombstone: code was freed */
	bool marked;                                  /* a finding is about it */
	bool own;                                     /* the program's own: nt_purpose_of_key() */
};

/* A frame of a call stack of managed code. */
struct nt_call_frame {
	const char *name;   /* the method; `[module+0x12]`, `[0x12]` where nobody can name it */
	const char *module; /* NULL = not known */
	bool native;        /* of the runtime, a library, the kernel: known not to be managed code */
};

/* What a thread was doing when an event came. In the snapshot. */
struct nt_call_stack {
	const struct nt_call_frame *frames; /* leaf first, at least one */
	uint32_t count;
	uint32_t site; /* the frame that people look for: the first that is the program's own, else the leaf */
	bool cut;      /* it is deeper: the outermost frames are left out */
};

/*
 * What was allocated, estimated from samples: an object of a sample stands for all those that were not picked, so it counts 1 / (its chance to be
 * picked) times. In a window all members have its weights. Large objects are picked for certain: they are no estimate.
 */
struct nt_alloc_sums {
	double bytes, objects;
	double large_bytes, pinned_bytes; /* of the bytes: on the LOH, on the POH */
	double variance;                  /* of the bytes: the square of their standard error */
	double samples;
};

/* Add `more` times `weight`, a constant. */
static inline void nt_alloc_sums_add(struct nt_alloc_sums *sums, const struct nt_alloc_sums *more, double weight)
{
	sums->bytes += weight * more->bytes;
	sums->objects += weight * more->objects;
	sums->large_bytes += weight * more->large_bytes;
	sums->pinned_bytes += weight * more->pinned_bytes;
	sums->variance += weight * weight * more->variance;
	sums->samples += weight * more->samples;
}

/* The standard error of the bytes in % of them; unknown without samples. The same bits on every machine. */
struct nt_f64 nt_alloc_sums_error_pct(const struct nt_alloc_sums *sums);

/* The same figures over three times: the interval, the exponential window, since attach. */
struct nt_alloc_figures {
	struct nt_alloc_sums interval, window, all;
};

/* A type of which objects were allocated while that was sampled. */
struct nt_alloc_row {
	uint64_t id;
	const char *type; /* "(other types)": all beyond those that have a row */
	struct nt_alloc_figures figures;
	const char *site;                           /* the program's method that allocates most of it; NULL = not known */
	struct nt_f64 site_pct;                     /* so much of the bytes since attach */
	const struct nt_call_stack *allocated_from; /* a stack with that; NULL = not known */
	struct nt_trend trend;                      /* bytes per second */
	bool fresh;                                 /* first interval of the row */
	bool marked;                                /* a finding is about it */
};

/* All allocations while they were sampled, and for how long they were. */
struct nt_alloc_sampling {
	bool on;                 /* at the interval's end */
	bool by_ticks;           /* they are no samples: a runtime before .NET 10 tells of the object with which each 100 KB are full */
	struct nt_why why;       /* why the runtime cannot sample them; no reason = it can */
	struct nt_why stack_why; /* why it is not known where from; no reason = it is */
	struct nt_alloc_figures figures;    /* of all types */
	double interval_s, window_s, all_s; /* sampled of each; in the window weighted */
};

struct nt_source_row {
	enum nt_source_id id;
	enum nt_source_state state;
	uint32_t brings;             /* of a source that brings what it is asked for: enum nt_demand bits */
	const char *reason, *fix;    /* NULL = none */
	uint64_t events, events_all; /* interval, since attach */
	/* In which it told of anything, interval and since attach; not known of one that does not say so, which does while it delivers. */
	struct nt_u64 covered_ns, covered_all_ns;
	struct nt_f64 events_per_s; /* of that time */
	struct nt_u64 rate_hz;      /* of samples: at most so many in a second of a CPU's time */
	uint64_t lost_count;        /* since attach, what was counted */
	bool lost_unknown;          /* and something nobody counted */
	bool lost_growing;          /* in this interval */
	uint64_t late_count, duplicate_count, unknown_count;
	struct nt_u64 lag_ns;           /* interval end minus newest event or IDLE, at least 0 */
	nt_time last_delivery;          /* NT_TIME_UNKNOWN = never */
	struct nt_u64 file_bytes;       /* of the file that it follows (the perf map) */
	struct nt_u64 file_bytes_per_s; /* its growth in the interval */
};

struct nt_target_info {
	uint32_t pid;
	uint64_t start_ticks;                 /* with the pid the identity; 0 = not known */
	const char *name, *runtime, *command; /* NULL = not known */
	enum nt_deployment kind;
	enum nt_target_mode mode;
	struct nt_u64 uptime_ns, cpu_count, server_gc;
	struct nt_u64 cpu_ns; /* CPU time used since its start */
	bool ended;
	nt_time ended_at;
	const char *end_text;
	struct nt_target_end end;
};

/* What samples are of. Each kind counts for itself: shares of CPU time and of the wall clock cannot be added. */
enum nt_sample_kind {
	NT_SAMPLES_CPU,     /* the kernel's (perf) */
	NT_SAMPLES_WALL,    /* the runtime's own sampler's, in managed code only */
	NT_SAMPLES_MOMENTS, /* none of time: where something happened (NT_EV_MOMENT) */
	NT_SAMPLE_KINDS
};
/* cpu, wall, moments; "?" for a value out of range. */
const char *nt_sample_kind_name(enum nt_sample_kind kind);

struct nt_call_row;  /* nettop/call_row.h */
struct nt_row_block; /* base/row_block.h */

struct nt_process_snapshot {
	struct nt_target_info target;
	struct nt_figures interval; /* this interval */
	struct nt_figures total;    /* since attach */

	/* Owned by the snapshot. */
	struct nt_method_row *methods; /* every row with window weight or samples in the interval; all rows when final */
	size_t method_count;
	size_t methods_hidden;         /* rows known but not in `methods` */
	uint64_t window_samples_milli; /* weighted samples of the window x 1000 (denominator of window percentages) */
	uint64_t samples_all;
	enum nt_sample_kind sample_kind; /* of the shares in `methods`: of several kinds in the interval the first of that list */
	bool is_part;                    /* `methods` are of a part of the samples (made by ui/) */
	struct nt_f64 window_purpose_pct[NT_PURPOSE_COUNT]; /* of the window's CPU samples */
	struct nt_pause_samples pause_samples;              /* likewise, cut by the pauses */
	struct nt_interval_samples interval_samples;        /* when the interval's were taken */
	struct nt_difference difference;                    /* of a span that was compared with another one */
	/* Share of the samples whose call chain goes back to where its thread begins. Of the window; of all. Not known of wall samples: managed frames only. */
	struct nt_f64 window_complete_pct, all_complete_pct;
	/* Likewise, whose call chain has as many frames as the kernel gives (nt_ev_sample.cut) and is not complete. */
	struct nt_f64 window_cut_pct, all_cut_pct;
	struct nt_stack_tree stacks;     /* while somebody asks for it: NT_EV_KEEP_STACKS */
	const struct nt_call_row *calls; /* the call tree in view: made by ui/, borrowed from it */
	size_t call_count;
	struct nt_annotation annotation;         /* of the method that somebody looks at: NT_EV_LOOK */
	struct nt_instruction_row *instructions; /* its code, by address */
	size_t instruction_count;
	struct nt_rundown rundown;            /* the newest */
	const struct nt_gc_row **collections; /* newest first; the rows lie in blocks */
	size_t collection_count;
	struct nt_row_block **
		collection_blocks; /* owned, each a reference: what does not change any more lies in blocks that other snapshots have, too */
	size_t collection_block_count;
	uint64_t collection_total; /* seen since attach */
	struct nt_gc_settings gc_settings;
	struct nt_gc_generation_row generations[NT_GC_ROW_GENERATIONS];
	size_t generation_count;         /* all of them; 0 before the first interval */
	struct nt_gc_heap_row *gc_heaps; /* owned; of one collection, by index */
	size_t gc_heap_count;
	struct nt_request_row *requests;               /* owned; most often since attach first */
	struct nt_single_request_row *single_requests; /* owned; those in flight, oldest first, then those that ended, slowest first */
	struct nt_request_time_row *request_times;     /* owned; in no order */
	size_t request_count, single_request_count, request_time_count;
	struct nt_exception_row *exceptions;
	struct nt_thrown_row *thrown;          /* in the snapshot: the last ones, newest first */
	struct nt_throw_site_row *throw_sites; /* in the snapshot: those that threw most since attach first */
	size_t thrown_count, throw_site_count;
	struct nt_pool_adjustment *adjustments; /* in the snapshot: the last ones, newest first */
	size_t adjustment_count;
	struct nt_pool_wait_row *pool_waits; /* in the snapshot: work items by how long they waited, since that is told */
	size_t pool_wait_count;
	struct nt_lock_row *locks;              /* those where most time was spent waiting since attach first */
	struct nt_lock_group_row *lock_objects; /* in the snapshot: by lock, most waited for since attach first */
	struct nt_lock_group_row *lock_owners;  /* in the snapshot: by the thread that held them, likewise */
	size_t exception_count, lock_count, lock_object_count, lock_owner_count;
	struct nt_wait_row *waits;            /* those where most time was spent waiting since attach first */
	struct nt_wait_sum_row *wait_reasons; /* most waited for since attach first */
	struct nt_wait_sum_row *wait_threads; /* those that waited most since attach first */
	size_t wait_count, wait_reason_count, wait_thread_count;
	struct nt_told told;      /* events one by one, while somebody looks */
	struct nt_wall_row *wall; /* most time since attach first */
	size_t wall_count;
	struct nt_io_row *io; /* what is open, by name; while somebody looks (NT_WANT_DESCRIPTORS) */
	size_t io_count;
	bool io_looked, io_called;        /* what is open has been looked at; calls have been counted, if only for a while */
	uint64_t io_hidden;               /* descriptors that were not looked at, and names that have no row */
	bool io_hidden_at_least;          /* and more that nobody counted */
	uint64_t io_threads_hidden;       /* threads of which it is not known whether they are blocked in one */
	struct nt_alloc_row *allocations; /* every type since attach; while allocations are sampled (NT_WANT_ALLOC_SAMPLES) */
	size_t allocation_count;
	struct nt_alloc_row *allocation_sites; /* in the snapshot: the same by the place that allocates; `type`: of most of it */
	size_t allocation_site_count;
	struct nt_alloc_sampling alloc_sampling;
	struct nt_thread_row *threads;
	size_t thread_count;
	struct nt_jit_row *jit_methods; /* those that took longest since attach, longest first; all rows when final */
	size_t jit_method_count;
	size_t jit_methods_hidden;                             /* rows known but not in `jit_methods` */
	struct nt_jit_group_row *jit_groups[NT_JIT_GROUPINGS]; /* owned: all compilations, whatever rows were kept; longest first */
	size_t jit_group_count[NT_JIT_GROUPINGS];
	struct nt_jit_caller_row *jit_callers; /* owned; most time since attach first */
	size_t jit_caller_count;
	struct nt_jit_startup_rows jit_startup;
	struct nt_jit_now *jit_now; /* longest first */
	size_t jit_now_count;
	struct nt_counter_row *counters; /* by provider, name and tags */
	size_t counter_count;
	size_t counters_hidden;           /* further counters that were told: beyond what is kept, or left out by the runtime */
	bool counters_hidden_at_least;    /* and more that nobody counted */
	struct nt_jit_figures jit_recent; /* sums over the last recent_ns */
	nt_time recent_ns;                /* 10 s, one interval if that is longer, less in the beginning */

	struct nt_series series[NT_SUBJECT_TILES];
	struct nt_finding *findings; /* those that hold, most important first; when final also those that held before */
	size_t finding_count;
	nt_time quiet_since; /* no threshold has been crossed since then; NT_TIME_UNKNOWN = one is */
	/* What the rules of the findings could look at in the last step, and what is not known; constant texts. Both empty: nobody has looked. */
	const char *checked[NT_FINDING_SUBJECTS], *unchecked[NT_FINDING_SUBJECTS];
	size_t checked_count, unchecked_count, question_count;
	struct nt_question *questions; /* what the model could not name yet; for whoever knows names */
	bool wants_requests;           /* it has what serves or makes requests, as far as can be seen: somebody should ask it for them */
	bool wants_compilations;       /* an old process compiles a lot, by the runtime's counter: somebody should ask it what */
	bool passing_code; /* code was sampled that may be freed and of which nobody knew: names of such code are asked for more often */
};

struct nt_snapshot {
	uint64_t sequence;                                    /* 1, 2, 3 ... */
	nt_time t0, t1;                                       /* the interval [t0, t1) */
	nt_time start;                                        /* first t0: attach */
	bool final;                                           /* the last one; written after the sources were read to their end */
	bool complete;                                        /* final only: all sources were read to their end */
	struct nt_f64 self_pct, daemons_pct;                  /* own cost in % of one CPU: interval */
	struct nt_f64 self_total_pct, daemons_total_pct;      /* since attach */
	struct nt_f64 target_cost_pct, target_cost_total_pct; /* what watching costs the target, in % of its CPU time: an estimate */
	struct nt_u64 self_rss_bytes;
	uint64_t lost_count; /* all sources, since attach */
	bool lost_unknown, lost_growing;
	struct nt_source_row sources[NT_SOURCE_COUNT];
	size_t source_count;
	struct nt_process_snapshot *processes; /* owned */
	size_t process_count;
	struct nt_process_row *listed; /* owned; nettop/process_row.h. The list of processes is a snapshot that has these alone */
	size_t listed_count;

	unsigned refs;
	bool whole;  /* made again from the past: all of it lies in `arena` */
	void *arena; /* owned; texts "in the snapshot" */
	void *texts; /* owned: struct nt_texts_pin of all others; NULL = they are the arena's or constant */
};

/* References. The last release frees. Main thread only. */
struct nt_snapshot *nt_snapshot_retain(struct nt_snapshot *snapshot);
void nt_snapshot_release(struct nt_snapshot *snapshot); /* NULL is allowed */

/* The source row of an id, NULL when the snapshot has none. */
const struct nt_source_row *nt_snapshot_source(const struct nt_snapshot *snapshot, enum nt_source_id id);

/* The source that brings most of the runtime's events, or should: LTTng or EventPipe. */
enum nt_source_id nt_snapshot_carrier(const struct nt_snapshot *snapshot);

#endif
