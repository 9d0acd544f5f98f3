/* SPDX-License-Identifier: GPL-2.0-only */
/* Types whose whole name somebody asked for (NT_TYPES_IMAGE). */
#ifndef NT_SOURCE_NAMED_TYPES_H
#define NT_SOURCE_NAMED_TYPES_H

#include "source/common/outbox.h"
#include "source/runtime/asked_places.h"

/* The reader's answer (TYPED), as a NAME event of process `pid`; none where it has no answer yet. */
void nt_named_types_take(struct nt_asked_places *types, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box);

#endif
