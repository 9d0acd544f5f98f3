// SPDX-License-Identifier: GPL-2.0-only
/* CPU on one thread, in one hot method that goes through the tiers. */
#include "emit.h"

#include <time.h>
#include <unistd.h>

enum { TURNS_PER_CALL = 20000 };

static const struct source spin_source = {
	"Workload.Compute", "Spin", "unsigned int64  (unsigned int64,int32,int64)", "uint64 [fakeclr]", "uint64,int32,int64", 0, 87
};

static long long thread_cpu_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void use_up(const struct compute *compute)
{
	long long cpu_end = thread_cpu_ns() + compute->cpu_ns;
	uint64_t end = fake_now_ns() + (uint64_t)compute->wall_ns;
	while (compute->cpu_ns ? thread_cpu_ns() < cpu_end : fake_now_ns() < end)
		compute->spin(TURNS_PER_CALL);
}

static void *compute_thread(void *argument)
{
	struct compute *compute = argument;
	struct worker *worker = &compute->worker;
	fake_name_thread("compute");
	pthread_mutex_lock(&worker->mutex);
	worker->tid = gettid();
	worker->busy = false;
	pthread_cond_broadcast(&worker->changed);
	for (;;) {
		while (!worker->busy && !worker->stop)
			pthread_cond_wait(&worker->changed, &worker->mutex);
		if (worker->stop)
			break;
		pthread_mutex_unlock(&worker->mutex);
		use_up(compute);
		pthread_mutex_lock(&worker->mutex);
		worker->busy = false;
		pthread_cond_broadcast(&worker->changed);
	}
	pthread_mutex_unlock(&worker->mutex);
	return NULL;
}

static void wait_done(struct worker *worker)
{
	while (worker->busy)
		pthread_cond_wait(&worker->changed, &worker->mutex);
}

void fake_compute_init(struct fake *fake)
{
	struct worker *worker = &fake->compute.worker;
	pthread_mutex_init(&worker->mutex, NULL);
	pthread_cond_init(&worker->changed, NULL);
	worker->busy = true;
	pthread_create(&worker->thread, NULL, compute_thread, &fake->compute);
	pthread_mutex_lock(&worker->mutex);
	wait_done(worker);
	pthread_mutex_unlock(&worker->mutex);
}

void fake_compute_fini(struct fake *fake)
{
	struct worker *worker = &fake->compute.worker;
	pthread_mutex_lock(&worker->mutex);
	worker->stop = true;
	pthread_cond_broadcast(&worker->changed);
	pthread_mutex_unlock(&worker->mutex);
	pthread_join(worker->thread, NULL);
}

static void run(struct fake *fake, long wall_ms, long cpu_ms)
{
	struct worker *worker = &fake->compute.worker;
	pthread_mutex_lock(&worker->mutex);
	fake->compute.wall_ns = wall_ms * 1000000LL;
	fake->compute.cpu_ns = cpu_ms * 1000000LL;
	worker->busy = true;
	pthread_cond_broadcast(&worker->changed);
	wait_done(worker);
	pthread_mutex_unlock(&worker->mutex);
}

static void compile_tier1(struct fake *fake)
{
	if (fake->gates.logging)
		emit_background_jit(true, 1, 0);
	fake->compute.spin = fake_jit(fake, &spin_source, TIER_1);
	if (fake->gates.logging)
		emit_background_jit(false, 0, 1);
}

void fake_compute(struct fake *fake, long ms)
{
	if (!fake->compute.spin)
		compile_tier1(fake);
	run(fake, 0, ms);
}

void fake_compute_tiers(struct fake *fake, long tier0_ms, long osr_ms, long ms)
{
	fake->compute.spin = fake_jit(fake, &spin_source, TIER_0);
	run(fake, tier0_ms, 0);
	fake->compute.spin = fake_jit(fake, &spin_source, TIER_OSR);
	run(fake, osr_ms, 0);
	compile_tier1(fake);
	run(fake, 0, ms);
}

int fake_compute_tid(const struct fake *fake)
{
	return fake->compute.worker.tid;
}
