/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kinds of events, by numbers that are written down: a batch that was kept is read by a later nettop. A number is never given away again, and none is
 * changed; each subject has room for new ones. tests/unit/base/test_event_kinds.c holds them.
 */
#ifndef NETTOP_EVENT_KIND_H
#define NETTOP_EVENT_KIND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Version of all that nettop/event.h and nettop/code_event.h say: raised when the meaning or the form of an event changes that there was before. */
enum { NT_EVENT_FORMAT = 1 };

enum nt_event_kind {
	NT_EV_NONE = 0x00,

	/* What a source says about itself alone. */
	NT_EV_SOURCE_STATE = 0x10, /* state changed; also the first event of every source */
	NT_EV_LOST = 0x11,         /* something was lost; count may be unknown */
	NT_EV_IDLE = 0x12,         /* everything before .time has been delivered, nothing came */
	NT_EV_COVER = 0x18,        /* from when on, or up to when, everything of some kinds comes */

	/* Of nettop: its cost; and what it decides for the model, which takes that from NT_SOURCE_APP alone. */
	NT_EV_SELF = 0x20,        /* nettop's own cost */
	NT_EV_LOOK = 0x21,        /* somebody looks at the code of a method, or no more */
	NT_EV_KEEP_STACKS = 0x22, /* call stacks are kept from now on, in another way than before, or no more */
	NT_EV_INTERVAL = 0x23,    /* the length of intervals, from the next one on */
	NT_EV_END = 0x24,         /* nothing that happens at the event's time or later counts */
	NT_EV_ASK = 0x25,         /* what has no name yet is asked about before its interval ends */

	/* The kernel: what happens. */
	NT_EV_SAMPLE = 0x30, /* one CPU sample */
	NT_EV_SWITCH = 0x31, /* a thread comes to a CPU or leaves it */
	NT_EV_WAKE = 0x32,   /* reserved: wake-up */
	NT_EV_STACK = 0x33,  /* reserved: where a thread is that does not run */

	/* The kernel: how things are. */
	NT_EV_TARGET = 0x40,      /* identity of the target; its end */
	NT_EV_PROC = 0x41,        /* procfs values of the process */
	NT_EV_THREAD = 0x42,      /* thread seen, named or ended */
	NT_EV_THREAD_STAT = 0x43, /* procfs values of one thread */
	NT_EV_HOST = 0x48,        /* reserved: the machine, and the control group */

	/* Code and names. */
	NT_EV_MAP = 0x50,          /* an executable mapping appeared */
	NT_EV_CODE = 0x51,         /* code ranges got names (JIT methods, stubs): many lines of the perf map at once */
	NT_EV_CODE_END = 0x52,     /* a code range ended */
	NT_EV_FILE = 0x53,         /* size of the file that a source follows */
	NT_EV_NAME = 0x54,         /* answer to a question: image + offset range -> name or reason */
	NT_EV_ASSEMBLY = 0x55,     /* answer to a question for code: its instructions */
	NT_EV_IL_MAP = 0x56,       /* answer to a question for the IL of code */
	NT_EV_SOURCE_LINES = 0x57, /* answer to a question for the source lines of a method */
	NT_EV_RUNDOWN = 0x58,      /* answer to a question for all methods: the end of the list */

	/*
	 * From here on what a source is opened for: see nt_event_is_of_runtime().
	 * What the runtime measures by itself.
	 */
	NT_EV_COUNTER = 0x60,     /* a named counter of the runtime (EventPipe) */
	NT_EV_WALL_SAMPLE = 0x61, /* where a managed thread was when the runtime's own sampler stopped all of them */

	/* The runtime's own events (src/decode/clr/clr_events.def): collections, */
	NT_EV_GC_START = 0x70,
	NT_EV_GC_END = 0x71,
	NT_EV_GC_HEAP_STATS = 0x72,
	NT_EV_GC_SUSPEND_BEGIN = 0x73,
	NT_EV_GC_SUSPEND_END = 0x74,
	NT_EV_GC_RESTART_BEGIN = 0x75,
	NT_EV_GC_RESTART_END = 0x76,
	NT_EV_GC_TRIGGERED = 0x77,
	NT_EV_GC_GLOBAL_HISTORY = 0x78,
	NT_EV_GC_HEAP_HISTORY = 0x79,
	NT_EV_GC_FINALIZERS_BEGIN = 0x7a,
	NT_EV_GC_FINALIZERS_END = 0x7b,

