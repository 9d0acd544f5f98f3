/* SPDX-License-Identifier: GPL-2.0-only */
/* An address range over time, as users and all lists of ranges know it. */
#ifndef NT_SYMBOL_RANGE_H
#define NT_SYMBOL_RANGE_H

#include "nettop/clock.h"

#include <stddef.h>
#include <stdint.h>

/* How long a replaced entry can still be found. */
#define NT_RANGES_KEEP_NS (30 * NT_NS_PER_S)

struct nt_range {
	uint64_t start, end; /* [start, end) */
	nt_time from;        /* valid from here on; 0 = since ever */
	uint32_t a, b, c;    /* the user's */
	uint32_t order;      /* internal: of arrival within what is not settled, meaningless afterwards */
};

struct nt_range_list {
	struct nt_range *items; /* owned; sorted by start, disjoint */
	size_t count, capacity;
};

#endif
