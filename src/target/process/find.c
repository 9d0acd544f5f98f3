// SPDX-License-Identifier: GPL-2.0-only
/* From what a person types to a process. */
#include "target/process/target.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "decode/kernel/procfs_text.h"
#include "target/process/parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { SMALL_FILE = 64 * 1024, ENVIRONMENT_BYTES = 4 << 20, LISTED_MAX = 5, LISTED_COMMAND_BYTES = 36 };

bool nt_target_parse_pid(const char *text, uint32_t *pid)
{
	char *end;
	if (!*text || strspn(text, "0123456789") != strlen(text))
		return false;
	errno = 0;
	unsigned long n = strtoul(text, &end, 10);
	*pid = errno || n > INT32_MAX ? 0 : (uint32_t)n;
	return true;
}

static void read_environment(struct nt_target *target)
{
	char *path = nt_format("%s/environ", target->proc_dir);
	char *text;
	size_t length;
	if (nt_file_read(AT_FDCWD, path, ENVIRONMENT_BYTES, &text, &length) == 0) {
		nt_target_apply_environment(target, text, length);
		target->environment_text = text;
		target->environment_length = length;
	} else {
		target->perf_map_dir = nt_strdup("/tmp");
	}
	free(path);
}

static enum nt_status load(const char *proc_root, uint32_t pid, struct nt_target **out, struct nt_error *err)
{
	struct nt_target *target;
	enum nt_status status = nt_target_read_identity(proc_root, pid, &target, err);
	if (status != NT_OK)
		return status;
	status = nt_target_read_runtime(target, err);
	if (status == NT_OK) {
		read_environment(target);
		target->server_gc = nt_target_server_gc(target);
		if (!nt_target_alive(target))
			status = nt_error_set(err, NT_ERR_GONE, "process %u (%s) has just ended", pid, target->name);
	}
	if (status != NT_OK) {
		nt_target_free(target);
		return status;
	}
	*out = target;
	return NT_OK;
}

enum nt_status nt_target_see(const char *proc_root, uint32_t pid, struct nt_target **out, struct nt_error *err)
{
	struct nt_target *target;
	enum nt_status status = nt_target_read_identity(proc_root, pid, &target, err);
	if (status != NT_OK)
		return status;
	status = nt_target_read_runtime(target, err);
	target->closed = status == NT_ERR_FORBIDDEN;
	if (status != NT_OK && !target->closed) {
		nt_target_free(target);
		return status;
	}
	if (target->closed)
		target->is_dotnet = nt_target_has_runtime_thread(target);
	read_environment(target);
	*out = target;
	return NT_OK;
}

/* Does `name` name this process: the command name of the kernel, or what its command line calls the program? */
static bool is_named(int proc_fd, const char *pid_text, const char *name, int (*compare)(const char *, const char *))
{
	char path[64], *text;
	size_t length;
	snprintf(path, sizeof(path), "%.20s/stat", pid_text);
	struct nt_procfs_stat stat;
	bool readable = nt_file_read(proc_fd, path, SMALL_FILE, &text, &length) == 0 && nt_procfs_stat_parse(text, length, &stat);
	free(text);
	if (!readable || stat.state == 'Z' || stat.state == 'X')
		return false;
	if (compare(stat.comm, name) == 0)
		return true;
	snprintf(path, sizeof(path), "%.20s/cmdline", pid_text);
	if (nt_file_read(proc_fd, path, SMALL_FILE, &text, &length) != 0)
		return false;
	char *program = nt_target_program_name(text, length);
	bool same = program && compare(program, name) == 0;
	free(program);
	free(text);
	return same;
}

struct matches {
	uint32_t *pids; /* owned */
	size_t count, capacity;
};

static int order_of_pids(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;
	return *x < *y ? -1 : *x > *y;
}

static enum nt_status find_named(const char *proc_root, const char *name, int (*compare)(const char *, const char *), struct matches *out,
				 struct nt_error *err)
{
	DIR *dir = opendir(proc_root);
	if (!dir)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot list %s", proc_root);
	struct dirent *entry;
	while ((entry = readdir(dir))) {
		uint32_t pid;
		if (!nt_target_parse_pid(entry->d_name, &pid) || !pid || pid == (uint32_t)getpid())
			continue;
		if (!is_named(dirfd(dir), entry->d_name, name, compare))
			continue;
		out->pids = nt_grow(out->pids, &out->capacity, out->count + 1, sizeof(*out->pids));
		out->pids[out->count++] = pid;
	}
	closedir(dir);
	if (out->count)
		qsort(out->pids, out->count, sizeof(*out->pids), order_of_pids);
	return NT_OK;
}

