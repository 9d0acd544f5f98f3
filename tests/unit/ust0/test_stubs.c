// SPDX-License-Identifier: GPL-2.0-only
/*
 * From LTTng's call of a stub to LTTng's channel, through an old probe as the macros of lttng-ust 2.12 write it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "ust0/boxes.h"

#include <pthread.h>
#include <stdbool.h>
#include <string.h>

/* ---- the old side: a probe ---- */

#define ARGUMENTS                                                                                                                          \
	int a, double b, const char *c, uint64_t d, float e, short f, long g, void *h, double i, double j, double k, double l, double m,   \
		double n, double o, double p
typedef void probe_function(void *data, ARGUMENTS);

static void align(struct ust0_ctx *ctx, size_t alignment)
{
	ctx->buf_offset += (alignment - ctx->buf_offset) & (alignment - 1);
}

static bool passes(const struct ust0_event *event, const char *stack)
{
	bool record = event->has_enablers_without_filter;
	for (const struct ust0_list *node = event->filters.next; node != &event->filters; node = node->next) {
		const struct ust0_filter *filter = (const struct ust0_filter *)((const char *)node - offsetof(struct ust0_filter, node));
		record |= filter->filter((void *)(uintptr_t)filter, stack) & UST0_FILTER_RECORD;
	}
	return record;
}

static void old_probe(void *data, ARGUMENTS)
{
	struct ust0_event *event = data;
	const struct ust0_channel *chan = event->chan;
	if (!chan->session->active || !chan->enabled || !event->enabled)
		return;
	if (event->filters.next != &event->filters && !passes(event, (const char *)&d))
		return;
	const double doubles[] = { b, e, i, j, k, l, m, n, o, p };
	struct ust0_ctx ctx = { .event = event, .data_size = 123, .largest_align = 8, .ip = h };
	if (chan->ops->event_reserve(&ctx, event->id) < 0)
		return;
	align(&ctx, sizeof(a));
	chan->ops->event_write(&ctx, &a, sizeof(a));
	align(&ctx, sizeof(f));
	chan->ops->event_write(&ctx, &f, sizeof(f));
	chan->ops->event_write(&ctx, &d, sizeof(d)); // packed
	align(&ctx, sizeof(g));
	chan->ops->event_write(&ctx, &g, sizeof(g));
	align(&ctx, sizeof(*doubles));
	chan->ops->event_write(&ctx, doubles, sizeof(doubles));
	align(&ctx, 1);
	chan->ops->event_strcpy(&ctx, c, strlen(c) + 1);
	chan->ops->event_commit(&ctx);
}

/* ---- the new side: a channel that keeps what is written ---- */

struct sink {
	struct ust1_session session;
	struct ust1_channel common;
	struct ust1_channel_buffer buffer;
	struct ust1_recorder recorder;
	struct ust1_event event;
	char bytes[512];
	size_t end, alignments[8];
	int writes, commits, refuse;
	void *ip;
};

static struct sink *sink_of(struct ust1_ctx *ctx)
{
	return (struct sink *)(void *)((char *)ctx->recorder - offsetof(struct sink, recorder));
}

static int reserve(struct ust1_ctx *ctx)
{
	struct sink *sink = sink_of(ctx);
	assert_int_equal(ctx->struct_size, sizeof(*ctx));
	assert_int_equal(ctx->data_size, 123);
	assert_int_equal(ctx->largest_align, 8);
	assert_null(ctx->priv);
	sink->ip = ctx->probe_ctx->ip;
	ctx->priv = sink;
	return sink->refuse ? -1 : 0;
}

static void commit(struct ust1_ctx *ctx)
{
	assert_ptr_equal(ctx->priv, sink_of(ctx));
	sink_of(ctx)->commits++;
}

static void write_bytes(struct ust1_ctx *ctx, const void *src, size_t length, size_t alignment)
{
	struct sink *sink = sink_of(ctx);
	assert_true(sink->end + length <= sizeof(sink->bytes));
	memcpy(sink->bytes + sink->end, src, length);
	sink->end += length;
	sink->alignments[sink->writes++] = alignment;
}

