/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a source of events must do. Every source is optional: probe() says whether it can work here and, if not, why and what the least fix is.
 *
 * All functions are called from the main thread and must not block it (a source that has to wait owns a worker thread and hands batches over
 * through struct nt_channel). The loop's pattern: wait on fd() and the timer; then drain() until NT_AGAIN or the budget is spent, apply each
 * batch, give it back.
 */
#ifndef NETTOP_SOURCE_H
#define NETTOP_SOURCE_H

#include <string.h>

#include "nettop/event.h"
#include "nettop/status.h"

struct nt_target;       /* src/target/process/target.h */
struct nt_moment_asked; /* src/source/common/moment.h */
struct nt_source;       /* each source's own; the first member of its struct is struct nt_source (see below) */

enum nt_probe_result {
	NT_PROBE_AVAILABLE,
	NT_PROBE_ABSENT,    /* cannot exist here; `reason` says why */
	NT_PROBE_FORBIDDEN, /* `fix` says what permission is missing and how to give it */
};

struct nt_probe {
	enum nt_probe_result result;
	char reason[320]; /* one sentence */
	char fix[320];    /* one command or the least thing to do; may be "" */
};

/* Costly things that are collected only while somebody looks (design: want). A bit set. */
enum nt_demand {
	NT_WANT_ALLOC_SAMPLES = 1u << 0, /* AllocationSampled events: 90 % of all events */
	/* For who can choose what the target sends (EventPipe): what no other source brings. */
	NT_WANT_RUNTIME_EVENTS = 1u << 1, /* collections, thread pool, contention */
	NT_WANT_EXCEPTIONS = 1u << 9,     /* never over LTTng, where a message that is null ends the target */
	NT_WANT_POOL_EVENTS = 1u << 2,    /* of the thread pool alone */
	NT_WANT_LOCK_EVENTS = 1u << 10,   /* of waits for locks alone */
	NT_WANT_COUNTERS = 1u << 3,       /* what the program and its libraries publish */
	NT_WANT_JIT_EVENTS = 1u << 4,     /* compilations and tiering: each of them, with names of methods and modules */
	NT_WANT_STACKS =
		1u << 6, /* who asks for collections, throws and waits for locks: the events with their stacks, besides those that count */
	NT_WANT_CATCHES =
		1u << 24, /* beside NT_WANT_STACKS: who catches exceptions. At a level at which the target pays for each step of each */
	NT_WANT_GC_EVENTS = 1u << 7,    /* of collections alone: what a file has. No source is asked for it */
	NT_WANT_CALL_STACKS = 1u << 29, /* of the samples, kept by the model: NT_EV_KEEP_STACKS. No source is asked for it */
	NT_WANT_GC_HISTORIES = 1u << 8, /* what collections found in each heap, beside the other events of theirs */
	NT_WANT_LOOKS = 1u << 11,      /* at threads, from outside: where those are that do not run (STACK), who holds locks (LOCK_STATE) */
	NT_WANT_RARE_LOOKS = 1u << 14, /* the same, once in a second: for judgements, while nobody looks at waits */
	NT_WANT_SWITCHES = 1u << 12,   /* when threads come to a CPU and leave it, where, and who wakes them: SWITCH, WAKE */
	NT_WANT_MOMENTS = 1u << 13,    /* what nt_source_config.moments names: MOMENT. Nothing else is wanted then */
	NT_WANT_DESCRIPTORS = 1u << 15,     /* what the process has open, and who is blocked in it: DESCRIPTOR, DESCRIPTORS */
	NT_WANT_CALLS = 1u << 18,           /* which calls it makes on that, each counted by the kernel: CALLS, CALLS_TOLD */
	NT_WANT_METHOD_NAMES = 1u << 16,    /* in what a source says that it brings: answers to NT_RUNTIME_IMAGE, by questions alone */
	NT_WANT_SWITCH_TIMES = 1u << 19,    /* likewise, beside NT_WANT_SWITCHES: only when, neither where nor who wakes them */
	NT_WANT_REQUESTS = 1u << 20,        /* requests by route and peer, of Meters: where the program has what tells them */
	NT_WANT_SINGLE_REQUESTS = 1u << 21, /* each request that is served, when it begins and ends: REQUEST. The target pays for each */
	NT_WANT_ACTIVITIES = 1u << 23,  /* beside these: which thread works for which of them: ACTIVITY. The target pays for each turn */
	NT_WANT_JIT_CALLERS = 1u << 26, /* beside compilations: the call stack of each, at its start. The target pays for each */
	NT_WANT_POOL_ITEMS = 1u << 27,  /* each work item of the thread pool, when it is enqueued and taken: POOL_ITEM. Likewise */
	NT_WANT_EACH_REQUEST = NT_WANT_SINGLE_REQUESTS | NT_WANT_ACTIVITIES, /* of each something is told */
	NT_WANT_PERF_MAP = 1u << 17,    /* switched on, where there is none: names are to be had in no other way */
	NT_WANT_NATIVE = 1u << 22,      /* with NT_WANT_LOOKS: the frames of native code of threads that wait, too */
	NT_WANT_TOLD = 1u << 25,        /* events that somebody has chosen by name, one by one: TOLD. The target pays for each */
	NT_WANT_WALL_SAMPLES = 1u << 5, /* of the runtime's own sampler, where perf has none; the target pays for it */
	NT_WANT_CPU_SAMPLES =
		1u << 28, /* of several processes, by one event a CPU, with names of their methods. No source is asked for it */
};

