// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/dump_command.h"

#include "app/show/confirm.h"
#include "app/common/exit.h"
#include "app/common/new_file.h"
#include "app/loop/guard.h"
#include "app/loop/loop.h"
#include "app/show/watch.h"
#include "base/alloc.h"
#include "base/file_name.h"
#include "base/own_folder.h"
#include "nettop/column.h"
#include "target/perfmap/perf_map_room.h"
#include "target/port/core_dump.h"
#include "target/port/diagnostics.h"
#include "target/process/cgroup_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PROGRESS_MS = 200, ANSWER_S = 3600, NUMBER = 32, PRICE_BYTES = 512, PIECE_BYTES = 1 << 20 };

/* Measured: 213 MB in 1.3 s, 291 MB in 1.6 s, 7 MB in 0.5 s. */
static const double ns_per_byte = 4;
static const nt_time start_ns = 450 * NT_NS_PER_MS;

static const enum nt_ipc_dump types[NT_DUMP_KIND_COUNT] = { [NT_DUMP_FULL] = NT_IPC_DUMP_FULL,
							    [NT_DUMP_HEAP] = NT_IPC_DUMP_HEAP,
							    [NT_DUMP_MINI] = NT_IPC_DUMP_MINI,
							    [NT_DUMP_TRIAGE] = NT_IPC_DUMP_TRIAGE,
							    [NT_DUMP_REPORT] = NT_IPC_DUMP_MINI };

struct work {
	const struct nt_options *options;
	const struct nt_target *target; /* borrowed, while it is watched */
	char *path;                     /* of the file, owned */
	bool report_only;
	uint64_t bytes; /* that it will have, about */
	struct nt_dump_room room;
};

/* ---- where ---- */

/* The folder in which the file is to be, as we see it: the caller's; NULL = it has no such path. */
static char *folder_of(const char *path)
{
	char link[32], folder[PATH_MAX];
	const char *name;
	int fd = nt_own_folder_open(path, false, &name);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	ssize_t length = readlink(link, folder, sizeof(folder) - 1);
	close(fd);
	if (length <= 0)
		return NULL;
	folder[length] = '\0';
	return nt_strdup(folder);
}

/* Do we and the process see the same folder by this path? */
static bool is_seen(const struct nt_dump_room *room, const char *folder)
{
	struct stat ours, theirs;
	return stat(folder, &ours) == 0 && fstat(room->outer, &theirs) == 0 && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
}

/* Noted before it is made: whoever finds a dead nettop's room knows how to take it away. */
static enum nt_status make_room(struct work *work, struct nt_keeper *keeper, const char *folder, bool must_be_ours, struct nt_error *err)
{
	char deed[NT_DEED_TEXT_BYTES];
	enum nt_status status = nt_dump_room_find(work->target, folder, &work->room, err);
	if (status == NT_OK && must_be_ours && !is_seen(&work->room, folder))
		status = nt_error_set(err, NT_ERR_ABSENT, "process %u does not see %s", (unsigned)work->target->pid, folder);
	if (status == NT_OK && !nt_keeper_hold(keeper, "dump-room", nt_deed_text(&work->room.deed, deed), work->room.outer))
		status = nt_error_set(err, NT_ERR_FAILED, "nobody would take the dump away if nettop were killed");
	if (status == NT_OK) {
		status = nt_dump_room_make(&work->room, err);
		if (status != NT_OK)
			nt_keeper_note(keeper, "-dump-room", deed);
	}
	if (status != NT_OK)
		nt_dump_room_fini(&work->room);
	return status;
}

/* Where the file is to be, because it need not be copied then; else in the folder for what is temporary. */
static enum nt_status find_room(struct work *work, struct nt_keeper *keeper, struct nt_error *err)
{
	if (work->options->dump_folder)
		return make_room(work, keeper, work->options->dump_folder, false, err);
	char *folder = folder_of(work->path);
	enum nt_status status = folder ? make_room(work, keeper, folder, true, NULL) : NT_ERR_ABSENT;
	free(folder);
	return status == NT_OK ? status : make_room(work, keeper, "/tmp", false, err);
}

static void clear_room(struct work *work, struct nt_keeper *keeper)
{
	char deed[NT_DEED_TEXT_BYTES];
	if (work->room.outer < 0)
		return;
	nt_dump_room_clear(&work->room);
	nt_keeper_note(keeper, "-dump-room", nt_deed_text(&work->room.deed, deed));
	nt_dump_room_fini(&work->room);
}

