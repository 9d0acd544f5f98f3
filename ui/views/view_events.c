// SPDX-License-Identifier: GPL-2.0-only
/* Screen 9: events one by one, the newest last. */
#include "ui/views/view_events.h"

#include "base/text.h"
#include "base/told_text.h"
#include "nettop/shorten.h"
#include "nettop/source.h"
#include "ui/views/view_cells.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBER = 32, LABEL = 7, GAP = 3, TEXT = 2048 };

#define LOG_EVENT "Microsoft-Extensions-Logging/FormattedMessage"

static const struct nt_told_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	enum nt_told_row_kind kind = of(row)->kind;
	return kind == NT_TOLD_ROW_LOST ? NT_ROW_MARKED : kind == NT_TOLD_ROW_MORE ? NT_ROW_QUIET : 0;
}

static uint64_t home(const struct nt_process_snapshot *process)
{
	const struct nt_told *told = &process->told;
	return told->row_count ? told->rows[told->row_count - 1]->id : 0;
}

/* ---- cells ---- */

/* A message of the program's log: its level, and `Shop.Cart: no stock`, as the console has them. */
static bool log_cell(const struct nt_told_row *row, bool is_event, int room, char *out, size_t size)
{
	static const char *const levels[] = { "trace", "debug", "info", "warn", "error", "critical" };
	struct nt_told_line level, logger, words;
	struct nt_line text = { 0 };
	if (strcmp(row->event, LOG_EVENT) != 0 || !nt_told_find(row->lines, "Level", strlen("Level"), &level) ||
	    !nt_told_find(row->lines, "LoggerName", strlen("LoggerName"), &logger) ||
	    !nt_told_find(row->lines, "FormattedMessage", strlen("FormattedMessage"), &words))
		return false;
	unsigned long number = strtoul(level.value, NULL, 10);
	if (number >= sizeof(levels) / sizeof(levels[0]))
		return false;
	if (is_event)
		nt_line_add(&text, "log %s", levels[number]);
	else
		nt_line_add(&text, "%.*s: %.*s", (int)logger.value_length, logger.value, (int)words.value_length, words.value);
	nt_shorten_tail(text.text, room, out, size);
	return true;
}

/* Of a long name the event tells more than the provider. */
static void event_cell(const char *event, int room, char *out, size_t size)
{
	const char *slash = strchr(event, '/');
	struct nt_line text = { 0 };
	nt_line_add_safe(&text, event);
	if (slash && nt_shorten_tail(text.text, room, out, size) && strcmp(out, text.text) != 0) {
		text = (struct nt_line){ 0 };
		nt_line_add(&text, "…");
		nt_line_add_safe(&text, slash);
	}
	nt_shorten_tail(text.text, room, out, size);
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	bool is_event = strcmp(column->key, "event") == 0;
	if (strcmp(column->key, "time_ns") == 0) {
		nt_view_exact_clock(context, of(row)->time, out, size);
		return true;
	}
	if ((is_event || strcmp(column->key, "fields") == 0) && log_cell(of(row), is_event, room, out, size))
		return true;
	if (is_event)
		event_cell(of(row)->event, room, out, size);
	return is_event;
}

/* ---- what is shown ---- */

static void count_text(const struct nt_process_snapshot *process, struct nt_line *line)
{
	const struct nt_told_figures *interval = &process->interval.told, *total = &process->total.told;
	char number[NUMBER];
	if (interval->count.known)
		nt_line_add(line, "%s", nt_format_whole(interval->count.v, number, sizeof(number)));
	if (interval->count.known && interval->more_count.v)
		nt_line_add(line, ", %s not shown", nt_format_whole(interval->more_count.v, number, sizeof(number)));
	if (total->lost_some)
		nt_line_add(line, "%ssome lost", line->used ? "   " : "");
	else if (total->lost_count.known && total->lost_count.v)
		nt_line_add(line, "%s%s lost", line->used ? "   " : "", nt_format_whole(total->lost_count.v, number, sizeof(number)));
}

void nt_view_events_panel(const struct nt_column_context *context, const void *row, struct nt_grid *grid, int y)
{
	const struct nt_told *told = &context->process->told;
	const struct nt_why *why = &context->process->interval.told.why;
	struct nt_line line = { 0 }, counts = { 0 };
	char cut[NT_LINE_BYTES];
	(void)row;
	if (told->what != NT_TELL_CHOSEN) {
		nt_line_add(&line, "what nettop has anyway%s", context->is_recorded ? "" : ", at no cost   e: others, some 2 us each");
	} else {
		nt_line_add_safe(&line, told->patterns);
		if (told->state == NT_TELLING_STARTING)
			nt_line_add(&line, "   asked for");
		if (told->state == NT_TELLING_NOT && why->reason) {
			nt_line_add(&line, "   not told: ");
			nt_line_add_safe(&line, why->reason);
		}
		if (told->note) {
			nt_line_add(&line, "   ");
			nt_line_add_safe(&line, told->note);
		}
		count_text(context->process, &counts);
	}
	int room = grid->width - LABEL - 1;
	if (counts.used && nt_text_cells(counts.text) + GAP < room) {
		nt_grid_put_right(grid, LABEL, y, room, NT_STYLE_PLAIN, counts.text);
		room -= nt_text_cells(counts.text) + GAP;
	}
	nt_grid_put(grid, 1, y, LABEL, NT_STYLE_DIM, "WHICH");
	if (room > 0)
		nt_grid_put(grid, LABEL, y, room,
			    told->state == NT_TELLING_NOT && told->what == NT_TELL_CHOSEN ? NT_STYLE_MARK : NT_STYLE_PLAIN,
			    nt_shorten_tail(line.text, room, cut, sizeof(cut)));
}

