// SPDX-License-Identifier: GPL-2.0-only
#include "model/process/threads.h"

#include "base/alloc.h"

#include <stdlib.h>

size_t nt_thread_forget_methods(struct nt_thread *thread)
{
	size_t count = 0;
	for (enum nt_sample_kind kind = 0; kind < NT_SAMPLE_KINDS; kind++) {
		count += thread->samples[kind].hot != NULL;
		free(thread->samples[kind].hot);
		thread->samples[kind].hot = NULL;
	}
	return count;
}

void nt_threads_init(struct nt_threads *threads)
{
	*threads = (struct nt_threads){ 0 };
}

void nt_threads_fini(struct nt_threads *threads)
{
	for (size_t i = 0; i < threads->count; i++)
		nt_thread_forget_methods(&threads->items[i]);
	free(threads->items);
	nt_index_fini(&threads->by_tid);
	nt_hot_renames_fini(&threads->renames);
	*threads = (struct nt_threads){ 0 };
}

void nt_threads_end(struct nt_threads *threads, struct nt_thread *thread, nt_time time)
{
	thread->ended_at = time;
	threads->ended_count++;
	nt_index_remove(&threads->by_tid, thread->tid);
}

static struct nt_thread *add_thread(struct nt_threads *threads, uint32_t tid, uint64_t start_ticks)
{
	if (threads->count >= NT_THREAD_LIMIT)
		return NULL;
	threads->items = nt_grow(threads->items, &threads->capacity, threads->count + 1, sizeof(*threads->items));
	nt_index_put(&threads->by_tid, tid, (uint32_t)threads->count);
	struct nt_thread *thread = &threads->items[threads->count++];
	*thread = (struct nt_thread){
		.id = ++threads->made << 32 | tid, .tid = tid, .start_ticks = start_ticks, .ended_at = NT_TIME_UNKNOWN, .fresh = true
	};
	return thread;
}

/* The living thread of this identity, made when new; NULL when there are too many. start_ticks 0: whichever has the tid. */
static struct nt_thread *thread_of(struct nt_threads *threads, uint32_t tid, uint64_t start_ticks, nt_time time)
{
	uint32_t index = nt_index_get(&threads->by_tid, tid);
	struct nt_thread *thread = index == NT_INDEX_NONE ? NULL : &threads->items[index];
	if (thread && start_ticks && thread->start_ticks && thread->start_ticks != start_ticks) {
		nt_threads_end(threads, thread, time);
		thread = NULL;
	}
	if (!thread)
		thread = add_thread(threads, tid, start_ticks);
	if (!thread)
		return NULL;
	if (start_ticks)
		thread->start_ticks = start_ticks;
	if (time > thread->seen)
		thread->seen = time;
	return thread;
}

/* Is news about (tid, start_ticks) about another thread than the living one with this tid? Two sources may say that a thread ended. */
static bool is_of_another(const struct nt_threads *threads, const struct nt_thread *living, uint64_t start_ticks)
{
	if (!start_ticks)
		return false;
	if (living->start_ticks)
		return living->start_ticks != start_ticks;
	for (size_t i = 0; i < threads->count; i++)
		if (threads->items[i].tid == living->tid && threads->items[i].start_ticks == start_ticks)
			return true;
	return false;
}

void nt_threads_event(struct nt_threads *threads, uint32_t tid, nt_time time, const struct nt_ev_thread *event, const char *name)
{
	if (event->op == NT_THREAD_ENDED) {
		uint32_t index = nt_index_get(&threads->by_tid, tid);
		if (index != NT_INDEX_NONE && !is_of_another(threads, &threads->items[index], event->start_ticks))
			nt_threads_end(threads, &threads->items[index], time);
		return;
	}
	struct nt_thread *thread = thread_of(threads, tid, event->start_ticks, time);
	if (thread && name)
		thread->name = name;
}

void nt_threads_allocated(struct nt_threads *threads, uint32_t tid, nt_time time, uint64_t bytes)
{
	uint32_t index = nt_index_get(&threads->by_tid, tid);
	if (index == NT_INDEX_NONE)
		return;
	struct nt_thread *thread = &threads->items[index];
	/* A count that falls is of another thread, or was none. */
	if (thread->allocated.known && bytes < thread->allocated.bytes)
		thread->allocated_before.known = thread->allocated_per_s.known = false;
	thread->allocated = (struct nt_allocated_reading){ .time = time, .bytes = bytes, .known = true };
}

