/* SPDX-License-Identifier: GPL-2.0-only */
/* Pauses of collections, put together. */
#ifndef NT_MODEL_GC_PAUSES_H
#define NT_MODEL_GC_PAUSES_H

#include "nettop/gc_row.h"

#include <stddef.h>

/* Of so many pauses, which it puts in order; the collections ended between `first` and `last`. */
struct nt_gc_recent nt_gc_pauses_of(uint64_t *pauses, size_t count, nt_time first, nt_time last);

#endif
