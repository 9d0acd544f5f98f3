/* SPDX-License-Identifier: GPL-2.0-only */
/* One event of a batch, with all that belongs to it, added to another batch (lasting.h). */
#ifndef NT_RECORD_LASTING_COPY_H
#define NT_RECORD_LASTING_COPY_H

#include "base/event_fields.h"

/* Lines, places, and what they are called, too; texts and call chains stay ids, which are announced apart. */
void nt_lasting_copy_event(struct nt_batch *to, const struct nt_batch *from, const struct nt_event *event);

/* The announcement at this index, of a text or of a call chain. */
void nt_lasting_copy_str(struct nt_batch *to, const struct nt_batch *from, size_t index);
void nt_lasting_copy_stack(struct nt_batch *to, const struct nt_batch *from, size_t index);

/* Calls `visit` with the id of each text, or of each call chain, that the event has. */
typedef void nt_lasting_visit(void *context, bool is_stack, uint32_t id);
void nt_lasting_each_id(const struct nt_event_field_places *places, const struct nt_event *event, nt_lasting_visit *visit, void *context);

#endif
