// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_queue.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

void nt_perf_queue_fini(struct nt_perf_queue *queue)
{
	free(queue->records);
	free(queue->spare);
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

static bool is_before(const struct nt_perf_queued *x, const struct nt_perf_queued *y)
{
	return x->time != y->time ? x->time < y->time : x->order < y->order;
}

/* How many records from `first` on are in order. */
static size_t run_length(const struct nt_perf_queued *records, size_t first, size_t count)
{
	size_t end = first < count ? first + 1 : first;
	while (end > first && end < count && !is_before(&records[end], &records[end - 1]))
		end++;
	return end - first;
}

static void merge(const struct nt_perf_queued *a, size_t a_count, const struct nt_perf_queued *b, size_t b_count, struct nt_perf_queued *to)
{
	while (a_count || b_count) {
		bool from_b = !a_count || (b_count && is_before(b, a));
		*to++ = from_b ? *b++ : *a++;
		a_count -= !from_b;
		b_count -= from_b;
	}
}

/* By time. Each ring's records are nearly in order, so there are few runs to merge: mostly as many as rings. */
static void sort(struct nt_perf_queued *records, struct nt_perf_queued *spare, size_t count)
{
	while (run_length(records, 0, count) < count) {
		for (size_t at = 0; at < count;) {
			size_t a_count = run_length(records, at, count), b_count = run_length(records, at + a_count, count);
			merge(records + at, a_count, records + at + a_count, b_count, spare + at);
			at += a_count + b_count;
		}
		memcpy(records, spare, count * sizeof(*records));
	}
}

void nt_perf_queue_release(struct nt_perf_queue *queue, nt_time until)
{
	nt_assert(queue->next == queue->ready_count);
	if (queue->ready_count)
		compact(queue);
	/* Those that may leave to the front, the others behind them in order of arrival. */
	struct nt_perf_queued *spare = queue->spare = nt_grow(queue->spare, &queue->spare_capacity, queue->count, sizeof(*spare));
	size_t ready = 0, waits = 0;
	for (size_t i = 0; i < queue->count; i++) {
		if (queue->records[i].time <= until)
			queue->records[ready++] = queue->records[i];
		else
			spare[waits++] = queue->records[i];
	}
	if (waits)
		memcpy(queue->records + ready, spare, waits * sizeof(*spare));
	sort(queue->records, spare, ready);
	queue->ready_count = ready;
}

unsigned nt_perf_queue_part(const struct nt_perf_queue *queue, unsigned most)
{
	size_t takes = queue->ready_count - queue->next + 1, parts = (takes + most - 1) / most;
	return (unsigned)((takes + parts - 1) / parts);
}

/* All that may leave has left. The room of a burst goes when a round has needed little of it: at a high rate every round needs it. */
static void rest(struct nt_perf_queue *queue)
{
	if (!queue->count || queue->ready_count < queue->count)
		return;
	queue->records = nt_shrink(queue->records, &queue->capacity, queue->count, sizeof(*queue->records));
	queue->spare = nt_shrink(queue->spare, &queue->spare_capacity, queue->count, sizeof(*queue->spare));
	queue->bytes = nt_shrink(queue->bytes, &queue->byte_capacity, queue->byte_count, 1);
	queue->count = queue->byte_count = queue->next = queue->ready_count = 0;
}

const struct nt_perf_queued *nt_perf_queue_take(struct nt_perf_queue *queue, const uint8_t **bytes)
{
	if (queue->next == queue->ready_count) {
		rest(queue);
		return NULL;
	}
	const struct nt_perf_queued *record = &queue->records[queue->next++];
	*bytes = queue->bytes + record->offset;
	return record;
}
