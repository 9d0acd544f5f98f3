/* SPDX-License-Identifier: GPL-2.0-only */
/* What a BPF program of ours tells, read from its BPF_MAP_TYPE_RINGBUF. One reader, one thread. */
#ifndef NT_SOURCE_BPF_RING_H
#define NT_SOURCE_BPF_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nt_bpf_ring {
	unsigned long *consumer; /* owned mapping of a page: up to here it was read; NULL = none */
	unsigned char *producer; /* owned mapping: a page with how far it was written, and the data twice; NULL = none */
	size_t page, bytes;
};

/* `fd`: of the map, borrowed for the call; `bytes`: how large it was made. False, with errno: it cannot be mapped; *ring is to be freed all the same. */
bool nt_bpf_ring_map(struct nt_bpf_ring *ring, int fd, size_t bytes);
void nt_bpf_ring_fini(struct nt_bpf_ring *ring); /* all zero is allowed */

/* A record, which lies there until this returns. */
typedef void nt_bpf_ring_take(void *context, const uint8_t *data, uint32_t length);

/* All that is whole, in the order in which room was made for it. `take` NULL: forget it. */
void nt_bpf_ring_read(struct nt_bpf_ring *ring, nt_bpf_ring_take *take, void *context);

#endif
