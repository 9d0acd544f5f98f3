// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_events.h"

#include "decode/clr/clr.h"
#include "decode/common/reader.h"
#include "decode/eventpipe/activity_events.h"
#include "decode/eventpipe/clr_shapes.h"
#include "decode/eventpipe/pool_item_events.h"
#include "decode/eventpipe/request_events.h"

#include "source/common/price.h"
#include "source/eventpipe/eventpipe_plan.h"

#include <stdio.h>
#include <string.h>

enum { STACK_MAX = 128 };

/*
 * What else the runtime sends with the keywords that are asked for, when it cannot filter: parts of collections, locks, threads and modules that nothing
 * is made of.
 */
static const uint32_t neighbours[] = { 5,   6,   10,  29,  33,  36,  37,  38,  39,  58,  70,  71,  82,  83,  84,  90, 150,
				       151, 152, 153, 154, 155, 156, 157, 190, 200, 201, 202, 203, 206, 207, 208, 209 };

/* What is known of a kind of event is kept with its metadata: a description of clr_events.def, or one of these. */
static const struct nt_clr_desc nothing_to_show, not_in_the_table, counter, connections, wall_sample;

/* Likewise: events that EventSources are asked for, one by one. */
static const struct single {
	struct nt_clr_desc desc; /* its address is what is kept */
	bool (*is)(const struct nt_nettrace_meta *meta);
	enum nt_status (*build)(const struct nt_nettrace_event *event, const struct nt_clr_at *at);
	const char *name;    /* of one that cannot be read */
	enum nt_price price; /* of each */
	uint32_t wanted;     /* enum nt_demand bit: for whose sake */
} singles[] = {
	{ .is = nt_request_event_is,
	  .build = nt_request_event_build,
	  .name = "request",
	  .price = NT_PRICE_REQUEST,
	  .wanted = NT_WANT_SINGLE_REQUESTS },
	{ .is = nt_activity_event_is,
	  .build = nt_activity_event_build,
	  .name = "activity",
	  .price = NT_PRICE_ACTIVITY,
	  .wanted = NT_WANT_ACTIVITIES },
	{ .is = nt_pool_item_event_is,
	  .build = nt_pool_item_event_build,
	  .name = "work item",
	  .price = NT_PRICE_POOL_ITEM,
	  .wanted = NT_WANT_POOL_ITEMS },
};
enum { SINGLES = sizeof(singles) / sizeof(*singles) };

/* NULL: it is none of them. */
static const struct single *single_of(const struct nt_clr_desc *desc)
{
	for (size_t i = 0; i < SINGLES; i++)
		if (desc == &singles[i].desc)
			return &singles[i];
	return NULL;
}

static bool is_neighbour(uint32_t id)
{
	for (size_t i = 0; i < sizeof(neighbours) / sizeof(*neighbours); i++)
		if (neighbours[i] == id)
			return true;
	return false;
}

static __attribute__((noinline)) nt_stack new_stack(struct nt_eventpipe_events *events, struct nt_batch *batch,
						    struct nt_nettrace_stack *stack)
{
	uint64_t addresses[STACK_MAX];
	unsigned count = stack->count < STACK_MAX ? stack->count : STACK_MAX;
	memcpy(addresses, stack->addresses, count * sizeof(*addresses));
	nt_stack id = nt_interner_stack(events->box->interner, batch, addresses, 0, count);
	stack->user = (uint64_t)batch->epoch << 32 | id;
	return id;
}

/* Many events have the same stack, under the same number: its id is noted with it, and the epoch in which that id is valid. 0 = it has none. */
static nt_stack stack_of(struct nt_eventpipe_events *events, struct nt_batch *batch, struct nt_nettrace_stack *stack)
{
	if (!stack)
		return 0;
	return stack->user >> 32 == batch->epoch ? (nt_stack)stack->user : new_stack(events, batch, stack);
}

static bool is_allocation(uint32_t kind)
{
	return kind == NT_EV_ALLOC_SAMPLED || kind == NT_EV_ALLOC_TICK;
}

/* Who asked for it is a question for few kinds of events; the stacks of the others are those of the runtime's own work. */
static bool wants_stack(uint32_t kind)
{
	return kind == NT_EV_GC_TRIGGERED || kind == NT_EV_EXCEPTION_THROWN || kind == NT_EV_CONTENTION_START || kind == NT_EV_JIT_START ||
	       is_allocation(kind);
}

/* A wait lasts until its end, an exception until it is caught. */
static bool says_something_of_where(uint32_t kind)
{
	return wants_stack(kind) || kind == NT_EV_CONTENTION_STOP || kind == NT_EV_EXCEPTION_CATCH || kind == NT_EV_EXCEPTION_STEP;
}