	/* the heap, */
	NT_EV_ALLOC_SAMPLED = 0x90,
	NT_EV_ALLOC_TICK = 0x91,
	NT_EV_HEAP_TYPE = 0x98, /* reserved: what a type has in the heap */

	/* compiled code, */
	NT_EV_JIT_START = 0xa0,
	NT_EV_METHOD_LOAD = 0xa1,
	NT_EV_METHOD_UNLOAD = 0xa2,
	NT_EV_MODULE_LOAD = 0xa3,
	NT_EV_TIERING = 0xa4,

	/* the thread pool, */
	NT_EV_POOL_WORKERS = 0xb0,
	NT_EV_POOL_ADJUST = 0xb1,
	NT_EV_POOL_SAMPLE = 0xb2,
	NT_EV_POOL_STATS = 0xb3,
	NT_EV_POOL_MINMAX = 0xb4,

	/* locks, */
	NT_EV_CONTENTION_START = 0xc0,
	NT_EV_CONTENTION_STOP = 0xc1,
	NT_EV_LOCK_STATE = 0xc8, /* reserved: who holds a lock, and who waits for it */

	/* exceptions, */
	NT_EV_EXCEPTION_THROWN = 0xd0,
	NT_EV_EXCEPTION_CATCH = 0xd1,

	/* threads and what they do for whom, */
	NT_EV_CLR_THREAD_CREATED = 0xe0,
	NT_EV_CLR_THREAD_ENDED = 0xe1,
	NT_EV_REQUEST = 0xe8, /* reserved: a request that the program serves or makes */

	/* and what is known by its name alone. */
	NT_EV_CLR_UNKNOWN = 0xf0, /* an event of the runtime that the table does not know: counted, never dropped silently */
	NT_EV_RAW_EVENT = 0xf1,   /* reserved: an event with its payload as it came */

	NT_EV_LIMIT = 0x100 /* above all of them */
};

/* What becomes of an event when another of its kind comes. */
enum nt_event_holds {
	NT_EVENT_STATE,  /* how something is: holds at once, until a later one says otherwise of the same thing */
	NT_EVENT_SUM,    /* each counts, as soon as it is told */
	NT_EVENT_MOMENT, /* something happened: each counts, in the interval in which its time lies */
};

/* Whom it tells of. */
enum nt_event_of {
	NT_EVENT_OF_PROCESS, /* of the process that it names; without one it is of the only process there is */
	NT_EVENT_OF_SOURCE,  /* of its source, as far as that watches the process that it names; without one as a whole */
	NT_EVENT_OF_NETTOP,  /* of nettop, or of the machine: of no process */
};

struct nt_event_attributes {
	const char *name; /* stable, in lower case; NULL: there is no such kind */
	enum nt_event_holds holds;
	enum nt_event_of of;
};

extern const struct nt_event_attributes nt_event_attributes[NT_EV_LIMIT];

/* Is there a kind of this number? */
static inline bool nt_event_kind_exists(unsigned kind)
{
	return kind < NT_EV_LIMIT && nt_event_attributes[kind].name;
}

/* Does the kind, which exists, count by its time? */
static inline bool nt_event_is_moment(enum nt_event_kind kind)
{
	return nt_event_attributes[kind].holds == NT_EVENT_MOMENT;
}

/* Does the source speak of itself alone? Its time is no time of the target's then. */
static inline bool nt_event_is_own(enum nt_event_kind kind)
{
	return kind < NT_EV_COVER;
}

/* Does nettop decide something for the model by it? */
static inline bool nt_event_is_direction(enum nt_event_kind kind)
{
	return kind > NT_EV_SELF && kind < NT_EV_SAMPLE;
}

/* Does the runtime tell it? */
static inline bool nt_event_is_of_runtime(enum nt_event_kind kind)
{
	return kind >= NT_EV_COUNTER;
}

/* Its name, for logs, the details writer, JSON and documents. Never NULL; "?" for a kind that does not exist. */
const char *nt_event_kind_name(enum nt_event_kind kind);

#endif
