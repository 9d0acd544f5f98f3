/* SPDX-License-Identifier: GPL-2.0-only */
/* The frames of call chains, and what lies at their addresses. */
#ifndef NT_MODEL_FRAMES_H
#define NT_MODEL_FRAMES_H

#include "model/common/ids.h"
#include "symbol/resolver.h"

/* A frame as a number: its key in symbol/ (= the number of its row) and its tier. */
typedef uint32_t nt_frame;

static inline nt_frame nt_frame_pack(uint32_t row, enum nt_tier tier)
{
	return row << 3 | tier;
}

static inline uint32_t nt_frame_row(nt_frame frame)
{
	return frame >> 3;
}

static inline enum nt_tier nt_frame_tier(nt_frame frame)
{
	return frame & 7;
}

struct nt_frames {
	struct nt_resolver *resolver; /* borrowed */
	uint32_t version;             /* of the code map */
};

/* perf puts markers among the addresses of a chain, which are no frames. */
bool nt_frames_is_marker(uint64_t address);

/*
 * Where to look a frame up: the leaf, and the user code that was interrupted by the kernel, are where they are; every other frame is a return
 * address, which may already belong to the next function.
 */
uint64_t nt_frames_address(const struct nt_chain *chain, size_t index);

/* nt_resolver_resolve() of that frame. `weight` as there. */
struct nt_resolved nt_frames_resolve(const struct nt_frames *frames, const struct nt_chain *chain, size_t index, nt_time time,
				     uint64_t weight);

/* Of a chain that is longer the outermost frames are left out. */
enum { NT_STACK_DEPTH = 1024 };

/* All frames of a chain as they are at `time`, outermost first: those of recursion too, those of a broken chain that lie nowhere not. Returns how many; 0 = there is nothing but markers. */
uint32_t nt_frames_path(const struct nt_frames *frames, const struct nt_chain *chain, nt_time time, nt_frame path[NT_STACK_DEPTH]);

/* So many frames say whether a chain goes back to where its thread begins. */
enum { NT_BEGIN_FRAMES = 4 };

/*
 * Do these begin a thread? The last frames of a chain that has `count` of them, frame i in place i modulo NT_BEGIN_FRAMES. A thread begins in libc (start_thread, or the
 * two or three that lead to main), and from there another library is called; a chain that was broken ends anywhere.
 */
bool nt_frames_begin_thread(const struct nt_frames *frames, const struct nt_resolved last[NT_BEGIN_FRAMES], size_t count);

#endif
