// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/view_wait_strip.h"

#include <inttypes.h>
#include <string.h>

enum { STRIP_X = 13, LEGEND_GAP = 3, ENTRY_GAP = 2 };

/* A number that is used again is the living thread's. */
static const struct nt_wait_sum_row *find(const struct nt_process_snapshot *process, uint32_t tid)
{
	const struct nt_wait_sum_row *found = NULL;
	for (size_t i = 0; i < process->wait_thread_count; i++)
		if (process->wait_threads[i].tid == tid && (!found || found->ended))
			found = &process->wait_threads[i];
	return found;
}

static void put_cells(const struct nt_wait_strip *strip, struct nt_grid *grid, int y)
{
	for (int i = 0; i < NT_STRIP_CELLS; i++) {
		const char cell[] = { strip->cells[i], '\0' };
		nt_grid_put(grid, STRIP_X + i, y, 1, strip->polled >> i & 1 ? NT_STYLE_DIM : NT_STYLE_PLAIN, cell);
	}
}

static bool has(const struct nt_wait_strip *strip, unsigned kind)
{
	return strchr(strip->cells, nt_wait_kind_mark(kind)) != NULL;
}

/* How the thread was watched, then what the letters mean that are there, as many as fit. */
static void put_legend(const struct nt_wait_strip *strip, const char *less, struct nt_grid *grid, int y)
{
	struct nt_line entry = { 0 };
	int x = STRIP_X + NT_STRIP_CELLS + LEGEND_GAP;
	if (strip->polled) {
		nt_line_add(&entry, "%spolled", strcmp(nt_wait_strip_method(strip), "mixed") ? "" : "dim: ");
		if (less && x + nt_text_cells(entry.text) + nt_text_cells(less) + 3 <= grid->width)
			nt_line_add(&entry, " (%s)", less);
		x = nt_grid_put(grid, x, y, grid->width - x, NT_STYLE_DIM, entry.text) + ENTRY_GAP;
	}
	for (unsigned kind = 0; kind < NT_WAIT_COUNT; kind++) {
		if (!has(strip, kind))
			continue;
		entry = (struct nt_line){ 0 };
		nt_line_add(&entry, "%c %s", nt_wait_kind_mark(kind), nt_wait_kind_name(kind));
		if (x + nt_text_cells(entry.text) > grid->width)
			return;
		x = nt_grid_put(grid, x, y, grid->width - x, NT_STYLE_DIM, entry.text) + ENTRY_GAP;
	}
}

void nt_view_wait_strip(const struct nt_column_context *context, uint32_t tid, struct nt_grid *grid, int y)
{
	const struct nt_wait_sum_row *row = tid ? find(context->process, tid) : NULL;
	struct nt_line who = { 0 };
	if (row)
		nt_line_add(&who, " t%" PRIu32 " %us", tid, (unsigned)(NT_STRIP_CELLS * NT_STRIP_SLICE_MS / 1000));
	nt_grid_put(grid, 0, y, STRIP_X, NT_STYLE_PLAIN, who.text);
	if (!row || !row->strip) {
		nt_grid_put(grid, row ? STRIP_X : 1, y, grid->width, NT_STYLE_DIM,
			    context->is_span ? "of a span the last seconds of a thread are not kept"
			    : row            ? "nothing is known of its last seconds"
					     : "no thread is known that waited there lately");
		return;
	}
	put_cells(row->strip, grid, y);
	put_legend(row->strip, context->process->interval.waits.less, grid, y);
}
