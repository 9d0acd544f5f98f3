// SPDX-License-Identifier: GPL-2.0-only
/*
 * A profile as Firefox's own profiler writes it ("Gecko profile", version 24), within the object in which its developer tools save one, because speedscope reads it there alone; both are read by profiler.firefox.com. There
 * the thread that a process began with is called GeckoMain: it has what is of the whole process. A sample that stands for several is there so many times, as its weight has no place. Times are in ms since the begin.
 * https://github.com/firefox-devtools/profiler/blob/main/docs-developer/gecko-profile-format.md
 */
#include "output/export/export_parts.h"

#include "base/alloc.h"
#include "base/index.h"
#include "output/export/lanes.h"
#include "output/frame/json_value.h"
#include "output/stacks/stacks_parts.h"

#include <inttypes.h>
#include <stdlib.h>

enum { NONE = UINT32_MAX, MARKERS = NT_CODE_KIND_COUNT /* the category behind those of code */ };

/* Firefox knows these colours. */
static const char *const colours[NT_CODE_KIND_COUNT] = {
	[NT_CODE_JIT] = "green",        [NT_CODE_STUB] = "yellow",   [NT_CODE_R2R] = "blue",     [NT_CODE_RUNTIME] = "purple",
	[NT_CODE_NATIVE] = "lightblue", [NT_CODE_KERNEL] = "orange", [NT_CODE_UNKNOWN] = "grey",
};

struct firefox {
	FILE *out;
	const struct nt_export_timeline *timeline;
	const struct nt_stack_tree *tree;
	struct nt_lanes lanes;
	uint32_t *roots;    /* of each node; owned */
	uint32_t *frame_of; /* of each frame of the tree its number in the thread's table, NONE = it has none yet; owned */
	uint32_t *frames;   /* those that have one, in their order; owned */
	uint32_t *stack_of; /* of each node its number in the thread's table; owned */
	uint32_t *owners;   /* of each marker the lane that it is with, NONE = the main thread's; owned */
	char label[NT_STACKS_LABEL];
};

static void put_ms(FILE *out, uint64_t ns)
{
	fprintf(out, "%" PRIu64 ".%06u", ns / NT_NS_PER_MS, (unsigned)(ns % NT_NS_PER_MS));
}

static void put_time(const struct firefox *firefox, nt_time time)
{
	nt_time t0 = firefox->timeline->stacks.t0;
	put_ms(firefox->out, time > t0 ? time - t0 : 0);
}

/* ---- what all threads have in common ---- */

static void put_schemas(FILE *out)
{
	fputs(",\"markerSchema\":[", out);
	for (enum nt_marker_kind kind = 0; kind < NT_MARKER_KINDS; kind++)
		fprintf(out,
			"%s\n{\"name\":\"%s\",\"tooltipLabel\":\"%s\",\"tableLabel\":\"{marker.data.what}\",\"chartLabel\":\"{marker.data."
			"what}\",\"display\":[\"marker-chart\","
			"\"marker-table\",\"timeline-overview\"],\"data\":[{\"key\":\"what\",\"label\":\"What\",\"format\":\"string\","
			"\"searchable\":true},"
			"{\"key\":\"thread\",\"label\":\"Thread\",\"format\":\"integer\"},{\"key\":\"end\",\"label\":\"End\",\"format\":"
			"\"string\"}]}",
			kind ? "," : "", nt_marker_kind_name(kind), nt_marker_kind_name(kind));
	fputc(']', out);
}

static void put_meta(const struct firefox *firefox)
{
	const struct nt_stacks *stacks = &firefox->timeline->stacks;
	FILE *out = firefox->out;
	fputs("{\"meta\":{\"version\":24,\"interval\":", out);
	put_ms(out, stacks->period_ns);
	int64_t begin_ns = (int64_t)stacks->t0 + firefox->timeline->realtime_offset_ns;
	fprintf(out,
		",\"startTime\":%" PRId64
		".%06d,\"shutdownTime\":null,\"processType\":0,\"stackwalk\":1,\"debug\":0,\"gcpoison\":0,\"asyncstack\":0,\"product\":",
		begin_ns / (int64_t)NT_NS_PER_MS, (int)(begin_ns % (int64_t)NT_NS_PER_MS));
	nt_json_put_text(out, stacks->process_name);
	fputs(",\"platform\":\"Linux\",\"misc\":\"\",\"categories\":[", out);
	for (int kind = 0; kind < NT_CODE_KIND_COUNT; kind++)
		fprintf(out, "{\"name\":\"%s\",\"color\":\"%s\",\"subcategories\":[\"Other\"]},",
			nt_code_kind_name((enum nt_code_kind)kind), colours[kind]);
	fputs("{\"name\":\"events\",\"color\":\"magenta\",\"subcategories\":[\"Other\"]}]", out);
	put_schemas(out);
	fputs("},\"libs\":[],\"pages\":[],\"counters\":[],\"pausedRanges\":[],\"processes\":[],\"threads\":[", out);
}

/* ---- a thread ---- */

