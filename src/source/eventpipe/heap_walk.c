// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/heap_walk.h"

#include "base/alloc.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/heap_events.h"
#include "source/eventpipe/eventpipe_session.h"
#include "source/eventpipe/heap_table.h"

#include <limits.h>
#include <stdlib.h>

enum {
	READ_BYTES = 8 << 20,  /* at a look */
	OWN_BYTES = 32 << 20,  /* of events that wait to be put in order: their order does not matter here */
	COLLECT_S = 600,       /* for a heap of hundreds of gigabytes; the process cannot be told to give up */
	COLLECT_BUFFER_MB = 1, /* of the session that brings nothing */
	FILTERED_FROM = 10,    /* runtimes that leave out single events */
	WRITER_MS = 300,       /* until the thread that writes the stream is surely at work */
	END_S = 60,            /* until the rest has come */
	PART = 4,              /* of what is left */
};

/* Those behind the first so many are of references. */
enum { WITHOUT_REFERENCES = 8 };
static const uint32_t events[] = { NT_HEAP_GC_START, NT_HEAP_GC_END,  NT_HEAP_SUSPEND, NT_HEAP_RESTARTED, NT_HEAP_THREAD, NT_HEAP_TYPES,
				   NT_HEAP_NODES,    NT_HEAP_STATICS, NT_HEAP_EDGES,   NT_HEAP_ROOTS,     NT_HEAP_PAIRS };

static const struct nt_eventpipe_plan objects_plan = {
	.name = "objects of the heap",
	.last_major = UINT_MAX,
	.provider = { .name = NT_CLR_PROVIDER,
		      .keywords = NT_HEAP_KEYWORDS,
		      .level = 5,
		      .filter = NT_IPC_FILTER_ONLY,
		      .filter_ids = events,
		      .filter_count = WITHOUT_REFERENCES },
};
static const struct nt_eventpipe_plan references_plan = {
	.name = "objects of the heap and their references",
	.last_major = UINT_MAX,
	.provider = { .name = NT_CLR_PROVIDER,
		      .keywords = NT_HEAP_KEYWORDS,
		      .level = 5,
		      .filter = NT_IPC_FILTER_ONLY,
		      .filter_ids = events,
		      .filter_count = sizeof(events) / sizeof(events[0]) },
};
static const struct nt_eventpipe_plan collect_plan = {
	.name = "a full collection",
	.last_major = UINT_MAX,
	.provider = { .name = NT_CLR_PROVIDER, .keywords = NT_HEAP_COLLECT_KEYWORD, .level = 4 },
};

enum stage { ASKING, COLLECTING, COLLECTED, ENDING };

struct nt_heap_walk {
	const struct nt_target *target;
	struct nt_eventpipe_details details;
	struct nt_nettrace_budget budget;
	struct nt_eventpipe_socket socket;
	struct nt_heap_table *table;          /* owned */
	struct nt_eventpipe_plan plan;        /* of the objects */
	struct nt_eventpipe_session *objects; /* owned */
	struct nt_eventpipe_session *collect; /* owned; NULL = not yet, or not any more */
	enum stage stage;
	uint64_t expected_bytes;
	nt_time began, since; /* since: of the stage, from COLLECTED on; before, since when the session is there, 0 = not yet */
};

uint32_t nt_heap_walk_buffer_mb(uint64_t cgroup_free, uint64_t machine_free, uint32_t most_mb)
{
	uint64_t mb = (cgroup_free < machine_free ? cgroup_free : machine_free) / PART >> 20;
	return mb < most_mb ? (uint32_t)mb : most_mb;
}

static void ignore(void *context, const struct nt_nettrace_event *event)
{
	(void)context;
	(void)event;
}

/*
 * Where single events can be left out, threads that begin are told besides: the one that writes the stream is such, and is heard of when it is at work. Other runtimes would tell all of the pool with it.
 */
static struct nt_eventpipe_plan plan_of(const struct nt_heap_wish *wish, unsigned major)
{
	struct nt_eventpipe_plan plan = wish->graph_bytes ? references_plan : objects_plan;
	if (major >= FILTERED_FROM)
		plan.provider.keywords |= NT_HEAP_THREAD_KEYWORD;
	return plan;
}

enum nt_status nt_heap_walk_open(const struct nt_target *target, const struct nt_source_config *config, const struct nt_heap_wish *wish,
				 nt_time now, struct nt_heap_walk **out, struct nt_error *err)
{
	struct nt_heap_walk *walk = nt_alloc(sizeof(*walk));
	walk->target = target;
	walk->began = now;
	walk->expected_bytes = wish->stream_bytes;
	walk->budget.used_bytes = NT_NETTRACE_BUDGET_BYTES - OWN_BYTES;
	walk->table = nt_heap_table_new(wish->graph_bytes);
	nt_eventpipe_socket_init(&walk->socket);
	walk->details = (struct nt_eventpipe_details){ .socket = &walk->socket,
						       .runtime_major = nt_target_runtime_major(target),
						       .config = config,
						       .budget = &walk->budget,
						       .buffer_mb = wish->buffer_mb };
	walk->plan = plan_of(wish, walk->details.runtime_major);
	const struct nt_nettrace_sink sink = nt_heap_table_sink(walk->table);
	enum nt_status status = nt_eventpipe_session_open(target, &walk->plan, &walk->details, &sink, now, &walk->objects, err);
	if (status == NT_OK)
		*out = walk;
	else
		nt_heap_walk_close(walk);
	return status;
}

