// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the CPUs are just now: a virtual machine shares its cores and caches with others, and the same work takes a third more CPU time while those are busy.
 * On each CPU a little work of always the same amount, 100 times a second, which finds its data where others have left it. For each line of input: the CPU time of one
 * such work in ns since the last line, the mean of the CPUs' medians. Of a mean, interrupts would be a part, and so would the samples of whoever watches on this machine.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_US = 10000, ROUNDS = 4000, TABLE = 1 << 13, LOOKS_MAX = 1 << 12, CPUS_MAX = 256 };

struct probe {
	int cpu;
	uint32_t table[TABLE];                /* in the first-level cache, in which others of the core are felt */
	uint32_t last;                        /* keeps the compiler from leaving the work out */
	_Atomic uint32_t looks_ns[LOOKS_MAX]; /* the last ones */
	_Atomic uint64_t count;
	uint64_t told; /* of count */
};

static uint64_t own_cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint32_t work(const uint32_t *table, uint32_t seed)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		seed = seed * 1664525u + table[seed >> 19] + 1013904223u;
		if (seed & 0x10000)
			seed ^= table[i & (TABLE - 1)];
	}
	return seed;
}

static void *repeat(void *argument)
{
	struct probe *probe = argument;
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(probe->cpu, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		return NULL; /* not one of ours */
	for (;;) {
		uint64_t before_ns = own_cpu_ns();
		probe->last = work(probe->table, 1);
		probe->looks_ns[probe->count % LOOKS_MAX] = (uint32_t)(own_cpu_ns() - before_ns);
		probe->count++;
		usleep(PAUSE_US);
	}
	return NULL;
}

static int by_size(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* 0 = it has not looked since. */
static double median_since_last(struct probe *probe)
{
	static uint32_t looks_ns[LOOKS_MAX];
	uint64_t count = probe->count;
	size_t number = count - probe->told < LOOKS_MAX ? (size_t)(count - probe->told) : LOOKS_MAX;
	for (size_t i = 0; i < number; i++)
		looks_ns[i] = probe->looks_ns[(count - 1 - i) % LOOKS_MAX];
	probe->told = count;
	qsort(looks_ns, number, sizeof(looks_ns[0]), by_size);
	return number ? (looks_ns[(number - 1) / 2] + looks_ns[number / 2]) / 2.0 : 0;
}

int main(void)
{
	static struct probe probes[CPUS_MAX];
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	cpus = cpus > CPUS_MAX ? CPUS_MAX : cpus;
	for (int i = 0; i < cpus; i++) {
		probes[i].cpu = i;
		for (uint32_t j = 0; j < TABLE; j++)
			probes[i].table[j] = j * 2654435761u;
		pthread_t thread;
		if (pthread_create(&thread, NULL, repeat, &probes[i]))
			return 1;
	}
	while (getchar() != EOF) {
		double ns = 0;
		int running = 0;
		for (int i = 0; i < cpus; i++) {
			double median = median_since_last(&probes[i]);
			ns += median;
			running += median > 0;
		}
		printf("%.1f\n", running ? ns / running : 0.0);
		fflush(stdout);
	}
	return 0;
}
