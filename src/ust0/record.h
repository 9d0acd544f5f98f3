// SPDX-License-Identifier: MIT
#ifndef UST0_RECORD_H
#define UST0_RECORD_H

#include "ust0.h"
#include "ust1.h"

#include <stdbool.h>

// The channel of all stand-ins: its functions write the record of the real event into the real channel.
extern const struct ust0_channel ust0_channel __attribute__((visibility("hidden")));

// Whether a recorder is on now: session, channel and event. A probe asks this first.
bool ust0_recorder_is_on(const struct ust1_event *event);

#endif
