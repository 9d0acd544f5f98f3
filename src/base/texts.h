/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that stay valid until the table is freed, each kept once: equal texts have equal pointers. Append-only, so only for names whose number
 * is bounded by what is shown; everything else lies in a struct nt_heap (base/heap.h).
 */
#ifndef NT_BASE_TEXTS_H
#define NT_BASE_TEXTS_H

#include <stddef.h>

struct nt_texts;

/* limit_bytes: beyond this no new text is taken in (a recording from outside must not fill the memory); 0 = 64 MB. */
struct nt_texts *nt_texts_new(size_t limit_bytes);
void nt_texts_free(struct nt_texts *texts); /* NULL is allowed */

/*
 * The table's copy of text[0..length), NUL-terminated, cut at 1 MB. Never NULL; a length of 0 gives "". When the table is full and the text is not in it:
 * "(too many names)".
 */
const char *nt_texts_intern(struct nt_texts *texts, const char *text, size_t length);

/* The same for a NUL-terminated text; NULL gives NULL. */
const char *nt_texts_intern_cstr(struct nt_texts *texts, const char *text);

/* Bytes in use, for tests and statistics. */
size_t nt_texts_bytes(const struct nt_texts *texts);

#endif
