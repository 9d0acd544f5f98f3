/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Lost events. Every thread numbers the events that it writes, those without room included: a gap is a loss. A sequence point says the newest number of
 * each thread, so a loss at the end shows too.
 */
#ifndef NT_DECODE_NETTRACE_LOSS_H
#define NT_DECODE_NETTRACE_LOSS_H

#include "base/index.h"
#include "decode/common/reader.h"
#include "decode/eventpipe/nettrace.h"

struct nt_nettrace_writer {
	uint64_t thread;
	uint32_t sequence; /* of its newest event */
	nt_time last;      /* when that was; NT_TIME_UNKNOWN = only a sequence point has named the thread */
};

struct nt_nettrace_loss {
	const struct nt_nettrace_sink *sink; /* borrowed */
	struct nt_index by_thread;           /* to writers[] */
	struct nt_nettrace_writer *writers;  /* owned */
	size_t count, capacity;
	uint32_t current; /* index of the writer of the newest event */
};

void nt_nettrace_loss_init(struct nt_nettrace_loss *loss, const struct nt_nettrace_sink *sink);
void nt_nettrace_loss_fini(struct nt_nettrace_loss *loss);

/* An event that `thread` wrote: after another thread's, or after a gap. */
void nt_nettrace_loss_turn(struct nt_nettrace_loss *loss, uint64_t thread, uint32_t sequence, nt_time time);

/* An event that `thread` wrote: nearly always the next of the same. */
static inline void nt_nettrace_loss_event(struct nt_nettrace_loss *loss, uint64_t thread, uint32_t sequence, nt_time time)
{
	struct nt_nettrace_writer *writer = loss->current < loss->count ? &loss->writers[loss->current] : NULL;
	if (!writer || writer->thread != thread || writer->sequence + 1 != sequence) {
		nt_nettrace_loss_turn(loss, thread, sequence, time);
		return;
	}
	writer->sequence = sequence;
	writer->last = time;
}

/* The content of a sequence point after its time. NT_ERR_MALFORMED when it ends early. */
enum nt_status nt_nettrace_loss_point(struct nt_nettrace_loss *loss, struct nt_reader *reader, nt_time time);

#endif
