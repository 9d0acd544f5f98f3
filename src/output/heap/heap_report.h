/* SPDX-License-Identifier: GPL-2.0-only */
/* Room output/heap: what lives in the heap, for people and as JSON. */
/* What `nettop heap` writes: the objects of a process by type, alone or beside those of an earlier time. */
#ifndef NT_OUTPUT_HEAP_REPORT_H
#define NT_OUTPUT_HEAP_REPORT_H

#include <stdio.h>

#include "nettop/heap_found.h"
#include "nettop/status.h"

struct nt_heap_report {
	uint64_t pid;                     /* 0 = not known */
	const char *name, *runtime;       /* borrowed; runtime NULL = not known */
	int64_t time_unix_ns;             /* 0 = not known */
	const struct nt_heap_found *heap; /* borrowed */
};

/* One that was read from a file: its texts are its own. */
struct nt_heap_file {
	struct nt_heap_report report;
	struct nt_heap_found *heap; /* owned */
	char *name, *runtime;       /* owned */
};

/* A type now and before; what is not there is 0. In an estimate (nt_heap_found.partial) the figures are of the whole heap. */
struct nt_heap_pair {
	const char *name; /* borrowed */
	uint64_t count, bytes, count_before, bytes_before;
};

/* Of all that came and all that did not: as much, if what is missing is like the rest. Exact when nothing is. */
uint64_t nt_heap_estimate(const struct nt_heap_found *heap, uint64_t figure);

/* All types of the two, what grew most first. The caller's (free). */
struct nt_heap_pair *nt_heap_pairs(const struct nt_heap_found *now, const struct nt_heap_found *before, size_t *count);

/*
 * For people: a heading, then the `rows` types with the most bytes, and the static fields whose types name one of these. `before`: NULL = nothing to compare with; else the types that grew
 * most. Write errors stay in the stream.
 */
void nt_heap_write_text(FILE *out, const struct nt_heap_report *now, const struct nt_heap_report *before, uint64_t rows);

/* All of them as one JSON object, a line. `before`: its figures are beside them. */
void nt_heap_write_json(FILE *out, const struct nt_heap_report *now, const struct nt_heap_report *before);

/* What nt_heap_write_json() wrote. USAGE, with the sentence: it cannot be read, or is something else. On success *out is the caller's, to be given to nt_heap_file_fini(). */
enum nt_status nt_heap_read(const char *path, struct nt_heap_file *out, struct nt_error *err);
void nt_heap_file_fini(struct nt_heap_file *file);

#endif
