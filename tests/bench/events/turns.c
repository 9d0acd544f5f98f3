// SPDX-License-Identifier: GPL-2.0-only
/*
 * What an event costs the thread that emits it, for several modules that take turns in one process on one CPU: what disturbs one disturbs all, and
 * they write to the same buffers.
 *
 * usage: turns TURNS COUNT MODULE...    each turn emits COUNT events of each kind (emit.h)
 * stdout: a line for each module: the least ns of CPU time per event that a turn took, for each kind
 */
#include "emit.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MODULES_MAX = 4, KINDS = 2 };
static const char *const KIND_NAMES[KINDS] = { "emit_one_field", "emit_ten_fields" };

struct module {
	void (*emit[KINDS])(int count);
	double least_ns[KINDS];
};

static void stay_on_this_cpu(void)
{
	cpu_set_t set;
	CPU_ZERO(&set);
	CPU_SET(sched_getcpu(), &set);
	sched_setaffinity(0, sizeof(set), &set);
}

static int load(struct module *module, const char *path)
{
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	for (int kind = 0; handle && kind < KINDS; kind++) {
		void *function = dlsym(handle, KIND_NAMES[kind]);
		if (!function)
			break;
		memcpy(&module->emit[kind], &function, sizeof(function));
	}
	if (!module->emit[KINDS - 1])
		fprintf(stderr, "turns: %s\n", dlerror());
	return module->emit[KINDS - 1] ? 0 : -1;
}

static double cpu_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static void take_turn(struct module *module, int count)
{
	for (int kind = 0; kind < KINDS; kind++) {
		const double start = cpu_ns();
		module->emit[kind](count);
		const double ns = (cpu_ns() - start) / count;
		if (!module->least_ns[kind] || ns < module->least_ns[kind])
			module->least_ns[kind] = ns;
	}
}

int main(int argc, char **argv)
{
	struct module modules[MODULES_MAX] = { 0 };
	const int module_count = argc - 3;
	if (module_count < 1 || module_count > MODULES_MAX)
		return 2;
	const int turns = atoi(argv[1]), count = atoi(argv[2]);
	stay_on_this_cpu();
	for (int i = 0; i < module_count; i++)
		if (load(&modules[i], argv[i + 3]))
			return 1;
	for (int turn = 0; turn < turns; turn++)
		for (int i = 0; i < module_count; i++)
			take_turn(&modules[i], count);
	for (int i = 0; i < module_count; i++)
		printf("%.2f %.2f\n", modules[i].least_ns[0], modules[i].least_ns[1]);
	return 0;
}
