// SPDX-License-Identifier: GPL-2.0-only
#include "target/port/core_dump.h"

#include "base/alloc.h"
#include "base/file.h"
#include "decode/kernel/host_text.h"
#include "target/common/as_user.h"
#include "target/process/cgroup_memory.h"
#include "target/process/memory_left.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define CREATEDUMP "/createdump"
#define REPORT     ".crashreport.json"

enum {
	LETTERS = 12,
	STATUS_BYTES = 64 << 10,
	SMALL_BYTES = 64 << 20, /* of stacks and what they lead to */
	NOBODY = 3,             /* kernel.yama.ptrace_scope */
	PATIENCE_MS = 1200,     /* who is told to end by a signal has little more */
};

/* ---- before ---- */

static uint64_t number_of(const char *folder, const char *name, const char *key)
{
	size_t length;
	uint64_t number = 0;
	char *text = nt_file_text(folder, name, STATUS_BYTES, &length);
	if (!text)
		return 0;
	if (key)
		nt_host_value(text, length, key, &number);
	else
		number = strtoull(text, NULL, 10);
	free(text);
	return number;
}

static int open_within(const struct nt_target *target, const char *path, int flags)
{
	int root = open(target->root_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (root < 0)
		return -1;
	int fd = nt_file_open_in_root(root, path, flags | O_CLOEXEC), reason = errno;
	close(root);
	errno = reason;
	return fd;
}

static enum nt_status check_program(const struct nt_target *target, struct nt_error *err)
{
	if (!target->runtime_dir)
		return NT_OK; /* a single file has it inside, or not: the runtime says */
	char *path = nt_format("%s" CREATEDUMP, target->runtime_dir);
	int fd = open_within(target, path, O_PATH), reason = errno;
	if (fd >= 0)
		close(fd);
	enum nt_status status = NT_OK;
	if (fd < 0 && reason == ENOENT)
		status = nt_error_set(err, NT_ERR_UNSUPPORTED, "its runtime has no %s, which writes dumps: it was left out of that image",
				      path);
	free(path);
	return status;
}

enum nt_status nt_core_dump_check(const struct nt_target *target, struct nt_error *err)
{
	if (!target->is_dotnet)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "%s (process %u) has no runtime of .NET that could write one; gcore of gdb can", target->name,
				    (unsigned)target->pid);
	uint64_t tracer = number_of(target->proc_dir, "status", "TracerPid");
	if (tracer)
		return nt_error_set(err, NT_ERR_FAILED, "process %u is traced by process %u, and only one can do that at a time",
				    (unsigned)target->pid, (unsigned)tracer);
	if (number_of("/proc/sys/kernel/yama", "ptrace_scope", NULL) == NOBODY) {
		nt_error_set(err, NT_ERR_FORBIDDEN, "this kernel lets nobody read another process's memory (kernel.yama.ptrace_scope = 3)");
		nt_error_set_fix(err, "boot with another value: it cannot be changed while the machine runs");
		return NT_ERR_FORBIDDEN;
	}
	return check_program(target, err);
}

uint64_t nt_core_dump_bytes(const struct nt_target *target, enum nt_ipc_dump type, bool report_only)
{
	const struct nt_memory_left left = nt_memory_left_of(target, NT_CGROUP_ROOT);
	if (report_only)
		return 1 << 20;
	if (type == NT_IPC_DUMP_MINI || type == NT_IPC_DUMP_TRIAGE)
		return SMALL_BYTES;
	return left.resident_bytes;
}

/* ---- the room ---- */

static void choose_name(char name[NT_DEED_NAME_BYTES])
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz";
	unsigned char bytes[LETTERS];
	char word[LETTERS + 1] = "";
	nt_assert(getrandom(bytes, sizeof(bytes), 0) == sizeof(bytes));
	for (size_t i = 0; i < LETTERS; i++)
		word[i] = letters[bytes[i] % (sizeof(letters) - 1)];
	snprintf(name, NT_DEED_NAME_BYTES, "nettop-%s/core", word);
}

enum nt_status nt_dump_room_find(const struct nt_target *target, const char *folder, struct nt_dump_room *room, struct nt_error *err)
{
	*room = (struct nt_dump_room){ .outer = open_within(target, folder, O_PATH | O_DIRECTORY) };
	if (room->outer < 0)
		return nt_error_errno(err, errno == EACCES ? NT_ERR_FORBIDDEN : NT_ERR_ABSENT, errno,
				      "cannot open %s of process %u, where its runtime would write", folder, (unsigned)target->pid);
	room->folder = nt_strdup(folder);
	room->deed = (struct nt_deed){ .kind = NT_DEED_CLEAR_ROOM, .uid = target->uid, .gid = target->gid, .fds = { room->outer } };
	choose_name(room->deed.name);
	return NT_OK;
}

