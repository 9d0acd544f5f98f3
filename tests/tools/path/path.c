// SPDX-License-Identifier: GPL-2.0-only
/*
 * One CPU sample, or one collection, all the way: from the bytes that the kernel or the runtime writes to a drawn frame and a line of JSON.
 *
 *   path nothing|sample|nothing-on-2|collection
 *
 * Built with COV=1 only: what ran before the bytes come is forgotten (__gcov_reset), so the .gcda files that it leaves say which lines ran from there to the frame. path.py compares
 * them with those of `nothing`, an interval in which neither came, on the same screen: 1 for a sample, 2 for a collection. Sources, model and screen are nettop's own; the rings of perf,
 * the runtime at its port and the clock are played.
 */
#include <stdio.h>
#include <stdlib.h>

/* The helpers of the unit tests, with a way to end of our own. */
#define CHECK(condition)           ((condition) ? (void)0 : failed(#condition, __LINE__))
#define assert_true(condition)     CHECK(condition)
#define assert_non_null(pointer)   CHECK((pointer) != NULL)
#define assert_int_equal(one, two) CHECK((one) == (two))

static void failed(const char *condition, int line)
{
	fprintf(stderr, "path.c:%d: %s\n", line, condition);
	exit(1);
}

#include "../../unit/decode/nettrace_stream.h"
#include "../../unit/source/fake_target.h"
#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "nettop/model.h"
#include "output/frame/json.h"
#include "source/common/hand.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/perf/perf_opening.h"
#include "ui/act/ui.h"

#include <gcov.h>

enum { WIDTH = 80, HEIGHT = 24, THREAD = 4733, LOOKS = 10 };

#define CODE_AT UINT64_C(0x7f0000001000)

/* ---- the clock ---- */

static nt_time now = 1000 * NT_NS_PER_S;

nt_time nt_clock_now(void)
{
	return now;
}

uint64_t nt_clock_thread_cpu(void)
{
	return 0;
}

int64_t nt_clock_realtime_offset(void)
{
	return 0;
}

/* ---- the kernel's rings: what the linker puts in the place of attaching and reading ---- */

typedef bool put_function(void *context, const uint8_t *bytes, size_t length);

enum nt_status __wrap_nt_perf_opening_start(const struct nt_target *target, const struct nt_perf_wish *wish, struct nt_perf_opening **out,
					    struct nt_error *err);
enum nt_status __wrap_nt_perf_opening_poll(struct nt_perf_opening **opening, struct nt_perf_attach **attach, struct nt_error *err);
void __wrap_nt_perf_opening_abandon(struct nt_perf_opening *opening);
void __wrap_nt_perf_attach_close(struct nt_perf_attach *attach, unsigned wait_ms);
uint64_t __wrap_nt_perf_list_read(struct nt_perf_list *list, put_function *put_record, void *context);
uint64_t __wrap_nt_perf_list_lost(struct nt_perf_list *list);
enum nt_status __wrap_nt_hand_do(struct nt_hand *hand, struct nt_errand *errand, nt_time timeout_ns);

static struct nt_perf_attach attach = {
	.features = { .of_cpus = true, .hz = 99, .stack_max = 127 }, .list_count = 1, .thread_count = 1, .cpu_count = 1, .settled = true
};
static struct stream ring; /* a record, or nothing */

enum nt_status __wrap_nt_perf_opening_start(const struct nt_target *target, const struct nt_perf_wish *wish, struct nt_perf_opening **out,
					    struct nt_error *err)
{
	(void)target, (void)wish, (void)out, (void)err;
	return NT_OK;
}

enum nt_status __wrap_nt_perf_opening_poll(struct nt_perf_opening **opening, struct nt_perf_attach **out, struct nt_error *err)
{
	(void)opening, (void)err;
	*out = &attach;
	return NT_OK;
}

void __wrap_nt_perf_opening_abandon(struct nt_perf_opening *opening)
{
	(void)opening;
}

