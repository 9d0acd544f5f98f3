// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_blocked.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/wait_fact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_BYTES = 256, CLOCK_EVERY = 16 };

void nt_procfs_blocked_fini(struct nt_procfs_blocked *blocked)
{
	free(blocked->items);
	free(blocked->before);
	*blocked = (struct nt_procfs_blocked){ 0 };
}

static int by_tid(const void *a, const void *b)
{
	uint32_t x = ((const struct nt_blocked_thread *)a)->tid, y = ((const struct nt_blocked_thread *)b)->tid;
	return (x > y) - (x < y);
}

void nt_procfs_blocked_begin(struct nt_procfs_blocked *blocked, int dir_fd)
{
	struct nt_blocked_thread *items = blocked->before;
	size_t capacity = blocked->before_capacity;
	blocked->before = blocked->items;
	blocked->before_count = blocked->next; /* those that were asked */
	blocked->before_capacity = blocked->capacity;
	blocked->items = items;
	blocked->capacity = capacity;
	blocked->count = blocked->next = blocked->asked_count = blocked->hidden_count = 0;
	int fd = openat(dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (fd >= 0)
			close(fd);
		return;
	}
	struct dirent *entry;
	while ((entry = readdir(dir))) {
		unsigned long tid = strtoul(entry->d_name, NULL, 10);
		if (!tid)
			continue;
		if (blocked->count == NT_BLOCKED_THREADS) {
			blocked->hidden_count++;
			continue;
		}
		blocked->items = nt_grow(blocked->items, &blocked->capacity, blocked->count + 1, sizeof(*blocked->items));
		blocked->items[blocked->count++] = (struct nt_blocked_thread){ .tid = (uint32_t)tid, .fd = -1 };
	}
	closedir(dir);
	if (blocked->count)
		qsort(blocked->items, blocked->count, sizeof(*blocked->items), by_tid);
}

static ssize_t read_of(int dir_fd, uint32_t tid, const char *name, char text[TEXT_BYTES])
{
	char path[48];
	snprintf(path, sizeof(path), "task/%" PRIu32 "/%s", tid, name);
	int fd = openat(dir_fd, path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, TEXT_BYTES);
	int error = errno;
	if (fd >= 0)
		close(fd);
	errno = error;
	return length;
}

static bool times_on_a_cpu(int dir_fd, uint32_t tid, uint64_t *count)
{
	char text[TEXT_BYTES];
	struct nt_procfs_schedstat stat;
	ssize_t length = read_of(dir_fd, tid, "schedstat", text);
	if (length <= 0 || !nt_procfs_schedstat_parse(text, (size_t)length, &stat) || !stat.count)
		return false;
	*count = stat.count;
	return true;
}

/* Since the look before, if that found it in the same place and it has not run in between. */
static nt_time since_when(const struct nt_procfs_blocked *blocked, const struct nt_blocked_thread *thread, nt_time now)
{
	const struct nt_blocked_thread *old =
		blocked->before_count ? bsearch(thread, blocked->before, blocked->before_count, sizeof(*thread), by_tid) : NULL;
	return old && old->fd == thread->fd && old->count == thread->count && thread->count ? old->since : now;
}

static void ask(struct nt_procfs_blocked *blocked, int dir_fd, struct nt_blocked_thread *thread, nt_time now,
		struct nt_procfs_descriptors *list)
{
	char text[TEXT_BYTES];
	struct nt_wait_fact fact;
	int fd;
	ssize_t length = read_of(dir_fd, thread->tid, "syscall", text);
	if (length < 0 && (errno == ENOENT || errno == ESRCH))
		return; /* it has ended */
	if (length <= 0 || !nt_wait_fact_parse(text, (size_t)length, &fact, &fd)) {
		blocked->hidden_count++;
		return;
	}
	blocked->asked_count++;
	if (fd < 0)
		return;
	if (!times_on_a_cpu(dir_fd, thread->tid, &thread->count))
		thread->count = 0;
	thread->fd = fd;
	thread->since = since_when(blocked, thread, now);
	struct nt_open_fd *at = nt_procfs_descriptors_find(list, fd);
	if (!at)
		return;
	at->blocked_count++;
	if (!at->blocked_tid || thread->since < at->blocked_since) {
		at->blocked_tid = thread->tid;
		at->blocked_since = thread->since;
	}
}

bool nt_procfs_blocked_step(struct nt_procfs_blocked *blocked, int dir_fd, nt_time now, nt_time until, struct nt_procfs_descriptors *list)
{
	do {
		for (int i = 0; i < CLOCK_EVERY && blocked->next < blocked->count; i++)
			ask(blocked, dir_fd, &blocked->items[blocked->next++], now, list);
	} while (blocked->next < blocked->count && nt_clock_now() < until);
	return blocked->next == blocked->count;
}
