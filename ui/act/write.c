// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/write.h"

#include "ui/act/ui.h"
#include "ui/screen/line.h"
#include "ui/state/file_choice.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* `nettop-4711-methods-20261121T140307.txt`, after the time of what is on the screen; of the list of processes without a pid, of a recording without the screen. */
static void suggest(const struct nt_ui *ui, const struct nt_file_choice *choice, char *name, size_t size)
{
	const struct nt_snapshot *of = nt_file_is_recording(choice->file) ? ui->live : ui->shown;
	time_t seconds = (time_t)(((int64_t)(of ? of->t1 : 0) + ui->config.realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts = { 0 };
	char when[32], pid[16] = "";
	localtime_r(&seconds, &parts);
	strftime(when, sizeof(when), "%Y%m%dT%H%M%S", &parts);
	if (ui->has_process)
		snprintf(pid, sizeof(pid), "%" PRIu32 "-", ui->process.target.pid);
	if (nt_file_is_recording(choice->file))
		snprintf(name, size, "nettop-%s%s.%s", pid, when, choice->suffix);
	else
		snprintf(name, size, "nettop-%s%s-%s.%s", pid, nt_ui_view(ui)->table->key, when, choice->suffix);
}

unsigned nt_write_choose(struct nt_ui *ui, size_t index, nt_time now)
{
	const struct nt_file_choice *choice = nt_file_choice_at(ui, index);
	if (choice->file == NT_FILE_LAST_MINUTES && !ui->tape.kept_ns) {
		nt_ui_message(ui, now, "Nothing is kept of what was: start nettop with --flight MINUTES");
		return 0;
	}
	if (!nt_ui_has_rows(ui) && !nt_file_is_recording(choice->file)) {
		nt_ui_message(ui, now, "There is nothing to write yet");
		return 0;
	}
	ui->file = choice->file;
	if (!choice->suffix)
		return NT_UI_WRITE;
	suggest(ui, choice, ui->file_name, sizeof(ui->file_name));
	snprintf(ui->prompt_text, sizeof(ui->prompt_text), "%s", ui->file_name);
	ui->prompt = NT_PROMPT_FILE;
	return 0;
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

void nt_ui_tape(struct nt_ui *ui, const struct nt_ui_tape *tape)
{
	ui->tape = *tape;
}

struct nt_file_wish nt_ui_file_wish(const struct nt_ui *ui)
{
	return (struct nt_file_wish){ .file = ui->file, .name = ui->file_name, .suggested = ui->file_is_suggested };
}
