// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_plan.h"

#include "decode/clr/clr.h"
#include "decode/eventpipe/activity_events.h"
#include "decode/eventpipe/pool_item_events.h"
#include "decode/eventpipe/request_events.h"
#include "nettop/source.h"

#include <limits.h>

/*
 * Keywords of ClrEtwAll.man. Never 0x800000 (GCHeapCollect): switching it on makes the target collect at once. Never all of them, for that reason.
 */
#define KEYWORD_GC                  UINT64_C(0x1)
#define KEYWORD_LOADER              UINT64_C(0x8)
#define KEYWORD_JIT                 UINT64_C(0x10)
#define KEYWORD_CONTENTION          UINT64_C(0x4000)
#define KEYWORD_EXCEPTION           UINT64_C(0x8000)
#define KEYWORD_THREADING           UINT64_C(0x10000)
#define KEYWORD_COMPILATION         UINT64_C(0x1000000000) /* tiering */
#define KEYWORD_ALLOCATION_SAMPLING UINT64_C(0x80000000000)
#define KEYWORD_SAMPLER             UINT64_C(0xf00000000000) /* of the sampler's own provider: as dotnet-trace asks for it */

enum level { LEVEL_CRITICAL = 1, LEVEL_ERROR = 2, LEVEL_INFORMATIONAL = 4, LEVEL_VERBOSE = 5 };

/*
 * .NET 10 sends only the events that it is asked for. Without the first no event of a collection comes at all; 203 would bring allocation ticks. Left out
 * is what nothing is made of: the end of a restart (3) and the finalizers (13, 14).
 */
static const uint32_t usual_ids[] = {
	1,  2,  4,  7,  8,  9,          /* collections */
	50, 51, 54, 55, 57, 59, 85, 86, /* thread pool, threads */
	81, 90, 91,                     /* waits for locks, and that there is one */
};
/*
 * What a collection found in each generation of each heap, and what it decided: as large as all its other events together, and they cost the target as much. And from
 * where it found what stays alive: some five events of each heap.
 */
static const uint32_t history_ids[] = { 202, 204, 205 };
/* Who asked for a collection, who waits for a lock. */
static const uint32_t where_ids[] = { 35, 81, 91 };
/* An exception is thrown, caught, and its catch block has ended; a filter is asked, and has answered. */
static const uint32_t catch_ids[] = { 80, 250, 251, 254, 255 };
static const uint32_t jit_ids[] = { 143, 144, 145, 152, 280, 281, 282, 283, 284 };
static const uint32_t jit_caller_ids[] = { 145 };
static const uint32_t pool_ids[] = { 50, 51, 54, 55, 57, 59 };
static const uint32_t lock_ids[] = { 81, 90, 91 };
static const uint32_t pool_and_lock_ids[] = { 50, 51, 54, 55, 57, 59, 81, 90, 91 };

#define POOL_AND_LOCKS (NT_WANT_POOL_EVENTS | NT_WANT_LOCK_EVENTS)

/* clang-format off */
#define RUNTIME(keywords_, level_) .name = NT_CLR_PROVIDER, .keywords = (keywords_), .level = (level_)
#define ONLY(ids_) .filter = NT_IPC_FILTER_ONLY, .filter_ids = (ids_), .filter_count = sizeof(ids_) / sizeof(*(ids_))

