// SPDX-License-Identifier: GPL-2.0-only
/* Lines of the perf map: what of them is kept, and when their display names are made. */
#include "build.h"

#include "symbol/lines.h"
#include "symbol/resolver.h"

static struct nt_names new_names(void)
{
	return (struct nt_names){ .heap = nt_heap_new(), .texts = nt_texts_new(&(struct nt_texts_config){ 0 }) };
}

static void free_names(struct nt_names *names)
{
	nt_heap_free(names->heap);
	nt_texts_free(names->texts);
}

static nt_text_ref add(struct nt_names *names, const char *line)
{
	return nt_heap_add(names->heap, line, strlen(line));
}

static void test_what_a_line_says(void **state_)
{
	(void)state_;
	static struct nt_lines lines;
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	static const char total[] = "void [Shop.Web] Shop.Cart::Total(int32)[OptimizedTier1]";
	nt_text_ref method = add(&names, total), stub = add(&names, "stub<7> Jump<ResolveStub>");
	const struct nt_line_name *name = nt_lines_name(&lines, method);
	assert_string_equal(name->name, "Shop.Cart.Total(int)");
	assert_string_equal(name->raw_name, total);
	assert_string_equal(name->module, "Shop.Web");
	assert_int_equal(name->tier, NT_TIER_1);
	assert_string_equal(nt_lines_name(&lines, stub)->name, "[stub ResolveStub]");
	assert_null(nt_lines_name(&lines, stub)->module);
	/* Permanent texts: the same again is the same pointer, which is what keys compare. */
	nt_text_ref again = add(&names, total);
	const char *first = nt_lines_name(&lines, method)->name;
	assert_ptr_equal(nt_lines_name(&lines, again)->name, first);
	nt_lines_forget(&lines);
	assert_ptr_equal(nt_lines_name(&lines, method)->name, first);
	free_names(&names);
}

/* Its raw name says so, as its display name does. */
static void test_a_line_that_was_cut(void **state_)
{
	(void)state_;
	static struct nt_lines lines;
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	char text[NT_RAW_NAME_MAX + 100];
	snprintf(text, sizeof(text), "void [A] T::%0*d", NT_RAW_NAME_MAX, 0);
	const struct nt_line_name *name = nt_lines_name(&lines, add(&names, text));
	assert_int_equal(strlen(name->raw_name), NT_RAW_NAME_MAX);
	assert_string_equal(name->raw_name + NT_RAW_NAME_MAX - strlen(NT_NAME_CUT), NT_NAME_CUT);
	text[NT_RAW_NAME_MAX - 1] = '\0';
	assert_string_equal(nt_lines_name(&lines, add(&names, text))->raw_name, text);
	free_names(&names);
}

/* More lines than are remembered: each still says its own. */
static void test_many_lines(void **state_)
{
	(void)state_;
	enum { LINES = 4 * NT_LINES_RECENT };
	static struct nt_lines lines;
	static nt_text_ref refs[LINES];
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	char text[64];
	for (int i = 0; i < LINES; i++) {
		snprintf(text, sizeof(text), "void [A] T::M%d()[QuickJitted]", i);
		refs[i] = add(&names, text);
	}
	for (int round = 0; round < 2; round++) {
		for (int i = 0; i < LINES; i++) {
			snprintf(text, sizeof(text), "T.M%d()", i);
			assert_string_equal(nt_lines_name(&lines, refs[i])->name, text);
		}
	}
	free_names(&names);
}

static void test_module_keeps_no_name(void **state_)
{
	(void)state_;
	static struct nt_lines lines;
	struct nt_names names = new_names();
	nt_lines_init(&lines, &names);
	nt_text_ref line = add(&names, "void [Shop] Shop.Cart::Total()[QuickJitted]");
	assert_null(nt_lines_module(&lines, line, "Shop.Cart.Other()"));
	assert_int_equal(nt_texts_bytes(names.texts), 0);
	assert_string_equal(nt_lines_module(&lines, line, "Shop.Cart.Total()"), "Shop");
	assert_true(nt_texts_bytes(names.texts) <= 16);
	free_names(&names);
}

