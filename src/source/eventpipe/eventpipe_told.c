// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_told.h"

#include "base/alloc.h"
#include "base/told_text.h"
#include "source/common/inner_tids.h"
#include "source/common/price.h"
#include "source/common/tell_course.h"
#include "source/eventpipe/event_tap.h"
#include "target/process/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIELD_BYTES = 8192, /* of an event's fields as text */
	STACK_MAX = 128,
	MORE_KINDS = 64, /* that are counted apart at a time */
};

/* Of a kind, since they were told last. */
struct more {
	nt_str provider, name;
	uint32_t id;
	uint64_t count, bytes;
};

struct nt_eventpipe_told {
	const struct nt_source_config *config; /* borrowed */
	struct nt_outbox *box;                 /* borrowed */
	struct nt_inner_tids *tids;            /* borrowed */
	const struct nt_target *target;        /* borrowed */
	struct nt_event_pattern chosen[NT_EVENT_PATTERNS_MAX], asked[NT_EVENT_PATTERNS_MAX];
	size_t chosen_count, asked_count;
	struct nt_tell_course course;
	struct nt_event_tap *tap; /* owned; of `asked` */
	uint64_t past_price_ns;   /* of earlier sessions */
	uint64_t number;          /* of the one that was told last */
	struct more more[MORE_KINDS];
	size_t more_count;
	nt_time more_until;
};

struct nt_eventpipe_told *nt_eventpipe_told_new(const struct nt_source_config *config, struct nt_outbox *box, struct nt_inner_tids *tids,
						const struct nt_target *target)
{
	struct nt_eventpipe_told *told = nt_alloc(sizeof(*told));
	told->config = config;
	told->box = box;
	told->tids = tids;
	told->target = target;
	return told;
}

static void close_tap(struct nt_eventpipe_told *told)
{
	if (told->tap)
		told->past_price_ns += nt_event_tap_price_ns(told->tap);
	nt_event_tap_close(told->tap);
	told->tap = NULL;
	nt_tell_course_closed(&told->course);
}

void nt_eventpipe_told_free(struct nt_eventpipe_told *told)
{
	if (!told)
		return;
	close_tap(told);
	free(told);
}

/* ---- what comes ---- */

static void flush_more(struct nt_eventpipe_told *told)
{
	for (size_t i = 0; i < told->more_count; i++) {
		const struct more *more = &told->more[i];
		struct nt_event *event = nt_outbox_add(told->box, NT_EV_TOLD_MORE, told->more_until, told->target->pid, 0);
		event->u.told_more = (struct nt_ev_told_more){
			.provider = more->provider, .name = more->name, .id = more->id, .count = more->count, .payload_bytes = more->bytes
		};
	}
	told->more_count = 0;
}

static void count_more(struct nt_eventpipe_told *told, const struct nt_told_event *event)
{
	/* Announced in the batch that the count goes with: that is the one that is filled now, until this look is over. */
	nt_str provider = nt_outbox_str(told->box, nt_told_provider(event->provider)), name = nt_outbox_str(told->box, event->name);
	size_t i = 0;
	while (i < told->more_count && (told->more[i].provider != provider || told->more[i].name != name || told->more[i].id != event->id))
		i++;
	if (i == MORE_KINDS) {
		flush_more(told);
		i = 0;
	}
	if (i == told->more_count)
		told->more[told->more_count++] = (struct more){ .provider = provider, .name = name, .id = event->id };
	told->more[i].count++;
	told->more[i].bytes += event->payload_bytes;
	told->more_until = event->time;
}

/* 0: it has none. */
static nt_stack stack_of(struct nt_eventpipe_told *told, const struct nt_told_event *event)
{
	uint64_t addresses[STACK_MAX];
	unsigned count = (unsigned)(event->address_count < STACK_MAX ? event->address_count : STACK_MAX);
	if (!count)
		return 0;
	memcpy(addresses, event->addresses, count * sizeof(*addresses));
	return nt_interner_stack(told->box->interner, nt_outbox_batch(told->box), addresses, 0, count);
}

static void on_event(void *context, const struct nt_told_event *event)
{
	struct nt_eventpipe_told *told = context;
	bool cut;
	if (told->course.ends && !told->config->told_ear)
		return; /* nobody wants it any more */
	if (!nt_tell_course_takes(&told->course)) {
		count_more(told, event);
		return;
	}
	uint32_t tid = nt_inner_tids_outer(told->tids, (uint32_t)event->tid, event->time);
	char *lines = nt_told_lines(event, FIELD_BYTES, &cut);
	nt_stack stack = stack_of(told, event);
	struct nt_event *built = nt_outbox_add(told->box, NT_EV_TOLD, event->time, told->target->pid, tid);
	built->stack = stack;
	built->u.told = (struct nt_ev_told){ .provider = nt_outbox_str(told->box, nt_told_provider(event->provider)),
					     .name = nt_outbox_str(told->box, event->name),
					     .id = event->id,
					     .payload_bytes = (uint32_t)event->payload_bytes,
					     .cut = cut,
					     .activity = { event->activity[0], event->activity[1] },
					     .number = ++told->number };
	nt_batch_add_told(nt_outbox_batch(told->box), lines, strlen(lines));
	free(lines);
	if (told->config->told_ear)
		told->config->told_ear->hear(told->config->told_ear->context, event, told->number);
}

