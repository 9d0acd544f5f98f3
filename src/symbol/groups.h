/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What many ranges have in common: since when they hold, and two of their user's words. Lines of a perf map that were read in one look share all three. So a
 * range keeps the number of its group, which has 16 bits.
 */
#ifndef NT_SYMBOL_GROUPS_H
#define NT_SYMBOL_GROUPS_H

#include "base/index.h"
#include "symbol/range.h"

#include <stdbool.h>

struct nt_group {
	nt_time from;
	uint32_t b, c;
};

struct nt_groups {
	struct nt_group *items; /* owned */
	size_t count, capacity;
	struct nt_index index; /* hash -> number */
	size_t crowded;        /* so many are worth a look at which can be joined; 0 = the default */
	nt_time grain;         /* times that nobody asks for any more are rounded down to a multiple of it; 0 = the default */
};

enum { NT_GROUP_LIMIT = UINT16_MAX, NT_GROUP_NONE = UINT16_MAX };

void nt_groups_fini(struct nt_groups *groups);

/* The number of a group, made when new as long as there are less than `limit`; else NT_GROUP_NONE. */
uint32_t nt_groups_intern(struct nt_groups *groups, const struct nt_group *group, size_t limit);

/*
 * The time that is kept of a range that holds from `from` on, when what was before can be asked for since `oldest` only. It serves no answer of this table then, but
 * tells which of two tables knows something newer, for which a second is enough.
 */
nt_time nt_groups_time(const struct nt_groups *groups, nt_time from, nt_time oldest);

/* Are there so many that nt_groups_join() is worth the walk over all their ranges? */
bool nt_groups_crowded(const struct nt_groups *groups);

/*
 * Forget those that are not `used`, and make one of those whose times are rounded to the same. Returns their new numbers by their old ones, an array that is
 * the caller's.
 */
uint16_t *nt_groups_join(struct nt_groups *groups, const bool *used, nt_time oldest);

#endif
