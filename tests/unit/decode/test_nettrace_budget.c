// SPDX-License-Identifier: GPL-2.0-only
/* What streams may keep, all together: floods of the smallest events, which wait for an older one that never comes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/eventpipe/nettrace_blocks.h"
#include "nettrace_stream.h"

enum { STREAMS = 3, ROUNDS = 8 };

static struct nt_nettrace_budget budget;
static size_t most_used, delivered;

struct source {
	struct nt_nettrace *trace;
	size_t offset; /* of the next byte */
};

static void note_event(void *context, const struct nt_nettrace_event *event)
{
	(void)context;
	(void)event;
	delivered++;
	most_used = budget.used_bytes > most_used ? budget.used_bytes : most_used;
}

static void feed(struct source *source, const void *bytes, size_t length)
{
	assert_int_equal(nt_nettrace_feed(source->trace, bytes, length, NULL), NT_OK);
	source->offset += length;
	most_used = budget.used_bytes > most_used ? budget.used_bytes : most_used;
}

static void feed_block(struct source *source, const char *type, const uint8_t *content, size_t length)
{
	struct stream head = { .length = 0 };
	put_object(&head, type);
	put_u32(&head, (uint32_t)length);
	while ((source->offset + head.length) % 4)
		put_u8(&head, 0);
	feed(source, head.bytes, head.length);
	feed(source, content, length);
	feed(source, "\6", 1);
}

/* The first with all of its header, the others as that, a tick later: three bytes each. Returns how many. */
static size_t fill_with_events(uint8_t content[NT_NETTRACE_BLOCK_MAX], size_t *length)
{
	struct stream first = event_block();
	put_event(&first, (struct written_event){ 1, 1, 0, 7, 1, false });
	memcpy(content, first.bytes, first.length);
	size_t count = 1;
	for (*length = first.length; *length + 3 <= NT_NETTRACE_BLOCK_MAX; *length += 3, count++)
		memcpy(content + *length, "\0\1\1", 3);
	return count;
}

static void begin(struct source *source)
{
	const struct nt_nettrace_sink sink = { .event = note_event };
	struct stream s = { .length = 0 };
	put_start(&s, 0, 1000000000);
	put_kind(&s, 1, 9999);
	*source = (struct source){ .trace = nt_nettrace_new(&sink, &budget) };
	feed(source, s.bytes, s.length);
}

static void streams_share_a_budget(void **state)
{
	(void)state;
	struct source sources[STREAMS];
	uint8_t *content = malloc(NT_NETTRACE_BLOCK_MAX);
	assert_non_null(content);
	size_t length, count = fill_with_events(content, &length);
	most_used = delivered = 0;
	for (size_t i = 0; i < STREAMS; i++)
		begin(&sources[i]);
	for (size_t round = 0; round < ROUNDS; round++)
		for (size_t i = 0; i < STREAMS; i++)
			feed_block(&sources[i], "EventBlock", content, length);
	/* More has come than fits, so some of it has gone before its time; nothing is lost by that. */
	assert_true(delivered > 0);
	assert_in_range(most_used, NT_NETTRACE_BUDGET_BYTES / 4, NT_NETTRACE_BUDGET_BYTES);
	for (size_t i = 0; i < STREAMS; i++) {
		nt_nettrace_settle(sources[i].trace);
		assert_int_equal(nt_nettrace_waiting(sources[i].trace), 0);
	}
	assert_int_equal(delivered, count * ROUNDS * STREAMS);
	for (size_t i = 0; i < STREAMS; i++)
		nt_nettrace_free(sources[i].trace);
	assert_int_equal(budget.used_bytes, 0);
	free(content);
}

/* Stacks of no frames: four bytes each in the stream. */
static void stacks_are_within_it(void **state)
{
	(void)state;
	struct source source;
	uint8_t *content = calloc(1, NT_NETTRACE_BLOCK_MAX);
	uint32_t count = NT_NETTRACE_BLOCK_MAX / 4 - 2;
	assert_non_null(content);
	most_used = 0;
	begin(&source);
	for (uint32_t first = 1, round = 0; round < 200; round++, first += count) {
		memcpy(content, &first, sizeof(first));
		memcpy(content + 4, &count, sizeof(count));
		feed_block(&source, "StackBlock", content, NT_NETTRACE_BLOCK_MAX);
	}
	assert_in_range(most_used, 1, NT_NETTRACE_BUDGET_BYTES);
	nt_nettrace_free(source.trace);
	assert_int_equal(budget.used_bytes, 0);
	free(content);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(streams_share_a_budget),
		cmocka_unit_test(stacks_are_within_it),
	};
	return cmocka_run_group_tests_name("nettrace budget", tests, NULL, NULL);
}
