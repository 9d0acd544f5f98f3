/* SPDX-License-Identifier: GPL-2.0-only */
/* The part of the BPF program of last_look.h that follows the frames of a stack that was full. */
#ifndef NT_SOURCE_LAST_LOOK_FRAMES_H
#define NT_SOURCE_LAST_LOOK_FRAMES_H

#include "source/common/bpf_build.h"

/* If it is a stack overflow, follow the frames. */
void nt_last_look_follow_frames(struct nt_bpf_builder *b);

/* The callbacks for that, in the order of their labels. */
void nt_last_look_frame_callbacks(struct nt_bpf_builder *b);

#endif
