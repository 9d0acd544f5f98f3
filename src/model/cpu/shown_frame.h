/* SPDX-License-Identifier: GPL-2.0-only */
/* A frame as the snapshot has it: nettop/stacks.h. */
#ifndef NT_MODEL_SHOWN_FRAME_H
#define NT_MODEL_SHOWN_FRAME_H

#include "model/cpu/frames.h"
#include "nettop/stacks.h"

struct nt_stack_frame nt_shown_frame(const struct nt_resolver *resolver, nt_frame frame);

#endif
