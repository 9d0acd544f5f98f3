// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which sessions there are with a process follows from what is wanted (eventpipe_plan.c); this file keeps them as they should be: asks, reads, stops, asks again
 * after a cut.
 */
#include "source/eventpipe/eventpipe_watch.h"

#include "base/alloc.h"
#include "source/eventpipe/eventpipe_afford.h"
#include "source/eventpipe/eventpipe_events.h"
#include "source/eventpipe/eventpipe_gap.h"
#include "source/eventpipe/eventpipe_progress.h"
#include "source/eventpipe/eventpipe_rundown.h"
#include "source/eventpipe/eventpipe_sessions.h"
#include "source/eventpipe/eventpipe_told.h"

#include <stdlib.h>

enum {
	LOOK_MS = 100,         /* the runtime writes ten times a second, in pieces of a few bytes: reading them one by one would be waste */
	LOOK_SEVERAL_MS = 100, /* of one of many processes, while ticks are not enough for it */
	LEAST_SEVERAL_MS = 500, /* period of their counters, */
	MOST_SEVERAL_MS = 1000,
	LOOK_OFTEN_MS = 10,          /* while it writes a rundown, and can do nothing else at its port */
	BEHIND_MS = 200,             /* what is older has been written by a runtime that is not starved of CPU, and read */
	READ_BYTES = 1 << 20,        /* of one session at a time */
	BATCH_MAX_BYTES = 128 << 20, /* of events that nobody has taken yet, of all processes: nothing more is read */
	RETRY_MS = 1000,             /* after a failure, doubling up to: */
	RETRY_MOST_MS = 10000,
	LEAVES_MS = 1000, /* between the first of them that the runtime ends and the last */
	STOP_MS = 1500,   /* how long the rest of the streams may take */
};

struct nt_eventpipe_watch {
	const struct nt_source_config *config; /* borrowed */
	struct nt_outbox *box;                 /* borrowed */
	const struct nt_target *target;        /* borrowed */
	struct nt_eventpipe_events events;
	struct nt_nettrace_sink sinks[NT_EVENTPIPE_ROLES];
	struct nt_eventpipe_socket socket;
	struct nt_nettrace_budget budget; /* of all sessions */
	unsigned runtime_major;
	unsigned demand;
	unsigned never;            /* of any demand what this kind of runtime does not have */
	unsigned brings;           /* of the demand what this runtime can bring */
	enum nt_withheld withheld; /* why it is not asked for exceptions, although they are wanted */
	nt_time starts_until;      /* the target has just been started; 0 = not, or no more */
	bool postpones;            /* for that something is not asked for yet */
	struct nt_eventpipe_afford afford;
	nt_time interval_ns;
	char *counters;  /* owned: names of some that are asked for, or are not */
	unsigned choice; /* how often these have changed */
	struct nt_eventpipe_sessions sessions;
	struct nt_eventpipe_moments moments;
	struct nt_eventpipe_rundown rundown;
	struct nt_eventpipe_told *told_one_by_one; /* owned */

	bool stated;
	enum nt_source_state state; /* as stated last */
	unsigned stated_demand;     /* likewise */
	const char *stated_refusal; /* likewise; of Meters */
	bool stated_postpones;      /* likewise */
	unsigned stated_dear;       /* likewise: enum nt_demand bits of what is over its limit */
	nt_time retry_at;           /* 0 = nothing has failed */
	unsigned retry_ms;
	struct nt_eventpipe_gap gap;
	bool told;            /* all that was wanted came, until now or until more was wanted */
	nt_time idle_stated;  /* until which time it has been said that nothing came */
	nt_time leaves_until; /* the runtime has begun to end them by itself; 0 = not */
	nt_time stop_until;   /* 0 = not stopped */
	bool over;
};

