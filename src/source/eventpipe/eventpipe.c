// SPDX-License-Identifier: GPL-2.0-only
/*
 * The EventPipe source: the runtime's events through its diagnostics port, from a process that was started without any setting. Which sessions there
 * are follows from what is wanted (eventpipe_plan.c); this file keeps them as they should be: asks, reads, stops, asks again after a cut.
 */
#include "source/eventpipe/eventpipe.h"

#include "base/alloc.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe_events.h"
#include "source/eventpipe/eventpipe_gap.h"
#include "source/eventpipe/eventpipe_progress.h"
#include "source/eventpipe/eventpipe_rundown.h"
#include "source/eventpipe/eventpipe_sessions.h"
#include "target/needs/prerequisites.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum {
	LOOK_MS = 100,        /* the runtime writes ten times a second, in pieces of a few bytes: reading them one by one would be waste */
	LOOK_OFTEN_MS = 10,   /* while it writes a rundown, and can do nothing else at its port */
	BEHIND_MS = 200,      /* what is older has been written by a runtime that is not starved of CPU, and read */
	READ_BYTES = 1 << 20, /* of one session at a time */
	BATCH_MAX_BYTES = 128 << 20, /* of events that nobody has taken yet: nothing more is read */
	RETRY_MS = 1000,             /* after a failure, doubling up to: */
	RETRY_MOST_MS = 10000,
	LEAVES_MS = 1000, /* between the first of them that the runtime ends and the last */
	STOP_MS = 1500,   /* how long the rest of the streams may take */
};

struct eventpipe {
	struct nt_source base;
	const struct nt_source_config *config;
	struct nt_outbox box;
	struct nt_eventpipe_events events;
	struct nt_nettrace_sink sinks[NT_EVENTPIPE_ROLES];
	struct nt_eventpipe_socket socket;
	struct nt_nettrace_budget budget; /* of all sessions */
	const struct nt_target *target;   /* borrowed; NULL = none */
	unsigned runtime_major;
	int timer_fd; /* owned */
	unsigned demand;
	unsigned never;            /* of any demand what this kind of runtime does not have */
	unsigned brings;           /* of the demand what this runtime can bring */
	enum nt_withheld withheld; /* why it is not asked for exceptions, although they are wanted */
	nt_time starts_until;      /* the target has just been started; 0 = not, or no more */
	bool postpones;            /* for that something is not asked for yet */
	nt_time interval_ns;
	struct nt_eventpipe_sessions sessions;
	struct nt_eventpipe_moments moments;
	struct nt_eventpipe_rundown rundown;

	bool stated;
	enum nt_source_state state; /* as stated last */
	unsigned stated_demand;     /* likewise */
	const char *stated_refusal; /* likewise; of Meters */
	bool stated_postpones;      /* likewise */
	nt_time retry_at;           /* 0 = nothing has failed */
	unsigned retry_ms;
	struct nt_eventpipe_gap gap;
	nt_time idle_stated;  /* until which time it has been said that nothing came */
	nt_time leaves_until; /* the runtime has begun to end them by itself; 0 = not */
	nt_time stop_until;   /* 0 = not stopped */
	bool over;
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
		snprintf(out->reason, sizeof(out->reason), "--readonly: an EventPipe session would change the target");
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
	pipe->state = NT_STATE_UNUSED;
	pipe->gap.from = NT_TIME_UNKNOWN;
	pipe->interval_ns = config->interval_ns;
	nt_outbox_init(&pipe->box, NT_SOURCE_EVENTPIPE);
	pipe->events.box = &pipe->box;
	pipe->sessions.events = &pipe->events;
	nt_eventpipe_socket_init(&pipe->socket);
	for (enum nt_eventpipe_role role = 0; role < NT_EVENTPIPE_ROLES; role++)
		pipe->sinks[role] = nt_eventpipe_events_sink(&pipe->events, role);
	*out = &pipe->base;
	return NT_OK;
}