/*
 * A thread of the runtime's writes the stream. It comes into being behind the answer, and cannot while the process stands still: a collection that begins before would fill the buffer, and nobody would empty it.
 */
static bool may_collect(struct nt_heap_walk *walk, nt_time now)
{
	if (walk->stage != ASKING || walk->objects->state != NT_EVENTPIPE_READING)
		return false;
	if (!walk->since)
		walk->since = now;
	return nt_heap_table_has_begun(walk->table) || now - walk->since > WRITER_MS * NT_NS_PER_MS;
}

static enum nt_status begin_to_collect(struct nt_heap_walk *walk, nt_time now, struct nt_error *err)
{
	const struct nt_nettrace_sink nothing = { .event = ignore };
	struct nt_eventpipe_details details = walk->details;
	details.buffer_mb = COLLECT_BUFFER_MB;
	details.answer_ns = COLLECT_S * NT_NS_PER_S;
	enum nt_status status = nt_eventpipe_session_open(walk->target, &collect_plan, &details, &nothing, now, &walk->collect, err);
	if (status == NT_OK)
		walk->stage = COLLECTING;
	return status;
}

/* It is over, however that session ended: its work is done. */
static enum nt_status end_objects(struct nt_heap_walk *walk, nt_time now, struct nt_error *err)
{
	nt_eventpipe_session_close(walk->collect);
	walk->collect = NULL;
	walk->stage = ENDING;
	walk->since = now;
	if (nt_eventpipe_session_stop(walk->objects, now))
		return NT_OK;
	return nt_error_set(err, NT_ERR_FAILED, "the runtime cannot be asked to end the list of objects");
}

/* The session whose answer says that it is over. It brings nothing. */
static enum nt_status wait_for_collection(struct nt_heap_walk *walk, nt_time now, struct nt_error *err)
{
	enum nt_status status = nt_eventpipe_session_advance(walk->collect, now, READ_BYTES, err);
	if (walk->stage == COLLECTING && walk->collect->state == NT_EVENTPIPE_ASKING)
		return status;
	if (walk->stage == COLLECTING) {
		walk->stage = COLLECTED;
		walk->since = now;
		return nt_eventpipe_session_stop(walk->collect, now) ? NT_AGAIN : end_objects(walk, now, err);
	}
	bool late = now - walk->since > END_S * NT_NS_PER_S;
	return status == NT_END || status < 0 || late ? end_objects(walk, now, err) : NT_AGAIN;
}

static struct nt_heap_found *finish(struct nt_heap_walk *walk, nt_time now)
{
	struct nt_heap_found *heap = nt_heap_table_finish(walk->table);
	heap->took_ns = now - walk->began;
	heap->stream_bytes = walk->objects->stream_bytes;
	return heap;
}

enum nt_status nt_heap_walk_advance(struct nt_heap_walk *walk, nt_time now, struct nt_heap_found **out, struct nt_error *err)
{
	enum nt_status status = nt_eventpipe_session_advance(walk->objects, now, READ_BYTES, err);
	/* No order is needed, and what does not wait takes no memory. */
	if (status == NT_OK || status == NT_AGAIN)
		nt_nettrace_deliver(walk->objects->trace);
	if (status == NT_END && walk->stage == ENDING) {
		*out = finish(walk, now);
		return NT_OK;
	}
	if (status == NT_END)
		return nt_error_set(err, NT_ERR_GONE, "the runtime ended the list of objects before its end");
	if (status < 0)
		return status;
	enum nt_status other = NT_AGAIN;
	if (may_collect(walk, now))
		other = begin_to_collect(walk, now, err);
	else if (walk->stage == COLLECTING || walk->stage == COLLECTED)
		other = wait_for_collection(walk, now, err);
	else if (walk->stage == ENDING && now - walk->since > END_S * NT_NS_PER_S)
		other = nt_error_set(err, NT_ERR_TIMEOUT, "the rest of the list of objects did not come in %d s", END_S);
	return other < 0 ? other : NT_AGAIN;
}

int nt_heap_walk_fd(const struct nt_heap_walk *walk)
{
	return walk->objects->fd;
}

uint64_t nt_heap_walk_count(const struct nt_heap_walk *walk)
{
	return nt_heap_table_count(walk->table);
}

uint64_t nt_heap_walk_bytes(const struct nt_heap_walk *walk)
{
	return walk->objects->stream_bytes;
}

uint64_t nt_heap_walk_expected(const struct nt_heap_walk *walk)
{
	return walk->expected_bytes;
}

bool nt_heap_walk_is_collecting(const struct nt_heap_walk *walk)
{
	return walk->stage == COLLECTING;
}

void nt_heap_walk_close(struct nt_heap_walk *walk)
{
	if (!walk)
		return;
	nt_eventpipe_session_close(walk->collect);
	nt_eventpipe_session_close(walk->objects);
	nt_eventpipe_socket_fini(&walk->socket);
	nt_heap_table_free(walk->table);
	free(walk);
}
