// SPDX-License-Identifier: GPL-2.0-only
/* A rundown from the events of its stream to those of the source. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../rundown_payload.h"
#include "decode/eventpipe/rundown_events.h"
#include "source/eventpipe/rundown_list.h"

#include <stdio.h>

enum { PID = 7, JITTED_TIER_0 = 8 | NT_TIER_0 << 7, MODULE = 0x99 };
#define BEGAN (5 * NT_NS_PER_S)

struct world {
	struct nt_outbox box;
	struct nt_rundown_list *list;
	struct nt_nettrace_sink sink;
};

static void begin(struct world *w, const uint64_t *asked, size_t count)
{
	nt_outbox_init(&w->box, NT_SOURCE_EVENTPIPE);
	w->list = nt_rundown_list_new(PID, asked, count);
	w->sink = nt_rundown_list_sink(w->list);
	w->sink.start(w->sink.context, &(struct nt_nettrace_start){ .time = BEGAN });
}

static void finish(struct world *w)
{
	nt_rundown_list_free(w->list);
	nt_outbox_fini(&w->box);
}

static void say(struct world *w, const char *provider, uint32_t id, struct payload payload)
{
	struct nt_nettrace_meta meta = { .provider = provider, .name = "", .id = id };
	const struct nt_nettrace_event event = { .meta = &meta, .payload = payload.bytes, .payload_length = (uint32_t)payload.length };
	w->sink.event(w->sink.context, &event);
}

static void say_method(struct world *w, uint64_t id, uint64_t start, uint32_t size, const char *name)
{
	say(w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_METHOD,
	    payload_method(id, MODULE, start, size, 0x6000000 + (uint32_t)id, JITTED_TIER_0, "T", name, "void  ()"));
}

/* One entry: native offset 0 is IL offset `il`. */
static void say_il_map(struct world *w, uint64_t id, uint32_t il)
{
	struct payload payload = { .length = 0 };
	payload_u64(&payload, id);
	payload_u64(&payload, 0);
	payload_put(&payload, "\0\1\0", 3);
	payload_u32(&payload, il);
	payload_u32(&payload, 0);
	say(w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_IL_MAP, payload);
}

static void say_module(struct world *w)
{
	say(w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_MODULE, payload_module(MODULE, "/app/Shop.Web.dll"));
}

/* All pieces in one batch. */
static struct nt_batch *deliver(struct world *w, const char *reason)
{
	nt_rundown_list_end(w->list, 100, 2000, reason);
	while (nt_rundown_list_deliver(w->list, &w->box))
		;
	return nt_outbox_batch(&w->box);
}

static const struct nt_event *nth(const struct nt_batch *batch, enum nt_event_kind kind, size_t n)
{
	for (size_t i = 0; i < batch->event_count; i++)
		if (batch->events[i].kind == kind && !n--)
			return &batch->events[i];
	return NULL;
}

static void check_text(const struct nt_batch *batch, nt_str id, const char *expected)
{
	for (size_t i = 0; i < batch->str_count; i++)
		if (batch->strs[i].id == id) {
			assert_int_equal(batch->strs[i].length, strlen(expected));
			assert_memory_equal(batch->bytes + batch->strs[i].offset, expected, strlen(expected));
			return;
		}
	fail_msg("no text %u", id);
}

static void methods_become_lines_with_their_module(void **state)
{
	(void)state;
	struct world w;
	begin(&w, NULL, 0);
	say_method(&w, 1, 0x1000, 0x20, "First");
	say_method(&w, 2, 0x2000, 0x30, "Second");
	say(&w, "Microsoft-DotNETCore-EventPipe", NT_RUNDOWN_METHOD, payload_module(1, "no method of the runtime's"));
	say_module(&w);
	const struct nt_batch *batch = deliver(&w, NULL);
	const struct nt_event *code = nth(batch, NT_EV_CODE, 0), *end = nth(batch, NT_EV_RUNDOWN, 0);
	assert_non_null(code);
	assert_int_equal(code->pid, PID);
	assert_int_equal(code->u.code.listed, 1);
	assert_int_equal(code->u.code.from, BEGAN);
	assert_int_equal(code->u.code.count, 2);
	const struct nt_batch_line *line = &batch->lines[code->u.code.first + 1];
	static const char text[] = "void [Shop.Web] T::Second()[QuickJitted]";
	assert_int_equal(line->start, 0x2000);
	assert_int_equal(line->size, 0x30);
	assert_int_equal(line->length, strlen(text));
	assert_memory_equal(batch->bytes + line->offset, text, strlen(text));
	assert_non_null(end);
	assert_int_equal(end->u.rundown.method_count, 2);
	assert_int_equal(end->u.rundown.left_out, 0);
	assert_int_equal(end->u.rundown.took_ns, 100);
	assert_int_equal(end->u.rundown.stream_bytes, 2000);
	assert_int_equal(end->u.rundown.reason, 0);
	finish(&w);
}

static void all_pieces_of_a_long_list_come(void **state)
{
	(void)state;
	enum { COUNT = 5000 };
	struct world w;
	char name[32];
	begin(&w, NULL, 0);
	for (uint64_t i = 0; i < COUNT; i++) {
		snprintf(name, sizeof(name), "M%u", (unsigned)i);
		say_method(&w, i, 0x10000 + i * 16, 16, name);
	}
	const struct nt_batch *batch = deliver(&w, NULL);
	assert_int_equal(batch->line_count, COUNT);
	assert_int_equal(nth(batch, NT_EV_RUNDOWN, 0)->u.rundown.method_count, COUNT);
	assert_non_null(nth(batch, NT_EV_CODE, 1));
	finish(&w);
}