static enum nt_status eventpipe_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct eventpipe *pipe = self(source);
	if (pipe->target)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "the EventPipe source watches one process at a time (now %u)",
				    pipe->target->pid);
	pipe->target = target;
	pipe->runtime_major = nt_target_runtime_major(target);
	/* Native AOT has neither a JIT nor the sampler. */
	pipe->never = target->deployment == NT_DEPLOYED_NATIVE_AOT ? NT_WANT_JIT_EVENTS | NT_WANT_WALL_SAMPLES : 0;
	pipe->demand &= ~pipe->never;
	pipe->events.pid = target->pid;
	nt_eventpipe_moments_plan(&pipe->moments, &pipe->events, pipe->config);
	pipe->starts_until = pipe->config->starting ? nt_clock_now() + NT_STARTING_MS * NT_NS_PER_MS : 0;
	bool same_namespace = nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self");
	pipe->events.tids = nt_inner_tids_new(target->proc_dir, same_namespace);
	return NT_OK;
}

/* ---- what is said of it ---- */

static void state(struct eventpipe *pipe, nt_time now, enum nt_source_state said, const struct nt_error *err)
{
	char reason[2 * NT_ERROR_TEXT] = "";
	if (err)
		nt_error_reason(err, reason, sizeof(reason));
	bool waits = said == NT_STATE_DELIVERING && pipe->brings & ~(unsigned)NT_WANT_COUNTERS;
	struct nt_event *event = nt_outbox_state(&pipe->box, now, pipe->target->pid, said, waits, reason, err ? err->fix : NULL);
	event->u.source_state.brings = pipe->brings;
	event->u.source_state.withheld = (uint32_t)pipe->withheld;
	event->u.source_state.postpones = pipe->postpones;
	pipe->state = said;
	pipe->stated = true;
	pipe->stated_demand = pipe->demand;
	pipe->stated_refusal = pipe->events.counters.meters_refused;
	pipe->stated_postpones = pipe->postpones;
}

/* What this runtime cannot bring although somebody wants it, or not yet. */
static void note_lack(const struct eventpipe *pipe, struct nt_error *err)
{
	if (pipe->events.counters.meters_refused)
		nt_error_set(err, NT_ERR_UNSUPPORTED, "%s", pipe->events.counters.meters_refused);
	else if (pipe->postpones)
		nt_error_set(
			err, NT_ERR_UNSUPPORTED,
			"the program is starting: its counters, call stacks and heap histories are asked for when it has had 2 s for that");
}

/* Nothing is wanted: another source brings it, or it would do harm. */
static void state_unused(struct eventpipe *pipe, nt_time now)
{
	struct nt_error err;
	nt_error_set(&err, NT_OK, "%s", nt_eventpipe_why_none(&pipe->moments));
	state(pipe, now, NT_STATE_UNUSED, &err);
}

static enum nt_source_state state_of_error(enum nt_status status)
{
	switch (status) {
	case NT_ERR_FORBIDDEN:
		return NT_STATE_FORBIDDEN;
	case NT_ERR_ABSENT:
	case NT_ERR_UNSUPPORTED:
		return NT_STATE_ABSENT;
	default:
		return NT_STATE_STALLED;
	}
}

/* As often as what there is needs it. */
static void keep_looking(const struct eventpipe *pipe)
{
	long pause_ms = pipe->over ? 0 : nt_eventpipe_rundown_busy(&pipe->rundown) ? LOOK_OFTEN_MS : pipe->demand ? LOOK_MS : 0;
	const struct timespec period = { .tv_nsec = pause_ms * (long)NT_NS_PER_MS };
	const struct itimerspec timer = { .it_interval = period, .it_value = period };
	timerfd_settime(pipe->timer_fd, 0, &timer, NULL);
}

/* Nothing will come. A timer that went on would wake up the loop for good, because nobody reads what has ended. */
static void end(struct eventpipe *pipe)
{
	pipe->over = true;
	pipe->box.stats.end_missed = nt_eventpipe_gap_at_end(&pipe->gap, pipe->target);
	nt_eventpipe_rundown_fini(&pipe->rundown);
	keep_looking(pipe);
}

