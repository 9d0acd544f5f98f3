/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/jit: the report of `nettop jit`. */
/* What the table of a report and that of a comparison have in common. Inside src/output/jit_*.c only. */
#ifndef NT_OUTPUT_JIT_TEXT_H
#define NT_OUTPUT_JIT_TEXT_H

#include "output/jit/jit_report.h"

enum { NT_JIT_SHOWN_METHODS = 20 };

/* Which program, since when, and what is missing. `label` comes first in the line: "nettop jit", "old". */
void nt_jit_write_heading(const struct nt_jit_report *report, const char *label, FILE *out);

/* A figure of the totals as text, "-" when it is not known, ">" before it when a part of it is not. Returns buf. */
const char *nt_jit_total_text(const struct nt_jit_totals *totals, const struct nt_jit_total *total, char *buf, size_t size);

/* Rows of a type of our own, `count` of `size` bytes, with these columns; the last of them is called `title` and takes the rest. */
void nt_jit_write_rows(const struct nt_column *columns, size_t column_count, const char *title, const void *rows, size_t count, size_t size,
		       FILE *out);

/* Columns of such rows, and what they read: `row` in `value`. */
#define NT_JIT_RIGHT(title_, unit_, width_, read_)                                                                                         \
	{                                                                                                                                  \
		.title = title_, .unit = unit_, .align = NT_ALIGN_RIGHT, .width = width_, .read = read_                                    \
	}
#define NT_JIT_LEFT(title_, width_, read_)                                                                                                 \
	{                                                                                                                                  \
		.title = title_, .unit = NT_UNIT_TEXT, .align = NT_ALIGN_LEFT, .width = width_, .read = read_                              \
	}

#endif
