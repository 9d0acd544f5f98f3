// SPDX-License-Identifier: GPL-2.0-only
/* From the stack of an event to the frame that people look for. */
#include "build.h"

#include "model/whole/model_state.h"
#include "symbol/own_code.h"

struct world {
	struct nt_model *model;
	struct feed map, events;
	struct nt_span span;
};

enum { CODE = 0x100000, LIB = 0x500000, SIZE = 0x100 };

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->events, w->model, NT_SOURCE_EVENTPIPE);
	delivering(&w->map);
	map_image(&w->map, 0, CODE, 0x100000, "/memfd:doublemapper", NT_MAP_FILE | NT_MAP_JIT);
	map_image(&w->map, 0, LIB, 0x100000, "/usr/share/dotnet/System.Private.CoreLib.dll", NT_MAP_FILE);
	feed_send(&w->map);
}

static void end(struct world *w)
{
	feed_fini(&w->map);
	feed_fini(&w->events);
	nt_model_free(w->model);
}

static void method(struct world *w, double from_ms, uint64_t start, const char *name)
{
	code_line(&w->map, from_ms, start, SIZE, name, NT_TIER_1);
	feed_send(&w->map);
}

static void line_of(struct world *w, uint64_t start, const char *raw)
{
	event(&w->map, NT_EV_CODE, 0, 0)->u.code = (struct nt_ev_code){ .first = 0 };
	const struct nt_batch_line line = { .start = start, .size = SIZE, .length = (uint32_t)strlen(raw), .kind = NT_CODE_JIT };
	nt_batch_add_lines(w->map.batch, &line, 1, raw);
	feed_send(&w->map);
}

static void line_of_framework(struct world *w, uint64_t start)
{
	line_of(w, start, "void [System.Private.CoreLib] System.ThrowHelper::Throw()[OptimizedTier1]");
}

/* An event with these return addresses, leaf first. */
static nt_site_ref note(struct world *w, double at_ms, const uint64_t *addresses, unsigned count)
{
	nt_stack stack = nt_interner_stack(w->events.interner, w->events.batch, addresses, 0, count);
	feed_send(&w->events);
	return nt_sites_note(&w->model->processes[0]->sites, nt_ids_chain(w->model->processes[0]->ids[NT_SOURCE_EVENTPIPE], stack),
			     ms(at_ms));
}

/* The interval ends. */
static void settle(struct world *w, double at_ms)
{
	w->span = (struct nt_span){ .t0 = w->span.t1, .t1 = ms(at_ms), .number = w->span.number + 1 };
	nt_sites_settle(&w->model->processes[0]->sites, &w->span, nt_resolver_settle(w->model->processes[0]->resolver, w->span.t1));
}

static const char *name_of(struct world *w, nt_site_ref *ref)
{
	const char *name = nt_sites_keep(&w->model->processes[0]->sites, ref).name;
	return name ? name : "(none)";
}

static void sweep(struct world *w)
{
	nt_sites_sweep(&w->model->processes[0]->sites);
}

/* The runtime's helpers are left out, and so is what .NET's own assemblies do for the program. */
static void test_the_first_frame_of_the_program(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line_of_framework(&w, CODE);
	method(&w, 0, CODE + SIZE, "Shop.Cart.Parse()");
	method(&w, 0, CODE + 2 * SIZE, "Shop.Api.Checkout()");
	const uint64_t stack[] = { CODE + 8, LIB + 0x40, CODE + SIZE + 8, CODE + 2 * SIZE + 8 };
	nt_site_ref ref = note(&w, 100, stack, 4);
	settle(&w, 1000);
	assert_string_equal(name_of(&w, &ref), "Shop.Cart.Parse()");
	assert_string_equal(nt_sites_keep(&w.model->processes[0]->sites, &ref).module, "Shop");
	end(&w);
}

/* In a single-file program the runtime is called as the program is. */
static void test_the_runtime_in_the_program(void **state_)
{
	(void)state_;
	const struct nt_key runtime = { .name = "shop!0x5e95f0", .module = "shop", .kind = NT_CODE_RUNTIME };
	const struct nt_key native = { .name = "shop_fold", .module = "shop", .kind = NT_CODE_NATIVE };
	assert_false(nt_key_is_own(&runtime));
	assert_true(nt_key_is_own(&native));
}

