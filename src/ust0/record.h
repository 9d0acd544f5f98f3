// SPDX-License-Identifier: MIT
#ifndef UST0_RECORD_H
#define UST0_RECORD_H

#include "ust0.h"
#include "ust1.h"

#include <stdbool.h>

// The channel of all stand-ins: its functions write the record of the real event into the real channel.
extern const struct ust0_channel ust0_channel __attribute__((visibility("hidden")));

// Whether a recorder is on now: session, channel and event. A probe asks this first.
static inline bool ust0_recorder_is_on(const struct ust1_event *event)
{
	const struct ust1_recorder *recorder = event->child;
	const struct ust1_channel *channel = recorder->chan->parent;
	return __atomic_load_n(&channel->session->active, __ATOMIC_RELAXED) && __atomic_load_n(&channel->enabled, __ATOMIC_RELAXED) &&
	       __atomic_load_n(&event->enabled, __ATOMIC_RELAXED);
}

#endif
