// SPDX-License-Identifier: GPL-2.0-only
/* Nodes written column by column are the same when they are read again, whatever figures are in them; figures that follow from others cost next to nothing. */
#include "build.h"

#include "model/common/decay.h"
#include "model/past/node_columns.h"
#include "model/past/raise.h"
#include "model/past/row_shapes.h"

#include <math.h>

static struct nt_node_kinds kinds;
static struct nt_nodes nodes, again;
static struct nt_columns_writer writer;
static unsigned char *written;
static size_t written_size;

static int set_up(void **state)
{
	(void)state;
	nodes.kinds = again.kinds = &kinds;
	written_size = 0;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	nt_nodes_fini(&nodes);
	nt_nodes_fini(&again);
	nt_columns_writer_fini(&writer);
	nt_node_kinds_fini(&kinds);
	free(written);
	written = NULL;
	return 0;
}

static void write_batch(void)
{
	nt_columns_write(&writer, &nodes);
	written = realloc(written, written_size + writer.used);
	memcpy(written + written_size, writer.bytes, writer.used);
	written_size += writer.used;
}

static void check_read(void)
{
	nt_columns_read(written, written_size, &again);
	assert_int_equal(again.list_count, nodes.list_count);
	assert_int_equal(again.used, nodes.used);
	for (size_t kind = 0; kind < nodes.list_count; kind++) {
		const struct nt_node_list *list = &nodes.lists[kind], *read = &again.lists[kind];
		assert_int_equal(read->count, list->count);
		assert_int_equal(read->used, list->used);
		if (list->used)
			assert_memory_equal(read->bytes, list->bytes, list->used);
		for (size_t i = 0; list->ends && i < list->count; i++)
			assert_int_equal(read->ends[i], list->ends[i]);
	}
}

static uint64_t random_state;