struct nt_eventpipe_watch *nt_eventpipe_watch_new(const struct nt_source_config *config, struct nt_outbox *box,
						  const struct nt_target *target)
{
	struct nt_eventpipe_watch *watch = nt_alloc(sizeof(*watch));
	watch->config = config;
	watch->box = box;
	watch->target = target;
	watch->state = NT_STATE_UNUSED;
	watch->gap.from = NT_TIME_UNKNOWN;
	watch->interval_ns = config->interval_ns;
	watch->counters = nt_strdup(config->counters ? config->counters : "");
	watch->runtime_major = nt_target_runtime_major(target);
	/* Native AOT has neither a JIT nor the sampler, nor what reads the members of a request by their names. */
	watch->never = target->deployment == NT_DEPLOYED_NATIVE_AOT
			       ? NT_WANT_JIT_EVENTS | NT_WANT_WALL_SAMPLES | NT_WANT_EACH_REQUEST | NT_WANT_POOL_ITEMS
			       : 0;
	watch->starts_until = config->starting ? nt_clock_now() + NT_STARTING_MS * NT_NS_PER_MS : 0;
	watch->events.box = box;
	watch->events.pid = target->pid;
	nt_counter_client(watch->events.counters.client);
	bool same_namespace = nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self");
	watch->events.tids = nt_inner_tids_new(target->proc_dir, same_namespace);
	watch->sessions.events = &watch->events;
	nt_eventpipe_moments_plan(&watch->moments, &watch->events, config);
	nt_eventpipe_socket_init(&watch->socket);
	watch->told_one_by_one = nt_eventpipe_told_new(config, box, watch->events.tids, target);
	for (enum nt_eventpipe_role role = 0; role < NT_EVENTPIPE_ROLES; role++)
		watch->sinks[role] = nt_eventpipe_events_sink(&watch->events, role);
	return watch;
}

void nt_eventpipe_watch_free(struct nt_eventpipe_watch *watch)
{
	if (!watch)
		return;
	nt_eventpipe_sessions_stop_others(&watch->sessions, nt_clock_now(), NULL, 0);
	nt_eventpipe_sessions_close_all(&watch->sessions);
	nt_eventpipe_rundown_fini(&watch->rundown);
	nt_eventpipe_told_free(watch->told_one_by_one);
	nt_eventpipe_socket_fini(&watch->socket);
	nt_inner_tids_free(watch->events.tids);
	free(watch->counters);
	free(watch);
}

/* ---- what is said of it ---- */

static void state(struct nt_eventpipe_watch *watch, nt_time now, enum nt_source_state said, const struct nt_error *err)
{
	char reason[2 * NT_ERROR_TEXT] = "";
	if (err)
		nt_error_reason(err, reason, sizeof(reason));
	bool waits = said == NT_STATE_DELIVERING && watch->brings & ~(unsigned)NT_WANT_COUNTERS;
	struct nt_event *event = nt_outbox_state(watch->box, now, watch->target->pid, said, waits, reason, err ? err->fix : NULL);
	event->u.source_state.brings = watch->brings;
	event->u.source_state.withheld = (uint32_t)watch->withheld;
	event->u.source_state.postpones = watch->postpones;
	nt_eventpipe_afford_tell(&watch->afford, watch->never, watch->runtime_major, watch->box, &event->u.source_state);
	watch->state = said;
	watch->stated = true;
	watch->stated_demand = watch->demand;
	watch->stated_refusal = watch->events.counters.meters_refused;
	watch->stated_postpones = watch->postpones;
	watch->stated_dear = nt_eventpipe_afford_dear(&watch->afford);
}

/* What this runtime cannot bring although somebody wants it, or not yet. */
static void note_lack(const struct nt_eventpipe_watch *watch, struct nt_error *err)
{
	/* Nobody is told when the other has ended; the screen of counters has another set of them, for which they are asked for anew. */
	if (watch->events.counters.meters_refused) {
		nt_error_set(err, NT_ERR_UNSUPPORTED, "%s", watch->events.counters.meters_refused);
		nt_error_set_fix(err, "end that tool, then open the counters (c) and leave them, or start nettop again");
	} else if (watch->postpones)
		nt_error_set(
			err, NT_ERR_UNSUPPORTED,
			"the program is starting: its counters, call stacks and heap histories are asked for when it has had 2 s for that");
}

