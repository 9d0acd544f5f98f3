// SPDX-License-Identifier: GPL-2.0-only
/* The stream as a whole: a real recording, cut and damaged, and streams written by hand for what a recording of a quiet program has not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "nettrace_stream.h"

static struct said said, again;

static void a_recording_of_dotnet_10(void **state)
{
	(void)state;
	size_t length;
	uint8_t *bytes = recording("runtime.nettrace", &length);
	assert_int_equal(decode(bytes, length, length, &said), NT_END);
	assert_true(said.in_order);
	assert_int_equal(said.start.pointer_size, 8);
	assert_int_equal(said.start.cpu_count, 2);
	assert_true(said.start.time > 0 && said.start.time < said.newest);
	/* What the workload did: `throw 3`, `gc 0`, `locks 2`. */
	static const struct {
		const char *id;
		unsigned count;
	} kinds[] = { { " 80 ", 3 }, { " 1 ", 2 /* and the ProcessInfo at the end */ }, { " 2 ", 1 }, { " 81 ", 2 }, { " 91 ", 2 } };
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		unsigned count = 0;
		for (const char *line = said.text; *line; line = strchr(line, '\n') + 1)
			count += strncmp(strchr(strchr(line, ' ') + 1, ' '), kinds[i].id, strlen(kinds[i].id)) == 0;
		assert_int_equal(count, kinds[i].count);
	}
	assert_null(strstr(said.text, "lost"));
	free(bytes);
}

static void a_cut_changes_nothing(void **state)
{
	(void)state;
	size_t length;
	uint8_t *bytes = recording("runtime.nettrace", &length);
	assert_int_equal(decode(bytes, length, length, &said), NT_END);
	for (size_t cut = 0; cut < length; cut++) {
		assert_int_equal(decode(bytes, length, cut, &again), NT_END);
		assert_string_equal(said.text, again.text);
	}
	struct nt_nettrace *trace = new_decoder(&again);
	for (size_t at = 0; at < length; at++)
		assert_int_equal(nt_nettrace_feed(trace, bytes + at, 1, NULL), at + 1 < length ? NT_OK : NT_END);
	assert_string_equal(said.text, again.text);
	assert_int_equal(nt_nettrace_feed(trace, (const uint8_t *)"more", 4, NULL), NT_END);
	assert_string_equal(said.text, again.text);
	nt_nettrace_free(trace);
	free(bytes);
}

static void a_damaged_byte_is_survived(void **state)
{
	(void)state;
	size_t length;
	uint8_t *bytes = recording("runtime.nettrace", &length);
	for (size_t at = 0; at < length; at++) {
		bytes[at] ^= 0x55;
		decode(bytes, length, length, &again);
		bytes[at] ^= 0x55;
	}
	free(bytes);
}

/* A stream with the kinds 1 and 2 announced. */
static struct stream usual_start(void)
{
	struct stream s = { .length = 0 };
	put_start(&s, 1000, NT_NS_PER_S);
	put_kind(&s, 1, 11);
	put_kind(&s, 2, 12);
	return s;
}

static void expect(const struct stream *s, enum nt_status status, const char *text)
{
	assert_int_equal(decode(s->bytes, s->length, s->length, &said), status);
	assert_string_equal(said.text, text);
}

static void runs_of_threads_are_merged(void **state)
{
	(void)state;
	struct stream s = usual_start(), block = event_block();
	put_event(&block, (struct written_event){ 1, 0, 0, 7, 100, true });
	put_event(&block, (struct written_event){ 1, 0, 0, 7, 50, false });           /* 150 */
	put_event(&block, (struct written_event){ 2, 0, 0, 8, (uint64_t)-40, true }); /* 110: the delta wraps */
	put_event(&block, (struct written_event){ 2, 0, 0, 8, 40, false });           /* 150: as early as the other, came later */
	put_block(&s, "EventBlock", &block);
	struct stream next = event_block();
	put_event(&next, (struct written_event){ 1, 3, 0, 7, 160, true });
	put_block(&s, "EventBlock", &next);
	put_u8(&s, 1);
	expect(&s, NT_END, "100 7 11 0\nlost 1 until 160\n110 8 12 0\n150 7 11 0\n150 8 12 0\n160 7 11 0\n");
}

