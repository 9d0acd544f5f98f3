// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/gc_log.h"

#include "app/common/exit.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "base/alloc.h"
#include "output/events/gc_line.h"

#include <inttypes.h>
#include <stdlib.h>

static const nt_time interval_ns = 200 * NT_NS_PER_MS;

struct work {
	const struct nt_options *options;
	nt_time newest; /* end of the last one that was written */
	uint64_t count; /* written */
	uint64_t lost;  /* events that are missing, of which it has been said */
	bool lost_unknown;
	bool told;        /* somebody tells of collections: it has been said */
	bool unsupported; /* nobody does, or will */
	struct nt_error err;
};

static int by_end(const void *a, const void *b)
{
	const struct nt_gc_row *const *left = a, *const *right = b;
	return ((*left)->end > (*right)->end) - ((*left)->end < (*right)->end);
}

static bool is_enough(const void *context)
{
	const struct work *work = context;
	return work->unsupported || ferror(stdout) || (work->options->interval_count && work->count >= work->options->interval_count);
}

/* What a collection lacks, or that one is not told at all, is seen by nothing else. */
static void write_lost(struct work *work, const struct nt_snapshot *snapshot)
{
	bool counted = snapshot->lost_count > work->lost, unknown = snapshot->lost_unknown && !work->lost_unknown;
	if (counted || unknown)
		nt_gc_line_lost(stdout, work->options->output == NT_OUTPUT_JSON,
				counted ? nt_u64_of(snapshot->lost_count - work->lost) : (struct nt_u64){ 0 }, snapshot->t1,
				nt_clock_realtime_offset());
	work->lost = snapshot->lost_count;
	work->lost_unknown |= snapshot->lost_unknown;
}

/* One in the background ends after others that began behind it: they come in the order of their ends. */
static void write_new(struct work *work, const struct nt_snapshot *snapshot)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_column_context context = { .snapshot = snapshot, .process = process };
	const struct nt_gc_row **rows = nt_realloc(NULL, process->collection_count + 1, sizeof(*rows));
	size_t count = 0;
	for (size_t i = 0; i < process->collection_count; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (row->finished && row->end != NT_TIME_UNKNOWN && row->end > work->newest)
			rows[count++] = row;
	}
	qsort(rows, count, sizeof(*rows), by_end);
	for (size_t i = 0; i < count && !is_enough(work); i++, work->count++) {
		if (work->options->output == NT_OUTPUT_JSON)
			nt_gc_line_json(stdout, rows[i], &context, nt_clock_realtime_offset());
		else
			nt_gc_line_text(stdout, rows[i], &context, nt_clock_realtime_offset());
		work->newest = rows[i]->end;
	}
	fflush(stdout);
	free(rows);
}

static bool tells(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	const struct nt_source_row *source = nt_snapshot_source(snapshot, id);
	return source && source->state == NT_STATE_DELIVERING;
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	const struct nt_source_row *eventpipe = nt_snapshot_source(snapshot, NT_SOURCE_EVENTPIPE);
	bool told = tells(snapshot, NT_SOURCE_LTTNG) || tells(snapshot, NT_SOURCE_EVENTPIPE);
	if (told && !work->told)
		fputs("nettop: watching\n", stderr);
	work->told |= told;
	if (!work->told && eventpipe && (eventpipe->state == NT_STATE_ABSENT || eventpipe->state == NT_STATE_FORBIDDEN)) {
		work->unsupported = true;
		nt_error_set(&work->err, eventpipe->state == NT_STATE_FORBIDDEN ? NT_ERR_FORBIDDEN : NT_ERR_UNSUPPORTED,
			     "nobody tells of its collections: %s", eventpipe->reason ? eventpipe->reason : "");
		nt_error_set_fix(&work->err, eventpipe->fix ? eventpipe->fix : "");
	}
	write_lost(work, snapshot);
	write_new(work, snapshot);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	setup->sink = take;
	setup->sink_context = context;
	return nt_headless_run(setup, is_enough, context, err);
}

int nt_gc_log(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options };
	const struct nt_show show = { .run = watch, .context = &work };
	options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_CODEMAP | 1u << NT_SOURCE_RUNTIME |
			       1u << NT_SOURCE_LTTNG | 1u << NT_SOURCE_EVENTPIPE;
	options->delay_ns = interval_ns;
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	int exit_status = nt_watch_with(options, &show, err);
	if (!work.unsupported)
		return exit_status;
	*err = work.err;
	return nt_exit_of(work.err.status);
}