void __wrap_nt_perf_attach_close(struct nt_perf_attach *closed, unsigned wait_ms)
{
	(void)closed, (void)wait_ms;
}

uint64_t __wrap_nt_perf_list_read(struct nt_perf_list *list, put_function *put_record, void *context)
{
	(void)list;
	if (ring.length)
		put_record(context, ring.bytes, ring.length);
	ring.length = 0;
	return 0;
}

uint64_t __wrap_nt_perf_list_lost(struct nt_perf_list *list)
{
	(void)list;
	return 0;
}

/* No thread, whose last steps might or might not be counted. */
enum nt_status __wrap_nt_hand_do(struct nt_hand *hand, struct nt_errand *errand, nt_time timeout_ns)
{
	(void)hand, (void)timeout_ns;
	errand->run(errand);
	return NT_OK;
}

/* As the kernel writes it: NT_PERF_SAMPLE_TYPE. The method, called from code that nobody knows. */
static void write_sample(uint32_t pid)
{
	const uint64_t chain[] = { PERF_CONTEXT_USER, CODE_AT + 4, CODE_AT + 0x10004 };
	put_u32(&ring, PERF_RECORD_SAMPLE);
	put_u16(&ring, PERF_RECORD_MISC_USER);
	put_u16(&ring, 8 + 48 + sizeof(chain));
	put_u64(&ring, CODE_AT + 4);
	put_u32(&ring, pid);
	put_u32(&ring, THREAD);
	put_u64(&ring, now);
	put_u64(&ring, 0); /* the CPU */
	put_u64(&ring, 10101010);
	put_u64(&ring, sizeof(chain) / sizeof(*chain));
	put(&ring, chain, sizeof(chain));
}

/* ---- the runtime ---- */

enum { GC_START = 1, GC_END = 2, GC_HEAP_STATS = 4, GC_RESTART = 7, GC_STOPPED = 8, GC_STOP = 9 };

static void announce(struct stream *block, uint32_t kind, uint32_t version)
{
	struct stream record = { .length = 0 };
	put_u32(&record, kind);
	put_utf16(&record, "Microsoft-Windows-DotNETRuntime");
	put_u32(&record, kind);
	put_utf16(&record, "");
	put_u64(&record, 1);
	put_u32(&record, version);
	put_u32(&record, 4);
	put_u32(&record, 0);
	put_u8(block, 1 | 128);
	put_varuint(block, 0);
	put_varuint(block, 0);
	put_varuint(block, record.length);
	put(block, record.bytes, record.length);
}

/* Each a ms after the one before; the first, now. */
static void write_event(struct stream *block, uint32_t kind, const struct stream *payload)
{
	static bool others;
	put_u8(block, 1 | 2 | 4 | 8 | 128);
	put_varuint(block, kind);
	put_varuint(block, 1);
	put_varuint(block, THREAD);
	put_varuint(block, UINT32_MAX);
	put_varuint(block, THREAD);
	put_varuint(block, 0);
	put_varuint(block, others ? NT_NS_PER_MS : now);
	put_varuint(block, payload->length);
	put(block, payload->bytes, payload->length);
	others = true;
}

/* Numbers of four bytes, and the id of the runtime behind them. */
static void write_numbers(struct stream *block, uint32_t kind, const uint32_t *numbers, size_t count)
{
	struct stream payload = { .length = 0 };
	for (size_t i = 0; i < count; i++)
		put_u32(&payload, numbers[i]);
	put_u16(&payload, 9);
	if (kind == GC_START)
		put_u64(&payload, 0);
	write_event(block, kind, &payload);
}

static void write_heap_stats(struct stream *block)
{
	struct stream payload = { .length = 0 };
	for (unsigned generation = 0; generation < 4; generation++) {
		put_u64(&payload, 1 << 20);
		put_u64(&payload, 1 << 10);
	}
	put_u64(&payload, 0); /* finalized: bytes, objects */
	put_u64(&payload, 0);
	put_u32(&payload, 0); /* pinned, sync blocks, handles */
	put_u32(&payload, 0);
	put_u32(&payload, 0);
	put_u16(&payload, 9);
	put_u64(&payload, 1 << 20); /* the pinned object heap */
	put_u64(&payload, 1 << 10);
	write_event(block, GC_HEAP_STATS, &payload);
}

