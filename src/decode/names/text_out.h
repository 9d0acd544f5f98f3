/* SPDX-License-Identifier: GPL-2.0-only */
/* Text for display, written piece by piece. Used by the decoders of names only; inlined, because names are made by the million. */
#ifndef NT_DECODE_TEXT_OUT_H
#define NT_DECODE_TEXT_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Where display text goes. When it is full, what follows is dropped: the length stays below size. */
struct nt_text_out {
	char *buf;
	size_t size; /* with NUL; > 0 */
	size_t length;
	bool full;
};

static inline void nt_text_put(struct nt_text_out *out, const char *text, size_t length)
{
	if (!length)
		return;
	size_t room = out->size - 1 - out->length;
	if (length > room) {
		length = room;
		out->full = true;
	}
	memcpy(out->buf + out->length, text, length);
	out->length += length;
}

/* NUL-terminated. */
static inline void nt_text_put_word(struct nt_text_out *out, const char *word)
{
	nt_text_put(out, word, strlen(word));
}

#endif