static void put_sample(const struct firefox *firefox, const char *comma, uint32_t stack, nt_time time)
{
	if (stack == NONE)
		fprintf(firefox->out, "%s[null,", comma);
	else
		fprintf(firefox->out, "%s[%" PRIu32 ",", comma, stack);
	put_time(firefox, time);
	fputs(",0]", firefox->out);
}

/* What was on the stack is there until the next sample says otherwise: where a slice ends, and none follows, one without a stack does. */
static void put_samples(const struct firefox *firefox, const struct nt_lane *lane)
{
	const uint64_t period_ns = firefox->timeline->stacks.period_ns;
	struct nt_slice slice = { 0 };
	const char *comma = "";
	nt_time end = 0;
	fputs(",\"samples\":{\"schema\":{\"stack\":0,\"time\":1,\"eventDelay\":2},\"data\":[", firefox->out);
	for (size_t at = 0; lane && nt_lane_next(&firefox->lanes, lane, &at, &slice); end = slice.end) {
		if (!slice.follows && end)
			put_sample(firefox, comma, NONE, end);
		for (nt_time time = slice.start; time < slice.end; time += period_ns, comma = ",")
			put_sample(firefox, comma, firefox->stack_of[slice.node], time);
	}
	if (end)
		put_sample(firefox, comma, NONE, end);
	fputs("]}", firefox->out);
}

/* Returns how many frames they have. */
static uint32_t put_stacks(const struct firefox *firefox, const struct nt_lane *lane)
{
	const struct nt_stack_tree *tree = firefox->tree;
	uint32_t stack_count = 0, frame_count = 0;
	for (uint32_t f = 0; f < tree->frame_count; f++)
		firefox->frame_of[f] = NONE;
	fputs(",\"stackTable\":{\"schema\":{\"prefix\":0,\"frame\":1},\"data\":[", firefox->out);
	for (uint32_t n = 0; lane && n < tree->node_count; n++) {
		firefox->stack_of[n] = NONE;
		if (firefox->roots[n] != lane->root || n == lane->root)
			continue;
		uint32_t *number = &firefox->frame_of[tree->nodes[n].frame], caller = firefox->stack_of[tree->nodes[n].parent];
		if (*number == NONE) {
			firefox->frames[frame_count] = tree->nodes[n].frame;
			*number = frame_count++;
		}
		firefox->stack_of[n] = stack_count;
		fputs(stack_count++ ? ",[" : "[", firefox->out);
		if (caller == NONE)
			fprintf(firefox->out, "null,%" PRIu32 "]", *number);
		else
			fprintf(firefox->out, "%" PRIu32 ",%" PRIu32 "]", caller, *number);
	}
	fputs("]}", firefox->out);
	return frame_count;
}

static void put_frames(const struct firefox *firefox, uint32_t frame_count)
{
	fputs(",\"frameTable\":{\"schema\":{\"location\":0,\"relevantForJS\":1,\"innerWindowID\":2,\"implementation\":3,\"line\":4,"
	      "\"column\":5,\"category\":6,\"subcategory\":7},\"data\":[",
	      firefox->out);
	for (uint32_t f = 0; f < frame_count; f++)
		fprintf(firefox->out, "%s[%" PRIu32 ",false,0,null,null,null,%d,0]", f ? "," : "", f,
			(int)firefox->tree->frames[firefox->frames[f]].kind);
	fputs("]}", firefox->out);
}

/* The frames' first, then those of the kinds of markers. speedscope takes no frame without something in parentheses at its end. */
static void put_strings(struct firefox *firefox, uint32_t frame_count)
{
	char location[2 * NT_STACKS_LABEL];
	fputs(",\"stringTable\":[", firefox->out);
	for (uint32_t f = 0; f < frame_count; f++) {
		const struct nt_stack_frame *frame = &firefox->tree->frames[firefox->frames[f]];
		nt_stacks_label(&firefox->timeline->stacks, frame, '\0', firefox->label, sizeof(firefox->label));
		snprintf(location, sizeof(location), "%s (%s)", firefox->label,
			 frame->kind == NT_CODE_KERNEL ? "kernel"
			 : frame->module               ? frame->module
						       : nt_code_kind_name(frame->kind));
		fputs(f ? ",\n" : "\n", firefox->out);
		nt_json_put_text(firefox->out, location);
	}
	for (enum nt_marker_kind kind = 0; kind < NT_MARKER_KINDS; kind++)
		fprintf(firefox->out, "%s\n\"%s\"", kind || frame_count ? "," : "", nt_marker_kind_name(kind));
	fputc(']', firefox->out);
}

static bool is_main(const struct firefox *firefox, uint32_t tid)
{
	return tid == firefox->timeline->stacks.pid;
}

/* Those of the process, and of threads without samples, are with the main thread. */
static void find_owners(struct firefox *firefox)
{
	struct nt_index lanes = { 0 };
	for (size_t i = firefox->lanes.count; i-- > 0;) /* of two threads that had one number it is the first */
		nt_index_put(&lanes, firefox->lanes.items[i].tid, (uint32_t)i);
	for (size_t i = 0; i < firefox->timeline->marker_count; i++) {
		uint32_t tid = firefox->timeline->markers[i].tid, lane = tid ? nt_index_get(&lanes, tid) : NT_INDEX_NONE;
		firefox->owners[i] = lane == NT_INDEX_NONE || is_main(firefox, tid) ? NONE : lane;
	}
	nt_index_fini(&lanes);
}

