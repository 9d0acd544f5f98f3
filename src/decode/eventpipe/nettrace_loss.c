// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_loss.h"

#include "base/alloc.h"

#include <stdlib.h>

/* More threads than a process can have between two sequence points are none: their numbers are forgotten. */
enum { WRITERS_MAX = 1 << 17 };

void nt_nettrace_loss_init(struct nt_nettrace_loss *loss, const struct nt_nettrace_sink *sink)
{
	*loss = (struct nt_nettrace_loss){ .sink = sink };
}

void nt_nettrace_loss_fini(struct nt_nettrace_loss *loss)
{
	nt_index_fini(&loss->by_thread);
	free(loss->writers);
}

static void forget_all(struct nt_nettrace_loss *loss)
{
	nt_index_fini(&loss->by_thread);
	loss->count = 0;
}

static void add_writer(struct nt_nettrace_loss *loss, uint64_t thread, uint32_t sequence, nt_time time)
{
	if (loss->count == WRITERS_MAX)
		forget_all(loss);
	loss->writers = nt_grow(loss->writers, &loss->capacity, loss->count + 1, sizeof(*loss->writers));
	loss->writers[loss->count] = (struct nt_nettrace_writer){ thread, sequence, time };
	loss->current = (uint32_t)loss->count++;
	nt_index_put(&loss->by_thread, thread, loss->current);
}

static bool find_writer(struct nt_nettrace_loss *loss, uint64_t thread)
{
	if (loss->current < loss->count && loss->writers[loss->current].thread == thread)
		return true;
	uint32_t index = nt_index_get(&loss->by_thread, thread);
	if (index == NT_INDEX_NONE)
		return false;
	loss->current = index;
	return true;
}

/* The numbers between the newest event of the writer and `next` are missing. One that goes back is another thread of the same id. */
static void tell(const struct nt_nettrace_loss *loss, const struct nt_nettrace_writer *writer, uint32_t next, nt_time time)
{
	uint32_t missing = next - writer->sequence - 1;
	if (!missing || missing > INT32_MAX || !loss->sink->lost)
		return;
	struct nt_nettrace_lost lost = { .count = missing, .from = writer->last, .until = time };
	loss->sink->lost(loss->sink->context, &lost);
}

void nt_nettrace_loss_turn(struct nt_nettrace_loss *loss, uint64_t thread, uint32_t sequence, nt_time time)
{
	if (!find_writer(loss, thread)) {
		add_writer(loss, thread, sequence, time);
		return;
	}
	struct nt_nettrace_writer *writer = &loss->writers[loss->current];
	tell(loss, writer, sequence, time);
	writer->sequence = sequence;
	writer->last = time;
}

/* Threads that it does not name have ended: they are forgotten. */
enum nt_status nt_nettrace_loss_point(struct nt_nettrace_loss *loss, struct nt_reader *reader, nt_time time)
{
	struct nt_nettrace_loss before = *loss;
	nt_nettrace_loss_init(loss, before.sink);
	for (uint32_t left = nt_reader_u32(reader); left && !reader->bad; left--) {
		uint64_t thread = nt_reader_u64(reader);
		uint32_t sequence = nt_reader_u32(reader);
		if (reader->bad)
			break;
		nt_time last = NT_TIME_UNKNOWN;
		if (find_writer(&before, thread)) {
			last = before.writers[before.current].last;
			tell(&before, &before.writers[before.current], sequence + 1, time);
		}
		add_writer(loss, thread, sequence, last);
	}
	nt_nettrace_loss_fini(&before);
	return reader->bad ? NT_ERR_MALFORMED : NT_OK;
}
