// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf source of several processes: one event on each CPU for all of them, whatever their number, so that what sampling costs the machine, and the memory of its rings, is that of one. What
 * runs in other processes the kernel drops (perf_filter.h); whoever reads drops what is left of that. Where events of CPUs are not allowed there are no samples: an event for each thread of all
 * these processes would cost them more than a column of a list is worth. Of switches it tells nothing, and call chains are the kernel's.
 */
#include "base/alloc.h"
#include "base/index.h"
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/perf/perf_cover.h"
#include "source/perf/perf_events.h"
#include "source/perf/perf_filter.h"
#include "source/perf/perf_opening.h"
#include "source/perf/perf_queue.h"
#include "source/perf/perf_rate.h"
#include "source/perf/perf_refusal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	ROUND_LEAST_MS = 40, /* between two readings of the rings: what makes drain() say AGAIN */
	REST_LEAST_MS = 250, /* asked of the loop, however small the rings are */
	SETTLE_MS = 2,       /* a record may become visible this long after the time that it carries */
	CLOSE_WAIT_MS = 50,
	TRY_AGAIN_MS = 2000, /* after a refusal */
};

enum phase { IDLE, OPENING, REFUSED, RUNNING, LAST, END };

/* What has been said of a process, and what is to be said next. */
enum told { STARTING, NOT_TO_BE_HAD, DELIVERING, ENDING, ENDED };

struct member {
	const struct nt_target *target; /* borrowed */
	struct nt_perf_cover cover;
	enum told told;
	nt_time since; /* what was recorded before is of another one, which had its pid */
};

struct several {
	struct nt_source base;
	const struct nt_source_config *config; /* borrowed */
	struct nt_outbox box;
	struct member *members; /* owned */
	size_t count, capacity;
	struct nt_index by_pid; /* into members */
	enum phase phase;
	struct nt_perf_opening *opening; /* owned; while attaching */
	struct nt_perf_attach *attach;   /* owned; afterwards */
	int filter;                      /* owned: the members as the kernel knows them; -1 = it filters nothing */
	struct nt_error refusal;         /* why there are no samples */
	nt_time next_attempt;
	struct nt_perf_queue queue;
	struct nt_perf_rate rate;
	nt_time round_until; /* every record up to here is in the queue */
	nt_time next_round;
	bool in_round;
	bool last_round;             /* it began when the end had been asked for: the one before has not read all */
	uint64_t arrived;            /* samples, of whomever */
	uint64_t lost_told;          /* by records */
	uint64_t told_count, walked; /* samples of the members, and frames of their call chains that the kernel walked */
};

static struct several *self(struct nt_source *source)
{
	return (struct several *)source;
}

static void several_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status several_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct several *s = nt_alloc(sizeof(*s));
	s->base.ops = &nt_source_perf_several;
	s->config = config;
	s->filter = -1;
	nt_outbox_init(&s->box, NT_SOURCE_PERF);
	*out = &s->base;
	return NT_OK;
}

/* NULL: it is of nobody that is watched. */
static struct member *member_of(const struct several *s, uint32_t pid)
{
	uint32_t place = nt_index_get(&s->by_pid, pid);
	return place == NT_INDEX_NONE ? NULL : &s->members[place];
}

/* ---- what is said of a process ---- */

static void state(struct several *s, struct member *member, enum told told, enum nt_source_state said, const char *reason, const char *fix)
{
	nt_outbox_state(&s->box, nt_clock_now(), member->target->pid, said, said == NT_STATE_STARTING || said == NT_STATE_DELIVERING,
			reason, fix);
	member->told = told;
}

static void say_delivering(struct several *s, struct member *member)
{
	const struct nt_perf_features *features = &s->attach->features;
	struct nt_probe about = { .result = NT_PROBE_AVAILABLE };
	if (!nt_perf_refusal_part(s->attach, s->config->perf_hz, &about))
		nt_perf_rate_say(&s->rate, features->hz, &about);
	struct nt_event *said =
		nt_outbox_state(&s->box, nt_clock_now(), member->target->pid, NT_STATE_DELIVERING, true, about.reason, about.fix);
	said->u.source_state.rate_hz = nt_perf_rate_hz(&s->rate, features->hz);
	member->told = DELIVERING;
}

static void say_refused(struct several *s, struct member *member)
{
	char text[2 * NT_ERROR_TEXT];
	enum nt_source_state said = s->refusal.status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT;
	state(s, member, NOT_TO_BE_HAD, said, nt_error_reason(&s->refusal, text, sizeof(text)), s->refusal.fix);
}

