/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * In which methods a thread was sampled: the heaviest NT_HOT_METHODS in the window, in fixed memory (the "space saving" algorithm of Metwally et
 * al.: a new method takes the lightest one's place and its weight, which is remembered as its possible error and never shown).
 */
#ifndef NT_MODEL_HOT_H
#define NT_MODEL_HOT_H

#include "base/index.h"
#include "nettop/snapshot.h"
#include "symbol/resolver.h"

struct nt_hot_slot {
	uint64_t id;      /* of the method row */
	const char *name; /* the table's */
	double weight;    /* in the window, at most `error` too much */
	double error;
};

/* Allocated with as many slots as it needs by now: of a thousand threads most were seen in a few methods. */
struct nt_hot {
	uint32_t count, capacity;
	struct nt_hot_slot slots[]; /* at most NT_HOT_METHODS */
};

/* `hot` may be NULL: none yet. Returns it, where it is now; the caller's, for free(). */
struct nt_hot *nt_hot_count(struct nt_hot *hot, const struct nt_key *method, unsigned samples);

/* One interval passed. What weighs next to nothing goes. Returns where it is now, NULL when nothing is left. */
struct nt_hot *nt_hot_decay(struct nt_hot *hot, double decay);

/* The methods as rows into out[NT_HOT_METHODS], heaviest first; `whole`: weight of all samples of the thread. Returns their number. */
uint32_t nt_hot_fill(const struct nt_hot *hot, double whole, struct nt_hot_method *out);

/* ---- rows that turned out to be other rows ---- */

struct nt_hot_renames {
	struct {
		uint64_t id;
		const char *name;
	} * items; /* owned; what the row is now */
	size_t count, capacity;
	struct nt_index from; /* id of the row before -> item */
};

void nt_hot_renames_fini(struct nt_hot_renames *renames);

/* All samples of row `from` now belong to `to`. */
void nt_hot_renames_add(struct nt_hot_renames *renames, uint64_t from, const struct nt_key *to);

void nt_hot_renames_clear(struct nt_hot_renames *renames);

void nt_hot_rename(struct nt_hot *hot, const struct nt_hot_renames *renames);

#endif
