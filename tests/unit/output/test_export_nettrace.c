// SPDX-License-Identifier: GPL-2.0-only
/* A timeline as a nettrace file, read by nettop's own decoder. (Microsoft's reads it in tests/live/test_export_nettrace.py.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/text.h"
#include "decode/eventpipe/nettrace.h"
#include "output/export/export_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MS NT_NS_PER_MS

static const struct nt_stack_frame frames[] = {
	{ .sort = NT_FRAME_THREAD, .tid = 7, .name = ".NET TP Worker" },
	{ .name = "Shop.Cart.Total(int)", .module = "Shop", .kind = NT_CODE_JIT, .tier = NT_TIER_1 },
	{ .name = "libc.so.6!0x1234", .module = "libc.so.6", .kind = NT_CODE_NATIVE },
	{ .sort = NT_FRAME_THREAD, .tid = 8 },
};
static const struct nt_stack_node nodes[] = {
	{ .parent = NT_STACK_ROOT, .frame = 0 },
	{ .parent = 0, .frame = 1, .self = 3 },
	{ .parent = 1, .frame = 2, .self = 1 },
	{ .parent = NT_STACK_ROOT, .frame = 3, .self = 1 },
};
static const struct nt_stack_moment moments[] = {
	{ 1000 * MS, 2, 1 },
	{ 1010 * MS, 1, 2 },
	{ 1012 * MS, 3, 1 },
	{ 1100 * MS, 1, 1 },
};
static const struct nt_stack_tree tree = { .wanted = NT_STACKS_TIMED,
					   .frames = frames,
					   .frame_count = 4,
					   .nodes = nodes,
					   .node_count = 4,
					   .samples = 5,
					   .moments = moments,
					   .moment_count = 4 };

/* What a reader says, a line each: `MS TID PROVIDER/ID`, of samples which sort and the leaf, of what is listed its texts. */
static void say(void *context, const struct nt_nettrace_event *event)
{
	FILE *out = context;
	const char *provider = strrchr(event->meta->provider, '-');
	fprintf(out, "%llu %llu %s/%u", (unsigned long long)(event->time / MS), (unsigned long long)event->thread, provider + 1,
		event->meta->id);
	if (strcmp(provider, "-SampleProfiler") == 0) {
		uint64_t leaf = 0;
		if (event->stack)
			memcpy(&leaf, event->stack->addresses, sizeof(leaf));
		fprintf(out, " %u %llu+%u", event->payload[0], (unsigned long long)(leaf & 0xffffff) / 16,
			event->stack ? event->stack->count : 0);
	}
	for (uint32_t at = strcmp(provider, "-DotNETRuntimeRundown") == 0 ? (event->meta->id == 144 ? 36 : 24) : UINT32_MAX;
	     at < event->payload_length;) {
		char text[200];
		size_t length = nt_utf16_length(event->payload + at, event->payload_length - at);
		if (length == SIZE_MAX)
			break;
		nt_utf16_to_utf8(event->payload + at, length / 2, text, sizeof(text));
		if (*text)
			fprintf(out, " %s", text);
		at += (uint32_t)length + 2;
	}
	fputc('\n', out);
}

static void say_lost(void *context, const struct nt_nettrace_lost *lost)
{
	fprintf(context, "lost %llu\n", (unsigned long long)lost->count);
}

static char *read_back(const struct nt_export_timeline *timeline)
{
	char *bytes, *said;
	size_t size, said_size;
	FILE *file = open_memstream(&bytes, &size), *out = open_memstream(&said, &said_size);
	nt_export_write_nettrace(file, timeline);
	fclose(file);
	const struct nt_nettrace_sink sink = { .context = out, .event = say, .lost = say_lost };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	assert_int_equal(nt_nettrace_feed(trace, (const uint8_t *)bytes, size, NULL), NT_END);
	nt_nettrace_free(trace);
	fclose(out);
	free(bytes);
	return said;
}

static void samples_and_events_in_order(void **state)
{
	(void)state;
	struct nt_runtime_event items[] = { { .time = 1011 * MS, .tid = 7, .id = 3, .version = 1, .offset = 0, .length = 2 },
					    { .time = 1005 * MS, .offset = 4 },
					    { .time = 990 * MS, .tid = 9, .id = 7, .version = 1, .offset = 0, .length = 2 } };
	char payload[] = { 0, 0 };
	const struct nt_runtime_events events = { .items = items, .count = 3, .payloads = { .bytes = payload, .length = 2 } };
	const struct nt_export_timeline timeline = {
		.stacks = { .tree = &tree, .pid = 4711, .t0 = 995 * MS, .t1 = 2000 * MS, .period_ns = 10 * MS }, .runtime_events = &events
	};
	char *said = read_back(&timeline);
	assert_string_equal(said, "990 0 EventPipe/1\n"
				  "990 9 DotNETRuntime/7\n"
				  "990 9 DotNETRuntime/3\n"
				  "lost 4\n" /* at the end of its block */
				  "1000 7 SampleProfiler/0 2 2+2\n"
				  /* One that stands for two, and the thread goes on for their time, but for no longer. */
				  "1010 7 SampleProfiler/0 2 1+1\n"
				  "1010 7 SampleProfiler/0 2 1+1\n"
				  "1011 7 DotNETRuntime/3\n"
				  "1012 8 SampleProfiler/0 2 0+0\n"
				  "1022 8 SampleProfiler/0 1 0+0\n"
				  "1030 7 SampleProfiler/0 1 0+0\n"
				  "1100 7 SampleProfiler/0 2 1+1\n"
				  "1110 7 SampleProfiler/0 1 0+0\n"
				  "1110 0 DotNETRuntimeRundown/154 Shop.dll\n"
				  "1110 0 DotNETRuntimeRundown/144 Shop.Cart Total (int)\n"
				  "1110 0 DotNETRuntimeRundown/154 libc.so.6\n"
				  "1110 0 DotNETRuntimeRundown/144 0x1234\n");
	free(said);
}

