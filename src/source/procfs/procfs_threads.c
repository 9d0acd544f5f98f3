// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_threads.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	SCHEDSTAT_BYTES = 96,
	CLOCK_EVERY = 16,  /* threads read between two looks at the clock */
	IDLE_FACTOR = 400, /* a scan rests for this many times what it cost: 0.25 % of a CPU */
	/* Opening and closing a stat takes longer than reading it, so some stay open: one in so many of our descriptors, which others need too. */
	OPEN_SHARE = 16,
	OPEN_MOST = 48,
};

struct thread {
	uint32_t tid;
	int stat_fd;          /* owned; -1 = not kept open */
	uint64_t start_ticks; /* 0 = not read yet, or gone before it could be */
	uint64_t used_ticks;  /* CPU time when it was read last */
	uint64_t waited_ns;   /* for a CPU, when that was read last */
};

struct list {
	struct thread *threads; /* owned; sorted by tid */
	size_t count, capacity;
};

struct nt_procfs_threads {
	DIR *dir; /* owned; /proc/PID/task */
	uint32_t pid;
	struct list known;              /* as the last complete scan found them */
	struct list now;                /* of the scan that is going on */
	size_t next;                    /* index in `now` of the next thread to read */
	unsigned open_count, open_most; /* of stat_fd */
	bool scanning;
	bool scanned;          /* at least once */
	uint64_t scan_cost_ns; /* CPU time: a machine that lacks CPUs must not be looked at the less for that */
	nt_time next_scan;
	uint64_t waited_ns;
	bool waited_known;
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
	struct rlimit limit;
	rlim_t share = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / OPEN_SHARE : 0;
	threads->open_most = share < OPEN_MOST ? (unsigned)share : OPEN_MOST;
	*out = threads;
	return NT_OK;
}

static void close_stat(struct nt_procfs_threads *threads, struct thread *thread)
{
	if (thread->stat_fd < 0)
		return;
	close(thread->stat_fd);
	thread->stat_fd = -1;
	threads->open_count--;
}

static void close_stats(struct nt_procfs_threads *threads, struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		close_stat(threads, &list->threads[i]);
}

void nt_procfs_threads_free(struct nt_procfs_threads *threads)
{
	if (!threads)
		return;
	close_stats(threads, &threads->known);
	close_stats(threads, &threads->now);
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

/* The stats that the last scan left open, and what it read, are those of this one. Both lists are sorted. */
static void hand_over(struct nt_procfs_threads *threads)
{
	struct list *old = &threads->known, *now = &threads->now;
	for (size_t i = 0, j = 0; i < old->count; i++) {
		struct thread *thread = &old->threads[i];
		while (j < now->count && now->threads[j].tid < thread->tid)
			j++;
		if (j < now->count && now->threads[j].tid == thread->tid) {
			now->threads[j] = *thread;
			thread->stat_fd = -1;
		} else {
			close_stat(threads, thread);
		}
	}
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
		now->threads[now->count++] = (struct thread){ .tid = (uint32_t)tid, .stat_fd = -1 };
	}
	if (now->count)
		qsort(now->threads, now->count, sizeof(*now->threads), by_tid);
	hand_over(threads);
	threads->next = 0;
	threads->scanning = true;
	threads->counting = (struct nt_procfs_counts){ .known = true };
	threads->scan_cost_ns = 0;
}

static ssize_t read_open_stat(struct nt_procfs_threads *threads, struct thread *thread, char text[STAT_BYTES])
{
	ssize_t length = thread->stat_fd < 0 ? -1 : pread(thread->stat_fd, text, STAT_BYTES, 0);
	if (length <= 0)
		close_stat(threads, thread); /* it has ended; its number may be another's by now */
	return length;
}

static ssize_t read_new_stat(struct nt_procfs_threads *threads, struct thread *thread, char text[STAT_BYTES])
{
	char path[32];
	snprintf(path, sizeof(path), "%u/stat", thread->tid);
	int fd = openat(dirfd(threads->dir), path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t length = read(fd, text, STAT_BYTES);
	if (length > 0 && threads->open_count < threads->open_most) {
		thread->stat_fd = fd;
		threads->open_count++;
	} else {
		close(fd);
	}
	return length;
}

static bool read_stat(struct nt_procfs_threads *threads, struct thread *thread, struct nt_procfs_stat *stat)
{
	char text[STAT_BYTES];
	ssize_t length = read_open_stat(threads, thread, text);
	if (length <= 0)
		length = read_new_stat(threads, thread, text);
	return length > 0 && nt_procfs_stat_parse(text, (size_t)length, stat);
}

/* What the thread has waited for a CPU in its life. False: not told. */
static bool read_waited(const struct nt_procfs_threads *threads, const struct thread *thread, uint64_t *waited_ns)
{
	char path[32], text[SCHEDSTAT_BYTES];
	struct nt_procfs_schedstat stat;
	snprintf(path, sizeof(path), "%u/schedstat", thread->tid);
	int fd = openat(dirfd(threads->dir), path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof(text));
	if (fd >= 0)
		close(fd);
	if (length <= 0 || !nt_procfs_schedstat_parse(text, (size_t)length, &stat) || !stat.count)
		return false;
	*waited_ns = stat.waited_ns;
	return true;
}

/*
 * A thread that neither runs nor is about to, and did not since the last scan, has not waited for a CPU either: most threads of a program are not asked.
 * Of one that was born since, all that it ever waited counts.
 */
static void add_waited(struct nt_procfs_threads *threads, struct thread *thread, const struct nt_procfs_stat *stat, bool known_before)
{
	uint64_t used_ticks = stat->user_ticks + stat->kernel_ticks, waited_ns;
	bool ran = stat->state == 'R' || used_ticks != thread->used_ticks || !known_before;
	thread->used_ticks = used_ticks;
	if (!ran || !read_waited(threads, thread, &waited_ns))
		return;
	threads->waited_known = true;
	if (threads->scanned && waited_ns > thread->waited_ns)
		threads->waited_ns += waited_ns - thread->waited_ns;
	thread->waited_ns = waited_ns;
}

static void read_thread(struct nt_procfs_threads *threads, struct thread *thread, struct nt_outbox *box, nt_time now)
{
	struct nt_procfs_stat stat;
	if (!read_stat(threads, thread, &stat))
		return; /* ended since it was listed */
	bool known_before = thread->start_ticks == stat.start_ticks;
	if (!known_before)
		thread->used_ticks = thread->waited_ns = 0;
	thread->start_ticks = stat.start_ticks;
	add_waited(threads, thread, &stat, known_before);
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
	threads->counts.waited_ns = threads->waited_ns;
	threads->counts.waited_known = threads->waited_known;
	threads->scanned = true;
	threads->scanning = false;
}

void nt_procfs_threads_step(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time budget_ns, bool due)
{
	nt_time start = nt_clock_now(), now = start;
	if (!threads->scanning && (!due || now < threads->next_scan))
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	if (!threads->scanning)
		begin_scan(threads);
	while (threads->next < threads->now.count && now - start < budget_ns) {
		for (int i = 0; i < CLOCK_EVERY && threads->next < threads->now.count; i++)
			read_thread(threads, &threads->now.threads[threads->next++], box, now);
		now = nt_clock_now();
	}
	threads->scan_cost_ns += nt_clock_thread_cpu() - used_ns;
	if (threads->next < threads->now.count)
		return;
	end_scan(threads, box, now);
	threads->next_scan = now + threads->scan_cost_ns * IDLE_FACTOR;
}
