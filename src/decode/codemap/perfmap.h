/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/codemap: perf maps, jitdumps, names of mappings, stubs. */
/*
 * The text of perf-PID.map: one line per piece of generated code, `ADDRESS SIZE NAME`, hexadecimal with or without 0x.
 *
 * The file grows while it is read and may end in the middle of a line. The parser takes it in chunks of any size and leaves an unfinished last
 * line to the caller, who presents it again with what follows. Names stay slices of the chunk: method_name.h makes display names of the few
 * that are shown.
 */
#ifndef NT_DECODE_PERFMAP_H
#define NT_DECODE_PERFMAP_H

#include "nettop/event.h"

/* A longer line is no line of a runtime: it is skipped up to its newline and counted as bad. */
enum { NT_PERFMAP_LINE_MAX = 64 * 1024 };

/* What is parsed at a time: few enough to stay in the cache until they are handed on. */
enum { NT_PERFMAP_LINES = 256 };

struct nt_perfmap_lines {
	/* size > 0, start + size does not overflow, length > 0; offset: of the name in the chunk. A name may hold any byte but newline. */
	struct nt_batch_line items[NT_PERFMAP_LINES];
	size_t count;
};

/* One file that is being read. Zero it to start, and again when the file was truncated. */
struct nt_perfmap_parser {
	uint64_t line_count; /* good lines */
	uint64_t bad_count;  /* lines that are none of the format, blank ones excepted */
	bool skipping;       /* inside a line that is too long */
};

/*
 * Put the complete lines of text[0..length) into `out`, in order (a later line replaces an earlier one for the same addresses). Returns the bytes
 * consumed. When `out` is full there may be more: call again with the rest. Else the rest is the beginning of a line, always shorter than
 * NT_PERFMAP_LINE_MAX. `length` is below 4 GB.
 */
size_t nt_perfmap_parse(struct nt_perfmap_parser *parser, const char *text, size_t length, struct nt_perfmap_lines *out);

#endif