static void ended(struct eventpipe *pipe, nt_time now)
{
	state(pipe, now, NT_STATE_ENDED, NULL);
	end(pipe);
}

/* What happens from now on is missed; what is known ends with what was said last. */
static void begin_gap(struct eventpipe *pipe, nt_time now, bool whole)
{
	nt_time known_until = pipe->events.newest > pipe->idle_stated ? pipe->events.newest : pipe->idle_stated;
	if (pipe->state == NT_STATE_DELIVERING)
		nt_eventpipe_gap_begin(&pipe->gap, known_until ? known_until : now, whole);
}

/* One failed: as long as something is missing, nothing counts as whole. All are closed, and asked for again after a while. `whole`: the runtime has written
   all that it had before. */
static void failed(struct eventpipe *pipe, nt_time now, const struct nt_error *err, bool whole)
{
	begin_gap(pipe, now, whole);
	pipe->leaves_until = 0;
	nt_eventpipe_sessions_close_all(&pipe->sessions);
	if (!nt_target_alive(pipe->target)) {
		ended(pipe, now);
		return;
	}
	state(pipe, now, state_of_error(err->status), err);
	pipe->retry_ms = !pipe->retry_ms ? RETRY_MS : pipe->retry_ms * 2 < RETRY_MOST_MS ? pipe->retry_ms * 2 : RETRY_MOST_MS;
	pipe->retry_at = now + pipe->retry_ms * NT_NS_PER_MS;
}

/* Everything that is wanted is being read. */
static void delivers(struct eventpipe *pipe, nt_time now)
{
	pipe->retry_ms = 0;
	nt_eventpipe_gap_close(&pipe->gap, pipe->events.began, pipe->target->pid, &pipe->box);
	struct nt_error lack = { 0 };
	note_lack(pipe, &lack);
	state(pipe, now, NT_STATE_DELIVERING, &lack);
}

/* ---- the sessions as they should be ---- */

static nt_time period_of(const struct eventpipe *pipe, const struct nt_eventpipe_plan *plan)
{
	return plan->counters ? nt_counter_period(plan->counters, pipe->demand & NT_WANT_COUNTERS, pipe->interval_ns) : 0;
}

/* Counters come at the pace of the screen. One that has another pace is stopped, and asked for again when it has ended. */
static void stop_out_of_pace(struct eventpipe *pipe, nt_time now)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		struct nt_eventpipe_session *session = pipe->sessions.at[i];
		if (!session || session->state == NT_EVENTPIPE_STOPPING || session->period_ns == period_of(pipe, session->plan) ||
		    !nt_eventpipe_sessions_may_stop(&pipe->sessions, session, now))
			continue;
		if (!nt_eventpipe_session_stop(session, now))
			nt_eventpipe_sessions_close(&pipe->sessions, i);
	}
}

static struct nt_eventpipe_details details_of(struct eventpipe *pipe, nt_time period_ns)
{
	return (struct nt_eventpipe_details){ &pipe->socket, pipe->runtime_major, pipe->config, period_ns, &pipe->budget, .rundown = 0 };
}

static enum nt_status open_missing(struct eventpipe *pipe, nt_time now, const struct nt_eventpipe_plan *const *plans, size_t count,
				   struct nt_error *err)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_eventpipe_session **place = nt_eventpipe_sessions_place(&pipe->sessions, plans[i]);
		if (!place || *place)
			continue;
		if (plans[i]->counters == NT_COUNTERS_OTHERS)
			pipe->events.counters.meters_refused = NULL;
		const struct nt_eventpipe_details details = details_of(pipe, period_of(pipe, plans[i]));
		const struct nt_nettrace_sink *sink = &pipe->sinks[nt_eventpipe_plan_role(plans[i])];
		enum nt_status status = nt_eventpipe_session_open(pipe->target, plans[i], &details, sink, now, place, err);
		if (status != NT_OK)
			return status;
	}
	return NT_OK;
}

