/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts that are kept once: equal texts have equal pointers. They live in generations: now and then the owner says which are still used, and the others are
 * forgotten. Who lends texts to somebody for longer pins the generation of that moment: none that was there then goes before it is unpinned. Not thread safe.
 */
#ifndef NT_BASE_TEXTS_H
#define NT_BASE_TEXTS_H

#include <stdbool.h>
#include <stddef.h>

struct nt_texts;
struct nt_texts_pin;

struct nt_texts_config {
	size_t limit_bytes; /* beyond this no new text is taken in (a recording from outside must not fill the memory); 0 = 64 MB */
	size_t slack_bytes; /* so much that is new is worth a look at which are used; 0 = as much as was used last, at least 256 KB */
};

struct nt_texts *nt_texts_new(const struct nt_texts_config *config);
/* What is pinned stays until it is unpinned. NULL is allowed. */
void nt_texts_free(struct nt_texts *texts);

/*
 * The table's copy of text[0..length), NUL-terminated, cut at a NUL in it and at 1 MB. Never NULL; a length of 0 gives "". When the table is full and the text is not in it:
 * "(too many names)".
 */
const char *nt_texts_intern(struct nt_texts *texts, const char *text, size_t length);

/* The same for a NUL-terminated text; NULL gives NULL. */
const char *nt_texts_intern_cstr(struct nt_texts *texts, const char *text);

/*
 * Have so many come that it is worth looking which are used? Then nt_texts_mark() for every text in use, and nt_texts_sweep() forgets the others and begins a
 * generation. Texts of equal bytes that are not the table's may be marked, too, and NULL.
 */
bool nt_texts_grown(const struct nt_texts *texts);
void nt_texts_mark(struct nt_texts *texts, const char *text);
void nt_texts_sweep(struct nt_texts *texts);

/* The texts that there are now stay until nt_texts_unpin(), whatever is swept, and whether or not the table is freed meanwhile. */
struct nt_texts_pin *nt_texts_pin(struct nt_texts *texts);
void nt_texts_unpin(struct nt_texts_pin *pin); /* NULL is allowed */

/* Bytes in use, those that are only pinned included, for limits, tests and statistics. */
size_t nt_texts_bytes(const struct nt_texts *texts);

/* Something that is called for every text in use: a pointer that is kept, or NULL. */
typedef void nt_text_visit(const char *text, void *context);

#endif
