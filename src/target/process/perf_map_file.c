// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/perf_map_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/apart.h"

/* What the kernel rounds both times by: files' to its tick, processes' to 10 ms. */
#define ROUNDED_NS ((int64_t)(20 * NT_NS_PER_MS))

const char *nt_perf_map_name(uint32_t ns_pid, char buf[NT_PERF_MAP_NAME_BYTES])
{
	snprintf(buf, NT_PERF_MAP_NAME_BYTES, "perf-%u.map", ns_pid);
	return buf;
}

/* Does the link /proc/PID/fd/N lead to a file of this name? The kernel adds " (deleted)" when its name is gone. */
static bool leads_to(int dir_fd, const char *link, const char *name)
{
	char path[PATH_MAX];
	ssize_t length = readlinkat(dir_fd, link, path, sizeof(path) - 1);
	if (length <= 0)
		return false;
	path[length] = '\0';
	char *deleted = strstr(path, " (deleted)");
	if (deleted && !deleted[sizeof(" (deleted)") - 1])
		*deleted = '\0';
	const char *slash = strrchr(path, '/');
	return slash && strcmp(slash + 1, name) == 0;
}

static enum nt_status cannot_look(const struct nt_target *target, int error, struct nt_error *err)
{
	if (error == ENOENT || error == ESRCH)
		return nt_error_set(err, NT_ERR_GONE, "process %u (%s) has ended", target->pid, target->name);
	enum nt_status status = error == EACCES || error == EPERM ? NT_ERR_FORBIDDEN : NT_ERR_FAILED;
	return nt_error_errno(err, status, error, "cannot see which files process %u has open", target->pid);
}

/* Which of its open files is wanted: by name, or, with none, that very file, because its name is another one in another folder. */
struct asked {
	struct nt_perf_map_file file;
	char name[NT_PERF_MAP_NAME_BYTES];
	char path[PATH_MAX]; /* /proc/PID/fd */
};

struct answer {
	int error;
	bool found;
	struct nt_perf_map_file file;
};

static bool is_wanted(const struct asked *asked, int dir_fd, const char *link, struct nt_perf_map_file *file)
{
	struct stat stat;
	if ((*asked->name && !leads_to(dir_fd, link, asked->name)) || fstatat(dir_fd, link, &stat, 0) < 0 || !S_ISREG(stat.st_mode))
		return false;
	*file = (struct nt_perf_map_file){ stat.st_dev, stat.st_ino };
	return *asked->name || (file->device == asked->file.device && file->inode == asked->file.inode);
}

/* In the process apart: what the target has open may be in a file system that hangs. */
static void look_there(const void *asked_bytes, const int *given, void *answer_bytes, int *fd)
{
	const struct asked *asked = asked_bytes;
	struct answer *answer = answer_bytes;
	(void)given;
	(void)fd;
	DIR *dir = opendir(asked->path);
	if (!dir) {
		answer->error = errno;
		return;
	}
	for (struct dirent *entry; !answer->found && (entry = readdir(dir));)
		answer->found = is_wanted(asked, dirfd(dir), entry->d_name, &answer->file);
	closedir(dir);
}

static struct answer look_at_open_files(const char *proc_dir, struct asked *asked)
{
	struct answer answer;
	int fd;
	snprintf(asked->path, sizeof(asked->path), "%s/fd", proc_dir);
	int error = nt_apart_do(&(struct nt_apart){ .work = look_there,
						    .where = asked->path,
						    .asked = asked,
						    .asked_size = sizeof(*asked),
						    .answer = &answer,
						    .answer_size = sizeof(answer),
						    .fd = &fd });
	if (error)
		answer = (struct answer){ .error = error };
	return answer;
}

enum nt_status nt_perf_map_find(const struct nt_target *target, struct nt_perf_map_file *out, struct nt_error *err)
{
	struct asked asked = { .path = "" };
	nt_perf_map_name(target->ns_pid, asked.name);
	const struct answer answer = look_at_open_files(target->proc_dir, &asked);
	if (answer.error)
		return cannot_look(target, answer.error, err);
	*out = answer.file;
	return answer.found ? NT_OK : NT_END;
}

static bool has_open(const char *proc_dir, const struct stat *map)
{
	struct asked asked = { .file = { map->st_dev, map->st_ino } };
	return look_at_open_files(proc_dir, &asked).found;
}

bool nt_perf_map_is_stale(const char *proc_dir, int64_t started_at_ns, const struct stat *map)
{
	int64_t written_at_ns = (int64_t)map->st_mtim.tv_sec * (int64_t)NT_NS_PER_S + (int64_t)map->st_mtim.tv_nsec;
	/* Somebody may have set the clock since. */
	return written_at_ns + ROUNDED_NS < started_at_ns && !has_open(proc_dir, map);
}
