// SPDX-License-Identifier: GPL-2.0-only
/* What keys do to the state. */
#include "ui/act/go.h"
#include "ui/act/go_calls.h"
#include "ui/act/go_time.h"
#include "ui/act/go_view.h"
#include "ui/act/leave.h"
#include "ui/act/menu_keys.h"
#include "ui/act/mouse.h"
#include "ui/act/mouse_time.h"
#include "ui/act/no_key.h"
#include "ui/act/prompt_keys.h"
#include "ui/act/sort.h"
#include "ui/act/ui.h"
#include "ui/draw/body_page.h"
#include "ui/draw/context_line.h"
#include "ui/screen/line.h"
#include "ui/state/menu_lines.h"
#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/state/show.h"

enum { WHEEL_ROWS = 3 };

/* A key whose meaning comes with a later version; elsewhere, maybe, than it has one now. */
static unsigned later(struct nt_ui *ui, nt_key key, nt_time now)
{
	const struct nt_key_entry *entry = nt_key_entry(key);
	struct nt_line line = { 0 };
	nt_line_add(&line, "%s: not in this version; comes with %s", entry->caps, entry->comes_with);
	nt_ui_message(ui, now, line.text);
	return NT_UI_REDRAW;
}

/* A key with a meaning, but none on this screen. */
static unsigned not_here(struct nt_ui *ui, nt_time now)
{
	return nt_no_key(ui, NT_KEY_NONE, now);
}

/* ---- pages (help, log, detail): scrolling ---- */

static void scroll_page(struct nt_ui *ui, int lines)
{
	struct nt_page page;
	ui->page_top = nt_ui_page(ui, &page) + lines;
	int most = (int)page.line_count - ui->layout.body_height;
	nt_page_fini(&page);
	ui->log_at_end = ui->page_top >= most;
	if (ui->page_top > most)
		ui->page_top = most;
	if (ui->page_top < 0)
		ui->page_top = 0;
}

/* Lines that a moving key scrolls a page by; 0 = it is no moving key. */
static int page_lines(const struct nt_ui *ui, enum nt_action action)
{
	switch (action) {
	case NT_DO_UP:
		return -1;
	case NT_DO_DOWN:
		return 1;
	case NT_DO_PAGE_UP:
		return -ui->layout.body_height;
	case NT_DO_PAGE_DOWN:
		return ui->layout.body_height;
	case NT_DO_FIRST:
		return -(1 << 20);
	case NT_DO_LAST:
		return 1 << 20;
	default:
		return 0;
	}
}

/* ---- time ---- */

