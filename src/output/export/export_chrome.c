// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Trace Event Format of chrome://tracing, as one JSON object: the samples of each thread as calls that begin and end (B, E), because that is what all of its readers show; markers as asynchronous events (b, e), which
 * may overlap each other and calls; those of one moment as instants (i). Times are in us since the timeline's begin.
 */
#include "output/export/export_parts.h"

#include "nettop/clock.h"
#include "output/export/lanes.h"
#include "output/frame/json_value.h"
#include "output/stacks/stacks_parts.h"

#include <inttypes.h>

struct chrome {
	FILE *out;
	const struct nt_export_timeline *timeline;
	const struct nt_stack_tree *tree;
	const char *comma;
	char label[NT_STACKS_LABEL];
};

/* The calls of a thread that go on. */
struct calls {
	uint32_t frames[NT_STACKS_DEPTH];
	uint32_t count; /* the thread's own frame is not among them */
};

static void begin_event(struct chrome *chrome, char phase, uint32_t tid, nt_time time)
{
	const struct nt_stacks *stacks = &chrome->timeline->stacks;
	nt_time since = time > stacks->t0 ? time - stacks->t0 : 0;
	fprintf(chrome->out, "%s\n{\"ph\":\"%c\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"ts\":%" PRIu64 ".%03u", chrome->comma, phase,
		stacks->pid, tid, since / NT_NS_PER_US, (unsigned)(since % NT_NS_PER_US));
	chrome->comma = ",";
}

static void put_name(const struct chrome *chrome, const char *name)
{
	fputs(",\"name\":", chrome->out);
	nt_json_put_text(chrome->out, name);
}

static void put_metadata(struct chrome *chrome, const char *what, uint32_t tid, const char *name)
{
	fprintf(chrome->out, "%s\n{\"ph\":\"M\",\"pid\":%" PRIu32 ",\"tid\":%" PRIu32 ",\"name\":\"%s\",\"args\":{\"name\":", chrome->comma,
		chrome->timeline->stacks.pid, tid, what);
	nt_json_put_text(chrome->out, name);
	fputs("}}", chrome->out);
	chrome->comma = ",";
}

static void put_call(struct chrome *chrome, char phase, uint32_t tid, nt_time time, uint32_t frame)
{
	nt_stacks_label(&chrome->timeline->stacks, &chrome->tree->frames[frame], '\0', chrome->label, sizeof(chrome->label));
	begin_event(chrome, phase, tid, time);
	put_name(chrome, chrome->label);
	fputs(",\"cat\":\"cpu\"}", chrome->out);
}

/* A ns before what follows begins: of a begin and an end at one time that are called alike, speedscope takes the begin first. */
static void leave(struct chrome *chrome, struct calls *calls, uint32_t left, uint32_t tid, nt_time time)
{
	while (calls->count > left)
		put_call(chrome, 'E', tid, time - 1, calls->frames[--calls->count]);
}

/* What both stacks have in common goes on. */
static void turn_to(struct chrome *chrome, struct calls *calls, const struct nt_slice *slice, nt_time before, uint32_t tid)
{
	uint32_t frames[NT_STACKS_DEPTH], common = 0;
	uint32_t count = nt_stacks_walk(chrome->tree, slice->node, frames) - 1;
	while (slice->follows && common < count && common < calls->count && frames[common + 1] == calls->frames[common])
		common++;
	leave(chrome, calls, common, tid, before);
	for (; calls->count < count; calls->count++) {
		calls->frames[calls->count] = frames[calls->count + 1];
		put_call(chrome, 'B', tid, slice->start, calls->frames[calls->count]);
	}
}

static void put_lane(struct chrome *chrome, const struct nt_lanes *lanes, const struct nt_lane *lane)
{
	const struct nt_stack_frame *thread = &chrome->tree->frames[chrome->tree->nodes[lane->root].frame];
	struct nt_slice slice = { 0 };
	struct calls calls = { .count = 0 };
	nt_stacks_label(&chrome->timeline->stacks, thread, '\0', chrome->label, sizeof(chrome->label));
	put_metadata(chrome, "thread_name", lane->tid, chrome->label);
	nt_time before = 0;
	for (size_t at = 0; nt_lane_next(lanes, lane, &at, &slice); before = slice.end)
		turn_to(chrome, &calls, &slice, before, lane->tid);
	leave(chrome, &calls, 0, lane->tid, before);
}

static void put_category(const struct chrome *chrome, const struct nt_marker *marker)
{
	fprintf(chrome->out, ",\"cat\":\"%s\"", nt_marker_kind_name(marker->kind));
}

static const char *name_of(const struct nt_marker *marker)
{
	return *marker->text ? marker->text : nt_marker_kind_name(marker->kind);
}

static void put_marker(struct chrome *chrome, const struct nt_marker *marker, size_t id)
{
	bool lasts = marker->end > marker->start;
	begin_event(chrome, lasts ? 'b' : 'i', marker->tid, marker->start);
	put_name(chrome, name_of(marker));
	put_category(chrome, marker);
	if (!lasts) {
		fprintf(chrome->out, ",\"s\":\"%s\"}", marker->tid ? "t" : "p");
		return;
	}
	fprintf(chrome->out, ",\"id\":%zu%s}", id, marker->open ? ",\"args\":{\"end\":\"not seen\"}" : "");
	begin_event(chrome, 'e', marker->tid, marker->end);
	put_name(chrome, name_of(marker));
	put_category(chrome, marker);
	fprintf(chrome->out, ",\"id\":%zu}", id);
}

void nt_export_write_chrome(FILE *out, const struct nt_export_timeline *timeline)
{
	struct chrome chrome = { .out = out, .timeline = timeline, .tree = timeline->stacks.tree, .comma = "" };
	struct nt_lanes lanes;
	fprintf(out,
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"exporter\":\"nettop\",\"begin_unix_ns\":\"%" PRId64 "\"},\"traceEvents\":[",
		(int64_t)timeline->stacks.t0 + timeline->realtime_offset_ns);
	put_metadata(&chrome, "process_name", timeline->stacks.pid, timeline->stacks.process_name);
	nt_lanes_make(&lanes, timeline);
	for (size_t i = 0; i < lanes.count; i++)
		put_lane(&chrome, &lanes, &lanes.items[i]);
	nt_lanes_fini(&lanes);
	for (size_t i = 0; i < timeline->marker_count; i++)
		put_marker(&chrome, &timeline->markers[i], i + 1);
	fputs("]}\n", out);
}
