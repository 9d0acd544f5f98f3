// SPDX-License-Identifier: GPL-2.0-only
/* Collections that move nothing, with the runtime's sequence of events, its gates, and sizes that add up. */
#include "emit.h"

enum { REASON_SMALL = 0, REASON_INDUCED = 1, SUSPEND_FOR_GC = 1, SUSPEND_FOR_GC_PREP = 6, TYPE_BLOCKING = 0, TYPE_BACKGROUND = 1 };
enum { SAMPLE_MEAN_BYTES = 102400, BUDGET_BYTES = 8 << 20, OBJECT_BYTES = 1024, LARGE_OBJECT_BYTES = 200 << 10 };

static const uint64_t pause_ns[] = { 1000000, 2500000, 8000000 };

static void start_pause(struct fake *fake, uint32_t reason, uint64_t *begin)
{
	*begin = fake_now_ns();
	emit_suspend_begin(reason, fake->heap.number);
	emit_suspend_end();
}

static void end_pause(struct fake *fake, uint64_t begin)
{
	fake->counters.pause_ns += fake_now_ns() - begin;
	emit_restart_begin();
	emit_restart_end();
}

/* GCStart goes out before the gates are looked at again, the rest after it: as in the runtime. */
static void raise_start(struct fake *fake, uint32_t generation, uint32_t reason, uint32_t type)
{
	fake->heap.number++;
	if (fake->gates.logging)
		emit_gc_start(fake->heap.number, generation, reason, type);
	fake->gates.gc = emit_gc_wanted();
}

static void raise_end(const struct fake *fake, uint32_t number, uint32_t generation)
{
	if (!fake->gates.gc)
		return;
	emit_gc_end(number, generation);
}

static void raise_histories(const struct fake *fake, const struct heap *before, uint32_t generation, uint32_t reason, bool background)
{
	if (!fake->gates.gc)
		return;
	emit_global_history(generation, reason, background);
	emit_heap_history(before, &fake->heap);
	emit_heap_stats(&fake->heap);
}

/* New objects are found in generation 0 and LOH; what survives a quarter goes one generation up. */
static struct heap account(struct fake *fake, unsigned generation)
{
	struct heap *heap = &fake->heap;
	heap->live_bytes[0] += heap->small_bytes;
	heap->live_bytes[GEN_LOH] += heap->large_bytes;
	heap->small_bytes = heap->large_bytes = 0;
	struct heap before = *heap;
	for (unsigned g = generation + 1; g-- > 0;) {
		uint64_t survived = heap->live_bytes[g] / 4;
		heap->live_bytes[g] = 0;
		heap->live_bytes[g < 2 ? g + 1 : 2] += survived;
	}
	if (generation == 2)
		heap->live_bytes[GEN_LOH] /= 4;
	heap->live_bytes[4] = 8184;
	for (unsigned g = 0; g < GENERATIONS; g++) {
		heap->free_list_bytes[g] = heap->live_bytes[g] / 8;
		heap->free_obj_bytes[g] = heap->live_bytes[g] / 100;
	}
	return before;
}

static void count(struct fake *fake, unsigned generation)
{
	for (unsigned g = 0; g <= generation; g++)
		fake->counters.collections[g]++;
}

static void collect(struct fake *fake, unsigned generation, uint32_t reason)
{
	uint64_t begin;
	if (reason == REASON_INDUCED && fake->gates.gc)
		emit_gc_triggered(reason);
	start_pause(fake, SUSPEND_FOR_GC, &begin);
	raise_start(fake, generation, reason, TYPE_BLOCKING);
	fake_sleep_ns(pause_ns[generation]);
	struct heap before = account(fake, generation);
	raise_end(fake, fake->heap.number, generation);
	raise_histories(fake, &before, generation, reason, false);
	end_pause(fake, begin);
	count(fake, generation);
}

void fake_collect(struct fake *fake, unsigned generation)
{
	collect(fake, generation < 3 ? generation : 2, REASON_INDUCED);
}

static void *background_thread(void *argument)
{
	struct fake *fake = argument;
	uint64_t begin;
	fake_name_thread(".NET BGC");
	uint32_t number = fake->heap.number;
	fake_sleep_ns(5000000); /* marks concurrently */
	start_pause(fake, SUSPEND_FOR_GC_PREP, &begin);
	fake_sleep_ns(pause_ns[0]);
	end_pause(fake, begin);
	fake_sleep_ns(5000000); /* sweeps concurrently */
	struct heap before = account(fake, 2);
	raise_end(fake, number, 2);
	raise_histories(fake, &before, 2, REASON_INDUCED, true);
	return NULL;
}

void fake_collect_background(struct fake *fake)
{
	uint64_t begin;
	pthread_t thread;
	start_pause(fake, SUSPEND_FOR_GC, &begin);
	raise_start(fake, 2, REASON_INDUCED, TYPE_BACKGROUND);
	fake_sleep_ns(pause_ns[0]);
	end_pause(fake, begin);
	if (pthread_create(&thread, NULL, background_thread, fake) == 0)
		pthread_join(thread, NULL);
	count(fake, 2);
}

/* The runtime samples each object with a chance of 1 - (1 - 1/102400)^bytes: exponential gaps between samples. */
static void sample(struct fake *fake, uint64_t object_bytes, bool large)
{
	fake->next_sample_bytes -= (double)object_bytes;
	if (fake->next_sample_bytes > 0)
		return;
	if (fake->gates.logging)
		emit_allocation_sampled(large, large ? "System.Byte[]" : "Workload.Node", object_bytes);
	/* -ln(u) by halving: no libm for one logarithm. */
	double u = 1.0 - fake_random(fake), gap = 0;
	for (; u < 0.5; u *= 2)
		gap += 0.69314718055994531;
	double t = (u - 1) / (u + 1), square = t * t;
	gap -= 2 * t * (1 + square * (1.0 / 3 + square * (1.0 / 5 + square * (1.0 / 7 + square / 9))));
	fake->next_sample_bytes = gap * SAMPLE_MEAN_BYTES;
}

void fake_allocate(struct fake *fake, long mb, bool large)
{
	static const struct source allocate = { "Workload.Memory", "Allocate", "void  (int64)", "void [fakeclr]", "int64", 0, 41 };
	uint64_t bytes = (uint64_t)mb << 20, object = large ? LARGE_OBJECT_BYTES : OBJECT_BYTES;
	loop_function spin = fake_jit(fake, &allocate, TIER_OPTIMIZED);
	for (uint64_t done = 0; done < bytes; done += object) {
		sample(fake, object, large);
		*(large ? &fake->heap.large_bytes : &fake->heap.small_bytes) += object;
		fake->counters.allocated_bytes += object;
		if (done % (1 << 20) < object)
			spin(1000000);
		if (fake->heap.small_bytes + fake->heap.large_bytes >= BUDGET_BYTES)
			collect(fake, fake->heap.number % 32 == 31 ? 2 : fake->heap.number % 8 == 7 ? 1 : 0, REASON_SMALL);
	}
}

void fake_flood(struct fake *fake, long count)
{
	for (long i = 0; i < count && fake->gates.logging; i++)
		emit_allocation_sampled(0, "Workload.Flood", OBJECT_BYTES);
}
