/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Work items of the thread pool in a nettrace stream: ThreadPoolEnqueueWork and ThreadPoolDequeueWork of the EventSource System.Diagnostics.Eventing.FrameworkEventSource
 * (FrameworkEventSource.cs), which the pool writes when an item comes into one of its queues, and when a worker takes it. They become POOL_ITEM events.
 *
 * The payload is the hash code of the item, a long, by which both are told of the same item. The pool looks whether anybody listens when a worker begins to take items, so those
 * that were enqueued just before are told when they are taken alone; what is taken out of a queue by somebody who waits for it (a task that runs on the thread that waits) is
 * told when it is enqueued alone.
 */
#ifndef NT_DECODE_POOL_ITEM_EVENTS_H
#define NT_DECODE_POOL_ITEM_EVENTS_H

#include "decode/eventpipe/nettrace.h"

struct nt_clr_at;

#define NT_FRAMEWORK_PROVIDER "System.Diagnostics.Eventing.FrameworkEventSource"

/* ThreadPool alone: each of these events has ThreadTransfer as well, by which timers and others would be told, too. They are of the level Verbose. */
#define NT_POOL_ITEM_KEYWORDS UINT64_C(0x2)

/* Is this kind of event one of the two? */
bool nt_pool_item_event_is(const struct nt_nettrace_meta *meta);

/* Append what the event says to at->batch. NT_ERR_MALFORMED: its payload is too short. */
enum nt_status nt_pool_item_event_build(const struct nt_nettrace_event *event, const struct nt_clr_at *at);

#endif
