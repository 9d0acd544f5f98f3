// SPDX-License-Identifier: GPL-2.0-only
/* Who a process is: /proc/PID/stat, status, cmdline. */
#include "target/process/parts.h"

#include "base/affix.h"
#include "base/alloc.h"
#include "base/file.h"
#include "base/file_name.h"
#include "base/text.h"
#include "decode/kernel/procfs_text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <time.h>
#include <unistd.h>

enum { SMALL_FILE = 64 * 1024, COMMAND_BYTES = 4096 };

static char *bare_name(const char *path)
{
	const char *base = nt_file_base_name(path);
	char *name = nt_strdup(*base ? base : path);
	bool library = nt_ends_with(name, ".dll") || nt_ends_with(name, ".exe");
	if (library && strlen(name) > strlen(".dll"))
		name[strlen(name) - strlen(".dll")] = '\0';
	return name;
}

char *nt_target_program_name(const char *cmdline, size_t length)
{
	if (!length || !cmdline[0])
		return NULL;
	char *name = bare_name(cmdline);
	if (strcmp(name, "dotnet") != 0)
		return name;
	/* `dotnet [host options] App.dll [arguments]`: no host option has a value that ends in .dll. */
	for (const char *p = cmdline; p < cmdline + length; p += strlen(p) + 1) {
		if (nt_ends_with(p, ".dll")) {
			free(name);
			return bare_name(p);
		}
	}
	return name;
}

static char *escaped(const char *text, size_t length)
{
	char buf[COMMAND_BYTES];
	nt_text_escape(text, length, buf, sizeof(buf));
	return nt_strdup(buf);
}

static void read_command(struct nt_target *target, int dir_fd, const struct nt_procfs_stat *stat)
{
	char *cmdline;
	size_t length;
	if (nt_file_read(dir_fd, "cmdline", SMALL_FILE, &cmdline, &length) != 0)
		length = 0;
	char *name = nt_target_program_name(cmdline, length);
	target->name = name ? escaped(name, strlen(name)) : escaped(stat->comm, strlen(stat->comm));
	free(name);
	while (length && !cmdline[length - 1])
		length--;
	for (size_t i = 0; i < length; i++)
		if (!cmdline[i])
			cmdline[i] = ' ';
	target->command = length ? escaped(cmdline, length) : nt_strdup(target->name);
	free(cmdline);
}

/* Ticks since boot (which count sleep) as CLOCK_MONOTONIC (which does not): right up to the sleep since then. */
static nt_time start_time(uint64_t start_ticks)
{
	struct timespec boot;
	clock_gettime(CLOCK_BOOTTIME, &boot);
	nt_time since_boot = (nt_time)boot.tv_sec * NT_NS_PER_S + (nt_time)boot.tv_nsec;
	nt_time age = since_boot - start_ticks * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
	nt_time now = nt_clock_now();
	return (int64_t)age < 0 ? now : age < now ? now - age : 0;
}

/* /proc/TID answers for threads too, though it does not list them. */
static uint32_t thread_group(const char *text)
{
	static const char label[] = "\nTgid:\t";
	const char *at = text ? strstr(text, label) : NULL;
	return at ? (uint32_t)strtoul(at + sizeof(label) - 1, NULL, 10) : 0;
}

