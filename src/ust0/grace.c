// SPDX-License-Identifier: MIT
#include "grace.h"

#include "mirrors.h"
#include "ust1.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

#define SYNCHRONIZE "lttng_ust_urcu_synchronize_rcu"

void lttng_ust_urcu_synchronize_rcu(void);

static void (*synchronize)(void);
static unsigned long count;

/*
 * Looked up before anybody can be bound to ours: later, a caller may hold locks that the dynamic linker's lock must not come after. Of the 1-ABI's libraries
 * only this one may be loaded here, as the bridge is not in the global scope before its constructors have run.
 */
__attribute__((constructor)) static void find_synchronize(void)
{
	ust1_open(UST1_COMMON, &(const struct ust1_function){ SYNCHRONIZE, &synchronize }, 1);
}

void ust0_grace_wait(void)
{
	if (synchronize)
		synchronize();
}

unsigned long ust0_grace_count(void)
{
	return __atomic_load_n(&count, __ATOMIC_RELAXED);
}

/*
 * What the caller would have found without the bridge, when liblttng-ust-common.so.1 is not there: it is of a future soname that kept the name. Not
 * RTLD_NEXT, which knows nothing of libraries that were loaded for themselves.
 */
static void *own_of_caller(const void *caller)
{
	Dl_info module;
	struct link_map *map;
	if (!dladdr1(caller, &module, (void **)&map, RTLD_DL_LINKMAP))
		return NULL;
	void *library = dlopen(map->l_name, RTLD_NOW | RTLD_NOLOAD);
	return library ? dlsym(library, SYNCHRONIZE) : NULL;
}

__attribute__((visibility("default"))) void lttng_ust_urcu_synchronize_rcu(void)
{
	__atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
	ust0_mirrors_copy();
	if (synchronize) {
		synchronize();
		return;
	}
	void *own = own_of_caller(__builtin_return_address(0));
	void (*function)(void) = NULL;
	memcpy(&function, &own, sizeof(own));
	if (function && function != lttng_ust_urcu_synchronize_rcu)
		function();
}
