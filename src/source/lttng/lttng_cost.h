/* SPDX-License-Identifier: GPL-2.0-only */
/* What the LTTng daemons cost, summed over their replacements. */
#ifndef NT_SOURCE_LTTNG_COST_H
#define NT_SOURCE_LTTNG_COST_H

#include "source/lttng/lttng_link.h"

struct nt_lttng_cost {
	struct nt_lttng_process seen[NT_LTTNG_DAEMON_COUNT]; /* whose CPU time is in last_ns */
	uint64_t last_ns[NT_LTTNG_DAEMON_COUNT];
	uint64_t total_ns; /* since each was first seen here */
	bool known;
};

/* Read the daemons' CPU times now. */
void nt_lttng_cost_read(struct nt_lttng_cost *cost, struct nt_lttng_link *link);

#endif
