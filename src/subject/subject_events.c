// SPDX-License-Identifier: GPL-2.0-only
/* The subject: events one by one, that somebody has chosen by name. */
#include "subject/row.h"

static const struct nt_subject_kind kinds[] = { { NT_EV_NONE, 0 } };

static const struct nt_subject_list lists[] = {
	{ .section = "events", .key = "list", .table = "events" },
	{ .section = "events", .key = "rates", .table = "event_rates" },
	{ .key = NULL },
};

static const struct nt_figure figures[] = {
	STATE_TEXT("events", "patterns", told.patterns, "which events are told one by one: what --event-source and --event-name chose"),
	COUNTER("events", "count", told.count, "events of those that came"),
	COUNTER("events", "more_count", told.more_count, "of them, those that are not in the list: more than 2000 came in a second"),
	COUNTER("events", "lost_count", told.lost_count, "further ones that the process had no room for"),
};

const struct nt_subject nt_subject_events = {
	.name = "events",
	.kinds = kinds,
	.source = NT_SOURCE_EVENTPIPE,
	.wanted = NT_WANT_TOLD,
	.while_looked_at = true,
	FIGURES(figures),
	.why = offsetof(struct nt_figures, told.why),
	.whys = "events.",
	.lists = lists,
	.screen = "9 Events",
	.screen_short = "9",
};
