// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/ps.h"

#include "app/common/exit.h"
#include "base/alloc.h"
#include "model/process/process_list.h"
#include "nettop/listing.h"
#include "nettop/process_row.h"
#include "output/frame/json.h"
#include "output/frame/plain_frame.h"
#include "source/processes/process_scan.h"

#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* Between the two looks: shares of CPU are of this time. */
enum { BETWEEN_MS = 250 };

static int by_cpu(const void *a, const void *b, void *context)
{
	const struct nt_listing *listing = context;
	const struct nt_listing_row *x = a, *y = b;
	const struct nt_column *column = listing->table->columns;
	while (!column->default_sort)
		column++;
	return nt_row_compare(listing->table, column, column->ascending, &listing->context, x->row, y->row);
}

static char lead_of(const struct nt_process_row *row)
{
	if (row->ended_at != NT_TIME_UNKNOWN)
		return '.';
	return row->process && row->process->finding_count ? '!' : ' ';
}

void nt_ps_print(const struct nt_snapshot *snapshot, const struct nt_table *table, FILE *out)
{
	struct nt_listing listing = {
		.table = table, .context = { .snapshot = snapshot }, .row_count = snapshot->listed_count, .fitted = true
	};
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].screen)
			nt_listing_add_column(&listing, &table->columns[i]);
	listing.rows = nt_alloc((listing.row_count + 1) * sizeof(*listing.rows));
	for (size_t i = 0; i < listing.row_count; i++)
		listing.rows[i] = (struct nt_listing_row){ &snapshot->listed[i], lead_of(&snapshot->listed[i]) };
	qsort_r(listing.rows, listing.row_count, sizeof(*listing.rows), by_cpu, &listing);
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

/* Two looks, so that there are shares of CPU. */
static struct nt_snapshot *look_twice(struct nt_process_scan *scan, struct nt_error *err)
{
	static const struct timespec between = { .tv_nsec = BETWEEN_MS * (long)NT_NS_PER_MS };
	struct nt_snapshot *snapshot = NULL;
	for (int i = 0; i < 2; i++) {
		struct nt_process_scan_result result;
		if (i)
			nanosleep(&between, NULL);
		bool seen = nt_process_scan_look(scan, &result, err) == NT_OK;
		const struct nt_process_look look = { .at = result.at, .rows = result.rows, .count = result.count };
		struct nt_snapshot *next = seen ? nt_process_list_next(snapshot, &look) : NULL;
		nt_snapshot_release(snapshot);
		snapshot = next;
		if (!seen)
			break;
	}
	return snapshot;
}

static void print_json(const struct nt_snapshot *snapshot)
{
	char *text = nt_json_process_list(snapshot);
	puts(text);
	free(text);
}

static void print_plain(const struct nt_snapshot *snapshot)
{
	struct nt_plain *plain = nt_plain_new(0);
	nt_plain_list(plain, &nt_table_processes, snapshot, nt_clock_realtime_offset(), stdout);
	nt_plain_free(plain);
}

static int print(const struct nt_snapshot *snapshot, const struct nt_options *options, struct nt_error *err)
{
	if (options->output == NT_OUTPUT_JSON)
		print_json(snapshot);
	else if (snapshot->listed_count && options->plain)
		print_plain(snapshot);
	else if (snapshot->listed_count)
		nt_ps_print(snapshot, &nt_table_processes, stdout);
	if (snapshot->listed_count)
		return NT_EXIT_OK;
	return nt_exit_of(nt_error_set(err, NT_ERR_ABSENT, "there is no .NET process here that uid %u can see", (unsigned)geteuid()));
}

int nt_ps_run(const struct nt_options *options, struct nt_error *err)
{
	struct nt_process_scan *scan = nt_process_scan_new("/proc", (unsigned)options->perf_hz, options->readonly, NULL);
	struct nt_snapshot *snapshot = look_twice(scan, err);
	int exit_status = snapshot ? print(snapshot, options, err) : NT_EXIT_FAILURE;
	nt_snapshot_release(snapshot);
	nt_process_scan_free(scan);
	return exit_status;
}