/* Nothing is wanted: another source brings it, or it would do harm. */
static void state_unused(struct nt_eventpipe_watch *watch, nt_time now)
{
	struct nt_error err;
	nt_error_set(&err, NT_OK, "%s", nt_eventpipe_why_none(&watch->moments));
	watch->told = false;
	state(watch, now, NT_STATE_UNUSED, &err);
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

static void end(struct nt_eventpipe_watch *watch)
{
	watch->over = true;
	watch->box->stats.end_missed |= nt_eventpipe_gap_at_end(&watch->gap, watch->target);
	nt_eventpipe_rundown_fini(&watch->rundown);
}

static void ended(struct nt_eventpipe_watch *watch, nt_time now)
{
	state(watch, now, NT_STATE_ENDED, NULL);
	end(watch);
}

/* What happens from now on is missed; what is known ends with what was said last. */
static void begin_gap(struct nt_eventpipe_watch *watch, nt_time now, bool whole)
{
	nt_time known_until = watch->events.newest > watch->idle_stated ? watch->events.newest : watch->idle_stated;
	if (watch->told) /* also while a further session is being asked for: those that there are have told */
		nt_eventpipe_gap_begin(&watch->gap, known_until ? known_until : now, whole);
}

/* One failed: as long as something is missing, nothing counts as whole. All are closed, and asked for again after a while. `whole`: the runtime has written
   all that it had before. */
static void failed(struct nt_eventpipe_watch *watch, nt_time now, const struct nt_error *err, bool whole)
{
	begin_gap(watch, now, whole);
	watch->told = false;
	watch->leaves_until = 0;
	nt_eventpipe_sessions_close_all(&watch->sessions);
	if (!nt_target_alive(watch->target)) {
		ended(watch, now);
		return;
	}
	state(watch, now, state_of_error(err->status), err);
	watch->retry_ms = !watch->retry_ms ? RETRY_MS : watch->retry_ms * 2 < RETRY_MOST_MS ? watch->retry_ms * 2 : RETRY_MOST_MS;
	watch->retry_at = now + watch->retry_ms * NT_NS_PER_MS;
}

/* Everything that is wanted is being read. */
static void delivers(struct nt_eventpipe_watch *watch, nt_time now)
{
	watch->retry_ms = 0;
	nt_eventpipe_gap_close(&watch->gap, watch->events.began, watch->target->pid, watch->box);
	watch->told = true;
	struct nt_error lack = { 0 };
	note_lack(watch, &lack);
	state(watch, now, NT_STATE_DELIVERING, &lack);
}

/* ---- the sessions as they should be ---- */

static nt_time period_of(const struct nt_eventpipe_watch *watch, const struct nt_eventpipe_plan *plan)
{
	if (plan->counters == NT_COUNTERS_RUNTIME && watch->config->counters_paced)
		return watch->interval_ns;
	/* Each period is some twenty events of each of the processes. */
	if (plan->counters == NT_COUNTERS_RUNTIME && watch->config->several)
		return watch->interval_ns < MOST_SEVERAL_MS * NT_NS_PER_MS ? LEAST_SEVERAL_MS * NT_NS_PER_MS
									   : MOST_SEVERAL_MS * NT_NS_PER_MS;
	return plan->counters ? nt_counter_period(plan->counters, watch->demand & NT_WANT_COUNTERS, watch->interval_ns) : 0;
}

/* Does it bring what it should, as often as it should? */
static bool is_as_wanted(const struct nt_eventpipe_watch *watch, const struct nt_eventpipe_session *session)
{
	bool chosen = session->plan->counters != NT_COUNTERS_OTHERS || session->choice == watch->choice;
	return chosen && session->period_ns == period_of(watch, session->plan);
}

/* Counters come at the pace of the screen, and are those that somebody chose. A session that has others is stopped, and asked for again when it has ended. */
static void stop_out_of_pace(struct nt_eventpipe_watch *watch, nt_time now)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		struct nt_eventpipe_session *session = watch->sessions.at[i];
		/* One that the runtime has not answered yet cannot be told to stop; closed, it would begin all the same, and end beside the next. */
		if (!session || session->state != NT_EVENTPIPE_READING || is_as_wanted(watch, session) ||
		    !nt_eventpipe_sessions_may_stop(&watch->sessions, session, now))
			continue;
		if (!nt_eventpipe_session_stop(session, now))
			nt_eventpipe_sessions_close(&watch->sessions, i);
	}
}

