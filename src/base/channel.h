/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Batches from one worker thread to the main thread and back: two bounded single-producer single-consumer rings and an eventfd that is readable
 * while batches wait that were sent. The worker that finds no room answers AGAIN to whoever feeds it.
 */
#ifndef NT_BASE_CHANNEL_H
#define NT_BASE_CHANNEL_H

#include "nettop/event.h"

struct nt_channel;

/* capacity: batches in flight; a power of two. NULL only when the system has no eventfd left (errno is set). */
struct nt_channel *nt_channel_new(enum nt_source_id source, unsigned capacity);
void nt_channel_free(struct nt_channel *channel); /* after the worker ended; frees the batches inside; NULL is allowed */

/* Worker: an empty batch to fill (the worker's until nt_channel_send), or NULL when all are in flight. */
struct nt_batch *nt_channel_take_empty(struct nt_channel *channel);

/* Worker: hand over a filled batch. Never fails: there are never more batches than places. */
void nt_channel_send(struct nt_channel *channel, struct nt_batch *batch);

/* Worker: the same for what can wait until the main thread looks by itself: it is not woken up. */
void nt_channel_put(struct nt_channel *channel, struct nt_batch *batch);

/* Main: descriptor for epoll. */
int nt_channel_fd(const struct nt_channel *channel);

/* Main: the oldest filled batch, or NULL. Clears the descriptor when it was the last. */
struct nt_batch *nt_channel_take_full(struct nt_channel *channel);

/* Main: give an applied batch back for re-use. */
void nt_channel_give_back(struct nt_channel *channel, struct nt_batch *batch);

#endif