static enum nt_status read_status(struct nt_target *target, int dir_fd, struct nt_error *err)
{
	struct nt_procfs_status status = { 0 };
	char *text;
	size_t length;
	if (nt_file_read(dir_fd, "status", SMALL_FILE, &text, &length) == 0)
		nt_procfs_status_parse(text, length, &status);
	uint32_t group = thread_group(text);
	free(text);
	if (group && group != target->pid)
		return nt_error_set(err, NT_ERR_USAGE, "%u is a thread of process %u; say nettop -p %u", target->pid, group, group);
	target->ns_pid = status.ns_pid_count ? status.ns_pid[status.ns_pid_count - 1] : target->pid;
	target->uid = status.uid;
	target->gid = status.gid;
	target->cpu_count = status.cpu_count ? status.cpu_count : (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	return NT_OK;
}

static enum nt_status no_such_process(struct nt_error *err, uint32_t pid, int error)
{
	if (error == EACCES || error == EPERM)
		return nt_error_set(err, NT_ERR_FORBIDDEN, "process %u: /proc is closed to this user (hidepid); run nettop as root", pid);
	if (error == ENOENT || error == ESRCH)
		return nt_error_set(err, NT_ERR_ABSENT, "no process %u", pid);
	return nt_error_errno(err, NT_ERR_FAILED, error, "cannot read /proc/%u/stat", pid);
}

static enum nt_status read_stat(int dir_fd, uint32_t pid, struct nt_procfs_stat *stat, struct nt_error *err)
{
	char *text;
	size_t length;
	int error = nt_file_read(dir_fd, "stat", SMALL_FILE, &text, &length);
	if (error)
		return no_such_process(err, pid, error);
	bool valid = nt_procfs_stat_parse(text, length, stat);
	free(text);
	if (!valid)
		return nt_error_set(err, NT_ERR_MALFORMED, "/proc/%u/stat is not what proc(5) describes", pid);
	/* A leader that left while its threads go on is a Z too, but with threads. */
	if (stat->state == 'X' || (stat->state == 'Z' && stat->thread_count <= 1))
		return nt_error_set(err, NT_ERR_GONE, "process %u (%s) has ended; its parent %u has not collected it yet (zombie)", pid,
				    stat->comm, stat->ppid);
	return NT_OK;
}

static bool has_ended(int pidfd)
{
	struct pollfd poll_fd = { .fd = pidfd, .events = POLLIN };
	return poll(&poll_fd, 1, 0) == 1;
}

enum nt_status nt_target_read_identity(const char *proc_root, uint32_t pid, struct nt_target **out, struct nt_error *err)
{
	char *dir = nt_format("%s/%u", proc_root, pid);
	/* The pidfd first: whatever is read while it says "alive" belongs to one and the same process. A copied /proc has no processes. */
	int pidfd = strcmp(proc_root, "/proc") == 0 ? pidfd_open((pid_t)pid, 0) : -1;
	int dir_fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct nt_procfs_stat stat;
	enum nt_status status = dir_fd < 0 ? no_such_process(err, pid, errno) : read_stat(dir_fd, pid, &stat, err);
	if (status != NT_OK) {
		if (dir_fd >= 0)
			close(dir_fd);
		if (pidfd >= 0)
			close(pidfd);
		free(dir);
		return status;
	}
	struct nt_target *target = nt_alloc(sizeof(*target));
	target->pid = pid;
	target->pidfd = pidfd;
	target->proc_dir = dir;
	target->root_dir = nt_format("%s/root", dir);
	target->start_ticks = stat.start_ticks;
	target->start = start_time(stat.start_ticks);
	target->server_gc = 2;
	status = read_status(target, dir_fd, err);
	read_command(target, dir_fd, &stat);
	close(dir_fd);
	if (status != NT_OK) {
		nt_target_free(target);
		return status;
	}
	*out = target;
	return NT_OK;
}

void nt_target_free(struct nt_target *target)
{
	if (!target)
		return;
	if (target->pidfd >= 0)
		close(target->pidfd);
	free(target->name);
	free(target->command);
	free(target->proc_dir);
	free(target->root_dir);
	free(target->runtime);
	free(target->unread);
	free(target->runtime_dir);
	free(target->environment_text);
	free(target->ust_soname);
	free(target->perf_map_dir);
	free(target);
}

int64_t nt_target_started_at(const struct nt_target *target)
{
	return (int64_t)target->start + nt_clock_realtime_offset();
}

bool nt_target_alive(const struct nt_target *target)
{
	if (target->pidfd >= 0)
		return !has_ended(target->pidfd);
	int dir_fd = open(target->proc_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (dir_fd < 0)
		return false;
	struct nt_procfs_stat stat;
	bool same = read_stat(dir_fd, target->pid, &stat, NULL) == NT_OK && stat.start_ticks == target->start_ticks;
	close(dir_fd);
	return same;
}
