// SPDX-License-Identifier: GPL-2.0-only
#include "translate/nettrace_facts.h"

#include "decode/eventpipe/rundown_events.h"
#include "source/eventpipe/eventpipe_events.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum {
	PIECE_BYTES = 1 << 16,
	LOOK_EVENTS = 1 << 12, /* that are kept until somebody looks what they are */
};

enum nt_status nt_nettrace_read_through(int fd, const struct nt_nettrace_sink *sink, struct nt_error *err)
{
	uint8_t piece[PIECE_BYTES];
	enum nt_status status = NT_OK;
	ssize_t length = 1;
	if (lseek(fd, 0, SEEK_SET) < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "it cannot be read");
	struct nt_nettrace *trace = nt_nettrace_new(sink, NULL);
	while (status == NT_OK && length > 0) {
		length = read(fd, piece, sizeof(piece));
		if (length > 0)
			status = nt_nettrace_feed(trace, piece, (size_t)length, err);
	}
	if (length < 0)
		status = nt_error_errno(err, NT_ERR_FAILED, errno, "it cannot be read");
	nt_nettrace_settle(trace);
	nt_nettrace_free(trace);
	return status;
}

/* ---- what there are events of ---- */

struct reading {
	struct nt_nettrace_facts *facts;
	struct nt_outbox box;
	struct nt_eventpipe_events events;
	struct nt_nettrace_sink to_events, to_methods;
	bool samples_allocations;
	nt_time first_of_end; /* of what is told when the session is ended; NT_TIME_UNKNOWN = nothing is */
};

/* What it takes to be told this: nothing less was asked for. */
static uint32_t brought_by(const struct nt_event *event)
{
	uint32_t with_stack = event->stack ? NT_WANT_STACKS : 0;
	switch (event->kind) {
	case NT_EV_WALL_SAMPLE:
		return NT_WANT_WALL_SAMPLES;
	case NT_EV_COUNTER:
		return NT_WANT_COUNTERS;
	case NT_EV_GC_START ... NT_EV_GC_MARK:
		return NT_WANT_GC_EVENTS | with_stack;
	case NT_EV_ALLOC_SAMPLED:
	case NT_EV_ALLOC_TICK:
		return NT_WANT_ALLOC_SAMPLES;
	case NT_EV_JIT_START:
		return NT_WANT_JIT_EVENTS | (event->stack ? NT_WANT_JIT_CALLERS : 0);
	case NT_EV_METHOD_LOAD:
		return NT_WANT_JIT_EVENTS;
	case NT_EV_POOL_WORKERS ... NT_EV_POOL_MINMAX:
		return NT_WANT_POOL_EVENTS;
	case NT_EV_POOL_ITEM:
		return NT_WANT_POOL_ITEMS;
	case NT_EV_CONTENTION_START:
	case NT_EV_CONTENTION_STOP:
		return NT_WANT_LOCK_EVENTS | with_stack;
	case NT_EV_EXCEPTION_THROWN:
		return NT_WANT_EXCEPTIONS | with_stack;
	case NT_EV_EXCEPTION_CATCH:
		return NT_WANT_CATCHES;
	case NT_EV_REQUEST:
	case NT_EV_REQUEST_MADE:
		return NT_WANT_SINGLE_REQUESTS;
	case NT_EV_ACTIVITY:
		return NT_WANT_ACTIVITIES;
	default:
		return 0;
	}
}

static void look(struct reading *reading)
{
	struct nt_batch *batch = nt_outbox_take(&reading->box);
	if (!batch)
		return;
	for (size_t i = 0; i < batch->event_count; i++) {
		reading->facts->brings |= brought_by(&batch->events[i]);
		reading->samples_allocations |= batch->events[i].kind == NT_EV_ALLOC_SAMPLED;
	}
	nt_outbox_give_back(&reading->box, batch);
}

/* ---- events ---- */

static void on_start(void *context, const struct nt_nettrace_start *start)
{
	struct reading *reading = context;
	reading->facts->start = *start;
	reading->facts->started = true;
	if (!reading->facts->methods)
		reading->facts->methods = nt_rundown_list_new(start->pid, NULL, 0);
	reading->to_methods = nt_rundown_list_sink(reading->facts->methods);
	reading->to_methods.start(reading->to_methods.context, start);
}

/* What the runtime tells when the session is ended. */
static void take_end(struct reading *reading, const struct nt_nettrace_event *event)
{
	struct nt_nettrace_facts *facts = reading->facts;
	if (event->time < reading->first_of_end)
		reading->first_of_end = event->time;
	if (nt_process_info_is(event->meta))
		nt_process_info_command(event->payload, event->payload_length, facts->command, sizeof(facts->command));
	else if (nt_runtime_start_is(event->meta))
		facts->runtime_told = nt_runtime_start_parse(event->payload, event->payload_length, &facts->runtime) == NT_OK;
	facts->method_count += event->meta->id == NT_RUNDOWN_METHOD;
	reading->to_methods.event(reading->to_methods.context, event);
}

static void on_event(void *context, const struct nt_nettrace_event *event)
{
	struct reading *reading = context;
	struct nt_nettrace_facts *facts = reading->facts;
	if (strcmp(event->meta->provider, NT_RUNDOWN_PROVIDER) == 0 || strcmp(event->meta->provider, NT_STREAM_PROVIDER) == 0) {
		take_end(reading, event);
		return;
	}
	if (event->time > facts->newest)
		facts->newest = event->time;
	reading->to_events.event(reading->to_events.context, event);
	if (reading->box.filling && reading->box.filling->event_count >= LOOK_EVENTS)
		look(reading);
}

/* When nothing more came. A session that is ended tells of the methods then; else what came last is all that is known. */
static nt_time end_of(const struct reading *reading)
{
	const struct nt_nettrace_facts *facts = reading->facts;
	nt_time least = (facts->newest > facts->start.time ? facts->newest : facts->start.time) + 1;
	return facts->whole && reading->first_of_end != NT_TIME_UNKNOWN && reading->first_of_end > least ? reading->first_of_end : least;
}

void nt_nettrace_facts_read(struct nt_nettrace_facts *facts, int fd)
{
	*facts = (struct nt_nettrace_facts){ 0 };
	struct reading reading = { .facts = facts, .first_of_end = NT_TIME_UNKNOWN };
	nt_outbox_init(&reading.box, NT_SOURCE_EVENTPIPE);
	reading.events = (struct nt_eventpipe_events){ .box = &reading.box, .tids = nt_inner_tids_new("", true) };
	reading.to_events = nt_eventpipe_events_sink(&reading.events, NT_EVENTPIPE_WHOLE);
	const struct nt_nettrace_sink sink = { .context = &reading, .start = on_start, .event = on_event };
	enum nt_status status = nt_nettrace_read_through(fd, &sink, &facts->damage);
	look(&reading);
	facts->whole = status == NT_END;
	facts->end = end_of(&reading);
	facts->ticks = facts->brings & NT_WANT_ALLOC_SAMPLES && !reading.samples_allocations;
	nt_inner_tids_free(reading.events.tids);
	nt_outbox_fini(&reading.box);
}

void nt_nettrace_facts_fini(struct nt_nettrace_facts *facts)
{
	nt_rundown_list_free(facts->methods);
}
