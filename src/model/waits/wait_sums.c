// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/wait_sums.h"

#include "base/alloc.h"

#include <stdlib.h>

/* When more of the rows have ended they become one. Each is another in each interval, as what it weighs in the window falls, and goes into what is kept of the past. */
enum { ENDED_PART = 16 };

void nt_wait_sums_init(struct nt_wait_sums *sums, size_t limit, bool percentiles)
{
	*sums = (struct nt_wait_sums){ .limit = limit, .percentiles = percentiles };
}

void nt_wait_sums_fini(struct nt_wait_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		free(sums->items[i].waits);
	free(sums->items);
	nt_index_fini(&sums->by_key);
	*sums = (struct nt_wait_sums){ 0 };
}

static struct nt_wait_sum *find(const struct nt_wait_sums *sums, uint32_t key)
{
	uint32_t place = nt_index_get(&sums->by_key, key);
	return place == NT_INDEX_NONE ? NULL : &sums->items[place];
}

static struct nt_wait_sum *sum_of(struct nt_wait_sums *sums, uint32_t key)
{
	struct nt_wait_sum *sum = find(sums, key);
	if (sum)
		return sum;
	if (sums->count + 1 >= sums->limit && key != NT_WAIT_SUM_OTHER)
		return sum_of(sums, NT_WAIT_SUM_OTHER);
	sums->items = nt_grow(sums->items, &sums->capacity, sums->count + 1, sizeof(*sums->items));
	nt_index_put(&sums->by_key, key, (uint32_t)sums->count);
	sum = &sums->items[sums->count++];
	*sum = (struct nt_wait_sum){ .key = key };
	return sum;
}

static void note_length(struct nt_wait_sum *sum, uint64_t ns)
{
	if (!sum->waits)
		sum->waits = nt_alloc(sizeof(*sum->waits));
	nt_histogram_add(sum->waits, ns);
}

static void merge(struct nt_wait_amount *into, const struct nt_wait_amount *from)
{
	into->interval_ns += from->interval_ns;
	into->all_ns += from->all_ns;
	into->window_ns += from->window_ns;
}

/* It becomes one of the others. The place of the last sum is its own from now on. */
static void retire(struct nt_wait_sums *sums, uint32_t key)
{
	struct nt_wait_sum *other = sum_of(sums, NT_WAIT_SUM_OTHER), *sum = find(sums, key);
	merge(&other->wait, &sum->wait);
	merge(&other->runq, &sum->runq);
	merge(&other->idle, &sum->idle);
	other->interval_count += sum->interval_count;
	other->polled_ns += sum->polled_ns;
	other->timed |= sum->timed;
	other->count += sum->count;
	other->window_count += sum->window_count;
	if (sum->max_ns > other->max_ns)
		other->max_ns = sum->max_ns;
	free(sum->waits);
	sums->ended_count -= sum->ended;
	nt_index_remove(&sums->by_key, key);
	struct nt_wait_sum *last = &sums->items[--sums->count];
	if (sum == last)
		return;
	*sum = *last;
	nt_index_put(&sums->by_key, sum->key, (uint32_t)(sum - sums->items));
}

/* The number is another thread's now: what the ended one has becomes part of the others. */
static struct nt_wait_sum *again(struct nt_wait_sums *sums, struct nt_wait_sum *sum)
{
	uint32_t key = sum->key;
	retire(sums, key);
	return sum_of(sums, key);
}

void nt_wait_sums_add(struct nt_wait_sums *sums, uint32_t key, const struct nt_wait_part *part)
{
	struct nt_wait_sum *sum = sum_of(sums, key);
	if (sum->ended)
		sum = again(sums, sum);
	sum->wait.interval_ns += part->wait_ns;
	sum->runq.interval_ns += part->runq_ns;
	sum->idle.interval_ns += part->idle_ns;
	nt_wait_longest_note(&sum->longest, part->tid, part->wait_ns);
	sum->waiting_count += part->waits;
	sum->interval_count += part->counts;
	sum->polled_ns += part->polled ? part->wait_ns : 0;
	sum->timed |= part->timed;
	if (part->longest_ns > sum->max_ns)
		sum->max_ns = part->longest_ns;
	if (sums->percentiles && part->counts && !part->polled)
		note_length(sum, part->longest_ns);
}

void nt_wait_sums_end(struct nt_wait_sums *sums, uint32_t key)
{
	struct nt_wait_sum *sum = sum_of(sums, key);
	sum->ending = sum->key == key && !sum->ended;
}

void nt_wait_sums_begin(struct nt_wait_sums *sums)
{
	for (size_t i = 0; i < sums->count; i++)
		sums->items[i].waiting_count = 0;
}

static void step(struct nt_wait_amount *amount, double decay)
{
	amount->all_ns += amount->interval_ns;
	amount->window_ns = amount->window_ns * decay + (double)amount->interval_ns;
}

void nt_wait_sums_step(struct nt_wait_sums *sums, const struct nt_span *span)
{
	for (size_t i = 0; i < sums->count; i++) {
		struct nt_wait_sum *sum = &sums->items[i];
		if (sum->wait.interval_ns)
			sum->polled = sum->polled_ns > sum->wait.interval_ns / 2;
		step(&sum->wait, span->decay);
		step(&sum->runq, span->decay);
		step(&sum->idle, span->decay);
		nt_wait_longest_step(&sum->longest);
		sum->count += sum->interval_count;
		sum->window_count = sum->window_count * span->decay + (double)sum->interval_count;
	}
}

void nt_wait_sums_next(struct nt_wait_sums *sums)
{
	bool too_many = sums->ended_count > sums->limit / ENDED_PART || sums->count + 1 >= sums->limit;
	for (size_t i = sums->count; i-- > 0;) {
		struct nt_wait_sum *sum = &sums->items[i];
		sum->shown = true;
		sums->ended_count += sum->ending;
		sum->ended |= sum->ending;
		sum->ending = false;
		sum->polled_ns = sum->interval_count = sum->wait.interval_ns = sum->runq.interval_ns = sum->idle.interval_ns = 0;
		if (sum->ended && too_many)
			retire(sums, sum->key);
	}
}