static void beyond(const struct nt_process_snapshot *process, struct nt_line *out)
{
	if (process->told.gone_count)
		nt_line_add(out, "%" PRIu64 " older gone", process->told.gone_count);
}

void nt_view_events_nothing(const struct nt_column_context *context, struct nt_nothing *out)
{
	const struct nt_told *told = &context->process->told;
	const struct nt_why *why = &context->process->interval.told.why;
	if (told->what == NT_TELL_CHOSEN) {
		bool waits = told->state == NT_TELLING_STARTING;
		nt_nothing_by(why, waits ? "They are asked for." : "None of these events has come yet.", "No events.", out);
		out->more = why->reason ? out->more : told->note;
		return;
	}
	out->says = "No event has come yet of those that nettop has anyway.";
	out->start =
		"e, then which: clr/GC* (the runtime's), Shop-Orders or Shop-Orders/Taken (an EventSource's), log (what the program logs), "
		"log:Shop.Cart=Debug (of this category more)";
	out->more = "Those are the runtime's that other screens are made of. Others are asked for only when they are chosen, and only "
		    "while this screen "
		    "is open; " NT_VIEW_EVENTS_PRICE ".";
}

/* What stands beside its payload. */
static void detail_of_event(const struct nt_column_context *context, const struct nt_told_row *row, struct nt_page *page)
{
	struct nt_line line = { 0 };
	char clock[NUMBER], size[NUMBER];
	nt_view_exact_clock(context, row->time, clock, sizeof(clock));
	nt_page_text(page, NT_STYLE_PLAIN, "  EVENT         ", row->event);
	nt_line_add(&line, "%s", clock);
	if (row->tid)
		nt_line_add(&line, "   thread %" PRIu32, row->tid);
	if (row->payload_bytes)
		nt_line_add(&line, "   payload of %sB", nt_format_bytes(row->payload_bytes, size, sizeof(size)));
	nt_page_text(page, NT_STYLE_PLAIN, "  TIME          ", line.text);
	nt_page_text(page, row->activity ? NT_STYLE_PLAIN : NT_STYLE_DIM, "  ACTIVITY      ", row->activity ? row->activity : "none");
	nt_page_line(page, NT_STYLE_PLAIN, "");
}

/* Its payload, a field a line. */
static void detail(const struct nt_column_context *context, const void *row, struct nt_page *page)
{
	struct nt_told_line field;
	bool first = true;
	if (of(row)->kind != NT_TOLD_ROW_EVENT) {
		char clock[NUMBER];
		nt_view_exact_clock(context, of(row)->time, clock, sizeof(clock));
		nt_page_text(page, NT_STYLE_PLAIN, "  UNTIL         ", clock);
		nt_page_text(page, NT_STYLE_PLAIN, "                ", of(row)->fields);
		return;
	}
	detail_of_event(context, of(row), page);
	for (const char *at = of(row)->lines; nt_told_next_line(&at, &field); first = false) {
		struct nt_line label = { 0 };
		char value[TEXT];
		nt_line_add(&label, "  %-14s%.*s = ", first ? "FIELDS" : "", (int)field.name_length, field.name);
		snprintf(value, sizeof(value), "%s%.*s%s", field.is_text ? "\"" : "", (int)field.value_length, field.value,
			 field.is_text ? "\"" : "");
		nt_page_text(page, NT_STYLE_PLAIN, label.text, value);
	}
	if (first)
		nt_page_line(page, NT_STYLE_DIM, "  FIELDS        none");
	if (of(row)->cut)
		nt_page_line(page, NT_STYLE_DIM, "                and more, which is not kept");
}

static const struct nt_call_stack *stack(const struct nt_column_context *context, const void *row)
{
	const struct nt_told *told = &context->process->told;
	for (size_t i = 0; i < told->stack_count; i++)
		if (told->stacks[i].id == of(row)->id)
			return told->stacks[i].stack;
	return NULL;
}

static const struct nt_why *no_stack(const struct nt_column_context *context, const void *row)
{
	static const struct nt_why anyway = { "the screens of collections, exceptions, locks and allocations have those of their events",
					      NULL },
				   unasked = { "not asked for", "e, and the word stacks behind the others: some 3 us more each" },
				   none = { "it has none, or is none of the last 1000 that have one", NULL };
	const struct nt_told *told = &context->process->told;
	if (of(row)->kind != NT_TOLD_ROW_EVENT)
		return NULL;
	return told->what != NT_TELL_CHOSEN ? &anyway : told->with_stacks ? &none : &unasked;
}

static const char *const compact[] = { "time_ns", "event", NULL };

const struct nt_view nt_view_events = {
	.action = NT_DO_VIEW_9,
	.subject = &nt_subject_events,
	.table = &nt_table_events,
	.first_x = 1,
	.least_rest = 16,
	.compact = compact,
	.demand = NT_WANT_TOLD,
	.announcement = NT_VIEW_EVENTS_ASKED,
	.farewell = NT_VIEW_EVENTS_LEFT,
	.flags = flags,
	.home = home,
	.follows_end = true,
	.cell = cell,
	.panel_lines = NT_VIEW_EVENTS_PANEL,
	.panel = nt_view_events_panel,
	.beyond = beyond,
	.nothing = nt_view_events_nothing,
	.own_detail = true,
	.detail = detail,
	.stack = stack,
	.no_stack = no_stack,
};
