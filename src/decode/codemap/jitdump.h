/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The jitdump, jit-PID.dump: a header and records, of which those of loaded code (JIT_CODE_LOAD) say address, size, name and time of a piece of code and hold its
 * bytes (linux, tools/perf/Documentation/jitdump-specification.txt). A .NET runtime writes no others; they are stepped over.
 *
 * The file grows while it is read and may end anywhere. The parser takes it in chunks of any size. The names are those of a perf map: what is taken from a
 * record is a line of one, and when the code came to be.
 */
#ifndef NT_DECODE_JITDUMP_H
#define NT_DECODE_JITDUMP_H

#include "decode/codemap/perfmap.h"

/* Where the name of a load lies in its record. */
enum { NT_JITDUMP_NAME_AT = 56 };

struct nt_jitdump_lines {
	struct nt_perfmap_lines lines;   /* names end before a NUL */
	nt_time times[NT_PERFMAP_LINES]; /* CLOCK_MONOTONIC; 0 = not known */
};

/* One file that is being read. Zero it to start, and again when the file was truncated. */
struct nt_jitdump_parser {
	uint64_t line_count; /* good loads */
	uint64_t bad_count;  /* loads that cannot be; a header or the length of a record that cannot be, after which nothing can be read */
	uint64_t skip;       /* bytes of a record that are still to come */
	bool begun;          /* the header was read */
	bool lost;           /* what follows cannot be read */
	bool foreign_timestamps; /* they are of a clock of the processor */
};

/*
 * Put the loads whose names are complete in bytes[0..length) into `out`. Returns the bytes consumed. When `out` is full there may be more: call again with the
 * rest. Else the rest is the beginning of a record, always shorter than NT_JITDUMP_NAME_AT + NT_PERFMAP_LINE_MAX. `length` is below 4 GB.
 */
size_t nt_jitdump_parse(struct nt_jitdump_parser *parser, const char *bytes, size_t length, struct nt_jitdump_lines *out);

#endif
