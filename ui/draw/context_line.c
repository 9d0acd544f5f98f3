// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/context_line.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/draw/body_page.h"
#include "ui/screen/line.h"
#include "ui/state/menu_lines.h"

#include <stdio.h>
#include <string.h>

enum { HINT = 64 };

/* ---- position ---- */

static void page_position(const struct nt_ui *ui, char *out, size_t size)
{
	struct nt_page page;
	size_t top = (size_t)nt_ui_page(ui, &page), last = top + (size_t)ui->layout.body_height;
	if (page.line_count > (size_t)ui->layout.body_height)
		snprintf(out, size, "%zu-%zu of %zu", top + 1, last < page.line_count ? last : page.line_count, page.line_count);
	nt_page_fini(&page);
}

static void table_position(const struct nt_ui *ui, char *out, size_t size)
{
	const struct nt_table_state *table = nt_ui_table(ui);
	size_t last = table->top + (size_t)nt_ui_rows_height(ui), count = table->rows.count;
	struct nt_line line = { 0 }, beyond = { 0 };
	if (!table->rows.all_count)
		return;
	nt_line_add(&line, "%zu-%zu of %zu", count ? table->top + 1 : 0, last < count ? last : count, count);
	if (count != table->rows.all_count)
		nt_line_add(&line, " (%zu)", table->rows.all_count);
	if (nt_ui_view(ui)->beyond)
		nt_ui_view(ui)->beyond(&ui->process, &beyond);
	if (beyond.used)
		nt_line_add(&line, " %s", beyond.text);
	snprintf(out, size, "%s", line.text);
}

static void position_text(const struct nt_ui *ui, char *out, size_t size)
{
	out[0] = '\0';
	if (nt_menu_of(ui))
		return;
	if (nt_ui_has_page(ui) || nt_ui_table(ui)->detail)
		page_position(ui, out, size);
	else
		table_position(ui, out, size);
}

/* ---- keys ---- */

/* NULL: the key has none, or no meaning here. */
static const char *hint_here(const struct nt_ui *ui, const struct nt_key_entry *entry)
{
	const struct nt_view *view = nt_ui_view(ui);
	if (ui->config.list && nt_key_is_of_a_process(entry->action))
		return NULL;
	if (nt_ui_has_nobody_to_ask(ui, entry->action))
		return NULL;
	bool tree = ui->view == NT_VIEW_CALLS;
	switch (entry->action) {
	case NT_DO_FILTER:
	case NT_DO_SORT_MENU:
	case NT_DO_WRITE:
		return tree ? NULL : entry->hint; /* the tree's own keys need the room */
	case NT_DO_QUIT:
		return ui->config.from_list ? "q back" : entry->hint;
	case NT_DO_IN:
		if (ui->config.list)
			return "Enter open";
		if (ui->view == NT_VIEW_METHODS)
			return "Enter tree";
		return view->enter == NT_PART_ALL ? entry->hint : "Enter methods";
	case NT_DO_EXPAND:
		return tree ? entry->hint : ui->view == NT_VIEW_COUNTERS ? "+ ask for" : NULL;
	case NT_DO_BRANCH:
		return nt_ui_is_of_events(ui) ? "e choose" : tree ? entry->hint : NULL;
	case NT_DO_ALL_BRANCHES:
	case NT_DO_UNFOLD:
		return tree ? entry->hint : NULL;
	case NT_DO_TURN:
		return nt_ui_has_groupings(ui) ? entry->hint : !tree ? NULL : ui->calls.callers ? "v callees" : "v callers";
	case NT_DO_WINDOW:
		return view->has_window && !tree ? entry->hint : NULL;
	case NT_DO_ANNOTATE:
		return ui->view == NT_VIEW_CODE ? "a back" : view->method ? entry->hint : NULL;
	case NT_DO_RESTRICT:
		return tree ? "x zoom" : view->part ? entry->hint : NULL;
	default:
		return entry->hint;
	}
}

static const char *hint_of(const char *hint, bool caps_only, char *buf, size_t size)
{
	snprintf(buf, size, "%s", hint);
	if (caps_only)
		buf[strcspn(buf, " ")] = '\0';
	return buf;
}