/* Of the demand what the target may be asked for: exceptions only where that cannot end it, or somebody has taken that on himself. */
static unsigned harmless_demand(struct eventpipe *pipe)
{
	static const enum nt_withheld withheld[] = { [NT_GATE_UNKNOWN] = NT_WITHHELD_UNKNOWN,
						     [NT_GATE_HARMLESS] = NT_WITHHELD_NOTHING,
						     [NT_GATE_HARMFUL] = NT_WITHHELD_EXCEPTIONS };
	bool wanted = pipe->demand & NT_WANT_EXCEPTIONS && !pipe->config->exceptions;
	bool found = pipe->socket.fd >= 0;
	pipe->withheld = wanted && found ? withheld[pipe->socket.gate.state] : NT_WITHHELD_NOTHING;
	return wanted && (!found || pipe->withheld) ? pipe->demand & ~(unsigned)NT_WANT_EXCEPTIONS : pipe->demand;
}

/* Of the plans those that are carried out now: a session that has just to be there at the program's start keeps it from its first answer. Returns how many. */
static size_t postpone(struct eventpipe *pipe, nt_time now, unsigned demand, const struct nt_eventpipe_plan **plans, size_t count)
{
	if (now >= pipe->starts_until)
		pipe->starts_until = 0;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!pipe->starts_until || !nt_eventpipe_plan_can_wait(plans[i], demand))
			plans[kept++] = plans[i];
	pipe->postpones = kept < count;
	return kept;
}

/* Make the sessions those that are wanted now. */
static void reconcile(struct eventpipe *pipe, nt_time now)
{
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	struct nt_error err = { 0 };
	enum nt_status found = pipe->demand & NT_WANT_EXCEPTIONS && now >= pipe->retry_at
				       ? nt_eventpipe_socket_find(&pipe->socket, pipe->target, &err)
				       : NT_OK;
	unsigned demand = harmless_demand(pipe);
	size_t count = postpone(pipe, now, demand, plans, nt_eventpipe_plans(demand, pipe->runtime_major, &pipe->moments, plans));
	pipe->brings = 0;
	for (size_t i = 0; i < count; i++)
		pipe->brings |= plans[i]->wants & demand;
	stop_out_of_pace(pipe, now);
	if (!nt_eventpipe_sessions_stop_others(&pipe->sessions, now, plans, count) || now < pipe->retry_at)
		return;
	pipe->retry_at = 0;
	if (found != NT_OK || open_missing(pipe, now, plans, count, &err) != NT_OK) {
		failed(pipe, now, &err, err.status == NT_ERR_GONE);
		return;
	}
	size_t reading = nt_eventpipe_sessions_count(&pipe->sessions, NT_EVENTPIPE_READING);
	enum nt_source_state due = !count ? NT_STATE_UNUSED : reading == count ? NT_STATE_DELIVERING : NT_STATE_STARTING;
	if (pipe->stated && due == pipe->state && pipe->demand == pipe->stated_demand &&
	    pipe->events.counters.meters_refused == pipe->stated_refusal && pipe->postpones == pipe->stated_postpones)
		return;
	if (due == NT_STATE_DELIVERING)
		delivers(pipe, now);
	else if (due == NT_STATE_UNUSED)
		state_unused(pipe, now);
	else if (!pipe->retry_ms) /* else what was wrong last stands until it works */
		state(pipe, now, due, NULL);
}

