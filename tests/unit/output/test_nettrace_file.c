// SPDX-License-Identifier: GPL-2.0-only
/* A nettrace file as nettop writes it, read by nettop's own decoder. (Microsoft's reads it in tests/live/test_export_nettrace.py.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/eventpipe/nettrace.h"
#include "output/export/nettrace_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the decoder said, a line each: `TIME THREAD PROVIDER/ID PAYLOAD_BYTES LEAF+DEPTH`, or `lost COUNT`. */
struct said {
	char *text; /* owned */
	size_t size;
	FILE *out;
	struct nt_nettrace_start start;
	uint64_t events, lost, stacked;
};

static void say_start(void *context, const struct nt_nettrace_start *start)
{
	((struct said *)context)->start = *start;
}

static void say_event(void *context, const struct nt_nettrace_event *event)
{
	struct said *said = context;
	uint64_t leaf = 0;
	if (event->stack)
		memcpy(&leaf, event->stack->addresses, sizeof(leaf));
	fprintf(said->out, "%llu %llu %s/%u.%u %u %llx+%u\n", (unsigned long long)event->time, (unsigned long long)event->thread,
		event->meta->provider, event->meta->id, event->meta->version, event->payload_length, (unsigned long long)leaf,
		event->stack ? event->stack->count : 0);
	said->events++;
	said->stacked += event->stack && leaf == event->time;
}

static void say_lost(void *context, const struct nt_nettrace_lost *lost)
{
	struct said *said = context;
	said->lost += lost->count;
	fprintf(said->out, "lost %llu\n", (unsigned long long)lost->count);
}

struct fixture {
	struct nt_nettrace_writer *writer;
	FILE *file;
	char *bytes; /* owned */
	size_t size;
	struct said said;
};

static const struct nt_nettrace_begin begin = {
	.time = 5000000123, .realtime_offset_ns = 1700000000000000000, .pid = 4711, .cpu_count = 8, .sampling_ns = 10101010
};
static const struct nt_nettrace_kind gc_start = {
	.provider = "Microsoft-Windows-DotNETRuntime", .name = "", .id = 1, .version = 1, .level = 4, .keywords = 1
};
static const struct nt_nettrace_kind sample = { .provider = "Microsoft-DotNETCore-SampleProfiler", .name = "", .level = 4 };

static int set_up(void **state)
{
	static struct fixture fixture;
	fixture = (struct fixture){ .file = NULL };
	fixture.file = open_memstream(&fixture.bytes, &fixture.size);
	fixture.writer = nt_nettrace_writer_new(fixture.file, &begin);
	*state = &fixture;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	free(f->bytes);
	free(f->said.text);
	return 0;
}

/* End the file, and read it: all of it is one. */
static void read_back(struct fixture *f)
{
	nt_nettrace_writer_end(f->writer);
	fclose(f->file);
	f->said.out = open_memstream(&f->said.text, &f->said.size);
	const struct nt_nettrace_sink sink = { .context = &f->said, .start = say_start, .event = say_event, .lost = say_lost };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	assert_int_equal(nt_nettrace_feed(trace, (const uint8_t *)f->bytes, f->size - 1, NULL), NT_OK);
	assert_int_equal(nt_nettrace_waiting(trace), 0);
	assert_int_equal(nt_nettrace_feed(trace, (const uint8_t *)f->bytes + f->size - 1, 1, NULL), NT_END);
	nt_nettrace_free(trace);
	fclose(f->said.out);
}

static void a_file_without_events(void **state)
{
	struct fixture *f = *state;
	read_back(f);
	assert_string_equal(f->said.text, "");
	/* The moment before it at which the wall has whole ms: 1700000005.000. */
	assert_int_equal(f->said.start.time, 5000000000);
	assert_int_equal(f->said.start.pid, 4711);
	assert_int_equal(f->said.start.cpu_count, 8);
	assert_int_equal(f->said.start.sampling_ns, 10101010);
	assert_int_equal(f->said.start.pointer_size, 8);
	/* 2023-11-14 22:13:25.000, a Tuesday: the first content of the object Trace. */
	static const uint16_t wall[] = { 2023, 11, 2, 14, 22, 13, 25, 0 };
	assert_memory_equal(f->bytes + 32 + 3 + 12 + strlen("Trace") + 1, wall, sizeof(wall));
}