/* A return address may already belong to the next method: that is not the one which called. */
static void test_frames_are_return_addresses(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	method(&w, 0, CODE, "Shop.Cart.Parse()");
	method(&w, 0, CODE + SIZE, "Shop.Cart.Next()");
	const uint64_t stack[] = { CODE + SIZE };
	nt_site_ref ref = note(&w, 100, stack, 1);
	settle(&w, 1000);
	assert_string_equal(name_of(&w, &ref), "Shop.Cart.Parse()");
	end(&w);
}

/* Nothing of the program in it: its leaf. Code without a name is where it is. */
static void test_nothing_but_the_framework(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	line_of_framework(&w, CODE);
	const uint64_t stack[] = { LIB + 0x41, CODE + 8 };
	nt_site_ref ref = note(&w, 100, stack, 2);
	settle(&w, 1000);
	assert_string_equal(name_of(&w, &ref), "[System.Private.CoreLib.dll+0x40]");
	end(&w);
}

/* What throws for others is in each such stack, and code whose name came too late says nothing: who called it does, in the program or before it. */
static void test_what_says_nothing_is_passed_over(void **state_)
{
	(void)state_;
	static const struct {
		unsigned count;
		unsigned code[4]; /* as blocks of SIZE: 0, 1 throw; 2 the framework; 3 has no name; 4 the program */
		const char *place;
	} cases[] = {
		{ 4, { 0, 1, 2, 4 }, "Shop.Cart.Parse()" },
		{ 3, { 0, 1, 2 }, "System.Number.ParseInt32()" },
		{ 4, { 3, 2, 3, 4 }, "Shop.Cart.Parse()" },
		{ 2, { 3, 2 }, "System.Number.ParseInt32()" },
		{ 2, { 2, 3 }, "System.Number.ParseInt32()" },
		{ 2, { 0, 1 }, "System.Runtime.EH.DispatchEx()" },
		{ 1, { 3 }, "[0x100307]" },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		begin(&w);
		line_of(&w, CODE, "void [System.Private.CoreLib] System.Runtime.EH::DispatchEx()[OptimizedTier1]");
		line_of(&w, CODE + SIZE, "void [System.Private.CoreLib] System.Runtime.EH::RhThrowEx()[OptimizedTier1]");
		line_of(&w, CODE + 2 * SIZE, "void [System.Private.CoreLib] System.Number::ParseInt32()[OptimizedTier1]");
		method(&w, 0, CODE + 4 * SIZE, "Shop.Cart.Parse()");
		uint64_t stack[4];
		for (unsigned frame = 0; frame < cases[i].count; frame++)
			stack[frame] = CODE + cases[i].code[frame] * SIZE + 8;
		nt_site_ref ref = note(&w, 100, stack, cases[i].count);
		settle(&w, 1000);
		assert_string_equal(name_of(&w, &ref), cases[i].place);
		end(&w);
	}
}

static void test_an_event_without_a_stack(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	nt_site_ref ref = nt_sites_note(&w.model->processes[0]->sites, nt_ids_chain(NULL, 7), ms(100));
	assert_int_equal(ref, 0);
	settle(&w, 1000);
	assert_string_equal(name_of(&w, &ref), "(none)");
	end(&w);
}

/* The same stack in the same and in later intervals is one; each close says anew that it is needed. */
static void test_the_same_stack_again(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	method(&w, 0, CODE, "Shop.Cart.Parse()");
	const uint64_t stack[] = { CODE + 8 };
	nt_site_ref first = note(&w, 100, stack, 1);
	assert_int_equal(note(&w, 200, stack, 1), first);
	settle(&w, 1000);
	name_of(&w, &first);
	sweep(&w);
	nt_site_ref second = note(&w, 1100, stack, 1);
	settle(&w, 2000);
	name_of(&w, &first);
	name_of(&w, &second);
	assert_int_equal(first, second);
	sweep(&w);
	settle(&w, 3000);
	sweep(&w); /* nobody kept it */
	assert_int_equal(note(&w, 3100, stack, 1), first);
	end(&w);
}