static const struct nt_eventpipe_plan plans[] = {
	{ "events", NT_WANT_RUNTIME_EVENTS, 10, UINT_MAX, false,
	  { RUNTIME(KEYWORD_GC | KEYWORD_CONTENTION | KEYWORD_THREADING, LEVEL_INFORMATIONAL), ONLY(usual_ids) }, NT_COUNTERS_NONE },
	/* Before, Verbose would bring a tick for every 100 KB allocated, and each step of a garbage collection. */
	{ "events", NT_WANT_RUNTIME_EVENTS, 0, 9, false,
	  { RUNTIME(KEYWORD_GC | KEYWORD_CONTENTION | KEYWORD_THREADING, LEVEL_INFORMATIONAL) }, NT_COUNTERS_NONE },
	/* At a higher level each exception is four events and costs the target three times as much, filtered or not. */
	{ "exceptions", NT_WANT_EXCEPTIONS, 0, UINT_MAX, false, { RUNTIME(KEYWORD_EXCEPTION, LEVEL_ERROR) }, NT_COUNTERS_NONE },
	/* A session walks the stack for each of its events, and the walk is half to nine tenths of what an exception costs then. */
	{ "where", NT_WANT_STACKS, 10, UINT_MAX, true,
	  { RUNTIME(KEYWORD_GC | KEYWORD_CONTENTION, LEVEL_INFORMATIONAL), ONLY(where_ids) }, NT_COUNTERS_NONE },
	{ "where", NT_WANT_STACKS, 0, 9, true, { RUNTIME(KEYWORD_GC | KEYWORD_CONTENTION, LEVEL_INFORMATIONAL) }, NT_COUNTERS_NONE },
	{ "where thrown", NT_WANT_STACKS, 0, UINT_MAX, true, { RUNTIME(KEYWORD_EXCEPTION, LEVEL_ERROR) }, NT_COUNTERS_NONE },
	/* In its place: at this level each exception is four events or more, whatever of them is sent. */
	{ "where thrown and caught", NT_WANT_CATCHES, 10, UINT_MAX, true,
	  { RUNTIME(KEYWORD_EXCEPTION, LEVEL_INFORMATIONAL), ONLY(catch_ids) }, NT_COUNTERS_NONE },
	{ "where thrown and caught", NT_WANT_CATCHES, 0, 9, true, { RUNTIME(KEYWORD_EXCEPTION, LEVEL_INFORMATIONAL) }, NT_COUNTERS_NONE },
	{ "heap histories", NT_WANT_GC_HISTORIES, 10, UINT_MAX, false, { RUNTIME(KEYWORD_GC, LEVEL_INFORMATIONAL), ONLY(history_ids) }, NT_COUNTERS_NONE },
	{ "thread pool", NT_WANT_POOL_EVENTS, 0, UINT_MAX, false, { RUNTIME(KEYWORD_THREADING, LEVEL_INFORMATIONAL), ONLY(pool_ids) }, NT_COUNTERS_NONE },
	{ "thread pool and locks", POOL_AND_LOCKS, 0, UINT_MAX, false,
	  { RUNTIME(KEYWORD_THREADING | KEYWORD_CONTENTION, LEVEL_INFORMATIONAL), ONLY(pool_and_lock_ids) }, NT_COUNTERS_NONE },
	{ "locks", NT_WANT_LOCK_EVENTS, 0, UINT_MAX, false, { RUNTIME(KEYWORD_CONTENTION, LEVEL_INFORMATIONAL), ONLY(lock_ids) }, NT_COUNTERS_NONE },
	{ "allocations", NT_WANT_ALLOC_SAMPLES, 10, UINT_MAX, true, { RUNTIME(KEYWORD_ALLOCATION_SAMPLING, LEVEL_INFORMATIONAL) }, NT_COUNTERS_NONE },
	/* Before, there is nothing but the tick for every 100 KB, which comes with each step of a collection. */
	{ "allocation ticks", NT_WANT_ALLOC_SAMPLES, 0, 9, true, { RUNTIME(KEYWORD_GC, LEVEL_VERBOSE) }, NT_COUNTERS_NONE },
	{ "sampler", NT_WANT_WALL_SAMPLES, 0, UINT_MAX, true,
	  { .name = NT_SAMPLER_PROVIDER, .keywords = KEYWORD_SAMPLER, .level = LEVEL_INFORMATIONAL }, NT_COUNTERS_NONE },
	/* What has been allocated is in no event. */
	{ "runtime counters", NT_WANT_RUNTIME_EVENTS | NT_WANT_COUNTERS, 0, UINT_MAX, false, { .name = NULL }, NT_COUNTERS_RUNTIME },
	/* There are Meters of requests from .NET 8 on. Who looks at counters has these among them. */
	{ "requests", NT_WANT_REQUESTS, 8, UINT_MAX, false, { .name = NULL }, NT_COUNTERS_REQUESTS },
	{ "counters", NT_WANT_COUNTERS | NT_WANT_REQUESTS, 0, UINT_MAX, false, { .name = NULL }, NT_COUNTERS_OTHERS },
	/* Without stacks: ASP.NET Core's are deep, and the walk would cost more than the event. */
	{ "single requests", NT_WANT_SINGLE_REQUESTS, 8, UINT_MAX, false,
	  { .name = NT_DIAGNOSTIC_SOURCE_PROVIDER, .keywords = NT_REQUEST_KEYWORDS, .level = LEVEL_INFORMATIONAL, .arguments = NT_REQUEST_SPECS },
	  NT_COUNTERS_NONE },
	/* A session of its own: to open that of the requests anew would end what is told of them. */
	{ "activities", NT_WANT_ACTIVITIES, 8, UINT_MAX, false,
	  { .name = NT_TASK_PROVIDER, .keywords = NT_ACTIVITY_KEYWORDS, .level = LEVEL_VERBOSE }, NT_COUNTERS_NONE },
	/* Without stacks, as those. */
	{ "work items", NT_WANT_POOL_ITEMS, 8, UINT_MAX, false,
	  { .name = NT_FRAMEWORK_PROVIDER, .keywords = NT_POOL_ITEM_KEYWORDS, .level = LEVEL_VERBOSE }, NT_COUNTERS_NONE },
	/*
	 * Methods come at the level Verbose only. To compile a small one costs the target less than its three events do: they are for who looks at them,
	 * and for where they are the only names. The names of modules are in no event of a method.
	 */
	{ "compilations", NT_WANT_JIT_EVENTS, 0, UINT_MAX, false,
	  { RUNTIME(KEYWORD_LOADER | KEYWORD_JIT | KEYWORD_COMPILATION, LEVEL_VERBOSE), ONLY(jit_ids) }, NT_COUNTERS_NONE },
	/* The stacks of the same events' begin: a session walks those of all its events, and the others' say nothing more. */
	{ "who compiles", NT_WANT_JIT_CALLERS, 0, UINT_MAX, true, { RUNTIME(KEYWORD_JIT, LEVEL_VERBOSE), ONLY(jit_caller_ids) }, NT_COUNTERS_NONE },
};
/* clang-format on */

