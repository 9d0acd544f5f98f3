// SPDX-License-Identifier: GPL-2.0-only
/*
 * The EventPipe source: the runtime's events through its diagnostics port, from processes that were started without any setting. Each process has sessions of its own
 * (eventpipe_watch.h); what comes of all leaves in one outbox, when a timer says that it is time to look.
 */
#include "source/eventpipe/eventpipe.h"

#include "base/alloc.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe_watch.h"
#include "target/needs/prerequisites.h"
#include "target/needs/readonly.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

/* Of several processes streams are read at ticks. The keeper takes what nobody reads for a second as left behind (app/keeper). */
enum { REST_SEVERAL_MS = 500 };

struct eventpipe {
	struct nt_source base;
	const struct nt_source_config *config;
	struct nt_outbox box;
	struct nt_eventpipe_watch **watches; /* owned array of owned ones */
	size_t count, capacity;
	int timer_fd;                    /* owned */
	unsigned timer_ms;               /* as set last; 0 = it does not run */
	unsigned demand;                 /* of each process */
	struct nt_event_pattern *chosen; /* owned: of each process; NULL = none */
	size_t chosen_count;
	nt_time interval_ns;
	uint64_t left_price_ns; /* what those cost their processes that are watched no more */
	bool began;             /* there was a process */
	bool stopping;
};

static struct eventpipe *self(struct nt_source *source)
{
	nt_assert(source->ops == &nt_source_eventpipe);
	return (struct eventpipe *)source;
}

static void eventpipe_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	const struct nt_facts facts = { .target = target };
	if (!nt_target_has_runtime(target) && nt_prerequisite_refuses(NT_NEEDS_RUNTIME, &facts, out))
		return;
	if (nt_prerequisite_refuses(NT_NEEDS_DIAGNOSTICS, &facts, out))
		return;
	if (config->readonly) {
		out->result = NT_PROBE_ABSENT;
		snprintf(out->reason, sizeof(out->reason), "%s", nt_readonly_reason(NT_CHANGE_EVENTPIPE));
	}
}

static enum nt_status eventpipe_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	int timer_fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (timer_fd < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "cannot make the timer of the EventPipe source");
	struct eventpipe *pipe = nt_alloc(sizeof(*pipe));
	pipe->base.ops = &nt_source_eventpipe;
	pipe->config = config;
	pipe->timer_fd = timer_fd;
	pipe->interval_ns = config->interval_ns;
	nt_outbox_init(&pipe->box, NT_SOURCE_EVENTPIPE);
	*out = &pipe->base;
	return NT_OK;
}

/* The place of a process; `count` = it is not watched. */
static size_t place_of(const struct eventpipe *pipe, uint32_t pid)
{
	size_t i = 0;
	while (i < pipe->count && nt_eventpipe_watch_pid(pipe->watches[i]) != pid)
		i++;
	return i;
}

/*
 * As often as what there is needs it. When all is over a timer that went on would wake up the loop for good, because nobody reads what has ended; one that is set
 * anew begins anew, so that is done only for another pace.
 */
static void keep_looking(struct eventpipe *pipe)
{
	unsigned least = 0;
	for (size_t i = 0; i < pipe->count; i++) {
		unsigned look_ms = nt_eventpipe_watch_look_ms(pipe->watches[i]);
		if (look_ms && (!least || look_ms < least))
			least = look_ms;
	}
	if (least == pipe->timer_ms)
		return;
	const struct timespec period = { .tv_nsec = (long)least * (long)NT_NS_PER_MS };
	const struct itimerspec timer = { .it_interval = period, .it_value = period };
	timerfd_settime(pipe->timer_fd, 0, &timer, NULL);
	pipe->timer_ms = least;
}

static void go_on(struct eventpipe *pipe, nt_time now)
{
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_go_on(pipe->watches[i], now);
	keep_looking(pipe);
}

/* The timer is for those that want it. */
static void go_on_with_some(struct eventpipe *pipe, nt_time now)
{
	for (size_t i = 0; i < pipe->count; i++)
		if (nt_eventpipe_watch_look_ms(pipe->watches[i]))
			nt_eventpipe_watch_go_on(pipe->watches[i], now);
	keep_looking(pipe);
}

static enum nt_status eventpipe_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct eventpipe *pipe = self(source);
	if (place_of(pipe, target->pid) < pipe->count)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "process %u is watched already", target->pid);
	struct nt_eventpipe_watch *watch = nt_eventpipe_watch_new(pipe->config, &pipe->box, target);
	nt_eventpipe_watch_pace(watch, pipe->interval_ns);
	nt_eventpipe_watch_tell(watch, pipe->chosen, pipe->chosen_count);
	nt_eventpipe_watch_want(watch, pipe->demand);
	pipe->watches = nt_grow(pipe->watches, &pipe->capacity, pipe->count + 1, sizeof(struct nt_eventpipe_watch *));
	pipe->watches[pipe->count++] = watch;
	pipe->began = true;
	keep_looking(pipe);
	return NT_OK;
}

static void eventpipe_remove(struct nt_source *source, uint32_t pid)
{
	struct eventpipe *pipe = self(source);
	size_t place = place_of(pipe, pid);
	if (place == pipe->count)
		return;
	pipe->left_price_ns += nt_eventpipe_watch_price_ns(pipe->watches[place]);
	nt_eventpipe_watch_free(pipe->watches[place]);
	pipe->watches[place] = pipe->watches[--pipe->count];
	keep_looking(pipe);
}

