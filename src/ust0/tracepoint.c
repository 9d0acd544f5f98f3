// SPDX-License-Identifier: MIT
/*
 * liblttng-ust-tracepoint.so.0: what an instrumented module of the 0-ABI looks up by dlsym() when it is loaded.
 *
 * Not exported on purpose: tracepoint_unregister_lib, by which liblttng-ust.so.1 recognises a 0-ABI library in its process and complains. So modules are
 * pinned instead of unregistered. Programs check for the absence of the function.
 */
#include "callsites.h"
#include "debug.h"
#include "target_exit.h"
#include "grace.h"
#include "mirrors.h"
#include "pin.h"
#include "readers.h"
#include "ust0.h"
#include "ust1.h"

#include <pthread.h>
#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int tracepoint_register_lib(struct ust0_tracepoint *const *sites, int count);
EXPORT void *tp_rcu_dereference_sym_bp(void *pointer);
EXPORT void tp_rcu_read_lock_bp(void); // these two: readers.c
EXPORT void tp_rcu_read_unlock_bp(void);
EXPORT int tp_get_destructors_state(void);
EXPORT void tp_disable_destructors(void);
EXPORT extern int __tracepoints__disable_destructors;

static void nothing(void)
{
}

static struct {
	int (*module_register)(struct ust1_tracepoint *const *tracepoints, int count);
	int (*module_unregister)(struct ust1_tracepoint *const *tracepoints);
	int (*provider_register)(const char *provider, const char *event, void (*func)(void), void *data, const char *signature);
	int (*provider_unregister)(const char *provider, const char *event, void (*func)(void), void *data);
	void (*read_lock)(void);
	void (*read_unlock)(void);
} ust1;

static pthread_once_t opening = PTHREAD_ONCE_INIT;
static bool is_open;
static bool must_copy_states; // at each event, because grace periods are not announced

/*
 * A probe, connected and taken away, makes the library wait for a grace period. Not announced, it was bound to its own function before the bridge
 * was there: liblttng-ust.so.1 is preloaded, or the program itself is linked with it.
 */
static bool are_grace_periods_announced(void)
{
	const unsigned long before = ust0_grace_count();
	if (ust1.provider_register("nettop_ust0", "trial", nothing, NULL, "") == 0)
		ust1.provider_unregister("nettop_ust0", "trial", nothing, NULL);
	return ust0_grace_count() != before;
}

static void lock_and_copy_states(void)
{
	ust1.read_lock();
	ust0_mirrors_copy_states();
}

static void open_ust1(void)
{
	const struct ust1_function functions[] = {
		{ "lttng_ust_tracepoint_module_register", &ust1.module_register },
		{ "lttng_ust_tracepoint_module_unregister", &ust1.module_unregister },
		{ "lttng_ust_tracepoint_provider_register", &ust1.provider_register },
		{ "lttng_ust_tracepoint_provider_unregister", &ust1.provider_unregister },
		{ "lttng_ust_tp_rcu_read_lock", &ust1.read_lock },
		{ "lttng_ust_tp_rcu_read_unlock", &ust1.read_unlock },
	};
	is_open = ust1_open(UST1_TRACEPOINT, functions, sizeof(functions) / sizeof(*functions));
	if (!is_open)
		return;
	must_copy_states = !are_grace_periods_announced();
	if (must_copy_states) {
		ust0_debug("%s was here first: mirrored call sites only show their state", UST1_TRACEPOINT);
		ust0_readers_call(lock_and_copy_states, ust1.read_unlock);
	} else {
		ust0_readers_call(ust1.read_lock, ust1.read_unlock);
		ust0_readers_inline();
	}
}

// As a module finds them, tracepoint_unregister_lib not.
static const struct ust0_functions functions = { .register_lib = (void (*)(void))tracepoint_register_lib,
						 .read_lock = tp_rcu_read_lock_bp,
						 .read_unlock = tp_rcu_read_unlock_bp,
						 .dereference = (void (*)(void))tp_rcu_dereference_sym_bp };

int tracepoint_register_lib(struct ust0_tracepoint *const *sites, int count)
{
	pthread_once(&opening, open_ust1);
	if (!is_open)
		return 0;
	struct ust0_module *module = ust0_callsites_adopt(sites, count);
	if (!module)
		return 0;
	ust0_pin_module_of(sites);
	ust1.module_register(module->tracepoints, module->count);
	if (!must_copy_states)
		ust0_mirrors_copy(); // what was enabled before the call site was there
	module->place = sites;
	ust0_exit_add(module, &functions, ust1.module_unregister);
	return 0;
}

void *tp_rcu_dereference_sym_bp(void *pointer)
{
	return pointer;
}

// To programs that ask (lttng-ust 2.10 and later, not .NET): do not tear anything down, the process is at its end.
int __tracepoints__disable_destructors = 1;

int tp_get_destructors_state(void)
{
	return 0;
}

void tp_disable_destructors(void)
{
}
