// SPDX-License-Identifier: MIT
/*
 * Stand-ins: what an old probe is given instead of the event that it is called for.
 *
 * A box belongs to one address of a struct ust1_event and one stub, and lives for ever: it says nothing of the event but where it is, so when LTTng frees the event
 * and makes another at the same place, the box is right for that one. Stubs read boxes without locks; anything that can be freed would need them.
 */
#ifndef UST0_BOXES_H
#define UST0_BOXES_H

#include "stubs.h"
#include "ust0.h"
#include "ust1.h"

struct ust0_box {
	const struct ust1_event *event;
	struct ust0_event plain; // records without asking
	struct ust0_event gated; // asks `gate` first: a filter, or an event that is no record at all
	struct ust0_filter gate;
	struct ust0_box *next; // of the same stub
};

struct ust0_slot {
	void (*probe)(void);
	struct ust0_box *recent, *earlier; // tried by the stub itself; two, because two sessions' events alternate
	struct ust0_box *all;
};

_Static_assert(sizeof(struct ust0_slot) == 1 << UST0_SLOT_SHIFT, "stubs.h");
_Static_assert(offsetof(struct ust0_slot, probe) == UST0_SLOT_PROBE, "stubs.h");
_Static_assert(offsetof(struct ust0_slot, recent) == UST0_SLOT_RECENT, "stubs.h");
_Static_assert(offsetof(struct ust0_slot, earlier) == UST0_SLOT_EARLIER, "stubs.h");
_Static_assert(offsetof(struct ust0_box, event) == 0, "stubs.h");
_Static_assert(offsetof(struct ust0_box, plain) == UST0_BOX_PLAIN, "stubs.h");
_Static_assert(offsetof(struct ust0_box, gated) == UST0_BOX_GATED, "stubs.h");
_Static_assert(offsetof(struct ust1_event, type) == UST0_EVENT_TYPE, "stubs.h");
_Static_assert(offsetof(struct ust1_event, eval_filter) == UST0_EVENT_EVAL_FILTER, "stubs.h");

extern struct ust0_slot ust0_slots[UST0_STUB_COUNT] __attribute__((visibility("hidden")));

// A stub that jumps to `probe`, for ever; NULL when all are taken.
void (*ust0_stub_for(void (*probe)(void)))(void);

// The box of an event, for a stub that does not have it at hand. Never NULL; without memory, one whose probe records nothing. Any thread, any context.
struct ust0_box *ust0_box_for(struct ust0_slot *slot, const struct ust1_event *event) __attribute__((visibility("hidden")));

#endif
