/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/past: intervals that are over, kept small, to go back to. */
/*
 * Where the pointers of a snapshot are. A struct without pointers needs no more than its size; of each of the others there is a list of its pointers here, and of how many things lie behind
 * each. By that a snapshot is written to bytes and made again (nodes.h, raise.h). A unit test holds it against the compiler's own word (tests/unit/model/test_past_shapes.c): a
 * pointer that is in the headers and not here fails it.
 */
#ifndef NT_MODEL_PAST_SHAPE_H
#define NT_MODEL_PAST_SHAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum nt_part_kind {
	NT_PART_TEXT,   /* a NUL-terminated text, or NULL */
	NT_PART_ROWS,   /* an array; how many it has stands at count_at */
	NT_PART_REFS,   /* an array of pointers to rows, likewise */
	NT_PART_FIXED,  /* an array of `count`, or NULL */
	NT_PART_INSIDE, /* no pointer: `count` structs that are part of this one */
	NT_PART_LEFT,   /* is not of the past: NULL when it is made again, and what counts it is 0 */
};

struct nt_part {
	enum nt_part_kind kind;
	size_t at;                   /* offset in the struct */
	size_t count;                /* FIXED, INSIDE; of TEXT so many texts, one after the other */
	size_t count_at, count_size; /* ROWS, REFS, LEFT: offset and size of the number; count_size 0 = there is none */
	const struct nt_shape *of;   /* NULL of TEXT and LEFT */
};

/*
 * From what a figure of a row can be predicted, nearly or exactly: from what stands before it in the row, and from the row before, which is that of the same thing in an earlier interval where
 * there is one. Only the difference is kept, so a figure costs little where the prediction holds and is right where it does not.
 */
enum nt_prediction_kind {
	NT_PREDICT_MOVED,  /* the oldest of several cells goes, and all others move by one: `size` bytes of cells of `other` bytes */
	NT_PREDICT_SUM,    /* a count of all intervals: rises by the interval's, at `other` */
	NT_PREDICT_WINDOW, /* a double, of the exponential window: likewise, and all before weighs less */
	NT_PREDICT_SHARE,  /* a double, in %: of the count at `other`, in the same whole as in the last row */
	NT_PREDICT_PART,   /* likewise, of the double at `other` */
};

struct nt_prediction {
	enum nt_prediction_kind kind;
	size_t at, size; /* offset in the struct, and size of all of it */
	size_t other;
};

struct nt_shape {
	const char *name; /* of the struct, for the test; NULL = it is none */
	size_t size;
	const struct nt_part *parts;             /* in no order */
	size_t part_count;                       /* 0 = it has no pointers */
	const struct nt_prediction *predictions; /* in no order; all other figures are predicted to be as in the row before */
	size_t prediction_count;
	bool is_logged; /* it is in lists of hundreds, of which the oldest go, and does not change any more (row_log.h) */
};

/* How many things lie behind a part with a number of its own. */
static inline size_t nt_part_count(const struct nt_part *part, const unsigned char *whole)
{
	uint32_t few;
	size_t many;
	if (part->count_size == sizeof(many)) {
		memcpy(&many, whole + part->count_at, sizeof(many));
		return many;
	}
	memcpy(&few, whole + part->count_at, sizeof(few));
	return few;
}

extern const struct nt_shape nt_snapshot_shape, nt_interval_samples_shape;

#endif
