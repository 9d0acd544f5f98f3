/* SPDX-License-Identifier: GPL-2.0-only */
/* The hottest methods of each thread of a span, and of each side of the pauses for collections, by the span's own samples. */
#ifndef NT_MODEL_PAST_SPAN_HOT_H
#define NT_MODEL_PAST_SPAN_HOT_H

#include "nettop/snapshot.h"

/* From the process's call tree, for the threads that it has rows of: as many methods of each as an interval has. They lie in `arena`. */
void nt_span_hot_fill(void *arena, struct nt_process_snapshot *process);

#endif
