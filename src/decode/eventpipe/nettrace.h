/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/eventpipe: nettrace streams, and the diagnostics protocol. */
/*
 * nettrace, the stream of an EventPipe session (format 1 of CollectTracing; NetTraceFormat_v5.md of PerfView, versions 4 and 5): decoded as it comes.
 *
 * The stream is fed in pieces cut anywhere; what it says goes to a sink. The runtime writes the events of one flush thread by thread: they wait here
 * until nothing older can follow, and reach the sink in the order of their times, across all threads.
 *
 *   trace = nt_nettrace_new(&sink);
 *   while (bytes come) { status = nt_nettrace_feed(trace, bytes, length, &err); ... }      NT_END: the final byte was read
 *   nt_nettrace_settle(trace) when the stream has been silent for a while: nothing older follows
 *   nt_nettrace_free(trace)
 */
#ifndef NT_DECODE_NETTRACE_H
#define NT_DECODE_NETTRACE_H

#include "nettop/clock.h"
#include "nettop/status.h"

struct nt_nettrace;

/* The header of the stream. */
struct nt_nettrace_start {
	nt_time time;          /* when the session began: CLOCK_MONOTONIC ns, as all times of the stream */
	int64_t unix_ns;       /* the same by the clock of the wall, which is told in ms; 0 = it says no date */
	uint32_t pid;          /* as the target numbers itself */
	uint32_t pointer_size; /* bytes; 8, others are refused */
	uint32_t cpu_count;
	uint32_t sampling_ns; /* interval of the SampleProfiler */
};

/* Type codes of fields (System.TypeCode, and two of EventPipe's own). */
enum nt_nettrace_type {
	NT_NETTRACE_OBJECT = 1, /* fields of its own, one after the other */
	NT_NETTRACE_BOOL = 3,   /* 4 bytes */
	NT_NETTRACE_CHAR = 4,
	NT_NETTRACE_I8 = 5,
	NT_NETTRACE_U8 = 6,
	NT_NETTRACE_I16 = 7,
	NT_NETTRACE_U16 = 8,
	NT_NETTRACE_I32 = 9,
	NT_NETTRACE_U32 = 10,
	NT_NETTRACE_I64 = 11,
	NT_NETTRACE_U64 = 12,
	NT_NETTRACE_F32 = 13,
	NT_NETTRACE_F64 = 14,
	NT_NETTRACE_DECIMAL = 15,
	NT_NETTRACE_DATETIME = 16, /* FILETIME */
	NT_NETTRACE_GUID = 17,
	NT_NETTRACE_TEXT = 18,  /* UTF-16 with a NUL */
	NT_NETTRACE_ARRAY = 19, /* u16 count, then so many of its one child */
};

struct nt_nettrace_field {
	const char *name;                         /* UTF-8, "" = none */
	const struct nt_nettrace_field *children; /* of an OBJECT; of an ARRAY one, without a name: its elements */
	uint32_t child_count;
	uint32_t type; /* enum nt_nettrace_type */
};

/* What a kind of event is: announced once, valid as long as the decoder. Texts come from outside and may hold anything but NUL. */
struct nt_nettrace_meta {
	const char *provider; /* UTF-8 */
	const char *name;     /* UTF-8; "" for the runtime's own events: they are known by provider, id and version */
	uint32_t id, version, level;
	uint64_t keywords;
	const struct nt_nettrace_field *fields; /* none for the runtime's own events */
	uint32_t field_count;
	const void *user; /* for the sink; NULL at first: what it has found out about this kind of event. Borrowed */
};

/* A managed call stack, of one event or of many. */
struct nt_nettrace_stack {
	const uint8_t *addresses; /* leaf first, 8 bytes each, unaligned */
	uint32_t count;
	uint64_t user; /* for the sink; 0 at first: what it has found out about this stack */
};

/* One event. Everything is borrowed until the sink returns. */
struct nt_nettrace_event {
	struct nt_nettrace_meta *meta;
	nt_time time;
	uint64_t thread;         /* it happened on, as the target numbers threads */
	uint64_t capture_thread; /* that wrote it: another one for samples only */
	const uint8_t *payload;
	struct nt_nettrace_stack *stack; /* NULL = none */
	uint32_t payload_length;
	uint64_t activity[2]; /* of its thread, as it lies there; 0, 0 = none */
};

/* Events that are missing: their numbers say that the runtime had no room for them. */
struct nt_nettrace_lost {
	uint64_t count;
	nt_time from;  /* the newest event of that thread before; NT_TIME_UNKNOWN = none */
	nt_time until; /* noticed at */
};

struct nt_nettrace_sink {
	void *context;
	void (*start)(void *context, const struct nt_nettrace_start *start); /* NULL = not wanted */
	void (*event)(void *context, const struct nt_nettrace_event *event);
	void (*lost)(void *context, const struct nt_nettrace_lost *lost); /* NULL = not wanted */
};

/*
 * What the streams of a process may keep in memory, all together. Whoever would go beyond it delivers what waits, in order or not: nothing is lost by that. What cannot
 * be given back so (kinds of events, threads, one block) is limited for each stream.
 */
enum { NT_NETTRACE_BUDGET_BYTES = 128 << 20 };
struct nt_nettrace_budget {
	size_t used_bytes; /* at first 0, or what these streams are not to use of it */
};

/* `sink` is copied. `budget` is borrowed, for all streams that share it; NULL = one of its own. */
struct nt_nettrace *nt_nettrace_new(const struct nt_nettrace_sink *sink, struct nt_nettrace_budget *budget);
void nt_nettrace_free(struct nt_nettrace *trace); /* NULL is allowed; what waits is not delivered */

/*
 * Decode the next bytes. NT_OK: go on. NT_END: the stream ended properly, everything has been delivered; what follows is ignored.
 * NT_ERR_MALFORMED, NT_ERR_UNSUPPORTED: the sentence says what is wrong and where; the stream cannot be read further, and the same is answered from then on.
 */
enum nt_status nt_nettrace_feed(struct nt_nettrace *trace, const uint8_t *bytes, size_t length, struct nt_error *err);

/*
 * Deliver what waits: the caller knows that the flush which wrote it is over, or that nothing more will come. Harmless when it is wrong:
 * what is older than something delivered is delivered late.
 */
void nt_nettrace_settle(struct nt_nettrace *trace);

/* The same in the middle of a flood: memory is kept for what comes next, instead of being given back. */
void nt_nettrace_deliver(struct nt_nettrace *trace);

/* Events that wait to be delivered. */
size_t nt_nettrace_waiting(const struct nt_nettrace *trace);

#endif
