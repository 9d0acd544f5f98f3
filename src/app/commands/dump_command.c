// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/dump_command.h"

#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/loop/guard.h"
#include "app/loop/loop.h"
#include "app/show/confirm.h"
#include "app/show/dump_work.h"
#include "app/show/watch.h"
#include "nettop/column.h"

#include <sys/stat.h>

enum { PROGRESS_MS = 200, NUMBER = 32 };

struct work {
	const struct nt_options *options;
	struct nt_dump_work dump;
};

/* NT_END: somebody wants no more of it. */
static enum nt_status wait_for(struct nt_dump_work *dump, struct nt_loop *loop, struct nt_error *err)
{
	char text[NT_DUMP_PRICE_BYTES], line[NT_DUMP_PRICE_BYTES + NUMBER];
	int fd = nt_dump_work_fd(dump);
	bool watched = fd >= 0 && nt_loop_watch(loop, fd, NULL) == NT_OK;
	enum nt_status status;
	while ((status = nt_dump_work_advance(dump, err)) == NT_AGAIN) {
		nt_loop_wake_at(loop, nt_clock_now() + PROGRESS_MS * NT_NS_PER_MS);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(loop, true)) {
			status = NT_END;
			break;
		}
		snprintf(line, sizeof(line), "nettop: %s", nt_dump_work_progress(dump, text));
		nt_confirm_progress(line);
	}
	if (watched)
		nt_loop_unwatch(loop, fd);
	nt_confirm_progress("");
	return status;
}

static enum nt_status have_it_written(struct nt_dump_work *dump, struct nt_error *err)
{
	struct nt_loop *loop = NULL;
	enum nt_status status = nt_loop_new(&loop, err);
	if (status == NT_OK)
		status = nt_dump_work_begin(dump, err);
	if (status == NT_OK)
		status = wait_for(dump, loop, err);
	nt_loop_free(loop);
	return status;
}

static enum nt_status dump(struct work *work, const char *price, struct nt_error *err)
{
	enum nt_status status = nt_confirm(price, work->options->yes, err);
	if (status == NT_END)
		return nt_error_set(err, NT_ERR_FAILED, "nothing was written: it was not wanted");
	if (status == NT_OK)
		status = have_it_written(&work->dump, err);
	if (status == NT_END)
		status = nt_error_set(err, NT_ERR_FAILED,
				      "interrupted: createdump of process %u goes on to its end, and what it writes is gone then",
				      (unsigned)work->dump.wish.target->pid);
	return status;
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	const struct nt_dump_wish wish = { .target = setup->target,
					   .keeper = setup->keeper,
					   .kind = work->options->dump_kind,
					   .path = work->options->output_path,
					   .folder = work->options->dump_folder };
	struct stat stat_of;
	char size[NUMBER], price[NT_DUMP_PRICE_BYTES];
	nt_guard_unfinished(NT_EXIT_FAILURE);
	enum nt_status status = nt_dump_work_prepare(&work->dump, &wish, price, err);
	if (status == NT_OK)
		status = dump(work, price, err);
	if (status == NT_OK && stat(work->dump.path, &stat_of) == 0)
		fprintf(stderr, "nettop: %s: %sB\n", work->dump.path, nt_format_bytes((uint64_t)stat_of.st_size, size, sizeof(size)));
	nt_dump_work_end(&work->dump);
	return nt_exit_of(status);
}

int nt_dump_command(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options };
	const struct nt_show show = { .run = watch, .context = &work };
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop dump -p PID"));
	enum nt_status status = nt_new_file_check(options->output_path, err);
	return status == NT_OK ? nt_watch_with(options, &show, err) : nt_exit_of(status);
}
