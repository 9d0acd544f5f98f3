// SPDX-License-Identifier: GPL-2.0-only
#include "output/events/gc_line.h"

#include "base/text.h"
#include "output/frame/json_value.h"
#include "output/frame/time_text.h"

#include <inttypes.h>

enum { NUMBER = 32, CELL = 64 };

/* The cell of a column, as the table says it, with words around it; nothing when it is not known. */
static void put_cell(FILE *out, const char *before, const char *key, const struct nt_gc_row *row, const struct nt_column_context *context)
{
	char text[CELL];
	const struct nt_column *column = nt_table_column(&nt_table_gc, key);
	if (column && nt_cell_format(column, column->read(row, context), text, sizeof(text)))
		fprintf(out, "%s%s", before, text);
}

static void put_duration(FILE *out, const char *before, struct nt_u64 ns, const char *behind)
{
	char text[NUMBER];
	if (ns.known)
		fprintf(out, "%s%s%s", before, nt_format_duration(ns.v, text, sizeof(text)), behind);
}

static void put_bytes(FILE *out, const char *before, struct nt_u64 bytes)
{
	char text[NUMBER];
	if (bytes.known)
		fprintf(out, "%s%s", before, nt_format_bytes(bytes.v, text, sizeof(text)));
}

/* What was found in each generation and left there; what was found is known with the histories only. */
static void put_generations(FILE *out, const struct nt_gc_row *row)
{
	static const char *const names[NT_GC_GENERATIONS] = { "gen0", "gen1", "gen2", "loh", "poh" };
	for (unsigned i = 0; i < NT_GC_GENERATIONS; i++) {
		char found[NUMBER], left[NUMBER];
		if (!row->generation_bytes[i].known)
			continue;
		fprintf(out, " %s %s%s%s", names[i],
			row->found_bytes[i].known ? nt_format_bytes(row->found_bytes[i].v, found, sizeof(found)) : "",
			row->found_bytes[i].known ? "->" : "", nt_format_bytes(row->generation_bytes[i].v, left, sizeof(left)));
	}
}

void nt_gc_line_text(FILE *out, const struct nt_gc_row *row, const struct nt_column_context *context, int64_t realtime_offset_ns)
{
	nt_time_print(out, row->end, realtime_offset_ns);
	fprintf(out, " gc %" PRIu64 " gen%" PRIu32, row->id, row->generation);
	put_cell(out, " ", "kind", row, context);
	put_cell(out, " ", "way", row, context);
	put_cell(out, " ", "reason", row, context);
	put_duration(out, " pause ", row->pause_ns, "");
	put_duration(out, " (", row->suspend_ns, " to stop)");
	put_bytes(out, " ", row->before_bytes);
	put_bytes(out, row->before_bytes.known ? " -> " : " heap ", row->after_bytes);
	put_generations(out, row);
	put_bytes(out, " promoted ", row->promoted_bytes);
	if (row->asked_by) {
		fputs(" by ", out);
		nt_text_print(out, row->asked_by);
	}
	fputc('\n', out);
}

void nt_gc_line_json(FILE *out, const struct nt_gc_row *row, const struct nt_column_context *context, int64_t realtime_offset_ns)
{
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("collection"));
	json_object_set_new(object, "time_unix_ns", json_integer((json_int_t)row->end + realtime_offset_ns));
	for (size_t i = 0; i < nt_table_gc.column_count; i++) {
		const struct nt_column *column = &nt_table_gc.columns[i];
		if (column->unit != NT_UNIT_TREND && column->unit != NT_UNIT_BAR)
			json_object_set_new(object, column->key, nt_json_cell(column->unit, column->read(row, context)));
	}
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}

void nt_gc_line_lost(FILE *out, bool as_json, struct nt_u64 count, nt_time time, int64_t realtime_offset_ns)
{
	char number[NUMBER] = "an unknown number of";
	if (count.known)
		snprintf(number, sizeof(number), "%" PRIu64, count.v);
	if (!as_json) {
		fprintf(out, "-- %s events lost: collections may be missing, or parts of them\n", number);
		return;
	}
	json_t *object = json_object();
	json_object_set_new(object, "type", nt_json_text("lost"));
	json_object_set_new(object, "count", nt_json_u64(count));
	json_object_set_new(object, "time_unix_ns", json_integer((json_int_t)time + realtime_offset_ns));
	json_dumpf(object, out, JSON_COMPACT);
	fputc('\n', out);
	json_decref(object);
}