/* A blocking collection of generation 0, from the stop of all threads on, behind what the stream has. The clock of this runtime counts ns. */
static void write_collection(struct stream *out)
{
	static const uint32_t stop[] = { 1, 6 }, start[] = { 7, 0, 0, 0 }, end[] = { 7, 0 };
	struct stream kinds = event_block(), events = event_block();
	announce(&kinds, GC_STOP, 1);
	announce(&kinds, GC_STOPPED, 1);
	announce(&kinds, GC_START, 2);
	announce(&kinds, GC_END, 1);
	announce(&kinds, GC_HEAP_STATS, 2);
	announce(&kinds, GC_RESTART, 1);
	put_block(out, "MetadataBlock", &kinds);
	write_numbers(&events, GC_STOP, stop, 2);
	write_numbers(&events, GC_STOPPED, NULL, 0);
	write_numbers(&events, GC_START, start, 4);
	write_numbers(&events, GC_END, end, 2);
	write_heap_stats(&events);
	write_numbers(&events, GC_RESTART, NULL, 0);
	put_block(out, "EventBlock", &events);
}

/* ---- nettop ---- */

struct world {
	struct fake_target fake;
	int streams[2], stream_count; /* of the sessions */
	struct stream told;           /* on the first: that of the runtime's events */
	size_t told_length;           /* so much of it was sent */
	struct nt_source_config config;
	struct nt_source *sources[2]; /* owned */
	struct nt_model *model;
	struct nt_ui *ui;
	struct nt_grid grid;
	uint64_t samples, collections; /* in the newest snapshot */
};

static void ignore_stream(void *context, int fd)
{
	(void)context, (void)fd;
}

static void ignore_reading(void *context)
{
	(void)context;
}

/* The runtime grants each session that is asked for, and begins its stream. */
static void answer(struct world *world)
{
	uint8_t got[4096], granted[28] = "DOTNET_IPC_V1";
	granted[14] = sizeof(granted);
	granted[16] = 0xff;
	for (int fd; world->stream_count < 2 && (fd = accept(world->fake.listener, NULL, NULL)) >= 0;) {
		CHECK(recv(fd, got, sizeof(got), 0) >= 20);
		struct stream begin = { .length = 0 };
		granted[20] = (uint8_t)(1 + world->stream_count);
		put_start(&begin, now, NT_NS_PER_S);
		CHECK(send(fd, granted, sizeof(granted), MSG_NOSIGNAL) == sizeof(granted));
		CHECK(send(fd, begin.bytes, begin.length, MSG_NOSIGNAL) == (ssize_t)begin.length);
		if (!world->stream_count)
			world->told = begin;
		world->streams[world->stream_count++] = fd;
	}
	world->told_length = world->told.length;
}

static void take(struct world *world)
{
	for (size_t i = 0; i < 2; i++) {
		const struct nt_source_ops *ops = world->sources[i]->ops;
		struct nt_batch *batch;
		ops->on_tick(world->sources[i], now, false);
		while (ops->drain(world->sources[i], 4096, &batch, NULL) == NT_OK) {
			nt_model_apply(world->model, batch);
			ops->give_back(world->sources[i], batch);
		}
	}
}

static void count(struct world *world, const struct nt_snapshot *snapshot)
{
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	world->collections = process->collection_count;
	for (size_t i = 0; i < process->method_count; i++)
		world->samples += strcmp(process->methods[i].name, "Shop.Cart.Add(int)") == 0;
}