static struct nt_eventpipe_details details_of(struct nt_eventpipe_watch *watch, nt_time period_ns)
{
	return (struct nt_eventpipe_details){ .socket = &watch->socket,
					      .runtime_major = watch->runtime_major,
					      .config = watch->config,
					      .period_ns = period_ns,
					      .counters = watch->counters,
					      .choice = watch->choice,
					      .budget = &watch->budget };
}

static enum nt_status open_missing(struct nt_eventpipe_watch *watch, nt_time now, const struct nt_eventpipe_plan *const *plans,
				   size_t count, struct nt_error *err)
{
	for (size_t i = 0; i < count; i++) {
		struct nt_eventpipe_session **place = nt_eventpipe_sessions_place(&watch->sessions, plans[i]);
		if (!place || *place)
			continue;
		if (nt_counter_set_has_meters(plans[i]->counters))
			watch->events.counters.meters_refused = NULL;
		const struct nt_eventpipe_details details = details_of(watch, period_of(watch, plans[i]));
		const struct nt_nettrace_sink *sink = &watch->sinks[nt_eventpipe_plan_role(plans[i])];
		enum nt_status status = nt_eventpipe_session_open(watch->target, plans[i], &details, sink, now, place, err);
		if (status != NT_OK)
			return status;
	}
	return NT_OK;
}

/* Of the demand what the target may be asked for: exceptions only where that cannot end it, or somebody has taken that on himself. */
static unsigned harmless_demand(struct nt_eventpipe_watch *watch)
{
	static const enum nt_withheld withheld[] = { [NT_GATE_UNKNOWN] = NT_WITHHELD_UNKNOWN,
						     [NT_GATE_HARMLESS] = NT_WITHHELD_NOTHING,
						     [NT_GATE_HARMFUL] = NT_WITHHELD_EXCEPTIONS };
	bool wanted = watch->demand & NT_WANT_EXCEPTIONS && !watch->config->exceptions;
	bool found = watch->socket.fd >= 0;
	watch->withheld = wanted && found ? withheld[watch->socket.gate.state] : NT_WITHHELD_NOTHING;
	return wanted && (!found || watch->withheld) ? watch->demand & ~(unsigned)NT_WANT_EXCEPTIONS : watch->demand;
}

/* Of the plans those that are carried out now: a session that has just to be there at the program's start keeps it from its first answer. Returns how many. */
static size_t postpone(struct nt_eventpipe_watch *watch, nt_time now, unsigned demand, const struct nt_eventpipe_plan **plans, size_t count)
{
	if (now >= watch->starts_until)
		watch->starts_until = 0;
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (!watch->starts_until || !nt_eventpipe_plan_can_wait(plans[i], demand))
			plans[kept++] = plans[i];
	watch->postpones = kept < count;
	return kept;
}

/* Of the plans those that may be asked for beside what there is. Returns how many. */
static size_t keep_due(const struct nt_eventpipe_watch *watch, const struct nt_eventpipe_plan **plans, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count; i++)
		if (nt_eventpipe_plan_is_due(plans[i], watch->events.counters.polled))
			plans[kept++] = plans[i];
	return kept;
}

/* The session with Meters goes on while another is asked for beside it. */
static bool reads_meters(const struct nt_eventpipe_watch *watch)
{
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		const struct nt_eventpipe_session *session = watch->sessions.at[i];
		if (session && session->state == NT_EVENTPIPE_READING && nt_counter_set_has_meters(session->plan->counters))
			return true;
	}
	return false;
}

