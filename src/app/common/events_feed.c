// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/events_feed.h"

#include "base/alloc.h"
#include "source/common/price.h"
#include "source/eventpipe/eventpipe_limit.h"
#include "target/process/target.h"

#include <stdlib.h>

/* EventPipe's socket holds 200 KB; when most of that came at once, there may be more that waits. What comes over LTTng waits at the relay, which has room for millions of bytes. */
enum { FLOOD_BYTES = 120 << 10, FLOOD_EVENTS = 1 << 20 };

struct nt_events_feed {
	const struct nt_target *target;
	const struct nt_source_config *config;
	struct nt_event_tap *eventpipe; /* owned; one of both is there */
	struct nt_lttng_tap *lttng;     /* owned */
	struct nt_eventpipe_limit limit;
};

enum nt_status nt_events_feed_open(const struct nt_target *target, const struct nt_source_config *config,
				   const struct nt_events_named *named, const struct nt_lttng_told_sink *sink, nt_time now,
				   struct nt_events_feed **out, struct nt_error *err)
{
	struct nt_events_feed *feed = nt_alloc(sizeof(*feed));
	const struct nt_event_sink plain = { .context = sink->context, .event = sink->event, .lost = sink->lost };
	feed->target = target;
	feed->config = config;
	enum nt_status status = named->lttng.count ? nt_lttng_tap_open(target, config, &named->lttng, sink, &feed->lttng, err)
						   : nt_event_tap_open(target, config, named->patterns, named->pattern_count, &plain, now,
								       &feed->eventpipe, err);
	if (status == NT_OK)
		*out = feed;
	else
		free(feed);
	return status;
}

enum nt_status nt_events_feed_advance(struct nt_events_feed *feed, nt_time now, struct nt_error *err)
{
	if (!feed->lttng)
		return nt_event_tap_advance(feed->eventpipe, now, err);
	enum nt_status status = nt_lttng_tap_advance(feed->lttng, now, err);
	if (status == NT_END && feed->limit.dear_pct > 0)
		return nt_eventpipe_limit_refuse(&feed->limit, " over LTTng", err);
	if (status == NT_AGAIN && !(feed->limit.dear_pct > 0) &&
	    nt_eventpipe_limit_is_over(&feed->limit, nt_lttng_tap_price_ns(feed->lttng), feed->target->pid,
				       feed->config->max_target_cost_pct, now)) {
		nt_lttng_tap_stop(feed->lttng);
	}
	return status;
}

bool nt_events_feed_began(const struct nt_events_feed *feed)
{
	return feed->lttng ? nt_lttng_tap_began(feed->lttng) : nt_event_tap_began(feed->eventpipe);
}

bool nt_events_feed_stop(struct nt_events_feed *feed, nt_time now)
{
	if (!feed->lttng)
		return nt_event_tap_stop(feed->eventpipe, now);
	nt_lttng_tap_stop(feed->lttng);
	return true;
}

int nt_events_feed_fd(const struct nt_events_feed *feed)
{
	return feed->lttng ? nt_lttng_tap_fd(feed->lttng) : nt_event_tap_fd(feed->eventpipe);
}

uint64_t nt_events_feed_came(const struct nt_events_feed *feed)
{
	return feed->lttng ? nt_lttng_tap_came(feed->lttng) : nt_event_tap_stream_bytes(feed->eventpipe);
}

uint64_t nt_events_feed_flood(const struct nt_events_feed *feed)
{
	return feed->lttng ? FLOOD_EVENTS : FLOOD_BYTES;
}

const char *nt_events_feed_says(const struct nt_events_feed *feed)
{
	return feed->lttng ? nt_lttng_tap_says(feed->lttng) : "";
}

uint64_t nt_events_feed_lost(const struct nt_events_feed *feed)
{
	return feed->lttng ? nt_lttng_tap_lost(feed->lttng) : nt_event_tap_lost(feed->eventpipe);
}

uint64_t nt_events_feed_event_ns(const struct nt_events_feed *feed)
{
	return nt_price_of(feed->lttng ? NT_PRICE_LTTNG : NT_PRICE_EVENTPIPE, 1);
}

void nt_events_feed_close(struct nt_events_feed *feed)
{
	if (!feed)
		return;
	nt_event_tap_close(feed->eventpipe);
	nt_lttng_tap_close(feed->lttng);
	free(feed);
}
