// SPDX-License-Identifier: GPL-2.0-only
/* Single events of an EventPipe stream as neutral events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/clr.h"
#include "decode/eventpipe/activity_events.h"
#include "decode/eventpipe/pool_item_events.h"
#include "decode/eventpipe/request_events.h"
#include "source/eventpipe/eventpipe_events.h"

#include <string.h>

static size_t put_text(uint8_t *to, const char *text)
{
	size_t length = strlen(text) + 1;
	for (size_t i = 0; i < length; i++) {
		to[2 * i] = (uint8_t)text[i];
		to[2 * i + 1] = 0;
	}
	return 2 * length;
}

/* ExceptionThrown_V1 with this message; whether the neutral event has one. */
static bool has_message(const char *message)
{
	enum { EXCEPTION_THROWN = 80, NUMBERS = 8 + 4 + 2 + 2 };
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = 4711 };
	struct nt_nettrace_meta meta = { .provider = NT_CLR_PROVIDER, .name = "", .id = EXCEPTION_THROWN, .version = 1 };
	uint8_t payload[256] = { 0 };
	size_t length = put_text(payload, "System.Exception");
	length += put_text(payload + length, message) + NUMBERS;
	const struct nt_nettrace_event event = { .meta = &meta, .time = 1, .payload = payload, .payload_length = (uint32_t)length };
	struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_COUNTS);
	sink.event(sink.context, &event);
	assert_int_equal(box.filling->event_count, 1);
	assert_int_equal(box.filling->events[0].kind, NT_EV_EXCEPTION_THROWN);
	assert_int_not_equal(box.filling->events[0].u.exception.type, 0);
	bool has = box.filling->events[0].u.exception.message != 0;
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
	return has;
}

static void the_word_for_null_is_no_message(void **state)
{
	(void)state;
	assert_false(has_message("NULL"));
	assert_false(has_message(""));
	assert_true(has_message("NULL."));
	assert_true(has_message("null"));
	assert_true(has_message("NUL"));
}

/* A single request, and one whose payload is damaged: it is counted as unknown. Each is paid for. */
static void single_requests(void **state)
{
	(void)state;
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = 4711 };
	struct nt_nettrace_meta meta = { .provider = NT_DIAGNOSTIC_SOURCE_PROVIDER, .name = "Activity1/Start" };
	uint8_t payload[512] = { 0 };
	size_t length = put_text(payload, "Microsoft.AspNetCore");
	length += put_text(payload + length, NT_REQUEST_START);
	payload[length] = 1; /* pair of key and value */
	length += 2;
	length += put_text(payload + length, "P");
	length += put_text(payload + length, "/a");
	struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_REQUESTS);
	struct nt_nettrace_event event = { .meta = &meta, .time = 1, .payload = payload, .payload_length = (uint32_t)length };
	sink.event(sink.context, &event);
	uint64_t price_ns = events.request_price_ns;
	assert_true(price_ns && events.price_ns == price_ns);
	event.payload_length -= 2;
	sink.event(sink.context, &event);
	assert_true(events.request_price_ns == 2 * price_ns);
	sink.lost(sink.context, &(struct nt_nettrace_lost){ .count = 1, .until = 5 });
	sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_COUNTS);
	sink.lost(sink.context, &(struct nt_nettrace_lost){ .count = 1, .until = 6 });
	const struct nt_event *built = box.filling->events;
	assert_int_equal(box.filling->event_count, 4);
	assert_int_equal(built[0].kind, NT_EV_REQUEST);
	assert_int_not_equal(built[0].u.request.path, 0);
	assert_int_equal(built[1].kind, NT_EV_CLR_UNKNOWN);
	assert_int_equal(built[2].u.lost.of, NT_WANT_SINGLE_REQUESTS);
	assert_true(built[3].u.lost.of && !(built[3].u.lost.of & NT_WANT_SINGLE_REQUESTS));
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
}

/* Of a stream of their own, which may lose some: that is no loss of requests. */
static void activities(void **state)
{
	(void)state;
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = 4711 };
	struct nt_nettrace_meta meta = { .provider = NT_TASK_PROVIDER, .name = "SetActivityId", .id = 25 };
	const uint8_t payload[16] = { 1, [8] = 2 };
	struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_ACTIVITIES);
	struct nt_nettrace_event event = { .meta = &meta, .time = 1, .payload = payload, .payload_length = sizeof(payload) };
	sink.event(sink.context, &event);
	assert_true(events.request_price_ns);
	event.payload_length--;
	sink.event(sink.context, &event);
	sink.lost(sink.context, &(struct nt_nettrace_lost){ .count = 1, .until = 5 });
	struct nt_nettrace_meta other = { .provider = NT_TASK_PROVIDER, .name = "TaskWaitBegin", .id = 10 };
	event.meta = &other;
	sink.event(sink.context, &event);
	const struct nt_event *built = box.filling->events;
	assert_int_equal(box.filling->event_count, 3);
	assert_int_equal(built[0].kind, NT_EV_ACTIVITY);
	assert_true(built[0].u.activity.high == 1 && built[0].u.activity.low == 2);
	assert_int_equal(built[1].kind, NT_EV_CLR_UNKNOWN);
	assert_int_equal(built[2].u.lost.of, NT_WANT_ACTIVITIES);
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
}

