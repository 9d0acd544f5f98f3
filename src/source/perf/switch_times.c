// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_times.h"

#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_list.h"
#include "source/perf/switch_program.h"
#include "target/needs/perf_limits.h"

#include <errno.h>
#include <stdlib.h>

enum {
	HEAD = offsetof(struct nt_switch_record, stack),
	RING_BYTES = 1 << 20,   /* 26 000 records: of a CPU with 20 000 switches a second those of 0.6 s */
	RINGS_BYTES = 32 << 20, /* of all of them */
};

/* The number of a thread that has ended, and leaves its CPU for the last time. */
#define NOBODY UINT32_MAX

/* What a round has found: as struct nt_switch_record begins. */
struct found {
	uint64_t time;
	uint32_t tid, what, preempted, waker;
};
_Static_assert(sizeof(struct found) == HEAD, "what of it has no stack");

struct nt_switch_times {
	uint32_t pid;
	struct nt_perf_list *list; /* owned */
	struct found *found;       /* owned; in the open round */
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

void nt_switch_times_free(struct nt_switch_times *times)
{
	if (!times)
		return;
	nt_perf_list_free(times->list);
	free(times->found);
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
	if (record.kind != NT_PERF_SWITCH)
		return true;
	if (record.pid == times->pid && record.tid != NOBODY) {
		times->found = nt_grow(times->found, &times->capacity, times->count + 1, sizeof(*times->found));
		times->found[times->count++] = (struct found){ .time = record.time,
							       .tid = record.tid,
							       .what = record.switched.on ? NT_SWITCH_ON : NT_SWITCH_OFF,
							       .preempted = record.switched.preempted };
	}
	return record.time <= times->until;
}

/* Records say it with the next one that finds room, the events themselves at once. */
static uint64_t missing(struct nt_switch_times *times, uint64_t unreadable)
{
	uint64_t counted = nt_perf_list_lost(times->list);
	uint64_t all = counted > times->lost_said ? counted : times->lost_said;
	uint64_t fresh = all > times->lost_told ? all - times->lost_told : 0;
	times->lost_told += fresh;
	return fresh + unreadable;
}

uint64_t nt_switch_times_read(struct nt_switch_times *times, struct nt_perf_queue *queue, unsigned list)
{
	times->count = 0;
	times->until = nt_clock_now();
	uint64_t gone = missing(times, nt_perf_list_read(times->list, put, times));
	for (size_t i = 0; i < times->count && !gone; i++)
		nt_perf_queue_put(queue, times->found[i].time, list, (const uint8_t *)&times->found[i], sizeof(times->found[i]));
	return gone;
}
