// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go.h"

#include "nettop/process_row.h"
#include "ui/act/go_calls.h"
#include "ui/act/go_difference.h"
#include "ui/act/go_view.h"
#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/state/show.h"

/* ---- parts ---- */

/* The methods of a part, from the top; `back`: the screen that Esc returns to. */
static unsigned go_part(struct nt_ui *ui, const struct nt_restriction *restriction, size_t back, nt_time now)
{
	struct nt_table_state *methods = &ui->tables[NT_VIEW_METHODS];
	ui->restriction = *restriction;
	ui->restricted_from = back;
	nt_ui_restrict(ui);
	methods->detail = methods->follow = methods->moved = false;
	ui->view = NT_VIEW_METHODS;
	ui->page_top = 0;
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

static unsigned go_all(struct nt_ui *ui, size_t view, nt_time now)
{
	const struct nt_restriction nothing = { .part = NT_PART_ALL };
	go_part(ui, &nothing, NT_VIEW_METHODS, now);
	return nt_go_view(ui, view, now);
}

unsigned nt_go_restrict(struct nt_ui *ui, nt_key letter, nt_time now)
{
	static const struct {
		char letter;
		enum nt_part part;
		const char *elsewhere;
	} parts[] = {
		{ 't', NT_PART_THREAD, "A row of screen 4 says which thread" },
		{ 'm', NT_PART_MODULE, "A row of screen 1 or 3 says which module" },
		{ 'k', NT_PART_KIND, "A row of screen 1 says which kind" },
	};
	const void *row = nt_ui_selected_row(ui);
	struct nt_restriction restriction;
	if (ui->view == NT_VIEW_CALLS)
		return nt_go_restrict_calls(ui, letter, now);
	if (letter == 'x')
		return go_all(ui, ui->view, now);
	if (letter == 'p' || letter == 'o') { /* whatever the row */
		restriction = (struct nt_restriction){ .part = letter == 'p' ? NT_PART_PAUSES : NT_PART_OUTSIDE };
		return go_part(ui, &restriction, ui->view, now);
	}
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if ((nt_key)parts[i].letter != letter)
			continue;
		if (row && nt_ui_view(ui)->part && nt_ui_view(ui)->part(row, parts[i].part, &restriction))
			return go_part(ui, &restriction, NT_VIEW_METHODS, now);
		nt_ui_message(ui, now, parts[i].elsewhere);
	}
	return NT_UI_REDRAW;
}

/* ---- in and out ---- */

static unsigned open_process(struct nt_ui *ui, const struct nt_process_row *row, nt_time now)
{
	if (row->ended_at == NT_TIME_UNKNOWN && row->kind == NT_PROCESS_ROW)
		return NT_UI_OPEN;
	nt_ui_message(ui, now, row->kind == NT_PROCESS_ROW ? "This process has ended" : "This is no process: nothing more is known of it");
	return NT_UI_REDRAW;
}

unsigned nt_go_in(struct nt_ui *ui, nt_time now)
{
	const struct nt_view *view = nt_ui_view(ui);
	const void *row = nt_ui_selected_row(ui);
	struct nt_restriction restriction;
	if (!row)
		return 0;
	if (ui->config.list)
		return open_process(ui, row, now);
	if (ui->view == NT_VIEW_METHODS)
		return nt_go_calls(ui, row, now);
	if (view->enter != NT_PART_ALL && view->part(row, view->enter, &restriction))
		return go_part(ui, &restriction, ui->view, now);
	nt_ui_mutable_table(ui)->detail = true;
	ui->page_top = 0;
	return NT_UI_REDRAW;
}

unsigned nt_go_annotate(struct nt_ui *ui, nt_time now)
{
	const void *row = nt_ui_selected_row(ui);
	if (!row)
		return 0;
	uint64_t method = nt_ui_view(ui)->method(row);
	if (!method) {
		nt_ui_message(ui, now, "Only code of the process itself is read, not the kernel's");
		return NT_UI_REDRAW;
	}
	ui->annotated = method;
	ui->annotated_from = ui->view;
	ui->tables[NT_VIEW_CODE].moved = ui->tables[NT_VIEW_CODE].detail = false;
	nt_ui_show(ui, ui->shown, now); /* its code may be there already */
	return nt_go_view(ui, NT_VIEW_CODE, now);
}

unsigned nt_go_out_of_code(struct nt_ui *ui, nt_time now)
{
	return nt_go_view(ui, ui->annotated_from, now);
}

unsigned nt_go_out(struct nt_ui *ui, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	if (table->detail)
		table->detail = false;
	else if (*table->filter.text)
		nt_select_filter(ui, "", now);
	else if (ui->view == NT_VIEW_CODE)
		return nt_go_out_of_code(ui, now);
	else if (ui->view == NT_VIEW_DIFFERENCE)
		return nt_go_out_of_difference(ui, now);
	else if (ui->view == NT_VIEW_CALLS)
		return nt_go_out_of_calls(ui, now);
	else if (nt_ui_is_restricted(ui))
		return go_all(ui, ui->restricted_from, now);
	else
		nt_ui_message(ui, now, ui->config.from_list ? "q goes back to the list of processes" : "q quits");
	return NT_UI_REDRAW;
}

/* ---- findings ---- */

/* The most important one, or, where the last one was shown and still is, the one after it. */
static const struct nt_finding *next_finding(const struct nt_ui *ui)
{
	const struct nt_process_snapshot *process = &ui->process;
	for (size_t i = 0; i < process->finding_count; i++) {
		const struct nt_finding *finding = &process->findings[i];
		if (ui->on_finding && finding->kind == ui->finding && nt_key_action((nt_key)finding->screen) == nt_ui_view(ui)->action)
			return &process->findings[(i + 1) % process->finding_count];
	}
	return &process->findings[0];
}

/* What is said of methods on behalf of a thread is to be seen among that thread's. */
static void restrict_to_finding(struct nt_ui *ui, const struct nt_finding *finding, nt_time now)
{
	const struct nt_process_snapshot *process = &ui->process;
	for (size_t i = 0; i < process->thread_count && finding->tid; i++) {
		const struct nt_restriction restriction = nt_restriction_to_thread(&process->threads[i]);
		if (restriction.tid != finding->tid || process->threads[i].ended)
			continue;
		go_part(ui, &restriction, NT_VIEW_METHODS, now);
		return;
	}
	go_all(ui, NT_VIEW_METHODS, now);
}

unsigned nt_go_finding(struct nt_ui *ui, nt_time now)
{
	if (!ui->has_process || !ui->process.finding_count) {
		nt_ui_message(ui, now, "Nothing is out of its usual range");
		return NT_UI_REDRAW;
	}
	const struct nt_finding *finding = next_finding(ui);
	nt_go_view_of(ui, nt_key_action((nt_key)finding->screen), now);
	nt_ui_mutable_table(ui)->detail = false;
	if (ui->view == NT_VIEW_METHODS)
		restrict_to_finding(ui, finding, now);
	ui->on_finding = true;
	ui->finding = finding->kind;
	if (finding->row_id.known)
		nt_select_id(ui, finding->row_id.v, now);
	return NT_UI_REDRAW;
}