/* ---- attaching ---- */

static enum nt_status start_opening(struct several *s, const struct nt_target *target, struct nt_error *err)
{
	const struct nt_perf_wish wish = { .hz = s->config->perf_hz, .several = true };
	enum nt_status status = nt_perf_opening_start(target, &wish, &s->opening, err);
	if (status == NT_OK)
		s->phase = OPENING;
	return status;
}

static void cover(struct several *s, struct member *member, nt_time time, bool covered)
{
	nt_perf_cover_say(&member->cover, &s->box, member->target->pid, time, covered);
}

/* Attached to the CPUs, where nothing counts yet. */
static void begin(struct several *s)
{
	struct nt_perf_attach *attach = s->attach;
	nt_perf_rate_init(&s->rate, attach->features.hz, s->config->perf_most);
	s->refusal = (struct nt_error){ 0 };
	s->filter = nt_perf_members_new();
	for (size_t i = 0; i < s->count; i++)
		nt_perf_members_put(s->filter, s->members[i].target->pid, true);
	attach->filtered = nt_perf_filter_set_members(s->filter, attach->lists[0]);
	nt_perf_attach_pause(attach, false);
	s->phase = RUNNING;
	nt_time now = nt_clock_now();
	for (size_t i = 0; i < s->count; i++)
		cover(s, &s->members[i], now, true);
}

/* That the process which was tried has just ended is no matter of the others. */
static void refuse(struct several *s, const struct nt_error *err)
{
	s->phase = REFUSED;
	s->next_attempt = err->status == NT_ERR_UNSUPPORTED ? NT_TIME_UNKNOWN : nt_clock_now() + TRY_AGAIN_MS * NT_NS_PER_MS;
	if (err->status == NT_ERR_GONE)
		return;
	bool known = strcmp(s->refusal.cause[0], err->cause[0]) == 0;
	s->refusal = *err;
	for (size_t i = 0; i < s->count; i++)
		if (!known || s->members[i].told != NOT_TO_BE_HAD)
			say_refused(s, &s->members[i]);
}

static void look_at_opening(struct several *s)
{
	struct nt_error err = { 0 };
	enum nt_status status = nt_perf_opening_poll(&s->opening, &s->attach, &err);
	if (status == NT_OK)
		begin(s);
	else if (status != NT_AGAIN)
		refuse(s, &err);
}

static void detach(struct several *s)
{
	nt_perf_opening_abandon(s->opening);
	s->opening = NULL;
	nt_perf_attach_close(s->attach, CLOSE_WAIT_MS);
	s->attach = NULL;
	if (s->filter >= 0)
		close(s->filter);
	s->filter = -1;
	nt_perf_queue_fini(&s->queue);
	s->in_round = false;
	s->lost_told = 0;
	s->refusal = (struct nt_error){ 0 };
	s->phase = IDLE;
}

/* ---- processes ---- */

static void leave_out(struct several *s, struct member *member)
{
	struct member *last = &s->members[--s->count];
	nt_perf_members_put(s->filter, member->target->pid, false);
	nt_index_remove(&s->by_pid, member->target->pid);
	if (member == last)
		return;
	*member = *last;
	nt_index_put(&s->by_pid, member->target->pid, (uint32_t)(member - s->members));
}

static enum nt_status several_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct several *s = self(source);
	if (member_of(s, target->pid) || s->phase == LAST || s->phase == END)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "process %u is sampled already, or nobody is any more", target->pid);
	enum nt_status status = s->phase == IDLE ? start_opening(s, target, err) : NT_OK;
	if (status != NT_OK)
		return status;
	s->members = nt_grow(s->members, &s->capacity, s->count + 1, sizeof(*s->members));
	nt_index_put(&s->by_pid, target->pid, (uint32_t)s->count);
	struct member *member = &s->members[s->count++];
	*member = (struct member){ .target = target, .since = nt_clock_now() };
	nt_perf_members_put(s->filter, target->pid, true);
	if (s->phase == REFUSED && s->refusal.cause_count) {
		say_refused(s, member);
		return NT_OK;
	}
	state(s, member, STARTING, NT_STATE_STARTING, NULL, NULL);
	if (s->phase == RUNNING)
		cover(s, member, nt_clock_now(), true);
	return NT_OK;
}

