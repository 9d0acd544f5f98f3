// SPDX-License-Identifier: GPL-2.0-only
/* When the runtime is asked for the list of its methods, and what its answer names. */
#include "sampled_world.h"

#include "nettop/source.h"

enum { JIT_MEMORY = 0x100000, IMAGE = 0x800000, IMAGE_BYTES = 0x10000 };
#define IMAGE_PATH "/app/Shop.dll"

static void begin_with_image(struct world *w, const char *path)
{
	begin(w);
	map_image(&w->perf, 1, JIT_MEMORY, 0x100000, "/memfd:doublemapper", NT_MAP_JIT);
	map_image(&w->perf, 1, IMAGE, IMAGE_BYTES, path, NT_MAP_FILE);
}

static void begin_without_map(struct world *w)
{
	begin_with_image(w, IMAGE_PATH);
}

/* An interval of a second with a sample at `address` in each tenth of it. */
static struct nt_snapshot *sampled_second(struct world *w, int second, uint64_t address)
{
	for (int i = 0; i < 10; i++)
		sample_at(&w->perf, second * 1000 + i * 100 + 50, 5, address);
	return close_all(w, (second + 1) * 1000);
}

static bool asks(const struct nt_snapshot *s)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	for (size_t i = 0; i < process->question_count; i++)
		if (strcmp(process->questions[i].image, NT_METHODS_IMAGE) == 0)
			return true;
	return false;
}

/* In how many of these seconds, in all of which `address` is sampled, it is asked for. */
static unsigned asked_in(struct world *w, int from, int to, uint64_t address)
{
	unsigned count = 0;
	for (int second = from; second < to; second++) {
		struct nt_snapshot *s = sampled_second(w, second, address);
		count += asks(s);
		nt_snapshot_release(s);
	}
	return count;
}

/* The runtime's list, of one method. */
static void list(struct world *w, double at_ms, uint64_t start, uint32_t size, const char *line)
{
	struct feed *feed = &w->codemap;
	event(feed, NT_EV_CODE, at_ms, 0)->u.code =
		(struct nt_ev_code){ .from = ms(at_ms), .first = (uint32_t)feed->batch->line_count, .listed = 1 };
	const struct nt_batch_line said = { .start = start, .size = size, .length = (uint16_t)strlen(line), .kind = NT_CODE_JIT };
	nt_batch_add_lines(feed->batch, &said, 1, line);
	event(feed, NT_EV_RUNDOWN, at_ms, 0)->u.rundown = (struct nt_ev_rundown){ .method_count = 1, .took_ns = 5, .stream_bytes = 100 };
}

/* Whoever reads the image says that this is not possible. */
static void image_is_deleted(struct world *w, const char *path)
{
	nt_str image = text(&w->codemap, path);
	event(&w->codemap, NT_EV_NAME, 0, 0)->u.name = (struct nt_ev_name){
		.inode = 7, .end = UINT64_MAX, .image = image, .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_IMAGE_DELETED
	};
}

static void test_code_without_a_perf_map_is_a_need_once(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	assert_int_equal(asked_in(&w, 0, 2, JIT_MEMORY), 0); /* a map may come */
	assert_int_equal(asked_in(&w, 2, 4, JIT_MEMORY), 1);
	assert_int_equal(asked_in(&w, 4, 200, JIT_MEMORY), 0);
	end(&w);
}

static void test_new_needs_wait_longer_each_time(void **state_)
{
	(void)state_;
	struct world w;
	unsigned count = 0;
	begin_without_map(&w);
	for (int second = 0; second < 600; second++)
		count += asked_in(&w, second, second + 1, JIT_MEMORY + 0x100 * (uint64_t)second);
	/* At 2 s, then after 30, 60, 120, 240 s. */
	assert_int_equal(count, 5);
	end(&w);
}

static void test_list_names_samples_from_before_it_came(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	assert_int_equal(asked_in(&w, 0, 4, JIT_MEMORY + 0x10), 1);
	list(&w, 4100, JIT_MEMORY, 0x40, "void [Shop] Shop.Cart::Add()[OptimizedTier1]");
	struct nt_snapshot *s = sampled_second(&w, 4, JIT_MEMORY + 0x10);
	const struct nt_method_row *row = row_named(s, "Shop.Cart.Add()");
	assert_non_null(row);
	assert_string_equal(row->module, "Shop");
	assert_int_equal(row->kind, NT_CODE_JIT);
	assert_int_equal(row->self_samples_all, 50);
	assert_int_equal(s->processes[0].rundown.count, 1);
	assert_int_equal(s->processes[0].rundown.method_count, 1);
	assert_null(s->processes[0].rundown.reason);
	nt_snapshot_release(s);
	end(&w);
}

/* The mapping around it grows again and again, as that of the code heap does: its samples go on waiting for their name. */
static void test_samples_wait_while_their_mapping_grows(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	for (int second = 0; second < 4; second++) {
		map_image(&w.perf, second * 1000 + 400, JIT_MEMORY, 0x100000 + 0x1000 * (uint64_t)second, "/memfd:doublemapper",
			  NT_MAP_JIT);
		assert_int_equal(asked_in(&w, second, second + 1, JIT_MEMORY + 0x10), second == 2);
	}
	list(&w, 4100, JIT_MEMORY, 0x40, "void [Shop] Shop.Cart::Add()[OptimizedTier1]");
	struct nt_snapshot *s = sampled_second(&w, 4, JIT_MEMORY + 0x10);
	assert_non_null(row_named(s, "Shop.Cart.Add()"));
	assert_int_equal(row_named(s, "Shop.Cart.Add()")->self_samples_all, 50);
	nt_snapshot_release(s);
	end(&w);
}

