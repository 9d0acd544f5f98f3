/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the runtime prints of an exception that nobody catches, which is what its ToString() gives:
 *
 *	System.InvalidOperationException: the order 4711 has no customer
 *	 ---> System.ArgumentException: customer 17
 *	   --- End of inner exception stack trace ---
 *	   at Shop.Orders.Take(Int32 order) in /src/Orders.cs:line 12
 */
#ifndef NT_DECODE_LAST_WORDS_H
#define NT_DECODE_LAST_WORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NT_LAST_WORDS_BYTES = 3 * 4096 + 1 };

/* Parts of `text`. */
struct nt_last_words {
	char text[NT_LAST_WORDS_BYTES]; /* UTF-8, each part with a NUL behind it */
	const char *type;
	const char *message; /* NULL = it has none */
	const char *stack; /* inner exceptions and "at" lines, a line each, without the spaces before it; NULL = it lies behind the units */
};

/* Does what lies below the stack pointer of a thread have the words that the runtime prints first? */
bool nt_last_words_said(const uint8_t *below, size_t size);

/*
 * `units` of a text in UTF-16; whole: it has no more. False: it is not that of an exception with its stack; one whose class writes its ToString() differently
 * is not told from any other text.
 */
bool nt_last_words_parse(const uint8_t *utf16, size_t units, bool whole, struct nt_last_words *out);

/* Is it the whole name of a type with a namespace that is called an exception? */
bool nt_last_words_is_type(const char *text);

#endif