static uint64_t draw(void)
{
	random_state += 0x9e3779b97f4a7c15;
	uint64_t z = random_state;
	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t bits_of(double number)
{
	uint64_t bits;
	memcpy(&bits, &number, sizeof(bits));
	return bits;
}

/* What no figure should be, and what many are. */
static uint64_t any_word(void)
{
	const uint64_t words[] = { 0,
				   1,
				   2,
				   UINT64_MAX,
				   UINT64_MAX - 1,
				   INT64_MAX,
				   (uint64_t)INT64_MAX + 1,
				   UINT32_MAX,
				   (uint64_t)UINT32_MAX + 1,
				   NT_TIME_UNKNOWN,
				   bits_of(-0.0),
				   bits_of(1.5),
				   bits_of(INFINITY),
				   bits_of(-INFINITY),
				   bits_of(NAN),
				   bits_of(-NAN),
				   0x7ff0000000000001, /* a NaN that signals */
				   0xfff8dead00000001, /* one that says something */
				   bits_of(5e-324),
				   bits_of(1.7e308),
				   draw(),
				   draw() & 0xff };
	return words[draw() % (sizeof(words) / sizeof(words[0]))];
}

static void fill(void *row, size_t size)
{
	for (size_t at = 0; at < size; at += sizeof(uint64_t)) {
		uint64_t word = any_word();
		memcpy((unsigned char *)row + at, &word, size - at < sizeof(word) ? size - at : sizeof(word));
	}
}

static const char *any_text(void)
{
	static const char *const texts[] = { NULL, "", "a", "Shop.Cart.Add(int)", "\x01\xff\xfe", "Shop.Cart.Remove(int)" };
	return texts[draw() % (sizeof(texts) / sizeof(texts[0]))];
}

static void put_any_method(void)
{
	static struct nt_trend trend;
	static uint32_t tier_samples[NT_TIER_COUNT];
	struct nt_method_row row;
	fill(&row, sizeof(row));
	fill(&trend, sizeof(trend));
	fill(tier_samples, sizeof(tier_samples));
	row.id = draw() % 20;
	row.name = any_text();
	row.raw_name = any_text();
	row.module = row.reason = row.thread = NULL;
	row.caller = any_text();
	row.trend = draw() % 2 ? &trend : NULL;
	row.tier_samples = draw() % 2 ? tier_samples : NULL;
	row.weights = NULL;
	nt_nodes_put(&nodes, &nt_method_row_shape, &row);
}

static void put_any_collection(void)
{
	struct nt_call_frame frames[5];
	struct nt_call_stack stack = { .frames = frames, .count = (uint32_t)(draw() % 6) };
	struct nt_gc_row row;
	fill(&row, sizeof(row));
	for (size_t i = 0; i < 5; i++)
		frames[i] = (struct nt_call_frame){ .name = any_text(), .module = any_text(), .native = draw() % 2 };
	row.asked_by = any_text();
	row.asked_from = draw() % 2 ? &stack : NULL;
	nt_nodes_put(&nodes, &nt_gc_row_shape, &row);
}

static void put_any_heap(void)
{
	struct nt_gc_heap_row row;
	fill(&row, sizeof(row));
	nt_nodes_put(&nodes, &nt_gc_heap_row_shape, &row);
}

static void any_figures_come_back(void **state)
{
	(void)state;
	for (random_state = 1; random_state < 20; random_state++) {
		uint64_t seed = random_state;
		for (size_t batch = draw() % 12; batch; batch--) {
			for (size_t i = draw() % 40; i; i--)
				put_any_method();
			for (size_t i = draw() % 10; i; i--)
				put_any_collection();
			for (size_t i = draw() % 3; i; i--)
				put_any_heap();
			write_batch();
		}
		check_read();
		tear_down(NULL);
		set_up(NULL);
		random_state = seed;
	}
}

static void nothing_is_nothing(void **state)
{
	(void)state;
	write_batch();
	write_batch();
	check_read();
}

/* ---- what it costs ---- */

enum { METHODS = 300 };

static double percent(double part, double whole)
{
	return whole > 0 ? 100.0 * part / whole : 0;
}

/* Figures as the model makes them (model/cpu/method_rows_close.c). */
static void step(struct nt_method_row *rows, uint64_t *all, double *window, double decay)
{
	double samples = 0;
	*window *= decay;
	for (size_t i = 0; i < METHODS; i++) {
		struct nt_method_row *row = &rows[i];
		row->self_samples = draw() % 4 ? 0 : draw() % 30;
		row->total_samples = row->self_samples + draw() % 3;
		row->self_samples_all += row->self_samples;
		row->total_samples_all += row->total_samples;
		row->window_self = row->window_self * decay + (double)row->self_samples;
		row->window_total = row->window_total * decay + (double)row->total_samples;
		samples += (double)row->self_samples;
	}
	*window += samples;
	*all += (uint64_t)samples;
	for (size_t i = 0; i < METHODS; i++) {
		struct nt_method_row *row = &rows[i];
		row->self_pct = percent((double)row->self_samples, samples);
		row->total_pct = percent((double)row->total_samples, samples);
		row->window_self_pct = percent(row->window_self, *window);
		row->window_total_pct = percent(row->window_total, *window);
		row->all_self_pct = percent((double)row->self_samples_all, (double)*all);
		row->all_total_pct = percent((double)row->total_samples_all, (double)*all);
	}
}

/* Of eight doubles and two counts in a row that are all other ones in each interval nothing is left but some last bits. */
static void what_follows_from_others_costs_nothing(void **state)
{
	(void)state;
	enum { INTERVALS = 20, WORDS = sizeof(struct nt_method_row) / sizeof(uint64_t) };
	static struct nt_method_row rows[METHODS];
	double window = 0, decay = nt_window_decay(NT_WINDOW_HALF_LIFE);
	uint64_t all = 0;
	size_t first = 0, other = 0;
	memset(rows, 0, sizeof(rows));
	for (size_t i = 0; i < METHODS; i++)
		rows[i].id = i + 1;
	for (size_t interval = 0; interval < INTERVALS; interval++) {
		step(rows, &all, &window, decay);
		for (size_t i = 0; i < METHODS; i++)
			nt_nodes_put(&nodes, &nt_method_row_shape, &rows[i]);
		write_batch();
		if (!interval)
			first = written_size;
	}
	for (size_t i = first; i < written_size; i++)
		other += written[i] != 0;
	double each = (double)other / (METHODS * (INTERVALS - 1));
	printf("%.1f bytes of a row are not 0, of %zu\n", each, sizeof(rows[0]));
	assert_true(each < 8);
	check_read();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(any_figures_come_back, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_is_nothing, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_follows_from_others_costs_nothing, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
