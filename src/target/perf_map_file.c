// SPDX-License-Identifier: GPL-2.0-only
#include "target/perf_map_file.h"

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

enum nt_status nt_perf_map_find(const struct nt_target *target, struct nt_perf_map_file *out, struct nt_error *err)
{
	char *path = nt_format("%s/fd", target->proc_dir), name[NT_PERF_MAP_NAME_BYTES];
	DIR *dir = opendir(path);
	int error = errno;
	free(path);
	if (!dir)
		return cannot_look(target, error, err);
	nt_perf_map_name(target->ns_pid, name);
	enum nt_status status = NT_END;
	for (struct dirent *entry; status == NT_END && (entry = readdir(dir));) {
		struct stat stat;
		if (!leads_to(dirfd(dir), entry->d_name, name) || fstatat(dirfd(dir), entry->d_name, &stat, 0) < 0 ||
		    !S_ISREG(stat.st_mode))
			continue;
		*out = (struct nt_perf_map_file){ stat.st_dev, stat.st_ino };
		status = NT_OK;
	}
	closedir(dir);
	return status;
}

/* By its file, not by its name: that is another one in another folder. */
static bool has_open(const char *proc_dir, const struct stat *map)
{
	char *path = nt_format("%s/fd", proc_dir);
	DIR *dir = opendir(path);
	bool found = false;
	free(path);
	for (struct dirent *entry; dir && !found && (entry = readdir(dir));) {
		struct stat stat;
		found = fstatat(dirfd(dir), entry->d_name, &stat, 0) == 0 && S_ISREG(stat.st_mode) && stat.st_dev == map->st_dev &&
			stat.st_ino == map->st_ino;
	}
	if (dir)
		closedir(dir);
	return found;
}

bool nt_perf_map_is_stale(const char *proc_dir, int64_t started_at_ns, const struct stat *map)
{
	int64_t written_at_ns = (int64_t)map->st_mtim.tv_sec * (int64_t)NT_NS_PER_S + (int64_t)map->st_mtim.tv_nsec;
	/* Somebody may have set the clock since. */
	return written_at_ns + ROUNDED_NS < started_at_ns && !has_open(proc_dir, map);
}
