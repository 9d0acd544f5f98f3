// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/dump_work.h"

#include "app/common/new_file.h"
#include "base/alloc.h"
#include "base/file_name.h"
#include "base/own_folder.h"
#include "nettop/column.h"
#include "target/perfmap/perf_map_room.h"
#include "target/process/cgroup_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANSWER_S = 3600, NUMBER = 32, PIECE_BYTES = 1 << 20, NAMES_MOST = 100 };

/* Measured: 213 MB in 1.3 s, 291 MB in 1.6 s, 7 MB in 0.5 s. */
static const double ns_per_byte = 4;
static const nt_time start_ns = 450 * NT_NS_PER_MS;

static const enum nt_ipc_dump types[NT_DUMP_KIND_COUNT] = { [NT_DUMP_FULL] = NT_IPC_DUMP_FULL,
							    [NT_DUMP_HEAP] = NT_IPC_DUMP_HEAP,
							    [NT_DUMP_MINI] = NT_IPC_DUMP_MINI,
							    [NT_DUMP_TRIAGE] = NT_IPC_DUMP_TRIAGE,
							    [NT_DUMP_REPORT] = NT_IPC_DUMP_MINI };

static bool is_report(const struct nt_dump_work *work)
{
	return work->wish.kind == NT_DUMP_REPORT;
}

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
static enum nt_status make_room(struct nt_dump_work *work, const char *folder, bool must_be_ours, struct nt_error *err)
{
	char deed[NT_DEED_TEXT_BYTES];
	enum nt_status status = nt_dump_room_find(work->wish.target, folder, &work->room, err);
	if (status == NT_OK && must_be_ours && !is_seen(&work->room, folder))
		status = nt_error_set(err, NT_ERR_ABSENT, "process %u does not see %s", (unsigned)work->wish.target->pid, folder);
	if (status == NT_OK && !nt_keeper_hold(work->wish.keeper, "dump-room", nt_deed_text(&work->room.deed, deed), work->room.outer))
		status = nt_error_set(err, NT_ERR_FAILED, "nobody would take the dump away if nettop were killed");
	if (status == NT_OK) {
		status = nt_dump_room_make(&work->room, err);
		if (status != NT_OK)
			nt_keeper_note(work->wish.keeper, "-dump-room", deed);
	}
	if (status != NT_OK)
		nt_dump_room_fini(&work->room);
	return status;
}

/* Where the file is to be, because it need not be copied then; else in the folder for what is temporary. */
static enum nt_status find_room(struct nt_dump_work *work, struct nt_error *err)
{
	if (work->wish.folder)
		return make_room(work, work->wish.folder, false, err);
	char *folder = folder_of(work->path);
	enum nt_status status = folder ? make_room(work, folder, true, NULL) : NT_ERR_ABSENT;
	free(folder);
	return status == NT_OK ? status : make_room(work, "/tmp", false, err);
}

static void clear_room(struct nt_dump_work *work)
{
	char deed[NT_DEED_TEXT_BYTES];
	if (work->room.outer < 0)
		return;
	nt_dump_room_clear(&work->room);
	nt_keeper_note(work->wish.keeper, "-dump-room", nt_deed_text(&work->room.deed, deed));
	nt_dump_room_fini(&work->room);
}

