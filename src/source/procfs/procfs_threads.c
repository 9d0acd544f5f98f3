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
#include <sys/stat.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	SCHEDSTAT_BYTES = 96,
	CLOCK_EVERY = 16,  /* threads read between two looks at the clock */
	IDLE_FACTOR = 400, /* a scan rests for this many times what it cost: 0.25 % of a CPU */
	/* Opening and closing a file takes longer than reading it, so those of some threads stay open: one in so many of our descriptors, which others need too. */
	OPEN_SHARE = 16,
	OPEN_SHARE_OF_SEVERAL = 512, /* processes: there may be 256 */
	OPEN_MOST = 96,
	READ_EVERY = 8, /* scans: a thread that rests may be given another name by others */
	LACKS_NS = 5 * 1000 * 1000,
};

/* Its files, of which the second says whether there is news in the first, for a fifth of its price. */
enum file { STAT, SCHEDSTAT, FILES };

struct thread {
	uint32_t tid;
	int fds[FILES];                 /* owned; -1 = not kept open */
	struct nt_procfs_stat stat;     /* when it was read last; start_ticks 0 = it was not, or was gone before it could be */
	struct nt_procfs_schedstat was; /* before that; count 0 = not told */
	unsigned read_ago;              /* scans */
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
	unsigned open_count, open_most; /* of files of threads */
	bool scanning;
	bool listed;           /* for this scan; else they seem to be those of the last one */
	bool scanned;          /* at least once */
	bool lacks;            /* its threads waited LACKS_NS and more for CPUs between the two last scans */
	uint64_t scan_cost_ns; /* CPU time: a machine that lacks CPUs must not be looked at the less for that */
	nt_time next_scan;
	uint64_t waited_ns;
	bool waited_known;
	struct nt_procfs_counts counting, counts;
	uint64_t tick_ns;
};

enum nt_status nt_procfs_threads_new(int dir_fd, uint32_t pid, bool several, struct nt_procfs_threads **out, struct nt_error *err)
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
	rlim_t share = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur / (several ? OPEN_SHARE_OF_SEVERAL : OPEN_SHARE) : 0;
	threads->open_most = share < OPEN_MOST ? (unsigned)share : OPEN_MOST;
	*out = threads;
	return NT_OK;
}

static void close_file(struct nt_procfs_threads *threads, struct thread *thread, enum file file)
{
	if (thread->fds[file] < 0)
		return;
	close(thread->fds[file]);
	thread->fds[file] = -1;
	threads->open_count--;
}

static void close_files(struct nt_procfs_threads *threads, struct thread *thread)
{
	for (enum file file = 0; file < FILES; file++)
		close_file(threads, thread, file);
}

static void close_all(struct nt_procfs_threads *threads, struct list *list)
{
	for (size_t i = 0; i < list->count; i++)
		close_files(threads, &list->threads[i]);
}