/* Code of one method may be there several times: each has its own map before it. */
static void il_map_is_that_of_the_code_that_was_asked_for(void **state)
{
	(void)state;
	struct world w;
	const uint64_t asked = 0x2008;
	begin(&w, &asked, 1);
	say_il_map(&w, 1, 10);
	say_method(&w, 1, 0x1000, 0x20, "Twice");
	say_il_map(&w, 1, 20);
	say_method(&w, 1, 0x2000, 0x20, "Twice");
	say_il_map(&w, 3, 30);
	say_method(&w, 3, 0x3000, 0x20, "Other");
	say_module(&w);
	const struct nt_batch *batch = deliver(&w, NULL);
	const struct nt_event *answer = nth(batch, NT_EV_IL_MAP, 0);
	assert_non_null(answer);
	const struct nt_ev_il_map *map = &answer->u.il_map;
	assert_int_equal(map->asked, asked);
	assert_int_equal(map->start, 0x2000);
	assert_int_equal(map->size, 0x20);
	assert_int_equal(map->token, 0x6000001);
	assert_int_equal(map->reason, 0);
	assert_int_equal(map->count, 1);
	assert_int_equal(batch->places[map->first].start, 0x2000);
	assert_int_equal(batch->places[map->first].size, 0x20);
	assert_int_equal(batch->places[map->first].offset, 20);
	check_text(batch, map->module, "/app/Shop.Web.dll");
	finish(&w);
}

static void what_has_no_il_map_has_a_reason(void **state)
{
	(void)state;
	struct world w;
	const uint64_t asked[] = { 0x1000, 0x5000 };
	begin(&w, asked, 2);
	say_method(&w, 1, 0x1000, 0x20, "WithoutMap");
	const struct nt_batch *batch = deliver(&w, NULL);
	const struct nt_ev_il_map *without = &nth(batch, NT_EV_IL_MAP, 0)->u.il_map, *unknown = &nth(batch, NT_EV_IL_MAP, 1)->u.il_map;
	assert_int_equal(without->size, 0x20);
	assert_int_not_equal(without->reason, 0);
	assert_int_equal(unknown->size, 0);
	assert_int_not_equal(unknown->reason, 0);
	assert_int_not_equal(unknown->reason, without->reason);
	assert_false(without->failed || unknown->failed);
	finish(&w);
}

static void a_cut_stream_gives_what_came_and_says_so(void **state)
{
	(void)state;
	struct world w;
	const uint64_t asked = 0x5000;
	begin(&w, &asked, 1);
	say_method(&w, 1, 0x1000, 0x20, "First");
	struct payload cut = payload_method(2, MODULE, 0x2000, 0x20, 0, 8, "T", "Cut", "void  ()");
	cut.length = 40;
	say(&w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_METHOD, cut);
	const struct nt_batch *batch = deliver(&w, "the connection was cut");
	const struct nt_ev_rundown *end = &nth(batch, NT_EV_RUNDOWN, 0)->u.rundown;
	assert_int_equal(end->method_count, 1);
	assert_int_equal(end->left_out, 1);
	check_text(batch, end->reason, "the connection was cut");
	check_text(batch, nth(batch, NT_EV_IL_MAP, 0)->u.il_map.reason, "the connection was cut");
	assert_true(nth(batch, NT_EV_IL_MAP, 0)->u.il_map.failed);
	finish(&w);
}

static uint64_t told(const struct nt_batch *batch, enum nt_gc_setting setting)
{
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		if (event->kind != NT_EV_GC_SETTING || event->u.gc_setting.setting != setting)
			continue;
		assert_int_equal(event->u.gc_setting.origin, NT_GC_BY_RUNTIME);
		assert_int_equal(event->pid, PID);
		return event->u.gc_setting.value;
	}
	return UINT64_MAX;
}

/* They come with a list, or alone: then nobody is told that a list has ended. */
static void settings_of_the_collector_come_too(void **state)
{
	(void)state;
	for (int alone = 0; alone < 2; alone++) {
		struct world w;
		begin(&w, NULL, 0);
		if (alone)
			nt_rundown_list_of_settings(w.list);
		say(&w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_GC_SETTINGS, payload_gc_settings(1 << 28, 85000, 0, 1));
		const struct nt_batch *batch = deliver(&w, NULL);
		assert_int_equal(told(batch, NT_GC_SETTING_HARD_LIMIT), 1 << 28);
		assert_int_equal(told(batch, NT_GC_SETTING_LOH_THRESHOLD), 85000);
		assert_int_equal(told(batch, NT_GC_SETTING_CONCURRENT), 1);
		assert_int_equal(told(batch, NT_GC_SETTINGS_READ), 0);
		assert_int_equal(told(batch, NT_GC_SETTING_GEN0_SIZE), UINT64_MAX); /* nobody set it: what it is nobody says */
		assert_int_equal(nth(batch, NT_EV_RUNDOWN, 0) != NULL, !alone);
		finish(&w);
	}
}

static void cut_settings_are_none(void **state)
{
	(void)state;
	struct world w;
	begin(&w, NULL, 0);
	struct payload payload = payload_gc_settings(1 << 28, 85000, 0, 1);
	payload.length = 40;
	say(&w, NT_RUNDOWN_PROVIDER, NT_RUNDOWN_GC_SETTINGS, payload);
	assert_null(nth(deliver(&w, NULL), NT_EV_GC_SETTING, 0));
	finish(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(methods_become_lines_with_their_module),
		cmocka_unit_test(all_pieces_of_a_long_list_come),
		cmocka_unit_test(il_map_is_that_of_the_code_that_was_asked_for),
		cmocka_unit_test(what_has_no_il_map_has_a_reason),
		cmocka_unit_test(a_cut_stream_gives_what_came_and_says_so),
		cmocka_unit_test(settings_of_the_collector_come_too),
		cmocka_unit_test(cut_settings_are_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
