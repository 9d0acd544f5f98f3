// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: what a runtime does at its diagnostics port, and what nettop wants meanwhile. Both sides are played here, by the source as it is: requests are taken or left, answered rightly, wrongly or not,
 * streams come in pieces, are cut, and time passes. What comes of it goes into a model, and is shown.
 */
#include "fuzz.h"

/* The helpers of the unit tests, with this target's way to end. */
#define assert_true(condition)     FUZZ_CHECK(condition)
#define assert_non_null(pointer)   FUZZ_CHECK((pointer) != NULL)
#define assert_int_equal(one, two) FUZZ_CHECK((one) == (two))

#include "../unit/source/fake_target.h"
#include "decode/eventpipe/ipc.h"
#include "shown.h"
#include "source/common/sources.h"

#include <time.h>

enum { STREAMS = 6, STEPS = 64 };

/* ---- the clock: as it is, and what an input lets pass ---- */

static nt_time passed;

nt_time nt_clock_now(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (nt_time)now.tv_sec * NT_NS_PER_S + (nt_time)now.tv_nsec + passed;
}

uint64_t nt_clock_thread_cpu(void)
{
	return 0;
}

int64_t nt_clock_realtime_offset(void)
{
	return 0;
}

/* ---- the runtime ---- */

struct world {
	struct nt_source *source;
	struct nt_model *model;
	int streams[STREAMS]; /* -1 = none */
	unsigned newest;
};

static struct fake_target fake;

static void remove_fake(void)
{
	fake_target_fini(&fake);
}

static void make_fake(void)
{
	static bool made;
	if (made)
		return;
	fake_target_init(&fake);
	fake_target_listen(&fake, "root/tmp", STREAMS);
	FUZZ_CHECK(fcntl(fake.listener, F_SETFL, O_NONBLOCK) == 0);
	atexit(remove_fake);
	made = true;
}

static void hang_up(int *stream)
{
	if (*stream >= 0)
		close(*stream);
	*stream = -1;
}

/* Take the next request, which must be whole. */
static void take_request(struct world *world)
{
	uint8_t got[NT_IPC_REQUEST_MAX];
	int connection = accept4(fake.listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (connection < 0)
		return;
	ssize_t length = recv(connection, got, sizeof(got), MSG_DONTWAIT);
	FUZZ_CHECK(length < 0 || length >= NT_IPC_HEADER_BYTES);
	FUZZ_CHECK(length < 0 || (got[14] | (size_t)got[15] << 8) == (size_t)length);
	world->newest = (world->newest + 1) % STREAMS;
	hang_up(&world->streams[world->newest]);
	world->streams[world->newest] = connection;
}

static void say(int stream, const uint8_t *bytes, size_t length)
{
	if (stream >= 0 && length)
		send(stream, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void grant(int stream, uint8_t id)
{
	uint8_t granted[28] = "DOTNET_IPC_V1";
	granted[14] = sizeof(granted);
	granted[16] = 0xff;
	granted[20] = id;
	say(stream, granted, sizeof(granted));
}

/* ---- nettop ---- */

static void drain(struct world *world)
{
	struct nt_batch *batch;
	struct nt_error err = { 0 };
	for (unsigned i = 0; i < STREAMS && nt_source_eventpipe.drain(world->source, 64, &batch, &err) == NT_OK; i++) {
		nt_model_apply(world->model, batch);
		nt_source_eventpipe.give_back(world->source, batch);
	}
	fuzz_check_shown(nt_model_tick(world->model, nt_clock_now()));
}

static void let_pass(struct world *world, uint8_t tenths)
{
	passed += tenths * NT_NS_PER_S / 10;
	nt_source_eventpipe.on_tick(world->source, nt_clock_now(), tenths & 1);
}

static void ask(struct world *world)
{
	const struct nt_question question = { .pid = fake.target.pid, .offset = 0x7f0000001000, .image = NT_MAP_IMAGE };
	nt_source_eventpipe.ask(world->source, &question, 1);
}

/* Each step is three bytes: what, by whom, how much. Returns how many bytes were used besides. */
static size_t step(struct world *world, const uint8_t *what, const uint8_t *rest, size_t left)
{
	enum { TAKES, GRANTS, SAYS, SAYS_MUCH, HANGS_UP, TIME, WANTED, DRAINED, ASKED, STOPPED, PAUSED, STEP_KINDS };
	int *stream = &world->streams[what[1] % (STREAMS + 1) ? what[1] % STREAMS : world->newest];
	size_t length = (what[0] % STEP_KINDS == SAYS ? 1u : 64u) * what[2];
	length = length < left ? length : left;
	switch (what[0] % STEP_KINDS) {
	case TAKES:
		take_request(world);
		break;
	case GRANTS:
		grant(world->streams[world->newest], what[2]);
		break;
	case SAYS:
	case SAYS_MUCH:
		say(*stream, rest, length);
		return length;
	case HANGS_UP:
		hang_up(stream);
		break;
	case TIME:
		let_pass(world, what[2]);
		break;
	case WANTED:
		nt_source_eventpipe.want(world->source, what[1] | (unsigned)what[2] << 8);
		break;
	case DRAINED:
		drain(world);
		break;
	case ASKED:
		ask(world);
		break;
	case STOPPED:
		nt_source_eventpipe.stop(world->source);
		break;
	case PAUSED:
		nt_source_eventpipe.pause(world->source);
		break;
	}
	return 0;
}

/* Each of its STEPS may be a snapshot that is shown. */
FUZZ_STEPS(1 << 24, 1 << 12)

size_t fuzz_cut_step(size_t size)
{
	return size / 16 + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct world world = { 0 };
	const struct nt_source_config config = { .rundown = true, .interval_ns = NT_NS_PER_S, .counters = "App" };
	struct nt_model_config model;
	make_fake();
	nt_model_config_init(&model);
	model.pid = fake.target.pid;
	model.start = nt_clock_now();
	world.model = nt_model_new(&model);
	for (size_t i = 0; i < STREAMS; i++)
		world.streams[i] = -1;
	FUZZ_CHECK(nt_source_eventpipe.open(&config, &world.source, NULL) == NT_OK);
	FUZZ_CHECK(nt_source_eventpipe.add(world.source, &fake.target, NULL) == NT_OK);
	for (size_t at = 0, steps = 0; at + 3 <= size && steps < STEPS; at += 3, steps++)
		at += step(&world, data + at, data + at + 3, size - at - 3);
	drain(&world);
	nt_source_eventpipe.close(world.source);
	fuzz_check_shown(nt_model_close(world.model, nt_clock_now(), true));
	nt_model_free(world.model);
	for (size_t i = 0; i < STREAMS; i++)
		hang_up(&world.streams[i]);
	for (int left; (left = accept(fake.listener, NULL, NULL)) >= 0;)
		close(left);
	return 0;
}