/* Read what is there of one. False: it has failed. */
static bool read_one(struct eventpipe *pipe, size_t index, nt_time now, struct nt_error *err)
{
	struct nt_eventpipe_session *session = pipe->sessions.at[index];
	nt_eventpipe_progress_begin(&pipe->events);
	enum nt_status status = nt_eventpipe_session_advance(session, now, READ_BYTES, err);
	nt_eventpipe_progress_note(session, &pipe->events, status, now - BEHIND_MS * NT_NS_PER_MS);
	if (status == NT_END && session->state == NT_EVENTPIPE_STOPPING)
		nt_eventpipe_sessions_close(&pipe->sessions, index);
	else if (status == NT_END && !pipe->leaves_until)
		pipe->leaves_until = now + LEAVES_MS * NT_NS_PER_MS;
	else if (status < 0 && pipe->leaves_until && session->state == NT_EVENTPIPE_ASKING)
		nt_eventpipe_sessions_close(&pipe->sessions, index);
	else
		return status >= 0;
	return true;
}

/*
 * Read what is there. While the batch is full the rest waits in its socket: the target waits, or loses events and says so. Where one stream ends, the others
 * still have what came last: a runtime that leaves writes and ends one after the other, and of one that was killed each has what it had sent.
 */
static void read_all(struct eventpipe *pipe, nt_time now)
{
	struct nt_error err = { 0 }, first = { 0 };
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX && !pipe->over; i++) {
		if (nt_outbox_bytes(&pipe->box) > BATCH_MAX_BYTES)
			return;
		if (!pipe->sessions.at[i] || pipe->sessions.at[i]->whole || read_one(pipe, i, now, &err))
			continue;
		if (!first.status)
			first = err;
		/* One that lives has gone on without us: what the others still hold is of a time that is not covered. */
		if (nt_target_alive(pipe->target))
			break;
	}
	bool whole = pipe->leaves_until && nt_eventpipe_sessions_whole(&pipe->sessions);
	if (!first.status && (whole || (pipe->leaves_until && now >= pipe->leaves_until)))
		nt_error_set(&first, NT_ERR_GONE, "the runtime has ended the session");
	if (first.status)
		failed(pipe, now, &first, whole);
}

/* A quiet runtime writes nothing, and of several streams one is behind the other: that everything has come is known from the clock. */
static void say_idle(struct eventpipe *pipe, nt_time now)
{
	nt_time until = nt_eventpipe_progress_of(pipe->sessions.at, NT_EVENTPIPE_PLANS_MAX, now - BEHIND_MS * NT_NS_PER_MS);
	if (pipe->state != NT_STATE_DELIVERING || until <= pipe->idle_stated)
		return;
	nt_outbox_add(&pipe->box, NT_EV_IDLE, until, pipe->target->pid, 0);
	pipe->idle_stated = until;
}

static void run_down(struct eventpipe *pipe, nt_time now)
{
	if (!nt_eventpipe_rundown_busy(&pipe->rundown))
		return;
	const struct nt_eventpipe_details details = details_of(pipe, 0);
	nt_eventpipe_rundown_go_on(&pipe->rundown, pipe->target, &details, now, &pipe->box);
	if (!nt_eventpipe_rundown_busy(&pipe->rundown))
		keep_looking(pipe);
}

static void go_on(struct eventpipe *pipe, nt_time now)
{
	if (!pipe->target || pipe->over)
		return;
	run_down(pipe, now);
	read_all(pipe, now);
	if (pipe->over)
		return;
	if (pipe->stop_until) {
		nt_eventpipe_sessions_stop_others(&pipe->sessions, now, NULL, 0);
		if (!nt_eventpipe_sessions_count(&pipe->sessions, NT_EVENTPIPE_ASKING) || now >= pipe->stop_until)
			end(pipe);
		return;
	}
	if (pipe->retry_at && !nt_target_alive(pipe->target))
		ended(pipe, now);
	else
		reconcile(pipe, now);
	say_idle(pipe, now);
}

/* ---- the source's operations ---- */

bool nt_eventpipe_is_starting(struct nt_source *source)
{
	const struct eventpipe *pipe = self(source);
	return !pipe->over && (!pipe->stated || pipe->state == NT_STATE_STARTING);
}

static void eventpipe_remove(struct nt_source *source, uint32_t pid)
{
	struct eventpipe *pipe = self(source);
	if (!pipe->target || pipe->target->pid != pid)
		return;
	nt_eventpipe_sessions_close_all(&pipe->sessions);
	pipe->target = NULL;
	end(pipe);
}

