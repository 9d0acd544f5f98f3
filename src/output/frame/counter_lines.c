// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/counter_lines.h"

#include "base/alloc.h"
#include "base/text.h"
#include "output/frame/dotnet_number.h"
#include "output/frame/json_value.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TEXT = 4096, TICK_NS = 100 };

/* ---- times ---- */

static void put_time(const struct nt_counter_lines *lines, nt_time at, bool ticks)
{
	int64_t realtime = (int64_t)at + lines->realtime_offset_ns;
	time_t seconds = (time_t)(realtime / (int64_t)NT_NS_PER_S);
	struct tm parts;
	char text[64], zone[16];
	localtime_r(&seconds, &parts);
	strftime(text, sizeof(text), ticks ? "%Y-%m-%dT%H:%M:%S" : "%m/%d/%Y %H:%M:%S", &parts);
	fputs(text, lines->out);
	if (!ticks)
		return;
	strftime(zone, sizeof(zone), "%z", &parts); /* +0100 */
	fprintf(lines->out, ".%07" PRId64 "%.3s:%s", realtime % (int64_t)NT_NS_PER_S / TICK_NS, zone, zone + 3);
}

/* ---- texts ---- */

/* In quotes where it would be two cells otherwise, which dotnet-counters does not look at. */
static void put_cell(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++)
		fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
	fputc('"', out);
}

static bool is_rate(const struct nt_counter_row *row)
{
	return row->kind == NT_COUNTER_INCREMENT || row->kind == NT_COUNTER_TOTAL;
}

/* `Allocation Rate (B / 1 sec)`, `stock ({piece})` */
static void name_text(const struct nt_counter_lines *lines, const struct nt_counter_row *row, char out[TEXT])
{
	char seconds[NT_DOTNET_NUMBER_BYTES], text[TEXT];
	const char *name = row->display_name ? row->display_name : row->name ? row->name : "";
	const char *unit = row->unit ? row->unit : is_rate(row) ? "Count" : "";
	if (row->display_name && strcmp(unit, "count") == 0)
		unit = "Count";
	if (is_rate(row))
		snprintf(text, sizeof(text), "%s (%s / %s sec)", name, unit,
			 nt_dotnet_number((double)lines->interval_ns / (double)NT_NS_PER_S, seconds));
	else
		snprintf(text, sizeof(text), *unit ? "%s (%s)" : "%s", name, unit);
	nt_text_escape(text, strlen(text), out, TEXT);
}

static void add_tags(char out[TEXT], const char *tags)
{
	size_t used = strlen(out);
	if (tags && *tags)
		snprintf(out + used, TEXT - used, "%s%s", used ? "," : "", tags);
}

/* ---- values ---- */

/* One line of a file. */
struct value {
	const struct nt_counter_row *row;
	nt_time at;
	double value;
	unsigned percentile; /* 0 = it is none */
	size_t order;        /* of those at one time */
};

static void put_csv(const struct nt_counter_lines *lines, const struct value *value, const char *name, const char *tags)
{
	const struct nt_counter_row *row = value->row;
	char number[NT_DOTNET_NUMBER_BYTES], all[TEXT] = "", safe[TEXT], cell[2 * TEXT + 2];
	put_time(lines, value->at, false);
	fputc(',', lines->out);
	nt_text_escape(row->provider ? row->provider : "", row->provider ? strlen(row->provider) : 0, safe, sizeof(safe));
	put_cell(lines->out, safe);
	fputc(',', lines->out);
	add_tags(all, row->meter_tags);
	add_tags(all, row->instrument_tags);
	add_tags(all, tags);
	for (char *comma = all; (comma = strchr(comma, ','));)
		*comma = ';';
	nt_text_escape(all, strlen(all), safe, sizeof(safe));
	snprintf(cell, sizeof(cell), *all ? "%s[%s]" : "%s", name, safe);
	put_cell(lines->out, cell);
	fprintf(lines->out, ",%s,%s\n", is_rate(row) ? "Rate" : "Metric", nt_dotnet_number(value->value, number));
}

static void put_member(FILE *out, const char *key, const char *text)
{
	fprintf(out, " \"%s\": ", key);
	nt_json_put_text(out, text ? text : "");
	fputs(", ", out);
}

static void put_json(const struct nt_counter_lines *lines, const struct value *value, const char *name, const char *tags)
{
	const struct nt_counter_row *row = value->row;
	char number[NT_DOTNET_NUMBER_BYTES];
	FILE *out = lines->out;
	fprintf(out, "%s{ \"timestamp\": \"", lines->any ? "," : "");
	put_time(lines, value->at, true);
	fputs("\", ", out);
	put_member(out, "provider", row->provider);
	put_member(out, "name", name);
	put_member(out, "tags", tags);
	put_member(out, "counterType", is_rate(row) ? "Rate" : "Metric");
	put_member(out, "meterTags", row->meter_tags);
	put_member(out, "instrumentTags", row->instrument_tags);
	fprintf(out, " \"value\": %s }", nt_dotnet_number(value->value, number));
}

static void put_value(struct nt_counter_lines *lines, const struct value *value)
{
	char name[TEXT], tags[TEXT] = "", percentile[32];
	name_text(lines, value->row, name);
	add_tags(tags, value->row->tags);
	snprintf(percentile, sizeof(percentile), "Percentile=%u", value->percentile);
	if (value->percentile)
		add_tags(tags, percentile);
	if (lines->json)
		put_json(lines, value, name, tags);
	else
		put_csv(lines, value, name, tags);
	lines->any = true;
}

static int compare(const void *a, const void *b)
{
	const struct value *x = a, *y = b;
	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static size_t collect(const struct nt_counter_row *row, struct value *out, size_t order)
{
	size_t count = 0;
	for (size_t i = 0; i < row->told_count; i++) {
		const struct nt_counter_told *told = &row->told[i];
		const double values[] = { told->value, told->p95, told->p99 };
		static const unsigned percentiles[] = { 50, 95, 99 };
		bool histogram = row->kind == NT_COUNTER_HISTOGRAM;
		for (size_t v = 0; v < (histogram ? 3 : 1); v++) {
			if (!isfinite(values[v]))
				continue;
			out[count] = (struct value){ row, told->at, values[v], histogram ? percentiles[v] : 0, order + count };
			count++;
		}
	}
	return count;
}

void nt_counter_lines_add(struct nt_counter_lines *lines, const struct nt_process_snapshot *process)
{
	size_t count = 0;
	struct value *values = nt_alloc((process->counter_count * NT_COUNTER_TOLD * 3 + 1) * sizeof(*values));
	for (size_t i = 0; i < process->counter_count; i++)
		count += collect(&process->counters[i], values + count, count);
	qsort(values, count, sizeof(*values), compare);
	for (size_t i = 0; i < count; i++)
		put_value(lines, &values[i]);
	free(values);
}

void nt_counter_lines_begin(struct nt_counter_lines *lines, const char *process, nt_time now)
{
	if (!lines->json) {
		fputs("Timestamp,Provider,Counter Name,Counter Type,Mean/Increment\n", lines->out);
		return;
	}
	fputs("{ \"TargetProcess\": ", lines->out);
	nt_json_put_text(lines->out, process ? process : "");
	fputs(", \"StartTime\": \"", lines->out);
	put_time(lines, now, true);
	fputs("\", \"Events\": [", lines->out);
}

void nt_counter_lines_end(struct nt_counter_lines *lines)
{
	if (lines->json)
		fputs("]}", lines->out);
}
