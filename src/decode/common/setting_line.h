/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The lines of a file of settings, which a person writes: `key = value`, then maybe ` # why`. A line that is empty or begins with # says nothing. A key is of letters, digits
 * and . _ -; a value may have blanks in it and may be missing. Lines end with LF or CR LF.
 */
#ifndef NT_DECODE_SETTING_LINE_H
#define NT_DECODE_SETTING_LINE_H

#include <stdbool.h>
#include <stddef.h>

enum { NT_SETTING_LINE_BYTES = 4096 };

struct nt_setting_line {
	unsigned number;     /* from 1 */
	const char *text;    /* the whole line without its end. Borrowed, as all below */
	size_t length;       /* in bytes */
	const char *key;     /* NULL: it says nothing, or is broken */
	size_t key_length;   /* at least 1 */
	const char *value;   /* without blanks at its ends */
	size_t value_length; /* may be 0 */
	const char *problem; /* what is wrong with it, and what to do; NULL = nothing */
};

/* A line a call: `*at` is 0 at first and moves on to `length`, `out` stays as the call before left it. False: there are no more. */
bool nt_setting_line_next(const char *text, size_t length, size_t *at, struct nt_setting_line *out);

#endif
