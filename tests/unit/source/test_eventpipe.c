// SPDX-License-Identifier: GPL-2.0-only
/* The EventPipe source with a runtime that the test plays: it answers with a stream that was recorded from .NET 10, cuts it, refuses, says nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drain.h"
#include "fake_target.h"
#include "hanging_mount.h"
#include "source/common/price.h"
#include "source/common/sources.h"
#include "source/eventpipe/eventpipe.h"

#include <signal.h>
#include <sys/wait.h>

/* What the test has seen of the source. */
struct seen {
	bool starting, delivering, stalled, refused, unused, ended, gap;
	unsigned exceptions, collections, pool_events;
	unsigned with_stack;
	unsigned brings;
	bool postpones;
};

struct fixture {
	struct fake_target fake;
	int stream;
	struct nt_source_config config;
	struct nt_source *source;
	struct seen seen;
	uint8_t *trace; /* owned; the recorded stream */
	size_t trace_length;
	uint8_t last_command;
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
	f->config = (struct nt_source_config){ .stream_note = ignore_stream, .stream_read = ignore_reading, .stream_done = ignore_stream };
	fake_target_init(&f->fake);
	fake_target_listen(&f->fake, "root/tmp", 8);
	f->stream = -1;
	FILE *file = fopen("tests/data/nettrace/runtime.nettrace", "rb");
	assert_non_null(file);
	f->trace = nt_alloc(1 << 20);
	f->trace_length = fread(f->trace, 1, 1 << 20, file);
	fclose(file);
	assert_int_equal(nt_source_eventpipe.open(&f->config, &f->source, NULL), NT_OK);
	assert_int_equal(nt_source_eventpipe.add(f->source, &f->fake.target, NULL), NT_OK);
	struct nt_error err = { 0 };
	assert_int_equal(nt_source_eventpipe.add(f->source, &f->fake.target, &err),
			 NT_ERR_UNSUPPORTED); /* it goes on with the one it has */
	assert_int_equal(err.cause_count, 1);
	*state = f;
	return 0;
}

static void hang_up(struct fixture *f)
{
	if (f->stream >= 0)
		close(f->stream);
	f->stream = -1;
}

static int teardown(void **state)
{
	struct fixture *f = *state;
	if (f->source)
		nt_source_eventpipe.close(f->source);
	hang_up(f);
	fake_target_fini(&f->fake);
	free(f->trace);
	free(f);
	return 0;
}

static void see(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct seen *seen = context;
	assert_int_equal(batch->source, NT_SOURCE_EVENTPIPE);
	seen->exceptions += event->kind == NT_EV_EXCEPTION_THROWN;
	seen->collections += event->kind == NT_EV_GC_START;
	seen->pool_events += event->kind == NT_EV_POOL_WORKERS;
	seen->with_stack += event->stack != 0;
	seen->gap |= event->kind == NT_EV_LOST && event->u.lost.what == NT_LOST_GAP;
	if (event->kind != NT_EV_SOURCE_STATE)
		return;
	seen->brings = event->u.source_state.brings;
	seen->postpones = event->u.source_state.postpones;
	seen->starting |= event->u.source_state.state == NT_STATE_STARTING;
	seen->delivering |= event->u.source_state.state == NT_STATE_DELIVERING;
	seen->stalled |= event->u.source_state.state == NT_STATE_STALLED;
	seen->refused |= event->u.source_state.state == NT_STATE_ABSENT;
	seen->ended |= event->u.source_state.state == NT_STATE_ENDED;
	seen->unused |= event->u.source_state.state == NT_STATE_UNUSED;
}

static void drain(struct fixture *f, const bool *until)
{
	drain_until(f->source, see, &f->seen, until);
}

/* The runtime takes the next request; its command is kept. Returns the connection. */
static int take_request(struct fixture *f)
{
	uint8_t got[4096];
	int connection = accept(f->fake.listener, NULL, NULL);
	assert_true(connection >= 0);
	assert_true(recv(connection, got, sizeof(got), 0) >= 20);
	f->last_command = got[17];
	return connection;
}

static const uint8_t granted[] = { 'D', 'O', 'T',  'N', 'E', 'T', '_', 'I', 'P', 'C', '_', 'V', '1', 0,
				   28,  0,   0xff, 0,   0,   0,   42,  0,   0,   0,   0,   0,   0,   0 };

