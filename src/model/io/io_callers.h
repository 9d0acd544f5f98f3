/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which code makes the calls on one name, as far as calls are looked at: a few counters in fixed memory, by the Space-Saving algorithm of Metwally, Agrawal and El Abbadi. Who makes more than an eighth of them
 * has a counter; what is said of it is never too much, because what a counter had before of another is left out.
 */
#ifndef NT_MODEL_IO_CALLERS_H
#define NT_MODEL_IO_CALLERS_H

#include "base/texts.h"
#include "model/sites/sites.h"

enum { NT_IO_CALLER_COUNTS = 8 };

struct nt_io_caller_count {
	const char *name, *module; /* the table's; NULL = not known */
	nt_site_ref open;          /* while better names may come: the stack that it is of, alone; else 0 */
	uint64_t weight;           /* 0 = the counter is free */
	uint64_t before;           /* of that, what may be another's */
};

/* All zero is a beginning. */
struct nt_io_callers {
	uint64_t looked, weight; /* calls that were looked at, and how many they stand for */
	struct nt_io_caller_count items[NT_IO_CALLER_COUNTS];
};

/* Calls came from `stack`, which stand for so many. These between settle and sweep only. */
void nt_io_callers_add(struct nt_io_callers *callers, struct nt_sites *sites, nt_site_ref stack, uint64_t weight);

/* Once in every close: names may have come. */
void nt_io_callers_keep(struct nt_io_callers *callers, struct nt_sites *sites);

/* Into a row of the snapshot. */
void nt_io_callers_fill(const struct nt_io_callers *callers, struct nt_snapshot *snapshot, struct nt_io_row *out);

/* Visit the texts that are kept. */
void nt_io_callers_each_text(const struct nt_io_callers *callers, nt_text_visit *visit, void *context);

#endif