static void test_with_a_perf_map_nobody_asks(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	code_line(&w.codemap, 0, JIT_MEMORY + 0x1000, 0x40, "Shop.Work()", NT_TIER_1);
	assert_int_equal(asked_in(&w, 0, 10, JIT_MEMORY), 0); /* what has no line there is a stub */
	end(&w);
}

static void test_image_that_cannot_be_read_is_a_need(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	code_line(&w.codemap, 0, JIT_MEMORY, 0x40, "Shop.Work()", NT_TIER_1);
	assert_int_equal(asked_in(&w, 0, 1, IMAGE + 0x100), 0);
	image_is_deleted(&w, IMAGE_PATH);
	assert_int_equal(asked_in(&w, 1, 6, IMAGE + 0x100), 1);
	list(&w, 6100, IMAGE + 0xf0, 0x40, "void [Shop] Shop.Order::Pay()[PreJIT]");
	struct nt_snapshot *s = sampled_second(&w, 6, IMAGE + 0x100);
	const struct nt_method_row *row = row_named(s, "Shop.Order.Pay()");
	assert_non_null(row);
	assert_int_equal(row->kind, NT_CODE_R2R);
	assert_int_equal(row->self_samples_all, 70);
	nt_snapshot_release(s);
	end(&w);
}

/* A library has no precompiled methods, a program may: also one whose name has ".so" in it. */
static void test_only_a_library_is_never_a_need(void **state_)
{
	(void)state_;
	static const struct {
		const char *path;
		unsigned needs;
	} cases[] = { { "/app/libshop.so", 0 }, { "/app/libshop.so.6", 0 }, { "/app/app.sockets", 1 }, { "/app/app.sockets.so", 0 } };
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		begin_with_image(&w, cases[i].path);
		code_line(&w.codemap, 0, JIT_MEMORY, 0x40, "Shop.Work()", NT_TIER_1);
		assert_int_equal(asked_in(&w, 0, 1, IMAGE + 0x100), 0);
		image_is_deleted(&w, cases[i].path);
		assert_int_equal(asked_in(&w, 1, 6, IMAGE + 0x100), cases[i].needs);
		end(&w);
	}
}

/* Names from the perf map and from images stay what they are. */
static void test_other_names_come_first(void **state_)
{
	(void)state_;
	struct world w;
	begin_without_map(&w);
	list(&w, 100, JIT_MEMORY, 0x40, "void [Old] Old.Type::Gone()[OptimizedTier1]");
	code_line(&w.codemap, 0, JIT_MEMORY, 0x40, "Shop.Work()", NT_TIER_1);
	struct nt_snapshot *s = sampled_second(&w, 0, JIT_MEMORY);
	assert_non_null(row_named(s, "Shop.Work()"));
	assert_null(row_named(s, "Old.Type.Gone()"));
	nt_snapshot_release(s);
	end(&w);
}

/* Of a file nobody knows what is mapped where: the list is all that there is. */
static void test_the_list_names_code_where_no_mapping_is_told(void **state_)
{
	(void)state_;
	struct world w;
	struct feed events;
	begin(&w);
	feed_init(&events, w.model, NT_SOURCE_EVENTPIPE);
	list(&w, 0, JIT_MEMORY, 0x100, "void [Shop] Shop.Till::Pay(int32)[Tier1]");
	feed_send(&w.codemap);
	struct nt_ev_method *load = method_load(&events, 50, 9, 1, NT_TIER_0);
	load->name = text(&events, "Shop.Till.Count()");
	list(&w, 0, load->start, (uint32_t)load->size, "void [Shop] Shop.Till::Count()[Tier0]");
	uint64_t compiled = load->start;
	feed_send(&events);
	feed_send(&w.codemap);
	sample_at(&w.perf, 100, 5, JIT_MEMORY + 0x10);
	sample_at(&w.perf, 200, 5, JIT_MEMORY + 0x200);
	sample_at(&w.perf, 300, 5, compiled);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_string_equal(row_named(s, "Shop.Till.Pay(int)")->module, "Shop");
	assert_string_equal(row_named(s, "Shop.Till.Count()")->module, "Shop"); /* which its event does not tell */
	assert_string_equal(row_named(s, "[no mapping]")->reason, "the mappings of the process are not known");
	nt_snapshot_release(s);
	feed_fini(&events);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_code_without_a_perf_map_is_a_need_once),
		cmocka_unit_test(test_new_needs_wait_longer_each_time),
		cmocka_unit_test(test_list_names_samples_from_before_it_came),
		cmocka_unit_test(test_samples_wait_while_their_mapping_grows),
		cmocka_unit_test(test_with_a_perf_map_nobody_asks),
		cmocka_unit_test(test_image_that_cannot_be_read_is_a_need),
		cmocka_unit_test(test_only_a_library_is_never_a_need),
		cmocka_unit_test(test_other_names_come_first),
		cmocka_unit_test(test_the_list_names_code_where_no_mapping_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
