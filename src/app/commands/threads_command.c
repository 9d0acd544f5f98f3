// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/threads_command.h"

#include "app/commands/core_command.h"
#include "app/commands/replay_through.h"
#include "app/common/exit.h"
#include "app/show/headless.h"
#include "app/show/watch.h"
#include "base/text.h"
#include "output/threads/threads_write.h"
#include "source/image/cfi_image.h"

#include <inttypes.h>

/*
 * Looks are made until everything is there, or for so long: the names of frames (a perf map may have to be written first); a look at each thread that does not run all the time; locks, in which a circle
 * counts only when it has been there for a while.
 * Frames of native code come with the rules that lead to them: as long as there are more from look to look.
 */
enum { SETTLED_LOOKS = 6 };
static const nt_time names_ns = 2 * NT_NS_PER_S, stacks_ns = NT_NS_PER_S, circles_ns = 1500 * NT_NS_PER_MS, most_ns = 5 * NT_NS_PER_S,
		     interval_ns = 200 * NT_NS_PER_MS;

struct work {
	const struct nt_options *options;
	struct nt_snapshot *newest; /* with a look at the threads; owned, NULL = none yet */
	int64_t realtime_offset_ns;
	nt_time length_ns; /* of the interval before, in a recording */
	bool enough, refused;
	size_t partial;        /* stacks that are not whole, */
	unsigned settled;      /* in so many looks as many */
	enum nt_status status; /* its sentence in err */
	struct nt_error err;
};

static void refuse(struct work *work, const struct nt_source_row *row)
{
	work->refused = true;
	work->status = nt_error_set(&work->err, row->state == NT_STATE_FORBIDDEN ? NT_ERR_FORBIDDEN : NT_ERR_UNSUPPORTED,
				    "no stacks of threads: %s", row->reason ? row->reason : "nobody can read them");
	nt_error_set_fix(&work->err, row->fix ? row->fix
				     : row->state == NT_STATE_ABSENT
					     ? "nettop --wall shows where threads are by the runtime's own sampler, at its price"
					     : "");
}

/* Frames of managed code that nobody has named. */
static size_t nameless(const struct nt_process_snapshot *process)
{
	size_t count = 0;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_call_stack *stack = process->threads[i].wait_from;
		for (uint32_t k = 0; stack && k < stack->count; k++)
			count += !stack->frames[k].native && stack->frames[k].name[0] == '[';
	}
	return count;
}

static bool is_for_a_lock(const struct nt_thread_row *row)
{
	return !row->ended && row->waits && nt_wait_is_for_lock(row->wait);
}

/* It waits for a thread that waits for a lock, too, and whether they do in a circle is not known yet. */
static bool may_be_in_circle(const struct nt_process_snapshot *process, const struct nt_thread_row *row)
{
	if (!is_for_a_lock(row) || row->deadlocked || !row->wait_owner_tid)
		return false;
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].tid == row->wait_owner_tid && is_for_a_lock(&process->threads[i]))
			return true;
	return false;
}

/* May a further look bring more, after `elapsed`? */
static bool is_worth_waiting(const struct nt_process_snapshot *process, nt_time elapsed)
{
	if (elapsed < names_ns && nameless(process))
		return true;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		bool seldom = !row->ended && row->managed_id && row->looked_at && !row->waits && row->state != 'R';
		bool unseen = !row->ended && !row->looked_at;
		if ((elapsed < stacks_ns && (seldom || unseen)) || (elapsed < circles_ns && may_be_in_circle(process, row)))
			return true;
	}
	return false;
}

static size_t partial_count(const struct nt_process_snapshot *process)
{
	size_t count = 0;
	for (size_t i = 0; i < process->thread_count; i++)
		count += !process->threads[i].ended && process->threads[i].waits && process->threads[i].wait_partial;
	return count;
}

/* May frames of native code be still to come? */
static bool is_unwinding(struct work *work, const struct nt_process_snapshot *process)
{
	size_t partial = partial_count(process);
	work->settled = partial == work->partial ? work->settled + 1 : 0;
	work->partial = partial;
	return work->options->native && partial && work->settled < SETTLED_LOOKS;
}

static bool has_looks(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].looked_at)
			return true;
	return false;
}

static void keep(struct work *work, struct nt_snapshot *snapshot)
{
	nt_snapshot_release(work->newest);
	work->newest = nt_snapshot_retain(snapshot);
}

