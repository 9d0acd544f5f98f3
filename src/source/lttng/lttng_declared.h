/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Does the trace that is being read have an event class that can end programs (DotNETRuntime:ExceptionThrown*, doc/EVENTS.md)? LTTng declares a class as soon as a rule
 * enables the event for a process that has it, and leaves it declared when the rule is taken back. The session daemon could say what holds now, but
 * it ends (lttng-tools 2.13) when it is asked to list a channel that has exclusions: nobody's session is to be harmed for a warning.
 */
#ifndef NT_SOURCE_LTTNG_DECLARED_H
#define NT_SOURCE_LTTNG_DECLARED_H

#include "source/lttng/babeltrace.h"

#include <stdbool.h>

enum { NT_DECLARED_CHANNELS = 8 }; /* of which is remembered how far they were looked through; further ones are looked through each time */

struct nt_lttng_declared {
	bool exceptions;
	struct {
		const bt_stream_class *channel; /* borrowed, never looked into: the trace keeps it */
		uint64_t looked_through;
	} channels[NT_DECLARED_CHANNELS];
	unsigned channel_count;
};

/* Look at the classes that came since the last look at this channel. Cheap when none did. */
void nt_lttng_declared_look(struct nt_lttng_declared *declared, const bt_stream_class *channel);

#endif
