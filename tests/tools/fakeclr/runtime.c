// SPDX-License-Identifier: GPL-2.0-only
/* Start and end, counters, exceptions, locks. */
#include "emit.h"

#include <dirent.h>
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

enum { CONTENTION_NS = 500000 };

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec t = { 0 };
	clock_gettime(clock, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

uint64_t fake_now_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC);
}

void fake_sleep_ns(uint64_t ns)
{
	struct timespec t = { (time_t)(ns / 1000000000), (long)(ns % 1000000000) };
	nanosleep(&t, NULL);
}

void fake_name_thread(const char *name)
{
	prctl(PR_SET_NAME, name);
}

double fake_random(struct fake *fake)
{
	fake->random ^= fake->random << 13;
	fake->random ^= fake->random >> 7;
	fake->random ^= fake->random << 17;
	return (double)(fake->random >> 11) / 9007199254740992.0;
}

static const char *setting(const char *name)
{
	char full[64];
	snprintf(full, sizeof(full), "DOTNET_%s", name);
	const char *value = getenv(full);
	return value ? value : "";
}

/* As PAL_InitializeTracing: before anything else, silent when it does not work. */
static void __attribute__((constructor)) load_provider(void)
{
	const char *wanted = getenv("DOTNET_LTTng");
	Dl_info self;
	if ((wanted && atoi(wanted) == 0) || !dladdr((void *)(uintptr_t)load_provider, &self))
		return;
	char path[4096];
	const char *slash = strrchr(self.dli_fname, '/');
	int folder = slash ? (int)(slash - self.dli_fname) : 0;
	if (snprintf(path, sizeof(path), "%.*s/libcoreclrtraceptprovider.so", folder, self.dli_fname) < (int)sizeof(path))
		dlopen(path, RTLD_NOW | RTLD_GLOBAL);
}

struct fake *fake_new(void)
{
	struct fake *fake = calloc(1, sizeof(*fake));
	if (!fake)
		abort();
	const char *filter = setting("EventSourceFilter");
	unsigned long perf_map = strtoul(setting("PerfMapEnabled"), NULL, 16);
	fake->gates.logging = strtoul(setting("EnableEventLog"), NULL, 16) != 0;
	fake->gates.pool = fake->gates.logging && strcasestr("Microsoft-Windows-DotNETRuntime", filter);
	fake->gates.perf_map = perf_map == 1 || perf_map == 3;
	fake->random = 88172645463325252;
	fake->next_sample_bytes = 50000;
	pthread_mutex_init(&fake->pool.mutex, NULL);
	pthread_cond_init(&fake->pool.changed, NULL);
	pthread_mutex_init(&fake->idle_mutex, NULL);
	pthread_cond_init(&fake->idle_changed, NULL);
	if (!fake_code_init(fake)) {
		perror("fakeclr: memory for code");
		exit(1);
	}
	fake_compute_init(fake);
	return fake;
}

void fake_free(struct fake *fake)
{
	fake_compute_fini(fake);
	fake_pool_fini(fake);
	fake_jit_unload_all(fake);
	fake_code_fini(fake);
	free(fake);
}

void fake_throw(struct fake *fake, long count)
{
	static const struct source thrower = { "Workload.Throwing", "Throw", "void  ()", "void [fakeclr]", "", 0, 12 };
	const char *ip = (const char *)(uintptr_t)fake_jit(fake, &thrower, TIER_0);
	for (long i = 0; i < count; i++) {
		char message[64];
		snprintf(message, sizeof(message), "deliberate exception %ld", i);
		if (fake->gates.logging) {
			emit_exception("Workload.DeliberateException", message, ip);
			emit_exception_catch("void [fakeclr] Workload.Throwing::Run(int32)", ip);
		}
		fake->counters.exception_count++;
	}
}

void fake_contend(struct fake *fake, long count)
{
	for (long i = 0; i < count; i++) {
		uint64_t start = fake_now_ns();
		if (fake->gates.logging)
			emit_contention_start(0x7e00000020 + (uint64_t)i % 3 * 64, 2);
		fake_sleep_ns(CONTENTION_NS);
		if (fake->gates.logging)
			emit_contention_stop((double)(fake_now_ns() - start));
		fake->counters.contention_count++;
	}
}

static void print_number(const char *name, uint64_t value)
{
	printf(",\"%s\":%" PRIu64, name, value);
}

/* The kernel's per-thread CPU clock of any thread of this process (CPUCLOCK_PERTHREAD | CPUCLOCK_SCHED). */
static uint64_t thread_cpu_ns(int tid)
{
	return clock_ns((clockid_t)((~(unsigned)tid << 3) | 6));
}

static void print_comm(int tid)
{
	char path[64], comm[64] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%d/comm", tid);
	FILE *file = fopen(path, "r");
	if (file) {
		if (!fgets(comm, sizeof(comm), file))
			comm[0] = '\0';
		fclose(file);
	}
	comm[strcspn(comm, "\n")] = '\0';
	printf("\"%s\"", comm); /* all names are our own: nothing to escape */
}

static void print_threads(void)
{
	DIR *dir = opendir("/proc/self/task");
	const char *separator = "";
	printf(",\"threads\":[");
	for (struct dirent *entry; dir && (entry = readdir(dir));) {
		int tid = atoi(entry->d_name);
		if (tid <= 0)
			continue;
		printf("%s{\"tid\":%d,\"name\":", separator, tid);
		print_comm(tid);
		printf(",\"cpu_ns\":%" PRIu64 "}", thread_cpu_ns(tid));
		separator = ",";
	}
	printf("]");
	if (dir)
		closedir(dir);
}

void fake_print_counters(struct fake *fake)
{
	const struct counters *c = &fake->counters;
	uint64_t heap_bytes = 0;
	for (unsigned g = 0; g < GENERATIONS; g++)
		heap_bytes += fake->heap.live_bytes[g] + fake->heap.free_list_bytes[g] + fake->heap.free_obj_bytes[g];
	print_number("mono_ns", fake_now_ns());
	print_number("gc0_count", c->collections[0]);
	print_number("gc1_count", c->collections[1]);
	print_number("gc2_count", c->collections[2]);
	print_number("gc_pause_ns", c->pause_ns);
	print_number("gc_heap_bytes", heap_bytes);
	print_number("alloc_bytes", c->allocated_bytes);
	print_number("jit_method_count", c->method_count);
	print_number("jit_il_bytes", c->il_bytes);
	print_number("jit_time_ns", c->jit_ns);
	pthread_mutex_lock(&fake->pool.mutex);
	print_number("pool_thread_count", fake->pool.thread_count);
	print_number("pool_pending_count", (uint64_t)fake->pool.queued);
	print_number("pool_completed_count", c->pool_completed_count);
	pthread_mutex_unlock(&fake->pool.mutex);
	print_number("exception_count", c->exception_count);
	print_number("exception_thrown_count", c->exception_count);
	print_number("contention_count", c->contention_count);
	print_number("process_cpu_ns", clock_ns(CLOCK_PROCESS_CPUTIME_ID));
	print_threads();
}