void nt_threads_pool_worker(struct nt_threads *threads, uint32_t tid, nt_time time, bool waits)
{
	uint32_t index = nt_index_get(&threads->by_tid, tid);
	if (index == NT_INDEX_NONE)
		return;
	threads->items[index].parked_at = waits ? time : 0;
	threads->items[index].parked.known = false;
}

/* Nobody says that a worker has got work: it shows by its CPU time. */
static void note_parked(struct nt_thread *thread, nt_time time)
{
	const struct nt_cpu_reading *newest = &thread->cpu.newest, *parked = &thread->parked;
	if (!thread->parked_at || time <= thread->parked_at)
		return;
	if (!parked->known)
		thread->parked = *newest;
	else if (newest->user_ns + newest->kernel_ns > parked->user_ns + parked->kernel_ns)
		thread->parked_at = 0;
}

void nt_threads_read(struct nt_threads *threads, uint32_t tid, nt_time time, const struct nt_ev_thread_stat *reading, const char *name)
{
	if (time > threads->newest_reading)
		threads->newest_reading = time;
	struct nt_thread *thread = thread_of(threads, tid, reading->start_ticks, time);
	if (!thread)
		return;
	if (name)
		thread->name = name;
	const struct nt_cpu_reading *before = &thread->cpu.newest;
	if (before->known && reading->user_ns + reading->kernel_ns > before->user_ns + before->kernel_ns && time > thread->ran_at)
		thread->ran_at = time;
	nt_cpu_rate_read(&thread->cpu, time, reading->user_ns, reading->kernel_ns);
	note_parked(thread, time);
	char state = reading->state > ' ' && reading->state < 127 ? (char)reading->state : 0;
	if (state != thread->state) {
		thread->state = state;
		thread->state_since = time;
	}
}

/* What is said of a thread may come after the news of its end. */
static struct nt_thread *ended_after(struct nt_threads *threads, uint32_t tid, nt_time time)
{
	if (!threads->ended_count || nt_index_get(&threads->by_tid, tid) != NT_INDEX_NONE)
		return NULL;
	for (size_t i = threads->count; i-- > 0;)
		if (threads->items[i].tid == tid && threads->items[i].ended_at >= time)
			return &threads->items[i];
	return NULL;
}

uint32_t nt_threads_sample(struct nt_threads *threads, enum nt_sample_kind kind, uint32_t tid, nt_time time, unsigned count,
			   uint64_t weight_ns)
{
	struct nt_thread *thread = ended_after(threads, tid, time);
	if (!thread)
		thread = thread_of(threads, tid, 0, time);
	if (!thread)
		return NT_THREAD_NONE;
	thread->samples[kind].interval += count;
	thread->interval_weight_ns += weight_ns;
	if (time > thread->ran_at)
		thread->ran_at = time;
	return (uint32_t)(thread - threads->items);
}

void nt_threads_sampled_in(struct nt_threads *threads, enum nt_sample_kind kind, uint32_t place, unsigned count,
			   const struct nt_key *method)
{
	if (place == NT_THREAD_NONE)
		return;
	struct nt_hot **hot = &threads->items[place].samples[kind].hot;
	if (!*hot && threads->hot_count >= NT_THREAD_HOT)
		return;
	threads->hot_count += !*hot;
	*hot = nt_hot_count(*hot, method, count);
}

void nt_threads_created(struct nt_threads *threads, uint32_t tid, nt_time time, uint32_t flags)
{
	struct nt_thread *thread = ended_after(threads, tid, time);
	uint32_t index = nt_index_get(&threads->by_tid, tid);
	if (!thread && index != NT_INDEX_NONE)
		thread = &threads->items[index];
	if (thread)
		thread->clr_flags = flags;
}

bool nt_threads_living(const struct nt_threads *threads, uint32_t tid)
{
	return nt_index_get(&threads->by_tid, tid) != NT_INDEX_NONE;
}

void nt_threads_each_text(const struct nt_threads *threads, nt_text_visit *visit, void *context)
{
	for (const struct nt_thread *thread = threads->items; thread < threads->items + threads->count; thread++) {
		visit(thread->name, context);
		for (enum nt_sample_kind kind = 0; kind < NT_SAMPLE_KINDS; kind++) {
			const struct nt_hot *hot = thread->samples[kind].hot;
			for (uint32_t i = 0; hot && i < hot->count; i++)
				visit(hot->slots[i].name, context);
		}
	}
	for (size_t i = 0; i < threads->renames.count; i++)
		visit(threads->renames.items[i].name, context);
}