/* Files of the process's file system, and what is left of its memory where that is in memory. */
static enum nt_status check_space(const struct work *work, struct nt_error *err)
{
	char need[NUMBER], unused[NUMBER];
	const struct nt_perf_map_room room = nt_perf_map_free(work->room.outer, work->target->proc_dir, NT_CGROUP_ROOT);
	if (work->bytes < room.free_bytes)
		return NT_OK;
	nt_error_set(err, NT_ERR_FAILED, "the dump might have %sB, and %sB are free in %s of the process",
		     nt_format_bytes(work->bytes, need, sizeof(need)), nt_format_bytes(room.free_bytes, unused, sizeof(unused)),
		     work->room.folder);
	nt_error_set_fix(err, "name another folder that it sees with --in DIR, or take a smaller one: --type mini");
	return NT_ERR_FAILED;
}

/* ---- meanwhile ---- */

static enum nt_status ask(const struct work *work, struct nt_error *err)
{
	char price[PRICE_BYTES], size[NUMBER], pause[NUMBER];
	snprintf(price, sizeof(price),
		 "%s (process %u) stands still until its runtime has written the file: some %s for about %sB, in %s as its user (uid %u); "
		 "createdump says so in a "
		 "few lines on the standard output of the process",
		 work->target->name, (unsigned)work->target->pid,
		 nt_format_duration(start_ns + (nt_time)(ns_per_byte * (double)work->bytes), pause, sizeof(pause)),
		 nt_format_bytes(work->bytes, size, sizeof(size)), work->room.folder, (unsigned)work->target->uid);
	return nt_confirm(price, work->options->yes, err);
}

static void tell_progress(const struct work *work)
{
	char text[PRICE_BYTES], done[NUMBER], all[NUMBER];
	struct stat stat;
	int fd = nt_dump_room_open(&work->room, work->report_only);
	uint64_t bytes = fd >= 0 && fstat(fd, &stat) == 0 ? (uint64_t)stat.st_size : 0;
	if (fd >= 0)
		close(fd);
	snprintf(text, sizeof(text), "nettop: %sB written, of about %sB; the process stands still",
		 nt_format_bytes(bytes, done, sizeof(done)), nt_format_bytes(work->bytes, all, sizeof(all)));
	nt_confirm_progress(text);
}

/* NT_END: somebody wants no more of it. */
static enum nt_status wait_for(struct nt_ipc_exchange *exchange, const struct work *work, struct nt_loop *loop, struct nt_error *err)
{
	struct nt_ipc_reply reply;
	bool watched = nt_ipc_fd(exchange) >= 0 && nt_loop_watch(loop, nt_ipc_fd(exchange), NULL) == NT_OK;
	int fd = nt_ipc_fd(exchange);
	enum nt_status status;
	for (;;) {
		status = nt_ipc_advance(exchange, nt_clock_now(), &reply, err);
		if (status != NT_AGAIN)
			break;
		nt_loop_wake_at(loop, nt_clock_now() + PROGRESS_MS * NT_NS_PER_MS);
		if (nt_loop_wait(loop) & NT_WAKE_SIGNAL && nt_loop_interrupted(loop)) {
			status = NT_END;
			break;
		}
		tell_progress(work);
	}
	if (watched)
		nt_loop_unwatch(loop, fd);
	nt_confirm_progress("");
	return status == NT_OK ? nt_ipc_reply_result(&reply, err) : status;
}

static enum nt_status have_it_written(const struct work *work, struct nt_error *err)
{
	uint8_t request[NT_IPC_REQUEST_MAX];
	struct nt_ipc_exchange *exchange = NULL;
	struct nt_loop *loop = NULL;
	size_t length = nt_core_dump_request(&work->room, types[work->options->dump_kind], work->report_only, request);
	if (!length)
		return nt_error_set(err, NT_ERR_USAGE, "the path of the folder %s is too long", work->room.folder);
	enum nt_status status = nt_loop_new(&loop, err);
	if (status == NT_OK)
		status = nt_ipc_start(work->target, request, length, nt_clock_now() + ANSWER_S * NT_NS_PER_S, &exchange, err);
	if (status == NT_OK)
		status = wait_for(exchange, work, loop, err);
	nt_ipc_close(exchange);
	nt_loop_free(loop);
	return status;
}

/* ---- taking it ---- */

struct copy {
	int fd, reason; /* errno of reading; 0 = all was read */
};

