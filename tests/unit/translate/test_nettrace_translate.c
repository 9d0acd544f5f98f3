// SPDX-License-Identifier: GPL-2.0-only
/* .nettrace files as recordings: what they tell, and how far damaged ones go. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../decode/nettrace_stream.h"
#include "../rundown_payload.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/process_events.h"
#include "decode/eventpipe/rundown_events.h"
#include "nettop/source.h"
#include "record/recording_file.h"
#include "translate/nettrace_translate.h"

#include <sys/mman.h>
#include <unistd.h>

enum { PID = 4711, NOTES_MOST = 8, TEXT = 512 };
#define START (100 * NT_NS_PER_S)

/* ---- what came of a file ---- */

struct told {
	enum nt_status status;
	char error[TEXT];
	struct nt_model_config settings;
	int64_t offset_ns;
	size_t of_kind[NT_EV_LIMIT];
	size_t due, closed;
	bool complete;
	nt_time last_tick, end;
	uint32_t brings, withheld;
	bool absent[NT_SOURCE_COUNT];
	char command[TEXT], name[TEXT], runtime[TEXT];
	struct nt_ev_target target;
	struct nt_ev_code code;
	char line[TEXT]; /* of the first that is listed */
	size_t note_count;
	char notes[NOTES_MOST][TEXT];
};

/* What an id of the batch says. */
static void text_of(const struct nt_batch *batch, nt_str id, char out[TEXT])
{
	out[0] = '\0';
	for (size_t i = 0; id && i < batch->str_count; i++)
		if (batch->strs[i].id == id)
			snprintf(out, TEXT, "%.*s", (int)batch->strs[i].length, batch->bytes + batch->strs[i].offset);
}

static void see_event(struct told *told, const struct nt_batch *batch, const struct nt_event *event)
{
	told->of_kind[event->kind]++;
	assert_int_equal(event->pid, told->settings.pid);
	switch (event->kind) {
	case NT_EV_TARGET:
		told->target = event->u.target;
		text_of(batch, event->u.target.name, told->name);
		text_of(batch, event->u.target.runtime, told->runtime);
		text_of(batch, event->u.target.command, told->command);
		break;
	case NT_EV_SOURCE_STATE:
		told->absent[batch->source] = event->u.source_state.state == NT_STATE_ABSENT && event->u.source_state.reason;
		if (batch->source == NT_SOURCE_EVENTPIPE) {
			told->brings = event->u.source_state.brings;
			told->withheld = event->u.source_state.withheld;
		}
		break;
	case NT_EV_CODE:
		told->code = event->u.code;
		if (event->u.code.count && !*told->line) {
			const struct nt_batch_line *line = &batch->lines[event->u.code.first];
			snprintf(told->line, TEXT, "%.*s", (int)line->length, batch->bytes + line->offset);
		}
		break;
	case NT_EV_END:
		told->end = event->time;
		break;
	default:
		break;
	}
}

static void see(struct told *told, const struct nt_recording_input *input)
{
	switch (input->what) {
	case NT_RECORDED_SETTINGS:
		told->settings = input->settings;
		told->offset_ns = input->realtime_offset_ns;
		break;
	case NT_RECORDED_BATCH:
		for (size_t i = 0; i < input->batch->event_count; i++)
			see_event(told, input->batch, &input->batch->events[i]);
		break;
	case NT_RECORDED_TICK:
		assert_true(input->tick.now >= told->last_tick);
		told->last_tick = input->tick.now;
		told->due += input->tick.how == NT_TICK_DUE;
		told->closed += input->tick.how != NT_TICK_DUE;
		told->complete = input->tick.complete;
		break;
	case NT_RECORDED_NOTE:
		assert_true(told->note_count < NOTES_MOST);
		snprintf(told->notes[told->note_count++], TEXT, "%s", input->note);
		break;
	}
}

static int in_memory(const void *bytes, size_t length)
{
	int fd = memfd_create("nettop-test", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), length);
	return fd;
}