enum nt_status nt_dump_room_make(const struct nt_dump_room *room, struct nt_error *err)
{
	struct nt_deed deed = room->deed;
	deed.kind = NT_DEED_MAKE_ROOM;
	int reason = nt_deed_do(&deed);
	if (!reason)
		return NT_OK;
	if (reason < 0)
		return nt_error_set(err, NT_ERR_FORBIDDEN, "cannot make a folder in %s as uid %u: %s", room->folder, (unsigned)deed.uid,
				    reason == NT_AS_USER_HANGS ? "its file system does not answer" : "nettop may not become that user");
	return nt_error_errno(err, reason == EACCES || reason == EROFS ? NT_ERR_FORBIDDEN : NT_ERR_FAILED, reason,
			      "cannot make a folder in %s of the process, as its user (uid %u)", room->folder, (unsigned)deed.uid);
}

/* Is there a process that was told to write there? */
static bool is_asked(const char *name)
{
	DIR *proc = opendir("/proc");
	bool found = false;
	for (const struct dirent *entry; proc && !found && (entry = readdir(proc));) {
		char folder[sizeof(entry->d_name) + sizeof("/proc/")];
		size_t length;
		if (*entry->d_name < '1' || *entry->d_name > '9')
			continue;
		snprintf(folder, sizeof(folder), "/proc/%s", entry->d_name);
		char *text = nt_file_text(folder, "cmdline", STATUS_BYTES, &length);
		if (!text)
			continue;
		found = memmem(text, length, name, strlen(name)) && memmem(text, length, CREATEDUMP, sizeof(CREATEDUMP) - 1);
		free(text);
	}
	if (proc)
		closedir(proc);
	return found;
}

void nt_dump_room_wait(const struct nt_deed *deed, nt_time patience_ns)
{
	enum { LOOK_MS = 10 };
	struct stat stat;
	for (nt_time until = nt_clock_now() + patience_ns; nt_clock_now() < until; poll(NULL, 0, LOOK_MS))
		if (fstatat(deed->fds[0], deed->name, &stat, AT_SYMLINK_NOFOLLOW) == 0 || !is_asked(deed->name))
			return;
}

void nt_dump_room_clear(const struct nt_dump_room *room)
{
	if (room->outer < 0)
		return;
	nt_dump_room_wait(&room->deed, PATIENCE_MS * NT_NS_PER_MS);
	nt_deed_do(&room->deed);
}

void nt_dump_room_fini(struct nt_dump_room *room)
{
	if (room->outer >= 0)
		close(room->outer);
	free(room->folder);
	*room = (struct nt_dump_room){ .outer = -1 };
}

/* ---- the dump ---- */

size_t nt_core_dump_request(const struct nt_dump_room *room, enum nt_ipc_dump type, bool report_only, uint8_t request[NT_IPC_REQUEST_MAX])
{
	char *path = nt_format("%s/%s", strcmp(room->folder, "/") == 0 ? "" : room->folder, room->deed.name);
	size_t length = nt_ipc_core_dump(path, type, report_only ? NT_IPC_DUMP_REPORT_ONLY : 0, request, NT_IPC_REQUEST_MAX);
	free(path);
	return length;
}

const char *nt_dump_room_name(bool report_only)
{
	return report_only ? "core" REPORT : "core";
}

int nt_dump_room_folder(const struct nt_dump_room *room)
{
	char folder[NT_DEED_NAME_BYTES];
	snprintf(folder, sizeof(folder), "%.*s", (int)strcspn(room->deed.name, "/"), room->deed.name);
	return openat(room->outer, folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int nt_dump_room_open(const struct nt_dump_room *room, bool report_only)
{
	struct stat stat;
	/* The folder is the user's to arrange: no link of his is followed, and nothing of another is taken. */
	int folder = nt_dump_room_folder(room);
	if (folder < 0)
		return -1;
	int fd = openat(folder, nt_dump_room_name(report_only), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	close(folder);
	if (fd >= 0 && fstat(fd, &stat) == 0 && S_ISREG(stat.st_mode) && stat.st_uid == room->deed.uid && stat.st_nlink == 1)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}
