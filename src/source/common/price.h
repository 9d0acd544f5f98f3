/* SPDX-License-Identifier: GPL-2.0-only */
/* What watching takes from the target: CPU time of its own, measured on one machine. An estimate elsewhere, and always shown as one. */
#ifndef NT_SOURCE_PRICE_H
#define NT_SOURCE_PRICE_H

#include <stdint.h>

enum nt_price {
	NT_PRICE_SAMPLE,            /* a CPU sample of it without its call chain */
	NT_PRICE_FRAME,             /* a frame in such a chain */
	NT_PRICE_TASK_SWITCH,       /* a context switch of a thread that has events of its own which are counting */
	NT_PRICE_SWITCH_RECORD,     /* a context switch of which the kernel tells, without samples */
	NT_PRICE_CPU_SWITCH_RECORD, /* the same, told by the CPU's event and not by the thread's */
	NT_PRICE_SWITCH_TOLD, /* the same with its waking, told by programs of BPF: with the stack that it leaves from, and who wakes it */
	NT_PRICE_EVENTPIPE,   /* an event over EventPipe without its call stack */
	NT_PRICE_EVENTPIPE_STACK, /* an event over EventPipe for which the runtime walks the stack */
	NT_PRICE_CATCH,           /* a step of an exception after it was thrown, told over EventPipe: a catch block, a filter */
	NT_PRICE_REQUEST,         /* the beginning or the end of a single request, told over EventPipe */
	NT_PRICE_ACTIVITY,        /* a thread takes up an activity, or puts it down, told over EventPipe */
	NT_PRICE_COMPILATION,     /* the beginning or the end of one, told over EventPipe */
	NT_PRICE_POOL_ITEM,       /* a work item of the thread pool is enqueued, or taken, told over EventPipe */
	NT_PRICE_WALL_SAMPLE,     /* a thread in one look of the runtime's own sampler, which stops all for it */
	NT_PRICE_PROBE,           /* a call of a function that is probed, told or not */
	NT_PRICE_SOFTWARE,        /* a software event of the kernel that is counted, told or not */
	NT_PRICE_TRACEPOINT,      /* a tracepoint of the kernel, likewise */
	NT_PRICE_TOLD,            /* one of either that is told, with its call chain */
	NT_PRICE_CALL,            /* a call of the system that is counted by what it is on */
	NT_PRICE_CALL_LOOK,       /* such a call of which it is looked where it comes from, besides */
	NT_PRICE_CALL_SEEN,       /* meanwhile any call of the system, counted or not */
	NT_PRICE_LTTNG,           /* an event over LTTng */
	NT_PRICE_COUNT
};

struct nt_price_entry {
	uint64_t ns;
	const char *measured; /* how, and what came out */
};

extern const struct nt_price_entry nt_prices[NT_PRICE_COUNT];

/* So many times. */
static inline uint64_t nt_price_of(enum nt_price price, uint64_t count)
{
	return count * nt_prices[price].ns;
}

#endif