/* Of nobody nothing is sampled. */
static void several_remove(struct nt_source *source, uint32_t pid)
{
	struct several *s = self(source);
	struct member *member = member_of(s, pid);
	if (!member)
		return;
	leave_out(s, member);
	if (!s->count && s->phase != LAST && s->phase != END)
		detach(s);
}

/* Not in each round, of which there are more. */
static void see_who_has_ended(struct several *s)
{
	for (size_t i = 0; s->phase == RUNNING && !s->in_round && i < s->count; i++)
		if (s->members[i].told == DELIVERING && !nt_target_alive(s->members[i].target))
			s->members[i].told = ENDING;
}

static void several_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct several *s = self(source);
	(void)closing;
	see_who_has_ended(s);
	if (s->phase != REFUSED || now < s->next_attempt)
		return;
	s->next_attempt = now + TRY_AGAIN_MS * NT_NS_PER_MS;
	size_t alive = 0;
	while (alive < s->count && !nt_target_alive(s->members[alive].target))
		alive++;
	if (alive < s->count)
		start_opening(s, s->members[alive].target, NULL);
}

/* ---- rounds: from the rings into the queue ---- */

static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct several *s = context;
	struct nt_perf_record record;
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK)
		return true;
	bool is_sample = record.kind == NT_PERF_SAMPLE, is_lost = record.kind == NT_PERF_LOST;
	s->arrived += is_sample;
	if (!is_lost && !member_of(s, record.pid)) {
		s->box.stats.foreign_count += is_sample;
		return true;
	}
	if (record.kind == NT_PERF_OTHER)
		return true;
	s->walked += is_sample ? record.sample.chain_count : 0;
	nt_perf_queue_put(&s->queue, record.time, 0, bytes, length);
	return record.time <= s->round_until;
}

/* Whose they were nobody knows. */
static void tell_lost(struct several *s, nt_time time, uint64_t count)
{
	const struct nt_ev_lost lost = { .what = NT_LOST_SAMPLES, .from = NT_TIME_UNKNOWN };
	s->lost_told += count;
	for (size_t i = 0; count && i < s->count; i++)
		if (s->members[i].told != ENDED)
			nt_outbox_lost(&s->box, time, s->members[i].target->pid, &lost);
}

/* Of one that has ended some records may become visible a little later: its last round is the one after that. */
static void begin_round(struct several *s, nt_time now)
{
	s->next_round = now + ROUND_LEAST_MS * NT_NS_PER_MS;
	s->last_round = s->phase == LAST;
	s->round_until = s->last_round ? now + SETTLE_MS * NT_NS_PER_MS : now - SETTLE_MS * NT_NS_PER_MS;
	for (size_t i = 0; i < s->count; i++)
		nt_perf_cover_reads(&s->members[i].cover, now);
	uint64_t unreadable = nt_perf_list_read(s->attach->lists[0], put, s);
	nt_perf_queue_release(&s->queue, s->round_until);
	tell_lost(s, s->round_until, unreadable);
	s->in_round = true;
}

/* ---- from the queue into the outbox ---- */

static void tell_sample(struct several *s, uint32_t pid, const struct nt_perf_record *record)
{
	unsigned times = nt_perf_rate_times(&s->rate, record->time);
	s->told_count++;
	nt_perf_add_sample(&s->box, pid, record, s->rate.period_ns * times, times, s->attach->features.stack_max);
}

static void tell(struct several *s, const uint8_t *bytes, size_t length)
{
	struct nt_perf_record record;
	enum nt_status status = nt_perf_record_parse(bytes, length, &record);
	nt_assert(status == NT_OK); /* it was parsed before it was put */
	if (record.kind == NT_PERF_LOST) {
		tell_lost(s, record.time, record.lost.count);
		return;
	}
	const struct member *member = member_of(s, record.pid);
	if (!member || member->told == ENDED || record.time < member->since)
		return;
	if (record.kind == NT_PERF_SAMPLE)
		tell_sample(s, record.pid, &record);
	else if (record.kind == NT_PERF_MAP)
		nt_perf_add_map(&s->box, record.pid, &record);
	else if (record.kind == NT_PERF_FORK || record.kind == NT_PERF_EXIT || record.kind == NT_PERF_COMM)
		nt_perf_add_thread(&s->box, record.pid, &record);
}

/* True: there is more. */
static bool tell_some(struct several *s, unsigned budget)
{
	const uint8_t *bytes;
	unsigned part = nt_perf_queue_part(&s->queue, budget);
	for (unsigned told = 0; told < part; told++) {
		const struct nt_perf_queued *queued = nt_perf_queue_take(&s->queue, &bytes);
		if (!queued)
			return false;
		tell(s, bytes, queued->length);
	}
	return true;
}

