// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/write.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* Where a choice is offered. */
enum where { EVERYWHERE, CALL_TREE, OF_A_PROCESS };

static const struct choice {
	enum where where;
	enum nt_file file;
	const char *suffix; /* of the name that is suggested */
	const char *word, *help;
	const char *comes_with; /* what it is not there without, as struct nt_key_entry has it; NULL = it is there */
} choices[] = {
	{ EVERYWHERE, NT_FILE_SCREEN, "txt", "this screen", "the header and all rows that the filter leaves, as text", NULL },
	{ CALL_TREE, NT_FILE_FLAMEGRAPH, "svg", "flame graph", "all call stacks of the last intervals, for a browser", NULL },
	{ CALL_TREE, NT_FILE_FOLDED, "folded", "folded", "the same, for flamegraph.pl", NULL },
	{ CALL_TREE, NT_FILE_SPEEDSCOPE, "speedscope.json", "speedscope", "the same, for speedscope.app", NULL },
	{ CALL_TREE, NT_FILE_PPROF, "pb", "pprof", "the same, for go tool pprof", NULL },
	{ OF_A_PROCESS, NT_FILE_SCREEN, NULL, "report", "what was found, and why", "reports" },
	{ OF_A_PROCESS, NT_FILE_SCREEN, NULL, "recording", "everything from now on", "recordings" },
	{ OF_A_PROCESS, NT_FILE_SCREEN, NULL, "last minutes", "everything of the last 15 minutes", "recordings" },
};

enum { CHOICES = sizeof(choices) / sizeof(choices[0]) };

static bool is_offered(const struct nt_ui *ui, const struct choice *choice)
{
	switch (choice->where) {
	case CALL_TREE:
		return ui->view == NT_VIEW_CALLS;
	case OF_A_PROCESS:
		return !ui->config.list;
	default:
		return true;
	}
}

/* The line `index` of the menu; NULL = it has no such line. */
static const struct choice *choice_at(const struct nt_ui *ui, size_t index)
{
	for (size_t i = 0; i < CHOICES; i++)
		if (is_offered(ui, &choices[i]) && index-- == 0)
			return &choices[i];
	return NULL;
}

size_t nt_write_count(const struct nt_ui *ui)
{
	size_t count = 0;
	while (choice_at(ui, count))
		count++;
	return count;
}

void nt_write_line(const struct nt_ui *ui, size_t index, struct nt_line *out)
{
	const struct choice *choice = choice_at(ui, index);
	nt_line_add(out, " %-13s ", choice->word);
	if (choice->comes_with)
		nt_line_add(out, "not in this version; comes with %s: ", choice->comes_with);
	nt_line_add(out, "%s", choice->help);
}

/* `nettop-4711-methods-20261121T140307.txt`, after the time of what is on the screen; of the list of processes without a pid. */
static void suggest(const struct nt_ui *ui, const char *suffix, char *name, size_t size)
{
	time_t seconds = (time_t)(((int64_t)ui->shown->t1 + ui->config.realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts = { 0 };
	char when[32], pid[16] = "";
	localtime_r(&seconds, &parts);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &parts);
	if (ui->has_process)
		snprintf(pid, sizeof(pid), "%" PRIu32 "-", ui->process.target.pid);
	snprintf(name, size, "nettop-%s%s-%s.%s", pid, nt_ui_view(ui)->table->key, when, suffix);
}

void nt_write_choose(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct choice *choice = choice_at(ui, index);
	if (choice->comes_with) {
		struct nt_line line = { 0 };
		nt_line_add(&line, "Not in this version; comes with %s", choice->comes_with);
		nt_ui_message(ui, now, line.text);
	} else if (!nt_ui_has_rows(ui)) {
		nt_ui_message(ui, now, "There is nothing to write yet");
	} else {
		suggest(ui, choice->suffix, ui->file_name, sizeof(ui->file_name));
		snprintf(ui->prompt_text, sizeof(ui->prompt_text), "%s", ui->file_name);
		ui->file = choice->file;
		ui->prompt = NT_PROMPT_FILE;
	}
}

unsigned nt_write_named(struct nt_ui *ui, nt_time now)
{
	if (!*ui->prompt_text) {
		nt_ui_message(ui, now, "Nothing was written: there was no name");
		return NT_UI_REDRAW;
	}
	ui->file_is_suggested = strcmp(ui->prompt_text, ui->file_name) == 0;
	snprintf(ui->file_name, sizeof(ui->file_name), "%s", ui->prompt_text);
	return NT_UI_REDRAW | NT_UI_WRITE;
}

struct nt_file_wish nt_ui_file_wish(const struct nt_ui *ui)
{
	return (struct nt_file_wish){ .file = ui->file, .name = ui->file_name, .suggested = ui->file_is_suggested };
}