/* What an exception costs the target more while somebody is told who catches it, measured: before somebody asks. */
#define NT_PRICE_CATCHES "4 to 6 us"

/* What the runtime's own sampler does to the target, measured: before somebody switches it on. */
#define NT_PRICE_WALL_SAMPLES       "up to 1000 times a second, which costs it some 15 % more CPU time, 6 % of a CPU while idle"
#define NT_PRICE_WALL_SAMPLES_SHORT "1000x a second, +15 % CPU"

/* What the user chose, the same for all sources; read-only, outlives the sources. */
/* How the call chains of CPU samples are made. Code without frame pointers hides its caller, or breaks the chain. */
enum nt_call_graph {
	NT_CALL_GRAPH_FP,     /* the kernel's: by frame pointers */
	NT_CALL_GRAPH_LEAF,   /* from a small copy of the stack: up to the first function with a frame pointer, by call frame information */
	NT_CALL_GRAPH_HYBRID, /* from a large copy of it, all the way: at low rates only */
};

/* How long a program that nettop has started is given for its start. */
enum { NT_STARTING_MS = 2000 };

struct nt_told_event;

/* Who wants events that were chosen by name as they are, besides the TOLD events: `hear` is called for each of these, with its number. Main thread only. */
struct nt_told_ear {
	void *context; /* borrowed */
	void (*hear)(void *context, const struct nt_told_event *event, uint64_t number);
};

