// SPDX-License-Identifier: GPL-2.0-only
#include "output/events/event_line.h"

#include "base/text.h"
#include "base/told_text.h"
#include "output/frame/json_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LOG_PROVIDER "Microsoft-Extensions-Logging"
#define LOG_EVENT    "FormattedMessage"

enum { TEXT_CELLS = 200, NAME_BYTES = 24 };

/* ---- text ---- */

static void put_time(FILE *out, nt_time time, int64_t realtime_offset_ns)
{
	int64_t realtime = (int64_t)time + realtime_offset_ns;
	time_t seconds = (time_t)(realtime / (int64_t)NT_NS_PER_S);
	struct tm parts;
	localtime_r(&seconds, &parts);
	fprintf(out, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec, (int)(realtime / (int64_t)NT_NS_PER_MS % 1000));
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
static bool put_log(FILE *out, const struct nt_told_event *event)
{
	static const char *const levels[] = { "trace", "debug", "info", "warn", "error", "critical" };
	if (strcmp(event->provider, LOG_PROVIDER) != 0 || strcmp(event->name, LOG_EVENT) != 0)
		return false;
	const struct nt_told_field *level = field_of(event, "Level", NT_TOLD_SIGNED), *logger = field_of(event, "LoggerName", NT_TOLD_TEXT),
				   *words = field_of(event, "FormattedMessage", NT_TOLD_TEXT),
				   *trace = field_of(event, "ActivityTraceId", NT_TOLD_TEXT);
	if (!level || !logger || !words || level->i < 0 || level->i >= (int64_t)(sizeof(levels) / sizeof(levels[0])))
		return false;
	fprintf(out, " %-8s ", levels[level->i]);
	nt_told_put_text(out, logger->text, TEXT_CELLS);
	fputs(": ", out);
	nt_told_put_text(out, words->text, SIZE_MAX);
	if (trace && *trace->text) {
		fputs("  trace ", out);
		nt_told_put_text(out, trace->text, TEXT_CELLS);
	}
	return true;
}

void nt_event_line_text(FILE *out, const struct nt_told_event *event, int64_t realtime_offset_ns)
{
	put_time(out, event->time, realtime_offset_ns);
	fprintf(out, " t%" PRIu64, event->tid);
	if (!put_log(out, event)) {
		fputc(' ', out);
		nt_told_put_text(out, nt_told_provider(event->provider), SIZE_MAX);
		fputc('/', out);
		if (*event->name)
			nt_told_put_text(out, event->name, SIZE_MAX);
		else
			fprintf(out, "%" PRIu32, event->id);
		const struct nt_told_field *end = event->fields + event->field_count;
		for (const struct nt_told_field *field = event->fields; field < end; field = nt_told_field_next(field)) {
			fputc(' ', out);
			nt_told_put_text(out, field->name, TEXT_CELLS);
			fputc('=', out);
			nt_told_put_value(out, field, TEXT_CELLS);
		}
		if (event->left_bytes)
			fprintf(out, " (%zu bytes more)", event->left_bytes);
		else if (event->cut)
			fputs(" …", out);
	}
	fputc('\n', out);
}

void nt_event_line_lost_text(FILE *out, uint64_t count)
{
	fprintf(out, "-- %" PRIu64 " events lost: the process had no room for them\n", count);
}

/* ---- JSON ---- */

static json_t *value_json(const struct nt_told_field *field);

/* Of two with one name the second has its number. */
static json_t *members_json(const struct nt_told_field *field, const struct nt_told_field *end)
{
	json_t *object = json_object();
	char number[NAME_BYTES];
	for (size_t i = 0; field < end; field = nt_told_field_next(field), i++) {
		snprintf(number, sizeof(number), "#%zu", i);
		char *key = *field->name ? nt_text_escaped(field->name, strlen(field->name)) : NULL;
		json_object_set_new(object, key && !json_object_get(object, key) ? key : number, value_json(field));
		free(key);
	}
	return object;
}

static json_t *elements_json(const struct nt_told_field *field, const struct nt_told_field *end)
{
	json_t *array = json_array();
	for (; field < end; field = nt_told_field_next(field))
		json_array_append_new(array, value_json(field));
	return array;
}

static json_t *value_json(const struct nt_told_field *field)
{
	switch (field->kind) {
	case NT_TOLD_UNSIGNED:
		/* JSON has no numbers of 64 bits without a sign here. */
		return field->u <= INT64_MAX ? json_integer((json_int_t)field->u) : json_real((double)field->u);
	case NT_TOLD_SIGNED:
		return json_integer((json_int_t)field->i);
	case NT_TOLD_BOOL:
		return json_boolean(field->u);
	case NT_TOLD_REAL:
		return isfinite(field->real) ? json_real(field->real) : json_null();
	case NT_TOLD_TEXT:
		return nt_json_text(field->text);
	case NT_TOLD_LIST:
		return elements_json(field + 1, nt_told_field_next(field));
	case NT_TOLD_OBJECT:
		return members_json(field + 1, nt_told_field_next(field));
	case NT_TOLD_BYTES:
		break;
	}
	return json_null();
}

static void put_json(FILE *out, json_t *object)
{
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}

void nt_event_line_json(FILE *out, const struct nt_told_event *event, int64_t realtime_offset_ns)
{
	json_t *object = json_object();
	char activity[NT_GUID_TEXT];
	json_object_set_new(object, "type", nt_json_text("event"));
	json_object_set_new(object, "time_unix_ns", json_integer((json_int_t)event->time + realtime_offset_ns));
	json_object_set_new(object, "provider", nt_json_text(event->provider));
	json_object_set_new(object, "name", nt_json_text_if_any(event->name));
	json_object_set_new(object, "id", json_integer(event->id));
	json_object_set_new(object, "tid", json_integer((json_int_t)event->tid));
	json_object_set_new(object, "activity",
			    event->activity[0] || event->activity[1] ? nt_json_text(nt_guid_text(event->activity, activity)) : json_null());
	json_object_set_new(object, "fields", members_json(event->fields, event->fields + event->field_count));
	json_object_set_new(object, "cut", json_boolean(event->cut));
	put_json(out, object);
}

void nt_event_line_lost_json(FILE *out, uint64_t count, nt_time time, int64_t realtime_offset_ns)
{
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("lost"));
	json_object_set_new(object, "count", json_integer((json_int_t)count));
	json_object_set_new(object, "time_unix_ns",
			    time == NT_TIME_UNKNOWN ? json_null() : json_integer((json_int_t)time + realtime_offset_ns));
	put_json(out, object);
}