/* " 4711 dotnet Shop.dll --port 80;", cut to what a list has room for. Returns the bytes written. */
static size_t put_candidate(const char *proc_root, uint32_t pid, char *buf, size_t size)
{
	struct nt_target *target = NULL;
	char command[LISTED_COMMAND_BYTES] = "";
	if (nt_target_read_identity(proc_root, pid, &target, NULL) == NT_OK)
		nt_text_escape(target->command, strlen(target->command), command, sizeof(command));
	nt_target_free(target);
	return (size_t)snprintf(buf, size, " %u%s%s;", pid, *command ? " " : "", command);
}

static enum nt_status several(const char *proc_root, const struct matches *matches, const char *name, struct nt_error *err)
{
	char list[LISTED_MAX * (LISTED_COMMAND_BYTES + 16)] = "", escaped[32];
	size_t used = 0;
	for (size_t i = 0; i < matches->count && i < LISTED_MAX; i++)
		used += put_candidate(proc_root, matches->pids[i], list + used, sizeof(list) - used);
	nt_text_escape(name, strlen(name), escaped, sizeof(escaped));
	return nt_error_set(err, NT_ERR_USAGE, "%zu processes are named %s:%s%s say which pid", matches->count, escaped, list,
			    matches->count > LISTED_MAX ? " …;" : "");
}

/* Of several that bear the name, the only .NET process is meant (a shell or sudo in front of it bears the name too). */
static enum nt_status pick(const char *proc_root, const struct matches *matches, const char *name, struct nt_target **out,
			   struct nt_error *err)
{
	struct nt_target *chosen = NULL;
	for (size_t i = 0; i < matches->count; i++) {
		struct nt_target *target;
		if (load(proc_root, matches->pids[i], &target, NULL) != NT_OK)
			continue;
		if (!target->is_dotnet) {
			nt_target_free(target);
			continue;
		}
		if (chosen) {
			nt_target_free(chosen);
			nt_target_free(target);
			return several(proc_root, matches, name, err);
		}
		chosen = target;
	}
	if (!chosen)
		return several(proc_root, matches, name, err);
	*out = chosen;
	return NT_OK;
}

/* Small and capital letters are told apart; who got only them wrong is told whom they may have meant. */
static enum nt_status nobody(const char *proc_root, const char *name, struct nt_error *err)
{
	char escaped[64], list[LISTED_MAX * (LISTED_COMMAND_BYTES + 16)] = "";
	size_t used = 0;
	struct matches alike = { 0 };
	nt_text_escape(name, strlen(name), escaped, sizeof(escaped));
	if (find_named(proc_root, name, strcasecmp, &alike, NULL) == NT_OK)
		for (size_t i = 0; i < alike.count && i < LISTED_MAX; i++)
			used += put_candidate(proc_root, alike.pids[i], list + used, sizeof(list) - used);
	free(alike.pids);
	if (!used)
		return nt_error_set(err, NT_ERR_ABSENT, "no process is named %s", escaped);
	list[used - 1] = '\0'; /* its last semicolon */
	return nt_error_set(err, NT_ERR_ABSENT, "no process is named %s, in these letters; there is%s", escaped, list);
}

enum nt_status nt_target_find(const char *proc_root, const char *pid_or_name, struct nt_target **out, struct nt_error *err)
{
	uint32_t pid;
	if (nt_target_parse_pid(pid_or_name, &pid)) {
		if (!pid)
			return nt_error_set(err, NT_ERR_USAGE, "%s is not a pid", pid_or_name);
		return load(proc_root, pid, out, err);
	}
	struct matches matches = { 0 };
	enum nt_status status = find_named(proc_root, pid_or_name, strcmp, &matches, err);
	if (status == NT_OK && matches.count == 0)
		status = nobody(proc_root, pid_or_name, err);
	else if (status == NT_OK && matches.count == 1)
		status = load(proc_root, matches.pids[0], out, err);
	else if (status == NT_OK)
		status = pick(proc_root, &matches, pid_or_name, out, err);
	free(matches.pids);
	return status;
}