/* Make the sessions those that are wanted now. */
static void reconcile(struct nt_eventpipe_watch *watch, nt_time now)
{
	const struct nt_eventpipe_plan *plans[NT_EVENTPIPE_PLANS_MAX];
	struct nt_error err = { 0 };
	enum nt_status found = watch->demand & NT_WANT_EXCEPTIONS && now >= watch->retry_at
				       ? nt_eventpipe_socket_find(&watch->socket, watch->target, &err)
				       : NT_OK;
	unsigned demand =
		nt_eventpipe_afford_of(&watch->afford, &watch->events, watch->config->max_target_cost_pct, harmless_demand(watch), now);
	size_t count = postpone(watch, now, demand, plans, nt_eventpipe_plans(demand, watch->runtime_major, &watch->moments, plans));
	count = keep_due(watch, plans, count);
	watch->brings = 0;
	for (size_t i = 0; i < count; i++)
		watch->brings |= plans[i]->wants & demand;
	/* Meters that another tool has, or has asked for in its way, come in part at best: that there was no request nobody knows then. */
	if (watch->events.counters.meters_refused || !reads_meters(watch))
		watch->brings &= ~(unsigned)NT_WANT_REQUESTS;
	stop_out_of_pace(watch, now);
	if (!nt_eventpipe_sessions_stop_others(&watch->sessions, now, plans, count) || now < watch->retry_at)
		return;
	watch->retry_at = 0;
	if (found != NT_OK || open_missing(watch, now, plans, count, &err) != NT_OK) {
		failed(watch, now, &err, err.status == NT_ERR_GONE);
		return;
	}
	size_t reading = nt_eventpipe_sessions_count(&watch->sessions, NT_EVENTPIPE_READING);
	enum nt_source_state due = !count ? NT_STATE_UNUSED : reading == count ? NT_STATE_DELIVERING : NT_STATE_STARTING;
	/* Before the first collection the runtime may not have said yet that it refuses them. */
	if (due == NT_STATE_STARTING && !watch->events.counters.collected)
		watch->brings &= ~(unsigned)NT_WANT_REQUESTS;
	if (watch->stated && due == watch->state && watch->demand == watch->stated_demand &&
	    watch->events.counters.meters_refused == watch->stated_refusal && watch->postpones == watch->stated_postpones &&
	    watch->stated_dear == nt_eventpipe_afford_dear(&watch->afford))
		return;
	if (due == NT_STATE_DELIVERING)
		delivers(watch, now);
	else if (due == NT_STATE_UNUSED)
		state_unused(watch, now);
	else if (!watch->retry_ms) /* else what was wrong last stands until it works */
		state(watch, now, due, NULL);
}

/* Read what is there of one. False: it has failed. */
static bool read_one(struct nt_eventpipe_watch *watch, size_t index, nt_time now, struct nt_error *err)
{
	struct nt_eventpipe_session *session = watch->sessions.at[index];
	nt_eventpipe_progress_begin(&watch->events);
	enum nt_status status = nt_eventpipe_session_advance(session, now, READ_BYTES, err);
	nt_eventpipe_progress_note(session, &watch->events, status, now - BEHIND_MS * NT_NS_PER_MS);
	if (status == NT_END && session->state == NT_EVENTPIPE_STOPPING)
		nt_eventpipe_sessions_close(&watch->sessions, index);
	else if (status == NT_END && !watch->leaves_until)
		watch->leaves_until = now + LEAVES_MS * NT_NS_PER_MS;
	else if (status < 0 && watch->leaves_until && session->state == NT_EVENTPIPE_ASKING)
		nt_eventpipe_sessions_close(&watch->sessions, index);
	else
		return status >= 0;
	return true;
}

/*
 * Read what is there. While the batch is full the rest waits in its socket: the target waits, or loses events and says so. Where one stream ends, the others
 * still have what came last: a runtime that leaves writes and ends one after the other, and of one that was killed each has what it had sent.
 */
static void read_all(struct nt_eventpipe_watch *watch, nt_time now)
{
	struct nt_error err = { 0 }, first = { 0 };
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX && !watch->over; i++) {
		if (nt_outbox_bytes(watch->box) > BATCH_MAX_BYTES)
			return;
		if (!watch->sessions.at[i] || watch->sessions.at[i]->whole || read_one(watch, i, now, &err))
			continue;
		if (!first.status)
			first = err;
		/* One that lives has gone on without us: what the others still hold is of a time that is not covered. */
		if (nt_target_alive(watch->target))
			break;
	}
	bool whole = watch->leaves_until && nt_eventpipe_sessions_whole(&watch->sessions);
	if (!first.status && (whole || (watch->leaves_until && now >= watch->leaves_until)))
		nt_error_set(&first, NT_ERR_GONE, "the runtime has ended the session");
	if (first.status)
		failed(watch, now, &first, whole);
}