static struct told *translate(const uint8_t *bytes, size_t length)
{
	struct told *told = calloc(1, sizeof(*told));
	struct nt_error err = { 0 };
	struct nt_recording_file *file;
	struct nt_recording_input input;
	int in = in_memory(bytes, length), out = in_memory("", 0), kept = dup(out);
	struct nt_recorder *recorder = nt_recorder_take(out, "memory", 0);
	told->status = nt_nettrace_translate(in, &(struct nt_translation_wish){ .names = -1 }, recorder, &err);
	nt_error_text(&err, told->error, sizeof(told->error));
	nt_recorder_end(recorder);
	assert_null(nt_recorder_problem(recorder));
	nt_recorder_free(recorder);
	close(in);
	if (told->status < 0) {
		close(kept);
		return told;
	}
	lseek(kept, 0, SEEK_SET);
	assert_int_equal(nt_recording_file_take(kept, "memory", &file, &err), NT_OK);
	enum nt_status status;
	while ((status = nt_recording_file_next(file, &input, &err)) == NT_OK)
		see(told, &input);
	assert_int_equal(status, NT_END);
	assert_true(nt_recording_file_end(file).finished);
	nt_recording_file_free(file);
	return told;
}

static bool has_note(const struct told *told, const char *part)
{
	for (size_t i = 0; i < told->note_count; i++)
		if (strstr(told->notes[i], part))
			return true;
	return false;
}

/* ---- files written by hand ---- */

static void put_kind_of(struct stream *s, uint32_t number, const char *provider, uint32_t id, uint32_t version)
{
	struct stream record = { .length = 0 }, block = event_block();
	put_u32(&record, number);
	put_utf16(&record, provider);
	put_u32(&record, id);
	put_utf16(&record, "");
	put_u64(&record, 0);
	put_u32(&record, version);
	put_u32(&record, 4);
	put_u32(&record, 0);
	put_u8(&block, 1 | 128);
	put_varuint(&block, 0);
	put_varuint(&block, 0);
	put_varuint(&block, record.length);
	put(&block, record.bytes, record.length);
	put_block(s, "MetadataBlock", &block);
}

/* In a block of its own: `ms` after the start. */
static void put_one(struct stream *s, uint32_t kind, uint32_t sequence, double ms, uint64_t thread, const struct payload *payload)
{
	struct stream block = event_block();
	put_u8(&block, 1 | 2 | 4 | 8 | 128);
	put_varuint(&block, kind);
	put_varuint(&block, sequence);
	put_varuint(&block, thread);
	put_varuint(&block, UINT32_MAX);
	put_varuint(&block, thread);
	put_varuint(&block, 0);
	put_varuint(&block, START + (uint64_t)(ms * (double)NT_NS_PER_MS));
	put_varuint(&block, payload->length);
	put(&block, payload->bytes, payload->length);
	put_block(s, "EventBlock", &block);
}

enum { SAMPLE = 1, GC_TRIGGERED, METHOD, MODULE, PROCESS_INFO, RUNTIME };

static struct stream begin(void)
{
	struct stream s = { .length = 0 };
	put_start(&s, START, NT_NS_PER_S);
	put_kind_of(&s, SAMPLE, "Microsoft-DotNETCore-SampleProfiler", 0, 0);
	put_kind_of(&s, GC_TRIGGERED, NT_CLR_PROVIDER, 35, 0);
	put_kind_of(&s, METHOD, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_METHOD, 1);
	put_kind_of(&s, MODULE, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_MODULE, 2);
	put_kind_of(&s, PROCESS_INFO, NT_STREAM_PROVIDER, 1, 1);
	put_kind_of(&s, RUNTIME, NT_RUNDOWN_PROVIDER, 187, 0);
	return s;
}

static void put_sample(struct stream *s, uint32_t sequence, double ms, uint32_t where)
{
	struct payload payload = { .length = 0 };
	payload_u32(&payload, where);
	put_one(s, SAMPLE, sequence, ms, 7, &payload);
}

static void put_list(struct stream *s, uint32_t sequence, double ms)
{
	static const uint8_t runtime[] = { 0, 0, 2, 0, 9, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0 };
	struct payload said = { .length = 0 };
	payload_put(&said, runtime, sizeof(runtime));
	put_one(s, RUNTIME, sequence++, ms, 9, &said);
	said = payload_method(1, 2, 0x7000, 0x100, 0x6000001, 8 | NT_TIER_0 << 7, "Shop.Till", "Pay", "void  (int32)");
	put_one(s, METHOD, sequence++, ms, 9, &said);
	said = payload_module(2, "/app/Shop.dll");
	put_one(s, MODULE, sequence++, ms, 9, &said);
}

static void put_process_info(struct stream *s, uint32_t sequence, double ms, const char *command)
{
	struct payload said = { .length = 0 };
	payload_text(&said, command);
	payload_text(&said, "Linux");
	payload_text(&said, "x64");
	put_one(s, PROCESS_INFO, sequence, ms, 9, &said);
}

