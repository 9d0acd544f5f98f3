// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/wait_place.h"

#include "decode/names/dynamic_name.h"
#include "decode/names/wait_method.h"

#include <string.h>

static const char lock_type[] = "System.Threading.Lock";

struct nt_wait_place nt_wait_place_of(const struct nt_call_frame *frames, uint32_t count, uint32_t own)
{
	struct nt_wait_place place = { 0 };
	bool final = false;
	for (uint32_t i = 0; i < count; i++) {
		struct nt_wait_method method = nt_wait_method_of(frames[i].name);
		if (method.part == NT_WAIT_PART_LOOP) {
			place.kind = NT_WAIT_IDLE;
			place.site = i;
			place.found = true;
			return place;
		}
		bool between = !nt_dynamic_name_is_own(frames[i].name); /* a P/Invoke's stub */
		if (method.part == NT_WAIT_PART_NONE && !frames[i].native && !between) {
			place.site = own > i ? own : i;
			place.found = true;
			return place;
		}
		if (method.part == NT_WAIT_PART_NONE)
			continue;
		if (!frames[i].native)
			place.means = frames[i].name;
		if (method.kind != NT_WAIT_UNKNOWN && !final)
			place.kind = method.kind;
		final |= method.part == NT_WAIT_PART_FINAL;
	}
	return place;
}

/* Many things are waited for with these. */
static bool is_means(unsigned kind)
{
	return kind == NT_WAIT_UNKNOWN || kind == NT_WAIT_PULSE || kind == NT_WAIT_SIGNAL || kind == NT_WAIT_POLL ||
	       kind == NT_WAIT_NATIVE || kind >= NT_WAIT_COUNT;
}

enum nt_wait_kind nt_wait_place_kind(unsigned said, const struct nt_wait_place *place)
{
	if (place->kind == NT_WAIT_IDLE || (is_means(said) && place->kind != NT_WAIT_UNKNOWN))
		return place->kind;
	return said < NT_WAIT_COUNT ? (enum nt_wait_kind)said : NT_WAIT_UNKNOWN;
}

bool nt_wait_is_about(enum nt_wait_kind kind, uint64_t object, const char *what)
{
	bool is_lock = what && strcmp(what, lock_type) == 0;
	if (kind == NT_WAIT_LOCK)
		return is_lock;
	return !object || (kind == NT_WAIT_MONITOR && !is_lock);
}
