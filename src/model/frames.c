// SPDX-License-Identifier: GPL-2.0-only
#include "model/frames.h"

#include "base/alloc.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define CONTEXT_MARKERS (~UINT64_C(0) - 4095) /* PERF_CONTEXT_MAX and above */

void nt_frames_init(struct nt_frames *frames, struct nt_resolver *resolver)
{
	*frames = (struct nt_frames){ .resolver = resolver, .memos = nt_alloc(NT_FRAME_MEMOS * sizeof(*frames->memos)) };
}

void nt_frames_fini(struct nt_frames *frames)
{
	free(frames->memos);
	*frames = (struct nt_frames){ 0 };
}

bool nt_frames_is_marker(uint64_t address)
{
	return address >= CONTEXT_MARKERS;
}

uint64_t nt_frames_address(const struct nt_chain *chain, size_t index)
{
	uint64_t address = chain->addresses[index];
	return index == 0 || index == chain->kernel_count || !address ? address : address - 1;
}

struct nt_resolved nt_frames_resolve(struct nt_frames *frames, const struct nt_chain *chain, size_t index, nt_time time, uint64_t weight)
{
	uint64_t address = nt_frames_address(chain, index);
	bool kernel = index < chain->kernel_count;
	struct nt_frame_memo *memo = &frames->memos[nt_hash_mix(address) & (NT_FRAME_MEMOS - 1)];
	if (memo->address == address && memo->version == frames->version && memo->kernel == kernel && time >= memo->resolved.valid_from &&
	    time < memo->resolved.valid_to)
		return memo->resolved;
	struct nt_resolved resolved = nt_resolver_resolve(frames->resolver, address, kernel, time, weight);
	/* What is provisional is not remembered: asking makes its questions weigh more. */
	if (!resolved.provisional)
		*memo = (struct nt_frame_memo){ .address = address, .version = frames->version, .kernel = kernel, .resolved = resolved };
	return resolved;
}

static bool is_libc(const char *module)
{
	static const char *const begins[] = { "libc.so", "libc-2.", "ld-musl-" };
	for (size_t i = 0; module && i < sizeof(begins) / sizeof(begins[0]); i++)
		if (strncmp(module, begins[i], strlen(begins[i])) == 0)
			return true;
	return false;
}

bool nt_frames_begin_thread(const struct nt_frames *frames, const struct nt_resolved outermost[NT_BEGIN_FRAMES])
{
	unsigned i = 0;
	while (i < NT_BEGIN_FRAMES && outermost[i].mapped && is_libc(nt_resolver_key(frames->resolver, outermost[i].key)->module))
		i++;
	return i && i < NT_BEGIN_FRAMES && outermost[i].mapped;
}