static void nothing_happened(void **state)
{
	(void)state;
	const struct nt_stack_tree none = { .wanted = NT_STACKS_TIMED };
	const struct nt_runtime_events events = { .count = 0 };
	const struct nt_export_timeline timeline = { .stacks = { .tree = &none, .pid = 4711, .t0 = 995 * MS, .t1 = 2000 * MS },
						     .runtime_events = &events };
	char *said = read_back(&timeline);
	assert_string_equal(said, "995 0 EventPipe/1\n");
	free(said);
}

/* What nettop_events keeps: what counts, once. */
static const char *text_of(const struct nt_shown_event *shown, nt_str id, size_t *length)
{
	(void)shown;
	*length = id ? 1 : 0;
	return "x";
}

static void what_is_kept(void **state)
{
	(void)state;
	struct nt_runtime_events events = { .count = 0 };
	struct nt_event event = { .kind = NT_EV_GC_END, .version = 1, .time = 5, .tid = 7, .u.gc_end = { .number = 3, .generation = 1 } };
	const struct nt_shown_event shown = { .event = &event, .text = text_of };
	nt_runtime_events_see(&events, &shown);
	event.beside = true;
	nt_runtime_events_see(&events, &shown);
	event = (struct nt_event){ .kind = NT_EV_SAMPLE };
	nt_runtime_events_see(&events, &shown);
	event = (struct nt_event){ .kind = NT_EV_LOST, .u.lost.count = 9 };
	nt_runtime_events_see(&events, &shown);
	event.u.lost.count_known = 1;
	nt_runtime_events_see(&events, &shown);
	assert_int_equal(events.count, 3);
	assert_int_equal(events.items[0].id, 2);
	assert_int_equal(events.items[0].length, 10);
	assert_memory_equal(events.payloads.bytes, "\3\0\0\0\1\0\0\0\0", 10);
	assert_int_equal(events.items[1].id, 0);
	assert_int_equal(events.items[1].offset, 1); /* so many are known to be lost */
	assert_int_equal(events.items[2].offset, 9);
	nt_runtime_events_fini(&events);
}

/* Modules are told by their numbers, and have the names that the rows of compilations have; one whose loading was told has its path from there. */
static void modules_of_what_was_compiled(void **state)
{
	(void)state;
	struct nt_runtime_events events = { .count = 0 };
	struct nt_event event = {
		.kind = NT_EV_MODULE_LOAD, .version = 2, .time = 1000 * MS, .u.module_load = { .module_id = 7, .path = 1 }
	};
	const struct nt_shown_event shown = { .event = &event, .text = text_of };
	nt_runtime_events_see(&events, &shown);
	event = (struct nt_event){ .kind = NT_EV_METHOD_LOAD, .version = 1, .time = 1001 * MS, .u.method = { .module_id = 7, .name = 1 } };
	nt_runtime_events_see(&events, &shown);
	for (unsigned i = 0; i < 20; i++) {
		event.u.method.module_id = 8;
		nt_runtime_events_see(&events, &shown);
	}
	event.u.method.name = 0;
	event.u.method.module_id = 9;
	nt_runtime_events_see(&events, &shown);
	assert_int_equal(events.member_count, NT_RUNTIME_MEMBERS_OF_MODULE);
	const struct nt_stack_tree none = { .wanted = NT_STACKS_TIMED };
	static const struct nt_jit_row rows[] = { { .name = "y", .module = "Other" }, { .name = "x", .module = "Shop" } };
	const struct nt_export_timeline timeline = { .stacks = { .tree = &none, .pid = 4711, .t0 = 995 * MS, .t1 = 2000 * MS },
						     .runtime_events = &events,
						     .compiled = rows,
						     .compiled_count = 2 };
	char *said = read_back(&timeline);
	const char *first = strstr(said, "Rundown/154 Shop.dll\n");
	assert_non_null(first);
	assert_null(strstr(first + 1, "Rundown/154"));
	free(said);
	nt_runtime_events_fini(&events);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(samples_and_events_in_order), cmocka_unit_test(nothing_happened),
					    cmocka_unit_test(what_is_kept), cmocka_unit_test(modules_of_what_was_compiled) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
