// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/go_calls.h"

#include "ui/act/go_view.h"
#include "ui/state/message.h"
#include "ui/state/select.h"

/* ---- in and out ---- */

/* The tree from its top. */
static unsigned show(struct nt_ui *ui, nt_time now)
{
	struct nt_table_state *table = &ui->tables[NT_VIEW_CALLS];
	table->detail = table->follow = table->moved = false;
	table->cursor = table->top = 0;
	return nt_go_view(ui, NT_VIEW_CALLS, now);
}

unsigned nt_go_calls(struct nt_ui *ui, const struct nt_method_row *row, nt_time now)
{
	nt_calls_enter(&ui->calls, row, &ui->restriction);
	unsigned effects = show(ui, now);
	/* No later interval brings the tree of one that is over. */
	if (!ui->paused || ui->process.stacks.wanted != NT_STACKS_NONE)
		return effects;
	ui->moment = (struct nt_ui_moment){ .sequence = ui->shown->sequence, .calls = true };
	return effects | NT_UI_MOMENT;
}

unsigned nt_go_out_of_calls(struct nt_ui *ui, nt_time now)
{
	if (!ui->calls.narrowed)
		return nt_go_view(ui, NT_VIEW_METHODS, now);
	nt_calls_widen(&ui->calls);
	return show(ui, now);
}

/* ---- a part of it ---- */

static unsigned zoom(struct nt_ui *ui, const struct nt_call_row *row, nt_time now)
{
	if (nt_calls_zoom(&ui->calls, row))
		return show(ui, now);
	nt_ui_message(ui, now, "This row lies too deep: go to a row above it first");
	return NT_UI_REDRAW;
}

static bool find_part(const struct nt_ui *ui, const struct nt_call_row *row, nt_key letter, struct nt_restriction *out)
{
	if (letter == 'p' || letter == 'o') { /* whatever the row */
		*out = (struct nt_restriction){ .part = letter == 'p' ? NT_PART_PAUSES : NT_PART_OUTSIDE };
		return true;
	}
	if (letter == 'm' || letter == 'k')
		return nt_view_calls.part(row, letter == 'm' ? NT_PART_MODULE : NT_PART_KIND, out);
	const struct nt_stack_frame *thread = nt_calls_thread_of(&ui->calls, &ui->process.stacks, ui->tables[NT_VIEW_CALLS].hide, row);
	if (!thread)
		return false;
	*out = (struct nt_restriction){ .part = NT_PART_THREAD, .thread_id = thread->id, .tid = thread->tid };
	nt_restriction_name(out, thread->name);
	return true;
}

static bool names_a_part(nt_key letter)
{
	static const char letters[] = { 's', 't', 'm', 'k', 'p', 'o' };
	for (size_t i = 0; i < sizeof(letters); i++)
		if (letter == (nt_key)letters[i])
			return true;
	return false;
}

unsigned nt_go_restrict_calls(struct nt_ui *ui, nt_key letter, nt_time now)
{
	const struct nt_call_row *row = nt_ui_selected_row(ui);
	struct nt_restriction restriction;
	if (letter == 'x') {
		nt_calls_widen(&ui->calls);
		return show(ui, now);
	}
	if (!row || !names_a_part(letter))
		return NT_UI_REDRAW;
	if (letter == 's')
		return zoom(ui, row, now);
	if (find_part(ui, row, letter, &restriction)) {
		nt_calls_restrict(&ui->calls, &restriction);
		return show(ui, now);
	}
	nt_ui_message(ui, now, letter == 't' ? "No thread of this row is known" : "This row is no code");
	return NT_UI_REDRAW;
}

/* ---- opening ---- */

static void change(struct nt_calls *calls, enum nt_action action, const struct nt_call_row *row)
{
	switch (action) {
	case NT_DO_EXPAND:
	case NT_DO_COLLAPSE:
		nt_calls_open(calls, row, action == NT_DO_EXPAND);
		break;
	case NT_DO_BRANCH:
		nt_calls_toggle_branch(calls, row);
		break;
	case NT_DO_ALL_BRANCHES:
		nt_calls_toggle_branch(calls, calls->rows);
		break;
	case NT_DO_TURN:
	case NT_DO_TURN_BACK: /* there are two */
		nt_calls_turn(calls);
		break;
	default:
		calls->unfolded = !calls->unfolded;
	}
}

unsigned nt_go_calls_key(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	const struct nt_call_row *row = nt_ui_selected_row(ui);
	if (!row)
		return 0;
	change(&ui->calls, action, row);
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}
