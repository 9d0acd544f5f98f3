/* SPDX-License-Identifier: GPL-2.0-only */
/* Driving one source in a test as the loop does. */
#ifndef NT_TESTS_DRAIN_H
#define NT_TESTS_DRAIN_H

#include "nettop/source.h"

#include <poll.h>

/* Told each event with the batch that it came in. */
typedef void (*drain_see)(void *context, const struct nt_batch *batch, const struct nt_event *event);

/* Drain until AGAIN or END, which is returned. */
static inline enum nt_status drain_all(struct nt_source *source, drain_see see, void *context)
{
	for (;;) {
		struct nt_batch *batch = NULL;
		struct nt_error err = { 0 };
		enum nt_status status = source->ops->drain(source, 64, &batch, &err);
		if (status != NT_OK)
			return status;
		assert_non_null(batch);
		for (size_t i = 0; i < batch->event_count; i++)
			see(context, batch, &batch->events[i]);
		source->ops->give_back(source, batch);
	}
}

/* Tick and drain until *done, for at most 20 s. */
static inline void drain_until(struct nt_source *source, drain_see see, void *context, const bool *done)
{
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	enum nt_status status = NT_AGAIN;
	while (!*done && status == NT_AGAIN && nt_clock_now() < deadline) {
		if (source->ops->on_tick)
			source->ops->on_tick(source, nt_clock_now(), true);
		status = drain_all(source, see, context);
		poll(NULL, 0, 5);
	}
	assert_true(*done);
}

#endif
