/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text of perf-PID.map: one line per piece of generated code, `ADDRESS SIZE NAME`, hexadecimal with or without 0x.
 *
 * The file grows while it is read and may end in the middle of a line. The parser takes it in chunks of any size and leaves an unfinished last
 * line to the caller, who presents it again with what follows. Names stay slices of the chunk: method_name.h makes display names of the few
 * that are shown.
 */
#ifndef NT_DECODE_PERFMAP_H
#define NT_DECODE_PERFMAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A longer line is no line of a runtime: it is skipped up to its newline and counted as bad. */
enum { NT_PERFMAP_LINE_MAX = 64 * 1024 };

struct nt_perfmap_entry {
	uint64_t start, size; /* size > 0, start + size does not overflow */
	const char *name;     /* not NUL-terminated; borrowed from the chunk; may hold any byte but newline */
	size_t name_length;   /* > 0 */
};

/* One file that is being read. Zero it to start, and again when the file was truncated. */
struct nt_perfmap_parser {
	uint64_t line_count; /* good lines */
	uint64_t bad_count;  /* lines that are none of the format, blank ones excepted */
	bool skipping;       /* inside a line that is too long */
};

typedef void nt_perfmap_visit(void *context, const struct nt_perfmap_entry *entry);

/*
 * Call `visit` for each complete line of text[0..length), in order (a later line replaces an earlier one for the same addresses). Returns the
 * bytes consumed; the rest is the beginning of a line, always shorter than NT_PERFMAP_LINE_MAX.
 */
size_t nt_perfmap_parse(struct nt_perfmap_parser *parser, const char *text, size_t length, nt_perfmap_visit *visit, void *context);

#endif