/* ---- the end of a round ---- */

static void end_member(struct several *s, struct member *member, nt_time now)
{
	cover(s, member, now, false);
	nt_outbox_add(&s->box, NT_EV_IDLE, now, member->target->pid, 0);
	state(s, member, ENDED, NT_STATE_ENDED, NULL, NULL);
}

static void end_round_of(struct several *s, struct member *member, bool overflowed, nt_time now)
{
	if (member->told == ENDED)
		return;
	if (member->told == ENDING || s->last_round) {
		end_member(s, member, now);
		return;
	}
	if (overflowed)
		nt_perf_cover_overflowed(&member->cover, &s->box, member->target->pid, nt_perf_attach_rest(s->attach));
	nt_outbox_add(&s->box, NT_EV_IDLE, s->round_until, member->target->pid, 0);
	if (member->told != DELIVERING)
		say_delivering(s, member);
}

/* By what samples cost nettop, when everything older has left with the weight that it had. */
static void adapt(struct several *s, nt_time now)
{
	if (!nt_perf_rate_look(&s->rate, s->arrived, now))
		return;
	uint64_t period_ns = s->rate.period_ns * s->rate.divisor;
	nt_perf_list_control(s->attach->lists[0], PERF_EVENT_IOC_PERIOD, (uintptr_t)&period_ns);
	for (size_t i = 0; i < s->count; i++)
		if (s->members[i].told == DELIVERING)
			say_delivering(s, &s->members[i]);
}

/* The kernel writes LOST records only when the next record fits; what was lost last is told by the events' own counts. */
static void end_round(struct several *s, nt_time now)
{
	uint64_t lost = nt_perf_list_lost(s->attach->lists[0]), untold = lost > s->lost_told ? lost - s->lost_told : 0;
	s->in_round = false;
	if (s->last_round)
		tell_lost(s, now, untold);
	for (size_t i = 0; i < s->count; i++)
		end_round_of(s, &s->members[i], untold, now);
	if (s->last_round)
		s->phase = END;
	else if (s->phase == RUNNING)
		adapt(s, now);
}

static enum nt_status several_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)err;
	struct several *s = self(source);
	nt_time now = nt_clock_now();
	if (s->phase == OPENING)
		look_at_opening(s);
	bool active = s->phase == RUNNING || s->phase == LAST;
	if (active && !s->in_round && (now >= s->next_round || s->phase == LAST))
		begin_round(s, now);
	if (s->in_round && !tell_some(s, budget))
		end_round(s, now);
	*take = nt_outbox_take(&s->box);
	return *take ? NT_OK : s->phase == END ? NT_END : NT_AGAIN;
}

static nt_time several_rest(struct nt_source *source)
{
	const struct several *s = self(source);
	const nt_time least = REST_LEAST_MS * NT_NS_PER_MS;
	if (s->phase == IDLE || s->phase == REFUSED)
		return TRY_AGAIN_MS * NT_NS_PER_MS;
	nt_time rest = s->attach ? nt_perf_attach_rest(s->attach) : least;
	return rest > least ? rest : least;
}

static int several_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

static void several_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void several_stats(struct nt_source *source, struct nt_source_stats *out)
{
	const struct several *s = self(source);
	*out = s->box.stats;
	out->price_ns += nt_price_of(NT_PRICE_SAMPLE, s->told_count) + nt_price_of(NT_PRICE_FRAME, s->walked);
}

static void several_stop(struct nt_source *source)
{
	struct several *s = self(source);
	if (s->phase == RUNNING) {
		s->phase = LAST;
	} else if (s->phase != LAST) {
		detach(s);
		s->phase = END;
	}
}

static void several_close(struct nt_source *source)
{
	struct several *s = self(source);
	detach(s);
	free(s->members);
	nt_index_fini(&s->by_pid);
	nt_outbox_fini(&s->box);
	free(s);
}

const struct nt_source_ops nt_source_perf_several = {
	.name = "perf",
	.id = NT_SOURCE_PERF,
	.probe = several_probe,
	.open = several_open,
	.add = several_add,
	.remove = several_remove,
	.fd = several_fd,
	.drain = several_drain,
	.give_back = several_give_back,
	.rest = several_rest,
	.on_tick = several_on_tick,
	.stats = several_stats,
	.stop = several_stop,
	.close = several_close,
};
