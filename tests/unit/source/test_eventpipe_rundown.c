// SPDX-License-Identifier: GPL-2.0-only
/* The runtime is asked for its methods, by a source of which nothing else is wanted. The test plays the runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drain.h"
#include "fake_target.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe_rundown.h"
#include "source/eventpipe/eventpipe_socket.h"

struct seen {
	bool ended, answered;
	bool with_reason;
};

struct fixture {
	struct fake_target fake;
	struct nt_source_config config;
	struct nt_source *source;
	struct seen seen;
	uint8_t trace[1 << 18]; /* a stream that was recorded: it lists no method */
	size_t trace_length;
	uint8_t request[4096]; /* the newest */
};

/* There is no keeper. */
static void ignore_stream(void *context, int fd)
{
	(void)context;
	(void)fd;
}

static void ignore_reading(void *context)
{
	(void)context;
}

static int setup(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	f->config = (struct nt_source_config){
		.rundown = true, .stream_note = ignore_stream, .stream_read = ignore_reading, .stream_done = ignore_stream
	};
	fake_target_init(&f->fake);
	fake_target_listen(&f->fake, "root/tmp", 8);
	FILE *file = fopen("tests/data/nettrace/runtime.nettrace", "rb");
	assert_non_null(file);
	f->trace_length = fread(f->trace, 1, sizeof(f->trace), file);
	fclose(file);
	assert_int_equal(nt_source_eventpipe.open(&f->config, &f->source, NULL), NT_OK);
	assert_int_equal(nt_source_eventpipe.add(f->source, &f->fake.target, NULL), NT_OK);
	*state = f;
	return 0;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.close(f->source);
	fake_target_fini(&f->fake);
	free(f);
	return 0;
}

static void see(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct seen *seen = context;
	(void)batch;
	if (event->kind == NT_EV_RUNDOWN) {
		seen->ended = true;
		seen->with_reason = event->u.rundown.reason;
	}
	seen->answered |= event->kind == NT_EV_IL_MAP && event->u.il_map.asked == 0x1234 && event->u.il_map.reason;
}

static size_t ask(struct fixture *f, const char *image)
{
	const struct nt_question question = { .pid = f->fake.target.pid, .image = image, .map_start = 0x1234, .map_end = 0x2000 };
	return nt_source_eventpipe.ask(f->source, &question, 1);
}

/* Tick until somebody connects, and take the request. Its command is byte 17. Returns the connection, -1: nobody came. */
static int take_request(struct fixture *f, int seconds)
{
	nt_time deadline = nt_clock_now() + (nt_time)seconds * NT_NS_PER_S;
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	do {
		nt_source_eventpipe.on_tick(f->source, nt_clock_now(), false);
		drain_all(f->source, see, &f->seen);
	} while (!poll(&called, 1, 5) && nt_clock_now() < deadline);
	if (!called.revents)
		return -1;
	int connection = accept(f->fake.listener, NULL, NULL);
	assert_true(connection >= 0);
	assert_true(recv(connection, f->request, sizeof(f->request), 0) >= 20);
	return connection;
}

static void put(int connection, const void *bytes, size_t length)
{
	assert_int_equal(send(connection, bytes, length, MSG_NOSIGNAL), length);
}

/* The session is granted, and its stream sent up to its last byte. */
static int grant(struct fixture *f)
{
	static const uint8_t granted[] = { 'D', 'O', 'T',  'N', 'E', 'T', '_', 'I', 'P', 'C', '_', 'V', '1', 0,
					   28,  0,   0xff, 0,   0,   0,   42,  0,   0,   0,   0,   0,   0,   0 };
	int stream = take_request(f, 20);
	assert_true(stream >= 0);
	assert_int_equal(f->request[17], 6);
	put(stream, granted, sizeof(granted));
	put(stream, f->trace, f->trace_length - 1);
	return stream;
}

/* Keywords of the rundown, behind session type, buffer and format. */
static uint64_t keywords(const struct fixture *f)
{
	uint64_t value;
	memcpy(&value, f->request + 20 + 3 * sizeof(uint32_t), sizeof(value));
	return value;
}

