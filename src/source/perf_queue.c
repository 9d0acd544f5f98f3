// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf_queue.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

void nt_perf_queue_fini(struct nt_perf_queue *queue)
{
	free(queue->records);
	free(queue->bytes);
	*queue = (struct nt_perf_queue){ 0 };
}

/* Forget what has left; what has to wait moves to the front. */
static void compact(struct nt_perf_queue *queue)
{
	size_t used = 0, kept = 0;
	for (size_t i = queue->ready_count; i < queue->count; i++) {
		struct nt_perf_queued record = queue->records[i];
		/* In order of arrival, so that bytes only ever move towards the front. */
		nt_assert(record.offset >= used);
		memmove(queue->bytes + used, queue->bytes + record.offset, record.length);
		record.offset = used;
		used += record.length;
		queue->records[kept++] = record;
	}
	queue->count = kept;
	queue->byte_count = used;
	queue->next = queue->ready_count = 0;
}

void nt_perf_queue_put(struct nt_perf_queue *queue, nt_time time, unsigned list, const uint8_t *bytes, size_t length)
{
	nt_assert(queue->next == queue->ready_count);
	if (queue->ready_count)
		compact(queue);
	queue->records = nt_grow(queue->records, &queue->capacity, queue->count + 1, sizeof(*queue->records));
	queue->bytes = nt_grow(queue->bytes, &queue->byte_capacity, queue->byte_count + length, 1);
	memcpy(queue->bytes + queue->byte_count, bytes, length);
	queue->records[queue->count++] = (struct nt_perf_queued){
		.time = time, .order = queue->arrived++, .offset = queue->byte_count, .length = (uint32_t)length, .list = list
	};
	queue->byte_count += length;
}

static int by_time(const void *a, const void *b)
{
	const struct nt_perf_queued *x = a, *y = b;
	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

void nt_perf_queue_release(struct nt_perf_queue *queue, nt_time until)
{
	nt_assert(queue->next == queue->ready_count);
	if (queue->ready_count)
		compact(queue);
	/* Those that may leave to the front, the others behind them in order of arrival. */
	struct nt_perf_queued *waiting = nt_realloc(NULL, queue->count, sizeof(*waiting));
	size_t ready = 0, waits = 0;
	for (size_t i = 0; i < queue->count; i++) {
		if (queue->records[i].time <= until)
			queue->records[ready++] = queue->records[i];
		else
			waiting[waits++] = queue->records[i];
	}
	if (waits)
		memcpy(queue->records + ready, waiting, waits * sizeof(*waiting));
	free(waiting);
	if (ready)
		qsort(queue->records, ready, sizeof(*queue->records), by_time);
	queue->ready_count = ready;
}

const struct nt_perf_queued *nt_perf_queue_take(struct nt_perf_queue *queue, const uint8_t **bytes)
{
	if (queue->next == queue->ready_count)
		return NULL;
	const struct nt_perf_queued *record = &queue->records[queue->next++];
	*bytes = queue->bytes + record->offset;
	return record;
}
