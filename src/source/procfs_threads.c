// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs_threads.h"

#include "base/alloc.h"
#include "decode/procfs_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	CLOCK_EVERY = 16,  /* threads read between two looks at the clock */
	IDLE_FACTOR = 400, /* a scan rests for this many times what it cost: 0.25 % of a CPU */
};

struct thread {
	uint32_t tid;
	uint64_t start_ticks; /* 0 = not read yet, or gone before it could be */
};

struct list {
	struct thread *threads; /* owned; sorted by tid */
	size_t count, capacity;
};

struct nt_procfs_threads {
	DIR *dir; /* owned; /proc/PID/task */
	uint32_t pid;
	struct list known; /* as the last complete scan found them */
	struct list now;   /* of the scan that is going on */
	size_t next;       /* index in `now` of the next thread to read */
	bool scanning;
	nt_time scan_cost_ns, next_scan;
	struct nt_procfs_counts counting, counts;
	uint64_t tick_ns;
};

enum nt_status nt_procfs_threads_new(int dir_fd, uint32_t pid, struct nt_procfs_threads **out, struct nt_error *err)
{
	int fd = openat(dir_fd, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	if (!dir) {
		int error = errno;
		if (fd >= 0)
			close(fd);
		return nt_error_errno(err, NT_ERR_FAILED, error, "cannot list the threads of process %u", pid);
	}
	struct nt_procfs_threads *threads = nt_alloc(sizeof(*threads));
	threads->dir = dir;
	threads->pid = pid;
	threads->tick_ns = NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	*out = threads;
	return NT_OK;
}

void nt_procfs_threads_free(struct nt_procfs_threads *threads)
{
	if (!threads)
		return;
	closedir(threads->dir);
	free(threads->known.threads);
	free(threads->now.threads);
	free(threads);
}

struct nt_procfs_counts nt_procfs_threads_counts(const struct nt_procfs_threads *threads)
{
	return threads->counts;
}

static int by_tid(const void *a, const void *b)
{
	uint32_t x = ((const struct thread *)a)->tid, y = ((const struct thread *)b)->tid;
	return (x > y) - (x < y);
}

static void begin_scan(struct nt_procfs_threads *threads)
{
	struct list *now = &threads->now;
	now->count = 0;
	rewinddir(threads->dir);
	struct dirent *entry;
	while ((entry = readdir(threads->dir))) {
		unsigned long tid = strtoul(entry->d_name, NULL, 10);
		if (!tid)
			continue;
		now->threads = nt_grow(now->threads, &now->capacity, now->count + 1, sizeof(*now->threads));
		now->threads[now->count++] = (struct thread){ .tid = (uint32_t)tid };
	}
	if (now->count)
		qsort(now->threads, now->count, sizeof(*now->threads), by_tid);
	threads->next = 0;
	threads->scanning = true;
	threads->counting = (struct nt_procfs_counts){ .known = true };
	threads->scan_cost_ns = 0;
}

static bool read_stat(struct nt_procfs_threads *threads, uint32_t tid, struct nt_procfs_stat *stat)
{
	char path[32], text[STAT_BYTES];
	snprintf(path, sizeof(path), "%u/stat", tid);
	int fd = openat(dirfd(threads->dir), path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t length = read(fd, text, sizeof(text));
	close(fd);
	return length > 0 && nt_procfs_stat_parse(text, (size_t)length, stat);
}

static void read_thread(struct nt_procfs_threads *threads, struct thread *thread, struct nt_outbox *box, nt_time now)
{
	struct nt_procfs_stat stat;
	if (!read_stat(threads, thread->tid, &stat))
		return; /* ended since it was listed */
	thread->start_ticks = stat.start_ticks;
	threads->counting.running_count += stat.state == 'R';
	threads->counting.pool_count += strcmp(stat.comm, ".NET TP Worker") == 0;
	struct nt_ev_thread_stat values = {
		.user_ns = stat.user_ticks * threads->tick_ns,
		.kernel_ns = stat.kernel_ticks * threads->tick_ns,
		.start_ticks = stat.start_ticks,
		.name = nt_outbox_str(box, stat.comm),
		.state = (unsigned char)stat.state,
	};
	nt_outbox_add(box, NT_EV_THREAD_STAT, now, threads->pid, thread->tid)->u.thread_stat = values;
}

static void tell(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time now, const struct thread *thread, enum nt_thread_op op)
{
	if (!thread->start_ticks)
		return;
	struct nt_ev_thread said = { .start_ticks = thread->start_ticks, .op = (uint32_t)op };
	nt_outbox_add(box, NT_EV_THREAD, now, threads->pid, thread->tid)->u.thread = said;
}

/* Both lists are sorted: one walk finds who came and who went. A tid with another start time is both. */
static void compare(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time now)
{
	const struct list *old = &threads->known, *new = &threads->now;
	for (size_t i = 0, j = 0; i < old->count || j < new->count;) {
		const struct thread *o = i < old->count ? &old->threads[i] : NULL;
		const struct thread *n = j < new->count ? &new->threads[j] : NULL;
		bool only_old = o && (!n || o->tid < n->tid), only_new = n && (!o || n->tid < o->tid);
		bool replaced = !only_old && !only_new && o->start_ticks != n->start_ticks;
		if (only_old || replaced)
			tell(threads, box, now, o, NT_THREAD_ENDED);
		if (only_new || replaced)
			tell(threads, box, now, n, NT_THREAD_SEEN);
		i += !only_new;
		j += !only_old;
	}
}

static void end_scan(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time now)
{
	compare(threads, box, now);
	struct list swap = threads->known;
	threads->known = threads->now;
	threads->now = swap;
	threads->counts = threads->counting;
	threads->scanning = false;
}

void nt_procfs_threads_step(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time budget_ns, bool due)
{
	nt_time start = nt_clock_now(), now = start;
	if (!threads->scanning && (!due || now < threads->next_scan))
		return;
	if (!threads->scanning)
		begin_scan(threads);
	while (threads->next < threads->now.count && now - start < budget_ns) {
		for (int i = 0; i < CLOCK_EVERY && threads->next < threads->now.count; i++)
			read_thread(threads, &threads->now.threads[threads->next++], box, now);
		now = nt_clock_now();
	}
	threads->scan_cost_ns += now - start;
	if (threads->next < threads->now.count)
		return;
	end_scan(threads, box, now);
	threads->next_scan = now + threads->scan_cost_ns * IDLE_FACTOR;
}