/* Recent, since the zero when there is one, since attach. */
static unsigned next_window(struct nt_ui *ui, nt_time now)
{
	/* Screens without a window are counted from the zero, too: it can be left where it was asked for. */
	bool has_window = nt_ui_view(ui)->has_window || (ui->is_span && nt_ui_view(ui)->has_totals);
	if (!has_window && !nt_ui_is_from_zero(ui))
		return not_here(ui, now);
	if (nt_ui_is_recent_only(ui)) {
		nt_ui_message(ui, now,
			      ui->is_span                 ? "Of a span this is known of its own samples only"
			      : ui->view == NT_VIEW_CALLS ? "Call stacks are kept for the last intervals only"
							  : "The methods of one thread are known for the last intervals only");
		return NT_UI_REDRAW;
	}
	if (has_window && ui->window == NT_WINDOW_RECENT) {
		ui->window = NT_WINDOW_ATTACH;
	} else if (nt_ui_is_from_zero(ui)) {
		nt_zero_free(ui->zero);
		ui->zero = NULL;
		nt_ui_show(ui, ui->shown, now);
		if (!has_window)
			nt_ui_message(ui, now, "All since attach again");
	} else {
		ui->window = NT_WINDOW_RECENT;
	}
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

/* ---- the table ---- */

static unsigned move(struct nt_ui *ui, enum nt_action action, nt_time now)
{
	long page = nt_ui_rows_height(ui);
	bool by_line = action == NT_DO_UP || action == NT_DO_DOWN;
	if (nt_ui_mutable_table(ui)->detail && !by_line) {
		scroll_page(ui, page_lines(ui, action));
		return NT_UI_REDRAW;
	}
	if (action == NT_DO_FIRST)
		nt_select_first(ui, now);
	else if (action == NT_DO_LAST)
		nt_select_last(ui, now);
	else
		nt_select_move(ui, (action == NT_DO_UP || action == NT_DO_PAGE_UP ? -1 : 1) * (by_line ? 1 : page), now);
	if (by_line)
		ui->page_top = 0;
	return NT_UI_REDRAW;
}

static unsigned hide(struct nt_ui *ui, unsigned bit, nt_time now)
{
	if (ui->view != NT_VIEW_METHODS && ui->view != NT_VIEW_CALLS)
		return not_here(ui, now);
	/* Hiding both would leave nothing: the last one wins. "My code" is of both screens. */
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	unsigned hidden = table->hide & bit ? 0 : bit;
	if (table->hide & NT_HIDE_FOREIGN)
		ui->tables[NT_VIEW_METHODS].hide = ui->tables[NT_VIEW_CALLS].hide = 0;
	table->hide = hidden;
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

static unsigned open_page(struct nt_ui *ui, enum nt_overlay page)
{
	ui->overlay = page;
	ui->page_top = 0;
	return NT_UI_REDRAW;
}

/* Of methods and of the calls of each. Methods of one's own are hardly ever the leaf: what they weigh is what they call, too. */
static unsigned toggle_my_code(struct nt_ui *ui, nt_time now)
{
	if (ui->view != NT_VIEW_METHODS && ui->view != NT_VIEW_CALLS)
		return not_here(ui, now);
	struct nt_table_state *methods = &ui->tables[NT_VIEW_METHODS];
	bool on = !(nt_ui_table(ui)->hide & NT_HIDE_FOREIGN);
	methods->hide = ui->tables[NT_VIEW_CALLS].hide = on ? NT_HIDE_FOREIGN : 0;
	methods->sort = nt_table_column(&nt_table_methods, on ? "total_pct" : "self_pct");
	methods->ascending = false;
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

static unsigned toggle_raw_names(struct nt_ui *ui, nt_time now)
{
	if (!nt_ui_view(ui)->has_raw_names)
		return not_here(ui, now);
	ui->raw_names = !ui->raw_names;
	/* The filter sees the names that are shown. */
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

static unsigned toggle_native(struct nt_ui *ui, nt_time now)
{
	if (!nt_ui_has_waiting_stacks(ui))
		return not_here(ui, now);
	ui->native = !ui->native;
	return NT_UI_REDRAW;
}

static unsigned follow(struct nt_ui *ui, nt_time now)
{
	struct nt_table_state *table = nt_ui_mutable_table(ui);
	if (nt_ui_view(ui)->follows_end) {
		nt_select_last(ui, now);
		return NT_UI_REDRAW;
	}
	table->follow = !table->follow && table->rows.count;
	table->moved = table->follow || table->cursor > 0;
	nt_select_refresh(ui, true, now);
	return NT_UI_REDRAW;
}

static unsigned next_header(struct nt_ui *ui, nt_time now)
{
	ui->header = nt_layout_next_header(&ui->layout);
	nt_ui_relayout(ui);
	nt_select_refresh(ui, false, now);
	return NT_UI_REDRAW;
}

static unsigned match(struct nt_ui *ui, int direction, nt_time now)
{
	if (!nt_select_match(ui, direction, now))
		nt_ui_message(ui, now, nt_ui_mutable_table(ui)->filter.active ? "No row matches" : "No row is out of its range");
	return NT_UI_REDRAW;
}

static unsigned annotate(struct nt_ui *ui, nt_time now)
{
	if (ui->view == NT_VIEW_CODE)
		return nt_go_out_of_code(ui, now);
	return nt_ui_view(ui)->method ? nt_go_annotate(ui, now) : not_here(ui, now);
}

/* Where a screen is not one of the tabs there is no next one, but there may be a next row of interest. */
static unsigned next_view(struct nt_ui *ui, int direction, nt_time now)
{
	if (nt_ui_tab(ui) >= NT_VIEW_TABS)
		return match(ui, direction, now);
	return nt_go_tab(ui, (nt_ui_tab(ui) + (direction > 0 ? 1 : NT_VIEW_TABS - 1)) % NT_VIEW_TABS, now);
}

/* ---- the table of actions ---- */

/* What `key` does here is `action`. */
static unsigned act(struct nt_ui *ui, nt_key key, enum nt_action action, nt_time now)
{
	if (nt_ui_has_nobody_to_ask(ui, action)) {
		nt_ui_message(ui, now, "This is a recording: there is no process that could be asked");
		return NT_UI_REDRAW;
	}
	switch (action) {
	case NT_DO_NOTHING:
		return nt_no_key(ui, key, now);
	case NT_DO_QUIT:
		return ui->config.from_list ? NT_UI_LIST : NT_UI_QUIT;
	case NT_DO_LIST:
		return NT_UI_LIST;
	case NT_DO_BEFORE:
		return NT_UI_BEFORE;
	case NT_DO_HELP:
		ui->overlay = NT_OVERLAY_HELP;
		ui->page_top = 0;
		return NT_UI_REDRAW;
	case NT_DO_LOG:
		ui->overlay = NT_OVERLAY_LOG;
		ui->log_at_end = true;
		return NT_UI_REDRAW;
	case NT_DO_STACKS:
		ui->overlay = NT_OVERLAY_STACKS;
		ui->page_top = 0;
		return NT_UI_REDRAW;
	case NT_DO_HEAP:
		return open_page(ui, NT_OVERLAY_HEAP) | NT_UI_HEAP;
	case NT_DO_DUMP:
		return open_page(ui, NT_OVERLAY_DUMP) | NT_UI_DUMP;
	case NT_DO_NATIVE:
		return toggle_native(ui, now);
	case NT_DO_REPAINT:
		return NT_UI_REDRAW | NT_UI_REPAINT;
	case NT_DO_SUSPEND:
		return NT_UI_SUSPEND;
	case NT_DO_UP:
	case NT_DO_DOWN:
	case NT_DO_PAGE_UP:
	case NT_DO_PAGE_DOWN:
	case NT_DO_FIRST:
	case NT_DO_LAST:
		return move(ui, action, now);
	case NT_DO_IN:
		return nt_go_in(ui, now);
	case NT_DO_OUT:
		return nt_go_out(ui, now);
	case NT_DO_VIEW_1:
	case NT_DO_VIEW_2:
	case NT_DO_VIEW_3:
	case NT_DO_VIEW_4:
	case NT_DO_VIEW_5:
	case NT_DO_VIEW_6:
	case NT_DO_VIEW_7:
	case NT_DO_VIEW_8:
	case NT_DO_VIEW_9:
	case NT_DO_VIEW_0:
	case NT_DO_VIEW_COUNTERS:
	case NT_DO_VIEW_IO:
	case NT_DO_VIEW_REQUESTS:
		return nt_go_view_of(ui, action, now);
	case NT_DO_ANNOTATE:
		return annotate(ui, now);
	case NT_DO_NEXT_VIEW:
		return next_view(ui, 1, now);
	case NT_DO_PREVIOUS_VIEW:
		return next_view(ui, -1, now);
	case NT_DO_FINDING:
		return nt_go_finding(ui, now);
	case NT_DO_MINUTES:
		return open_page(ui, NT_OVERLAY_TIME);
	case NT_DO_PAUSE:
		return nt_go_pause(ui, now);
	case NT_DO_SLOWER:
	case NT_DO_FASTER:
		return nt_go_speed(ui, action == NT_DO_FASTER, now);
	case NT_DO_BACK:
	case NT_DO_ON:
	case NT_DO_MINUTE_BACK:
	case NT_DO_MINUTE_ON:
	case NT_DO_DIFFERENCE:
		return nt_go_in_time(ui, action, now);
	case NT_DO_FILTER:
		return nt_prompt_open(ui, NT_PROMPT_FILTER);
	case NT_DO_NEXT_MATCH:
		return match(ui, 1, now);
	case NT_DO_PREVIOUS_MATCH:
		return match(ui, -1, now);
	case NT_DO_SORT_MENU:
		return nt_menu_open(ui, NT_OVERLAY_SORT);
	case NT_DO_COLUMNS:
		return nt_menu_open(ui, NT_OVERLAY_COLUMNS);
	case NT_DO_SORT_LEFT:
		return nt_sort_step(ui, -1, now);
	case NT_DO_SORT_RIGHT:
		return nt_sort_step(ui, 1, now);
	case NT_DO_SORT_CPU:
		return nt_sort_by_key(ui, NT_SORT_BY_CPU, now);
	case NT_DO_SORT_MEMORY:
		return nt_sort_by_key(ui, NT_SORT_BY_MEMORY, now);
	case NT_DO_SORT_TIME:
		return nt_sort_by_key(ui, NT_SORT_BY_TIME, now);
	case NT_DO_REVERSE:
		return nt_ui_mutable_table(ui)->sort
			       ? nt_sort_by(ui, nt_ui_mutable_table(ui)->sort, !nt_ui_mutable_table(ui)->ascending, now)
			       : 0;
	case NT_DO_WINDOW:
		return next_window(ui, now);
	case NT_DO_HIDE_KERNEL:
		return hide(ui, NT_HIDE_KERNEL, now);
	case NT_DO_HIDE_USER:
		return hide(ui, NT_HIDE_USER, now);
	case NT_DO_MY_CODE:
		return toggle_my_code(ui, now);
	case NT_DO_RESTRICT:
		return nt_prompt_open(ui, NT_PROMPT_RESTRICT);
	case NT_DO_EXPAND:
	case NT_DO_COLLAPSE:
	case NT_DO_BRANCH:
	case NT_DO_ALL_BRANCHES:
	case NT_DO_TURN:
	case NT_DO_TURN_BACK:
	case NT_DO_UNFOLD:
		if (ui->view == NT_VIEW_COUNTERS && action == NT_DO_EXPAND)
			return nt_menu_open(ui, NT_OVERLAY_PROVIDERS);
		if (ui->view == NT_VIEW_METHODS && action == NT_DO_TURN)
			return open_page(ui, NT_OVERLAY_PURPOSES);
		if (nt_ui_is_of_events(ui) && action == NT_DO_BRANCH)
			return nt_prompt_open(ui, NT_PROMPT_EVENTS);
		if (ui->view == NT_VIEW_GC && action == NT_DO_TURN)
			return open_page(ui, NT_OVERLAY_MEMORY);
		if (nt_ui_has_groupings(ui) && (action == NT_DO_TURN || action == NT_DO_TURN_BACK))
			return nt_go_grouping(ui, action == NT_DO_TURN ? 1 : -1, now);
		return ui->view == NT_VIEW_CALLS       ? nt_go_calls_key(ui, action, now)
		       : nt_key_entry(key)->comes_with ? later(ui, key, now)
						       : not_here(ui, now);
	case NT_DO_RAW_NAMES:
		return toggle_raw_names(ui, now);
	case NT_DO_FOLLOW:
		return follow(ui, now);
	case NT_DO_WRITE:
		return nt_menu_open(ui, NT_OVERLAY_WRITE);
	case NT_DO_HEADER:
		return next_header(ui, now);
	case NT_DO_DELAY:
		return nt_prompt_open(ui, NT_PROMPT_DELAY);
	case NT_DO_TO_TIME:
		return ui->shown ? nt_prompt_open(ui, NT_PROMPT_TIME) : 0;
	case NT_DO_ZERO:
		return nt_go_zero(ui, now);
	case NT_DO_THEMES:
		return nt_menu_open(ui, NT_OVERLAY_THEMES);
	case NT_DO_SAVE:
		return NT_UI_SAVE;
	case NT_DO_LATER:
		return later(ui, key, now);
	}
	return 0;
}

/* Keys that leave what lies over the table where it is. */
static bool keeps_overlay(enum nt_action action)
{
	return action == NT_DO_NOTHING || action == NT_DO_LATER || action == NT_DO_QUIT || action == NT_DO_REPAINT ||
	       action == NT_DO_SUSPEND || (action >= NT_DO_PAUSE && action <= NT_DO_MINUTE_ON) || action == NT_DO_NATIVE ||
	       action == NT_DO_SAVE;
}

/* The key that opened it closes it, too. */
static bool closes_overlay(const struct nt_ui *ui, enum nt_action action)
{
	static const enum nt_action opened_by[] = {
		[NT_OVERLAY_HELP] = NT_DO_HELP,     [NT_OVERLAY_LOG] = NT_DO_LOG,     [NT_OVERLAY_STACKS] = NT_DO_STACKS,
		[NT_OVERLAY_PURPOSES] = NT_DO_TURN, [NT_OVERLAY_MEMORY] = NT_DO_TURN, [NT_OVERLAY_HEAP] = NT_DO_HEAP,
		[NT_OVERLAY_DUMP] = NT_DO_DUMP,     [NT_OVERLAY_TIME] = NT_DO_MINUTES
	};
	if (!nt_ui_has_page(ui))
		return action == NT_DO_OUT || action == nt_menu_of(ui)->action;
	return action == NT_DO_OUT || action == NT_DO_IN || action == opened_by[ui->overlay];
}

/* The page of dumps: 1 to 5 choose one of the kinds, Enter begins. 0: it is another key. */
static unsigned handle_dump(struct nt_ui *ui, enum nt_action action)
{
	if (action == NT_DO_IN && ui->dump_can_begin) {
		ui->dump_can_begin = false;
		ui->dump_goes_on = true;
		return NT_UI_REDRAW | NT_UI_DUMP_BEGIN;
	}
	if (action < NT_DO_VIEW_1 || action >= NT_DO_VIEW_1 + NT_DUMP_KIND_COUNT || ui->dump_goes_on)
		return 0;
	ui->dump_kind = (enum nt_dump_kind)(action - NT_DO_VIEW_1);
	return NT_UI_REDRAW | NT_UI_DUMP;
}

static unsigned handle_overlay(struct nt_ui *ui, nt_key key, enum nt_action action, nt_time now)
{
	bool is_page = nt_ui_has_page(ui);
	unsigned of_time = ui->overlay == NT_OVERLAY_TIME ? nt_go_heat(ui, key, action, now) : 0;
	if (of_time)
		return of_time;
	int lines = is_page ? page_lines(ui, action) : 0;
	if (lines) {
		scroll_page(ui, lines);
		return NT_UI_REDRAW;
	}
	unsigned effects = 0;
	if (!is_page && nt_menu_handle(ui, action, now, &effects))
		return NT_UI_REDRAW | effects;
	if (keeps_overlay(action))
		return act(ui, key, action, now);
	if (ui->overlay == NT_OVERLAY_HEAP && (action == NT_DO_IN || action == NT_DO_TURN) && ui->heap_can_begin) {
		ui->heap_can_begin = false;
		return NT_UI_REDRAW | NT_UI_HEAP_BEGIN | (action == NT_DO_TURN ? NT_UI_HEAP_HOLDERS : 0u);
	}
	unsigned of_dump = ui->overlay == NT_OVERLAY_DUMP ? handle_dump(ui, action) : 0;
	if (of_dump)
		return of_dump;
	bool closes = closes_overlay(ui, action);
	unsigned left = nt_leave_overlay(ui);
	return NT_UI_REDRAW | left | (closes ? 0 : act(ui, key, action, now));
}

/* In the list of processes what is about one process has no meaning. */
static enum nt_action action_here(const struct nt_ui *ui, nt_key key)
{
	enum nt_action action = nt_key_action(key);
	return ui->config.list && nt_key_is_of_a_process(action) ? NT_DO_NOTHING : action;
}

static unsigned handle_typed(struct nt_ui *ui, nt_key key, nt_time now)
{
	if (ui->prompt != NT_PROMPT_NONE)
		return nt_prompt_handle(ui, key, now);
	if (ui->overlay != NT_OVERLAY_NONE)
		return handle_overlay(ui, key, action_here(ui, key), now);
	return act(ui, key, action_here(ui, key), now);
}

/* A prompt is left alone. */
static unsigned handle_mouse(struct nt_ui *ui, nt_key key, nt_time now)
{
	unsigned effects = 0;
	enum nt_mouse kind = nt_key_mouse_kind(key);
	if (ui->prompt != NT_PROMPT_NONE || ui->layout.too_small)
		return 0;
	if (kind == NT_MOUSE_CLICK)
		return nt_mouse_click(ui, nt_key_mouse_x(key), nt_key_mouse_y(key), now);
	if (kind == NT_MOUSE_RELEASE)
		return ui->overlay == NT_OVERLAY_TIME ? nt_mouse_time_release(ui, nt_key_mouse_x(key), nt_key_mouse_y(key)) : 0;
	if (ui->overlay == NT_OVERLAY_TIME)
		return nt_go_in_time(ui, kind == NT_MOUSE_WHEEL_UP ? NT_DO_BACK : NT_DO_ON, now);
	for (int i = 0; i < WHEEL_ROWS; i++)
		effects |= handle_typed(ui, kind == NT_MOUSE_WHEEL_UP ? NT_KEY_UP : NT_KEY_DOWN, now);
	return effects;
}

/* A click on a key's word in the last line, or in a page that names some, is that key. */
static nt_key meant(const struct nt_ui *ui, nt_key key)
{
	bool click = key & NT_KEY_MOUSE && nt_key_mouse_kind(key) == NT_MOUSE_CLICK && !ui->layout.too_small;
	nt_key named = click ? nt_context_line_key_at(ui, nt_key_mouse_x(key), nt_key_mouse_y(key)) : NT_KEY_NONE;
	if (click && named == NT_KEY_NONE)
		named = nt_body_page_key_at(ui, nt_key_mouse_x(key), nt_key_mouse_y(key));
	return named != NT_KEY_NONE ? named : key;
}

unsigned nt_ui_handle(struct nt_ui *ui, nt_key typed, nt_time now)
{
	if (nt_key_is_pasted(typed))
		return nt_prompt_paste(ui, typed & ~NT_KEY_PASTED, now);
	nt_key key = meant(ui, typed);
	unsigned effects = 0;
	bool is_release = key & NT_KEY_MOUSE && nt_key_mouse_kind(key) == NT_MOUSE_RELEASE;
	/* A key answers a message; that a button is let go belongs to the click before. */
	if (*ui->message && !is_release) {
		ui->message[0] = '\0';
		effects = NT_UI_REDRAW;
	}
	if (key == nt_key_ctrl('c'))
		return NT_UI_INTERRUPT;
	effects |= key & NT_KEY_MOUSE ? handle_mouse(ui, key, now) : handle_typed(ui, key, now);
	return effects;
}
