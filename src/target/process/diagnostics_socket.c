// SPDX-License-Identifier: GPL-2.0-only
/*
 * The runtime makes dotnet-diagnostic-PID-KEY-socket in its TMPDIR, else in /tmp (dotnet/diagnostics, ipc-protocol.md, "Transport"). PID is its own
 * view of itself, KEY its start time as in field 22 of stat. Killed processes leave theirs behind.
 */
#include "target/process/diagnostics_socket.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void say_folder(const struct nt_target *target, char folder[PATH_MAX])
{
	size_t length = 0;
	const char *value = NULL;
	if (target->environment_text)
		value = nt_procfs_environ_get(target->environment_text, target->environment_length, "TMPDIR", &length);
	if (!value || !length || length >= PATH_MAX) {
		value = "/tmp";
		length = strlen(value);
	}
	snprintf(folder, PATH_MAX, "%.*s", (int)length, value);
}

struct asked {
	uint32_t ns_pid;
	uint64_t start_ticks;
	uid_t uid;
	char top[PATH_MAX], folder[PATH_MAX];
};

static int open_folder(const struct asked *asked)
{
	int top = open(asked->top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (top < 0)
		return -1;
	int fd = nt_file_open_in_root(top, asked->folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error = errno;
	close(top);
	errno = error;
	return fd;
}

static bool changed_later(int folder_fd, const char *name, const char *than)
{
	struct stat a, b;
	if (fstatat(folder_fd, name, &a, AT_SYMLINK_NOFOLLOW) < 0)
		return false;
	if (!*than || fstatat(folder_fd, than, &b, AT_SYMLINK_NOFOLLOW) < 0)
		return true;
	return a.st_mtim.tv_sec > b.st_mtim.tv_sec || (a.st_mtim.tv_sec == b.st_mtim.tv_sec && a.st_mtim.tv_nsec > b.st_mtim.tv_nsec);
}

/* In a time namespace of its own the target's start time is another number than ours: then the newest of its pid. */
static void newest_of_pid(const struct asked *asked, int folder_fd, char name[NAME_MAX + 1])
{
	char stem[64];
	int stem_length = snprintf(stem, sizeof(stem), "dotnet-diagnostic-%u-", asked->ns_pid);
	int own = openat(folder_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = own < 0 ? NULL : fdopendir(own);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		if (strncmp(entry->d_name, stem, (size_t)stem_length) == 0 && changed_later(folder_fd, entry->d_name, name))
			snprintf(name, NAME_MAX + 1, "%s", entry->d_name);
	if (dir)
		closedir(dir);
	else if (own >= 0)
		close(own);
}

/* In the process apart, because the folder may hang. */
static void find_there(const void *asked_bytes, const int *given, void *answer, int *found)
{
	const struct asked *asked = asked_bytes;
	struct nt_diagnostics_socket *out = answer;
	struct stat stat;
	(void)given;
	int folder_fd = open_folder(asked);
	if (folder_fd < 0) {
		out->error = errno;
		return;
	}
	snprintf(out->name, sizeof(out->name), "dotnet-diagnostic-%u-%" PRIu64 "-socket", asked->ns_pid, asked->start_ticks);
	if (fstatat(folder_fd, out->name, &stat, AT_SYMLINK_NOFOLLOW) < 0) {
		out->name[0] = '\0';
		newest_of_pid(asked, folder_fd, out->name);
	}
	/* Held open from here on: what is checked is what is connected to, whatever its name leads to later. */
	int fd = *out->name ? openat(folder_fd, out->name, O_PATH | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (*out->name && (fd < 0 || fstat(fd, &stat) < 0)) {
		out->error = errno;
	} else if (fd >= 0) {
		out->strange = !S_ISSOCK(stat.st_mode) || (stat.st_uid != asked->uid && stat.st_uid != 0);
		if (!out->strange)
			*found = fd;
	}
	if (fd >= 0 && *found < 0)
		close(fd);
	close(folder_fd);
}

void nt_diagnostics_find_socket(const struct nt_target *target, struct nt_diagnostics_socket *out)
{
	struct asked asked = { .ns_pid = target->ns_pid, .start_ticks = target->start_ticks, .uid = target->uid };
	int fd;
	say_folder(target, asked.folder);
	/* A relative folder is meant from where the target stood at its start; it still stands there as a rule. */
	snprintf(asked.top, sizeof(asked.top), "%s%s", *asked.folder == '/' ? target->root_dir : target->proc_dir,
		 *asked.folder == '/' ? "" : "/cwd");
	char *where = nt_format("%s%s/", asked.top, asked.folder);
	int error = nt_apart_do(&(struct nt_apart){ .work = find_there,
						    .where = where,
						    .asked = &asked,
						    .asked_size = sizeof(asked),
						    .answer = out,
						    .answer_size = sizeof(*out),
						    .fd = &fd });
	free(where);
	if (error)
		*out = (struct nt_diagnostics_socket){ .error = error };
	memcpy(out->folder, asked.folder, sizeof(out->folder));
	out->fd = fd;
}
