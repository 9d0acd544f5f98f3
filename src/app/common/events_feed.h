/* SPDX-License-Identifier: GPL-2.0-only */
/* Where events that were named come from: EventPipe (source/eventpipe/event_tap.h), or LTTng (source/lttng/lttng_tap.h). */
#ifndef NT_APP_EVENTS_FEED_H
#define NT_APP_EVENTS_FEED_H

#include "source/eventpipe/event_tap.h"
#include "source/lttng/lttng_tap.h"

/* What is named, over one of both: `lttng` when it has any. */
struct nt_events_named {
	struct nt_event_pattern patterns[NT_EVENT_PATTERNS_MAX];
	size_t pattern_count;
	struct nt_lttng_chosen lttng;
};

struct nt_events_feed;

/* `target`, `config` and `named` are borrowed, `sink` is copied. Errors are those of the source; on success *out is the caller's. */
enum nt_status nt_events_feed_open(const struct nt_target *target, const struct nt_source_config *config,
				   const struct nt_events_named *named, const struct nt_lttng_told_sink *sink, nt_time now,
				   struct nt_events_feed **out, struct nt_error *err);

/* As nt_event_tap_advance(). */
enum nt_status nt_events_feed_advance(struct nt_events_feed *feed, nt_time now, struct nt_error *err);

bool nt_events_feed_began(const struct nt_events_feed *feed);
bool nt_events_feed_stop(struct nt_events_feed *feed, nt_time now);
int nt_events_feed_fd(const struct nt_events_feed *feed);

/* Rises with what came since the last look; how much there must be of it for more to wait. */
uint64_t nt_events_feed_came(const struct nt_events_feed *feed);
uint64_t nt_events_feed_flood(const struct nt_events_feed *feed);

/* What it says of itself while it begins, and beside what it brings; "" = nothing. */
const char *nt_events_feed_says(const struct nt_events_feed *feed);

uint64_t nt_events_feed_lost(const struct nt_events_feed *feed);
uint64_t nt_events_feed_event_ns(const struct nt_events_feed *feed); /* CPU time that an event takes from the process */
void nt_events_feed_close(struct nt_events_feed *feed);              /* NULL is allowed */

#endif
