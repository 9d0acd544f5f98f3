// SPDX-License-Identifier: MIT
/*
 * Old call sites as new ones, in place.
 *
 * From `state` on, a call site of the 0-ABI at X is one of the 1-ABI at X - 16:
 *
 *     0-ABI                      name@0        state@8   probes@16  ref@24  signature@32  reserved@40..55
 *     1-ABI   size@-16 provider@-8  event@0    state@8   probes@16  ref@24  signature@32
 *
 * So liblttng-ust-tracepoint.so.1 itself switches the old `state` and publishes `probes`, under its own RCU; nobody has to be told. `event` takes
 * the place of the old name (only the library reads it), size and provider fall into the reserved bytes of the call site before.
 *
 * The first call site of a section has none before it. It, and any that lies oddly, gets a structure of its own (mirrors.h).
 */
#ifndef UST0_CALLSITES_H
#define UST0_CALLSITES_H

#include "ust0.h"
#include "ust1.h"

#include <stdbool.h>

// The call sites of one module, for liblttng-ust-tracepoint.so.1. Kept for ever, as that library keeps the array.
struct ust0_module {
	struct ust1_tracepoint **tracepoints; // some may be NULL, which the library skips
	int count;
	const void *place; // in the module itself
	struct ust0_module *next;
};

// Whether `site` can be seen as a call site of the 1-ABI in place, with `before` the nearest one at a lower address (NULL: none).
bool ust0_callsite_can_alias(const struct ust0_tracepoint *before, const struct ust0_tracepoint *site);

/*
 * Turns the call sites of a module into those of the 1-ABI; they are written to. Those that cannot be aliased are given to ust0_mirror_new(). Names that are not
 * "provider:event" are left alone. NULL when out of memory; nothing is changed then.
 */
struct ust0_module *ust0_callsites_adopt(struct ust0_tracepoint *const *sites, int count);

#endif