static void on_lost(void *context, uint64_t count, nt_time time)
{
	struct nt_eventpipe_told *told = context;
	const struct nt_ev_lost said = {
		.count = count, .count_known = 1, .what = NT_LOST_EVENTS, .from = NT_TIME_UNKNOWN, .of = NT_WANT_TOLD
	};
	nt_outbox_lost(told->box, time, told->target->pid, &said);
}

/* ---- what is said of it ---- */

static void state(struct nt_eventpipe_told *told, nt_time now, enum nt_telling_state state, const struct nt_error *err)
{
	char reason[2 * NT_ERROR_TEXT] = "";
	if (err)
		nt_error_reason(err, reason, sizeof(reason));
	struct nt_event *event = nt_outbox_add(told->box, NT_EV_TELLING, now, told->target->pid, 0);
	event->u.telling.state = (uint32_t)state;
	event->u.telling.reason = nt_outbox_str(told->box, reason);
	event->u.telling.fix = nt_outbox_str(told->box, err ? err->fix : NULL);
}

/* ---- the session ---- */

static void begin(struct nt_eventpipe_told *told, nt_time now)
{
	struct nt_error err = { 0 };
	const struct nt_event_sink sink = { .context = told, .event = on_event, .lost = on_lost };
	memcpy(told->asked, told->chosen, sizeof(told->asked));
	told->asked_count = told->chosen_count;
	if (nt_event_tap_open(told->target, told->config, told->asked, told->asked_count, &sink, now, &told->tap, &err) != NT_OK) {
		told->tap = NULL;
		told->course.refused = true;
		state(told, now, NT_TELLING_NOT, &err);
		return;
	}
	state(told, now, NT_TELLING_STARTING, NULL);
}

/* It has ended, or goes no further. */
static void over(struct nt_eventpipe_told *told, nt_time now, enum nt_status status, struct nt_error *err)
{
	bool asked_to = told->course.ends;
	close_tap(told);
	if (asked_to)
		return;
	told->course.refused = true;
	if (status == NT_END)
		nt_error_set(err, NT_ERR_GONE, "the runtime has ended their session");
	state(told, now, NT_TELLING_NOT, err);
}

static void read_on(struct nt_eventpipe_told *told, nt_time now)
{
	struct nt_error err = { 0 };
	nt_tell_course_make_room(&told->course, now);
	enum nt_status status = nt_event_tap_advance(told->tap, now, &err);
	enum nt_tell_news news = nt_tell_course_news(&told->course, status, nt_event_tap_began(told->tap), now);
	if (news == NT_TELL_NOW_ON)
		state(told, now, NT_TELLING_ON, NULL);
	flush_more(told);
	if (news == NT_TELL_OVER)
		over(told, now, status, &err);
}

static enum nt_tell_turn turn_of(struct nt_eventpipe_told *told, nt_time now)
{
	bool changed = told->asked_count != told->chosen_count || memcmp(told->asked, told->chosen, sizeof(told->asked)) != 0;
	return nt_tell_course_turn(&told->course, told->tap != NULL, changed, told->chosen_count > 0, now);
}

void nt_eventpipe_told_go_on(struct nt_eventpipe_told *told, nt_time now)
{
	if (told->tap)
		read_on(told, now);
	if (turn_of(told, now) == NT_TELL_STOP && !nt_event_tap_stop(told->tap, now))
		close_tap(told);
	if (turn_of(told, now) == NT_TELL_BEGIN)
		begin(told, now);
}

void nt_eventpipe_told_choose(struct nt_eventpipe_told *told, const struct nt_event_pattern *patterns, size_t count)
{
	memset(told->chosen, 0, sizeof(told->chosen));
	if (count)
		memcpy(told->chosen, patterns, count * sizeof(*patterns));
	told->chosen_count = count;
	told->course.refused = false;
}

void nt_eventpipe_told_want(struct nt_eventpipe_told *told, bool wanted)
{
	nt_tell_course_want(&told->course, wanted);
}

bool nt_eventpipe_told_is_busy(const struct nt_eventpipe_told *told)
{
	return told->tap || (told->course.wanted && told->chosen_count && !told->course.refused);
}

void nt_eventpipe_told_pause(struct nt_eventpipe_told *told, nt_time now)
{
	/* The runtime notices a closed connection only when it writes the next time. */
	if (told->tap && !told->course.ends)
		nt_event_tap_stop(told->tap, now);
	close_tap(told);
}

uint64_t nt_eventpipe_told_price_ns(const struct nt_eventpipe_told *told)
{
	return told->past_price_ns + (told->tap ? nt_event_tap_price_ns(told->tap) : 0);
}
