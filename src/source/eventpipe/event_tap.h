/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of a process as its providers tell them, for who asked for them by name: one session. What it takes from the process is an estimate by the number of events (source/common/price.h), and
 * bounded by --max-target-cost; what the runtime had no room for is counted.
 */
#ifndef NT_SOURCE_EVENT_TAP_H
#define NT_SOURCE_EVENT_TAP_H

#include "nettop/source.h"
#include "source/eventpipe/event_teller.h"

struct nt_event_tap;

/*
 * `target`, `config` and `patterns` are borrowed; `sink` is copied. Errors are those of nt_eventpipe_session_open(); FORBIDDEN: what was asked for could end a process that LTTng's own library serves;
 * USAGE: the patterns do not go together. On success *out is the caller's, to be given to nt_event_tap_close().
 */
enum nt_status nt_event_tap_open(const struct nt_target *target, const struct nt_source_config *config,
				 const struct nt_event_pattern *patterns, size_t count, const struct nt_event_sink *sink, nt_time now,
				 struct nt_event_tap **out, struct nt_error *err);

/*
 * Go on as far as that is possible now, with calls of the sink. NT_AGAIN: come again when nt_event_tap_fd() is readable, and after some ms in any case. NT_END: it has ended as it should. UNSUPPORTED: it costs the
 * process more than it may, and has ended; GONE; others as above.
 */
enum nt_status nt_event_tap_advance(struct nt_event_tap *tap, nt_time now, struct nt_error *err);

/* Is it there, so that whatever happens from now on is told? */
bool nt_event_tap_began(const struct nt_event_tap *tap);

/* Ask for its end: what was told until then comes still. False: it cannot be asked, what is left is to close it. */
bool nt_event_tap_stop(struct nt_event_tap *tap, nt_time now);

int nt_event_tap_fd(const struct nt_event_tap *tap); /* -1: there is none yet */

uint64_t nt_event_tap_stream_bytes(const struct nt_event_tap *tap); /* that were read */

/* Events that the process had no room for. */
uint64_t nt_event_tap_lost(const struct nt_event_tap *tap);
uint64_t nt_event_tap_price_ns(const struct nt_event_tap *tap); /* CPU time that it has taken from the process, an estimate */

void nt_event_tap_close(struct nt_event_tap *tap); /* NULL is allowed */

#endif
