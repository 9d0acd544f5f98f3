// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/counter_label.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

static bool differs(const struct nt_counter_row *row, unsigned tag)
{
	return tag < NT_COUNTER_TAGS && row->differ >> tag & 1;
}

/* The tags that differ, with keys or without, with `between` between them. */
static void add_tags(struct nt_line *out, const struct nt_counter_row *row, bool keys, const char *between)
{
	const char *tags = row->tags ? row->tags : "", *before = "";
	for (unsigned tag = 0; *tags; tag++) {
		size_t length = strcspn(tags, ","), key = strcspn(tags, "=");
		struct nt_line text = { 0 };
		key = !keys && key < length ? key + 1 : 0;
		nt_line_add(&text, "%.*s", (int)(length - key), tags + key);
		if (differs(row, tag)) {
			nt_line_add(out, "%s", before);
			nt_line_add_safe(out, text.text);
			before = between;
		}
		tags += length + (tags[length] == ',');
	}
}

void nt_counter_differing_tags(const struct nt_counter_row *row, struct nt_line *out)
{
	add_tags(out, row, true, ", ");
}

/* `{gen0,blocking}` */
static void add_braced(struct nt_line *out, const struct nt_counter_row *row, bool keys)
{
	nt_line_add(out, "{");
	add_tags(out, row, keys, ",");
	nt_line_add(out, "}");
}

/* Bytes in which both texts are the same; they may end within a character. */
static size_t common_bytes(const char *a, const char *b)
{
	size_t length = 0;
	while (a[length] && a[length] == b[length])
		length++;
	return length;
}

static bool same_name(const struct nt_counter_row *a, const struct nt_counter_row *b)
{
	return a->provider && b->provider && a->name && b->name && b->tags && strcmp(a->provider, b->provider) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

/*
 * Where in `values` it differs from those of the row that is most like it: the rows are sorted by provider, name and tags, so that is one of the two beside it.
 * 0 = there is none of this name.
 */
static size_t differs_at(const struct nt_process_snapshot *process, const struct nt_counter_row *row, const char *values)
{
	size_t at = 0, index = process && row >= process->counters ? (size_t)(row - process->counters) : SIZE_MAX;
	if (!process || index >= process->counter_count)
		return 0;
	for (size_t other = index ? index - 1 : 1; other < process->counter_count && other <= index + 1; other += 2) {
		struct nt_line others = { 0 };
		if (!same_name(row, &process->counters[other]))
			continue;
		add_braced(&others, &process->counters[other], false);
		size_t common = common_bytes(values, others.text);
		at = common > at ? common : at;
	}
	return nt_utf8_cut(values, strlen(values), at);
}

/* The values made to fit so that byte `at` stays: what stands before it goes from the left, but for what fits in half of the room. */
static void shorten_values(const char *values, size_t at, int room, char *out, size_t size)
{
	struct nt_line before = { 0 }, rest = { 0 };
	size_t start = 0;
	uint32_t code;
	nt_line_add(&before, "%.*s", (int)at, values);
	int cells = nt_text_cells(before.text);
	if (cells < room - 2) { /* `at` is shown, also where an ellipsis ends the text */
		nt_shorten_tail(values, room, out, size);
		return;
	}
	for (int kept = (room - 2) / 2; start < at && cells > kept; cells -= nt_text_width(code))
		start += nt_utf8_decode(values + start, at - start, &code);
	nt_line_add(&rest, "{…%s", values + start);
	nt_shorten_tail(rest.text, room, out, size);
}

/* Initials of the name and values of the tags, and of these what tells the row from those of the same name. */
static void short_label(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line values = { 0 };
	char name[NT_LINE_BYTES], shown[NT_LINE_BYTES];
	add_braced(&values, row, false);
	int left = room - nt_text_cells(values.text);
	size_t at = left < NT_COUNTER_LEAST_NAME ? differs_at(process, row, values.text) : 0;
	if (left < NT_COUNTER_LEAST_NAME)
		left = at && room / 2 < NT_COUNTER_LEAST_NAME ? room / 2 : NT_COUNTER_LEAST_NAME;
	nt_view_module_cell(row->name, left, name, sizeof(name));
	shorten_values(values.text, at, room - nt_text_cells(name), shown, sizeof(shown));
	snprintf(out, size, "%s%s", name, shown);
}

void nt_counter_label(const struct nt_process_snapshot *process, const struct nt_counter_row *row, int room, char *out, size_t size)
{
	struct nt_line label = { 0 };
	nt_line_add_safe(&label, row->differ ? row->name : row->label);
	if (row->differ)
		add_braced(&label, row, true);
	if (nt_text_cells(label.text) <= room)
		snprintf(out, size, "%s", label.text);
	else if (row->differ)
		short_label(process, row, room, out, size);
	else
		nt_view_module_cell(row->name, room, out, size);
}