static void eventpipe_want(struct nt_source *source, unsigned demand)
{
	struct eventpipe *pipe = self(source);
	pipe->demand = demand & ~pipe->never;
	keep_looking(pipe);
	go_on(pipe, nt_clock_now());
}

static size_t eventpipe_ask(struct nt_source *source, const struct nt_question *questions, size_t count)
{
	struct eventpipe *pipe = self(source);
	bool has_methods = pipe->target && pipe->target->is_dotnet; /* compiled ahead of time they are in its executable's symbols */
	if (!has_methods || pipe->over || pipe->stop_until || !pipe->config->rundown)
		return 0;
	size_t taken = nt_eventpipe_rundown_ask(&pipe->rundown, questions, count);
	keep_looking(pipe);
	return taken;
}

static void eventpipe_pace(struct nt_source *source, nt_time interval_ns)
{
	self(source)->interval_ns = interval_ns;
	go_on(self(source), nt_clock_now());
}

static int eventpipe_fd(struct nt_source *source)
{
	return self(source)->timer_fd;
}

static enum nt_status eventpipe_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* bounded by READ_BYTES */
	(void)err;
	struct eventpipe *pipe = self(source);
	uint64_t expirations;
	if (read(pipe->timer_fd, &expirations, sizeof(expirations)) > 0 || pipe->stop_until)
		go_on(pipe, nt_clock_now());
	*take = nt_outbox_take(&pipe->box);
	return *take ? NT_OK : pipe->over ? NT_END : NT_AGAIN;
}

static void eventpipe_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void eventpipe_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	(void)closing;
	go_on(self(source), now);
}

static void eventpipe_stats(struct nt_source *source, struct nt_source_stats *out)
{
	const struct eventpipe *pipe = self(source);
	*out = pipe->box.stats;
	out->price_ns = pipe->events.price_ns;
}

/* Close all: the runtime is asked to end them, and learns from the closed connections that nobody reads. They are had again by the next look. */
static void eventpipe_pause(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	nt_time now = nt_clock_now();
	nt_eventpipe_rundown_give_up(&pipe->rundown, now, "nettop was suspended");
	if (pipe->stop_until || !nt_eventpipe_sessions_count(&pipe->sessions, NT_EVENTPIPE_ASKING))
		return;
	read_all(pipe, now);
	nt_eventpipe_sessions_stop_others(&pipe->sessions, now, NULL, 0);
	begin_gap(pipe, now, false);
	nt_eventpipe_sessions_close_all(&pipe->sessions);
}

static void eventpipe_stop(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	nt_time now = nt_clock_now();
	if (!pipe->target || pipe->stop_until)
		return;
	nt_eventpipe_rundown_fini(&pipe->rundown);
	nt_eventpipe_sessions_stop_others(&pipe->sessions, now, NULL, 0);
	pipe->stop_until = now + STOP_MS * NT_NS_PER_MS;
}

static void eventpipe_close(struct nt_source *source)
{
	struct eventpipe *pipe = self(source);
	/* What was not stopped is asked to end; that nobody reads it any more the runtime learns from the closed connection. */
	nt_eventpipe_sessions_stop_others(&pipe->sessions, nt_clock_now(), NULL, 0);
	nt_eventpipe_sessions_close_all(&pipe->sessions);
	nt_eventpipe_rundown_fini(&pipe->rundown);
	nt_eventpipe_socket_fini(&pipe->socket);
	nt_inner_tids_free(pipe->events.tids);
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
	.fd = eventpipe_fd,
	.drain = eventpipe_drain,
	.give_back = eventpipe_give_back,
	.on_tick = eventpipe_on_tick,
	.ask = eventpipe_ask,
	.stats = eventpipe_stats,
	.pause = eventpipe_pause,
	.stop = eventpipe_stop,
	.close = eventpipe_close,
};