/* A quiet runtime writes nothing, and of several streams one is behind the other: that everything has come is known from the clock. */
static void say_idle(struct nt_eventpipe_watch *watch, nt_time now)
{
	nt_time until = nt_eventpipe_progress_of(watch->sessions.at, NT_EVENTPIPE_PLANS_MAX, now - BEHIND_MS * NT_NS_PER_MS);
	if (watch->state != NT_STATE_DELIVERING || until <= watch->idle_stated)
		return;
	nt_outbox_add(watch->box, NT_EV_IDLE, until, watch->target->pid, 0);
	watch->idle_stated = until;
}

/*
 * While somebody looks at collections, and only where the session can leave the methods out: before .NET 9 a rundown lists all of them. Not before those sessions are there that count.
 */
static void want_gc_settings(struct nt_eventpipe_watch *watch, nt_time now)
{
	enum { FIRST_MAJOR = 9 };
	bool looks = watch->demand & NT_WANT_GC_HISTORIES && watch->state == NT_STATE_DELIVERING && !watch->postpones;
	if (looks && watch->config->rundown && watch->target->is_dotnet && watch->runtime_major >= FIRST_MAJOR && !watch->stop_until)
		nt_eventpipe_rundown_want_settings(&watch->rundown, now);
}

static void run_down(struct nt_eventpipe_watch *watch, nt_time now)
{
	want_gc_settings(watch, now);
	if (!nt_eventpipe_rundown_busy(&watch->rundown))
		return;
	const struct nt_eventpipe_details details = details_of(watch, 0);
	nt_eventpipe_rundown_go_on(&watch->rundown, watch->target, &details, now, watch->box);
}

void nt_eventpipe_watch_go_on(struct nt_eventpipe_watch *watch, nt_time now)
{
	if (nt_outbox_bytes(watch->box) <= BATCH_MAX_BYTES)
		nt_eventpipe_told_go_on(watch->told_one_by_one, now);
	if (watch->over)
		return;
	run_down(watch, now);
	read_all(watch, now);
	if (watch->over)
		return;
	if (watch->stop_until) {
		nt_eventpipe_sessions_stop_others(&watch->sessions, now, NULL, 0);
		bool reads = nt_eventpipe_sessions_count(&watch->sessions, NT_EVENTPIPE_ASKING) ||
			     nt_eventpipe_told_is_busy(watch->told_one_by_one);
		if (!reads || now >= watch->stop_until)
			end(watch);
		return;
	}
	if (watch->retry_at && !nt_target_alive(watch->target))
		ended(watch, now);
	else
		reconcile(watch, now);
	say_idle(watch, now);
}

/* ---- for the source ---- */

uint32_t nt_eventpipe_watch_pid(const struct nt_eventpipe_watch *watch)
{
	return watch->target->pid;
}

void nt_eventpipe_watch_want(struct nt_eventpipe_watch *watch, unsigned demand)
{
	watch->demand = demand & ~watch->never;
	nt_eventpipe_told_want(watch->told_one_by_one, demand & NT_WANT_TOLD && !watch->stop_until);
}

void nt_eventpipe_watch_pace(struct nt_eventpipe_watch *watch, nt_time interval_ns)
{
	watch->interval_ns = interval_ns;
}

void nt_eventpipe_watch_choose(struct nt_eventpipe_watch *watch, const char *counters)
{
	if (strcmp(watch->counters, counters) == 0)
		return;
	free(watch->counters);
	watch->counters = nt_strdup(counters);
	watch->choice++;
}

void nt_eventpipe_watch_tell(struct nt_eventpipe_watch *watch, const struct nt_event_pattern *patterns, size_t count)
{
	nt_eventpipe_told_choose(watch->told_one_by_one, patterns, count);
}