/* Files of the process's file system, and what is left of its memory where that is in memory. */
static enum nt_status check_space(const struct nt_dump_work *work, struct nt_error *err)
{
	char need[NUMBER], unused[NUMBER];
	const struct nt_perf_map_room room = nt_perf_map_free(work->room.outer, work->wish.target->proc_dir, NT_CGROUP_ROOT);
	if (work->bytes < room.free_bytes)
		return NT_OK;
	nt_error_set(err, NT_ERR_FAILED, "the dump might have %sB, and %sB are free in %s of the process",
		     nt_format_bytes(work->bytes, need, sizeof(need)), nt_format_bytes(room.free_bytes, unused, sizeof(unused)),
		     work->room.folder);
	nt_error_set_fix(err, "name another folder that it sees with --in DIR, or take a smaller one: --type mini");
	return NT_ERR_FAILED;
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

static enum nt_status take(const struct nt_dump_work *work, struct nt_error *err)
{
	struct copy copy = { .fd = nt_dump_room_open(&work->room, is_report(work)) }, *there = &copy;
	if (copy.fd < 0)
		return nt_error_set(err, NT_ERR_FAILED, "the runtime says that it has written the file, but none of its user's lies in %s",
				    work->room.folder);
	int folder = work->room.deed.uid == geteuid() ? nt_dump_room_folder(&work->room) : -1;
	enum nt_status status = folder >= 0 ? nt_new_file_move(work->path, folder, nt_dump_room_name(is_report(work)), err) : NT_AGAIN;
	if (folder >= 0)
		close(folder);
	if (status == NT_AGAIN) {
		mode_t usual = umask(S_IRWXG | S_IRWXO); /* it has all that the process knows */
		status = nt_new_file_write(work->path, write_copy, &there, err);
		umask(usual);
	}
	close(copy.fd);
	if (status == NT_OK && copy.reason)
		status = nt_error_errno(err, NT_ERR_FAILED, copy.reason, "cannot read what the runtime has written");
	return status;
}

/* ---- before ---- */

/* holding.4711.core, and where that is taken holding.4711.2.core. */
static char *name_of(const struct nt_dump_work *work, unsigned number)
{
	const struct nt_target *target = work->wish.target;
	const char *ending = is_report(work) ? "crashreport.json" : "core", *name = nt_file_base_name(target->name);
	return number > 1 ? nt_format("%s.%u.%u.%s", name, (unsigned)target->pid, number, ending)
			  : nt_format("%s.%u.%s", name, (unsigned)target->pid, ending);
}

/* One that nobody has named takes no other's place. */
static enum nt_status choose_path(struct nt_dump_work *work, struct nt_error *err)
{
	if (work->wish.path) {
		work->path = nt_strdup(work->wish.path);
		return NT_OK;
	}
	for (unsigned number = 1; number <= (work->wish.another ? NAMES_MOST : 1); number++) {
		free(work->path);
		work->path = name_of(work, number);
		if (access(work->path, F_OK) != 0)
			return nt_new_file_check(work->path, err);
	}
	return nt_error_set(err, NT_ERR_USAGE, "%s is there; name another file with -o", work->path);
}

static void put_price(const struct nt_dump_work *work, char price[NT_DUMP_PRICE_BYTES])
{
	const struct nt_target *target = work->wish.target;
	char size[NUMBER], pause[NUMBER];
	snprintf(price, NT_DUMP_PRICE_BYTES,
		 "%s (process %u) stands still until its runtime has written the file: some %s for about %sB, in %s as its user (uid %u); "
		 "createdump says so in a "
		 "few lines on the standard output of the process",
		 target->name, (unsigned)target->pid,
		 nt_format_duration(start_ns + (nt_time)(ns_per_byte * (double)work->bytes), pause, sizeof(pause)),
		 nt_format_bytes(work->bytes, size, sizeof(size)), work->room.folder, (unsigned)target->uid);
}

enum nt_status nt_dump_work_prepare(struct nt_dump_work *work, const struct nt_dump_wish *wish, char price[NT_DUMP_PRICE_BYTES],
				    struct nt_error *err)
{
	*work = (struct nt_dump_work){ .wish = *wish, .room = { .outer = -1 } };
	enum nt_status status = nt_core_dump_check(wish->target, err);
	if (status == NT_OK)
		status = choose_path(work, err);
	if (status == NT_OK) {
		work->bytes = nt_core_dump_bytes(wish->target, types[wish->kind], is_report(work));
		status = find_room(work, err);
	}
	if (status == NT_OK)
		status = check_space(work, err);
	if (status == NT_OK)
		put_price(work, price);
	return status;
}

/* ---- meanwhile ---- */

enum nt_status nt_dump_work_begin(struct nt_dump_work *work, struct nt_error *err)
{
	uint8_t request[NT_IPC_REQUEST_MAX];
	size_t length = nt_core_dump_request(&work->room, types[work->wish.kind], is_report(work), request);
	if (!length)
		return nt_error_set(err, NT_ERR_USAGE, "the path of the folder %s is too long", work->room.folder);
	return nt_ipc_start(work->wish.target, request, length, nt_clock_now() + ANSWER_S * NT_NS_PER_S, &work->exchange, err);
}

int nt_dump_work_fd(const struct nt_dump_work *work)
{
	return work->exchange ? nt_ipc_fd(work->exchange) : -1;
}

enum nt_status nt_dump_work_advance(struct nt_dump_work *work, struct nt_error *err)
{
	struct nt_ipc_reply reply;
	enum nt_status status = nt_ipc_advance(work->exchange, nt_clock_now(), &reply, err);
	if (status == NT_AGAIN)
		return status;
	if (status == NT_OK)
		status = nt_ipc_reply_result(&reply, err);
	return status == NT_OK ? take(work, err) : status;
}

const char *nt_dump_work_progress(const struct nt_dump_work *work, char text[NT_DUMP_PRICE_BYTES])
{
	char done[NUMBER], all[NUMBER];
	struct stat stat;
	int fd = nt_dump_room_open(&work->room, is_report(work));
	uint64_t bytes = fd >= 0 && fstat(fd, &stat) == 0 ? (uint64_t)stat.st_size : 0;
	if (fd >= 0)
		close(fd);
	snprintf(text, NT_DUMP_PRICE_BYTES, "%sB written, of about %sB; the process stands still",
		 nt_format_bytes(bytes, done, sizeof(done)), nt_format_bytes(work->bytes, all, sizeof(all)));
	return text;
}

void nt_dump_work_end(struct nt_dump_work *work)
{
	if (!work->path)
		return;
	nt_ipc_close(work->exchange);
	clear_room(work);
	free(work->path);
	work->exchange = NULL;
	work->path = NULL;
}