static void take(void *context, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	const struct nt_source_row *runtime = nt_snapshot_source(snapshot, NT_SOURCE_RUNTIME);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	if (snapshot->final || work->enough || work->refused)
		return;
	if (runtime && (runtime->state == NT_STATE_ABSENT || runtime->state == NT_STATE_FORBIDDEN || runtime->state == NT_STATE_ENDED)) {
		refuse(work, runtime);
		return;
	}
	if (!has_looks(process))
		return;
	keep(work, snapshot);
	bool unwinding = is_unwinding(work, process);
	work->enough = !unwinding && !is_worth_waiting(process, snapshot->t1 - snapshot->start);
}

static bool is_done(const void *context)
{
	const struct work *work = context;
	return work->enough || work->refused;
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	setup->sink = take;
	setup->perf_map_never = true; /* where stacks are described, names are, too: nothing is asked of the target */
	setup->sink_context = context;
	return nt_headless_run(setup, is_done, context, err);
}

/* On standard error, beside what is written. */
static void say_what_is_missing(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *map = nt_snapshot_source(snapshot, NT_SOURCE_CODEMAP);
	size_t count = nameless(&snapshot->processes[0]);
	if (!count)
		return;
	fprintf(stderr, "nettop: %zu frames have no name%s", count, map && map->reason ? ": " : "");
	nt_text_print(stderr, map ? map->reason : NULL);
	fputs(map && map->fix ? "; " : "", stderr);
	nt_text_print(stderr, map ? map->fix : NULL);
	fputc('\n', stderr);
}

static void write_newest(const struct work *work)
{
	int64_t offset = work->realtime_offset_ns;
	if (work->options->output == NT_OUTPUT_JSON)
		nt_threads_write_json(stdout, work->newest, offset, NULL);
	else
		nt_threads_write_text(stdout, work->newest, offset, NULL);
	say_what_is_missing(work->newest);
}

/* ---- of a recording: the newest look in it ---- */

static bool take_recorded(void *context, const struct nt_replayed *replayed, struct nt_snapshot *snapshot)
{
	struct work *work = context;
	/* In one that whoever recorded cut short, not each thread was looked at. */
	nt_time length_ns = snapshot->t1 - snapshot->t0;
	bool is_whole = length_ns >= work->length_ns;
	work->length_ns = length_ns;
	work->realtime_offset_ns = nt_replayed_realtime_offset(replayed);
	if (is_whole && !snapshot->final && has_looks(&snapshot->processes[0]))
		keep(work, snapshot);
	return true;
}

static int replay(struct work *work, struct nt_error *err)
{
	const struct nt_options *options = work->options;
	const struct nt_replayed_wish wish = { .summary = true, .to = &options->to };
	enum nt_status status = nt_replay_through(options->replay_path, &wish, take_recorded, work, err);
	if (status == NT_OK && !work->newest)
		status = nt_error_set(err, NT_ERR_ABSENT, "nobody had looked at the stacks of threads by then: nettop record --waits does");
	return nt_exit_of(status);
}

static int watch_now(struct nt_options *options, struct work *work, struct nt_error *err)
{
	const struct nt_show show = { .run = watch, .context = work };
	/* Nothing else is looked at, and nothing else should cost. */
	options->source_mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP | 1u << NT_SOURCE_CODEMAP | 1u << NT_SOURCE_RUNTIME;
	options->delay_ns = interval_ns;
	options->duration_ns = most_ns;
	int exit_status = nt_watch_with(options, &show, err);
	if (work->status != NT_OK) {
		*err = work->err;
		return nt_exit_of(work->status);
	}
	if (work->newest)
		return NT_EXIT_OK;
	return exit_status != NT_EXIT_OK ? exit_status
					 : nt_exit_of(nt_error_set(err, NT_ERR_FAILED, "nobody could look at the threads in %d s",
								   (int)(most_ns / NT_NS_PER_S)));
}

int nt_threads(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options, .status = NT_OK, .realtime_offset_ns = nt_clock_realtime_offset() };
	if (options->core_path)
		return nt_core_command(options, err);
	if (!options->target && !options->replay_path)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop threads -p PID"));
	if (options->native && !nt_cfi_prepare(err)) /* the decoder reads by it; here is who can say that it is missing */
		return nt_exit_of(NT_ERR_ABSENT);
	if (options->output == NT_OUTPUT_SCREEN)
		options->output = NT_OUTPUT_TEXT;
	int exit_status = options->replay_path ? replay(&work, err) : watch_now(options, &work, err);
	if (work.newest && (exit_status == NT_EXIT_OK || options->replay_path)) /* of a recording that is damaged, what came before */
		write_newest(&work);
	nt_snapshot_release(work.newest);
	return exit_status;
}
