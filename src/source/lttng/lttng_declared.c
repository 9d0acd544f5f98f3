// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_declared.h"

#include <string.h>

static bool ends_programs(const bt_event_class *class)
{
	static const char prefix[] = "DotNETRuntime:ExceptionThrown";
	const char *name = nt_bt.event_class_get_name(class);
	return name && strncmp(name, prefix, sizeof(prefix) - 1) == 0;
}

/* Where it is kept how many classes of this channel have been seen; `spare` when there is no place left. */
static uint64_t *looked_through(struct nt_lttng_declared *declared, const bt_stream_class *channel, uint64_t *spare)
{
	for (unsigned i = 0; i < declared->channel_count; i++)
		if (declared->channels[i].channel == channel)
			return &declared->channels[i].looked_through;
	if (declared->channel_count == NT_DECLARED_CHANNELS)
		return spare;
	declared->channels[declared->channel_count].channel = channel;
	return &declared->channels[declared->channel_count++].looked_through;
}

void nt_lttng_declared_look(struct nt_lttng_declared *declared, const bt_stream_class *channel)
{
	uint64_t spare = 0, *seen = looked_through(declared, channel, &spare);
	uint64_t count = nt_bt.stream_class_get_event_class_count(channel);
	for (; *seen < count && !declared->exceptions; (*seen)++)
		declared->exceptions = ends_programs(nt_bt.stream_class_borrow_event_class_by_index_const(channel, *seen));
}