/* Samples of two and a half seconds, and what the runtime tells at the end. */
static struct stream usual(void)
{
	struct stream s = begin();
	put_sample(&s, 1, 10, 2);
	put_sample(&s, 2, 1200, 1);
	put_sample(&s, 3, 1300, 2);
	put_list(&s, 1, 2500);
	put_process_info(&s, 4, 2510, "/usr/bin/dotnet /app/Shop.dll --fast");
	put_u8(&s, 1);
	return s;
}

/* ---- tests ---- */

static void what_a_file_is_known_by(void **state)
{
	(void)state;
	const struct stream s = usual();
	assert_true(nt_nettrace_is(s.bytes, 64));
	assert_false(nt_nettrace_is(s.bytes, 7));
	assert_false(nt_nettrace_is((const uint8_t *)"!FastSerialization.1", 20));
}

static void a_file_with_all(void **state)
{
	(void)state;
	const struct stream s = usual();
	struct told *told = translate(s.bytes, s.length);
	assert_int_equal(told->status, NT_OK);
	assert_int_equal(told->settings.pid, PID);
	assert_int_equal(told->settings.start, START);
	assert_int_equal(told->settings.interval_ns, NT_NS_PER_S);
	assert_int_equal(told->of_kind[NT_EV_WALL_SAMPLE], 3);
	assert_int_equal(told->brings, NT_WANT_WALL_SAMPLES);
	assert_int_equal(told->withheld, NT_WITHHELD_FILE);
	assert_string_equal(told->command, "/usr/bin/dotnet /app/Shop.dll --fast");
	assert_string_equal(told->name, "Shop");
	assert_string_equal(told->runtime, "9.0.4");
	assert_int_equal(told->target.server_gc, 1);
	assert_true(told->absent[NT_SOURCE_PERF] && told->absent[NT_SOURCE_PROCFS] && told->absent[NT_SOURCE_LTTNG]);
	assert_string_equal(told->line, "void [Shop] Shop.Till::Pay(int32)[QuickJitted]");
	assert_int_equal(told->code.from, START);
	assert_int_equal(told->code.listed, 1);
	/* Two whole seconds, and what is left up to where the runtime was asked to end. */
	assert_int_equal(told->due, 2);
	assert_int_equal(told->closed, 2);
	assert_int_equal(told->end, START + 2500 * NT_NS_PER_MS);
	assert_true(told->complete);
	assert_int_equal(told->note_count, 0);
	free(told);
}

