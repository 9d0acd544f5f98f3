// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_others.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	PROCESSES = 1 << 16, /* more are not looked at */
	CLOCK_EVERY = 8,     /* processes between two looks at the clock */
	LEAST_REST_MS = 2000,
	IDLE_FACTOR = 1000, /* 0.1 % of a CPU */
};

struct nt_procfs_used {
	uint32_t pid;
	uint64_t start_ticks, used_ticks;
	char name[16]; /* of the kernel's 15 bytes; NUL-terminated */
};

static void end_look(struct nt_procfs_others *others)
{
	if (others->dir)
		closedir(others->dir);
	others->dir = NULL;
}

void nt_procfs_others_fini(struct nt_procfs_others *others)
{
	end_look(others);
	free(others->before);
	free(others->now);
	*others = (struct nt_procfs_others){ 0 };
}

static void begin_look(struct nt_procfs_others *others, int dir_fd, nt_time now)
{
	int fd = openat(dir_fd, "..", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	others->dir = fd < 0 ? NULL : fdopendir(fd);
	if (fd >= 0 && !others->dir)
		close(fd);
	others->now_count = 0;
	others->now_time = now;
	others->cost_ns = 0;
}

/* A number, else 0. */
static uint32_t pid_of(const char *name)
{
	char *end;
	if (*name < '1' || *name > '9')
		return 0;
	unsigned long pid = strtoul(name, &end, 10);
	return *end || pid > INT32_MAX ? 0 : (uint32_t)pid;
}

static void look_at(struct nt_procfs_others *others, uint32_t pid)
{
	char path[32], text[STAT_BYTES];
	struct nt_procfs_stat stat;
	snprintf(path, sizeof(path), "%u/stat", pid);
	int fd = openat(dirfd(others->dir), path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
	if (length <= 0 || !nt_procfs_stat_parse(text, (size_t)length, &stat))
		return;
	others->now = nt_grow(others->now, &others->now_capacity, others->now_count + 1, sizeof(*others->now));
	struct nt_procfs_used *used = &others->now[others->now_count++];
	*used = (struct nt_procfs_used){ .pid = pid, .start_ticks = stat.start_ticks, .used_ticks = stat.user_ticks + stat.kernel_ticks };
	snprintf(used->name, sizeof(used->name), "%.15s", stat.comm);
}

static int by_pid(const void *a, const void *b)
{
	const struct nt_procfs_used *left = a, *right = b;
	return (left->pid > right->pid) - (left->pid < right->pid);
}

static int by_name(const void *a, const void *b)
{
	const struct nt_procfs_used *left = a, *right = b;
	return strcmp(left->name, right->name);
}

/* What each of them has used since the look before; 0 of one that is new. */
static void subtract(struct nt_procfs_used *used, size_t count, const struct nt_procfs_others *others)
{
	for (size_t i = 0; i < count; i++) {
		const struct nt_procfs_used *was =
			others->before_count ? bsearch(&used[i], others->before, others->before_count, sizeof(*used), by_pid) : NULL;
		bool same = was && was->start_ticks == used[i].start_ticks && was->used_ticks <= used[i].used_ticks;
		used[i].used_ticks = same ? used[i].used_ticks - was->used_ticks : 0;
	}
}

/* Those of one name that have used most. */
static void find_worst(struct nt_procfs_others *others)
{
	size_t bytes = others->now_count * sizeof(*others->now), end;
	struct nt_procfs_used *used = nt_alloc(bytes);
	memcpy(used, others->now, bytes);
	subtract(used, others->now_count, others);
	qsort(used, others->now_count, sizeof(*used), by_name);
	uint64_t most = 0;
	others->worst = (struct nt_procfs_other){ 0 };
	for (size_t i = 0; i < others->now_count; i = end) {
		uint64_t ticks = 0;
		uint32_t busy = 0;
		for (end = i; end < others->now_count && strcmp(used[end].name, used[i].name) == 0; end++) {
			ticks += used[end].used_ticks;
			busy += used[end].used_ticks != 0;
		}
		if (ticks <= most)
			continue;
		most = ticks;
		others->worst.used_ns = ticks * (NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK));
		others->worst.over_ns = others->now_time - others->before_time;
		others->worst.count = busy;
		snprintf(others->worst.name, sizeof(others->worst.name), "%s", used[i].name);
	}
	free(used);
}

/* A look is whole: it is compared with the one before, and becomes that. */
static void conclude(struct nt_procfs_others *others)
{
	if (others->now_count)
		qsort(others->now, others->now_count, sizeof(*others->now), by_pid);
	if (others->before_time && others->now_count)
		find_worst(others);
	struct nt_procfs_used *kept = others->before;
	size_t capacity = others->before_capacity;
	others->before = others->now;
	others->before_count = others->now_count;
	others->before_capacity = others->now_capacity;
	others->before_time = others->now_time;
	others->now = kept;
	others->now_capacity = capacity;
	others->now_count = 0;
	nt_time rest = others->cost_ns * IDLE_FACTOR, least = LEAST_REST_MS * NT_NS_PER_MS;
	others->next_look = others->before_time + (rest > least ? rest : least);
}

/* True: no process is left. */
static bool go_on(struct nt_procfs_others *others, uint32_t pid, nt_time until)
{
	for (unsigned read = 0; others->now_count < PROCESSES;) {
		const struct dirent *entry = readdir(others->dir);
		if (!entry)
			return true;
		uint32_t other = pid_of(entry->d_name);
		if (!other || other == pid)
			continue;
		look_at(others, other);
		if (++read % CLOCK_EVERY == 0 && nt_clock_now() >= until)
			return false;
	}
	return true;
}

static void forget(struct nt_procfs_others *others)
{
	end_look(others);
	others->worst = (struct nt_procfs_other){ 0 };
	others->before_count = 0;
	others->before_time = 0;
}

void nt_procfs_others_step(struct nt_procfs_others *others, int dir_fd, uint32_t pid, bool wanted, nt_time until)
{
	nt_time start = nt_clock_now();
	if (!wanted) {
		if (others->dir || others->before_time)
			forget(others);
		return;
	}
	if (!others->dir && start < others->next_look)
		return;
	if (!others->dir)
		begin_look(others, dir_fd, start);
	if (!others->dir)
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	bool whole = go_on(others, pid, until);
	others->cost_ns += nt_clock_thread_cpu() - used_ns;
	if (!whole)
		return;
	end_look(others);
	conclude(others);
}
