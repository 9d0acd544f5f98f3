/* SPDX-License-Identifier: GPL-2.0-only */
/* The line of the sources about allocation samples, which come and go with what somebody looks at. */
#ifndef NT_MODEL_ALLOC_SOURCE_H
#define NT_MODEL_ALLOC_SOURCE_H

#include "nettop/snapshot.h"

/* Add it to the sources, which are there already, when EventPipe is one of them. The rest of `process` is filled. */
void nt_alloc_source_add(const struct nt_process_snapshot *process, struct nt_snapshot *snapshot);

#endif