/* A runtime that cannot filter sends more to a session beside the one where it counts. */
static bool takes(enum nt_eventpipe_role role, uint32_t id, uint32_t kind)
{
	switch (role) {
	case NT_EVENTPIPE_WHERE:
		return says_something_of_where(kind) && kind != NT_EV_ALLOC_TICK;
	case NT_EVENTPIPE_TICKS:
		return kind == NT_EV_ALLOC_TICK;
	case NT_EVENTPIPE_HISTORIES:
		return nt_eventpipe_plan_is_history(id);
	default:
		return true;
	}
}

static bool counts(enum nt_eventpipe_role role)
{
	return role == NT_EVENTPIPE_COUNTS || role == NT_EVENTPIPE_WHOLE;
}

/* Beside one that counts somebody else's session may have brought these; in a file they were asked for. */
static bool is_told_beside_alone(uint32_t kind)
{
	return kind == NT_EV_ALLOC_TICK || kind == NT_EV_EXCEPTION_STEP;
}

static const struct nt_clr_desc *classify(const struct nt_nettrace_meta *meta, enum nt_eventpipe_role role)
{
	if (role == NT_EVENTPIPE_REQUESTS && nt_connections_event_is(meta))
		return &connections;
	if (nt_counter_event_is(meta))
		return &counter;
	for (size_t i = 0; i < SINGLES; i++)
		if (singles[i].is(meta))
			return &singles[i].desc;
	if (strcmp(meta->provider, NT_SAMPLER_PROVIDER) == 0)
		return &wall_sample;
	if (strcmp(meta->provider, NT_CLR_PROVIDER) != 0)
		return &nothing_to_show; /* the stream's own words at its end, other events of an EventSource with counters */
	const struct nt_clr_desc *desc = nt_clr_by_id(meta->provider, meta->id, meta->version);
	if (!counts(role) && (!desc || !takes(role, meta->id, desc->kind)))
		return &nothing_to_show;
	if (desc)
		return desc;
	bool known = is_neighbour(meta->id) || (role == NT_EVENTPIPE_WHOLE && nt_clr_shape_find(meta->id));
	return known ? &nothing_to_show : &not_in_the_table;
}

/* The sampler's payload: 1 = the thread was in native code, 2 = in managed code (EventPipeSampleProfilerSampleType). */
static void build_wall_sample(struct nt_eventpipe_events *events, const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	enum { MANAGED = 2 };
	struct nt_reader reader = nt_reader_of(event->payload, event->payload_length);
	bool managed = nt_reader_u32(&reader) == MANAGED;
	if (reader.bad) {
		nt_clr_build_unknown("sample", at);
		return;
	}
	struct nt_event *built = nt_batch_add(at->batch, NT_EV_WALL_SAMPLE, at->time, at->pid, at->tid);
	built->u.wall_sample.managed = managed;
	if (managed)
		built->stack = stack_of(events, at->batch, event->stack);
}

static __attribute__((noinline)) struct nt_event *build_unknown(const struct nt_nettrace_meta *meta, const struct nt_clr_at *at)
{
	char name[32];
	snprintf(name, sizeof(name), "event %u", meta->id);
	return nt_clr_build_unknown(name, at);
}

/*
 * For a text that is null EventPipe writes the word NULL (genEventPipe.py): for the message of an exception that has none, and for every type that Native AOT
 * allocates. A message that is this word in earnest cannot be told from it: neither is known.
 */
static void forget_word_for_null(struct nt_event *event, const struct nt_clr_at *at)
{
	nt_str *text = event->kind == NT_EV_EXCEPTION_THROWN ? &event->u.exception.message
		       : is_allocation(event->kind)          ? &event->u.alloc.type_name
							     : NULL;
	if (text && *text == nt_interner_cstr(at->interner, at->batch, "NULL"))
		*text = 0;
}

/* Where it is caught: the stack of the event is still that of the throw, with the runtime's own frames before it. */
static nt_stack catch_block(struct nt_eventpipe_events *events, struct nt_batch *batch, const struct nt_ev_exception_catch *caught)
{
	return caught->entry_eip ? nt_interner_stack(events->box->interner, batch, &caught->entry_eip, 0, 1) : 0;
}

