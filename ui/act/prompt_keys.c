// SPDX-License-Identifier: GPL-2.0-only
#include "ui/act/prompt_keys.h"

#include "base/text.h"
#include "ui/act/go.h"
#include "ui/act/go_time.h"
#include "ui/act/providers.h"
#include "ui/act/write.h"
#include "ui/state/message.h"
#include "ui/state/select.h"
#include "ui/views/view_events.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_DELAY_S 0.1
#define MOST_DELAY_S  3600.0

unsigned nt_prompt_open(struct nt_ui *ui, enum nt_prompt prompt)
{
	ui->prompt = prompt;
	ui->prompt_text[0] = '\0';
	if (prompt == NT_PROMPT_FILTER)
		snprintf(ui->prompt_text, sizeof(ui->prompt_text), "%s", nt_ui_table(ui)->filter.text);
	if (prompt == NT_PROMPT_EVENTS)
		snprintf(ui->prompt_text, sizeof(ui->prompt_text), "%s", ui->events);
	return NT_UI_REDRAW;
}

static unsigned set_delay(struct nt_ui *ui, nt_time now)
{
	char *end;
	double seconds = strtod(ui->prompt_text, &end);
	if (!*ui->prompt_text)
		return NT_UI_REDRAW;
	if (end == ui->prompt_text || *end || !isfinite(seconds) || seconds < LEAST_DELAY_S || seconds > MOST_DELAY_S) {
		nt_ui_message(ui, now, "An interval is a number of seconds from 0.1 to 3600");
		return NT_UI_REDRAW;
	}
	ui->config.interval_ns = (nt_time)(seconds * (double)NT_NS_PER_S);
	return NT_UI_REDRAW | NT_UI_INTERVAL;
}

static unsigned choose_events(struct nt_ui *ui, nt_time now)
{
	memcpy(ui->events, ui->prompt_text, sizeof(ui->events));
	nt_ui_message(ui, now, *ui->events ? NT_VIEW_EVENTS_ASKED : NT_VIEW_EVENTS_LEFT);
	return NT_UI_REDRAW | NT_UI_EVENTS;
}

static void prompt_erase(char *text)
{
	size_t length = strlen(text);
	while (length && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
		length--;
	text[length ? length - 1 : 0] = '\0';
}

static void prompt_add(struct nt_ui *ui, nt_key key)
{
	char bytes[4];
	size_t used = strlen(ui->prompt_text), length = nt_utf8_encode(key, bytes);
	if (key < ' ' || key >= NT_KEY_NONE || used + length >= sizeof(ui->prompt_text))
		return;
	memcpy(ui->prompt_text + used, bytes, length);
	ui->prompt_text[used + length] = '\0';
}

unsigned nt_prompt_handle(struct nt_ui *ui, nt_key key, nt_time now)
{
	if (ui->prompt == NT_PROMPT_RESTRICT) {
		ui->prompt = NT_PROMPT_NONE;
		return nt_go_restrict(ui, key, now);
	}
	bool is_filter = ui->prompt == NT_PROMPT_FILTER;
	if (key == NT_KEY_ENTER) {
		enum nt_prompt prompt = ui->prompt;
		ui->prompt = NT_PROMPT_NONE;
		if (prompt == NT_PROMPT_EVENTS)
			return choose_events(ui, now);
		return is_filter                      ? NT_UI_REDRAW
		       : prompt == NT_PROMPT_FILE     ? nt_write_named(ui, now)
		       : prompt == NT_PROMPT_PROVIDER ? nt_providers_named(ui, now)
		       : prompt == NT_PROMPT_TIME     ? nt_go_to_time(ui, ui->prompt_text, now)
						      : set_delay(ui, now);
	}
	if (key == NT_KEY_ESCAPE) {
		ui->prompt = NT_PROMPT_NONE;
		if (is_filter)
			nt_select_filter(ui, "", now);
		return NT_UI_REDRAW;
	}
	if (key == NT_KEY_BACKSPACE)
		prompt_erase(ui->prompt_text);
	else if (key == nt_key_ctrl('u'))
		ui->prompt_text[0] = '\0';
	else
		prompt_add(ui, key);
	if (is_filter)
		nt_select_filter(ui, ui->prompt_text, now);
	return NT_UI_REDRAW;
}

unsigned nt_prompt_paste(struct nt_ui *ui, nt_key character, nt_time now)
{
	static const char no_prompt[] = "What is pasted is text, and nothing asks for any here; / filters by one";
	bool is_text = ui->prompt != NT_PROMPT_NONE && ui->prompt != NT_PROMPT_RESTRICT;
	size_t length = strlen(ui->prompt_text);
	if (ui->prompt == NT_PROMPT_NONE && strcmp(ui->message, no_prompt) != 0) /* once for all of it */
		nt_ui_message(ui, now, no_prompt);
	if (is_text)
		prompt_add(ui, character);
	if (ui->prompt == NT_PROMPT_FILTER && strlen(ui->prompt_text) != length) /* what does not fit costs nothing: a megabyte may come */
		nt_select_filter(ui, ui->prompt_text, now);
	return NT_UI_REDRAW;
}
