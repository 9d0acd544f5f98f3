// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/heap_command.h"

#include "app/commands/core_command.h"
#include "app/commands/heap_files.h"
#include "app/commands/heap_out.h"
#include "app/show/confirm.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/loop/guard.h"
#include "app/loop/loop.h"
#include "app/show/heap_look.h"
#include "app/show/watch.h"

#include <stdlib.h>

enum { LOOK_MS = 10, PROGRESS_MS = 200 };

struct work {
	const struct nt_options *options;
	struct nt_heap_file before; /* empty = nothing to compare with */
	struct nt_heap_report report;
	struct nt_heap_found *heap; /* owned; NULL = none yet */
};

/* ---- meanwhile ---- */

static void tell_progress(const struct nt_heap_walk *walk, nt_time now, nt_time *next)
{
	char text[NT_HEAP_PRICE_BYTES];
	if (now < *next)
		return;
	*next = now + PROGRESS_MS * NT_NS_PER_MS;
	nt_confirm_progress(nt_heap_look_progress(walk, text));
}

/* To its end. NT_END: somebody wants no more of it. */
static enum nt_status walk_to_the_end(struct nt_heap_walk *walk, struct nt_loop *loop, struct nt_heap_found **out, struct nt_error *err)
{
	nt_time next_progress = 0;
	bool watched = false, told = false;
	enum nt_status status;
	for (;;) {
		nt_time now = nt_clock_now();
		status = nt_heap_walk_advance(walk, now, out, err);
		if (status != NT_AGAIN)
			break;
		if (!watched && nt_heap_walk_fd(walk) >= 0)
			watched = nt_loop_watch(loop, nt_heap_walk_fd(walk), NULL) == NT_OK;
		tell_progress(walk, now, &next_progress);
		nt_loop_wake_at(loop, now + LOOK_MS * NT_NS_PER_MS);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(loop, false)) {
			status = NT_END;
			break;
		}
		if (!told && nt_loop_stops_behind(loop)) {
			told = true;
			nt_confirm_progress("");
			fputs("nettop: Ctrl-Z: as soon as the process does not have to wait for it any more\n", stderr);
		}
	}
	if (watched)
		nt_loop_unwatch(loop, nt_heap_walk_fd(walk));
	nt_confirm_progress("");
	return status;
}

static enum nt_status look(struct work *work, const struct nt_session_setup *setup, const struct nt_heap_wish *wish, struct nt_error *err)
{
	const struct nt_source_config config = nt_session_config(setup);
	struct nt_heap_walk *walk = NULL;
	struct nt_loop *loop = NULL;
	enum nt_status status = nt_loop_new(&loop, err);
	if (status == NT_OK)
		status = nt_heap_walk_open(setup->target, &config, wish, nt_clock_now(), &walk, err);
	if (status == NT_OK)
		status = walk_to_the_end(walk, loop, &work->heap, err);
	nt_heap_walk_close(walk);
	if (loop && status != NT_END)
		nt_loop_stop_behind(loop);
	nt_loop_free(loop);
	return status;
}

/* ---- behind ---- */

static enum nt_status write_report(struct work *work, struct nt_error *err)
{
	const struct nt_heap_report *before = work->before.heap ? &work->before.report : NULL;
	return nt_heap_out_write(work->options, &work->report, work->heap, before, err);
}

static enum nt_status report_process(struct work *work, const struct nt_target *target, struct nt_error *err)
{
	if (!work->heap->object_count)
		return nt_error_set(err, NT_ERR_FAILED, "the runtime told of no object");
	nt_heap_look_name(target, work->heap);
	work->report = (struct nt_heap_report){ .pid = target->pid,
						.name = target->name,
						.runtime = target->runtime,
						.time_unix_ns = (int64_t)nt_clock_now() + nt_clock_realtime_offset(),
						.heap = work->heap };
	return write_report(work, err);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	struct nt_heap_wish wish;
	char price[NT_HEAP_PRICE_BYTES];
	nt_guard_unfinished(NT_EXIT_FAILURE);
	enum nt_status status = nt_heap_look_check(setup->target, nt_heap_out_wants_references(work->options), &wish, price, err);
	if (status == NT_OK)
		status = nt_confirm(price, work->options->yes, err);
	if (status == NT_OK)
		status = look(work, setup, &wish, err);
	if (status == NT_OK)
		status = report_process(work, setup->target, err);
	if (status == NT_END)
		status = nt_error_set(err, NT_ERR_FAILED, "nothing was written: it was not wanted");
	return nt_exit_of(status);
}

/* A file in place of a process. */
static enum nt_status report_file(struct work *work, struct nt_error *err)
{
	struct nt_heap_file file;
	enum nt_status status = nt_heap_file_open(work->options->target, &file, err);
	if (status != NT_OK)
		return status;
	work->heap = file.heap;
	work->report = file.report;
	status = write_report(work, err);
	work->heap = NULL;
	nt_heap_file_fini(&file);
	return status;
}

int nt_heap_command(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options };
	const struct nt_show show = { .run = watch, .context = &work };
	if (options->core_path)
		return nt_core_command(options, err);
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop heap -p PID"));
	enum nt_status status = nt_new_file_check(options->output_path, err);
	if (status == NT_OK && options->compare_path)
		status = nt_heap_file_open(options->compare_path, &work.before, err);
	bool is_file = nt_heap_file_is_dump(options->target);
	if (status == NT_OK && is_file)
		status = report_file(&work, err);
	int exit_status = status == NT_OK && !is_file ? nt_watch_with(options, &show, err) : nt_exit_of(status);
	nt_heap_found_free(work.heap);
	nt_heap_file_fini(&work.before);
	return exit_status;
}