/* Likewise. Others of the same EventSource are left alone. */
static void work_items(void **state)
{
	(void)state;
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("/proc/self", true), .pid = 4711 };
	struct nt_nettrace_meta enqueue = { .provider = NT_FRAMEWORK_PROVIDER, .name = "ThreadPoolEnqueueWork", .id = 30 },
				dequeue = { .provider = NT_FRAMEWORK_PROVIDER, .name = "ThreadPoolDequeueWork", .id = 31 },
				transfer = { .provider = NT_FRAMEWORK_PROVIDER, .name = "ThreadTransferSend", .id = 150 };
	const uint8_t payload[8] = { 0x42, 0x01 };
	struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_POOL_ITEMS);
	struct nt_nettrace_event event = { .meta = &enqueue, .time = 1, .payload = payload, .payload_length = sizeof(payload) };
	sink.event(sink.context, &event);
	assert_true(events.item_price_ns && !events.request_price_ns);
	event.meta = &dequeue;
	sink.event(sink.context, &event);
	event.payload_length--;
	sink.event(sink.context, &event);
	event.meta = &transfer;
	sink.event(sink.context, &event);
	sink.lost(sink.context, &(struct nt_nettrace_lost){ .count = 1, .until = 5 });
	sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_COUNTS);
	sink.lost(sink.context, &(struct nt_nettrace_lost){ .count = 1, .until = 5 });
	const struct nt_event *built = box.filling->events;
	assert_int_equal(box.filling->event_count, 5);
	assert_true(built[0].kind == NT_EV_POOL_ITEM && built[1].kind == NT_EV_POOL_ITEM);
	assert_true(built[0].u.pool_item.id == 0x142 && built[0].u.pool_item.op == NT_POOL_ITEM_ENQUEUED);
	assert_true(built[1].u.pool_item.id == 0x142 && built[1].u.pool_item.op == NT_POOL_ITEM_TAKEN);
	assert_int_equal(built[2].kind, NT_EV_CLR_UNKNOWN);
	assert_int_equal(built[3].u.lost.of, NT_WANT_POOL_ITEMS);
	assert_false(built[4].u.lost.of & NT_WANT_POOL_ITEMS);
	nt_inner_tids_free(events.tids);
	nt_outbox_fini(&box);
}

/* Of a file: a kind of the runtime's events that nothing is made of is known by its shape; one that nobody knows is counted. */
static void a_whole_stream(void **state)
{
	(void)state;
	enum { TICK = 10, JIT_START = 145, CATCH_STOP = 251, THROW_STOP = 256, NOBODYS = 60000 };
	static const struct {
		uint32_t id, version;
		size_t events;
		enum nt_event_kind kind;
		bool beside, again; /* `again`: a second one, beside the first */
	} cases[] = {
		{ TICK, 4, 1, NT_EV_ALLOC_TICK, true, false },           { JIT_START, 1, 2, NT_EV_JIT_START, false, true },
		{ CATCH_STOP, 0, 1, NT_EV_EXCEPTION_STEP, true, false }, { THROW_STOP, 0, 0, NT_EV_NONE, false, false },
		{ NOBODYS, 0, 1, NT_EV_CLR_UNKNOWN, false, false },
	};
	const uint64_t address = 0x7000;
	uint8_t payload[256] = { 0 };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_outbox box;
		nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
		struct nt_eventpipe_events events = { .box = &box, .tids = nt_inner_tids_new("", true), .pid = 4711 };
		struct nt_nettrace_meta meta = { .provider = NT_CLR_PROVIDER, .name = "", .id = cases[i].id, .version = cases[i].version };
		struct nt_nettrace_stack stack = { .addresses = (const uint8_t *)&address, .count = 1 };
		const struct nt_nettrace_event event = {
			.meta = &meta, .time = 1, .payload = payload, .payload_length = sizeof(payload), .stack = &stack
		};
		struct nt_nettrace_sink sink = nt_eventpipe_events_sink(&events, NT_EVENTPIPE_WHOLE);
		sink.event(sink.context, &event);
		assert_int_equal(box.filling ? box.filling->event_count : 0, cases[i].events);
		if (cases[i].events) {
			assert_int_equal(box.filling->events[0].kind, cases[i].kind);
			assert_int_equal(box.filling->events[0].beside, cases[i].beside);
		}
		if (cases[i].again)
			assert_true(box.filling->events[1].beside && box.filling->events[1].stack);
		nt_inner_tids_free(events.tids);
		nt_outbox_fini(&box);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(the_word_for_null_is_no_message), cmocka_unit_test(single_requests),
					    cmocka_unit_test(activities), cmocka_unit_test(work_items), cmocka_unit_test(a_whole_stream) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