bool nt_eventpipe_is_starting(struct nt_source *source)
{
	const struct eventpipe *pipe = self(source);
	for (size_t i = 0; i < pipe->count; i++)
		if (nt_eventpipe_watch_is_starting(pipe->watches[i]))
			return true;
	return false;
}

bool nt_eventpipe_may_close(struct nt_source *source)
{
	const struct eventpipe *pipe = self(source);
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < pipe->count; i++)
		if (!nt_eventpipe_watch_may_close(pipe->watches[i], now))
			return false;
	return true;
}

void nt_eventpipe_tell(struct nt_source *source, const struct nt_event_pattern *patterns, size_t count)
{
	struct eventpipe *pipe = self(source);
	pipe->chosen = nt_realloc(pipe->chosen, count, sizeof(*patterns));
	if (count)
		memcpy(pipe->chosen, patterns, count * sizeof(*patterns));
	pipe->chosen_count = count;
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_tell(pipe->watches[i], patterns, count);
	go_on(pipe, nt_clock_now());
}

void nt_eventpipe_want_of(struct nt_source *source, uint32_t pid, unsigned demand)
{
	struct eventpipe *pipe = self(source);
	size_t place = place_of(pipe, pid);
	if (place < pipe->count)
		nt_eventpipe_watch_want(pipe->watches[place], demand);
	keep_looking(pipe);
}

static void eventpipe_want(struct nt_source *source, unsigned demand)
{
	struct eventpipe *pipe = self(source);
	pipe->demand = demand;
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_want(pipe->watches[i], demand);
	go_on(pipe, nt_clock_now());
}

static nt_time eventpipe_rest(struct nt_source *source)
{
	const struct eventpipe *pipe = self(source);
	return pipe->config->several && pipe->count ? REST_SEVERAL_MS * NT_NS_PER_MS : NT_TIME_UNKNOWN;
}

static size_t eventpipe_ask(struct nt_source *source, const struct nt_question *questions, size_t count)
{
	struct eventpipe *pipe = self(source);
	size_t taken = 0;
	for (size_t i = 0; i < pipe->count; i++)
		taken += nt_eventpipe_watch_ask(pipe->watches[i], questions, count);
	keep_looking(pipe);
	return taken;
}

static void eventpipe_pace(struct nt_source *source, nt_time interval_ns)
{
	struct eventpipe *pipe = self(source);
	pipe->interval_ns = interval_ns;
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_pace(pipe->watches[i], interval_ns);
	go_on(pipe, nt_clock_now());
}

static void eventpipe_choose(struct nt_source *source, const char *counters)
{
	struct eventpipe *pipe = self(source);
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_choose(pipe->watches[i], counters);
	go_on(pipe, nt_clock_now());
}

static int eventpipe_fd(struct nt_source *source)
{
	return self(source)->timer_fd;
}

/* All that there were are over. */
static bool has_ended(const struct eventpipe *pipe)
{
	for (size_t i = 0; i < pipe->count; i++)
		if (!nt_eventpipe_watch_is_over(pipe->watches[i]))
			return false;
	return pipe->began;
}

static enum nt_status eventpipe_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* bounded by what is read of a session at a time */
	(void)err;
	struct eventpipe *pipe = self(source);
	uint64_t expirations;
	if (pipe->stopping)
		go_on(pipe, nt_clock_now());
	else if (read(pipe->timer_fd, &expirations, sizeof(expirations)) > 0)
		go_on_with_some(pipe, nt_clock_now());
	*take = nt_outbox_take(&pipe->box);
	return *take ? NT_OK : has_ended(pipe) ? NT_END : NT_AGAIN;
}

static void eventpipe_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void eventpipe_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct eventpipe *pipe = self(source);
	/* Of several the next tick reads what is written a little later still: they are too many to be read in vain. */
	if (!closing || !pipe->config->several)
		go_on(pipe, now);
}

static void eventpipe_stats(struct nt_source *source, struct nt_source_stats *out)
{
	const struct eventpipe *pipe = self(source);
	*out = pipe->box.stats;
	out->price_ns = pipe->left_price_ns;
	for (size_t i = 0; i < pipe->count; i++)
		out->price_ns += nt_eventpipe_watch_price_ns(pipe->watches[i]);
}

/* Close all that may end now: the runtimes are asked to end them, and learn from the closed connections that nobody reads. They are had again by the next look. */
static void eventpipe_pause(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_pause(pipe->watches[i], now);
	keep_looking(pipe);
}

static void eventpipe_stop(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_stop(pipe->watches[i], now);
	pipe->stopping = pipe->began;
	keep_looking(pipe);
}

static void eventpipe_close(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	for (size_t i = 0; i < pipe->count; i++)
		nt_eventpipe_watch_free(pipe->watches[i]);
	free(pipe->watches);
	free(pipe->chosen);
	nt_outbox_fini(&pipe->box);
	close(pipe->timer_fd);
	free(pipe);
}

const struct nt_source_ops nt_source_eventpipe = {
	.name = "eventpipe",
	.id = NT_SOURCE_EVENTPIPE,
	.probe = eventpipe_probe,
	.open = eventpipe_open,
	.add = eventpipe_add,
	.remove = eventpipe_remove,
	.want = eventpipe_want,
	.pace = eventpipe_pace,
	.choose = eventpipe_choose,
	.fd = eventpipe_fd,
	.drain = eventpipe_drain,
	.give_back = eventpipe_give_back,
	.rest = eventpipe_rest,
	.on_tick = eventpipe_on_tick,
	.ask = eventpipe_ask,
	.stats = eventpipe_stats,
	.pause = eventpipe_pause,
	.stop = eventpipe_stop,
	.close = eventpipe_close,
};
