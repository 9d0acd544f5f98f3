// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/nettrace_order.h"

#include "base/alloc.h"
#include "nettop/event.h"

#include <stdlib.h>

/* Events for which the memory of a flood is kept when it is over. */
enum { KEPT_MAX = 1 << 12 };

void nt_nettrace_order_init(struct nt_nettrace_order *order, const struct nt_nettrace_sink *sink, struct nt_nettrace_blocks *memory)
{
	*order = (struct nt_nettrace_order){ .sink = sink, .memory = memory };
}

void nt_nettrace_order_fini(struct nt_nettrace_order *order)
{
	nt_nettrace_blocks_give(order->memory, order->blocks);
	free(order->waiting);
	free(order->runs);
}

static bool goes_before(const struct nt_nettrace_order *order, const struct nt_nettrace_run *a, const struct nt_nettrace_run *b)
{
	nt_time time_a = order->waiting[a->next].time, time_b = order->waiting[b->next].time;
	return time_a != time_b ? time_a < time_b : a->number < b->number;
}

static void swap(struct nt_nettrace_run *a, struct nt_nettrace_run *b)
{
	struct nt_nettrace_run held = *a;
	*a = *b;
	*b = held;
}

/* The run that has grown until now goes among the others. */
static void close_run(struct nt_nettrace_order *order)
{
	if (order->open == order->count)
		return;
	order->runs = nt_grow(order->runs, &order->run_capacity, order->run_count + 1, sizeof(*order->runs));
	struct nt_nettrace_run *runs = order->runs;
	size_t at = order->run_count++;
	runs[at] = (struct nt_nettrace_run){ order->open, order->count, order->next_number++ };
	for (; at && goes_before(order, &runs[at], &runs[(at - 1) / 2]); at = (at - 1) / 2)
		swap(&runs[at], &runs[(at - 1) / 2]);
	order->open = order->count;
}

static void sift_down(struct nt_nettrace_order *order)
{
	struct nt_nettrace_run *runs = order->runs;
	for (size_t at = 0, child; (child = 2 * at + 1) < order->run_count; at = child) {
		if (child + 1 < order->run_count && goes_before(order, &runs[child + 1], &runs[child]))
			child++;
		if (!goes_before(order, &runs[child], &runs[at]))
			return;
		swap(&runs[child], &runs[at]);
	}
}

/* The run that comes after the one on top; NULL = it is alone. */
static const struct nt_nettrace_run *second(const struct nt_nettrace_order *order)
{
	const struct nt_nettrace_run *runs = order->runs;
	if (order->run_count < 2)
		return NULL;
	return order->run_count > 2 && goes_before(order, &runs[2], &runs[1]) ? &runs[2] : &runs[1];
}

/* Deliver from the run on top as long as its events are the oldest. False: what is left is newer than `until`. */
static bool deliver_top(struct nt_nettrace_order *order, nt_time until)
{
	struct nt_nettrace_run *top = &order->runs[0];
	const struct nt_nettrace_run *next = second(order);
	size_t first = top->next;
	while (top->next < top->end && order->waiting[top->next].time <= until && (!next || goes_before(order, top, next)))
		order->sink->event(order->sink->context, &order->waiting[top->next++]);
	order->delivered += top->next - first;
	if (top->next == first)
		return false;
	if (top->next == top->end)
		*top = order->runs[--order->run_count];
	sift_down(order);
	return true;
}

/* Nothing waits: start over. */
static void empty(struct nt_nettrace_order *order)
{
	nt_nettrace_blocks_give(order->memory, order->blocks);
	order->blocks = NULL;
	order->block_bytes = 0;
	order->count = order->delivered = order->open = 0;
}

void nt_nettrace_order_release(struct nt_nettrace_order *order, nt_time until)
{
	close_run(order);
	while (order->run_count && deliver_top(order, until))
		;
	if (!order->run_count)
		empty(order);
}

static bool continues_run(const struct nt_nettrace_order *order, nt_time time)
{
	return order->count > order->open && time >= order->waiting[order->count - 1].time;
}

/* Apart, because most events go on with a run and find room. */
static __attribute__((noinline)) struct nt_nettrace_event *add_first(struct nt_nettrace_order *order, nt_time time, bool oldest)
{
	if (oldest)
		nt_nettrace_order_release(order, time);
	if (!continues_run(order, time))
		close_run(order);
	order->waiting = nt_grow(order->waiting, &order->capacity, order->count + 1, sizeof(*order->waiting));
	return &order->waiting[order->count++];
}

struct nt_nettrace_event *nt_nettrace_order_add(struct nt_nettrace_order *order, nt_time time, bool oldest)
{
	if (oldest || order->count == order->capacity || !continues_run(order, time))
		return add_first(order, time, oldest);
	return &order->waiting[order->count++];
}

void nt_nettrace_order_keep(struct nt_nettrace_order *order, struct nt_nettrace_block *take)
{
	take->next = order->blocks;
	order->blocks = take;
	order->block_bytes += take->capacity;
}

void nt_nettrace_order_trim(struct nt_nettrace_order *order)
{
	if (order->count || order->capacity <= KEPT_MAX)
		return;
	free(order->waiting);
	order->waiting = NULL;
	order->capacity = 0;
	free(order->runs);
	order->runs = NULL;
	order->run_capacity = 0;
}

static size_t bytes_of(const struct nt_nettrace_order *order, size_t capacity)
{
	return order->block_bytes + order->run_capacity * sizeof(*order->runs) +
	       capacity * (sizeof(*order->waiting) + sizeof(struct nt_event));
}

size_t nt_nettrace_order_bytes(const struct nt_nettrace_order *order)
{
	return bytes_of(order, order->capacity);
}

size_t nt_nettrace_order_bytes_grown(const struct nt_nettrace_order *order)
{
	return bytes_of(order, 2 * order->capacity);
}

size_t nt_nettrace_order_waiting(const struct nt_nettrace_order *order)
{
	return order->count - order->delivered;
}
