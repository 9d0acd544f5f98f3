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

static const uint8_t granted[] = { 'D', 'O', 'T',  'N', 'E', 'T', '_', 'I', 'P', 'C', '_', 'V', '1', 0,
				   28,  0,   0xff, 0,   0,   0,   42,  0,   0,   0,   0,   0,   0,   0 };

/* The session is granted, and its stream sent up to its last byte. */
static int grant(struct fixture *f)
{
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

/* A list of which nothing but the settings of the collector is wanted. */
struct settings {
	struct nt_eventpipe_rundown rundown;
	struct nt_eventpipe_socket socket;
	struct nt_nettrace_budget budget;
	struct nt_outbox box;
	nt_time ahead_ns; /* of the clock */
};

static void go_on(struct fixture *f, struct settings *settings)
{
	const struct nt_eventpipe_details details = {
		.socket = &settings->socket, .runtime_major = 10, .config = &f->config, .budget = &settings->budget
	};
	nt_eventpipe_rundown_go_on(&settings->rundown, &f->fake.target, &details, nt_clock_now() + settings->ahead_ns, &settings->box);
}

static void want(struct settings *settings)
{
	nt_eventpipe_rundown_want_settings(&settings->rundown, nt_clock_now() + settings->ahead_ns);
}

/* The connection of the next request; its command is byte 17. */
static int requested(struct fixture *f, struct settings *settings, uint8_t command)
{
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (!poll(&called, 1, 5) && nt_clock_now() < deadline)
		go_on(f, settings);
	if (!called.revents)
		fail_msg("nobody has sent command %u within 20 s", command);
	int connection = accept(f->fake.listener, NULL, NULL);
	assert_true(connection >= 0);
	assert_true(recv(connection, f->request, sizeof(f->request), 0) >= 20);
	assert_int_equal(f->request[17], command);
	return connection;
}

static void until_it_rests(struct fixture *f, struct settings *settings)
{
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (nt_eventpipe_rundown_busy(&settings->rundown) && nt_clock_now() < deadline)
		go_on(f, settings);
	assert_false(nt_eventpipe_rundown_busy(&settings->rundown));
}

/* No method is listed, and they are asked for until the runtime has answered, which is once. */
static void settings_of_the_collector_are_asked_for_alone_until_they_are_told(void **state)
{
	struct fixture *f = *state;
	struct settings settings = { 0 };
	nt_eventpipe_socket_init(&settings.socket);
	nt_outbox_init(&settings.box, NT_SOURCE_EVENTPIPE);
	assert_false(nt_eventpipe_rundown_busy(&settings.rundown));
	want(&settings);
	int connection = requested(f, &settings, 6);
	assert_int_equal(keywords(f), 0x1);
	close(connection);
	until_it_rests(f, &settings);
	want(&settings);
	assert_false(nt_eventpipe_rundown_busy(&settings.rundown));
	settings.ahead_ns = 31 * NT_NS_PER_S;
	want(&settings);
	connection = requested(f, &settings, 6);
	put(connection, granted, sizeof(granted));
	put(connection, f->trace, f->trace_length - 1);
	int stop = requested(f, &settings, 1);
	put(connection, f->trace + f->trace_length - 1, 1);
	until_it_rests(f, &settings);
	settings.ahead_ns *= 100;
	want(&settings);
	assert_false(nt_eventpipe_rundown_busy(&settings.rundown));
	close(stop);
	close(connection);
	nt_eventpipe_rundown_fini(&settings.rundown);
	nt_outbox_fini(&settings.box);
	nt_eventpipe_socket_fini(&settings.socket);
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
		WITH_A_RUNTIME(settings_of_the_collector_are_asked_for_alone_until_they_are_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
