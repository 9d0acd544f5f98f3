// SPDX-License-Identifier: GPL-2.0-only
/* The subject: counters that the target publishes. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .key = "counters", .table = "counters" },
	{ .key = NULL },
};

const struct nt_subject nt_subject_counters = {
	.name = "counters",
	.kinds = kinds,
	.source = NT_SOURCE_EVENTPIPE,
	.wanted = NT_WANT_COUNTERS,
	.while_looked_at = true,
	.lists = lists,
	.screen = "c Counters",
	.screen_short = "c",
};
