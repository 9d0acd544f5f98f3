// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/frames.h"

#include <string.h>

#define CONTEXT_MARKERS (~UINT64_C(0) - 4095) /* PERF_CONTEXT_MAX and above */

bool nt_frames_is_marker(uint64_t address)
{
	return address >= CONTEXT_MARKERS;
}

uint64_t nt_frames_address(const struct nt_chain *chain, size_t index)
{
	uint64_t address = chain->addresses[index];
	return index == 0 || index == chain->kernel_count || !address ? address : address - 1;
}

struct nt_resolved nt_frames_resolve(const struct nt_frames *frames, const struct nt_chain *chain, size_t index, nt_time time,
				     uint64_t weight)
{
	return nt_resolver_resolve(frames->resolver, nt_frames_address(chain, index), index < chain->kernel_count, time, weight);
}

uint32_t nt_frames_path(const struct nt_frames *frames, const struct nt_chain *chain, nt_time time, nt_frame path[NT_STACK_DEPTH])
{
	uint32_t depth = 0;
	size_t leaf = 0;
	while (leaf < chain->count && nt_frames_is_marker(chain->addresses[leaf]))
		leaf++;
	size_t end = chain->count - leaf > NT_STACK_DEPTH ? leaf + NT_STACK_DEPTH : chain->count;
	for (size_t i = end; i-- > leaf;) {
		if (nt_frames_is_marker(chain->addresses[i]))
			continue;
		struct nt_resolved resolved = nt_frames_resolve(frames, chain, i, time, 0);
		if (resolved.mapped || i == leaf)
			path[depth++] = nt_frame_pack(resolved.key, resolved.tier);
	}
	return depth;
}

static bool is_libc(const char *module)
{
	static const char *const begins[] = { "libc.so", "libc-2.", "ld-musl-" };
	for (size_t i = 0; module && i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(module, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool nt_frames_begin_thread(const struct nt_frames *frames, const struct nt_resolved last[NT_BEGIN_FRAMES], size_t count)
{
	for (size_t i = 0; i < NT_BEGIN_FRAMES && i < count; i++) {
		const struct nt_resolved *frame = &last[(count - 1 - i) % NT_BEGIN_FRAMES];
		if (!frame->mapped || !is_libc(nt_resolver_key(frames->resolver, frame->key)->module))
			return i && frame->mapped;
	}
	return false;
}