/* The runtime frees a method and puts another one there: what was thrown before stays where it was thrown. */
static void test_code_is_replaced(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	method(&w, 0, CODE, "Shop.Cart.Old()");
	const uint64_t stack[] = { CODE + 8 };
	nt_site_ref before = note(&w, 100, stack, 1);
	settle(&w, 1000);
	name_of(&w, &before);
	sweep(&w);
	method(&w, 1500, CODE, "Shop.Cart.New()");
	nt_site_ref after = note(&w, 1700, stack, 1);
	settle(&w, 2000);
	assert_string_equal(name_of(&w, &before), "Shop.Cart.Old()");
	assert_string_equal(name_of(&w, &after), "Shop.Cart.New()");
	assert_int_not_equal(before, after);
	sweep(&w);
	settle(&w, 60000); /* longer than it is known what lay there */
	assert_string_equal(name_of(&w, &before), "Shop.Cart.Old()");
	end(&w);
}

/* The perf map's line comes later than the event. */
static void test_a_name_that_comes_late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	method(&w, 0, CODE + SIZE, "Shop.Api.Checkout()");
	const uint64_t stack[] = { CODE + 9 };
	nt_site_ref ref = note(&w, 100, stack, 1);
	settle(&w, 1000);
	assert_string_equal(name_of(&w, &ref), "[0x100008]");
	assert_true(nt_sites_keep(&w.model->processes[0]->sites, &ref).open);
	sweep(&w);
	method(&w, 0, CODE, "Shop.Cart.Parse()");
	settle(&w, 2000);
	assert_string_equal(name_of(&w, &ref), "Shop.Cart.Parse()");
	assert_false(nt_sites_keep(&w.model->processes[0]->sites, &ref).open);
	end(&w);
}

static void test_the_whole_stack(void **state_)
{
	(void)state_;
	struct world w;
	struct nt_model *empty = new_model(); /* for a snapshot that closes no interval of ours */
	begin(&w);
	line_of_framework(&w, CODE);
	method(&w, 0, CODE + SIZE, "Shop.Cart.Parse()");
	uint64_t stack[2 * NT_SITES_FRAMES] = { CODE + 8, CODE + SIZE + 8 };
	for (size_t i = 2; i < 2 * NT_SITES_FRAMES; i++)
		stack[i] = LIB + 1 + i;
	nt_site_ref ref = note(&w, 100, stack, 2 * NT_SITES_FRAMES);
	settle(&w, 1000);
	name_of(&w, &ref);
	struct nt_snapshot *snapshot = close_at(empty, 1000);
	const struct nt_call_stack *all = nt_sites_stack(&w.model->processes[0]->sites, ref, snapshot);
	assert_int_equal(all->count, NT_SITES_FRAMES);
	assert_int_equal(all->site, 1);
	assert_string_equal(all->frames[0].name, "System.ThrowHelper.Throw()");
	assert_string_equal(all->frames[1].name, "Shop.Cart.Parse()");
	assert_string_equal(all->frames[2].name, "[System.Private.CoreLib.dll+0x2]");
	assert_ptr_equal(nt_sites_stack(&w.model->processes[0]->sites, ref, snapshot), all);
	nt_snapshot_release(snapshot);
	nt_model_free(empty);
	end(&w);
}

/* More stacks than there is room for are not known; later there is room again. */
static void test_bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	nt_site_ref ref = 0;
	for (uint64_t i = 0; i < NT_SITES_LIMIT; i++) {
		const uint64_t address = LIB + 1 + i;
		ref = note(&w, 100, &address, 1);
		assert_int_not_equal(ref, 0);
	}
	const uint64_t beyond[] = { LIB + 2 * NT_SITES_LIMIT };
	assert_int_equal(note(&w, 100, beyond, 1), 0);
	settle(&w, 1000);
	name_of(&w, &ref);
	sweep(&w);
	assert_int_not_equal(note(&w, 1100, beyond, 1), 0);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_first_frame_of_the_program),
		cmocka_unit_test(test_the_runtime_in_the_program),
		cmocka_unit_test(test_frames_are_return_addresses),
		cmocka_unit_test(test_nothing_but_the_framework),
		cmocka_unit_test(test_what_says_nothing_is_passed_over),
		cmocka_unit_test(test_an_event_without_a_stack),
		cmocka_unit_test(test_the_same_stack_again),
		cmocka_unit_test(test_code_is_replaced),
		cmocka_unit_test(test_a_name_that_comes_late),
		cmocka_unit_test(test_the_whole_stack),
		cmocka_unit_test(test_bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
