/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following the end of a file that somebody else writes: new bytes each time, and a word when the file was truncated, rewritten or replaced. The
 * path is looked up every time, so that a replacement is seen; the file itself is held open, so that its end can be read after the target died.
 */
#ifndef NT_SOURCE_CODEMAP_TAIL_H
#define NT_SOURCE_CODEMAP_TAIL_H

#include "source/codemap_target.h"
#include "source/foreign_file.h"
#include "source/hand.h"

struct nt_codemap_tail;

/* Bytes read at a time, and the size from which on a file is not followed any further. */
enum { NT_CODEMAP_TAIL_CHUNK = 1024 << 10 };
#define NT_CODEMAP_TAIL_LIMIT (UINT64_C(1) << 30)

struct nt_codemap_look {
	enum nt_status
		status; /* OK: text holds. ERR_FAILED: refused, see file. ERR_TIMEOUT. END: cancelled. ERR_GONE: the target ended; text holds */
	struct nt_foreign_file file; /* stat, and why it was refused; its fd is not for the caller */
	const char *text;            /* what follows the consumed bytes; borrowed until the next call */
	size_t length;
	uint64_t offset; /* of text in the file */
	bool restarted;  /* what was read before is void: text is the begin of the file */
	bool changed;    /* it was truncated, rewritten or replaced, now or at an earlier look */
	bool more;       /* there is more than fitted: consume, look again */
	bool too_large;  /* the file is over the limit: its rest is not read */
};

/* Both are borrowed for the tail's life. */
struct nt_codemap_tail *nt_codemap_tail_new(const struct nt_codemap_target *target, struct nt_hand *hand);
void nt_codemap_tail_free(struct nt_codemap_tail *tail); /* NULL is allowed */

void nt_codemap_tail_look(struct nt_codemap_tail *tail, struct nt_codemap_look *out);

/* A piece of what was consumed before. */
struct nt_codemap_piece {
	uint64_t offset;  /* in the file */
	size_t size;      /* wanted */
	size_t length;    /* found; 0: it cannot be read, or the file is not the same any more */
	const char *text; /* borrowed until the next call */
};

enum { NT_CODEMAP_PIECES_MAX = 64 };

/* Read pieces of the file that the last look was at; their sizes sum up to at most NT_CODEMAP_TAIL_CHUNK. */
void nt_codemap_tail_read_back(struct nt_codemap_tail *tail, struct nt_codemap_piece *pieces, size_t count);

/* The first `bytes` of the last look's text were understood; the rest comes again. */
void nt_codemap_tail_consume(struct nt_codemap_tail *tail, size_t bytes);

#endif