struct nt_source_config {
	unsigned perf_hz;             /* sampling rate, default 99 */
	unsigned perf_most;           /* samples that may arrive in a second, over which the rate falls; 0 = see source/perf/perf_rate.h */
	unsigned max_target_cost_pct; /* of the target's CPU time, for events of its tasks; 0 = 5 */
	const struct nt_moment_asked *moments; /* asked for in place of samples of CPU time: at most NT_MOMENTS_ASKED_MAX; borrowed */
	size_t moment_count;                   /* 0 = none */
	bool perf_switches;                    /* perf tells when threads come to a CPU and leave it, in place of samples */
	bool all_time;                         /* perf has to tell each switch besides samples: where it cannot, it does nothing */
	bool perf_of_tasks;                    /* events of the target's tasks, even where those of CPUs are allowed */
	enum nt_call_graph call_graph;
	const char *proc_root; /* "/proc"; tests give another */
	bool several; /* processes come and go: each is introduced by who it is before anything is said of it, the first one, too */
	const char *lttng_session;    /* --session: read this existing live session, by its name or its live URL; NULL = own session */
	const char *runtime_dir;      /* folder for our relay's output and sockets; exists, 0700, removed by app/ and the keeper */
	unsigned lttng_live_timer_us; /* 100000 */
	bool readonly;                /* change nothing in the target */
	bool native_stacks;           /* where threads wait is told with the frames of native code */
	bool exceptions;   /* --exceptions: ask for them although that opens the way for an LTTng session that would end the target */
	bool no_payload;   /* --no-payload: ask for no text that the program works on: paths of its requests */
	bool rundown;      /* the runtime may be asked for all its methods when code has no name otherwise */
	bool perf_map_set; /* nettop has started the target with a perf map: it is nettop's to end */
	bool starting; /* the target has just been started by nettop: for NT_STARTING_MS what can wait does not keep it from its first answer */
	bool perf_map_later;    /* it has just been started without: it is told to write one when it has had time to start */
	uint64_t max_map_bytes; /* --max-map: how large a perf map may become that nettop has switched on */
	const char *
		counters; /* --counters: further EventSources and Meters, and with a - those that are left out, with commas between them; NULL = none */
	bool counters_paced;                /* all counters come once an interval, also those that tiles have more often */
	nt_time interval_ns;                /* at first; see pace() */
	const struct nt_told_ear *told_ear; /* borrowed; NULL = nobody */
	/* Tells the keeper (through app/) of something that must be undone if nettop dies; see src/app/keeper/keeper.h for the verbs. Never NULL.
	 * Called from any thread. */
	void (*undo_note)(void *context, const char *verb, const char *argument);
	/*
	 * The same with a descriptor that undoing needs, of which the keeper gets a duplicate. It is taken back as any other. False: there is no room for it, so nothing may be done that would
	 * have to be undone.
	 */
	bool (*undo_hold)(void *context, const char *verb, const char *argument, int fd);
	/*
	 * A connection to the target that would harm it if nobody read it any more is held by the keeper too, which shuts it down when nettop cannot: told when
	 * it begins (fd) and of each look that has read all there was. At the end: shutdown(), because closing our own descriptor closes nothing while the
	 * keeper has another; then _done, then close(). Main thread only; all NULL = there is no keeper.
	 */
	void (*stream_note)(void *context, int fd);
	void (*stream_read)(void *context);
	void (*stream_done)(void *context, int fd);
	void *undo_context; /* of all five */
};

struct nt_source_stats {
	uint64_t event_count;
	uint64_t lost_count;    /* known losses */
	bool lost_unknown;      /* something was lost that nobody counted */
	bool end_missed;        /* it has ended, and what came last before that was not had */
	nt_time last_event;     /* newest event delivered; NT_TIME_UNKNOWN = none yet */
	uint64_t cpu_ns;        /* of its worker thread; 0 without one */
	uint64_t helper_cpu_ns; /* of processes of nettop's that work for it */
	uint64_t helper_bytes;  /* resident now of those, but for what they share with others: nettop's program text */
	uint64_t price_ns;      /* CPU time that it has taken from the target so far, an estimate (source/common/price.h) */
	bool price_unknown;     /* and it takes more that nobody knows */
	uint64_t foreign_count; /* what came of other processes and was dropped: the kernel did not do it for us */
};

/* A question of the model: what is the name at this place? Texts are borrowed from the snapshot. */
struct nt_question {
	uint32_t pid;
	uint64_t inode;
	uint64_t
		offset; /* file offset; kernel, NT_STUB_IMAGE, NT_RUNTIME_IMAGE, NT_RUNTIME_IL_IMAGE: address; NT_TYPES_IMAGE: the type's number */
	/* An address range that maps it, for /proc/PID/map_files; 0 = none. For NT_MAP_IMAGE the sampled address, which the line must cover. */
	uint64_t map_start, map_end;
	nt_time time;       /* NT_CODE_IMAGE: when it ran, CLOCK_MONOTONIC; 0 = now */
	const char *image;  /* as in the MAP event; "[kernel]", "[vdso]", NT_MAP_IMAGE, NT_STUB_IMAGE, NT_RUNTIME_IMAGE, NT_TYPES_IMAGE */
	const char *method; /* NT_LINES_IMAGE: its name as the runtime writes it; else NULL */
};

