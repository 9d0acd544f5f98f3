/* SPDX-License-Identifier: GPL-2.0-only */
/* Which IL generated code was made of, where somebody asked (NT_RUNTIME_IL_IMAGE). */
#ifndef NT_SOURCE_READ_IL_H
#define NT_SOURCE_READ_IL_H

#include "source/common/outbox.h"
#include "source/runtime/asked_places.h"

/* The reader's answer, as an IL_MAP event of process `pid`. */
void nt_read_il_take(struct nt_asked_places *code, const struct nt_reader_record *record, uint32_t pid, struct nt_outbox *box);

#endif