static void write_string(struct ust1_ctx *ctx, const char *src, size_t length)
{
	write_bytes(ctx, src, length, 1);
}

static const struct ust1_channel_ops ops = {
	.event_reserve = reserve, .event_commit = commit, .event_write = write_bytes, .event_strcpy = write_string
};

static void init(struct sink *sink)
{
	*sink = (struct sink){
		.session = { .active = 1 },
		.common = { .enabled = 1, .session = &sink->session },
		.buffer = { .parent = &sink->common, .ops = &ops },
		.recorder = { .chan = &sink->buffer },
		.event = { .type = UST1_EVENT_RECORDER, .child = &sink->recorder, .enabled = 1 },
	};
}

static void call(probe_function *stub, struct sink *sink)
{
	sink->end = 0;
	sink->writes = sink->commits = 0;
	stub(&sink->event, -7, 2.5, "text", UINT64_MAX - 1, 0.5F, -3, 1L << 40, sink, 1, 2, 3, 4, 5, 6, 7, 8);
}

static void check_record(const struct sink *sink)
{
	const int a = -7;
	const short f = -3;
	const uint64_t d = UINT64_MAX - 1;
	const long g = 1L << 40;
	const double doubles[] = { 2.5, 0.5, 1, 2, 3, 4, 5, 6, 7, 8 };
#ifdef __x86_64__
	const size_t alignments[] = { 1, 1, 1, 1, 1, 1 }; // packed
#else
	const size_t alignments[] = { 4, 2, 1, 8, 8, 1 };
#endif
	const struct {
		const void *bytes;
		size_t length;
	} parts[] = { { &a, sizeof(a) }, { &f, sizeof(f) }, { &d, sizeof(d) }, { &g, sizeof(g) }, { doubles, sizeof(doubles) },
		      { "text", 5 } };
	size_t at = 0;
	assert_int_equal(sink->commits, 1);
	assert_int_equal(sink->writes, sizeof(parts) / sizeof(*parts));
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		assert_memory_equal(sink->bytes + at, parts[i].bytes, parts[i].length);
		assert_int_equal(sink->alignments[i], alignments[i]);
		at += parts[i].length;
	}
	assert_int_equal(sink->end, at);
	assert_ptr_equal(sink->ip, sink);
}

static probe_function *new_stub(void)
{
	void (*stub)(void) = ust0_stub_for((void (*)(void))old_probe);
	assert_non_null(stub);
	return (probe_function *)stub;
}

static void test_a_record_arrives_whole(void **state)
{
	(void)state;
	probe_function *stub = new_stub(), *other = new_stub();
	struct sink sink;
	init(&sink);
	for (int i = 0; i < 3; i++) { // made, found
		call(stub, &sink);
		check_record(&sink);
	}
	call(other, &sink);
	check_record(&sink);
}

static void test_sessions_do_not_mix(void **state)
{
	(void)state;
	enum { SESSIONS = 5 };
	static struct sink sinks[SESSIONS];
	probe_function *stub = new_stub();
	for (int i = 0; i < SESSIONS; i++)
		init(&sinks[i]);
	for (int round = 0; round < 3; round++)
		for (int i = 0; i < SESSIONS; i++) {
			call(stub, &sinks[i]);
			check_record(&sinks[i]);
		}
}

static void test_what_is_off_records_nothing(void **state)
{
	(void)state;
	probe_function *stub = new_stub();
	struct sink sink;
	init(&sink);
	int *switches[] = { &sink.session.active, &sink.common.enabled, &sink.event.enabled };
	for (int filtered = 0; filtered < 2; filtered++)
		for (size_t i = 0; i < 3; i++) {
			sink.event.eval_filter = filtered; // its filter would crash
			*switches[i] = 0;
			call(stub, &sink);
			assert_int_equal(sink.writes, 0);
			*switches[i] = 1;
		}
	sink.event.eval_filter = 0;
	sink.refuse = 1;
	call(stub, &sink);
	assert_int_equal(sink.writes + sink.commits, 0);
	sink.refuse = 0;
	call(stub, &sink);
	check_record(&sink);
}