static void put(int connection, const void *bytes, size_t length)
{
	assert_int_equal(send(connection, bytes, length, MSG_NOSIGNAL), length);
}

/* It grants the session and sends the stream, but for the last `missing` bytes. */
static void grant(struct fixture *f, size_t missing)
{
	f->stream = take_request(f);
	assert_int_equal(f->last_command, 6);
	put(f->stream, granted, sizeof(granted));
	put(f->stream, f->trace, f->trace_length - missing);
}

static void events_come_when_they_are_wanted(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	drain(f, &f->seen.starting);
	grant(f, 1);
	drain(f, &f->seen.delivering);
	/* The end of the flush is told by silence. */
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (f->seen.exceptions < 3 && nt_clock_now() < deadline) {
		nt_source_eventpipe.on_tick(f->source, nt_clock_now(), true);
		drain_all(f->source, see, &f->seen);
	}
	assert_int_equal(f->seen.exceptions, 3);
	assert_int_equal(f->seen.collections, 1);
	assert_true(f->seen.pool_events > 0);
	assert_true(f->seen.with_stack >= 3);
	assert_false(f->seen.stalled);
	/* A stack has its own price; the events of which nothing is made were paid for, too. */
	struct nt_source_stats stats;
	nt_source_eventpipe.stats(f->source, &stats);
	uint64_t plain_ns = nt_price_of(NT_PRICE_EVENTPIPE, f->seen.collections + f->seen.pool_events);
	assert_true(stats.price_ns >= plain_ns + nt_price_of(NT_PRICE_EVENTPIPE_STACK, f->seen.with_stack));
}

static void not_wanted_any_more_it_is_stopped(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	grant(f, 1);
	drain(f, &f->seen.delivering);
	nt_source_eventpipe.want(f->source, 0);
	int request = take_request(f);
	assert_int_equal(f->last_command, 1);
	put(f->stream, f->trace + f->trace_length - 1, 1);
	drain(f, &f->seen.unused);
	close(request);
}

static void at_the_end_the_rest_is_read(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	grant(f, f->trace_length / 2);
	drain(f, &f->seen.delivering);
	nt_source_eventpipe.stop(f->source);
	int request = take_request(f);
	assert_int_equal(f->last_command, 1);
	assert_int_equal(drain_all(f->source, see, &f->seen), NT_AGAIN);
	put(f->stream, f->trace + (f->trace_length - f->trace_length / 2), f->trace_length / 2);
	assert_int_equal(drain_all(f->source, see, &f->seen), NT_END);
	assert_int_equal(f->seen.exceptions, 3);
	close(request);
}

static void a_cut_stream_is_asked_for_again(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	grant(f, f->trace_length / 2);
	drain(f, &f->seen.delivering);
	hang_up(f);
	drain(f, &f->seen.stalled);
	assert_false(f->seen.gap);
	/* A second later. */
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	while (!poll(&called, 1, 10) && nt_clock_now() < deadline)
		nt_source_eventpipe.on_tick(f->source, nt_clock_now(), false);
	grant(f, 1);
	drain(f, &f->seen.gap);
}

/* More is asked for, which fails, and so all of it breaks off: what had come until then is missed from then on. */
static void what_is_cut_while_more_is_asked_for_leaves_a_gap(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	grant(f, f->trace_length / 2);
	drain(f, &f->seen.delivering);
	f->seen.starting = false;
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS | NT_WANT_STACKS);
	drain(f, &f->seen.starting);
	close(take_request(f));
	drain(f, &f->seen.stalled);
	hang_up(f);
	/* A second later both are asked for. */
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	while (!poll(&called, 1, 10) && nt_clock_now() < deadline)
		nt_source_eventpipe.on_tick(f->source, nt_clock_now(), false);
	int where = take_request(f);
	put(where, granted, sizeof(granted));
	put(where, f->trace, f->trace_length - 1);
	grant(f, 1);
	assert_false(f->seen.gap);
	drain(f, &f->seen.gap);
	close(where);
}

static void a_refusal_is_told(void **state)
{
	struct fixture *f = *state;
	static const uint8_t unknown_command[] = { 'D', 'O', 'T', 'N', 'E',  'T',  '_', 'I', 'P',  'C',  '_',  'V',
						   '1', 0,   24,  0,   0xff, 0xff, 0,   0,   0x85, 0x13, 0x13, 0x80 };
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	f->stream = take_request(f);
	put(f->stream, unknown_command, sizeof(unknown_command));
	drain(f, &f->seen.refused);
	assert_false(f->seen.delivering);
}

