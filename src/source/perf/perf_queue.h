/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Records between the rings and the events. A ring is in order of time, but there is one per CPU: what names and maps must come before the samples that
 * need it, so records wait here until all rings have been read up to the same time, and leave in order.
 */
#ifndef NT_SOURCE_PERF_QUEUE_H
#define NT_SOURCE_PERF_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"

struct nt_perf_queued {
	nt_time time;
	uint64_t order; /* of arrival: keeps records of the same time in the order of their ring */
	size_t offset;  /* into the queue's bytes */
	uint32_t length;
	uint32_t list; /* which list's ring it came from */
};

struct nt_perf_queue {
	struct nt_perf_queued *records; /* owned; the first ready_count are in order */
	struct nt_perf_queued *spare;   /* owned; for putting them in order */
	size_t count, capacity, spare_capacity;
	size_t next, ready_count; /* [next, ready_count) may leave */
	uint8_t *bytes;           /* owned */
	size_t byte_count, byte_capacity;
	uint64_t arrived;
};

void nt_perf_queue_fini(struct nt_perf_queue *queue);

/* Append a copy of a record. Only while nothing is ready. */
void nt_perf_queue_put(struct nt_perf_queue *queue, nt_time time, unsigned list, const uint8_t *bytes, size_t length);

/* Every record up to and with `until` has been put: they may leave. */
void nt_perf_queue_release(struct nt_perf_queue *queue, nt_time until);

/*
 * How often to take next, at most `most` (above 0) times, so that all that may leave does so in parts of the same size, and with the last part it is seen that there is no more: a small last one would
 * have batches give back their room, and want it again with the next round.
 */
unsigned nt_perf_queue_part(const struct nt_perf_queue *queue, unsigned most);

/* The next record that may leave, or NULL; *bytes is borrowed until the next nt_perf_queue_put(). */
const struct nt_perf_queued *nt_perf_queue_take(struct nt_perf_queue *queue, const uint8_t **bytes);

#endif
