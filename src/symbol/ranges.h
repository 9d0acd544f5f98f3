/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Address ranges over time: which entry covers an address at a moment. A later entry wins over an earlier one on the addresses that both
 * cover; what it replaced is kept for 30 s, because samples are looked up after the fact.
 *
 * Entries are added in any address order and take effect with nt_ranges_settle(). Two sorted arrays (a large and a small one that is folded
 * into it now and then) keep the trickle of a running JIT cheap: 40 bytes per entry, no allocation per entry. The bulk of a perf map lies below them in
 * less room (plain.h): what is there at the start at once, what comes later when it is folded.
 */
#ifndef NT_SYMBOL_RANGES_H
#define NT_SYMBOL_RANGES_H

#include "symbol/plain.h"

struct nt_range_old; /* a replaced entry and when that was */

struct nt_ranges {
	struct nt_range_list large, small, pending;
	struct nt_plain_list plain; /* below all others */
	bool packs;                 /* set after init: `b` is nothing that nt_ranges_each() rewrites, so entries may become plain ones */
	nt_time packed_at;          /* when that was last tried */
	size_t before_plain;        /* items of `pending` that came before the new plain ones */
	size_t ascending;           /* from this index on `pending` is in order */
	struct nt_range_old *old;   /* owned; sorted by start */
	size_t old_count, old_capacity;
	size_t old_limit;     /* set after init: beyond, those that were replaced first go before their time; 0 = the default */
	uint64_t old_longest; /* no old entry is longer: bounds the look back */
	uint32_t settle_count;
	/*
	 * Do two entries with the same extent say the same? Then the second changes nothing: what was said before and after holds for
	 * the time between.
	 */
	bool (*same)(const struct nt_range *a, const struct nt_range *b, const void *context);
	const void *context;
};

void nt_ranges_init(struct nt_ranges *ranges, bool (*same)(const struct nt_range *, const struct nt_range *, const void *),
		    const void *context);
void nt_ranges_fini(struct nt_ranges *ranges);

/* Add [start, start + size) from `from` on. An empty or wrapping range is ignored, and so is everything beyond 4 M entries. */
void nt_ranges_add(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t a, uint32_t b, uint32_t c);

/*
 * nt_ranges_add() of what is told again and again while it grows, as the mapping of generated code is, page by page: of what is there and says the same only the
 * end is new, and that is as if it had been there as long.
 */
void nt_ranges_add_grown(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time from, uint32_t a, uint32_t b, uint32_t c);

/*
 * nt_ranges_add() of many with `from` and `c` 0 and their offset as `a`, which nt_ranges_each() does not rewrite. In less memory from the start, as long as the
 * offsets rise from each to the next.
 */
void nt_ranges_add_plain(struct nt_ranges *ranges, const struct nt_batch_place *places, size_t count, uint32_t b);

/* What lies in [start, start + size) ended at `time`. */
void nt_ranges_end(struct nt_ranges *ranges, uint64_t start, uint64_t size, nt_time time);

/* Make what was added findable and forget what ended before `now` - 30 s. Returns whether anything was added since the last call. */
bool nt_ranges_settle(struct nt_ranges *ranges, nt_time now);

/* What a look-up found. */
struct nt_range_hit {
	bool found;
	struct nt_range range;        /* only when found */
	nt_time valid_from, valid_to; /* the answer is the same for every time in [valid_from, valid_to) */
	struct nt_extent extent;      /* and for all of these addresses */
};

/*
 * The entry that covered `address` at `time`. An address that is covered only later than `time` gives the first that covers it: names are
 * learnt a little after the code runs.
 */
struct nt_range_hit nt_ranges_find(const struct nt_ranges *ranges, uint64_t address, nt_time time);

/* Entries that can be found, old ones not counted. */
size_t nt_ranges_count(const struct nt_ranges *ranges);

/* Call `visit` for every entry there is, old and unsettled ones included, whatever it says. */
void nt_ranges_look(const struct nt_ranges *ranges, void (*visit)(const struct nt_range *range, void *context), void *context);

/* Call `visit` for every entry there is, old and unsettled ones included, to rewrite a, b and c; of a table that packs, only a where b is 0. */
void nt_ranges_each(struct nt_ranges *ranges, void (*visit)(struct nt_range *range, void *context), void *context);

#endif
