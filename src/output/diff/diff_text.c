// SPDX-License-Identifier: GPL-2.0-only
#include "output/diff/diff_write.h"

#include "base/alloc.h"
#include "base/text.h"
#include "nettop/difference_text.h"
#include "nettop/listing.h"
#include "output/frame/text_parts.h"
#include "output/frame/time_text.h"

#include <limits.h>
#include <math.h>

enum { NUMBER = 32 };

static const struct nt_process_snapshot *process_of(const struct nt_diff_side *side)
{
	return &side->span->processes[0];
}

static void put_side(FILE *out, const char *label, const struct nt_diff_side *side, const struct nt_difference_side *said, double load)
{
	char number[NUMBER];
	fprintf(out, "%-10s", label);
	nt_text_print(out, side->path);
	fputs("  ", out);
	nt_time_print(out, said->t0, side->realtime_offset_ns);
	fprintf(out, "  %s", nt_format_duration(said->t1 - said->t0, number, sizeof(number)));
	fprintf(out, ", %s samples", nt_format_whole(said->samples, number, sizeof(number)));
	if (said->told_ns < said->t1 - said->t0)
		fprintf(out, ", told of %s", nt_format_duration(said->told_ns, number, sizeof(number)));
	if (load > 0 && fabs(load - 1) >= NT_DIFFERENCE_OTHER_LOAD)
		fprintf(out, ", load x%.2f", load);
	if (side->crowded)
		fputs(", what is older could not be kept", out);
	fputc('\n', out);
}

static void put_rows(FILE *out, const struct nt_diff *diff)
{
	const struct nt_difference *difference = &process_of(&diff->after)->difference;
	struct nt_listing listing = { .table = &nt_table_differences,
				      .context = { .snapshot = diff->after.span, .process = process_of(&diff->after), .is_span = true },
				      .rows = nt_alloc((difference->row_count + 1) * sizeof(*listing.rows)),
				      .row_count = difference->row_count,
				      .fitted = true };
	for (size_t i = 0; i < nt_table_differences.column_count; i++)
		if (nt_table_differences.columns[i].screen)
			nt_listing_add_column(&listing, &nt_table_differences.columns[i]);
	for (size_t i = 0; i < difference->row_count; i++)
		listing.rows[i] = (struct nt_listing_row){ &difference->rows[i], ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

static void put_tile(FILE *out, const struct nt_diff_side *side, enum nt_subject_id subject, const char *label)
{
	const struct nt_tile_input input = { .figures = &process_of(side)->interval,
					     .wide = true,
					     .whole = true,
					     .fact_cells = INT_MAX,
					     .events_lost = nt_tile_events_lost(side->span) };
	struct nt_tile tile;
	nt_tile_make(subject, &input, &tile);
	nt_text_put_tile(out, &tile, false, label);
}

void nt_diff_write_text(FILE *out, const struct nt_diff *diff)
{
	const struct nt_difference *difference = &process_of(&diff->after)->difference;
	char text[NT_DIFFERENCE_TEXT];
	put_side(out, "BEFORE", &diff->before, &difference->before, 0);
	put_side(out, "AFTER", &diff->after, &difference->after, difference->load);
	fprintf(out, "%-10s%s\n", "COMPARED", nt_difference_compared_text(difference, text));
	if (*nt_difference_needs_text(difference, text))
		fprintf(out, "%-10s%s\n", "CPU TIME", text);
	fputc('\n', out);
	if (difference->row_count)
		put_rows(out, diff);
	else if (!diff->left_out)
		fprintf(out, "%s\n", nt_difference_nothing_text(difference));
	if (diff->left_out)
		fprintf(out, "%zu rows are left out: one of the recordings has only a part of the names of these types\n", diff->left_out);
	fputs("\nHeadlines of both, of which no error is known:\n", out);
	for (unsigned i = 0; i < NT_SUBJECT_TILES; i++) {
		put_tile(out, &diff->before, (enum nt_subject_id)i, " before");
		put_tile(out, &diff->after, (enum nt_subject_id)i, " after ");
	}
}
