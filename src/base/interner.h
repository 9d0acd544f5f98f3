/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A source's table of texts and call chains: gives each a small id and announces it in the batch that first uses it.
 * Bounded: when the table has grown past its limit it starts a new epoch with the next batch, and the reader forgets the old ids.
 * One owner (the thread that fills the batches).
 */
#ifndef NT_BASE_INTERNER_H
#define NT_BASE_INTERNER_H

#include "nettop/event.h"

struct nt_interner;

/*
 * limit_bytes: size of texts and stacks after which a new epoch starts; 0 = 256 KB, which is some seconds of deep call chains that differ, and for ever of what comes
 * again. What is in use is announced again soon; what is not would only be kept, here and, in four times the memory, by the reader.
 */
struct nt_interner *nt_interner_new(size_t limit_bytes);
void nt_interner_free(struct nt_interner *interner); /* NULL is allowed */

/* Call once on every fresh batch before anything is interned for it: sets its epoch. */
void nt_interner_begin(struct nt_interner *interner, struct nt_batch *batch);

/* Id of text[0..length); announces it in `batch` when new. Length 0 or text NULL gives 0. Texts over 64 KB are cut. */
nt_str nt_interner_str(struct nt_interner *interner, struct nt_batch *batch, const char *text, size_t length);

/*
 * For a text that is made from others with some effort: what it is made from (`raw`, any bytes) can be noted with the id of the result. 0 = nothing
 * has been noted in this epoch. An id that is noted is not 0.
 */
nt_str nt_interner_alias(const struct nt_interner *interner, const void *raw, size_t length);
void nt_interner_note_alias(struct nt_interner *interner, const void *raw, size_t length, nt_str id);

/*
 * For a text that the same few bytes say over and over: what was noted last under `hint` (a number made from what is known before the text is read), when
 * bytes[0..left) begin with it; *length = how many bytes it has. 0 = something else comes there. What is too long to be kept is not noted.
 */
nt_str nt_interner_recent(const struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t left, size_t *length);
void nt_interner_note_recent(struct nt_interner *interner, uint64_t hint, const uint8_t *bytes, size_t length, nt_str id);

/* nt_interner_str() for a NUL-terminated text. */
nt_str nt_interner_cstr(struct nt_interner *interner, struct nt_batch *batch, const char *text);

/* Id of a chain, leaf first, of which the first kernel_count addresses are the kernel's. count 0 gives 0. */
nt_stack nt_interner_stack(struct nt_interner *interner, struct nt_batch *batch, const uint64_t *addresses, unsigned kernel_count,
			   unsigned count);

#endif
