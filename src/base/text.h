/* SPDX-License-Identifier: GPL-2.0-only */
/* Text from outside made safe: UTF-8 checked, control characters made visible. */
#ifndef NT_BASE_TEXT_H
#define NT_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/*
 * Decode one code point at text[0..length). Returns the bytes used (1..4) and sets *code; an invalid byte gives 1 and U+FFFD.
 * length must be > 0.
 */
size_t nt_utf8_decode(const char *text, size_t length, uint32_t *code);

/* Encode `code` into out[4]; returns the bytes written. Surrogates and values over U+10FFFF give U+FFFD. */
size_t nt_utf8_encode(uint32_t code, char out[4]);

/* How many bytes of text[0..length) to keep, at most `limit`, so that no character is cut in two. */
size_t nt_utf8_cut(const char *text, size_t length, size_t limit);

/*
 * Moves the cursor, changes the terminal's state, or what is around it: C0, DEL and C1, Unicode's bidi controls and those by which characters join or take another
 * shape, its separators of lines, the byte order mark.
 */
bool nt_text_is_control(uint32_t code);

/* Bytes at the begin that are printable ASCII: they stand for themselves, whoever shows them. */
size_t nt_text_plain_length(const char *text, size_t length);

/*
 * Copy text[0..length) into buf, NUL-terminated, with control characters as \xNN or \u{NNNN} and invalid bytes as U+FFFD; cut at a character border when it
 * does not fit. Returns the bytes written without NUL. size must be > 0. What is escaped stays as it is when it is escaped again.
 */
size_t nt_text_escape(const char *text, size_t length, char *buf, size_t size);

/* The same, whole, as a text of its own, which is the caller's. */
char *nt_text_escaped(const char *text, size_t length);

/* The same, whole, into a stream. NULL is nothing. */
void nt_text_print(FILE *out, const char *text);

/* UTF-16LE units to UTF-8, like nt_text_escape() without escaping; unpaired surrogates become U+FFFD. Returns the bytes written without NUL. */
size_t nt_utf16_to_utf8(const uint8_t *units, size_t unit_count, char *buf, size_t size);

/* Bytes of the UTF-16LE text at the start of bytes[0..length), without its NUL; SIZE_MAX when there is no NUL. */
size_t nt_utf16_length(const uint8_t *bytes, size_t length);

/*
 * The lines of a text, one a call: `*at` is its begin at first, and moves on. The line is *line[0..*length), without its end. False: there is none any more. NULL has
 * none.
 */
bool nt_text_next_line(const char **at, const char **line, size_t *length);

/* Columns that a code point takes on a terminal: 0 for combining, 2 for wide, else 1. */
int nt_text_width(uint32_t code);

/* The same of a whole text. */
int nt_text_cells(const char *text);

#endif
