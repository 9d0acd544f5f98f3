// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/tell_lttng.h"

#include "app/common/events_feed.h"
#include "base/alloc.h"
#include "base/told_text.h"
#include "source/common/inner_tids.h"
#include "source/common/sources.h"
#include "source/common/tell_course.h"
#include "target/process/target.h"

#include <stdlib.h>
#include <string.h>

enum {
	FIELD_BYTES = 8192, /* of an event's fields as text */
	MORE_KINDS = 64,    /* that are counted apart at a time */
	PROVIDER = 1,       /* texts of a batch, each announced with what says it */
	NAME = 2,
	REASON = 1,
	FIX = 2,
};

/* Of a kind, since they were told last. */
struct more {
	const char *provider, *name; /* the table's of shapes */
	uint32_t id;
	uint64_t count, bytes;
};

struct nt_tell_lttng {
	const struct nt_target *target;
	const struct nt_source_config *config;
	struct nt_inputs *inputs;
	struct nt_inner_tids *tids;    /* owned */
	struct nt_events_named chosen; /* its lttng alone */
	struct nt_tell_course course;
	bool changed;                /* the session is of others */
	struct nt_events_feed *feed; /* owned; NULL = none */
	uint64_t number;             /* of the one that was told last */
	struct more more[MORE_KINDS];
	size_t more_count;
	nt_time more_until;
};

struct nt_tell_lttng *nt_tell_lttng_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_inputs *inputs)
{
	struct nt_tell_lttng *tell = nt_alloc(sizeof(*tell));
	bool same_namespace = nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self");
	tell->target = target;
	tell->config = config;
	tell->inputs = inputs;
	tell->tids = nt_inner_tids_new(target->proc_dir, same_namespace);
	return tell;
}

static void close_feed(struct nt_tell_lttng *tell)
{
	nt_events_feed_close(tell->feed);
	tell->feed = NULL;
	tell->changed = false;
	nt_tell_course_closed(&tell->course);
}

void nt_tell_lttng_free(struct nt_tell_lttng *tell)
{
	if (!tell)
		return;
	close_feed(tell);
	nt_inner_tids_free(tell->tids);
	free(tell);
}

/* ---- what comes ---- */

static void announce(struct nt_tell_lttng *tell, nt_str id, const char *text)
{
	nt_batch_announce_str(tell->inputs->own, id, text, strlen(text));
}

static struct nt_event *begin_event(struct nt_tell_lttng *tell, enum nt_event_kind kind, nt_time time)
{
	return nt_inputs_begin(tell->inputs, NT_SOURCE_APP, kind, time, tell->target->pid);
}

static void flush_more(struct nt_tell_lttng *tell)
{
	for (size_t i = 0; i < tell->more_count; i++) {
		const struct more *more = &tell->more[i];
		begin_event(tell, NT_EV_TOLD_MORE, tell->more_until)->u.told_more = (struct nt_ev_told_more){
			.provider = PROVIDER, .name = NAME, .id = more->id, .count = more->count, .payload_bytes = more->bytes
		};
		announce(tell, PROVIDER, nt_told_provider(more->provider));
		announce(tell, NAME, more->name);
		nt_inputs_send(tell->inputs);
	}
	tell->more_count = 0;
}

static void count_more(struct nt_tell_lttng *tell, const struct nt_told_event *event)
{
	size_t i = 0;
	while (i < tell->more_count && tell->more[i].name != event->name)
		i++;
	if (i == MORE_KINDS) {
		flush_more(tell);
		i = 0;
	}
	if (i == tell->more_count)
		tell->more[tell->more_count++] = (struct more){ .provider = event->provider, .name = event->name, .id = event->id };
	tell->more[i].count++;
	tell->more[i].bytes += event->payload_bytes;
	tell->more_until = event->time;
}

static void on_event(void *context, const struct nt_told_event *event)
{
	struct nt_tell_lttng *tell = context;
	bool cut;
	if (tell->course.ends)
		return; /* nobody wants it any more */
	if (!nt_tell_course_takes(&tell->course)) {
		count_more(tell, event);
		return;
	}
	char *lines = nt_told_lines(event, FIELD_BYTES, &cut);
	struct nt_event *built = begin_event(tell, NT_EV_TOLD, event->time);
	built->tid = nt_inner_tids_outer(tell->tids, (uint32_t)event->tid, event->time);
	built->u.told = (struct nt_ev_told){ .provider = PROVIDER,
					     .name = NAME,
					     .id = event->id,
					     .payload_bytes = (uint32_t)event->payload_bytes,
					     .cut = cut,
					     .number = ++tell->number };
	nt_batch_add_told(tell->inputs->own, lines, strlen(lines));
	announce(tell, PROVIDER, nt_told_provider(event->provider));
	announce(tell, NAME, event->name);
	nt_inputs_send(tell->inputs);
	free(lines);
}

