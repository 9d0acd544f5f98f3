/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Following the end of a perf map, or a jitdump, that somebody else writes: its new lines each time, and a word when the file was truncated, rewritten or replaced. The
 * path is looked up every time, so that a replacement is seen; the file itself is held open, so that its end can be read after the target died.
 */
#ifndef NT_SOURCE_CODEMAP_TAIL_H
#define NT_SOURCE_CODEMAP_TAIL_H

#include "source/codemap/codemap_lines.h"
#include "source/codemap/jitdump_code.h"
#include "source/common/files_target.h"
#include "source/common/foreign_file.h"
#include "source/common/hand.h"
#include "target/perfmap/perf_map_room.h"

struct nt_codemap_tail;

/* The size from which on a file is not followed any further. */
#define NT_CODEMAP_TAIL_LIMIT (UINT64_C(1) << 30)

struct nt_codemap_look {
	enum nt_status
		status; /* OK: there are lines. ERR_FAILED: refused, see file. ERR_TIMEOUT. END: cancelled. ERR_GONE: the target ended; lines */
	struct nt_foreign_file file; /* stat, and why it was refused; its fd is not for the caller */
	const struct nt_codemap_lines
		*lines;               /* what follows those of the look before; borrowed until the next call; only with OK and ERR_GONE */
	const char *text;             /* in which the named ones have their names; borrowed until the next call */
	bool restarted;               /* what was read before is void: the lines are the first of the file */
	bool changed;                 /* it was truncated, rewritten or replaced, now or at an earlier look */
	uint64_t size;                /* of the file; 0 when there is none */
	struct nt_perf_map_room room; /* for it, some seconds old at most */
	bool more;                    /* there may be more: look again */
	bool too_large;               /* the file is over the limit: its rest is not read */
	bool stale;                   /* refused: a process that had this one's number before wrote it */
	bool torn;                    /* it ends within a record, and did so at looks before: a jitdump that nobody goes on writing */
};

/* Both are borrowed for the tail's life. */
struct nt_codemap_tail *nt_codemap_tail_new(const struct nt_files_target *target, struct nt_hand *hand);
void nt_codemap_tail_free(struct nt_codemap_tail *tail); /* NULL is allowed */

/* The first lines with their names, as long as those are up to `name_bytes` in all. */
void nt_codemap_tail_look(struct nt_codemap_tail *tail, size_t name_bytes, struct nt_codemap_look *out);

/* There is nothing more for now: what the look filled is given back, but for what later looks need. Its lines and its text are void. */
void nt_codemap_tail_rest(struct nt_codemap_tail *tail);

/* A piece of what was read before. */
struct nt_codemap_piece {
	uint64_t offset;  /* in the file */
	size_t size;      /* wanted */
	size_t length;    /* found; 0: it cannot be read, or the file is not the same any more */
	const char *text; /* borrowed until the next call */
};

enum { NT_CODEMAP_PIECES_MAX = 64 };

enum { NT_CODEMAP_PIECES_BYTES = 128 << 10 };

/* Read pieces of the file that the last look was at; their sizes sum up to at most NT_CODEMAP_PIECES_BYTES. */
void nt_codemap_tail_read_back(struct nt_codemap_tail *tail, struct nt_codemap_piece *pieces, size_t count);

/*
 * Read code, NT_CODEMAP_TAIL_CODE_MAX bytes at most, from the jitdump that the last look was at: that is there when the target's memory is not any more. The bytes are
 * borrowed until the next call. Length 0: the file has them not, cannot be read, or is no jitdump.
 */
enum { NT_CODEMAP_TAIL_CODE_MAX = 128 << 10 };
void nt_codemap_tail_read_code(struct nt_codemap_tail *tail, const struct nt_jitdump_wanted *wanted, struct nt_jitdump_code *out);

#endif