/* A map of which hardly anything is hit: display names are made of what is, and of nothing else. */
static void test_only_what_is_hit_is_named(void **state_)
{
	(void)state_;
	enum { LINES = 20000, SIZE = 0x40 };
	struct nt_names names = new_names();
	struct nt_resolver *resolver = nt_resolver_new(&names);
	char text[128];
	for (unsigned i = 0; i < LINES; i++) {
		int length = snprintf(text, sizeof(text), "class [Shop]Shop.Item [Shop] Shop.Cart::Method%u(int32)[QuickJitted]", i);
		const struct nt_batch_line line = { .start = 0x10000 + (uint64_t)i * SIZE, .size = SIZE };
		nt_resolver_add_code(resolver, &line, nt_heap_add(names.heap, text, (size_t)length), 0);
	}
	nt_resolver_settle(resolver, 1);
	assert_int_equal(nt_resolver_code_count(resolver), LINES);
	size_t before = nt_texts_bytes(names.texts);
	struct nt_resolved hit = nt_resolver_resolve(resolver, 0x10000 + 777 * SIZE + 5, false, 1, 1);
	assert_string_equal(nt_resolver_key(resolver, hit.key)->name, "Shop.Cart.Method777(int)");
	assert_string_equal(nt_resolver_key(resolver, hit.key)->module, "Shop");
	assert_int_equal(hit.tier, NT_TIER_0);
	assert_false(hit.provisional);
	assert_true(nt_texts_bytes(names.texts) - before < 2 * sizeof(text));
	nt_resolver_free(resolver);
	free_names(&names);
}

struct heaps {
	struct nt_heap *from, *to;
};

static void move_text(nt_text_ref *ref, void *context)
{
	struct heaps *heaps = context;
	*ref = nt_heap_move(heaps->from, heaps->to, *ref);
}

/* Lines that come while the program runs are kept as those that are there at the start: their names stay theirs when texts move. */
static void test_names_of_late_lines_move(void **state_)
{
	(void)state_;
	enum { LINES = 20000, SIZE = 0x40, LOOKS = 20 };
	struct nt_names names = new_names();
	struct nt_resolver *resolver = nt_resolver_new(&names);
	char text[128];
	for (unsigned i = 0; i < LINES; i++) {
		int length = snprintf(text, sizeof(text), "void [Shop] Shop.Cart::Late%u()[QuickJitted]", i);
		const struct nt_batch_line line = { .start = 0x10000 + (uint64_t)(i * 7 % LINES) * SIZE,
						    .size = SIZE,
						    .kind = NT_CODE_JIT };
		nt_time now = (1 + i / (LINES / LOOKS)) * NT_NS_PER_S;
		nt_heap_add(names.heap, "garbage", 7);
		nt_resolver_add_code(resolver, &line, nt_heap_add(names.heap, text, (size_t)length), now);
		if ((i + 1) % (LINES / LOOKS) == 0)
			nt_resolver_settle(resolver, now);
	}
	struct heaps heaps = { .from = names.heap, .to = nt_heap_new() };
	nt_resolver_each_ref(resolver, move_text, &heaps);
	nt_heap_free(heaps.from);
	names.heap = heaps.to;
	for (unsigned i = 0; i < LINES; i += 99) {
		struct nt_resolved hit =
			nt_resolver_resolve(resolver, 0x10000 + (uint64_t)(i * 7 % LINES) * SIZE + 5, false, 30 * NT_NS_PER_S, 1);
		snprintf(text, sizeof(text), "Shop.Cart.Late%u()", i);
		assert_string_equal(nt_resolver_key(resolver, hit.key)->name, text);
	}
	nt_resolver_free(resolver);
	free_names(&names);
}

/* ---- texts that stayed in the file ---- */

struct world {
	struct nt_model *model;
	struct feed perf, codemap, lttng;
};

enum { MAP = 3, OFFSET = 9000000 };
#define CODE UINT64_C(0x7000)

/* One line whose text is at OFFSET of the map file MAP, and a sample in its code. */
static void begin(struct world *w, enum nt_code_kind kind)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->lttng, w->model, NT_SOURCE_LTTNG);
	delivering(&w->perf);
	delivering(&w->codemap);
	delivering(&w->lttng);
	event(&w->codemap, NT_EV_CODE, 0, 0)->u.code = (struct nt_ev_code){ .map = MAP, .kind = kind };
	nt_batch_add_places(w->codemap.batch, &(struct nt_batch_place){ .start = CODE, .size = 0x100, .offset = OFFSET }, 1);
	feed_send(&w->codemap);
	sample_at(&w->perf, 10, 1, CODE + 0x10);
	feed_send(&w->perf);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->codemap);
	feed_fini(&w->lttng);
	nt_model_free(w->model);
}