static void write_copy(FILE *out, const void *context)
{
	struct copy *copy = *(struct copy *const *)context;
	char *piece = nt_alloc(PIECE_BYTES);
	ssize_t length;
	while ((length = read(copy->fd, piece, PIECE_BYTES)) > 0 && fwrite(piece, 1, (size_t)length, out) == (size_t)length)
		continue;
	copy->reason = length < 0 ? errno : 0;
	free(piece);
}

static enum nt_status take(const struct work *work, struct nt_error *err)
{
	struct copy copy = { .fd = nt_dump_room_open(&work->room, work->report_only) }, *there = &copy;
	if (copy.fd < 0)
		return nt_error_set(err, NT_ERR_FAILED, "the runtime says that it has written the file, but none of its user's lies in %s",
				    work->room.folder);
	int folder = work->room.deed.uid == geteuid() ? nt_dump_room_folder(&work->room) : -1;
	enum nt_status status = folder >= 0 ? nt_new_file_move(work->path, folder, nt_dump_room_name(work->report_only), err) : NT_AGAIN;
	if (folder >= 0)
		close(folder);
	if (status == NT_AGAIN)
		status = nt_new_file_write(work->path, write_copy, &there, err);
	close(copy.fd);
	if (status == NT_OK && copy.reason)
		status = nt_error_errno(err, NT_ERR_FAILED, copy.reason, "cannot read what the runtime has written");
	return status;
}

/* ---- all of it ---- */

static enum nt_status dump(struct work *work, struct nt_keeper *keeper, struct nt_error *err)
{
	enum nt_status status = find_room(work, keeper, err);
	if (status == NT_OK)
		status = check_space(work, err);
	if (status == NT_OK)
		status = ask(work, err);
	if (status == NT_OK) {
		status = have_it_written(work, err);
		if (status == NT_END)
			status = nt_error_set(err, NT_ERR_FAILED,
					      "interrupted: createdump of process %u goes on to its end, and what it writes is gone then",
					      (unsigned)work->target->pid);
	} else if (status == NT_END) {
		status = nt_error_set(err, NT_ERR_FAILED, "nothing was written: it was not wanted");
	}
	if (status == NT_OK)
		status = take(work, err);
	clear_room(work, keeper);
	return status;
}

/* One that nobody has named takes no other's place. */
static enum nt_status choose_path(struct work *work, struct nt_error *err)
{
	const struct nt_target *target = work->target;
	if (work->options->output_path) {
		work->path = nt_strdup(work->options->output_path);
		return NT_OK;
	}
	work->path = nt_format("%s.%u.%s", nt_file_base_name(target->name), (unsigned)target->pid,
			       work->report_only ? "crashreport.json" : "core");
	if (access(work->path, F_OK) == 0)
		return nt_error_set(err, NT_ERR_USAGE, "%s is there; name another file with -o", work->path);
	return nt_new_file_check(work->path, err);
}

static int watch(void *context, struct nt_session_setup *setup, struct nt_error *err)
{
	struct work *work = context;
	struct stat stat_of;
	char size[NUMBER];
	work->target = setup->target;
	nt_guard_unfinished(NT_EXIT_FAILURE);
	enum nt_status status = nt_core_dump_check(setup->target, err);
	if (status == NT_OK)
		status = choose_path(work, err);
	if (status == NT_OK) {
		work->bytes = nt_core_dump_bytes(setup->target, types[work->options->dump_kind], work->report_only);
		status = dump(work, setup->keeper, err);
	}
	if (status == NT_OK && stat(work->path, &stat_of) == 0)
		fprintf(stderr, "nettop: %s: %sB\n", work->path, nt_format_bytes((uint64_t)stat_of.st_size, size, sizeof(size)));
	return nt_exit_of(status);
}

int nt_dump_command(struct nt_options *options, struct nt_error *err)
{
	struct work work = { .options = options, .report_only = options->dump_kind == NT_DUMP_REPORT, .room = { .outer = -1 } };
	const struct nt_show show = { .run = watch, .context = &work };
	if (!options->target)
		return nt_exit_of(nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop dump -p PID"));
	umask(S_IRWXG | S_IRWXO); /* it has all that the process knows */
	enum nt_status status = nt_new_file_check(options->output_path, err);
	int exit_status = status == NT_OK ? nt_watch_with(options, &show, err) : nt_exit_of(status);
	free(work.path);
	return exit_status;
}