static void what_is_not_the_oldest_waits(void **state)
{
	(void)state;
	struct stream s = usual_start(), block = event_block();
	put_event(&block, (struct written_event){ 1, 0, 0, 7, 100, true });
	put_event(&block, (struct written_event){ 1, 0, 0, 7, 50, false });
	put_event(&block, (struct written_event){ 2, 0, 0, 8, (uint64_t)-40, true });
	put_block(&s, "EventBlock", &block);
	struct nt_nettrace *trace = new_decoder(&said);
	assert_int_equal(nt_nettrace_feed(trace, s.bytes, s.length, NULL), NT_OK);
	assert_string_equal(said.text, "100 7 11 0\n");
	assert_int_equal(nt_nettrace_waiting(trace), 2);
	nt_nettrace_settle(trace);
	assert_string_equal(said.text, "100 7 11 0\n110 8 12 0\n150 7 11 0\n");
	assert_int_equal(nt_nettrace_waiting(trace), 0);
	nt_nettrace_free(trace);
}

static void a_clock_of_another_rate(void **state)
{
	(void)state;
	struct stream s = { .length = 0 }, block = event_block();
	put_start(&s, 10, 10);
	put_kind(&s, 1, 11);
	put_event(&block, (struct written_event){ 1, 0, 0, 7, 25, true });
	put_block(&s, "EventBlock", &block);
	put_u8(&s, 1);
	expect(&s, NT_END, "2500000000 7 11 0\n");
	assert_int_equal(said.start.time, NT_NS_PER_S);
}

static void losses_are_gaps_of_a_threads_numbers(void **state)
{
	(void)state;
	struct stream s = usual_start(), block = event_block(), point = { .length = 0 };
	put_event(&block, (struct written_event){ 1, 4, 0, 7, 100, true });  /* number 5: nobody knows what was before */
	put_event(&block, (struct written_event){ 1, 10, 0, 7, 10, false }); /* number 16 */
	put_event(&block, (struct written_event){ 1, 0, 0, 9, 10, true });
	put_block(&s, "EventBlock", &block);
	put_u64(&point, 200);
	put_u32(&point, 2);
	put_u64(&point, 7);
	put_u32(&point, 20);
	put_u64(&point, 8); /* has never got an event through */
	put_u32(&point, 3);
	put_block(&s, "SPBlock", &point);
	struct stream next = event_block();
	put_event(&next, (struct written_event){ 1, 5, 0, 8, 210, true });           /* number 6 */
	put_event(&next, (struct written_event){ 1, (uint32_t)-6, 0, 7, 10, true }); /* number 1: another thread with an old id */
	put_block(&s, "EventBlock", &next);
	put_u8(&s, 1);
	expect(&s, NT_END,
	       "lost 10 until 110\n100 7 11 0\n110 7 11 0\n120 9 11 0\nlost 4 until 200\nlost 2 until 210\n210 8 11 0\n220 7 11 0\n");
}

static void put_stacks(struct stream *s, uint32_t first, uint32_t count, uint32_t depth)
{
	struct stream block = { .length = 0 };
	put_u32(&block, first);
	put_u32(&block, count);
	for (uint32_t i = 0; i < count; i++) {
		put_u32(&block, (depth + i) * 8);
		for (uint32_t frame = 0; frame < depth + i; frame++)
			put_u64(&block, 0x7f0000000000 + frame);
	}
	put_block(s, "StackBlock", &block);
}

