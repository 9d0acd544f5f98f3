// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope's own format: a sampled profile for each thread, from the timeline's begin on, in which time without a sample is a stack without frames; then an evented profile for each kind of marker that lasts, so many
 * of a kind as there were of it at a time. A marker of one moment has no place there.
 */
#include "output/export/export_parts.h"

#include "base/alloc.h"
#include "output/export/lanes.h"
#include "output/frame/json_value.h"
#include "output/stacks/speedscope_parts.h"
#include "output/stacks/stacks_parts.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ROWS_MOST = 64 }; /* of a kind at a time */

struct speedscope {
	FILE *out;
	const struct nt_export_timeline *timeline;
	const struct nt_stack_tree *tree;
	bool any; /* profile has been written */
};

static void begin_profile(struct speedscope *s, const char *type, const char *name)
{
	fprintf(s->out, "%s\n{\"type\":\"%s\",\"name\":", s->any ? "," : "", type);
	nt_json_put_text(s->out, name);
	fputs(",\"unit\":\"nanoseconds\",\"startValue\":0", s->out);
	s->any = true;
}

static void put_samples(const struct speedscope *s, const struct nt_lanes *lanes, const struct nt_lane *lane)
{
	struct nt_slice slice = { 0 };
	const char *comma = "";
	fputs(",\"samples\":[", s->out);
	for (size_t at = 0; nt_lane_next(lanes, lane, &at, &slice); comma = ",") {
		fprintf(s->out, "%s%s", comma, slice.follows ? "" : "[],");
		nt_speedscope_put_stack(s->out, s->tree, slice.node);
	}
	fputc(']', s->out);
}

static uint64_t since_begin(const struct nt_export_timeline *timeline, nt_time time)
{
	nt_time t0 = timeline->stacks.t0;
	return time > t0 ? time - t0 : 0;
}

static void put_weights(const struct speedscope *s, const struct nt_lanes *lanes, const struct nt_lane *lane)
{
	struct nt_slice slice = { 0 };
	nt_time end = s->timeline->stacks.t0;
	const char *comma = "";
	fputs(",\"weights\":[", s->out);
	for (size_t at = 0; nt_lane_next(lanes, lane, &at, &slice); comma = ",", end = slice.end) {
		fputs(comma, s->out);
		if (!slice.follows)
			fprintf(s->out, "%" PRIu64 ",", slice.start > end ? slice.start - end : 0);
		fprintf(s->out, "%" PRIu64, slice.end - slice.start);
	}
	fprintf(s->out, "],\"endValue\":%" PRIu64 "}", since_begin(s->timeline, end));
}

static void put_threads(struct speedscope *s)
{
	struct nt_lanes lanes;
	char label[NT_STACKS_LABEL];
	nt_lanes_make(&lanes, s->timeline);
	for (size_t i = 0; i < lanes.count; i++) {
		const struct nt_lane *lane = &lanes.items[i];
		nt_stacks_label(&s->timeline->stacks, &s->tree->frames[s->tree->nodes[lane->root].frame], '\0', label, sizeof(label));
		begin_profile(s, "sampled", label);
		put_samples(s, &lanes, lane);
		put_weights(s, &lanes, lane);
	}
	nt_lanes_fini(&lanes);
}

/* ---- markers ---- */

/* In which row each is of those that last; ROWS_MOST: in none, they were too many at a time. The caller's. */
static unsigned *find_rows(const struct nt_export_timeline *timeline, enum nt_marker_kind kind, unsigned *row_count, uint64_t *left_out)
{
	unsigned *rows = nt_alloc((timeline->marker_count + 1) * sizeof(*rows));
	nt_time ends[ROWS_MOST];
	*row_count = 0;
	*left_out = 0;
	for (size_t i = 0; i < timeline->marker_count; i++) {
		const struct nt_marker *marker = &timeline->markers[i];
		unsigned row = 0;
		rows[i] = ROWS_MOST;
		if (marker->kind != kind || marker->end == marker->start)
			continue;
		while (row < *row_count && ends[row] > marker->start)
			row++;
		*left_out += row == ROWS_MOST;
		if (row == ROWS_MOST)
			continue;
		*row_count += row == *row_count;
		ends[row] = marker->end;
		rows[i] = row;
	}
	return rows;
}

static void put_row(struct speedscope *s, const unsigned *rows, unsigned row, const char *name)
{
	const char *comma = "";
	nt_time end = 0;
	begin_profile(s, "evented", name);
	fputs(",\"events\":[", s->out);
	for (size_t i = 0; i < s->timeline->marker_count; i++) {
		const struct nt_marker *marker = &s->timeline->markers[i];
		size_t frame = s->tree->frame_count + i;
		if (rows[i] != row)
			continue;
		fprintf(s->out, "%s{\"type\":\"O\",\"frame\":%zu,\"at\":%" PRIu64 "},{\"type\":\"C\",\"frame\":%zu,\"at\":%" PRIu64 "}",
			comma, frame, since_begin(s->timeline, marker->start), frame, since_begin(s->timeline, marker->end));
		comma = ",";
		end = marker->end;
	}
	fprintf(s->out, "],\"endValue\":%" PRIu64 "}", since_begin(s->timeline, end));
}

static void put_markers(struct speedscope *s, enum nt_marker_kind kind)
{
	unsigned row_count;
	uint64_t left_out;
	unsigned *rows = find_rows(s->timeline, kind, &row_count, &left_out);
	char name[128];
	for (unsigned row = 0; row < row_count; row++) {
		int length = snprintf(name, sizeof(name), "%s", nt_marker_kind_name(kind));
		if (row_count > 1)
			length += snprintf(name + length, sizeof(name) - (size_t)length, ", %u of %u at a time", row + 1, row_count);
		if (left_out)
			snprintf(name + length, sizeof(name) - (size_t)length, "; %" PRIu64 " beyond these are left out", left_out);
		put_row(s, rows, row, name);
	}
	free(rows);
}

void nt_export_write_speedscope(FILE *out, const struct nt_export_timeline *timeline)
{
	struct speedscope s = { .out = out, .timeline = timeline, .tree = timeline->stacks.tree };
	nt_speedscope_begin(out, &timeline->stacks);
	for (size_t i = 0; i < timeline->marker_count; i++) {
		fputs(s.tree->frame_count || i ? ",\n{\"name\":" : "\n{\"name\":", out);
		nt_json_put_text(out,
				 *timeline->markers[i].text ? timeline->markers[i].text : nt_marker_kind_name(timeline->markers[i].kind));
		fputc('}', out);
	}
	fputs("]},\"profiles\":[", out);
	put_threads(&s);
	for (enum nt_marker_kind kind = 0; kind < NT_MARKER_KINDS; kind++)
		put_markers(&s, kind);
	fputs("]}\n", out);
}
