// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_times.h"

#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_list.h"
#include "source/perf/perf_opening.h"
#include "source/perf/switch_program.h"
#include "target/needs/perf_limits.h"

#include <errno.h>
#include <stdlib.h>

enum {
	HEAD = offsetof(struct nt_switch_record, stack),
	RING_BYTES = 1 << 20,   /* 26 000 records: of a CPU with 20 000 switches a second those of 0.6 s */
	RINGS_BYTES = 32 << 20, /* of all of them */
	CLOSE_WAIT_MS = 50,
	COUNT_MS = 1000, /* to ask all events of all threads takes a call each */
};

/* The number of a thread that has ended, and leaves its CPU for the last time. */
#define NOBODY UINT32_MAX

/* What a round has found: as struct nt_switch_record begins. */
struct found {
	uint64_t time;
	uint32_t tid, what, preempted, waker;
};
_Static_assert(sizeof(struct found) == HEAD, "what of it has no stack");

struct noted {
	struct found found;
	unsigned list; /* that has told it */
};

struct nt_switch_times {
	uint32_t pid;
	struct nt_perf_list *list;     /* owned; NULL = of tasks: */
	struct nt_perf_attach *attach; /* owned */
	unsigned reading;              /* the list of these that is read */
	uint64_t counted;              /* lost, by these when they were asked last */
	nt_time next_count;
	struct noted *noted; /* owned; in the open round */
	size_t count, capacity;
	nt_time until;                 /* of the open round: who switches faster than we read does not keep us */
	uint64_t lost_said, lost_told; /* by records; of all that are missing so many were told to the caller */
};

/* The events with rings as large as the kernel lets us lock. */
static int open_list(const struct perf_event_attr *attr, struct nt_perf_list **out)
{
	size_t bytes = RING_BYTES, cpus = nt_perf_list_cpu_count();
	while (bytes > NT_PERF_RING_LEAST_BYTES && bytes * cpus > RINGS_BYTES)
		bytes /= 2;
	for (;;) {
		bool at_rings;
		int error = nt_perf_list_open(attr, NULL, 0, bytes, &at_rings, out);
		bool smaller = at_rings && (error == EPERM || error == ENOMEM) && bytes > NT_PERF_RING_LEAST_BYTES;
		if (!smaller)
			return error;
		bytes /= 2;
	}
}

int nt_switch_times_new(uint32_t pid, struct nt_switch_times **out)
{
	struct perf_event_attr attr;
	struct nt_perf_list *list;
	nt_perf_attr_init_switches(&attr, true);
	int error = open_list(&attr, &list);
	if (error == EINVAL) {
		nt_perf_attr_init_switches(&attr, false);
		error = open_list(&attr, &list);
	}
	if (error)
		return error;
	struct nt_switch_times *times = nt_alloc(sizeof(*times));
	times->pid = pid;
	times->list = list;
	*out = times;
	return 0;
}

struct nt_switch_times *nt_switch_times_new_of_tasks(uint32_t pid, struct nt_perf_attach *attach)
{
	struct nt_switch_times *times = nt_alloc(sizeof(*times));
	times->pid = pid;
	times->attach = attach;
	return times;
}

enum nt_status nt_switch_times_whole(const struct nt_switch_times *times)
{
	if (!times->attach)
		return NT_OK;
	return times->attach->left_out ? NT_ERR_FAILED : times->attach->settled ? NT_OK : NT_AGAIN;
}

void nt_switch_times_free(struct nt_switch_times *times)
{
	if (!times)
		return;
	nt_perf_list_free(times->list);
	nt_perf_attach_close(times->attach, CLOSE_WAIT_MS);
	free(times->noted);
	free(times);
}

static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct nt_switch_times *times = context;
	struct nt_perf_record record;
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK)
		return true;
	if (record.kind == NT_PERF_LOST)
		times->lost_said += record.lost.count;
	if (record.kind == NT_PERF_LOST || record.pid != times->pid)
		return true;
	if (times->attach && record.kind == NT_PERF_FORK)
		nt_perf_attach_born(times->attach, (pid_t)record.fork.parent_tid, (pid_t)record.tid);
	else if (times->attach && record.kind == NT_PERF_EXIT)
		nt_perf_attach_ended(times->attach, (pid_t)record.tid);
	if (record.kind != NT_PERF_SWITCH)
		return true;
	if (record.tid != NOBODY) {
		times->noted = nt_grow(times->noted, &times->capacity, times->count + 1, sizeof(*times->noted));
		times->noted[times->count++] = (struct noted){ .found = { .time = record.time,
									  .tid = record.tid,
									  .what = record.switched.on ? NT_SWITCH_ON : NT_SWITCH_OFF,
									  .preempted = record.switched.preempted },
							       .list = times->reading };
	}
	return record.time <= times->until;
}

static uint64_t counted(struct nt_switch_times *times)
{
	if (times->list)
		return nt_perf_list_lost(times->list);
	if (times->until < times->next_count)
		return times->counted;
	times->next_count = times->until + COUNT_MS * NT_NS_PER_MS;
	times->counted = 0;
	for (unsigned i = 0; i < times->attach->list_count; i++)
		times->counted += nt_perf_list_lost(times->attach->lists[i]);
	return times->counted;
}

/* Records say it with the next one that finds room, the events themselves when they are asked. */
static uint64_t missing(struct nt_switch_times *times, uint64_t unreadable)
{
	uint64_t all = counted(times);
	all = all > times->lost_said ? all : times->lost_said;
	uint64_t fresh = all > times->lost_told ? all - times->lost_told : 0;
	times->lost_told += fresh;
	return fresh + unreadable;
}

/* All lists of its threads. A thread of which two of them tell is its owner's. */
static uint64_t read_tasks(struct nt_switch_times *times)
{
	struct nt_perf_attach *attach = times->attach;
	uint64_t unreadable = 0;
	bool whole = nt_switch_times_whole(times) == NT_OK;
	for (times->reading = 0; times->reading < attach->list_count; times->reading++)
		unreadable += nt_perf_list_read(attach->lists[times->reading], put, times);
	size_t kept = 0;
	for (size_t i = 0; i < times->count && whole; i++) {
		const struct noted *noted = &times->noted[i];
		if (nt_perf_owners_count(&attach->owners, (pid_t)noted->found.tid, noted->list, noted->found.time))
			times->noted[kept++] = *noted;
	}
	times->count = kept;
	nt_perf_attach_settle(attach, times->until);
	return unreadable;
}

uint64_t nt_switch_times_read(struct nt_switch_times *times, struct nt_perf_queue *queue, unsigned list)
{
	times->count = 0;
	times->until = nt_clock_now();
	bool whole = nt_switch_times_whole(times) == NT_OK;
	uint64_t unreadable = times->attach ? read_tasks(times) : nt_perf_list_read(times->list, put, times);
	uint64_t gone = missing(times, unreadable);
	for (size_t i = 0; i < times->count && !gone; i++)
		nt_perf_queue_put(queue, times->noted[i].found.time, list, (const uint8_t *)&times->noted[i].found,
				  sizeof(times->noted[i].found));
	return whole ? gone : 0;
}
