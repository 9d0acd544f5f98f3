/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One process that EventPipe watches: its sessions, its list of methods, and what is said of them. Several share an outbox; one that ends, is refused or hangs
 * leaves the others as they are. Inside src/source/eventpipe/ only; the main thread's.
 */
#ifndef NT_SOURCE_EVENTPIPE_WATCH_H
#define NT_SOURCE_EVENTPIPE_WATCH_H

#include "nettop/source.h"
#include "source/common/outbox.h"

struct nt_event_pattern;
struct nt_eventpipe_watch;

/* Begin with a process of which nothing is wanted yet. All three are borrowed until nt_eventpipe_watch_free(). Never NULL; asks nothing of the target. */
struct nt_eventpipe_watch *nt_eventpipe_watch_new(const struct nt_source_config *config, struct nt_outbox *box,
						  const struct nt_target *target);

/* The runtime is asked to end what has not been stopped, and learns from the closed connections that nobody reads. NULL is allowed. */
void nt_eventpipe_watch_free(struct nt_eventpipe_watch *watch);

uint32_t nt_eventpipe_watch_pid(const struct nt_eventpipe_watch *watch);

/* The set of enum nt_demand bits that somebody needs now; the length of an interval. Both take effect with nt_eventpipe_watch_go_on(). */
void nt_eventpipe_watch_want(struct nt_eventpipe_watch *watch, unsigned demand);
/* From now on these counters are asked for: nt_counter_request_fill(). The names are copied. */
void nt_eventpipe_watch_choose(struct nt_eventpipe_watch *watch, const char *counters);

void nt_eventpipe_watch_pace(struct nt_eventpipe_watch *watch, nt_time interval_ns);

/* As nt_eventpipe_tell(). */
void nt_eventpipe_watch_tell(struct nt_eventpipe_watch *watch, const struct nt_event_pattern *patterns, size_t count);

/* Of the questions take those that are about this process and for its runtime; returns how many. */
size_t nt_eventpipe_watch_ask(struct nt_eventpipe_watch *watch, const struct nt_question *questions, size_t count);

/* Read what has come, and make the sessions those that are wanted. What comes of it is in the outbox. */
void nt_eventpipe_watch_go_on(struct nt_eventpipe_watch *watch, nt_time now);

/* How often it wants to go on, in ms; 0 = there is nothing to look at, or, of one of several, not more often than whoever ticks. */
unsigned nt_eventpipe_watch_look_ms(const struct nt_eventpipe_watch *watch);

/* Has it not got all its sessions yet? */
bool nt_eventpipe_watch_is_starting(const struct nt_eventpipe_watch *watch);

/* Has all been said that will ever be said? */
bool nt_eventpipe_watch_is_over(const struct nt_eventpipe_watch *watch);

/* As nt_eventpipe_may_close(). */
bool nt_eventpipe_watch_may_close(const struct nt_eventpipe_watch *watch, nt_time now);

/* What its events have cost the target so far: CPU time, ns. */
uint64_t nt_eventpipe_watch_price_ns(const struct nt_eventpipe_watch *watch);

/* As those of struct nt_source_ops. */
void nt_eventpipe_watch_pause(struct nt_eventpipe_watch *watch, nt_time now);
void nt_eventpipe_watch_stop(struct nt_eventpipe_watch *watch, nt_time now);

#endif
