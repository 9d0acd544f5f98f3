/* SPDX-License-Identifier: GPL-2.0-only */
/* How long an event holds, for lasting.h. */
#ifndef NT_RECORD_LASTING_EVENT_H
#define NT_RECORD_LASTING_EVENT_H

#include "nettop/event.h"

enum nt_fate {
	NT_FATE_GOES,  /* it has happened, or is told anew in each interval */
	NT_FATE_STAYS, /* for good */
	NT_FATE_LAST,  /* until another one of the same key */
	NT_FATE_ENDS,  /* likewise nothing holds any more that was said of the key before */
};

/* Of an event in such a batch. *key: of what it tells; of STAYS and GOES nothing. */
enum nt_fate nt_event_fate(const struct nt_batch *batch, const struct nt_event *event, uint64_t *key);

/* Does it say what code is called, or what it was made of? There are as many as there is code. */
bool nt_event_is_of_code(const struct nt_event *event);

/* The key that ends when what this event is about ends: its thread, its method. 0 = there is none. */
uint64_t nt_event_ends_with(const struct nt_batch *batch, const struct nt_event *event);

#endif