/* Nobody answers: neither the stop nor the end of nettop may wait for that. */
static void a_silent_runtime_holds_nobody(void **state)
{
	struct fixture *f = *state;
	nt_source_eventpipe.want(f->source, NT_WANT_RUNTIME_EVENTS);
	nt_time start = nt_clock_now();
	drain_all(f->source, see, &f->seen);
	nt_source_eventpipe.stop(f->source);
	drain_all(f->source, see, &f->seen);
	nt_source_eventpipe.close(f->source);
	f->source = NULL;
	assert_true(nt_clock_now() - start < 5 * NT_NS_PER_S);
}

static void a_folder_that_hangs_holds_nobody(void **state)
{
	struct fixture *f = *state;
	char where[128];
	snprintf(where, sizeof(where), "%s/tmp", f->fake.root_dir);
	int server = hanging_mount(where);
	if (server < 0)
		skip();
	nt_time start = nt_clock_now();
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	drain(f, &f->seen.stalled);
	nt_source_eventpipe.close(f->source);
	f->source = NULL;
	assert_true(nt_clock_now() - start < 10 * NT_NS_PER_S); /* though a thread still hangs */
	hanging_unmount(server, where);
}

static void readonly_changes_nothing(void **state)
{
	struct fixture *f = *state;
	struct nt_probe probe;
	nt_source_eventpipe.probe(&f->fake.target, &f->config, &probe);
	assert_int_equal(probe.result, NT_PROBE_AVAILABLE);
	const struct nt_source_config readonly = { .readonly = true };
	nt_source_eventpipe.probe(&f->fake.target, &readonly, &probe);
	assert_int_equal(probe.result, NT_PROBE_ABSENT);
	assert_non_null(strstr(probe.reason, "--readonly"));
}

static unsigned take_requests(struct fixture *f)
{
	struct pollfd called = { .fd = f->fake.listener, .events = POLLIN };
	unsigned count = 0;
	for (; poll(&called, 1, 0) > 0; count++)
		close(take_request(f));
	return count;
}

/* A program that nettop has started is asked for what counts, and for the rest when it has had time to start: that is said meanwhile. */
static void a_program_that_starts_is_asked_for_little(void **state)
{
	struct fixture *f = *state;
	const unsigned demand = NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS | NT_WANT_STACKS | NT_WANT_GC_HISTORIES;
	nt_source_eventpipe.close(f->source);
	f->config.starting = true;
	assert_int_equal(nt_source_eventpipe.open(&f->config, &f->source, NULL), NT_OK);
	nt_time start = nt_clock_now();
	assert_int_equal(nt_source_eventpipe.add(f->source, &f->fake.target, NULL), NT_OK);
	nt_source_eventpipe.want(f->source, demand);
	drain_all(f->source, see, &f->seen);
	assert_true(f->seen.postpones);
	assert_int_equal(f->seen.brings, NT_WANT_RUNTIME_EVENTS | NT_WANT_JIT_EVENTS);
	nt_source_eventpipe.on_tick(f->source, start + NT_STARTING_MS * NT_NS_PER_MS - 1, false);
	assert_int_equal(take_requests(f), 2);
	nt_source_eventpipe.close(f->source);
	/* Another, because the connections are cut. */
	assert_int_equal(nt_source_eventpipe.open(&f->config, &f->source, NULL), NT_OK);
	assert_int_equal(nt_source_eventpipe.add(f->source, &f->fake.target, NULL), NT_OK);
	nt_source_eventpipe.want(f->source, demand);
	nt_source_eventpipe.on_tick(f->source, nt_clock_now() + NT_STARTING_MS * NT_NS_PER_MS, false);
	drain_all(f->source, see, &f->seen);
	assert_false(f->seen.postpones);
	assert_int_equal(f->seen.brings, demand);
	assert_int_equal(take_requests(f), 5); /* the counters besides */
}

/* What was said of one of two processes. */
struct seen_of {
	uint32_t pid;
	struct seen seen;
};

static void see_each(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct seen_of *each = context;
	assert_true(event->pid == each[0].pid || event->pid == each[1].pid);
	see(&each[event->pid == each[1].pid].seen, batch, event);
}