enum nt_eventpipe_role nt_eventpipe_plan_role(const struct nt_eventpipe_plan *plan)
{
	switch (plan->wants) {
	case NT_WANT_STACKS:
	case NT_WANT_CATCHES:
	case NT_WANT_JIT_CALLERS:
		return NT_EVENTPIPE_WHERE;
	case NT_WANT_MOMENTS:
		return NT_EVENTPIPE_MOMENTS;
	case NT_WANT_SINGLE_REQUESTS:
		return NT_EVENTPIPE_REQUESTS;
	case NT_WANT_ACTIVITIES:
		return NT_EVENTPIPE_ACTIVITIES;
	case NT_WANT_POOL_ITEMS:
		return NT_EVENTPIPE_POOL_ITEMS;
	case NT_WANT_GC_HISTORIES:
		return NT_EVENTPIPE_HISTORIES;
	case NT_WANT_ALLOC_SAMPLES:
		return plan->provider.level == LEVEL_VERBOSE ? NT_EVENTPIPE_TICKS : NT_EVENTPIPE_COUNTS;
	default:
		return NT_EVENTPIPE_COUNTS;
	}
}

bool nt_eventpipe_plan_is_history(uint32_t id)
{
	for (size_t i = 0; i < sizeof(history_ids) / sizeof(*history_ids); i++)
		if (history_ids[i] == id)
			return true;
	return false;
}

struct nt_ipc_provider nt_eventpipe_plan_provider(const struct nt_eventpipe_plan *plan, const struct nt_source_config *config)
{
	struct nt_ipc_provider provider = plan->provider;
	if (nt_eventpipe_plan_role(plan) == NT_EVENTPIPE_REQUESTS && config->no_payload)
		provider.arguments = NT_REQUEST_SPECS_BARE;
	return provider;
}

const struct nt_ipc_provider *nt_eventpipe_plan_beside(const struct nt_eventpipe_plan *plan)
{
	static const struct nt_ipc_provider connections = { .name = NT_CONNECTIONS_PROVIDER,
							    .level = LEVEL_CRITICAL,
							    .arguments = NT_CONNECTIONS_ARGUMENTS };
	return nt_eventpipe_plan_role(plan) == NT_EVENTPIPE_REQUESTS ? &connections : NULL;
}

bool nt_eventpipe_plan_can_wait(const struct nt_eventpipe_plan *plan, unsigned demand)
{
	if (plan->counters == NT_COUNTERS_RUNTIME)
		return demand & NT_WANT_JIT_EVENTS;
	return plan->counters != NT_COUNTERS_NONE || nt_eventpipe_plan_role(plan) != NT_EVENTPIPE_COUNTS;
}