static void say_lost(struct nt_tell_lttng *tell, uint64_t count, bool known, nt_time time)
{
	begin_event(tell, NT_EV_LOST, time)->u.lost = (struct nt_ev_lost){
		.count = count, .count_known = known, .what = NT_LOST_EVENTS, .from = NT_TIME_UNKNOWN, .of = NT_WANT_TOLD
	};
	nt_inputs_send(tell->inputs);
}

static void on_lost(void *context, uint64_t count, nt_time time)
{
	say_lost(context, count, true, time);
}

static void on_some_lost(void *context, nt_time time)
{
	say_lost(context, 0, false, time);
}

/* ---- what is said of it ---- */

static void state(struct nt_tell_lttng *tell, nt_time now, enum nt_telling_state state, const struct nt_error *err)
{
	char reason[2 * NT_ERROR_TEXT] = "";
	if (err)
		nt_error_reason(err, reason, sizeof(reason));
	struct nt_event *event = begin_event(tell, NT_EV_TELLING, now);
	event->u.telling.state = (uint32_t)state;
	if (*reason) {
		event->u.telling.reason = REASON;
		announce(tell, REASON, reason);
	}
	if (err && *err->fix) {
		event->u.telling.fix = FIX;
		announce(tell, FIX, err->fix);
	}
	nt_inputs_send(tell->inputs);
}

/* ---- the session ---- */

static enum nt_status may_begin(const struct nt_tell_lttng *tell, struct nt_error *err)
{
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	nt_source_lttng.probe(tell->target, tell->config, &probe);
	if (probe.result == NT_PROBE_AVAILABLE)
		return NT_OK;
	nt_error_set(err, NT_ERR_ABSENT, "%s", probe.reason);
	nt_error_set_fix(err, probe.fix);
	return NT_ERR_ABSENT;
}

static void begin(struct nt_tell_lttng *tell, nt_time now)
{
	const struct nt_lttng_told_sink sink = { .context = tell, .event = on_event, .lost = on_lost, .some_lost = on_some_lost };
	struct nt_error err = { 0 };
	tell->changed = false;
	if (may_begin(tell, &err) == NT_OK &&
	    nt_events_feed_open(tell->target, tell->config, &tell->chosen, &sink, now, &tell->feed, &err) == NT_OK) {
		state(tell, now, NT_TELLING_STARTING, NULL);
		return;
	}
	tell->feed = NULL;
	tell->course.refused = true;
	state(tell, now, NT_TELLING_NOT, &err);
}

/* It has ended, or goes no further. */
static void over(struct nt_tell_lttng *tell, nt_time now, enum nt_status status, struct nt_error *err)
{
	bool asked_to = tell->course.ends;
	close_feed(tell);
	if (asked_to)
		return;
	tell->course.refused = true;
	if (status == NT_END)
		nt_error_set(err, NT_ERR_GONE, "their LTTng session has ended");
	state(tell, now, NT_TELLING_NOT, err);
}

static void read_on(struct nt_tell_lttng *tell, nt_time now)
{
	struct nt_error err = { 0 };
	nt_tell_course_make_room(&tell->course, now);
	enum nt_status status = nt_events_feed_advance(tell->feed, now, &err);
	enum nt_tell_news news = nt_tell_course_news(&tell->course, status, nt_events_feed_began(tell->feed), now);
	if (news == NT_TELL_NOW_ON)
		state(tell, now, NT_TELLING_ON, NULL);
	flush_more(tell);
	if (news == NT_TELL_OVER)
		over(tell, now, status, &err);
}

void nt_tell_lttng_go_on(struct nt_tell_lttng *tell, nt_time now)
{
	if (tell->feed)
		read_on(tell, now);
	switch (nt_tell_course_turn(&tell->course, tell->feed != NULL, tell->changed, tell->chosen.lttng.count > 0, now)) {
	case NT_TELL_STOP:
		nt_events_feed_stop(tell->feed, now);
		break;
	case NT_TELL_BEGIN:
		begin(tell, now);
		break;
	case NT_TELL_STAY:
		break;
	}
}

void nt_tell_lttng_choose(struct nt_tell_lttng *tell, const struct nt_lttng_chosen *chosen)
{
	tell->chosen.lttng = *chosen;
	tell->course.refused = false;
	tell->changed = true;
}

void nt_tell_lttng_want(struct nt_tell_lttng *tell, bool wanted)
{
	nt_tell_course_want(&tell->course, wanted);
}

void nt_tell_lttng_pause(struct nt_tell_lttng *tell)
{
	close_feed(tell);
}