size_t nt_eventpipe_watch_ask(struct nt_eventpipe_watch *watch, const struct nt_question *questions, size_t count)
{
	/* Compiled ahead of time they are in its executable's symbols. */
	bool has_methods = watch->target->is_dotnet;
	if (!has_methods || watch->over || watch->stop_until || !watch->config->rundown)
		return 0;
	size_t taken = 0;
	for (size_t i = 0; i < count; i++)
		if (questions[i].pid == watch->target->pid)
			taken += nt_eventpipe_rundown_ask(&watch->rundown, &questions[i], 1);
	return taken;
}

/* Its sessions are as they should be, have brought the first of what they bring time and again, and were read dry. */
static bool is_quiet(const struct nt_eventpipe_watch *watch)
{
	if (!watch->stated || watch->demand != watch->stated_demand)
		return false;
	for (size_t i = 0; i < NT_EVENTPIPE_PLANS_MAX; i++) {
		const struct nt_eventpipe_session *session = watch->sessions.at[i];
		bool begins = session && session->plan->counters == NT_COUNTERS_RUNTIME && !watch->events.counters.polled;
		if (begins || (session && (session->state != NT_EVENTPIPE_READING || !session->silent)))
			return false;
	}
	return watch->state != NT_STATE_STARTING;
}

unsigned nt_eventpipe_watch_look_ms(const struct nt_eventpipe_watch *watch)
{
	bool reads = watch->demand || nt_eventpipe_told_is_busy(watch->told_one_by_one);
	if (watch->over)
		return nt_eventpipe_told_is_busy(watch->told_one_by_one) ? LOOK_MS : 0;
	if (reads && watch->config->several && !nt_eventpipe_rundown_busy(&watch->rundown))
		return is_quiet(watch) ? 0 : LOOK_SEVERAL_MS;
	return nt_eventpipe_rundown_busy(&watch->rundown) ? LOOK_OFTEN_MS : reads ? LOOK_MS : 0;
}

bool nt_eventpipe_watch_is_starting(const struct nt_eventpipe_watch *watch)
{
	return !watch->over && (!watch->stated || watch->state == NT_STATE_STARTING);
}

bool nt_eventpipe_watch_is_over(const struct nt_eventpipe_watch *watch)
{
	return watch->over && !nt_eventpipe_told_is_busy(watch->told_one_by_one);
}

bool nt_eventpipe_watch_may_close(const struct nt_eventpipe_watch *watch, nt_time now)
{
	return watch->over || nt_eventpipe_sessions_may_close(&watch->sessions, now);
}

uint64_t nt_eventpipe_watch_price_ns(const struct nt_eventpipe_watch *watch)
{
	return watch->events.price_ns + nt_eventpipe_told_price_ns(watch->told_one_by_one);
}

void nt_eventpipe_watch_pause(struct nt_eventpipe_watch *watch, nt_time now)
{
	nt_eventpipe_rundown_give_up(&watch->rundown, now, "nettop was suspended");
	nt_eventpipe_told_pause(watch->told_one_by_one, now);
	if (watch->stop_until || !nt_eventpipe_sessions_count(&watch->sessions, NT_EVENTPIPE_ASKING))
		return;
	read_all(watch, now);
	nt_eventpipe_sessions_stop_others(&watch->sessions, now, NULL, 0);
	begin_gap(watch, now, false);
	/* One that must not end now stays: left unread, it is shut down by the keeper some seconds later, when it may. */
	nt_eventpipe_sessions_close_those_that_may(&watch->sessions, now);
}

void nt_eventpipe_watch_stop(struct nt_eventpipe_watch *watch, nt_time now)
{
	if (watch->stop_until)
		return;
	nt_eventpipe_rundown_fini(&watch->rundown);
	nt_eventpipe_told_want(watch->told_one_by_one, false);
	nt_eventpipe_told_go_on(watch->told_one_by_one, now);
	nt_eventpipe_sessions_stop_others(&watch->sessions, now, NULL, 0);
	watch->stop_until = now + STOP_MS * NT_NS_PER_MS;
}
