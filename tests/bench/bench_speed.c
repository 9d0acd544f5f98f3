// SPDX-License-Identifier: GPL-2.0-only
/*
 * How fast the CPUs are just now: a virtual machine shares its cores with others, and the same work takes a third more CPU time while those are busy.
 * On each CPU a little work of always the same amount, 100 times a second. For each line of input: the CPU time of one such work in ns, mean since the last line.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE_US = 10000, ROUNDS = 20000, TABLE = 1 << 13, CPUS_MAX = 256 };

struct probe {
	int cpu;
	uint32_t table[TABLE]; /* in the first-level cache, in which others of the core are felt */
	uint32_t last;         /* keeps the compiler from leaving the work out */
	_Atomic uint64_t ns, count;
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
		probe->ns += own_cpu_ns() - before_ns;
		probe->count++;
		usleep(PAUSE_US);
	}
	return NULL;
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
	uint64_t ns_before = 0, count_before = 0;
	while (getchar() != EOF) {
		uint64_t ns = 0, count = 0;
		for (int i = 0; i < cpus; i++) {
			ns += probes[i].ns;
			count += probes[i].count;
		}
		printf("%.1f\n", count > count_before ? (double)(ns - ns_before) / (double)(count - count_before) : 0.0);
		fflush(stdout);
		ns_before = ns;
		count_before = count;
	}
	return 0;
}