/* As many hints as fit, in the order of the table; the one for help always. */
static void table_hints(const struct nt_ui *ui, int room, struct nt_line *out)
{
	const char *between = ui->layout.short_hints ? " " : "  ";
	char hint[HINT], help[HINT] = "";
	for (size_t i = 0; i < nt_key_table_count; i++)
		if (nt_key_table[i].action == NT_DO_HELP)
			hint_of(nt_key_table[i].hint, ui->layout.short_hints, help, sizeof(help));
	room -= nt_text_cells(help);
	for (size_t i = 0; i < nt_key_table_count; i++) {
		const char *here = hint_here(ui, &nt_key_table[i]);
		if (!here || nt_key_table[i].action == NT_DO_HELP)
			continue;
		hint_of(here, ui->layout.short_hints, hint, sizeof(hint));
		if (nt_text_cells(out->text) + nt_text_cells(hint) + (int)strlen(between) <= room)
			nt_line_add(out, "%s%s", hint, between);
	}
	nt_line_add(out, "%s", help);
}

static void hints(const struct nt_ui *ui, int room, struct nt_line *out)
{
	const char *text = NULL;
	bool native = nt_ui_has_waiting_stacks(ui);
	if (ui->overlay == NT_OVERLAY_TIME)
		text = "Esc back  [ ] interval  Up Dn part of it  x span  = compare  Enter show";
	else if (nt_ui_has_page(ui))
		text = "Esc back  Up Dn PgUp PgDn scroll";
	else if (nt_menu_of(ui))
		text = nt_menu_of(ui)->hint;
	else if (nt_ui_table(ui)->detail)
		text = "Esc back  Up Dn other row  PgUp PgDn scroll  ? help";
	if (text)
		nt_line_add(out, "%s%s", text, !native ? "" : ui->native ? "  l managed" : "  l native");
	else
		table_hints(ui, room, out);
}

/* ---- prompts ---- */

/* What stands before the text that is typed, and after it when there is room. */
static void prompt_words(const struct nt_ui *ui, struct nt_line *label, struct nt_line *keys)
{
	const struct nt_ui_rows *rows = &nt_ui_table(ui)->rows;
	switch (ui->prompt) {
	case NT_PROMPT_NONE:
		break;
	case NT_PROMPT_FILTER:
		nt_line_add(label, "/ ");
		nt_line_add(keys, "%s: %zu of %zu   Enter keep  Esc drop  Ctrl-U clear",
			    nt_ui_view(ui)->table->row_field ? "regexp, Field>1" : "regexp", rows->count, rows->all_count);
		break;
	case NT_PROMPT_DELAY:
		nt_line_add(label, "Interval: ");
		nt_line_add(keys, "seconds, 0.1 to 3600   Enter set  Esc drop");
		break;
	case NT_PROMPT_TIME:
		nt_line_add(label, "Time: ");
		nt_line_add(keys, "HH:MM:SS, or +SEC since the begin   Enter go  Esc drop");
		break;
	case NT_PROMPT_RESTRICT:
		if (ui->view == NT_VIEW_CALLS) {
			nt_line_add(label, "Only: s subtree  t thread  m module  k kind  p pauses  o outside  x all");
			nt_line_add(keys, "Esc drop");
			break;
		}
		nt_line_add(label, "Only: t thread  m module  k kind  x all");
		nt_line_add(keys, "p in GC pauses  o outside   Esc drop");
		break;
	case NT_PROMPT_EVENTS:
		nt_line_add(label, "Events, 2 to 5 us each: ");
		nt_line_add(keys, "as clr/GC* Shop-Orders log   Enter ask  Esc drop");
		break;
	case NT_PROMPT_FILE:
		nt_line_add(label, "File: ");
		nt_line_add(keys, "Enter write  Esc drop  Ctrl-U clear");
		break;
	case NT_PROMPT_PROVIDER:
		nt_line_add(label, "EventSource or Meter: ");
		nt_line_add(keys, "Enter ask for it  Esc drop  Ctrl-U clear");
		break;
	}
}

/* Add what was typed; of what is too long, the end, where the next character goes. */
static void add_typed(const char *typed, int room, struct nt_line *out)
{
	struct nt_line safe = { 0 };
	nt_line_add_safe(&safe, typed);
	const char *text = safe.text;
	while (*text && nt_text_cells(text) > (text == safe.text ? room : room - 1)) {
		uint32_t code;
		text += nt_utf8_decode(text, strlen(text), &code);
	}
	nt_line_add(out, "%s%s", text == safe.text ? "" : "…", text);
}

/* What is in the line: at the left, and at the right (empty where there is no room for it). Returns the cells before what was typed. */
static int prompt_line(const struct nt_ui *ui, struct nt_line *left, struct nt_line *right)
{
	int width = ui->layout.width;
	prompt_words(ui, left, right);
	int label_cells = nt_text_cells(left->text);
	add_typed(ui->prompt_text, width - 2 - label_cells, left);
	if (nt_text_cells(left->text) + nt_text_cells(right->text) + 4 > width)
		*right = (struct nt_line){ 0 };
	return label_cells;
}