void nt_procfs_threads_free(struct nt_procfs_threads *threads)
{
	if (!threads)
		return;
	close_all(threads, &threads->known);
	close_all(threads, &threads->now);
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

static void add_to(struct list *list, uint32_t tid)
{
	list->threads = nt_grow(list->threads, &list->capacity, list->count + 1, sizeof(*list->threads));
	list->threads[list->count++] = (struct thread){ .tid = tid, .fds = { -1, -1 } };
}

static void read_list(struct nt_procfs_threads *threads, struct list *list)
{
	list->count = 0;
	rewinddir(threads->dir);
	struct dirent *entry;
	while ((entry = readdir(threads->dir))) {
		unsigned long tid = strtoul(entry->d_name, NULL, 10);
		if (tid)
			add_to(list, (uint32_t)tid);
	}
	if (list->count)
		qsort(list->threads, list->count, sizeof(*list->threads), by_tid);
}

/* Open files, and what was read of the threads, are those of the newer list. Both are sorted. */
static void hand_over(struct nt_procfs_threads *threads, struct list *old, struct list *now)
{
	for (size_t i = 0, j = 0; i < old->count; i++) {
		struct thread *thread = &old->threads[i];
		while (j < now->count && now->threads[j].tid < thread->tid)
			j++;
		if (j < now->count && now->threads[j].tid == thread->tid) {
			now->threads[j] = *thread;
			thread->fds[STAT] = thread->fds[SCHEDSTAT] = -1;
		} else {
			close_files(threads, thread);
		}
	}
}

/* The folder has a link for each thread, besides two. Where one has ended and another has begun, the file of the former cannot be read: read_thread(). */
static bool is_as_known(const struct nt_procfs_threads *threads)
{
	struct stat folder;
	return threads->scanned && fstat(dirfd(threads->dir), &folder) == 0 && folder.st_nlink == threads->known.count + 2;
}

static void begin_scan(struct nt_procfs_threads *threads)
{
	struct list *now = &threads->now;
	threads->listed = !is_as_known(threads);
	now->count = 0;
	for (size_t i = 0; !threads->listed && i < threads->known.count; i++)
		add_to(now, threads->known.threads[i].tid);
	if (threads->listed)
		read_list(threads, now);
	hand_over(threads, &threads->known, now);
	threads->next = 0;
	threads->scanning = true;
	threads->counting = (struct nt_procfs_counts){ .known = true };
	threads->scan_cost_ns = 0;
}

/* They are others than they seemed to be. What was read meanwhile is told twice. */
static void begin_anew(struct nt_procfs_threads *threads)
{
	struct list now = { 0 };
	threads->listed = true;
	read_list(threads, &now);
	hand_over(threads, &threads->now, &now);
	free(threads->now.threads);
	threads->now = now;
	threads->next = 0;
	threads->counting = (struct nt_procfs_counts){ .known = true };
}

static ssize_t read_open(struct nt_procfs_threads *threads, struct thread *thread, enum file file, char *text, size_t size)
{
	ssize_t length = thread->fds[file] < 0 ? -1 : pread(thread->fds[file], text, size, 0);
	if (length <= 0)
		close_file(threads, thread, file); /* it has ended; its number may be another's by now */
	return length;
}

static ssize_t read_new(struct nt_procfs_threads *threads, struct thread *thread, enum file file, char *text, size_t size)
{
	static const char *const names[FILES] = { "stat", "schedstat" };
	char path[32];
	snprintf(path, sizeof(path), "%u/%s", thread->tid, names[file]);
	int fd = openat(dirfd(threads->dir), path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t length = read(fd, text, size);
	if (length > 0 && threads->open_count < threads->open_most) {
		thread->fds[file] = fd;
		threads->open_count++;
	} else {
		close(fd);
	}
	return length;
}

static bool read_stat(struct nt_procfs_threads *threads, struct thread *thread, struct nt_procfs_stat *stat)
{
	char text[STAT_BYTES];
	ssize_t length = read_open(threads, thread, STAT, text, sizeof(text));
	if (length <= 0)
		length = read_new(threads, thread, STAT, text, sizeof(text));
	return length > 0 && nt_procfs_stat_parse(text, (size_t)length, stat);
}

/* What the thread has waited for a CPU in its life, and how often it was given one; count 0: not told. *same: it is that which was read before, and no other one with its number. */
static struct nt_procfs_schedstat read_turns(struct nt_procfs_threads *threads, struct thread *thread, bool *same)
{
	char text[SCHEDSTAT_BYTES];
	struct nt_procfs_schedstat turns;
	ssize_t length = read_open(threads, thread, SCHEDSTAT, text, sizeof(text));
	*same = length > 0;
	if (length <= 0)
		length = read_new(threads, thread, SCHEDSTAT, text, sizeof(text));
	return length > 0 && nt_procfs_schedstat_parse(text, (size_t)length, &turns) ? turns : (struct nt_procfs_schedstat){ 0 };
}

/*
 * A thread that did not run since its stat was read, and was not about to then, is as it was: most threads of a program are. Unless it was woken and waits for a CPU, of which its turns tell nothing: where CPUs
 * are lacking all are read.
 */
static bool is_as_it_was(const struct nt_procfs_threads *threads, const struct thread *thread, const struct nt_procfs_schedstat *turns)
{
	return !threads->lacks && turns->count && turns->count == thread->was.count && thread->stat.start_ticks &&
	       thread->stat.state != 'R' && thread->read_ago < READ_EVERY;
}

/* Of one that was born since the last scan, all that it ever waited counts. */
static void add_waited(struct nt_procfs_threads *threads, const struct thread *thread, const struct nt_procfs_schedstat *turns,
		       bool known_before)
{
	uint64_t before_ns = known_before ? thread->was.waited_ns : 0;
	if (!turns->count)
		return;
	threads->waited_known = true;
	if (threads->scanned && turns->waited_ns > before_ns)
		threads->waited_ns += turns->waited_ns - before_ns;
}

/* Its stat, anew if there is news. False: it has ended since it was listed. */
static bool look_at(struct nt_procfs_threads *threads, struct thread *thread)
{
	struct nt_procfs_stat stat;
	bool same;
	struct nt_procfs_schedstat turns = read_turns(threads, thread, &same);
	thread->read_ago++;
	if (same && is_as_it_was(threads, thread, &turns))
		return true;
	if (!read_stat(threads, thread, &stat))
		return false;
	add_waited(threads, thread, &turns, thread->stat.start_ticks == stat.start_ticks);
	thread->stat = stat;
	thread->was = turns;
	thread->read_ago = 0;
	return true;
}

static void read_thread(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time now)
{
	struct thread *thread = &threads->now.threads[threads->next++];
	const struct nt_procfs_stat *stat = &thread->stat;
	if (!look_at(threads, thread)) {
		if (!threads->listed)
			begin_anew(threads);
		return;
	}
	threads->counting.running_count += stat->state == 'R';
	threads->counting.pool_count += strcmp(stat->comm, ".NET TP Worker") == 0;
	struct nt_ev_thread_stat values = {
		.user_ns = stat->user_ticks * threads->tick_ns,
		.kernel_ns = stat->kernel_ticks * threads->tick_ns,
		.start_ticks = stat->start_ticks,
		.name = nt_outbox_str(box, stat->comm),
		.state = (unsigned char)stat->state,
	};
	nt_outbox_add(box, NT_EV_THREAD_STAT, now, threads->pid, thread->tid)->u.thread_stat = values;
}

static void tell(struct nt_procfs_threads *threads, struct nt_outbox *box, nt_time now, const struct thread *thread, enum nt_thread_op op)
{
	if (!thread->stat.start_ticks)
		return;
	struct nt_ev_thread said = { .start_ticks = thread->stat.start_ticks, .op = (uint32_t)op };
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
		bool replaced = !only_old && !only_new && o->stat.start_ticks != n->stat.start_ticks;
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
	threads->lacks = threads->waited_ns >= threads->counts.waited_ns + LACKS_NS;
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
			read_thread(threads, box, now);
		now = nt_clock_now();
	}
	threads->scan_cost_ns += nt_clock_thread_cpu() - used_ns;
	if (threads->next < threads->now.count)
		return;
	end_scan(threads, box, now);
	threads->next_scan = now + threads->scan_cost_ns * IDLE_FACTOR;
}
