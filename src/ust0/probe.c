// SPDX-License-Identifier: MIT
/*
 * liblttng-ust.so.0: what a module with probes of the 0-ABI is linked with.
 *
 * A file of its own, apart from liblttng-ust-tracepoint.so.0: a process with call sites but without probes does not get the threads of
 * liblttng-ust.so.1. Not exported on purpose: ltt_probe_register, by which that library recognises a 0-ABI library in its process and complains.
 */
#include "debug.h"
#include "describe.h"
#include "pin.h"
#include "ust0.h"
#include "ust1.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int lttng_probe_register(struct ust0_probe_desc *desc);
EXPORT void lttng_probe_unregister(struct ust0_probe_desc *desc);

static void *(*probe_register)(const struct ust1_probe_desc *desc);
static bool is_open;

/*
 * The other half of the bridge comes first, and into the global scope: liblttng-ust.so.1 brings liblttng-ust-tracepoint.so.1, which must find it (grace.h).
 */
static void open_ust1(void)
{
	if (!dlopen("liblttng-ust-tracepoint.so.0", RTLD_NOW | RTLD_GLOBAL))
		ust0_debug("%s", dlerror());
	is_open = ust1_open(UST1_PROBE, &(const struct ust1_function){ "lttng_ust_probe_register", &probe_register }, 1);
}

// Always 0: for anything else the provider's constructor aborts the program.
int lttng_probe_register(struct ust0_probe_desc *old)
{
	static pthread_once_t opening = PTHREAD_ONCE_INIT;
	pthread_once(&opening, open_ust1);
	const struct ust1_probe_desc *desc = is_open ? ust0_describe(old) : NULL;
	if (!desc)
		return 0;
	ust0_pin_module_of(old);
	if (!probe_register(desc))
		ust0_debug("provider %s was refused", old->provider);
	return 0;
}

// The provider is pinned, so this is its destructor at the end of the process, when liblttng-ust.so.1 may have gone.
void lttng_probe_unregister(struct ust0_probe_desc *old)
{
	(void)old;
}
