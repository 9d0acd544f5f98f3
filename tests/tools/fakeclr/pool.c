// SPDX-License-Identifier: GPL-2.0-only
/* A thread pool that grows by one thread at a time when it starves, and the other threads that come and go. */
#include "emit.h"

#include <stdio.h>
#include <unistd.h>

enum { POOL_THREADS_MIN = 2, REASON_WARMUP = 0, REASON_STARVATION = 6, FLAG_POOL_THREAD = 4 };

static void *pool_thread(void *argument)
{
	struct fake *fake = argument;
	struct pool *pool = &fake->pool;
	pthread_mutex_lock(&pool->mutex);
	while (!pool->stop) {
		if (!pool->queued) {
			if (fake->gates.pool)
				emit_pool_worker(POOL_WAIT, pool->thread_count);
			pthread_cond_wait(&pool->changed, &pool->mutex);
			continue;
		}
		pool->queued--;
		pool->running++;
		pthread_mutex_unlock(&pool->mutex);
		if (pool->item_ms)
			fake_sleep_ns((uint64_t)pool->item_ms * 1000000);
		pthread_mutex_lock(&pool->mutex);
		pool->running--;
		fake->counters.pool_completed_count++;
		if (!pool->queued && !pool->running)
			pthread_cond_broadcast(&pool->changed);
	}
	pthread_mutex_unlock(&pool->mutex);
	return NULL;
}

/* With the pool's mutex held. */
static void add_thread(struct fake *fake, uint32_t reason)
{
	struct pool *pool = &fake->pool;
	if (pool->thread_count == POOL_THREADS_MAX || pthread_create(&pool->threads[pool->thread_count], NULL, pool_thread, fake) != 0)
		return;
	pthread_setname_np(pool->threads[pool->thread_count++], ".NET TP Worker");
	if (fake->gates.pool) {
		emit_pool_adjustment(100.0, pool->thread_count, reason);
		emit_pool_worker(POOL_START, pool->thread_count);
	}
	if (fake->gates.logging)
		emit_thread_created(pool->thread_count, FLAG_POOL_THREAD, 0);
}

static void queue(struct fake *fake, long count, long item_ms, unsigned thread_count)
{
	struct pool *pool = &fake->pool;
	pthread_mutex_lock(&pool->mutex);
	pool->item_ms = item_ms;
	pool->queued += count;
	while (pool->thread_count < thread_count && pool->thread_count < POOL_THREADS_MAX)
		add_thread(fake, pool->thread_count < POOL_THREADS_MIN ? REASON_WARMUP : REASON_STARVATION);
	pthread_cond_broadcast(&pool->changed);
	while (pool->queued || pool->running)
		pthread_cond_wait(&pool->changed, &pool->mutex);
	pthread_mutex_unlock(&pool->mutex);
}

void fake_pool(struct fake *fake, long count)
{
	queue(fake, count, 0, POOL_THREADS_MIN);
}

void fake_starve(struct fake *fake, long count, long ms)
{
	queue(fake, count, ms, count < POOL_THREADS_MAX ? (unsigned)count : POOL_THREADS_MAX);
}

void fake_pool_fini(struct fake *fake)
{
	struct pool *pool = &fake->pool;
	pthread_mutex_lock(&pool->mutex);
	pool->stop = true;
	pthread_cond_broadcast(&pool->changed);
	pthread_mutex_unlock(&pool->mutex);
	for (unsigned i = 0; i < pool->thread_count; i++)
		pthread_join(pool->threads[i], NULL);
	fake_threads(fake, 0);
}

static void *idle_thread(void *argument)
{
	struct fake *fake = argument;
	pthread_mutex_lock(&fake->idle_mutex);
	while (!fake->idle_stop)
		pthread_cond_wait(&fake->idle_changed, &fake->idle_mutex);
	pthread_mutex_unlock(&fake->idle_mutex);
	return NULL;
}

static void end_idle_threads(struct fake *fake)
{
	pthread_mutex_lock(&fake->idle_mutex);
	fake->idle_stop = true;
	pthread_cond_broadcast(&fake->idle_changed);
	pthread_mutex_unlock(&fake->idle_mutex);
	for (unsigned i = 0; i < fake->idle_count; i++)
		pthread_join(fake->idle[i], NULL);
	fake->idle_stop = false;
	fake->idle_count = 0;
}

void fake_threads(struct fake *fake, long count)
{
	if (count < (long)fake->idle_count)
		end_idle_threads(fake);
	while ((long)fake->idle_count < count && fake->idle_count < IDLE_THREADS_MAX) {
		if (pthread_create(&fake->idle[fake->idle_count], NULL, idle_thread, fake) != 0)
			break;
		char name[16];
		snprintf(name, sizeof(name), "idle-%u", fake->idle_count);
		pthread_setname_np(fake->idle[fake->idle_count++], name);
	}
}

static void *churn_thread(void *argument)
{
	struct fake *fake = argument;
	fake_name_thread("churn");
	if (fake->gates.logging) {
		emit_thread_created(1000, 0, (uint32_t)gettid());
		emit_thread_terminated(1000);
	}
	return NULL;
}

void fake_churn(struct fake *fake, long count)
{
	pthread_t thread;
	for (long i = 0; i < count; i++)
		if (pthread_create(&thread, NULL, churn_thread, fake) == 0)
			pthread_join(thread, NULL);
}
