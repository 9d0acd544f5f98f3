/* SPDX-License-Identifier: GPL-2.0-only */
/* What the parts of the stand-in's libcoreclr.so share. */
#ifndef FAKECLR_RUNTIME_H
#define FAKECLR_RUNTIME_H

#include "fake.h"

#include <pthread.h>
#include <stddef.h>

enum { GENERATIONS = 5, GEN_LOH = 3, POOL_THREADS_MAX = 256, IDLE_THREADS_MAX = 4096 };

/* What the runtime's own counters say (tests/live/workload/README.md). */
struct counters {
	uint64_t collections[3]; /* of this generation or an older one */
	uint64_t pause_ns;
	uint64_t allocated_bytes;
	uint64_t method_count, il_bytes, jit_ns;
	uint64_t pool_completed_count;
	uint64_t exception_count, contention_count;
};

/* What the environment lets it raise (real-dotnet rules: a mode cannot be changed later). */
struct gates {
	bool logging; /* EnableEventLog: JIT, exceptions, locks, allocation samples, GCStart_V2 */
	bool pool;    /* and the managed listener: thread pool */
	bool gc;      /* the tracepoint GCStart was enabled at the last collection */
	bool perf_map;
};

struct heap {
	uint64_t live_bytes[GENERATIONS];
	uint64_t free_list_bytes[GENERATIONS], free_obj_bytes[GENERATIONS];
	uint64_t small_bytes, large_bytes; /* allocated since the last collection */
	uint32_t number;                   /* of the last collection */
};

/* A piece of code that was compiled. */
struct method {
	uint64_t id;
	void *start;
	size_t size;
	uint32_t flags;
	uint64_t rejit_id;
	char type[128], name[64], signature[64];
};

struct code_heap {
	uint8_t *executable, *writable; /* two mappings of one memfd */
	size_t used;
	int perf_map_fd; /* -1 = none */
	struct method *methods;
	size_t method_count, method_capacity;
	uint64_t next_id;
	unsigned lambda_count;
};

/* One command at a time for a thread; busy until it has done it. */
struct worker {
	pthread_t thread;
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	bool busy, stop;
	int tid;
};

struct compute {
	struct worker worker;
	long (*spin)(long turns);
	long long cpu_ns, wall_ns; /* what to use up; one of the two */
};

struct pool {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t threads[POOL_THREADS_MAX];
	unsigned thread_count;
	long queued, running;
	long item_ms;
	bool stop;
};

struct fake {
	struct counters counters;
	struct gates gates;
	struct heap heap;
	struct code_heap code;
	struct compute compute;
	struct pool pool;
	pthread_t idle[IDLE_THREADS_MAX];
	unsigned idle_count;
	pthread_mutex_t idle_mutex;
	pthread_cond_t idle_changed;
	bool idle_stop;
	uint64_t random;
	double next_sample_bytes; /* until the next allocation sample */
};

uint64_t fake_now_ns(void);
void fake_sleep_ns(uint64_t ns);
void fake_name_thread(const char *name);
double fake_random(struct fake *fake); /* [0, 1) */

/* code.c: generated machine code and the perf map. */
bool fake_code_init(struct fake *fake);
void fake_code_fini(struct fake *fake);
void *fake_code_add_loop(struct fake *fake, size_t *size); /* long loop(long turns), frame pointer kept */
void fake_perf_map_add(struct fake *fake, const void *start, size_t size, const char *name);

/* jit.c */
struct source {
	const char *type, *name, *event_signature, *perf_map_prefix, *perf_map_args;
	uint32_t flags; /* 8 jitted, 1 dynamic, 2 generic; the tier goes to bits 7..9 */
	uint32_t il_bytes;
};
enum tier { TIER_OPTIMIZED = 2, TIER_0 = 3, TIER_1 = 4, TIER_OSR = 5 };
typedef long (*loop_function)(long turns);
loop_function fake_jit(struct fake *fake, const struct source *source, enum tier tier);
void fake_jit_unload_all(struct fake *fake);

/* compute.c, pool.c, work.c */
void fake_compute_init(struct fake *fake);
void fake_compute_fini(struct fake *fake);
void fake_pool_fini(struct fake *fake);

#endif