/* What the loop does in one interval and a half: takes what has come ten times a second, closes the interval, shows it. */
static void pass(struct world *world)
{
	const struct nt_json_options options = { .top = 20, .replay_equal = -1 };
	bool shown = false;
	for (int look = 0; look < 2 * LOOKS && !shown; look++, now += NT_NS_PER_S / LOOKS) {
		take(world);
		for (struct nt_snapshot *snapshot; (snapshot = nt_model_tick(world->model, now)); shown = true) {
			count(world, snapshot);
			nt_ui_snapshot(world->ui, snapshot, now);
			nt_ui_render(world->ui, &world->grid);
			char *line = nt_json_line(snapshot, &options);
			CHECK(line);
			free(line);
			nt_snapshot_release(snapshot);
		}
	}
	CHECK(shown);
}

/* The perf map's line for the method, as the code map's source tells it. */
static void name_code(struct world *world)
{
	static const char text[] = "void [Shop] Shop.Cart::Add(int32)[OptimizedTier1]";
	const struct nt_batch_line line = { .start = CODE_AT, .size = 64, .length = sizeof(text) - 1, .kind = NT_CODE_JIT };
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_CODEMAP);
	nt_outbox_state(&box, now, world->fake.target.pid, NT_STATE_DELIVERING, false, NULL, NULL);
	nt_outbox_add(&box, NT_EV_CODE, now, world->fake.target.pid, 0)->u.code = (struct nt_ev_code){ .count = 0 };
	nt_batch_add_lines(nt_outbox_batch(&box), &line, 1, text);
	struct nt_batch *batch = nt_outbox_take(&box);
	nt_model_apply(world->model, batch);
	nt_outbox_give_back(&box, batch);
	nt_outbox_fini(&box);
}

static void set_up(struct world *world, bool collections)
{
	fake_target_init(&world->fake);
	fake_target_listen(&world->fake, "root/tmp", 8);
	CHECK(fcntl(world->fake.listener, F_SETFL, O_NONBLOCK) == 0);
	world->config = (struct nt_source_config){ .perf_hz = 99,
						   .interval_ns = NT_NS_PER_S,
						   .stream_note = ignore_stream,
						   .stream_read = ignore_reading,
						   .stream_done = ignore_stream };
	const struct nt_source_ops *const sources[] = { &nt_source_perf, &nt_source_eventpipe };
	for (size_t i = 0; i < 2; i++) {
		CHECK(sources[i]->open(&world->config, &world->sources[i], NULL) == NT_OK);
		CHECK(sources[i]->add(world->sources[i], &world->fake.target, NULL) == NT_OK);
	}
	struct nt_model_config model;
	nt_model_config_init(&model);
	model.pid = world->fake.target.pid;
	model.start = now;
	world->model = nt_model_new(&model);
	const struct nt_ui_config ui = { .pid = model.pid, .name = "Shop", .interval_ns = NT_NS_PER_S, .perf_hz = 99 };
	world->ui = nt_ui_new(&ui);
	nt_grid_init(&world->grid, WIDTH, HEIGHT);
	nt_ui_resize(world->ui, WIDTH, HEIGHT);
	name_code(world);
	nt_source_eventpipe.want(world->sources[1], NT_WANT_RUNTIME_EVENTS);
	answer(world);
	CHECK(world->stream_count == 2);
	if (collections)
		nt_ui_handle(world->ui, '2', now);
	pass(world);
	pass(world);
}

int main(int argc, char **argv)
{
	const char *what = argc == 2 ? argv[1] : "";
	bool sample = strcmp(what, "sample") == 0, collection = strcmp(what, "collection") == 0;
	bool on_2 = collection || strcmp(what, "nothing-on-2") == 0;
	CHECK(sample || on_2 || strcmp(what, "nothing") == 0);
	static struct world world;
	set_up(&world, on_2);
	if (sample)
		write_sample(world.fake.target.pid);
	if (collection)
		write_collection(&world.told);

	__gcov_reset();
	send(world.streams[0], world.told.bytes + world.told_length, world.told.length - world.told_length, MSG_NOSIGNAL);
	pass(&world);
	__gcov_dump();

	CHECK(world.samples == sample);
	CHECK(world.collections == collection);
	fake_target_fini(&world.fake);
	_exit(0);
}
