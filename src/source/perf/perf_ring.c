// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_ring.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

int nt_perf_ring_open(struct nt_perf_ring *ring, struct perf_event_attr *attr, int tid, int cpu, size_t bytes, bool *at_ring)
{
	*ring = (struct nt_perf_ring){ .bytes = bytes };
	*at_ring = false;
	ring->fd = (int)syscall(SYS_perf_event_open, attr, tid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	if (ring->fd < 0)
		return errno;
	if (!bytes)
		return 0;
	void *page = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE) + bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ring->fd, 0);
	if (page == MAP_FAILED) {
		int error = errno;
		*at_ring = true;
		close(ring->fd);
		ring->fd = -1;
		return error;
	}
	ring->page = page;
	ring->copy = nt_alloc(UINT16_MAX + 1);
	return 0;
}

void nt_perf_ring_close(struct nt_perf_ring *ring)
{
	if (ring->page)
		munmap(ring->page, (size_t)sysconf(_SC_PAGESIZE) + ring->bytes);
	if (ring->fd >= 0)
		close(ring->fd);
	free(ring->copy);
	*ring = (struct nt_perf_ring){ .fd = -1 };
}

/* The bytes at `at`, in one piece. */
static const uint8_t *piece(const struct nt_perf_ring *ring, uint64_t at, size_t length)
{
	const uint8_t *data = (const uint8_t *)ring->page + ring->page->data_offset;
	size_t from = at & (ring->bytes - 1), first = ring->bytes - from;
	if (length <= first)
		return data + from;
	memcpy(ring->copy, data + from, first);
	memcpy(ring->copy + first, data, length - first);
	return ring->copy;
}

void nt_perf_ring_read(struct nt_perf_ring *ring, bool (*put)(void *context, const uint8_t *bytes, size_t length), void *context)
{
	if (!ring->page)
		return;
	uint64_t at = ring->page->data_tail, head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	bool more = true;
	while (more && at < head) {
		struct perf_event_header header;
		memcpy(&header, piece(ring, at, sizeof(header)), sizeof(header));
		if (header.size < sizeof(header) || header.size > head - at)
			at = head; /* the kernel does not write such */
		else {
			more = put(context, piece(ring, at, header.size), header.size);
			at += header.size;
		}
	}
	__atomic_store_n(&ring->page->data_tail, at, __ATOMIC_RELEASE);
}
