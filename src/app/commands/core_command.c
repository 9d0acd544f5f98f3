// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/core_command.h"

#include "app/commands/heap_files.h"
#include "app/commands/heap_out.h"
#include "app/commands/stacks_files.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/common/rights.h"
#include "app/show/heap_look.h"
#include "base/apart.h"
#include "base/text.h"
#include "nettop/model.h"
#include "output/threads/threads_write.h"
#include "source/core/core_source.h"
#include "source/export/symbol_servers.h"
#include "source/image/cfi_image.h"

/* All that a core says is of one moment, in the middle of the model's first interval. */
#define BEGIN  NT_NS_PER_S
#define MOMENT (BEGIN + NT_NS_PER_S / 2)

enum { ROUNDS_MOST = 4, FRAMES_MOST = 1024 };

struct work {
	const struct nt_options *options;
	struct nt_core_dump *dump; /* owned */
	struct nt_core_about about;
	struct nt_model *model; /* owned */
	struct nt_batch *own;   /* owned */
};

/* ---- from the core to a snapshot ---- */

static void apply(struct work *work)
{
	for (struct nt_batch *batch; (batch = nt_core_dump_take(work->dump));) {
		nt_model_apply(work->model, batch);
		nt_core_dump_give_back(work->dump, batch);
	}
}

static void direct(struct work *work, enum nt_event_kind kind, uint32_t wanted)
{
	nt_batch_reset(work->own);
	struct nt_event *event = nt_batch_add(work->own, kind, MOMENT, work->about.pid, 0);
	if (kind == NT_EV_KEEP_STACKS)
		event->u.keep_stacks.wanted = wanted;
	nt_model_apply(work->model, work->own);
}

/* Answers what was asked. False: that was nothing that a core can say. */
static bool answer(struct work *work, const struct nt_question *questions, size_t count)
{
	bool any = nt_core_dump_answer(work->dump, MOMENT, questions, count) > 0;
	apply(work);
	return any;
}

/*
 * The model asks what code is called, of samples at any time, of where threads are when an interval ends: so intervals end until nothing is asked any more. An answer may bring a further question, as it may be of a part of what was asked.
 */
static struct nt_snapshot *settle(struct work *work)
{
	struct nt_tick tick = { .now = BEGIN + NT_NS_PER_S, .how = NT_TICK_CLOSE };
	bool more = true;
	for (unsigned round = 0; round < ROUNDS_MOST && more; round++, tick.now += NT_NS_PER_S) {
		size_t count;
		direct(work, NT_EV_ASK, 0);
		const struct nt_question *questions = nt_model_questions(work->model, &count);
		more = answer(work, questions, count);
		struct nt_snapshot *snapshot = nt_model_take_tick(work->model, &tick);
		more |= answer(work, snapshot->processes[0].questions, snapshot->processes[0].question_count);
		nt_snapshot_release(snapshot);
	}
	tick.how = NT_TICK_FINAL;
	tick.complete = true;
	return nt_model_take_tick(work->model, &tick);
}

static enum nt_stacks_wanted stacks_of(const struct nt_options *options)
{
	for (size_t i = 0; i < options->stacks_format_count; i++)
		if (options->stacks_formats[i] == NT_STACKS_AS_PERF_SCRIPT)
			return NT_STACKS_TIMED;
	return NT_STACKS_ALL;
}

static struct nt_snapshot *take(struct work *work)
{
	bool stacks = work->options->command == NT_COMMAND_STACKS;
	const struct nt_core_wish wish = { .native = stacks || work->options->native, .as_moments = stacks };
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = work->about.pid;
	config.start = BEGIN;
	config.site_frames = FRAMES_MOST;
	work->model = nt_model_new(&config);
	work->own = nt_batch_new(NT_SOURCE_APP);
	if (stacks)
		direct(work, NT_EV_KEEP_STACKS, stacks_of(work->options));
	nt_core_dump_tell(work->dump, MOMENT, &wish);
	apply(work);
	return settle(work);
}

/* ---- what is said of it ---- */

/* On standard error, beside what is written. */
static void say_what_is_missing(const struct work *work)
{
	const struct nt_core_about *about = &work->about;
	if (about->no_managed) {
		fputs("nettop: no managed code: ", stderr);
		nt_text_print(stderr, about->no_managed);
		if (about->runtime_file && about->runtime_id.length) {
			char id[NT_BUILD_ID_TEXT];
			nt_build_id_text(&about->runtime_id, id);
			fputs(", and ", stderr);
			nt_text_print(stderr, about->runtime_reason);
			fprintf(stderr, "; put %s/%s/elf-buildid-%s/%s where it was, or below a folder for --symfs",
				NT_SYMBOL_SERVER_DEFAULT, about->runtime_file, id, about->runtime_file);
		} else {
			fputs("; dotnet-dump analyze FILE, then clrstack -all", stderr);
		}
		fputc('\n', stderr);
	} else if (!about->whole) {
		fputs("nettop: the runtime's list of its threads, or of its code, could not be read to its end\n", stderr);
	}
	if (about->unread) {
		fputs("nettop: frames are missing: ", stderr);
		nt_text_print(stderr, about->unread);
		fputc('\n', stderr);
	}
}

