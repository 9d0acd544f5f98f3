/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread is there for, from what the runtime calls it and what it said when it made it. */
#ifndef NT_MODEL_ROLES_H
#define NT_MODEL_ROLES_H

#include "nettop/snapshot.h"

/* Flags of the ThreadCreated event. */
enum { NT_CLR_THREAD_GC = 1, NT_CLR_THREAD_FINALIZER = 2, NT_CLR_THREAD_POOL = 4 };

/* `name` as the kernel keeps it (15 characters), NULL = not known; `flags`: 0 when no event told of the thread. */
enum nt_role nt_role_of(const char *name, uint32_t flags);

#endif
