// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_list.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <dirent.h>
#include <errno.h>
#include <perf/core.h>
#include <perf/cpumap.h>
#include <perf/event.h>
#include <perf/evlist.h>
#include <perf/evsel.h>
#include <perf/mmap.h>
#include <perf/threadmap.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

struct nt_perf_list {
	struct perf_evlist *evlist; /* owned */
	struct perf_evsel *evsel;   /* the evlist's */
	struct perf_cpu_map *cpus;
	struct perf_thread_map *threads;
	bool counts_lost, counts_time;
	int *fds; /* owned; once they were looked for */
	size_t fd_count;
};

static int silent(enum libperf_print_level level, const char *fmt, va_list args)
{
	(void)level;
	(void)fmt;
	(void)args;
	return 0;
}

size_t nt_perf_list_cpu_count(void)
{
	struct perf_cpu_map *cpus = perf_cpu_map__new(NULL);
	int count = cpus ? perf_cpu_map__nr(cpus) : 1;
	perf_cpu_map__put(cpus);
	return count > 0 ? (size_t)count : 1;
}

/*
 * libperf opens its descriptors without it and keeps their numbers to itself; none of this process is meant for another program. Before Linux 5.11 it
 * fails, and only what we start closes them itself (lttng_child.c).
 */
static void close_on_exec(void)
{
	close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

static struct perf_thread_map *thread_map(const pid_t *tids, size_t count)
{
	if (!tids)
		return perf_thread_map__new_dummy();
	/* libperf takes a pointer to non-const and only reads it. */
	pid_t *copy = nt_realloc(NULL, count, sizeof(*copy));
	memcpy(copy, tids, count * sizeof(*copy));
	struct perf_thread_map *map = perf_thread_map__new_array((int)count, copy);
	free(copy);
	return map;
}

static struct nt_perf_list *list_new(const struct perf_event_attr *attr, const pid_t *tids, size_t tid_count)
{
	libperf_init(silent);
	struct nt_perf_list *list = nt_alloc(sizeof(*list));
	struct perf_event_attr copy = *attr;
	list->counts_lost = attr->read_format & PERF_FORMAT_LOST;
	list->counts_time = attr->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING;
	list->evlist = perf_evlist__new();
	list->evsel = perf_evsel__new(&copy);
	list->cpus = perf_cpu_map__new(NULL);
	list->threads = thread_map(tids, tid_count);
	nt_assert(list->evlist && list->evsel && list->cpus && list->threads); /* only memory can be missing */
	perf_evlist__add(list->evlist, list->evsel);
	perf_evlist__set_maps(list->evlist, list->cpus, list->threads);
	return list;
}

void nt_perf_list_free(struct nt_perf_list *list)
{
	if (!list)
		return;
	perf_evlist__delete(list->evlist);
	perf_cpu_map__put(list->cpus);
	perf_thread_map__put(list->threads);
	free(list->fds);
	free(list);
}

int nt_perf_list_try(const struct perf_event_attr *attr, uint32_t tid)
{
	pid_t tids[] = { (pid_t)tid };
	struct nt_perf_list *list = list_new(attr, tid ? tids : NULL, 1);
	int error = -perf_evlist__open(list->evlist);
	nt_perf_list_free(list);
	return error;
}

int nt_perf_list_open(const struct perf_event_attr *attr, const pid_t *tids, size_t tid_count, size_t ring_bytes, bool *at_rings,
		      struct nt_perf_list **out)
{
	size_t page_bytes = (size_t)sysconf(_SC_PAGESIZE);
	nt_assert(ring_bytes >= page_bytes && (ring_bytes & (ring_bytes - 1)) == 0);
	struct nt_perf_list *list = list_new(attr, tids, tid_count);
	*at_rings = false;
	int error = -perf_evlist__open(list->evlist);
	if (!error) {
		close_on_exec();
		errno = 0;
		if (perf_evlist__mmap(list->evlist, (int)(ring_bytes / page_bytes)) != 0) {
			error = errno ? errno : ENOMEM;
			*at_rings = true;
		}
	}
	if (error) {
		nt_perf_list_free(list);
		return error;
	}
	*out = list;
	return 0;
}

void nt_perf_list_enable(struct nt_perf_list *list, bool on)
{
	if (on)
		perf_evlist__enable(list->evlist);
	else
		perf_evlist__disable(list->evlist);
}

/* ---- the events' descriptors ---- */

/* Has the list an event of this id? */
static bool has_event(struct nt_perf_list *list, uint64_t id)
{
	for (int cpu = 0; cpu < perf_cpu_map__nr(list->cpus); cpu++) {
		for (int thread = 0; thread < perf_thread_map__nr(list->threads); thread++) {
			struct perf_counts_values values;
			if (perf_evsel__read(list->evsel, cpu, thread, &values) == 0 && values.id == id)
				return true;
		}
	}
	return false;
}

static bool is_perf_event(int folder, const char *name)
{
	static const char wanted[] = "anon_inode:[perf_event]";
	char link[sizeof(wanted)];
	ssize_t length = readlinkat(folder, name, link, sizeof(link));
	return length == sizeof(wanted) - 1 && memcmp(link, wanted, sizeof(wanted) - 1) == 0;
}

/* libperf tells nobody the descriptors, but the kernel tells the id of each event, and so does libperf. */
static void find_descriptors(struct nt_perf_list *list)
{
	DIR *folder = opendir("/proc/self/fd");
	if (!folder)
		return;
	list->fds = nt_realloc(NULL, (size_t)perf_cpu_map__nr(list->cpus) * (size_t)perf_thread_map__nr(list->threads), sizeof(*list->fds));
	for (struct dirent *entry; (entry = readdir(folder));) {
		uint64_t id;
		int fd = atoi(entry->d_name);
		if (is_perf_event(dirfd(folder), entry->d_name) && ioctl(fd, PERF_EVENT_IOC_ID, &id) == 0 && has_event(list, id))
			list->fds[list->fd_count++] = fd;
	}
	closedir(folder);
}

bool nt_perf_list_control(struct nt_perf_list *list, unsigned long request, unsigned long argument)
{
	if (!list->fds)
		find_descriptors(list);
	bool all = list->fd_count == (size_t)perf_cpu_map__nr(list->cpus) * (size_t)perf_thread_map__nr(list->threads);
	for (size_t i = 0; i < list->fd_count; i++)
		all &= ioctl(list->fds[i], request, argument) == 0;
	return all;
}

/* ---- records ---- */

/* The longest record that comes whole: libperf.patch is in our own build of libperf, not in one of the system. */
#ifdef NT_LIBPERF_CUTS
enum { RECORD_MAX_BYTES = sizeof(union perf_event) };
#else
enum { RECORD_MAX_BYTES = UINT16_MAX };
#endif

bool nt_perf_list_reads(size_t record_bytes)
{
	return record_bytes <= RECORD_MAX_BYTES;
}

uint64_t nt_perf_list_read(struct nt_perf_list *list, bool (*put)(void *context, const uint8_t *bytes, size_t length), void *context)
{
	uint64_t unreadable = 0;
	struct perf_mmap *map;
	perf_evlist__for_each_mmap(list->evlist, map, false)
	{
		if (perf_mmap__read_init(map) < 0)
			continue;
		union perf_event *event;
		bool more = true;
		while (more && (event = perf_mmap__read_event(map))) {
			if (!nt_perf_list_reads(event->header.size))
				unreadable++;
			else
				more = put(context, (const uint8_t *)event, event->header.size);
			perf_mmap__consume(map);
		}
	}
	return unreadable;
}

/* Read every event of the list; those of threads that are gone keep their last values. */
static struct perf_counts_values read_all(struct nt_perf_list *list)
{
	struct perf_counts_values sums = { .val = 0 };
	for (int cpu = 0; cpu < perf_cpu_map__nr(list->cpus); cpu++) {
		for (int thread = 0; thread < perf_thread_map__nr(list->threads); thread++) {
			struct perf_counts_values values;
			if (perf_evsel__read(list->evsel, cpu, thread, &values) != 0)
				continue;
			sums.val += values.val;
			sums.run += values.run;
			sums.lost += values.lost;
		}
	}
	return sums;
}

uint64_t nt_perf_list_lost(struct nt_perf_list *list)
{
	return list->counts_lost ? read_all(list).lost : 0;
}

void nt_perf_list_sums(struct nt_perf_list *list, uint64_t *value, uint64_t *running_ns)
{
	struct perf_counts_values sums = list->counts_time ? read_all(list) : (struct perf_counts_values){ .val = 0 };
	*value = sums.val;
	*running_ns = sums.run;
}
