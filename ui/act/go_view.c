// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_view.h"

#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/views/view_snapshot.h"

/* Does the target do something only because this screen is open? Not if it does so anyhow, or cannot be asked. */
static bool asks_something(const struct nt_ui *ui, const struct nt_view *view)
{
	const struct nt_source_row *source = ui->live ? nt_snapshot_source(ui->live, NT_SOURCE_EVENTPIPE) : NULL;
	bool refused = source && (source->state == NT_STATE_ABSENT || source->state == NT_STATE_FORBIDDEN);
	bool there = view->needs_nothing && view->needs_nothing(ui->live);
	return view->demand & ~ui->config.always && !refused && !there;
}

static void tell_of_target(struct nt_ui *ui, const struct nt_view *from, const struct nt_view *to, nt_time now)
{
	const char *told = asks_something(ui, to) ? to->announcement : asks_something(ui, from) ? from->farewell : NULL;
	if (told)
		nt_ui_message(ui, now, told);
}

unsigned nt_go_view(struct nt_ui *ui, size_t view, nt_time now)
{
	const struct nt_view *from = nt_ui_view(ui);
	ui->view = view;
	ui->page_top = 0;
	nt_select_refresh(ui, false, now);
	if (nt_ui_view(ui) != from)
		tell_of_target(ui, from, nt_ui_view(ui), now);
	return NT_UI_REDRAW;
}

unsigned nt_go_view_of(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	for (size_t i = 0; i < NT_VIEW_COUNT; i++)
		if (nt_views[i]->action == action)
			return nt_go_view(ui, i, now);
	return 0;
}

/* To the next of these, or the one before; 0: the present screen is none of them. */
static unsigned go_round(struct nt_ui *ui, const size_t *groupings, size_t count, int direction, nt_time now)
{
	for (size_t i = 0; i < count; i++)
		if (groupings[i] == ui->view)
			return nt_go_view(ui, groupings[(i + (direction > 0 ? 1 : count - 1)) % count], now);
	return 0;
}

unsigned nt_go_grouping(struct nt_ui *ui, int direction, nt_time now)
{
	static const size_t of_waits[] = { NT_VIEW_WAITS, NT_VIEW_WAIT_WALL, NT_VIEW_WAIT_THREADS, NT_VIEW_WAIT_REASONS };
	static const size_t of_requests[] = { NT_VIEW_REQUESTS, NT_VIEW_SINGLE_REQUESTS, NT_VIEW_REQUEST_TIMES };
	static const size_t of_jit[] = { NT_VIEW_JIT, NT_VIEW_JIT_MODULES, NT_VIEW_JIT_NAMESPACES, NT_VIEW_JIT_TIERS,
					 NT_VIEW_JIT_TRIGGERS };
	if (nt_ui_is_of_jit(ui))
		return go_round(ui, of_jit, sizeof(of_jit) / sizeof(of_jit[0]), direction, now);
	if (nt_ui_is_of_requests(ui))
		return go_round(ui, of_requests, sizeof(of_requests) / sizeof(of_requests[0]), direction, now);
	return go_round(ui, of_waits, sizeof(of_waits) / sizeof(of_waits[0]), direction, now);
}