/* owner: number of the lane; NONE: the main thread. */
static void put_markers(const struct firefox *firefox, uint32_t owner, uint32_t first_string)
{
	const char *comma = "";
	fputs(",\"markers\":{\"schema\":{\"name\":0,\"startTime\":1,\"endTime\":2,\"phase\":3,\"category\":4,\"data\":5},\"data\":[",
	      firefox->out);
	for (size_t i = 0; i < firefox->timeline->marker_count; i++) {
		const struct nt_marker *marker = &firefox->timeline->markers[i];
		enum { INSTANT, INTERVAL };
		bool lasts = marker->end > marker->start;
		if (firefox->owners[i] != owner)
			continue;
		fprintf(firefox->out, "%s\n[%" PRIu32 ",", comma, first_string + marker->kind);
		put_time(firefox, marker->start);
		fputc(',', firefox->out);
		if (lasts)
			put_time(firefox, marker->end);
		else
			fputs("null", firefox->out);
		fprintf(firefox->out, ",%d,%d,{\"type\":\"%s\",\"what\":", lasts ? INTERVAL : INSTANT, MARKERS,
			nt_marker_kind_name(marker->kind));
		nt_json_put_text(firefox->out, marker->text);
		if (marker->tid)
			fprintf(firefox->out, ",\"thread\":%" PRIu32, marker->tid);
		if (marker->open)
			fputs(",\"end\":\"not seen\"", firefox->out);
		fputs("}]", firefox->out);
		comma = ",";
	}
	fputs("]}", firefox->out);
}

/* lane NULL: one without samples. */
static void put_thread(struct firefox *firefox, uint32_t tid, const struct nt_lane *lane)
{
	const struct nt_stacks *stacks = &firefox->timeline->stacks;
	fputs("\n{\"name\":", firefox->out);
	if (lane)
		nt_stacks_label(stacks, &firefox->tree->frames[firefox->tree->nodes[lane->root].frame], '\0', firefox->label,
				sizeof(firefox->label));
	nt_json_put_text(firefox->out, is_main(firefox, tid) ? "GeckoMain" : firefox->label);
	fputs(",\"processType\":\"default\",\"processName\":", firefox->out);
	nt_json_put_text(firefox->out, stacks->process_name);
	fprintf(firefox->out, ",\"tid\":%" PRIu32 ",\"pid\":%" PRIu32 ",\"registerTime\":0,\"unregisterTime\":null", tid, stacks->pid);
	uint32_t frame_count = put_stacks(firefox, lane);
	put_samples(firefox, lane);
	put_frames(firefox, frame_count);
	put_strings(firefox, frame_count);
	put_markers(firefox, is_main(firefox, tid) ? NONE : (uint32_t)(lane - firefox->lanes.items), frame_count);
	fputc('}', firefox->out);
}

static void put_threads(struct firefox *firefox)
{
	const struct nt_lane *main_lane = NULL;
	for (size_t i = 0; i < firefox->lanes.count && !main_lane; i++)
		if (is_main(firefox, firefox->lanes.items[i].tid))
			main_lane = &firefox->lanes.items[i];
	put_thread(firefox, firefox->timeline->stacks.pid, main_lane);
	for (size_t i = 0; i < firefox->lanes.count; i++) {
		const struct nt_lane *lane = &firefox->lanes.items[i];
		if (lane == main_lane)
			continue;
		fputc(',', firefox->out);
		put_thread(firefox, lane->tid, lane);
	}
}

void nt_export_write_firefox(FILE *out, const struct nt_export_timeline *timeline)
{
	const struct nt_stack_tree *tree = timeline->stacks.tree;
	struct firefox firefox = { .out = out,
				   .timeline = timeline,
				   .tree = tree,
				   .roots = nt_stacks_threads(tree),
				   .frame_of = nt_alloc((tree->frame_count + 1u) * sizeof(uint32_t)),
				   .frames = nt_alloc((tree->frame_count + 1u) * sizeof(uint32_t)),
				   .stack_of = nt_alloc((tree->node_count + 1u) * sizeof(uint32_t)),
				   .owners = nt_alloc((timeline->marker_count + 1) * sizeof(uint32_t)) };
	nt_lanes_make(&firefox.lanes, timeline);
	find_owners(&firefox);
	fputs("{\"systemHost\":{\"name\":\"Firefox\"},\"fileType\":\"Recorded Performance Data\",\"label\":\"nettop\",\"duration\":", out);
	put_ms(out, timeline->stacks.t1 - timeline->stacks.t0);
	fputs(",\"profile\":", out);
	put_meta(&firefox);
	put_threads(&firefox);
	fputs("]}}\n", out);
	nt_lanes_fini(&firefox.lanes);
	free(firefox.roots);
	free(firefox.frame_of);
	free(firefox.frames);
	free(firefox.stack_of);
	free(firefox.owners);
}