static void draw_prompt(const struct nt_ui *ui, struct nt_grid *grid, int y)
{
	struct nt_line left = { 0 }, right = { 0 };
	int label_cells = prompt_line(ui, &left, &right);
	nt_grid_put_right(grid, 0, y, grid->width, NT_STYLE_DIM, right.text);
	int x = nt_grid_put(grid, 0, y, grid->width - 1, NT_STYLE_PLAIN, left.text);
	if (ui->prompt == NT_PROMPT_FILTER && nt_ui_table(ui)->filter.invalid)
		nt_grid_paint(grid, label_cells, y, x - label_cells, NT_STYLE_MARK);
	nt_grid_put(grid, x, y, 1, NT_STYLE_CURSOR, " ");
}

/* The cells that are left to keys and messages. The last cell of a screen costs a terminal ten bytes more than any other. */
static int room_beside(const struct nt_ui *ui, const char *position)
{
	return ui->layout.width - 1 - nt_text_cells(position) - 2;
}

/* `Esc back  Up Dn scroll`: the word itself where it is a key, else the first one of those that belong together. */
static nt_key named_at(const char *text, int x)
{
	if (x < 0 || (size_t)x >= strlen(text) || text[x] == ' ')
		return NT_KEY_NONE;
	const char *word = text + x, *first;
	while (word > text && word[-1] != ' ')
		word--;
	for (first = word; first > text && !(first[-1] == ' ' && first - text > 1 && first[-2] == ' ');)
		first--;
	nt_key key = nt_key_called(word, strcspn(word, " "));
	return key != NT_KEY_NONE ? key : nt_key_called(first, strcspn(first, " "));
}

/* `Only: t thread  m module`: the letter that stands for itself, or before the word. */
static nt_key letter_at(const char *text, int x)
{
	if (x < 0 || (size_t)x >= strlen(text) || text[x] == ' ')
		return NT_KEY_NONE;
	const char *word = text + x;
	while (word > text && word[-1] != ' ')
		word--;
	bool after_letter = word - text >= 3 && word[-3] == ' ';
	if (strcspn(word, " ") > 1 && after_letter)
		word -= 2;
	return strcspn(word, " ") == 1 ? (nt_key)(unsigned char)*word : NT_KEY_NONE;
}

static nt_key prompt_key_at(const struct nt_ui *ui, int x)
{
	struct nt_line left = { 0 }, right = { 0 };
	prompt_line(ui, &left, &right);
	int begin = ui->layout.width - nt_text_cells(right.text);
	if (x < begin)
		return ui->prompt == NT_PROMPT_RESTRICT ? letter_at(left.text, x) : NT_KEY_NONE;
	nt_key key = named_at(right.text, x - begin);
	return key == NT_KEY_NONE && ui->prompt == NT_PROMPT_RESTRICT ? letter_at(right.text, x - begin) : key;
}

nt_key nt_context_line_key_at(const struct nt_ui *ui, int x, int y)
{
	struct nt_line line = { 0 };
	char position[NT_LINE_BYTES];
	if (y != ui->layout.context_y || x < 0)
		return NT_KEY_NONE;
	if (ui->prompt != NT_PROMPT_NONE)
		return prompt_key_at(ui, x);
	if (*ui->message)
		return NT_KEY_NONE;
	position_text(ui, position, sizeof(position));
	int room = room_beside(ui, position);
	hints(ui, room, &line);
	return x < room ? named_at(line.text, x) : NT_KEY_NONE;
}

void nt_context_line_draw(const struct nt_ui *ui, struct nt_grid *grid)
{
	struct nt_line left = { 0 };
	char position[NT_LINE_BYTES], cut[NT_LINE_BYTES];
	int y = ui->layout.context_y, width = grid->width - 1;
	if (ui->prompt != NT_PROMPT_NONE) {
		draw_prompt(ui, grid, y);
		return;
	}
	position_text(ui, position, sizeof(position));
	int room = room_beside(ui, position);
	if (*ui->message)
		nt_line_add(&left, "%s", ui->message);
	else
		hints(ui, room, &left);
	nt_grid_put(grid, 0, y, room, *ui->message ? NT_STYLE_PLAIN : NT_STYLE_DIM, nt_shorten_tail(left.text, room, cut, sizeof(cut)));
	nt_grid_put_right(grid, 0, y, width, NT_STYLE_PLAIN, position);
}
