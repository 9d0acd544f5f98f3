// SPDX-License-Identifier: GPL-2.0-only
#include "source/common/bpf_ring.h"

#include <linux/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

static void *map(int fd, size_t bytes, int rights, size_t from)
{
	void *at = mmap(NULL, bytes, rights, MAP_SHARED, fd, (off_t)from);
	return at == MAP_FAILED ? NULL : at;
}

bool nt_bpf_ring_map(struct nt_bpf_ring *ring, int fd, size_t bytes)
{
	*ring = (struct nt_bpf_ring){ .page = (size_t)sysconf(_SC_PAGESIZE), .bytes = bytes };
	ring->consumer = map(fd, ring->page, PROT_READ | PROT_WRITE, 0);
	ring->producer = ring->consumer ? map(fd, ring->page + 2 * bytes, PROT_READ, ring->page) : NULL;
	return ring->producer != NULL;
}

void nt_bpf_ring_fini(struct nt_bpf_ring *ring)
{
	if (ring->consumer)
		munmap(ring->consumer, ring->page);
	if (ring->producer)
		munmap(ring->producer, ring->page + 2 * ring->bytes);
	*ring = (struct nt_bpf_ring){ 0 };
}

void nt_bpf_ring_read(struct nt_bpf_ring *ring, nt_bpf_ring_take *take, void *context)
{
	unsigned long at = *ring->consumer, until = __atomic_load_n((unsigned long *)(void *)ring->producer, __ATOMIC_ACQUIRE);
	while (at < until) {
		const unsigned char *entry = ring->producer + ring->page + (at & (ring->bytes - 1));
		uint32_t head = __atomic_load_n((const uint32_t *)(const void *)entry, __ATOMIC_ACQUIRE);
		if (head & BPF_RINGBUF_BUSY_BIT)
			break;
		uint32_t length = head & ~(uint32_t)BPF_RINGBUF_DISCARD_BIT;
		if (take && !(head & BPF_RINGBUF_DISCARD_BIT))
			take(context, entry + BPF_RINGBUF_HDR_SZ, length);
		at += (length + BPF_RINGBUF_HDR_SZ + 7) & ~7ul;
	}
	/* Once: whoever writes looks at it with each record. */
	__atomic_store_n(ring->consumer, at, __ATOMIC_RELEASE);
}
