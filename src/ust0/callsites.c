// SPDX-License-Identifier: MIT
#include "callsites.h"

#include "debug.h"
#include "forever.h"
#include "mirrors.h"

#include <stdlib.h>
#include <string.h>

enum {
	STRIDE_MIN = sizeof(struct ust0_tracepoint), // clang; gcc aligns such objects to 32 bytes and leaves a gap
	STRIDE_MAX = 64,
};

/*
 * Never passed on, whoever enables them: LTTng does not learn of these call sites, so their state stays off. The runtime hands over the message of an exception,
 * which is null for `new Exception()`, and measures it first: an enabled one ends the program (genLttngProvider.py, all versions up to .NET 10). The events
 * stay described and listed. nettop knows by this very text that a bridge is harmless (src/target/process/exception_gate.c).
 */
static const char withheld[] = "DotNETRuntime:ExceptionThrown";

#define EARLIER_BY offsetof(struct ust1_tracepoint, event_name)
UST1_LAYOUT(offsetof(struct ust1_tracepoint, state) - EARLIER_BY == offsetof(struct ust0_tracepoint, state));
UST1_LAYOUT(offsetof(struct ust1_tracepoint, probes) - EARLIER_BY == offsetof(struct ust0_tracepoint, probes));
UST1_LAYOUT(offsetof(struct ust1_tracepoint, provider_ref) - EARLIER_BY == offsetof(struct ust0_tracepoint, provider_ref));
UST1_LAYOUT(offsetof(struct ust1_tracepoint, signature) - EARLIER_BY == offsetof(struct ust0_tracepoint, signature));
UST1_LAYOUT(EARLIER_BY == sizeof(((struct ust0_tracepoint *)0)->reserved));

bool ust0_callsite_can_alias(const struct ust0_tracepoint *before, const struct ust0_tracepoint *site)
{
	const uintptr_t distance = (uintptr_t)site - (uintptr_t)before;
	return before && distance >= STRIDE_MIN && distance <= STRIDE_MAX && distance % sizeof(void *) == 0;
}

static int by_address(const void *a, const void *b)
{
	const uintptr_t left = *(const uintptr_t *)a, right = *(const uintptr_t *)b;
	return (left > right) - (left < right);
}

// "provider" of "provider:event"; NULL when there is no such name or no memory. Call sites of one provider lie together: the last copy is tried first.
static const char *provider_of(const char *name, const char *last)
{
	const char *colon = name ? strchr(name, ':') : NULL;
	if (!colon)
		return NULL;
	const size_t length = (size_t)(colon - name);
	if (last && !strncmp(last, name, length) && !last[length])
		return last;
	char *copy = ust0_forever(length + 1);
	return copy ? memcpy(copy, name, length) : NULL;
}

static bool is_withheld(const struct ust0_tracepoint *site)
{
	return site->name && !strncmp(site->name, withheld, sizeof(withheld) - 1);
}

static struct ust1_tracepoint *alias(struct ust0_tracepoint *site, const char *provider, const char *event)
{
	struct ust1_tracepoint *tracepoint = (struct ust1_tracepoint *)((char *)site - EARLIER_BY);
	tracepoint->struct_size = sizeof(*tracepoint);
	tracepoint->provider_name = provider;
	tracepoint->event_name = event;
	return tracepoint;
}

static void adopt_sorted(struct ust0_module *module, struct ust0_tracepoint *const *sorted)
{
	const char *last_provider = NULL;
	int mirrored = 0;
	for (int i = 0; i < module->count; i++) {
		struct ust0_tracepoint *site = sorted[i];
		const char *provider = site && !is_withheld(site) ? provider_of(site->name, last_provider) : NULL;
		if (!provider)
			continue;
		last_provider = provider;
		const char *event = site->name + strlen(provider) + 1;
		if (ust0_callsite_can_alias(i ? sorted[i - 1] : NULL, site)) {
			module->tracepoints[i] = alias(site, provider, event);
		} else {
			module->tracepoints[i] = ust0_mirror_new(site, provider, event);
			mirrored++;
		}
	}
	ust0_debug("%d call sites, %d of them mirrored", module->count, mirrored);
}

struct ust0_module *ust0_callsites_adopt(struct ust0_tracepoint *const *sites, int count)
{
	if (count <= 0)
		return NULL;
	const size_t size = (size_t)count * sizeof(*sites);
	struct ust0_module *module = ust0_forever(sizeof(*module));
	struct ust1_tracepoint **tracepoints = ust0_forever(size);
	struct ust0_tracepoint **sorted = malloc(size);
	if (!module || !tracepoints || !sorted) {
		free(sorted);
		return NULL;
	}
	memcpy(sorted, sites, size);
	qsort(sorted, (size_t)count, sizeof(*sorted), by_address);
	*module = (struct ust0_module){ .tracepoints = tracepoints, .count = count };
	adopt_sorted(module, sorted);
	free(sorted);
	return module;
}
