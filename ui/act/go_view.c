// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_view.h"

#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/views/view_snapshot.h"

/* Does the target do something only because this screen is open? Not if it does so anyhow, or cannot be asked. */
static bool asks_something(const struct nt_ui *ui, const struct nt_view *view)
{
	if (view->demand & NT_WANT_TOLD && !*ui->events)
		return false; /* none is chosen */
	if (ui->config.recording)
		return false;
	const struct nt_source_row *source = ui->live ? nt_snapshot_source(ui->live, NT_SOURCE_EVENTPIPE) : NULL;
	bool refused = source && (source->state == NT_STATE_ABSENT || source->state == NT_STATE_FORBIDDEN);
	bool there = view->needs_nothing && view->needs_nothing(ui->live);
	return view->demand & ~ui->config.always && !refused && !there;
}

static void tell_of_target(struct nt_ui *ui, const struct nt_view *from, const struct nt_view *to, nt_time now)
{
	const char *told = asks_something(ui, to) ? to->announcement : NULL;
	if (!told && asks_something(ui, from))
		told = from->farewell;
	if (told)
		nt_ui_message(ui, now, told);
}

unsigned nt_go_view(struct nt_ui *ui, size_t view, nt_time now)
{
	const struct nt_view *from = nt_ui_view(ui);
	ui->view = view;
	if (nt_views_groupings(view))
		ui->groupings_shown[nt_ui_tab(ui)] = view;
	ui->page_top = 0;
	nt_select_refresh(ui, false, now);
	if (nt_ui_view(ui) != from)
		tell_of_target(ui, from, nt_ui_view(ui), now);
	return NT_UI_REDRAW;
}

unsigned nt_go_tab(struct nt_ui *ui, size_t tab, nt_time now)
{
	return nt_go_view(ui, tab < NT_VIEW_TABS ? ui->settings.groupings[tab] : tab, now);
}

unsigned nt_go_view_of(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	for (size_t i = 0; i < NT_VIEW_COUNT; i++)
		if (nt_views[i]->action == action)
			return nt_go_tab(ui, i, now);
	return 0;
}

unsigned nt_go_grouping(struct nt_ui *ui, int direction, nt_time now)
{
	const size_t *groupings = nt_views_groupings(ui->view);
	size_t count = 0, present = 0;
	for (; groupings && groupings[count] < NT_VIEW_COUNT; count++)
		present = groupings[count] == ui->view ? count : present;
	return count ? nt_go_view(ui, groupings[(present + (direction > 0 ? 1 : count - 1)) % count], now) : 0;
}