bool nt_eventpipe_plan_is_due(const struct nt_eventpipe_plan *plan, bool polled)
{
	return polled || !(nt_counter_set_has_meters(plan->counters) || plan->wants & (NT_WANT_EACH_REQUEST | NT_WANT_POOL_ITEMS));
}

/* Whatever else a session is for, the keyword of exceptions opens LTTng's way for them: never unless they are wanted. */
static bool is_allowed(const struct nt_eventpipe_plan *plan, unsigned demand)
{
	return demand & NT_WANT_EXCEPTIONS || !(plan->provider.keywords & KEYWORD_EXCEPTION);
}

/* Says one what another one says as well, with more? */
static bool is_in_another(const struct nt_eventpipe_plan *plan, unsigned demand)
{
	return plan->wants == NT_WANT_STACKS && plan->provider.keywords == KEYWORD_EXCEPTION && demand & NT_WANT_CATCHES;
}

/* Two that come over one session when both are wanted: pool and locks, counters and requests. */
static bool is_wanted(const struct nt_eventpipe_plan *plan, unsigned demand)
{
	if (nt_counter_set_has_meters(plan->counters))
		return plan->counters == (demand & NT_WANT_COUNTERS   ? NT_COUNTERS_OTHERS
					  : demand & NT_WANT_REQUESTS ? NT_COUNTERS_REQUESTS
								      : NT_COUNTERS_NONE);
	if (plan->counters == NT_COUNTERS_RUNTIME) /* others wait for them: nt_eventpipe_plan_is_due() */
		return demand & (plan->wants | NT_WANT_REQUESTS | NT_WANT_EACH_REQUEST | NT_WANT_POOL_ITEMS);
	if (plan->wants & POOL_AND_LOCKS)
		return plan->wants == (demand & POOL_AND_LOCKS);
	return plan->wants & demand && !is_in_another(plan, demand);
}

void nt_eventpipe_moments_plan(struct nt_eventpipe_moments *moments, struct nt_eventpipe_events *events,
			       const struct nt_source_config *config)
{
	events->moments = config->moments;
	events->moment_count = config->moment_count;
	for (size_t i = 0; i < config->moment_count; i++) {
		const struct nt_moment_runtime *event = config->moments[i].runtime;
		if (!event || moments->count == NT_EVENTPIPE_PLANS_MAX)
			continue;
		moments->plans[moments->count++] = (struct nt_eventpipe_plan){
			.name = event->name,
			.wants = NT_WANT_MOMENTS,
			.first_major = event->first_major,
			.last_major = event->last_major,
			.stackwalk = true,
			.provider = { RUNTIME(event->keywords, (enum level)event->level), .filter = NT_IPC_FILTER_ONLY,
				      .filter_ids = &event->id, .filter_count = 1 },
		};
	}
}

/* Nothing else is wanted then: all of it, or nothing. */
static size_t plans_of_moments(const struct nt_eventpipe_moments *moments, unsigned demand,
			       const struct nt_eventpipe_plan *out[NT_EVENTPIPE_PLANS_MAX])
{
	for (size_t i = 0; i < moments->count; i++) {
		if (!is_allowed(&moments->plans[i], demand))
			return 0;
		out[i] = &moments->plans[i];
	}
	return moments->count;
}

const char *nt_eventpipe_why_none(const struct nt_eventpipe_moments *moments)
{
	return moments->count ? "exceptions are not asked for: an LTTng session could end this process then"
			      : "not needed: LTTng delivers the events";
}

size_t nt_eventpipe_plans(unsigned demand, unsigned runtime_major, const struct nt_eventpipe_moments *moments,
			  const struct nt_eventpipe_plan *out[NT_EVENTPIPE_PLANS_MAX])
{
	if (demand & NT_WANT_MOMENTS)
		return plans_of_moments(moments, demand, out);
	/* They are among the usual events. */
	if (demand & NT_WANT_RUNTIME_EVENTS)
		demand &= ~(unsigned)POOL_AND_LOCKS;
	size_t count = 0;
	for (size_t i = 0; i < sizeof(plans) / sizeof(*plans); i++)
		if (is_wanted(&plans[i], demand) && is_allowed(&plans[i], demand) && runtime_major >= plans[i].first_major &&
		    runtime_major <= plans[i].last_major)
			out[count++] = &plans[i];
	nt_assert(count <= NT_EVENTPIPE_PLANS_MAX);
	return count;
}