static void build(struct nt_eventpipe_events *events, const struct nt_nettrace_event *event, const struct nt_clr_desc *desc,
		  enum nt_eventpipe_role role)
{
	struct nt_batch *batch = nt_outbox_batch(events->box);
	const struct nt_clr_at at = {
		.interner = events->box->interner,
		.batch = batch,
		.time = event->time,
		.pid = events->pid,
		.tid = nt_inner_tids_outer(events->tids, (uint32_t)event->thread, event->time),
	};
	if (desc == &counter) {
		nt_counter_event_build(&events->counters, event, &at);
		return;
	}
	if (desc == &connections) {
		nt_connections_event_build(event, &at);
		return;
	}
	const struct single *single = single_of(desc);
	if (single) {
		if (single->build(event, &at) == NT_ERR_MALFORMED)
			nt_clr_build_unknown(single->name, &at);
		return;
	}
	if (desc == &wall_sample) {
		build_wall_sample(events, event, &at);
		return;
	}
	struct nt_event *built;
	if (desc == &not_in_the_table || nt_clr_build_packed(desc, event->payload, event->payload_length, &at, &built) != NT_OK)
		built = build_unknown(event->meta, &at);
	if (!built)
		return;
	forget_word_for_null(built, &at);
	nt_inner_tids_translate(events->tids, built);
	built->beside = !counts(role) || (role == NT_EVENTPIPE_WHOLE && is_told_beside_alone(built->kind));
	if (wants_stack(built->kind))
		built->stack = stack_of(events, batch, event->stack);
	else if (built->kind == NT_EV_EXCEPTION_CATCH)
		built->stack = catch_block(events, batch, &built->u.exception_catch);
}

/* Also of an event that nothing is made of. */
static uint64_t price_of(const struct nt_nettrace_event *event, const struct nt_clr_desc *desc)
{
	const struct single *single = single_of(desc);
	if (single)
		return nt_price_of(single->price, 1);
	if (desc == &wall_sample)
		return nt_price_of(NT_PRICE_WALL_SAMPLE, 1);
	if ((desc->kind == NT_EV_JIT_START || desc->kind == NT_EV_METHOD_LOAD) && !event->stack)
		return nt_price_of(NT_PRICE_COMPILATION, 1);
	if (desc->kind == NT_EV_EXCEPTION_CATCH || desc->kind == NT_EV_EXCEPTION_STEP)
		return nt_price_of(NT_PRICE_CATCH, 1);
	return nt_price_of(event->stack ? NT_PRICE_EVENTPIPE_STACK : NT_PRICE_EVENTPIPE, 1);
}

static void note_time(struct nt_eventpipe_events *events, nt_time time)
{
	if (time > events->newest)
		events->newest = time;
	if (time > events->newest_here)
		events->newest_here = time;
}

static void take_in(struct nt_eventpipe_events *events, const struct nt_nettrace_event *event, enum nt_eventpipe_role role)
{
	if (!event->meta->user)
		event->meta->user = classify(event->meta, role);
	const struct nt_clr_desc *desc = event->meta->user;
	note_time(events, event->time);
	uint64_t price_ns = price_of(event, desc);
	events->price_ns += price_ns;
	const struct single *single = single_of(desc);
	if (single)
		*(single->wanted & NT_WANT_EACH_REQUEST ? &events->request_price_ns : &events->item_price_ns) += price_ns;
	if (desc != &nothing_to_show)
		build(events, event, desc, role);
}

static void on_counted(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_COUNTS);
}

static void on_where(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_WHERE);
}

/* What becomes of an exception, and who compiles, is taken of those that are told beside alone. */
static bool is_told_beside_too(const struct nt_nettrace_event *event, const struct nt_clr_desc *desc)
{
	bool of_exceptions = desc->kind == NT_EV_EXCEPTION_THROWN || desc->kind == NT_EV_EXCEPTION_CATCH;
	return of_exceptions || (desc->kind == NT_EV_JIT_START && event->stack);
}

static void on_whole(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_WHOLE);
	const struct nt_clr_desc *desc = event->meta->user;
	if (is_told_beside_too(event, desc))
		build(context, event, desc, NT_EVENTPIPE_WHERE);
}

static const struct nt_moment_asked *asked_of(const struct nt_eventpipe_events *events, const struct nt_nettrace_meta *meta)
{
	if (strcmp(meta->provider, NT_CLR_PROVIDER) != 0)
		return NULL;
	for (size_t i = 0; i < events->moment_count; i++)
		if (events->moments[i].runtime && events->moments[i].runtime->id == meta->id)
			return &events->moments[i];
	return NULL;
}

/* The bytes that an event tells of; of one that cannot be read 0. The event itself is not wanted. */
static uint64_t bytes_of(const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	const struct nt_clr_desc *desc = nt_clr_by_id(event->meta->provider, event->meta->id, event->meta->version);
	struct nt_event *built;
	if (!desc || nt_clr_build_packed(desc, event->payload, event->payload_length, at, &built) != NT_OK || !built)
		return 0;
	uint64_t bytes = built->kind == NT_EV_ALLOC_TICK ? built->u.alloc.amount_bytes : 0;
	nt_batch_take_back(at->batch);
	return bytes;
}

