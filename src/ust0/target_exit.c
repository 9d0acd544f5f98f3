// SPDX-License-Identifier: MIT
#include "target_exit.h"

#include "grace.h"
#include "mirrors.h"

#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ust0_module *modules;
static const struct ust0_functions *found_functions;
static int (*unregister_module)(struct ust1_tracepoint *const *);

static void switch_off(void)
{
	pthread_mutex_lock(&lock);
	for (struct ust0_module *module = modules; module; module = module->next) {
		unregister_module(module->tracepoints);
		ust0_functions_keep(module->place, found_functions);
	}
	modules = NULL;
	pthread_mutex_unlock(&lock);
	ust0_mirrors_copy();
	ust0_grace_wait();
}

void ust0_exit_add(struct ust0_module *module, const struct ust0_functions *functions, int (*unregister)(struct ust1_tracepoint *const *))
{
	pthread_mutex_lock(&lock);
	if (!unregister_module)
		atexit(switch_off);
	unregister_module = unregister;
	found_functions = functions;
	module->next = modules;
	modules = module;
	pthread_mutex_unlock(&lock);
}