static void what_events_say_comes_back(void **state)
{
	struct fixture *f = *state;
	static const uint64_t one[] = { 0x10, 0x20, 0x30 }, other[] = { 0x11 };
	uint32_t start = nt_nettrace_writer_kind(f->writer, &gc_start), samples = nt_nettrace_writer_kind(f->writer, &sample);
	const struct nt_nettrace_told events[] = {
		{ .time = 5000000200,
		  .kind = samples,
		  .tid = 7,
		  .addresses = one,
		  .address_count = 3,
		  .payload = "\2\0\0",
		  .payload_length = 4 },
		{ .time = 5000000200,
		  .kind = samples,
		  .tid = 8,
		  .addresses = other,
		  .address_count = 1,
		  .payload = "\2\0\0",
		  .payload_length = 4 },
		{ .time = 5000000300, .kind = start, .tid = 7, .payload = "0123456789", .payload_length = 10 },
		{ .time = 5000000300, .kind = start, .tid = 0 },
		{ .time = 5000000400,
		  .kind = samples,
		  .tid = 7,
		  .addresses = one,
		  .address_count = 3,
		  .payload = "\2\0\0",
		  .payload_length = 4 },
	};
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		if (i == 3)
			nt_nettrace_writer_lost(f->writer, 5);
		nt_nettrace_writer_event(f->writer, &events[i]);
	}
	read_back(f);
	assert_string_equal(f->said.text, "5000000200 7 Microsoft-DotNETCore-SampleProfiler/0.0 4 10+3\n"
					  "5000000200 8 Microsoft-DotNETCore-SampleProfiler/0.0 4 11+1\n"
					  "lost 5\n" /* what is of one time is delivered together */
					  "5000000300 7 Microsoft-Windows-DotNETRuntime/1.1 10 0+0\n"
					  "5000000300 0 Microsoft-Windows-DotNETRuntime/1.1 0 0+0\n"
					  "5000000400 7 Microsoft-DotNETCore-SampleProfiler/0.0 4 10+3\n");
	/* A stack lies in it once. */
	char *first = memmem(f->bytes, f->size, one, sizeof(one));
	assert_non_null(first);
	assert_null(memmem(first + 1, (size_t)(f->bytes + f->size - first - 1), one, sizeof(one)));
}

/* So many that blocks are full and stacks are forgotten: each event has its own stack. */
static void many_stacks(void **state)
{
	struct fixture *f = *state;
	enum { EVENTS = 60000, DEPTH = 8 };
	uint32_t samples = nt_nettrace_writer_kind(f->writer, &sample);
	for (unsigned i = 0; i < EVENTS; i++) {
		uint64_t addresses[DEPTH] = { begin.time + i, i };
		nt_nettrace_writer_event(
			f->writer,
			&(struct nt_nettrace_told){
				.time = begin.time + i, .kind = samples, .tid = i % 5, .addresses = addresses, .address_count = DEPTH });
	}
	read_back(f);
	assert_int_equal(f->said.events, EVENTS);
	assert_int_equal(f->said.stacked, EVENTS);
	assert_int_equal(f->said.lost, 0);
}

/* A block with stacks is no longer than a reader takes. */
static void deep_stacks(void **state)
{
	struct fixture *f = *state;
	enum { EVENTS = 600, DEPTH = 1024 };
	static uint64_t addresses[DEPTH];
	uint32_t samples = nt_nettrace_writer_kind(f->writer, &sample);
	for (unsigned i = 0; i < EVENTS; i++) {
		addresses[0] = begin.time + i;
		nt_nettrace_writer_event(f->writer,
					 &(struct nt_nettrace_told){
						 .time = begin.time + i, .kind = samples, .addresses = addresses, .address_count = DEPTH });
	}
	read_back(f);
	assert_int_equal(f->said.stacked, EVENTS);
}

/* More than their numbers can say. */
static void very_many_are_lost(void **state)
{
	struct fixture *f = *state;
	uint32_t start = nt_nettrace_writer_kind(f->writer, &gc_start);
	nt_nettrace_writer_event(f->writer, &(struct nt_nettrace_told){ .time = begin.time, .kind = start });
	nt_nettrace_writer_lost(f->writer, UINT64_MAX);
	nt_nettrace_writer_event(f->writer, &(struct nt_nettrace_told){ .time = begin.time + 1, .kind = start });
	read_back(f);
	assert_int_equal(f->said.events, 2);
	assert_int_equal(f->said.lost, INT32_MAX);
}

static void the_largest_payload(void **state)
{
	struct fixture *f = *state;
	static const char payload[NT_NETTRACE_PAYLOAD_MAX];
	uint32_t start = nt_nettrace_writer_kind(f->writer, &gc_start);
	for (unsigned i = 0; i < 3; i++)
		nt_nettrace_writer_event(
			f->writer, &(struct nt_nettrace_told){
					   .time = begin.time + i, .kind = start, .payload = payload, .payload_length = sizeof(payload) });
	read_back(f);
	assert_int_equal(f->said.events, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_without_events, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_events_say_comes_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(many_stacks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(deep_stacks, set_up, tear_down),
		cmocka_unit_test_setup_teardown(very_many_are_lost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_largest_payload, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