static void session_is_stopped_at_once_and_read_to_its_end(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(ask(f, NT_METHODS_IMAGE), 1);
	int stream = grant(f);
	assert_int_equal(keywords(f), 0x139);
	int stop = take_request(f, 20);
	assert_true(stop >= 0);
	assert_int_equal(f->request[17], 1);
	assert_int_equal(f->request[20], 42);
	assert_false(f->seen.ended);
	put(stream, f->trace + f->trace_length - 1, 1);
	drain_until(f->source, see, &f->seen, &f->seen.ended);
	assert_false(f->seen.with_reason);
	/* The target has no session any more: the connection is closed. */
	uint8_t byte;
	assert_int_equal(recv(stream, &byte, 1, 0), 0);
	close(stop);
	close(stream);
}

static void il_maps_are_asked_for_when_somebody_wants_one(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(ask(f, NT_IL_MAP_IMAGE), 1);
	int stream = grant(f);
	assert_int_equal(keywords(f), 0x20139);
	int stop = take_request(f, 20);
	put(stream, f->trace + f->trace_length - 1, 1);
	drain_until(f->source, see, &f->seen, &f->seen.ended);
	assert_true(f->seen.answered);
	close(stop);
	close(stream);
}

static void a_cut_stream_is_told_and_not_asked_for_again(void **state)
{
	struct fixture *f = *state;
	ask(f, NT_METHODS_IMAGE);
	close(grant(f));
	int stop = take_request(f, 1); /* whether it still asks for the end depends on what it sees first */
	if (stop >= 0)
		close(stop);
	drain_until(f->source, see, &f->seen, &f->seen.ended);
	assert_true(f->seen.with_reason);
	assert_int_equal(take_request(f, 1), -1);
}

static void other_questions_are_not_for_it(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(ask(f, "/app/Shop.dll"), 0);
	assert_int_equal(ask(f, NT_CODE_IMAGE), 0);
	assert_int_equal(take_request(f, 1), -1);
}

static void switched_off_it_takes_no_question(void **state)
{
	struct fixture *f = *state;
	f->config.rundown = false;
	assert_int_equal(ask(f, NT_METHODS_IMAGE), 0);
	assert_int_equal(take_request(f, 1), -1);
}

/* No method is listed, and they are asked for once. */
static void settings_of_the_collector_are_asked_for_alone_and_once(void **state)
{
	struct fixture *f = *state;
	struct nt_eventpipe_rundown rundown = { 0 };
	struct nt_eventpipe_socket socket;
	struct nt_nettrace_budget budget = { 0 };
	struct nt_outbox box;
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	nt_eventpipe_socket_init(&socket);
	nt_outbox_init(&box, NT_SOURCE_EVENTPIPE);
	const struct nt_eventpipe_details details = { .socket = &socket, .runtime_major = 10, .config = &f->config, .budget = &budget };
	assert_false(nt_eventpipe_rundown_busy(&rundown));
	nt_eventpipe_rundown_want_settings(&rundown);
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (!poll(&called, 1, 5) && nt_clock_now() < deadline)
		nt_eventpipe_rundown_go_on(&rundown, &f->fake.target, &details, nt_clock_now(), &box);
	int connection = accept(f->fake.listener, NULL, NULL);
	assert_true(connection >= 0);
	assert_true(recv(connection, f->request, sizeof(f->request), 0) >= 20);
	assert_int_equal(keywords(f), 0x1);
	close(connection);
	while (nt_eventpipe_rundown_busy(&rundown) && nt_clock_now() < deadline)
		nt_eventpipe_rundown_go_on(&rundown, &f->fake.target, &details, nt_clock_now(), &box);
	nt_eventpipe_rundown_want_settings(&rundown);
	assert_false(nt_eventpipe_rundown_busy(&rundown));
	nt_eventpipe_rundown_fini(&rundown);
	nt_outbox_fini(&box);
	nt_eventpipe_socket_fini(&socket);
}

#define WITH_A_RUNTIME(test_) cmocka_unit_test_setup_teardown(test_, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_A_RUNTIME(session_is_stopped_at_once_and_read_to_its_end),
		WITH_A_RUNTIME(il_maps_are_asked_for_when_somebody_wants_one),
		WITH_A_RUNTIME(a_cut_stream_is_told_and_not_asked_for_again),
		WITH_A_RUNTIME(other_questions_are_not_for_it),
		WITH_A_RUNTIME(switched_off_it_takes_no_question),
		WITH_A_RUNTIME(settings_of_the_collector_are_asked_for_alone_and_once),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
