// SPDX-License-Identifier: MIT
#include "event_filter.h"

#include "record.h"
#include "ust0.h"
#include "ust1.h"

#include <stdbool.h>

// The address of the call site, which an old probe does not hand to filters: $ctx.ip is 0 in them.
#define NO_IP NULL

static bool passes_filter(const struct ust1_event *event, const char *stack, struct ust1_probe_ctx *ctx)
{
	return !__atomic_load_n(&event->eval_filter, __ATOMIC_RELAXED) || event->run_filter(event, stack, ctx, NULL) == 0;
}

static void notify(const struct ust1_event *event, const char *stack, struct ust1_probe_ctx *ctx)
{
	if (!__atomic_load_n(&event->enabled, __ATOMIC_RELAXED) || !passes_filter(event, stack, ctx))
		return;
	const struct ust1_notifier *notifier = event->child;
	struct ust1_notification_ctx notification = {
		.struct_size = sizeof(notification),
		.eval_capture = __atomic_load_n(&notifier->eval_capture, __ATOMIC_RELAXED),
	};
	notifier->send(notifier, stack, ctx, &notification);
}

uint64_t ust0_filter(void *self, const char *stack)
{
	const struct ust0_event *stand_in = ((const struct ust0_filter *)self)->event;
	const struct ust1_event *event = stand_in->desc;
	struct ust1_probe_ctx ctx = { .struct_size = sizeof(ctx), .ip = NO_IP };
	switch (event->type) {
	case UST1_EVENT_RECORDER:
		return ust0_recorder_is_on(event) && passes_filter(event, stack, &ctx) ? UST0_FILTER_RECORD : 0;
	case UST1_EVENT_NOTIFIER:
		notify(event, stack, &ctx);
		return 0;
	default: // counters of 2.14: not served
		return 0;
	}
}
