// SPDX-License-Identifier: GPL-2.0-only
#include "output/events/event_line.h"

#include "base/told_text.h"
#include "nettop/status.h"
#include "output/events/event_json.h"

#include <stdio.h>

#define LOG_PROVIDER "Microsoft-Extensions-Logging"
#define LOG_EVENT    "FormattedMessage"

enum { TEXT_CELLS = 200 };

void nt_event_lines_init(struct nt_event_lines *lines, bool as_json, int64_t realtime_offset_ns)
{
	*lines = (struct nt_event_lines){ .as_json = as_json, .realtime_offset_ns = realtime_offset_ns, .second = -1, .begin_ms = -1 };
}

void nt_event_lines_fini(struct nt_event_lines *lines)
{
	nt_text_buffer_fini(&lines->out);
}

static void put_time(struct nt_event_lines *lines, int64_t realtime_ms)
{
	time_t second = (time_t)(realtime_ms / 1000);
	if (second != lines->second) {
		struct tm parts = { 0 };
		localtime_r(&second, &parts);
		snprintf(lines->clock, sizeof(lines->clock), "%02d:%02d:%02d.", parts.tm_hour, parts.tm_min, parts.tm_sec);
		lines->second = second;
	}
	nt_text_put(&lines->out, lines->clock);
	nt_text_put_digits(&lines->out, (uint64_t)realtime_ms % 1000, 3);
}

/* `12:03:04.250 t4812 `: of many events of a thread it is the same. */
static void put_begin(struct nt_event_lines *lines, nt_time time, uint64_t tid)
{
	struct nt_text_buffer *out = &lines->out;
	int64_t realtime_ms = ((int64_t)time + lines->realtime_offset_ns) / (int64_t)NT_NS_PER_MS;
	if (realtime_ms == lines->begin_ms && tid == lines->begin_tid) {
		nt_text_put_bytes(out, lines->begin, lines->begin_length);
		return;
	}
	size_t start = out->length;
	put_time(lines, realtime_ms);
	nt_text_put(out, " t");
	nt_text_put_unsigned(out, tid);
	nt_text_put_char(out, ' ');
	lines->begin_length = out->length - start; /* 12 + 2 + 20 + 1 at most */
	nt_assert(lines->begin_length <= sizeof(lines->begin));
	memcpy(lines->begin, out->bytes + start, lines->begin_length);
	lines->begin_ms = realtime_ms;
	lines->begin_tid = tid;
}

static const struct nt_told_field *field_of(const struct nt_told_event *event, const char *name, enum nt_told_kind kind)
{
	const struct nt_told_field *end = event->fields + event->field_count;
	for (const struct nt_told_field *field = event->fields; field < end; field = nt_told_field_next(field))
		if (field->kind == kind && strcmp(field->name, name) == 0)
			return field;
	return NULL;
}

/* What the program writes to its log, as its own console has it. False: it is none of those. */
static bool put_log(struct nt_text_buffer *out, const struct nt_told_event *event)
{
	static const char *const levels[] = { "trace    ", "debug    ", "info     ", "warn     ", "error    ", "critical " };
	if (strcmp(event->provider, LOG_PROVIDER) != 0 || strcmp(event->name, LOG_EVENT) != 0)
		return false;
	const struct nt_told_field *level = field_of(event, "Level", NT_TOLD_SIGNED), *logger = field_of(event, "LoggerName", NT_TOLD_TEXT),
				   *words = field_of(event, "FormattedMessage", NT_TOLD_TEXT),
				   *trace = field_of(event, "ActivityTraceId", NT_TOLD_TEXT);
	if (!level || !logger || !words || level->i < 0 || level->i >= (int64_t)(sizeof(levels) / sizeof(levels[0])))
		return false;
	nt_text_put(out, levels[level->i]);
	nt_told_put_text(out, logger->text, TEXT_CELLS);
	nt_text_put(out, ": ");
	nt_told_put_text(out, words->text, SIZE_MAX);
	if (trace && *trace->text) {
		nt_text_put(out, "  trace ");
		nt_told_put_text(out, trace->text, TEXT_CELLS);
	}
	return true;
}

static void put_name(struct nt_text_buffer *out, const struct nt_told_event *event, const char *name, size_t most)
{
	if (event->plain_names)
		nt_text_put(out, name);
	else
		nt_told_put_text(out, name, most);
}

static void put_names(struct nt_text_buffer *out, const struct nt_told_event *event)
{
	put_name(out, event, nt_told_provider(event->provider), SIZE_MAX);
	nt_text_put_char(out, '/');
	if (*event->name)
		put_name(out, event, event->name, SIZE_MAX);
	else
		nt_text_put_unsigned(out, event->id);
}

static void put_fields(struct nt_text_buffer *out, const struct nt_told_event *event)
{
	const struct nt_told_field *end = event->fields + event->field_count;
	for (const struct nt_told_field *field = event->fields; field < end; field = nt_told_field_next(field)) {
		nt_text_put_char(out, ' ');
		put_name(out, event, field->name, TEXT_CELLS);
		nt_text_put_char(out, '=');
		nt_told_put_value(out, field, TEXT_CELLS);
	}
	if (event->left_bytes) {
		nt_text_put(out, " (");
		nt_text_put_unsigned(out, event->left_bytes);
		nt_text_put(out, " bytes more)");
	} else if (event->cut) {
		nt_text_put(out, " …");
	}
}

void nt_event_lines_add(struct nt_event_lines *lines, const struct nt_told_event *event)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_event_json_put(out, event, lines->realtime_offset_ns);
	} else {
		put_begin(lines, event->time, event->tid);
		if (!put_log(out, event)) {
			put_names(out, event);
			put_fields(out, event);
		}
	}
	nt_text_put_char(out, '\n');
}

void nt_event_lines_add_more(struct nt_event_lines *lines, uint64_t count, nt_time time)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_event_json_put_more(out, count, time, lines->realtime_offset_ns);
	} else {
		nt_text_put(out, "-- ");
		nt_text_put_unsigned(out, count);
		nt_text_put(out, " events came too fast to be told one by one with their stacks");
	}
	nt_text_put_char(out, '\n');
}

void nt_event_lines_add_lost(struct nt_event_lines *lines, uint64_t count, nt_time time)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_event_json_put_lost(out, count, time, lines->realtime_offset_ns);
	} else {
		nt_text_put(out, "-- ");
		nt_text_put_unsigned(out, count);
		nt_text_put(out, " events lost: the process had no room for them");
	}
	nt_text_put_char(out, '\n');
}

void nt_event_lines_add_said(struct nt_event_lines *lines, const char *sentence, nt_time time)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_event_json_put_gap(out, time, lines->realtime_offset_ns);
	} else {
		nt_text_put(out, "-- ");
		nt_text_put(out, sentence);
	}
	nt_text_put_char(out, '\n');
}

void nt_event_lines_add_some_lost(struct nt_event_lines *lines, nt_time time)
{
	nt_event_lines_add_said(lines, "events lost, nobody knows how many: LTTng had no room for them", time);
}

void nt_event_lines_add_gap(struct nt_event_lines *lines, nt_time from, nt_time until)
{
	struct nt_text_buffer *out = &lines->out;
	if (lines->as_json) {
		nt_event_json_put_gap(out, until, lines->realtime_offset_ns);
	} else {
		nt_text_put(out, "-- stopped for ");
		nt_text_put_real(out, (double)(until - from) / (double)NT_NS_PER_S);
		nt_text_put(out, " s: what happened meanwhile is not told");
	}
	nt_text_put_char(out, '\n');
}