static enum nt_status write_stacks(const struct work *work, const struct nt_snapshot *snapshot, struct nt_error *err)
{
	static const struct nt_stacks_event threads = { .name = "threads", .unit = "count" };
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	const struct nt_stacks stacks = { .tree = &process->stacks,
					  .pid = process->target.pid,
					  .process_name = process->target.name,
					  .t0 = snapshot->start,
					  .t1 = snapshot->t1,
					  .events = &threads,
					  .event_count = 1 };
	return nt_stacks_files_write(work->options, &stacks, err);
}

static void write_threads(const struct work *work, const struct nt_snapshot *snapshot)
{
	const struct nt_core_about *about = &work->about;
	const struct nt_threads_core core = { .path = work->options->core_path,
					      .signal = about->signal,
					      .signal_tid = about->signal_tid,
					      .exception = about->exception,
					      .message = about->message,
					      .no_managed = about->no_managed };
	/* The time that is said is that at which it was made. */
	int64_t offset = about->made_unix_ns - (int64_t)snapshot->t1;
	if (work->options->output == NT_OUTPUT_JSON)
		nt_threads_write_json(stdout, snapshot, offset, &core);
	else
		nt_threads_write_text(stdout, snapshot, offset, &core);
}

static enum nt_status check(const struct nt_options *options, struct nt_error *err)
{
	if (options->target)
		return nt_error_set(err, NT_ERR_USAGE, "a process or a core: not both");
	if (options->command == NT_COMMAND_HEAP)
		return nt_new_file_check(options->output_path, err);
	if (options->command != NT_COMMAND_STACKS)
		return NT_OK;
	if (options->moment_count || options->all_time || options->during != NT_SIDE_NOT_TOLD)
		return nt_error_set(err, NT_ERR_USAGE, "a core is of one moment: there are no events in it, and no time");
	return nt_stacks_files_check(options, err);
}

/* ---- the heap ---- */

/* On standard error, beside what is written. */
static void say_what_it_is(const struct nt_heap_found *heap, bool references)
{
	fputs("nettop: what no collection has taken away yet is among it; a look at a process comes after one\n", stderr);
	if (heap->statics_partial)
		fputs("nettop: static fields are missing: what leads to some is not in the core, or they are too many\n", stderr);
	if (references && !heap->no_graph)
		fputs("nettop: stacks count only for what nothing else holds, and there each word that is an object's address does (~): "
		      "what is "
		      "held so may be garbage\n",
		      stderr);
}

static enum nt_status write_heap(const struct work *work, struct nt_heap_found *heap, struct nt_error *err)
{
	const struct nt_core_about *about = &work->about;
	const struct nt_heap_report report = {
		.pid = about->pid, .name = about->name, .runtime = about->runtime, .time_unix_ns = about->made_unix_ns, .heap = heap
	};
	struct nt_heap_file before = { 0 }; /* empty = nothing to compare with */
	enum nt_status status = NT_OK;
	nt_heap_found_join(heap);
	if (work->options->compare_path)
		status = nt_heap_file_open(work->options->compare_path, &before, err);
	if (status == NT_OK)
		status = nt_heap_out_write(work->options, &report, heap, before.heap ? &before.report : NULL, err);
	if (status == NT_OK)
		say_what_it_is(heap, nt_heap_out_wants_references(work->options));
	nt_heap_file_fini(&before);
	return status;
}

static enum nt_status write_what_is_wanted(struct work *work, struct nt_error *err)
{
	struct nt_heap_found *heap = nt_core_dump_take_heap(work->dump);
	enum nt_status status = NT_OK;
	if (heap)
		status = write_heap(work, heap, err);
	nt_heap_found_free(heap);
	if (work->options->command == NT_COMMAND_HEAP)
		return status;
	struct nt_snapshot *snapshot = take(work);
	if (work->options->command == NT_COMMAND_STACKS)
		status = write_stacks(work, snapshot, err);
	else
		write_threads(work, snapshot);
	if (status == NT_OK)
		say_what_is_missing(work);
	nt_snapshot_release(snapshot);
	return status;
}

int nt_core_command(const struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options };
	struct nt_core_heap_wish heap = { 0 };
	enum nt_status status = check(options, err);
	if (status != NT_OK)
		return nt_exit_of(status);
	nt_rights_drop(NT_RIGHTS_FILES);
	nt_apart_start();
	if (!nt_cfi_prepare(err)) /* its reader needs it; here is who can say that it is missing */
		return nt_exit_of(NT_ERR_ABSENT);
	if (options->command == NT_COMMAND_HEAP && nt_heap_out_wants_references(options))
		heap.graph_bytes = nt_heap_look_graph_bytes();
	status = nt_core_dump_open(options->core_path, options->symfs_path, options->command == NT_COMMAND_HEAP ? &heap : NULL, &work.dump,
				   err);
	if (status != NT_OK)
		return nt_exit_of(status);
	nt_core_dump_about(work.dump, &work.about);
	status = write_what_is_wanted(&work, err);
	nt_batch_free(work.own);
	nt_model_free(work.model);
	nt_core_dump_free(work.dump);
	return nt_exit_of(status);
}
