// SPDX-License-Identifier: GPL-2.0-only
/* Screen 9, how many of each kind (key v): those that have no row in the list are counted, too. */
#include "ui/views/view_events.h"

#include "nettop/source.h"

static unsigned flags(const void *row)
{
	return nt_row_flags(false, false, ((const struct nt_told_kind_row *)row)->fresh);
}

static const char *const compact[] = { "per_s", "event", NULL };

const struct nt_view nt_view_event_rates = {
	.action = NT_DO_VIEW_9,
	.subject = &nt_subject_events,
	.table = &nt_table_event_rates,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact,
	.demand = NT_WANT_TOLD,
	.announcement = NT_VIEW_EVENTS_ASKED,
	.farewell = NT_VIEW_EVENTS_LEFT,
	.flags = flags,
	.panel_lines = NT_VIEW_EVENTS_PANEL,
	.panel = nt_view_events_panel,
	.nothing = nt_view_events_nothing,
};
