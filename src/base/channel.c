// SPDX-License-Identifier: GPL-2.0-only
#include "base/channel.h"

#include "base/alloc.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Single producer, single consumer: `tail` is written by the producer only, `head` by the consumer only. */
struct ring {
	struct nt_batch **slots;
	unsigned size; /* power of two */
	_Alignas(64) atomic_uint head;
	_Alignas(64) atomic_uint tail;
};

struct nt_channel {
	struct ring full, empty;
	int fd;
};

static void ring_init(struct ring *ring, unsigned size)
{
	ring->slots = nt_alloc(size * sizeof(*ring->slots));
	ring->size = size;
	atomic_init(&ring->head, 0);
	atomic_init(&ring->tail, 0);
}

static void ring_put(struct ring *ring, struct nt_batch *batch)
{
	unsigned tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
	nt_assert(tail - atomic_load_explicit(&ring->head, memory_order_acquire) < ring->size);
	ring->slots[tail & (ring->size - 1)] = batch;
	atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

static struct nt_batch *ring_take(struct ring *ring)
{
	unsigned head = atomic_load_explicit(&ring->head, memory_order_relaxed);
	if (head == atomic_load_explicit(&ring->tail, memory_order_acquire))
		return NULL;
	struct nt_batch *batch = ring->slots[head & (ring->size - 1)];
	atomic_store_explicit(&ring->head, head + 1, memory_order_release);
	return batch;
}

static void ring_fini(struct ring *ring)
{
	for (struct nt_batch *batch; (batch = ring_take(ring));)
		nt_batch_free(batch);
	free(ring->slots);
}

struct nt_channel *nt_channel_new(enum nt_source_id source, unsigned capacity)
{
	nt_assert(capacity && (capacity & (capacity - 1)) == 0);
	int fd = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
	if (fd < 0)
		return NULL;
	struct nt_channel *channel = aligned_alloc(64, (sizeof(*channel) + 63) & ~(size_t)63);
	nt_assert(channel);
	ring_init(&channel->full, capacity);
	ring_init(&channel->empty, capacity);
	for (unsigned i = 0; i < capacity; i++)
		ring_put(&channel->empty, nt_batch_new(source));
	channel->fd = fd;
	return channel;
}

void nt_channel_free(struct nt_channel *channel)
{
	if (!channel)
		return;
	ring_fini(&channel->full);
	ring_fini(&channel->empty);
	close(channel->fd);
	free(channel);
}

struct nt_batch *nt_channel_take_empty(struct nt_channel *channel)
{
	return ring_take(&channel->empty);
}

void nt_channel_put(struct nt_channel *channel, struct nt_batch *batch)
{
	ring_put(&channel->full, batch);
}

void nt_channel_send(struct nt_channel *channel, struct nt_batch *batch)
{
	nt_channel_put(channel, batch);
	uint64_t one = 1;
	ssize_t written = write(channel->fd, &one, sizeof(one));
	(void)written; /* EAGAIN: the counter is at its maximum, so the descriptor is readable already */
}

int nt_channel_fd(const struct nt_channel *channel)
{
	return channel->fd;
}

struct nt_batch *nt_channel_take_full(struct nt_channel *channel)
{
	struct nt_batch *batch = ring_take(&channel->full);
	if (batch)
		return batch;
	/* Empty: clear the descriptor, then look again, because a batch may have come between the look and the clearing. */
	uint64_t count;
	ssize_t got = read(channel->fd, &count, sizeof(count));
	(void)got;
	return ring_take(&channel->full);
}

void nt_channel_give_back(struct nt_channel *channel, struct nt_batch *batch)
{
	nt_batch_reset(batch);
	ring_put(&channel->empty, batch);
}
