// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/help.h"

#include "base/text.h"
#include "nettop/tile.h"
#include "ui/screen/habits.h"
#include "ui/screen/marks.h"

enum { LABEL = 10, ENTRY = 23, CAPS = 9 };

static void key_group(const struct nt_ui *ui, enum nt_key_group group, int per_line, struct nt_page *page)
{
	struct nt_line line = { 0 };
	size_t first = page->line_count;
	int on_line = 0;
	nt_line_add(&line, " %-*s", LABEL - 1, nt_key_group_name(group));
	for (size_t i = 0; i < nt_key_table_count; i++) {
		const struct nt_key_entry *entry = &nt_key_table[i];
		bool is_here = !(ui->config.list && nt_key_is_of_a_process(entry->action)) && !nt_ui_has_nobody_to_ask(ui, entry->action);
		if (entry->group != group || !is_here)
			continue;
		if (on_line == per_line) {
			nt_page_line(page, NT_STYLE_PLAIN, line.text);
			line = (struct nt_line){ 0 };
			nt_line_add(&line, "%*s", LABEL, "");
			on_line = 0;
		}
		nt_line_add(&line, "%-*s%-*s", CAPS, entry->caps, ENTRY - CAPS, entry->word);
		on_line++;
	}
	if (on_line)
		nt_page_line(page, NT_STYLE_PLAIN, line.text);
	nt_page_names_keys(page, first, LABEL, ENTRY);
}

static void described(struct nt_page *page, const char *title, const char *help)
{
	struct nt_line label = { 0 };
	int cells = nt_text_cells(title);
	nt_line_add(&label, " %s%*s", title, cells < LABEL - 1 ? LABEL - 1 - cells : 0, "");
	nt_page_text(page, NT_STYLE_PLAIN, label.text, help);
}

/* Of keys that do something else here: who presses them sees that, and not what they wanted. */
static void habits(struct nt_page *page)
{
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (size_t i = 0; i < nt_habit_count; i++) {
		const struct nt_habit *habit = &nt_habits[i];
		struct nt_line line = { 0 };
		if (!habit->instead || habit->action == NT_DO_NOTHING)
			continue;
		nt_line_add(&line, "in %s: %s. %s", habit->of, habit->expects, habit->instead);
		described(page, habit->caps, line.text);
	}
}

void nt_help_fill(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_column *columns[NT_PLACED_MAX];
	size_t count = nt_ui_columns(ui, columns);
	int per_line = (page->width - LABEL) / ENTRY;
	for (size_t i = 0; i < nt_mark_count; i++)
		described(page, nt_marks[i].sign, nt_marks[i].means);
	for (int group = 0; group < NT_KEY_GROUP_COUNT; group++)
		key_group(ui, (enum nt_key_group)group, per_line > 1 ? per_line : 1, page);
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (size_t i = 0; i < count; i++)
		if (*columns[i]->title)
			described(page, columns[i]->title, columns[i]->help);
	if (ui->config.list)
		return;
	nt_page_line(page, NT_STYLE_PLAIN, "");
	for (int tile = 0; tile < NT_SUBJECT_TILES; tile++)
		described(page, nt_subjects[tile]->label, nt_subjects[tile]->help);
	habits(page);
}
