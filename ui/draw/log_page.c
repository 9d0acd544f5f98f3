// SPDX-License-Identifier: GPL-2.0-only
#include "ui/draw/log_page.h"

#include "ui/views/view_snapshot.h"

#include <inttypes.h>

/* What LTTng lacks takes nothing away where EventPipe delivers. */
static bool is_missing(const struct nt_ui *ui, const struct nt_source_row *source)
{
	const struct nt_source_row *eventpipe = nt_snapshot_source(ui->shown, NT_SOURCE_EVENTPIPE);
	bool replaced = source->id == NT_SOURCE_LTTNG && source->state != NT_STATE_DELIVERING && eventpipe &&
			eventpipe->state == NT_STATE_DELIVERING;
	return source->fix && !replaced;
}

static void fixes(const struct nt_ui *ui, struct nt_page *page)
{
	size_t before = page->line_count;
	for (size_t i = 0; ui->shown && i < ui->shown->source_count; i++) {
		const struct nt_source_row *source = &ui->shown->sources[i];
		struct nt_line label = { 0 };
		if (!is_missing(ui, source))
			continue;
		if (page->line_count == before)
			nt_page_line(page, NT_STYLE_DIM, " Brings what is missing:");
		nt_line_add(&label, "   %-6s ", nt_source_name(source->id));
		nt_page_text(page, NT_STYLE_PLAIN, label.text, source->fix);
	}
	if (page->line_count != before)
		nt_page_line(page, NT_STYLE_PLAIN, "");
}

static void log_line(const struct nt_ui *ui, const struct nt_log_line *line, struct nt_page *page)
{
	static const char *const who[] = { [NT_LOG_NETTOP] = "nettop", [NT_LOG_OUTPUT] = "out", [NT_LOG_ERROR] = "err" };
	struct nt_line label = { 0 };
	char clock[32];
	if (!ui->layout.compact)
		nt_line_add(&label, " %s", nt_ui_clock(ui, line->time + (nt_time)ui->config.said_ahead_ns, clock, sizeof(clock)));
	nt_line_add(&label, " %-6s ", who[line->kind]);
	nt_page_text(page, line->kind == NT_LOG_NETTOP ? NT_STYLE_DIM : NT_STYLE_PLAIN, label.text, line->text);
}

void nt_log_page_fill(const struct nt_ui *ui, struct nt_page *page)
{
	const struct nt_log *log = ui->config.log;
	size_t count = log ? nt_log_count(log) : 0;
	fixes(ui, page);
	if (!count)
		nt_page_text(page, NT_STYLE_DIM, " ",
			     "Nothing was said. Messages of nettop come here, and what a program writes that nettop run has started.");
	else if (nt_log_dropped(log)) {
		struct nt_line older = { 0 };
		nt_line_add(&older, " %" PRIu64 " older lines are gone", nt_log_dropped(log));
		nt_page_line(page, NT_STYLE_DIM, older.text);
	}
	for (size_t i = 0; i < count; i++) {
		struct nt_log_line line = nt_log_line(log, i);
		log_line(ui, &line, page);
	}
}
