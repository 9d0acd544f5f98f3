// SPDX-License-Identifier: MIT
#include "boxes.h"

#include "event_filter.h"
#include "forever.h"
#include "record.h"

#include <pthread.h>

struct ust0_slot ust0_slots[UST0_STUB_COUNT];

static struct ust0_box no_event; // in a slot's cache: matches nothing
static struct ust0_box no_memory = {
	.plain = { .chan = &ust0_channel, .enabled = 0 },
	.gated = { .chan = &ust0_channel, .enabled = 0 },
};

static struct ust0_box *new_box(const struct ust1_event *event)
{
	struct ust0_box *box = ust0_forever(sizeof(*box));
	if (!box)
		return NULL;
	box->event = event;
	box->plain = (struct ust0_event){
		.chan = &ust0_channel,
		.enabled = 1, // the real event's own say is asked in record.c and filter.c
		.desc = event,
		.filters = { &box->plain.filters, &box->plain.filters },
		.has_enablers_without_filter = 1,
	};
	box->gated = (struct ust0_event){
		.chan = &ust0_channel,
		.enabled = 1,
		.desc = event,
		.filters = { &box->gate.node, &box->gate.node },
	};
	box->gate = (struct ust0_filter){
		.filter = ust0_filter,
		.node = { &box->gated.filters, &box->gated.filters },
		.event = &box->gated,
	};
	return box;
}

static struct ust0_box *known_box(const struct ust0_slot *slot, const struct ust1_event *event)
{
	struct ust0_box *box = __atomic_load_n(&slot->all, __ATOMIC_ACQUIRE);
	while (box && box->event != event)
		box = box->next;
	return box;
}

struct ust0_box *ust0_box_for(struct ust0_slot *slot, const struct ust1_event *event)
{
	struct ust0_box *box = known_box(slot, event);
	if (!box) {
		box = new_box(event);
		if (!box)
			return &no_memory;
		// Two threads may both add one for the same event: either is right.
		box->next = __atomic_load_n(&slot->all, __ATOMIC_RELAXED);
		while (!__atomic_compare_exchange_n(&slot->all, &box->next, box, 1, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
			;
	}
	__atomic_store_n(&slot->earlier, __atomic_load_n(&slot->recent, __ATOMIC_RELAXED), __ATOMIC_RELEASE);
	__atomic_store_n(&slot->recent, box, __ATOMIC_RELEASE);
	return box;
}

void (*ust0_stub_for(void (*probe)(void)))(void)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static unsigned taken;
	pthread_mutex_lock(&lock);
	const unsigned index = taken < UST0_STUB_COUNT ? taken++ : UST0_STUB_COUNT;
	pthread_mutex_unlock(&lock);
	if (index == UST0_STUB_COUNT)
		return NULL;
	ust0_slots[index] = (struct ust0_slot){ .probe = probe, .recent = &no_event, .earlier = &no_event };
	return (void (*)(void))(uintptr_t)ust0_stubs[index];
}
