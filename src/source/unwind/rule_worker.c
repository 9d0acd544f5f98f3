// SPDX-License-Identifier: GPL-2.0-only
#include "source/unwind/rule_worker.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "source/unwind/frame_lookup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

/* New mappings between two looks of the thread; more are taken for a new address space. */
enum { CHANGED_MAX = 64 };

struct span {
	uint64_t start, end;
};

/* What was mapped anew. */
struct changes {
	struct span spans[CHANGED_MAX];
	size_t count;
};

struct nt_rule_worker {
	const struct nt_rule_worker_ops *ops;
	void *context;
	struct nt_frame_lookup *lookup; /* the thread's */
	pthread_t thread;
	_Atomic uint64_t cpu_ns;
	pthread_mutex_t lock; /* of everything below, and of what the user asks */
	pthread_cond_t came;
	struct changes changes; /* since the thread took something */
	bool stopped;
};

/* False: told to stop. */
static bool take(struct nt_rule_worker *worker, struct changes *changes)
{
	pthread_mutex_lock(&worker->lock);
	while (!worker->stopped && !worker->ops->take(worker->context))
		pthread_cond_wait(&worker->came, &worker->lock);
	bool some = !worker->stopped;
	*changes = worker->changes;
	worker->changes.count = 0;
	pthread_mutex_unlock(&worker->lock);
	return some;
}

static void *work(void *argument)
{
	struct nt_rule_worker *worker = argument;
	for (struct changes changes; take(worker, &changes);) {
		for (size_t i = 0; i < changes.count; i++)
			nt_frame_lookup_forget(worker->lookup, changes.spans[i].start, changes.spans[i].end);
		worker->ops->learn(worker->context);
		atomic_store_explicit(&worker->cpu_ns, nt_clock_thread_cpu(), memory_order_relaxed);
	}
	return NULL;
}

static void dispose(struct nt_rule_worker *worker)
{
	nt_frame_lookup_free(worker->lookup);
	pthread_cond_destroy(&worker->came);
	pthread_mutex_destroy(&worker->lock);
	free(worker);
}

struct nt_rule_worker *nt_rule_worker_new(const struct nt_target *target, const struct nt_source_config *config,
					  const struct nt_rule_worker_ops *ops, void *context, int *failed)
{
	struct nt_rule_worker *worker = nt_alloc(sizeof(*worker));
	worker->ops = ops;
	worker->context = context;
	worker->lookup = nt_frame_lookup_new(target, config);
	pthread_mutex_init(&worker->lock, NULL);
	pthread_cond_init(&worker->came, NULL);
	*failed = nt_thread_start(&worker->thread, 0, work, worker);
	if (!*failed)
		return worker;
	dispose(worker);
	return NULL;
}

void nt_rule_worker_free(struct nt_rule_worker *worker)
{
	if (!worker)
		return;
	pthread_mutex_lock(&worker->lock);
	worker->stopped = true;
	pthread_cond_signal(&worker->came);
	pthread_mutex_unlock(&worker->lock);
	nt_frame_lookup_cancel(worker->lookup);
	pthread_join(worker->thread, NULL);
	dispose(worker);
}

void nt_rule_worker_lock(struct nt_rule_worker *worker)
{
	pthread_mutex_lock(&worker->lock);
}

void nt_rule_worker_unlock(struct nt_rule_worker *worker)
{
	pthread_mutex_unlock(&worker->lock);
}

void nt_rule_worker_wake(struct nt_rule_worker *worker)
{
	pthread_cond_signal(&worker->came);
}

void nt_rule_worker_mapped(struct nt_rule_worker *worker, uint64_t start, uint64_t end)
{
	struct changes *changes = &worker->changes;
	if (changes->count == CHANGED_MAX)
		*changes = (struct changes){ .spans = { { 0, UINT64_MAX } }, .count = 1 };
	else
		changes->spans[changes->count++] = (struct span){ start, end };
}

bool nt_rule_worker_is_outdated(const struct nt_rule_worker *worker, uint64_t start, uint64_t end)
{
	for (size_t i = 0; i < worker->changes.count; i++)
		if (worker->changes.spans[i].start < end && start < worker->changes.spans[i].end)
			return true;
	return false;
}

enum nt_status nt_rule_worker_find(struct nt_rule_worker *worker, uint64_t address, uint64_t *start, uint64_t *end,
				   struct nt_frame_rule *rule)
{
	return nt_frame_lookup_find(worker->lookup, address, start, end, rule);
}

void nt_rule_worker_cost(struct nt_rule_worker *worker, struct nt_source_stats *out)
{
	out->cpu_ns += atomic_load_explicit(&worker->cpu_ns, memory_order_relaxed) + nt_frame_lookup_cpu_ns(worker->lookup);
	out->helper_cpu_ns += nt_frame_lookup_helper_cpu_ns(worker->lookup);
	out->helper_bytes += nt_frame_lookup_helper_bytes(worker->lookup);
}
