/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Counters in a nettrace stream: EventCounters, which every EventSource has, and the instruments of Meters, which the provider
 * System.Diagnostics.Metrics publishes with all numbers as text. Both become COUNTER events; what a Meter says of an instrument itself, before its
 * first values, becomes an INSTRUMENT event.
 *
 * They are known by the names of their events and fields; ids grow with every session.
 */
#ifndef NT_DECODE_COUNTER_EVENTS_H
#define NT_DECODE_COUNTER_EVENTS_H

#include "decode/eventpipe/nettrace.h"

struct nt_clr_at;

#define NT_METRICS_PROVIDER "System.Diagnostics.Metrics"

/* The session for Meters that tools share, and how long a name is by which one of them calls itself there. */
#define NT_METRICS_SESSION "SHARED"
enum { NT_METRICS_CLIENT_BYTES = 32 };

/* What a stream has said that its next values depend on. All zero is the beginning of one. */
struct nt_counter_stream {
	nt_time period_ns; /* of the values of Meters that come now; 0 = not known */
	bool polled;       /* the runtime has read its EventCounters and told them at least once */
	bool collected;    /* Meters have been collected at least once */
	/* Why Meters do not come, or not as they were asked for: a sentence, static. NULL = they do. Whoever asks anew forgets it. */
	const char *meters_refused;
	/* Who asks, as the runtime was told (ClientId): what it refuses others is no matter. "" = not known: all that it refuses is. */
	char client[NT_METRICS_CLIENT_BYTES];
};

/* Is this kind of event one that counters come with? */
bool nt_counter_event_is(const struct nt_nettrace_meta *meta);

/*
 * Append what the event says of a counter, or of an instrument, to at->batch. False: it says nothing of one, or its payload breaks its layout.
 */
bool nt_counter_event_build(struct nt_counter_stream *stream, const struct nt_nettrace_event *event, const struct nt_clr_at *at);

#endif