static int verdict, filtered, sent;

static int run_filter(const struct ust1_event *event, const char *stack, struct ust1_probe_ctx *ctx, void *filter_ctx)
{
	uint64_t value;
	memcpy(&value, stack, sizeof(value));
	assert_true(value == UINT64_MAX - 1);
	assert_non_null(event);
	assert_int_equal(ctx->struct_size, sizeof(*ctx));
	assert_null(filter_ctx);
	filtered++;
	return verdict;
}

static void test_filters(void **state)
{
	(void)state;
	probe_function *stub = new_stub();
	struct sink sink;
	init(&sink);
	sink.event.run_filter = run_filter;
	call(stub, &sink);
	assert_int_equal(filtered, 0);
	sink.event.eval_filter = 1;
	verdict = 1;
	call(stub, &sink);
	assert_int_equal(filtered, 1);
	assert_int_equal(sink.writes, 0);
	verdict = 0;
	call(stub, &sink);
	check_record(&sink);
}

static void send(const struct ust1_notifier *notifier, const char *stack, struct ust1_probe_ctx *ctx,
		 struct ust1_notification_ctx *notification)
{
	(void)stack;
	(void)ctx;
	assert_int_equal(notification->eval_capture, notifier->eval_capture);
	sent++;
}

static void test_triggers(void **state)
{
	(void)state;
	probe_function *stub = new_stub();
	struct sink sink;
	init(&sink);
	struct ust1_notifier notifier = { .eval_capture = 1, .send = send };
	sink.event.type = UST1_EVENT_NOTIFIER;
	sink.event.child = &notifier;
	sink.event.run_filter = run_filter;
	call(stub, &sink);
	assert_int_equal(sent, 1);
	sink.event.eval_filter = 1;
	verdict = 1;
	call(stub, &sink);
	assert_int_equal(sent, 1);
	verdict = 0;
	sink.event.enabled = 0;
	call(stub, &sink);
	assert_int_equal(sent, 1);
	sink.event.enabled = 1;
	call(stub, &sink);
	assert_int_equal(sent, 2);
	sink.event.type = 2; // a counter of 2.14
	call(stub, &sink);
	assert_int_equal(sent, 2);
	assert_int_equal(sink.writes, 0);
}

struct caller {
	probe_function *stub;
	struct sink sinks[4];
};

static void *call_often(void *argument)
{
	struct caller *caller = argument;
	for (int i = 0; i < 20000; i++) {
		struct sink *sink = &caller->sinks[i % 4];
		call(caller->stub, sink);
		check_record(sink);
	}
	return NULL;
}

static void test_threads_share_a_stub(void **state)
{
	(void)state;
	enum { THREADS = 4 };
	static struct caller callers[THREADS];
	pthread_t threads[THREADS];
	probe_function *stub = new_stub();
	for (int i = 0; i < THREADS; i++) {
		callers[i].stub = stub;
		for (int s = 0; s < 4; s++)
			init(&callers[i].sinks[s]);
		assert_int_equal(pthread_create(&threads[i], NULL, call_often, &callers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
}

static void test_stubs_are_limited(void **state)
{
	(void)state;
	int left = 0;
	while (left <= UST0_STUB_COUNT && ust0_stub_for((void (*)(void))old_probe))
		left++;
	assert_in_range(left, UST0_STUB_COUNT - 100, UST0_STUB_COUNT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_record_arrives_whole),
		cmocka_unit_test(test_sessions_do_not_mix),
		cmocka_unit_test(test_what_is_off_records_nothing),
		cmocka_unit_test(test_filters),
		cmocka_unit_test(test_triggers),
		cmocka_unit_test(test_threads_share_a_stub),
		cmocka_unit_test(test_stubs_are_limited),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
