// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/plain_frame.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/column.h"
#include "nettop/process_row.h"
#include "nettop/tile.h"
#include "output/frame/text_parts.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A figure is said again from so much of it on, and from so much more or less whatever it was. */
static const double share_told = 0.1, least_told = 1.0;

/* What was said under a label. */
struct said {
	char *label, *text; /* owned */
	bool seen;          /* in this frame */
};

struct nt_plain {
	size_t rows;
	struct said *said; /* owned */
	size_t count, capacity;
};

struct nt_plain *nt_plain_new(size_t rows)
{
	struct nt_plain *plain = nt_alloc(sizeof(*plain));
	plain->rows = rows;
	return plain;
}

void nt_plain_free(struct nt_plain *plain)
{
	if (!plain)
		return;
	for (size_t i = 0; i < plain->count; i++) {
		free(plain->said[i].label);
		free(plain->said[i].text);
	}
	free(plain->said);
	free(plain);
}

/* ---- what is new ---- */

static bool begins_number(const char *at)
{
	return isdigit((unsigned char)at[0]);
}

/* Are two texts the same but for figures that have moved a little? A unit that changes is a change. */
static bool says_the_same(const char *a, const char *b)
{
	while (*a && *b) {
		if (begins_number(a) && begins_number(b)) {
			char *after_a, *after_b;
			double x = strtod(a, &after_a), y = strtod(b, &after_b), apart = fabs(x - y);
			if (apart > least_told && apart > share_told * fmax(x, y))
				return false;
			a = after_a;
			b = after_b;
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return !*a && !*b;
}

static struct said *find(struct nt_plain *plain, const char *label)
{
	for (size_t i = 0; i < plain->count; i++)
		if (strcmp(plain->said[i].label, label) == 0)
			return &plain->said[i];
	plain->said = nt_grow(plain->said, &plain->capacity, plain->count + 1, sizeof(*plain->said));
	plain->said[plain->count] = (struct said){ .label = nt_strdup(label) };
	return &plain->said[plain->count++];
}

/* Takes `text`. */
static void tell(struct nt_plain *plain, const char *label, char *text, FILE *out)
{
	struct said *said = find(plain, label);
	said->seen = true;
	if (said->text && says_the_same(said->text, text)) {
		free(text);
		return;
	}
	fprintf(out, "%s%s%s\n", label, *label ? ": " : "", text);
	free(said->text);
	said->text = text;
}

/* What was there before and is not: of methods that is said, or the listener thinks that it still is. */
static void forget_gone(struct nt_plain *plain, FILE *out)
{
	size_t kept = 0;
	for (size_t i = 0; i < plain->count; i++) {
		struct said said = plain->said[i];
		if (said.seen) {
			said.seen = false;
			plain->said[kept++] = said;
			continue;
		}
		fprintf(out, "%s: no more\n", said.label);
		free(said.label);
		free(said.text);
	}
	plain->count = kept;
}

/* ---- sentences ---- */

/* Blanks in a row, which a column has, and those at the ends are a pause: a comma. The text is changed in place. */
static char *spoken(char *text)
{
	char *out = text;
	for (const char *at = text + strspn(text, " \n"); *at;) {
		size_t blanks = strspn(at, " \n");
		if (!blanks) {
			*out++ = *at++;
			continue;
		}
		at += blanks;
		if (*at && blanks > 1 && out > text && out[-1] != ',' && out[-1] != ':')
			*out++ = ',';
		if (*at)
			*out++ = ' ';
	}
	*out = '\0';
	return text;
}

static char *end_of(FILE *stream, char **text)
{
	if (fclose(stream) != 0)
		abort();
	return spoken(*text);
}

static FILE *begin(char **text, size_t *size)
{
	FILE *stream = open_memstream(text, size);
	if (!stream)
		abort();
	return stream;
}

/* Why, and what is known: sentences. The worst comes first, and it is said when it ends. */
static void tell_findings(struct nt_plain *plain, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, FILE *out)
{
	char *text;
	size_t size;
	FILE *stream = begin(&text, &size);
	for (size_t i = 0; i < process->finding_count; i++) {
		fputs(i ? "; " : "", stream);
		nt_text_print(stream, process->findings[i].text);
	}
	if (!process->finding_count)
		fprintf(stream, snapshot->t1 > process->quiet_since && process->checked_count ? "nothing crosses a threshold"
											      : "nobody has looked yet");
	for (size_t i = 0; !process->finding_count && i < process->unchecked_count; i++)
		fprintf(stream, "%s%s", i ? ", " : "; not known: ", process->unchecked[i]);
	tell(plain, process->finding_count ? "Warning" : "State", end_of(stream, &text), out);
}

/* In words: the labels of the tiles are letters. */
static const char *const words[NT_SUBJECT_TILES] = {
	[NT_SUBJECT_CPU] = "CPU",
	[NT_SUBJECT_THREADS] = "Threads",
	[NT_SUBJECT_GC] = "Collections",
	[NT_SUBJECT_ALLOC] = "Allocation",
	[NT_SUBJECT_JIT] = "Compilations",
	[NT_SUBJECT_POOL] = "Thread pool",
	[NT_SUBJECT_EXCEPTIONS] = "Exceptions",
	[NT_SUBJECT_LOCKS] = "Locks",
	[NT_SUBJECT_REQUESTS] = "Requests",
	[NT_SUBJECT_HOST] = "Machine",
};

static void tell_tile(struct nt_plain *plain, enum nt_subject_id id, const struct nt_tile_input *input, FILE *out)
{
	char *text;
	size_t size;
	struct nt_tile tile;
	FILE *stream = begin(&text, &size);
	nt_tile_make(id, input, &tile);
	if (*tile.reason)
		nt_text_print(stream, tile.reason);
	else
		fprintf(stream, "%s  %s", tile.headline, tile.facts);
	tell(plain, words[id], end_of(stream, &text), out);
}

/* A title before each figure: nobody hears in which column it stands. */
static void tell_method(struct nt_plain *plain, const struct nt_method_row *row, const struct nt_column_context *context, FILE *out)
{
	char *text, label[512], cell[512];
	size_t size;
	FILE *stream = begin(&text, &size);
	const struct nt_table *table = &nt_table_methods;
	for (size_t i = 0; i < table->column_count; i++) {
		const struct nt_column *column = &table->columns[i];
		if (!column->screen || !column->width || column->unit == NT_UNIT_TREND)
			continue;
		nt_cell_format(column, column->read(row, context), cell, sizeof(cell));
		const char *value = cell + strspn(cell, " ");
		if (*value && column->unit == NT_UNIT_TEXT)
			fprintf(stream, "  %s", value);
		else if (*value)
			fprintf(stream, "  %s %s", column->title, value);
	}
	nt_text_escape(table->row_name(row), strlen(table->row_name(row)), label, sizeof(label));
	tell(plain, label, end_of(stream, &text), out);
}

/* What is wrong with it first. Left out are letters that stand for sources, of which nobody hears which are missing, and ages: that time passes is no news. */
static void tell_listed(struct nt_plain *plain, const struct nt_table *table, const struct nt_process_row *row,
			const struct nt_column_context *context, FILE *out)
{
	static const char *const left_out[] = { "pid", "name", "finding", "sources" };
	const struct nt_column *finding = nt_table_column(table, "finding");
	char *text, *label, cell[512];
	size_t size, label_size;
	FILE *stream = begin(&label, &label_size);
	nt_text_print(stream, row->name ? row->name : "a process without a name");
	if (row->pid)
		fprintf(stream, " %" PRIu32, row->pid);
	label = end_of(stream, &label);
	stream = begin(&text, &size);
	if (finding) {
		nt_cell_format(finding, finding->read(row, context), cell, sizeof(cell));
		fputs(cell, stream);
	}
	for (size_t i = 0; i < table->column_count; i++) {
		const struct nt_column *column = &table->columns[i];
		bool is_said = !column->screen || column->unit == NT_UNIT_TREND || column->unit == NT_UNIT_AGE;
		for (size_t k = 0; k < sizeof(left_out) / sizeof(left_out[0]); k++)
			is_said = is_said || strcmp(column->key, left_out[k]) == 0;
		if (is_said)
			continue;
		nt_cell_format(column, column->read(row, context), cell, sizeof(cell));
		const char *value = cell + strspn(cell, " ");
		if (*value)
			fprintf(stream, "  %s %s", column->title, value);
	}
	if (row->ended_at != NT_TIME_UNKNOWN && !finding)
		fputs("  ended", stream);
	tell(plain, label, end_of(stream, &text), out);
	free(label);
}

static void tell_list(struct nt_plain *plain, const struct nt_table *table, const struct nt_snapshot *snapshot, FILE *out)
{
	const struct nt_column_context context = { .snapshot = snapshot };
	size_t count, processes = 0;
	const void **rows = nt_table_top(table, &context, &count);
	char text[64];
	for (size_t i = 0; i < count; i++)
		processes += ((const struct nt_process_row *)rows[i])->kind == NT_PROCESS_ROW;
	snprintf(text, sizeof(text), "%zu", processes);
	tell(plain, "Processes", nt_strdup(text), out);
	for (size_t i = 0; i < count; i++)
		tell_listed(plain, table, rows[i], &context, out);
	free(rows);
	forget_gone(plain, out);
}

static void tell_process(struct nt_plain *plain, const struct nt_process_snapshot *process, FILE *out)
{
	char *text;
	size_t size;
	FILE *stream = begin(&text, &size);
	nt_text_print(stream, process->target.name);
	fprintf(stream, "  process %" PRIu32 "  %s", process->target.pid, process->target.ended ? "has ended" : "is running");
	if (process->target.ended && process->target.end_text) {
		fputs("  ", stream);
		nt_text_print(stream, process->target.end_text);
	}
	tell(plain, "Watching", end_of(stream, &text), out);
}

static void tell_all(struct nt_plain *plain, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, FILE *out)
{
	const struct nt_tile_input input = { .figures = &process->interval,
					     .wide = true,
					     .whole = true,
					     .fact_cells = INT_MAX,
					     .events_lost = nt_tile_events_lost(snapshot) };
	const struct nt_column_context context = { .snapshot = snapshot, .process = process, .window = NT_WINDOW_RECENT };
	tell_process(plain, process, out);
	tell_findings(plain, snapshot, process, out);
	for (unsigned i = 0; i < NT_SUBJECT_TILES; i++)
		tell_tile(plain, (enum nt_subject_id)i, &input, out);
	for (size_t i = 0; i < process->method_count && i < plain->rows; i++)
		tell_method(plain, &process->methods[i], &context, out);
	forget_gone(plain, out);
}

/* The hour, minute and second, as people say it. */
static const char *time_of_day(nt_time time, int64_t realtime_offset_ns, char *buf, size_t size)
{
	time_t seconds = (time_t)(((int64_t)time + realtime_offset_ns) / (int64_t)NT_NS_PER_S);
	struct tm parts;
	buf[0] = '\0';
	if (localtime_r(&seconds, &parts))
		strftime(buf, size, "%H:%M:%S", &parts);
	return buf;
}

/* What `text` says, if it says anything; takes it. */
static void put_frame(char *text, nt_time time, int64_t realtime_offset_ns, FILE *out)
{
	char clock[16];
	if (*text)
		fprintf(out, "At %s\n%s", time_of_day(time, realtime_offset_ns, clock, sizeof(clock)), text);
	free(text);
}

void nt_plain_frame(struct nt_plain *plain, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, FILE *out)
{
	char *text;
	size_t size;
	if (!snapshot->process_count)
		return;
	FILE *stream = begin(&text, &size);
	tell_all(plain, snapshot, &snapshot->processes[0], stream);
	if (fclose(stream) != 0)
		abort();
	put_frame(text, snapshot->t1, realtime_offset_ns, out);
}

void nt_plain_list(struct nt_plain *plain, const struct nt_table *table, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns,
		   FILE *out)
{
	char *text;
	size_t size;
	FILE *stream = begin(&text, &size);
	tell_list(plain, table, snapshot, stream);
	if (fclose(stream) != 0)
		abort();
	put_frame(text, snapshot->t1, realtime_offset_ns, out);
}