/* Can only the runtime itself answer it? */
static inline bool nt_question_is_for_runtime(const char *image)
{
	return strcmp(image, NT_METHODS_IMAGE) == 0 || strcmp(image, NT_IL_MAP_IMAGE) == 0 || strcmp(image, NT_RUNTIME_IMAGE) == 0 ||
	       strcmp(image, NT_RUNTIME_IL_IMAGE) == 0 || strcmp(image, NT_TYPES_IMAGE) == 0;
}

struct nt_source_ops {
	const char *name; /* "perf", "lttng", ...: nt_source_name(id) */
	enum nt_source_id id;

	/* Can it work for this target? Changes nothing, blocks at most some ms. */
	void (*probe)(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out);

	/* Make one. On success *out is owned by the caller, who ends it with close(). `config` is borrowed for the source's life. */
	enum nt_status (*open)(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err);

	/*
	 * Start and stop watching a process. `target` is borrowed until remove(). May be called again for a further process: a source that can watch no more answers
	 * NT_ERR_UNSUPPORTED with a sentence, and goes on with what it has.
	 */
	enum nt_status (*add)(struct nt_source *source, const struct nt_target *target, struct nt_error *err);
	void (*remove)(struct nt_source *source, uint32_t pid);

	/* The set of enum nt_demand bits that views need now. NULL = the source has nothing costly. */
	void (*want)(struct nt_source *source, unsigned demand);

	/* The length of an interval has changed. NULL = it does not matter. */
	void (*pace)(struct nt_source *source, nt_time interval_ns);

	/* Other counters are wanted: names as nt_source_config.counters has them, copied. NULL = it brings none. */
	void (*choose)(struct nt_source *source, const char *counters);

	/* A descriptor that becomes readable when drain() has something, or -1: drain on the timer. Same value for the source's life. */
	int (*fd)(struct nt_source *source);

	/*
	 * Take at most one batch of at most about `budget` events. NT_OK: *take is the caller's until give_back(). NT_AGAIN: nothing now.
	 * NT_END: nothing will ever come (after stop(), or the target ended). An error: the source is broken beyond repair; it has put a
	 * SOURCE_STATE event into its last batch where it could. A source reports IDLE when it had nothing, so that intervals can close.
	 */
	enum nt_status (*drain)(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err);
	void (*give_back)(struct nt_source *source, struct nt_batch *batch);

	/* Longest time in ns between two calls of drain() that loses nothing. NULL = it does not matter. */
	nt_time (*rest)(struct nt_source *source);

	/*
	 * Called a few times in a second, for what no descriptor tells. `closing`: an interval has just ended, and what is read now is what its
	 * frame shows. NULL = not needed.
	 */
	void (*on_tick)(struct nt_source *source, nt_time now, bool closing);

	/*
	 * Questions of the model, of which each source takes those that it can answer: the code map those for places in images, EventPipe those for the runtime
	 * (nt_question_is_for_runtime()). Answers come as events. Returns how many were accepted. NULL = it answers none.
	 */
	size_t (*ask)(struct nt_source *source, const struct nt_question *questions, size_t count);

	void (*stats)(struct nt_source *source, struct nt_source_stats *out);

	/*
	 * nettop is about to be stopped (Ctrl-Z), and nobody reads for a while: let go of what must not be left unread. Everything is had again when
	 * drain() or on_tick() is called next. NULL = it does not matter. Must return at once.
	 */
	void (*pause)(struct nt_source *source);

	/* Stop producing; drain() then delivers what is left and returns NT_END. Must return at once. */
	void (*stop)(struct nt_source *source);

	/* Release everything, undo everything; bounded by 100 ms even when a peer is frozen. */
	void (*close)(struct nt_source *source);
};

/* Common head of every source. */
struct nt_source {
	const struct nt_source_ops *ops;
};

/* All sources there are, in the order in which they are opened; ends with NULL. (src/source/all/sources.c) */
extern const struct nt_source_ops *const nt_sources[];

#endif
