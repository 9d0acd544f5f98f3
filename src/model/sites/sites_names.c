// SPDX-License-Identifier: GPL-2.0-only
/* What the frames of an event's stack are called, and which of them people look for. */
#include "model/sites/sites_internal.h"

#include "base/alloc.h"
#include "symbol/own_code.h"

#include <string.h>

/* All frames are return addresses, the leaf's too: it has called the runtime, which said the event. One may already belong to the next function. */
static uint64_t lookup_address(uint64_t address)
{
	return address ? address - 1 : 0;
}

static bool is_named(const struct nt_key *key)
{
	return !key->reason || key->naming == NT_NAMING_BOUNDED;
}

/* A frame without a name is shown as where it is. */
static struct nt_call_frame frame_of(struct nt_sites *sites, const struct nt_key *key, uint64_t address, nt_time time)
{
	const char *name = !is_named(key) ? nt_resolver_place(sites->resolver, address, time) : key->name;
	bool native = key->kind == NT_CODE_RUNTIME || key->kind == NT_CODE_NATIVE || key->kind == NT_CODE_KERNEL;
	return (struct nt_call_frame){ .name = name, .module = key->module, .native = native };
}

static void limit(struct nt_site_stack *stack, const struct nt_resolved *resolved)
{
	if (resolved->valid_from > stack->valid_from)
		stack->valid_from = resolved->valid_from;
	if (resolved->valid_to < stack->valid_to)
		stack->valid_to = resolved->valid_to;
}

static void take(struct nt_sites *sites, struct nt_site_stack *stack, size_t frame, uint64_t address, uint32_t key)
{
	struct nt_call_frame found = frame_of(sites, nt_resolver_key(sites->resolver, key), address, stack->time);
	stack->site = (uint16_t)frame;
	stack->is.name = found.name;
	stack->is.module = found.module;
}

/*
 * The first frame of the program that has a name. A program's code that was made at run time may be gone when its name is asked for, and says nothing without one: where all of it is so,
 * and where there is none, the leaf it is, or behind what throws for others the first that does not.
 */
void nt_site_name(struct nt_sites *sites, struct nt_site_stack *stack, const uint64_t *addresses)
{
	bool behind = false; /* what to fall back on is found */
	stack->is = (struct nt_site){ 0 };
	stack->valid_from = 0;
	stack->valid_to = NT_TIME_UNKNOWN;
	stack->version = sites->version;
	for (size_t i = 0; i < stack->count; i++) {
		uint64_t address = lookup_address(addresses[i]);
		struct nt_resolved resolved = nt_resolver_resolve(sites->resolver, address, false, stack->time, 1);
		const struct nt_key *key = nt_resolver_key(sites->resolver, resolved.key);
		bool own = resolved.mapped && nt_key_is_own(key);
		if (i == 0 && !resolved.mapped)
			nt_resolver_lacks_mapping(sites->resolver);
		limit(stack, &resolved);
		stack->is.open |= resolved.provisional;
		bool place = own && is_named(key);
		bool fallback = !behind && !own && !nt_key_throws(key) && (is_named(key) || (i == 0 && key->module));
		if (i == 0 || place || fallback)
			take(sites, stack, i, address, resolved.key);
		behind |= fallback;
		if (place)
			return;
	}
}

void nt_site_name_frames(struct nt_sites *sites, struct nt_site_stack *stack)
{
	if (stack->frames && (!stack->frames_open || stack->frames_version == sites->version))
		return;
	if (!stack->frames)
		stack->frames = nt_realloc(NULL, stack->count, sizeof(*stack->frames));
	stack->frames_open = false;
	stack->frames_version = sites->version;
	for (size_t i = 0; i < stack->count; i++) {
		uint64_t address = lookup_address(stack->addresses[i]);
		struct nt_resolved resolved = nt_resolver_resolve(sites->resolver, address, false, stack->time, 1);
		stack->frames_open |= resolved.provisional;
		stack->frames[i] = frame_of(sites, nt_resolver_key(sites->resolver, resolved.key), address, stack->time);
	}
}