static void stacks_are_valid_until_a_sequence_point(void **state)
{
	(void)state;
	struct stream s = usual_start(), block = event_block(), point = { .length = 0 };
	put_stacks(&s, 1, 2, 5);
	put_stacks(&s, 3, 1, 9);
	put_event(&block, (struct written_event){ 1, 0, 2, 7, 100, true });
	put_event(&block, (struct written_event){ 1, 0, 3, 7, 1, false });
	put_event(&block, (struct written_event){ 1, 0, 4, 7, 1, false });
	put_block(&s, "EventBlock", &block);
	put_u64(&point, 200);
	put_u32(&point, 0);
	put_block(&s, "SPBlock", &point);
	put_stacks(&s, 4, 1, 1);
	struct stream next = event_block();
	put_event(&next, (struct written_event){ 1, 2, 2, 7, 210, true });
	put_event(&next, (struct written_event){ 1, 0, 4, 7, 1, false });
	put_block(&s, "EventBlock", &next);
	put_u8(&s, 1);
	expect(&s, NT_END, "100 7 11 6\n101 7 11 9\n102 7 11 0\n210 7 11 0\n211 7 11 1\n");
}

static void an_empty_block_is_one(void **state)
{
	(void)state;
	struct stream s = usual_start(), nothing = event_block();
	put_block(&s, "EventBlock", &nothing);
	put_u8(&s, 1);
	expect(&s, NT_END, "");
}

static void expect_malformed(const struct stream *s, const char *reason)
{
	struct nt_nettrace *trace = new_decoder(&said);
	struct nt_error err = { 0 };
	char text[2 * NT_ERROR_TEXT];
	assert_int_equal(nt_nettrace_feed(trace, s->bytes, s->length, &err), NT_ERR_MALFORMED);
	assert_non_null(strstr(nt_error_text(&err, text, sizeof(text)), reason));
	assert_int_equal(nt_nettrace_feed(trace, (const uint8_t *)"", 1, NULL), NT_ERR_MALFORMED);
	nt_nettrace_free(trace);
}

static void malformed_streams_say_why(void **state)
{
	(void)state;
	struct stream s = { .length = 0 };
	put(&s, "HTTP/1.1 400 Bad Request, or what else", 38);
	expect_malformed(&s, "it does not begin like one");

	s = usual_start();
	put_u8(&s, 9);
	expect_malformed(&s, "no object begins");

	s = usual_start();
	put_object(&s, "Surprise");
	expect_malformed(&s, "unknown type");

	s = usual_start();
	put_object(&s, "EventBlock");
	put_u32(&s, 0x7fffffff);
	expect_malformed(&s, "too large");

	struct stream block = event_block();
	put_event(&block, (struct written_event){ 3, 0, 0, 7, 1, true }); /* a kind that was never announced */
	s = usual_start();
	put_block(&s, "EventBlock", &block);
	expect_malformed(&s, "block of events");

	block = event_block();
	put_u8(&block, 128);
	put_varuint(&block, 1);
	put_varuint(&block, 100); /* bytes of payload, which do not follow */
	s = usual_start();
	put_block(&s, "EventBlock", &block);
	expect_malformed(&s, "block of events");

	s.length = 32;
	put_object(&s, "EventBlock");
	expect_malformed(&s, "no header");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_recording_of_dotnet_10),
		cmocka_unit_test(a_cut_changes_nothing),
		cmocka_unit_test(a_damaged_byte_is_survived),
		cmocka_unit_test(runs_of_threads_are_merged),
		cmocka_unit_test(what_is_not_the_oldest_waits),
		cmocka_unit_test(a_clock_of_another_rate),
		cmocka_unit_test(losses_are_gaps_of_a_threads_numbers),
		cmocka_unit_test(stacks_are_valid_until_a_sequence_point),
		cmocka_unit_test(an_empty_block_is_one),
		cmocka_unit_test(malformed_streams_say_why),
	};
	return cmocka_run_group_tests_name("nettrace", tests, NULL, NULL);
}