static void answer(struct world *w, double at_ms, const char *name, const char *reason)
{
	nt_str image = text(&w->codemap, NT_MAP_IMAGE), name_id = text(&w->codemap, name), reason_id = text(&w->codemap, reason);
	event(&w->codemap, NT_EV_NAME, at_ms, 0)->u.name = (struct nt_ev_name){
		.inode = MAP, .start = OFFSET, .end = OFFSET + 1, .image = image, .name = name_id, .reason = reason_id, .kind = NT_CODE_JIT
	};
	feed_send(&w->codemap);
}

static void test_name_is_asked_for(void **state_)
{
	(void)state_;
	static const char raw[] = "void [Shop] Shop.Cart::Total(int32)[OptimizedTier1]";
	struct world w;
	begin(&w, NT_CODE_JIT);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_string_equal(row_named(s, "[jit code]")->reason, "not looked up yet");
	assert_int_equal(s->processes[0].question_count, 1);
	const struct nt_question *question = &s->processes[0].questions[0];
	assert_string_equal(question->image, NT_MAP_IMAGE);
	assert_int_equal(question->inode, MAP);
	assert_int_equal(question->offset, OFFSET);
	assert_int_equal(question->map_start, CODE + 0x10); /* to check the line by */
	nt_snapshot_release(s);
	answer(&w, 1010, raw, NULL);
	sample_at(&w.perf, 1100, 1, CODE + 0x20);
	feed_send(&w.perf);
	s = close_at(w.model, 2000);
	const struct nt_method_row *row = row_named(s, "Shop.Cart.Total(int)");
	assert_int_equal(row->self_samples_all, 2); /* the first one moved here */
	assert_string_equal(row->module, "Shop");
	assert_string_equal(row->raw_name, raw);
	assert_int_equal(row->kind, NT_CODE_JIT);
	assert_int_equal(row->tier, NT_TIER_1);
	assert_null(row->reason);
	assert_null(row_named(s, "[jit code]"));
	assert_int_equal(s->processes[0].question_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_name_is_gone(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_CODE_STUB);
	nt_snapshot_release(close_at(w.model, 1000));
	answer(&w, 1010, NULL, "truncated");
	struct nt_snapshot *s = close_at(w.model, 2000);
	const struct nt_method_row *row = row_named(s, "[runtime stub]");
	assert_string_equal(row->reason, "truncated");
	assert_int_equal(row->kind, NT_CODE_STUB);
	assert_int_equal(row->self_samples_all, 1);
	assert_int_equal(s->processes[0].question_count, 0); /* not asked again */
	nt_snapshot_release(s);
	end(&w);
}

/* The runtime's own event names the code meanwhile; the line, once read, has the module. */
static void test_method_load_goes_before_a_line_to_be_read(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w, NT_CODE_JIT);
	nt_str name = text(&w.lttng, "Shop.Cart.Total()");
	struct nt_ev_method *load = method_load(&w.lttng, 5, 1, 1, NT_TIER_0);
	load->start = CODE;
	load->name = name;
	feed_send(&w.lttng);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_null(row_named(s, "Shop.Cart.Total()")->module);
	assert_int_equal(s->processes[0].question_count, 1);
	nt_snapshot_release(s);
	answer(&w, 1010, "void [Shop] Shop.Cart::Total()[QuickJitted]", NULL);
	s = close_at(w.model, 2000);
	assert_string_equal(row_named(s, "Shop.Cart.Total()")->module, "Shop");
	assert_int_equal(row_named(s, "Shop.Cart.Total()")->self_samples_all, 1);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_a_line_says),
		cmocka_unit_test(test_a_line_that_was_cut),
		cmocka_unit_test(test_many_lines),
		cmocka_unit_test(test_module_keeps_no_name),
		cmocka_unit_test(test_only_what_is_hit_is_named),
		cmocka_unit_test(test_names_of_late_lines_move),
		cmocka_unit_test(test_name_is_asked_for),
		cmocka_unit_test(test_name_is_gone),
		cmocka_unit_test(test_method_load_goes_before_a_line_to_be_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