static void names_of_programs(void **state)
{
	(void)state;
	static const struct {
		const char *command, *name;
	} cases[] = {
		{ "/usr/bin/dotnet /app/Shop.dll", "Shop" },
		{ "/opt/shop/shop --port 80", "shop" },
		{ "shop", "shop" },
		{ "", "" },
		{ "dotnet exec x.dllx y.dll a.dll", "y" },
		{ "/a b/c.dll", "c" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct stream s = begin();
		put_process_info(&s, 1, 1, cases[i].command);
		put_u8(&s, 1);
		struct told *told = translate(s.bytes, s.length);
		assert_string_equal(told->name, cases[i].name);
		free(told);
	}
}

/* At each length it is refused, or all of it that is whole is told, with a note. */
static void a_file_that_is_cut_off(void **state)
{
	(void)state;
	const struct stream s = usual();
	size_t refused = 0, samples = 0;
	for (size_t length = 0; length < s.length; length++) {
		struct told *told = translate(s.bytes, length);
		refused += told->status < 0;
		if (told->status < 0) {
			assert_int_equal(refused, length + 1); /* those that end before they say of whom they are, and no other */
		} else {
			assert_true(has_note(told, "cut off"));
			assert_false(told->complete);
			assert_true(told->of_kind[NT_EV_WALL_SAMPLE] >= samples);
			samples = told->of_kind[NT_EV_WALL_SAMPLE];
			assert_true(told->end > START && told->end <= START + 2511 * NT_NS_PER_MS);
		}
		free(told);
	}
	assert_int_equal(samples, 3);
	assert_true(refused < 128);
}

static void a_file_that_is_damaged(void **state)
{
	(void)state;
	struct stream s = begin();
	put_sample(&s, 1, 10, 2);
	size_t whole = s.length;
	put_sample(&s, 2, 1200, 1);
	memset(s.bytes + whole, 0xff, 8);
	struct told *told = translate(s.bytes, s.length);
	assert_int_equal(told->status, NT_OK);
	assert_int_equal(told->of_kind[NT_EV_WALL_SAMPLE], 1);
	assert_true(has_note(told, "damaged before byte"));
	assert_true(has_note(told, "no list of the runtime's methods"));
	assert_false(told->complete);
	free(told);
}

static void a_file_without_a_list(void **state)
{
	(void)state;
	struct stream s = begin();
	put_sample(&s, 1, 10, 2);
	put_process_info(&s, 1, 700, "shop");
	put_u8(&s, 1);
	struct told *told = translate(s.bytes, s.length);
	assert_true(told->complete);
	assert_int_equal(told->of_kind[NT_EV_CODE], 0);
	assert_int_equal(told->note_count, 1);
	assert_true(has_note(told, "no list of the runtime's methods"));
	assert_int_equal(told->end, START + 700 * NT_NS_PER_MS);
	free(told);
}

static void what_is_missing_is_lost(void **state)
{
	(void)state;
	struct stream s = begin();
	put_sample(&s, 1, 10, 2);
	put_sample(&s, 5, 20, 2);
	put_u8(&s, 1);
	struct told *told = translate(s.bytes, s.length);
	assert_int_equal(told->of_kind[NT_EV_WALL_SAMPLE], 2);
	assert_int_equal(told->of_kind[NT_EV_LOST], 1);
	free(told);
}

static void what_is_not_read(void **state)
{
	(void)state;
	struct stream s = usual();
	const size_t pointer_size = 32 + 3 + 8 + 4 + 5 + 1 + 16 + 8 + 8;
	assert_int_equal(s.bytes[pointer_size], 8);
	s.bytes[pointer_size] = 4;
	struct told *told = translate(s.bytes, s.length);
	assert_int_equal(told->status, NT_ERR_UNSUPPORTED);
	assert_non_null(strstr(told->error, "32-bit"));
	free(told);
	told = translate((const uint8_t *)"Nettrace", 8);
	assert_int_equal(told->status, NT_ERR_MALFORMED);
	free(told);
}

/* A time that no program has lived to see makes no endless row of intervals. */
static void times_beyond_all(void **state)
{
	(void)state;
	struct stream s = begin();
	put_sample(&s, 1, 10, 2);
	put_sample(&s, 2, 1e13, 2);
	put_sample(&s, 3, 2e13, 2);
	put_u8(&s, 1);
	struct told *told = translate(s.bytes, s.length);
	assert_int_equal(told->status, NT_OK);
	assert_true(told->due <= 1 << 18);
	assert_true(has_note(told, "more seconds than nettop takes"));
	free(told);
	s = (struct stream){ .length = 0 };
	put_start(&s, UINT64_C(1) << 62, NT_NS_PER_S);
	told = translate(s.bytes, s.length);
	assert_int_equal(told->status, NT_ERR_MALFORMED);
	free(told);
}

/* A stream that a runtime wrote: every kind that is in it is told of, at its own time. */
static void a_stream_of_a_runtime(void **state)
{
	(void)state;
	size_t length;
	uint8_t *bytes = recording("runtime.nettrace", &length);
	struct told *told = translate(bytes, length);
	assert_int_equal(told->status, NT_OK);
	assert_int_equal(told->of_kind[NT_EV_EXCEPTION_THROWN], 2 * 3); /* counted, and told beside */
	assert_int_equal(told->of_kind[NT_EV_CONTENTION_START], 2);
	assert_int_equal(told->of_kind[NT_EV_CLR_UNKNOWN], 0);
	const uint32_t brings = NT_WANT_GC_EVENTS | NT_WANT_POOL_EVENTS | NT_WANT_LOCK_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_CATCHES;
	assert_int_equal(told->brings & brings, brings);
	assert_false(told->brings & (NT_WANT_RUNTIME_EVENTS | NT_WANT_WALL_SAMPLES | NT_WANT_COUNTERS));
	free(told);
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_a_file_is_known_by), cmocka_unit_test(a_file_with_all),
		cmocka_unit_test(names_of_programs),       cmocka_unit_test(a_file_that_is_cut_off),
		cmocka_unit_test(a_file_that_is_damaged),  cmocka_unit_test(a_file_without_a_list),
		cmocka_unit_test(what_is_missing_is_lost), cmocka_unit_test(what_is_not_read),
		cmocka_unit_test(times_beyond_all),        cmocka_unit_test(a_stream_of_a_runtime),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
