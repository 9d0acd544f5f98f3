/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is taken from the text of a perf map, or from a jitdump: its first lines with their names, of all others where their names are. Filled by the thread that
 * reads the text, while that is in its cache; few enough to be handed over before they fill much memory.
 */
#ifndef NT_SOURCE_CODEMAP_LINES_H
#define NT_SOURCE_CODEMAP_LINES_H

#include "decode/codemap/jitdump.h"

enum { NT_CODEMAP_NAMED_MAX = 8192, NT_CODEMAP_PLACES_MAX = 32768 };

/* Of one kind of code. */
struct nt_question_places {
	struct nt_batch_place items[NT_CODEMAP_PLACES_MAX]; /* offsets in the file */
	size_t count;
};

struct nt_codemap_lines {
	bool is_jitdump;
	struct nt_perfmap_parser parser;                  /* of a perf map */
	struct nt_jitdump_parser dump;                    /* of a jitdump */
	size_t name_bytes;                                /* there is room for so many more bytes of names */
	struct nt_batch_line named[NT_CODEMAP_NAMED_MAX]; /* offsets in the text of the last call */
	nt_time named_times[NT_CODEMAP_NAMED_MAX];        /* since when they hold; 0 = not said, as in a perf map */
	size_t named_count;
	struct nt_question_places methods, stubs; /* what follows those that are named */
};

/*
 * Add the complete lines of text[0..length), which begins at `offset` of the file (below 4 GB). Returns the bytes consumed, fewer when there is no room
 * for more lines.
 */
size_t nt_codemap_lines_add(struct nt_codemap_lines *lines, const char *text, size_t length, uint64_t offset);

/* Is there no room for more? */
bool nt_codemap_lines_full(const struct nt_codemap_lines *lines);

/* Forget the file: what comes is the begin of one. */
void nt_codemap_lines_restart(struct nt_codemap_lines *lines);

/* Lines that were good and such that were not, since the begin of the file. */
uint64_t nt_codemap_lines_good(const struct nt_codemap_lines *lines);
uint64_t nt_codemap_lines_bad(const struct nt_codemap_lines *lines);

/* Empty it; how far the file has been parsed, and the room for names, stay. */
void nt_codemap_lines_clear(struct nt_codemap_lines *lines);

#endif