/* A second process: a child, which the kernel takes for the one that listens at its port. Returns when it does. */
static void begin_other(struct fake_target *other)
{
	fake_target_init(other);
	fake_target_listen(other, "root/tmp", 8);
	int listens[2];
	assert_int_equal(pipe(listens), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (!child) {
		ssize_t told = listen(other->listener, 8) ? -1 : write(listens[1], "", 1);
		for (;;)
			told = poll(NULL, 0, told > 0 ? -1 : 1000);
	}
	char byte;
	assert_int_equal(read(listens[0], &byte, 1), 1);
	close(listens[0]);
	close(listens[1]);
	close(other->target.pidfd);
	other->target.pid = (uint32_t)child;
	other->target.pidfd = pidfd_open(child, 0);
}

/* Of two processes one is killed: the other is told as if it were alone. */
static void one_that_is_killed_leaves_the_other(void **state)
{
	struct fixture *f = *state;
	struct fake_target other;
	begin_other(&other);
	assert_int_equal(nt_source_eventpipe.add(f->source, &other.target, NULL), NT_OK);
	assert_true(nt_eventpipe_is_starting(f->source));
	struct seen_of each[] = { { .pid = f->fake.target.pid }, { .pid = other.target.pid } };
	nt_source_eventpipe.want(f->source, NT_WANT_POOL_EVENTS);
	grant(f, 1);
	int own_stream = f->stream, own_listener = f->fake.listener;
	f->fake.listener = other.listener;
	grant(f, f->trace_length / 2);
	drain_until(f->source, see_each, each, &each[1].seen.delivering);
	hang_up(f);
	kill((pid_t)other.target.pid, SIGKILL);
	waitpid((pid_t)other.target.pid, NULL, 0);
	f->stream = own_stream;
	f->fake.listener = own_listener;
	drain_until(f->source, see_each, each, &each[1].seen.ended);
	assert_false(nt_eventpipe_is_starting(f->source));
	nt_time deadline = nt_clock_now() + 20 * NT_NS_PER_S;
	while (each[0].seen.exceptions < 3 && nt_clock_now() < deadline) {
		nt_source_eventpipe.on_tick(f->source, nt_clock_now(), true);
		assert_int_equal(drain_all(f->source, see_each, each), NT_AGAIN);
	}
	assert_int_equal(each[0].seen.exceptions, 3);
	assert_int_equal(each[0].seen.collections, 1);
	assert_true(each[0].seen.delivering && !each[0].seen.stalled && !each[0].seen.ended && !each[0].seen.gap);
	/* What the other had sent was its own, and is paid for when it is watched no more. */
	nt_source_eventpipe.remove(f->source, other.target.pid);
	struct nt_source_stats stats;
	nt_source_eventpipe.stats(f->source, &stats);
	assert_true(stats.price_ns >= nt_price_of(NT_PRICE_EVENTPIPE_STACK, each[0].seen.with_stack + each[1].seen.with_stack));
	/* When none is left nothing will come. */
	nt_source_eventpipe.remove(f->source, f->fake.target.pid);
	assert_int_equal(drain_all(f->source, see_each, each), NT_END);
	fake_target_fini(&other);
}

#define WITH_A_RUNTIME(test_) cmocka_unit_test_setup_teardown(test_, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_A_RUNTIME(events_come_when_they_are_wanted),
		WITH_A_RUNTIME(not_wanted_any_more_it_is_stopped),
		WITH_A_RUNTIME(at_the_end_the_rest_is_read),
		WITH_A_RUNTIME(a_cut_stream_is_asked_for_again),
		WITH_A_RUNTIME(what_is_cut_while_more_is_asked_for_leaves_a_gap),
		WITH_A_RUNTIME(a_refusal_is_told),
		WITH_A_RUNTIME(a_silent_runtime_holds_nobody),
		WITH_A_RUNTIME(a_folder_that_hangs_holds_nobody),
		WITH_A_RUNTIME(readonly_changes_nothing),
		WITH_A_RUNTIME(a_program_that_starts_is_asked_for_little),
		WITH_A_RUNTIME(one_that_is_killed_leaves_the_other),
	};
	return cmocka_run_group_tests_name("eventpipe", tests, NULL, NULL);
}
