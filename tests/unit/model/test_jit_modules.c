// SPDX-License-Identifier: GPL-2.0-only
/* Modules of compiled methods that were loaded before anybody looked: what the runtime's own data say of any one of their methods. */
#include "read_world.h"

static void compile(struct feed *feed, double at, uint64_t method, uint64_t start, const char *name, uint64_t module)
{
	nt_str id = text(feed, name);
	jit_start(feed, at, 1, method, 40);
	feed->batch->events[feed->batch->event_count - 1].u.jit_start.name = id;
	struct nt_ev_method *load = method_load(feed, at + 1, 1, method, NT_TIER_0);
	load->name = id;
	load->start = start;
	load->module_id = module;
}

static const char *module_of(const struct nt_snapshot *s, const char *name)
{
	for (size_t i = 0; i < s->processes[0].jit_method_count; i++)
		if (strcmp(s->processes[0].jit_methods[i].name, name) == 0)
			return s->processes[0].jit_methods[i].module;
	fail_msg("%s was not compiled", name);
	return NULL;
}

static void test_one_of_its_methods_is_asked_for(void **state_)
{
	(void)state_;
	struct world w;
	struct feed events;
	begin(&w);
	no_map(&w);
	feed_init(&events, w.model, NT_SOURCE_LTTNG);
	delivering(&events);
	answer(&w, 5, METHOD, METHOD_BYTES, "void [shop] Shop.Sampled::Run()[OptimizedTier1]");
	feed_send(&w.runtime);
	compile(&events, 100, 0xa, METHOD + 0x1000, "Shop.Cart.Total()", 0x7000);
	compile(&events, 110, 0xb, METHOD + 0x2000, "Shop.Cart.Merge()", 0x7000);
	compile(&events, 120, 0xc, METHOD + 0x3000, "Other.Page()", 0x8000);
	feed_send(&events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 2); /* one for each module */
	assert_null(module_of(s, "Shop.Cart.Total()"));
	nt_snapshot_release(s);
	answer(&w, 1010, METHOD + 0x1000, METHOD_BYTES, "int32 [shop] Shop.Cart::Total()[Tier0]");
	answer(&w, 1010, METHOD + 0x3000, METHOD_BYTES, "void [somebody] Else::AtThatAddress()[Tier0]");
	feed_send(&w.runtime);
	s = close_at(w.model, 2000);
	assert_string_equal(module_of(s, "Shop.Cart.Total()"), "shop");
	assert_string_equal(module_of(s, "Shop.Cart.Merge()"), "shop"); /* of the same module */
	assert_null(module_of(s, "Other.Page()"));
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 0);
	assert_int_equal(s->processes[0].jit_group_count[NT_JIT_BY_MODULE], 2);
	assert_string_equal(s->processes[0].jit_groups[NT_JIT_BY_MODULE][0].name, "shop");
	nt_snapshot_release(s);
	feed_fini(&events);
	end(&w);
}

static void test_nobody_is_asked_who_does_not_read(void **state_)
{
	(void)state_;
	struct world w;
	struct feed events;
	begin(&w);
	reader_says(&w, 2, false);
	feed_init(&events, w.model, NT_SOURCE_LTTNG);
	delivering(&events);
	compile(&events, 100, 0xa, METHOD + 0x1000, "Shop.Cart.Total()", 0x7000);
	feed_send(&events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(questions_for(s, NT_RUNTIME_IMAGE), 0);
	nt_snapshot_release(s);
	feed_fini(&events);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_of_its_methods_is_asked_for),
		cmocka_unit_test(test_nobody_is_asked_who_does_not_read),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
