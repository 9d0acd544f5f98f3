// SPDX-License-Identifier: GPL-2.0-only
#include "model/exceptions/flights.h"

#include "base/alloc.h"

#include <stdlib.h>

enum state {
	ON_ITS_WAY,
	CAUGHT,       /* its catch block goes on */
	MAY_BE_OVER,  /* its catch block threw another, which was caught: inside of it, or outside */
	FILTER_ASKED, /* no exception: what lies above was thrown in a filter */
};

void nt_flights_fini(struct nt_flights *flights)
{
	free(flights->items);
	nt_index_fini(&flights->by_tid);
	*flights = (struct nt_flights){ .ends = flights->ends, .context = flights->context };
}

static struct nt_flight_thread *find(struct nt_flights *flights, uint32_t tid)
{
	uint32_t index = nt_index_get(&flights->by_tid, tid);
	return index == NT_INDEX_NONE ? NULL : &flights->items[index];
}

/* Threads with nothing under way have no item. */
static void remove_if_empty(struct nt_flights *flights, struct nt_flight_thread *thread)
{
	if (thread->count)
		return;
	nt_index_remove(&flights->by_tid, thread->tid);
	size_t last = --flights->count;
	if (thread == &flights->items[last])
		return;
	*thread = flights->items[last];
	nt_index_put(&flights->by_tid, thread->tid, (uint32_t)(thread - flights->items));
}

/* Forget all from `from` on; what is on its way there ends so. */
static void drop(struct nt_flights *flights, struct nt_flight_thread *thread, uint32_t from, enum nt_exception_fate fate)
{
	for (uint32_t i = from; i < thread->count; i++)
		if (thread->at[i].state == ON_ITS_WAY)
			flights->ends(flights->context, thread->at[i].number, fate);
	thread->count = from;
}

void nt_flights_forget(struct nt_flights *flights)
{
	for (size_t i = 0; i < flights->count; i++)
		drop(flights, &flights->items[i], 0, NT_FATE_UNKNOWN);
	flights->count = 0;
	nt_index_fini(&flights->by_tid);
}

static struct nt_flight_thread *thread_of(struct nt_flights *flights, uint32_t tid)
{
	struct nt_flight_thread *thread = find(flights, tid);
	if (thread)
		return thread;
	if (flights->count >= NT_FLIGHT_THREADS)
		nt_flights_forget(flights);
	flights->items = nt_grow(flights->items, &flights->capacity, flights->count + 1, sizeof(*flights->items));
	nt_index_put(&flights->by_tid, tid, (uint32_t)flights->count);
	thread = &flights->items[flights->count++];
	*thread = (struct nt_flight_thread){ .tid = tid };
	return thread;
}

static void push(struct nt_flights *flights, struct nt_flight_thread *thread, uint64_t number, enum state state)
{
	if (thread->count >= NT_FLIGHT_DEPTH)
		drop(flights, thread, 0, NT_FATE_UNKNOWN);
	thread->at[thread->count++] = (struct nt_flight){ .number = number, .state = (uint8_t)state };
}

void nt_flights_thrown(struct nt_flights *flights, uint32_t tid, uint64_t number, bool nested)
{
	struct nt_flight_thread *thread = thread_of(flights, tid);
	if (!nested)
		drop(flights, thread, 0, NT_FATE_NO_CATCH);
	push(flights, thread, number, ON_ITS_WAY);
}

static bool has(const struct nt_flight_thread *thread, enum state state)
{
	for (uint32_t i = 0; i < thread->count; i++)
		if (thread->at[i].state == state)
			return true;
	return false;
}

/* Of several of which one was caught nobody knows which. */
static uint64_t doubt(struct nt_flights *flights, struct nt_flight_thread *thread)
{
	drop(flights, thread, 0, NT_FATE_UNKNOWN);
	remove_if_empty(flights, thread);
	return 0;
}

uint64_t nt_flights_caught(struct nt_flights *flights, uint32_t tid)
{
	struct nt_flight_thread *thread = find(flights, tid);
	if (!thread)
		return 0; /* thrown before anybody told, or when that was lost */
	struct nt_flight *top = &thread->at[thread->count - 1];
	bool again = top->state == CAUGHT || top->state == MAY_BE_OVER;
	if (has(thread, FILTER_ASKED) || (top->state == MAY_BE_OVER && has(thread, ON_ITS_WAY)))
		return doubt(flights, thread);
	for (uint32_t i = 0; !again && i + 1 < thread->count; i++)
		if (thread->at[i].state == CAUGHT)
			thread->at[i].state = MAY_BE_OVER;
	top->state = CAUGHT;
	uint64_t number = top->number;
	flights->ends(flights->context, number, again ? NT_FATE_RETHROWN : NT_FATE_CAUGHT);
	return number;
}

void nt_flights_step(struct nt_flights *flights, uint32_t tid, enum nt_exception_step step)
{
	if (step == NT_EXCEPTION_FILTER_START) {
		push(flights, thread_of(flights, tid), 0, FILTER_ASKED);
		return;
	}
	struct nt_flight_thread *thread = find(flights, tid);
	if (!thread)
		return;
	uint32_t top = thread->count - 1;
	if (step == NT_EXCEPTION_CATCH_STOP && thread->at[top].state == CAUGHT)
		thread->count = top;
	while (step == NT_EXCEPTION_FILTER_STOP && top > 0 && thread->at[top].state != FILTER_ASKED)
		top--;
	if (step == NT_EXCEPTION_FILTER_STOP && thread->at[top].state == FILTER_ASKED)
		drop(flights, thread, top, NT_FATE_NO_CATCH);
	remove_if_empty(flights, thread);
}