static void build_moment(struct nt_eventpipe_events *events, const struct nt_nettrace_event *event, const struct nt_moment_asked *asked)
{
	struct nt_batch *batch = nt_outbox_batch(events->box);
	const struct nt_clr_at at = {
		.interner = events->box->interner,
		.batch = batch,
		.time = event->time,
		.pid = events->pid,
		.tid = nt_inner_tids_outer(events->tids, (uint32_t)event->thread, event->time),
	};
	uint64_t weight = asked->unit == NT_MOMENT_BYTES ? bytes_of(event, &at) : 1;
	struct nt_event *built = nt_batch_add(batch, NT_EV_MOMENT, event->time, events->pid, at.tid);
	built->stack = stack_of(events, batch, event->stack);
	built->u.moment = (struct nt_ev_moment){ .weight = weight,
						 .count = 1,
						 .what = (uint32_t)(asked - events->moments),
						 .cut = event->stack && event->stack->count >= STACK_MAX };
}

static void on_moment(void *context, const struct nt_nettrace_event *event)
{
	struct nt_eventpipe_events *events = context;
	const struct nt_moment_asked *asked = asked_of(events, event->meta);
	note_time(events, event->time);
	events->price_ns += price_of(event, &nothing_to_show);
	if (asked)
		build_moment(events, event, asked);
}

static void on_history(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_HISTORIES);
}

static void on_tick(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_TICKS);
}

static void on_request(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_REQUESTS);
}

static void on_activity(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_ACTIVITIES);
}

static void on_pool_item(void *context, const struct nt_nettrace_event *event)
{
	take_in(context, event, NT_EVENTPIPE_POOL_ITEMS);
}

static void on_start(void *context, const struct nt_nettrace_start *start)
{
	struct nt_eventpipe_events *events = context;
	events->began = events->began_here = start->time;
}

static void say_lost(struct nt_eventpipe_events *events, const struct nt_nettrace_lost *lost, uint32_t of)
{
	struct nt_ev_lost said = { .count = lost->count, .count_known = 1, .what = NT_LOST_EVENTS, .from = lost->from, .of = of };
	nt_outbox_lost(events->box, lost->until, events->pid, &said);
}

/* Each stream has a buffer of its own: requests are lost of theirs alone, and so are activities and work items. */
static void on_lost(void *context, const struct nt_nettrace_lost *lost)
{
	say_lost(context, lost, ~(uint32_t)(NT_WANT_EACH_REQUEST | NT_WANT_POOL_ITEMS | NT_WANT_TOLD));
}

/* It is one stream with one buffer for all. */
static void on_lost_any(void *context, const struct nt_nettrace_lost *lost)
{
	say_lost(context, lost, 0);
}

static void on_lost_requests(void *context, const struct nt_nettrace_lost *lost)
{
	say_lost(context, lost, NT_WANT_SINGLE_REQUESTS);
}

static void on_lost_activities(void *context, const struct nt_nettrace_lost *lost)
{
	say_lost(context, lost, NT_WANT_ACTIVITIES);
}

static void on_lost_pool_items(void *context, const struct nt_nettrace_lost *lost)
{
	say_lost(context, lost, NT_WANT_POOL_ITEMS);
}

struct nt_nettrace_sink nt_eventpipe_events_sink(struct nt_eventpipe_events *events, enum nt_eventpipe_role role)
{
	static const struct {
		void (*event)(void *context, const struct nt_nettrace_event *event);
		void (*lost)(void *context, const struct nt_nettrace_lost *lost);
	} of[NT_EVENTPIPE_ROLES] = {
		[NT_EVENTPIPE_COUNTS] = { on_counted, on_lost },
		[NT_EVENTPIPE_WHERE] = { on_where, on_lost },
		[NT_EVENTPIPE_MOMENTS] = { on_moment, on_lost },
		[NT_EVENTPIPE_HISTORIES] = { on_history, on_lost },
		[NT_EVENTPIPE_TICKS] = { on_tick, on_lost },
		[NT_EVENTPIPE_REQUESTS] = { on_request, on_lost_requests },
		[NT_EVENTPIPE_ACTIVITIES] = { on_activity, on_lost_activities },
		[NT_EVENTPIPE_POOL_ITEMS] = { on_pool_item, on_lost_pool_items },
		[NT_EVENTPIPE_WHOLE] = { on_whole, on_lost_any },
	};
	return (struct nt_nettrace_sink){ .context = events, .start = on_start, .event = of[role].event, .lost = of[role].lost };
}
