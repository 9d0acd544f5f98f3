// SPDX-License-Identifier: GPL-2.0-only
/* Figures as metrics: names, kinds and units by the table of subjects; the two texts. */
#include "nettop/column.h"
#include "nettop/process_row.h"
#include "nettop/subject.h"
#include "output/metrics/metric_rows.h"
#include "output/metrics/openmetrics.h"
#include "output/metrics/otlp_metrics.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct nt_metrics_own own = { .version = "9.8" };

static char *text_of(const struct nt_snapshot *snapshot, enum nt_metrics_text form)
{
	struct nt_text_buffer out = { 0 };
	nt_openmetrics_write(snapshot, &own, form, &out);
	return nt_text_buffer_take(&out);
}

static bool is_name(const char *name)
{
	return strncmp(name, "nettop_", 7) == 0 && name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")] == '\0' &&
	       !strstr(name, "__") && name[strlen(name) - 1] != '_';
}

static bool ends_in(const char *text, const char *end)
{
	size_t length = strlen(text), more = strlen(end);
	return length >= more && strcmp(text + length - more, end) == 0;
}

/* Two of one name would be one series with two values, which makes Prometheus refuse all of it. */
static void test_each_figure_has_a_name_of_its_own(void **state)
{
	(void)state;
	static char names[512][NT_METRIC_NAME_BYTES];
	size_t count = 0;
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			const char *unit;
			if (!nt_metric_of_figure(figure, names[count], &unit))
				continue;
			assert_true(is_name(names[count]));
			assert_true(!*unit || ends_in(names[count], unit));
			/* What OpenMetrics keeps for the type is no end of a family's name. */
			static const char *const kept[] = { "_total", "_created", "_count", "_sum", "_bucket", "_info", "_ns", "_pct" };
			for (size_t k = 0; k < sizeof(kept) / sizeof(kept[0]); k++)
				assert_false(ends_in(names[count], kept[k]));
			for (size_t other = 0; other < count; other++)
				assert_string_not_equal(names[other], names[count]);
			assert_true(++count < sizeof(names) / sizeof(names[0]));
		}
	assert_true(count > 100);
}

static void test_names_and_units(void **state)
{
	(void)state;
	static const struct {
		struct nt_figure figure;
		const char *name, *unit; /* NULL = it is no metric */
	} cases[] = {
		{ { .section = "gc", .key = "pause_ns" }, "nettop_gc_pause_seconds", "seconds" },
		{ { .section = "gc", .key = "heap_bytes" }, "nettop_gc_heap_bytes", "bytes" },
		{ { .section = "cpu", .key = "usage_pct", .type = NT_FIGURE_F64 }, "nettop_cpu_usage_ratio", "ratio" },
		{ { .section = "gc", .key = "gen0_count" }, "nettop_gc_gen0", "" },
		{ { .section = "exceptions", .key = "count" }, "nettop_exceptions", "" },
		{ { .section = "cpu", .key = "samples" }, "nettop_cpu_samples", "" },
		{ { .section = "cpu", .key = "hottest_tid" }, NULL, NULL },
		{ { .section = "requests", .key = "worst", .type = NT_FIGURE_TEXT }, NULL, NULL },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char name[NT_METRIC_NAME_BYTES];
		const char *unit;
		assert_int_equal(nt_metric_of_figure(&cases[i].figure, name, &unit), cases[i].name != NULL);
		if (!cases[i].name)
			continue;
		assert_string_equal(name, cases[i].name);
		assert_string_equal(unit, cases[i].unit);
	}
}

static struct nt_process_row row_of(const char *name, uint32_t pid, const struct nt_process_snapshot *process)
{
	return (struct nt_process_row){ .pid = pid, .name = name, .ended_at = NT_TIME_UNKNOWN, .process = process };
}

/* Counters are of the whole time, everything else of the interval; what is not known has no sample, and 0 is one. */
static void test_what_is_known(void **state)
{
	(void)state;
	static struct nt_process_snapshot process;
	process.interval.gc.pause_ns = nt_u64_of(7);
	process.total.gc.pause_ns = nt_u64_of(1234567890);
	process.interval.gc.heap_bytes = nt_u64_of(5);
	process.total.gc.heap_bytes = nt_u64_of(6);
	process.interval.cpu.usage_pct = nt_f64_of(150);
	process.total.exceptions.count = nt_u64_of(0);
	process.interval.jit.why.reason = "nobody \"asked\"";
	struct nt_process_row rows[] = { row_of("shop", 7, &process),
					 row_of("closed", 8, NULL),
					 row_of("gone", 9, &process),
					 { .kind = NT_PROCESS_ROW_OTHERS, .name = "others", .ended_at = NT_TIME_UNKNOWN } };
	rows[2].ended_at = 100;
	const struct nt_snapshot snapshot = { .t0 = 1, .t1 = 1 + NT_NS_PER_S, .listed = rows, .listed_count = 4 };
	char *text = text_of(&snapshot, NT_METRICS_OPENMETRICS);
	assert_non_null(strstr(
		text, "# TYPE nettop_gc_pause_seconds counter\n# UNIT nettop_gc_pause_seconds seconds\n# HELP nettop_gc_pause_seconds "));
	assert_non_null(strstr(text, "\nnettop_gc_pause_seconds_total{process=\"shop\",pid=\"7\"} 1.234567890\n"));
	assert_non_null(strstr(text, "# TYPE nettop_gc_heap_bytes gauge\n"));
	assert_non_null(strstr(text, "\nnettop_gc_heap_bytes{process=\"shop\",pid=\"7\"} 5\n"));
	assert_non_null(strstr(text, "\nnettop_cpu_usage_ratio{process=\"shop\",pid=\"7\"} 1.5\n"));
	assert_non_null(strstr(text, "\nnettop_exceptions_total{process=\"shop\",pid=\"7\"} 0\n"));
	assert_null(strstr(text, "nettop_contention"));
	assert_non_null(strstr(text, "subject=\"JIT\",reason=\"nobody \\\"asked\\\"\"} 1\n"));
	assert_non_null(strstr(text, "\nnettop_process_info{process=\"closed\",pid=\"8\"} 1\n"));
	assert_null(strstr(text, "gone"));
	assert_null(strstr(text, "others\""));
	assert_non_null(strstr(text, "nettop_build_info{version=\"9.8\"} 1\n"));
	assert_non_null(strstr(text, "\nnettop_interval_seconds 1.000000000\n"));
	assert_string_equal(text + strlen(text) - 6, "# EOF\n");
	free(text);
}

/* The older form: the family has the name of its samples, info is a gauge, and there is no end mark. */
static void test_the_older_form(void **state)
{
	(void)state;
	static struct nt_process_snapshot process;
	process.total.gc.pause_ns = nt_u64_of(2 * NT_NS_PER_S);
	struct nt_process_row row = row_of("shop", 7, &process);
	const struct nt_snapshot snapshot = { .listed = &row, .listed_count = 1 };
	char *text = text_of(&snapshot, NT_METRICS_PROMETHEUS);
	assert_non_null(strstr(text, "# TYPE nettop_gc_pause_seconds_total counter\n# HELP nettop_gc_pause_seconds_total "));
	assert_non_null(strstr(text, "# TYPE nettop_process_info gauge\n"));
	assert_null(strstr(text, "# UNIT"));
	assert_null(strstr(text, "# EOF"));
	free(text);
}

/* One process cannot make the text of all of them unreadable, nor move a terminal in which it is read. */
static void test_names_that_mean_harm(void **state)
{
	(void)state;
	char long_name[5000];
	memset(long_name, 'x', sizeof(long_name) - 1);
	long_name[sizeof(long_name) - 1] = '\0';
	struct nt_process_row rows[] = { row_of("a\"} 1\nevil 2\n\\\x1b[2J\xff\xfe", 1, NULL), row_of(long_name, 2, NULL),
					 row_of(NULL, 3, NULL) };
	const struct nt_snapshot snapshot = { .listed = rows, .listed_count = 3 };
	for (int form = 0; form < NT_METRICS_TEXTS; form++) {
		char *text = text_of(&snapshot, (enum nt_metrics_text)form);
		assert_non_null(strstr(text, "nettop_process_info{process=\"a\\\"} 1\\\\x0aevil 2"));
		assert_null(strstr(text, "\nevil"));
		assert_null(strchr(text, '\x1b'));
		assert_null(strchr(text, '\xff'));
		assert_non_null(strstr(text, "nettop_process_info{process=\"\",pid=\"3\"} 1\n"));
		assert_true(strlen(text) < 8000);
		free(text);
	}
}

/* Of each type a sample of its own; what would be written alike is one, or Prometheus would refuse all of it; no more than are bounded. */
static void test_rows_have_labels_of_their_own(void **state)
{
	(void)state;
	enum { MORE = NT_METRIC_ROWS_MAX + 10 };
	static struct nt_process_snapshot process;
	static struct nt_exception_row exceptions[MORE];
	static char names[MORE][8];
	process.total.exceptions.covered_ns = nt_u64_of(NT_NS_PER_S);
	for (unsigned i = 0; i < MORE; i++) {
		snprintf(names[i], sizeof(names[i]), "T%u", i);
		exceptions[i] = (struct nt_exception_row){ .type = names[i], .count_all = 1000 - i };
	}
	exceptions[1].type = "T0";
	exceptions[2].type = "a\xff";
	exceptions[3].type = "a\xfe"; /* both are written as U+FFFD */
	process.exceptions = exceptions;
	process.exception_count = MORE;
	struct nt_process_row row = row_of("shop", 7, &process);
	const struct nt_snapshot snapshot = { .listed = &row, .listed_count = 1 };
	char *text = text_of(&snapshot, NT_METRICS_OPENMETRICS);
	assert_non_null(strstr(text, "nettop_exceptions_by_type_total{process=\"shop\",pid=\"7\",type=\"T0\"} 1999\n"));
	assert_non_null(strstr(text, ",type=\"a\xef\xbf\xbd\"} 1995\n"));
	size_t count = 0;
	for (const char *at = text; (at = strstr(at, "nettop_exceptions_by_type_total{")); at++)
		count++;
	assert_int_equal(count, NT_METRIC_ROWS_MAX);
	free(text);
}

/* What a family of rows names is there, and is a text, or a number as it says. */
static void test_families_of_rows_name_what_is_there(void **state)
{
	(void)state;
	for (size_t i = 0; i < nt_row_family_count; i++) {
		const struct nt_row_family *of = &nt_row_families[i];
		const struct nt_table *table = nt_table_called(of->table);
		assert_non_null(table);
		const struct nt_column *column = nt_table_column(table, of->column);
		assert_non_null(column);
		assert_int_not_equal(column->unit, NT_UNIT_TEXT);
		assert_true(is_name(of->family.name) && (!*of->family.unit || ends_in(of->family.name, of->family.unit)));
		assert_int_equal(of->form == NT_METRIC_NANOSECONDS, strcmp(of->family.unit, "seconds") == 0);
		for (const struct nt_metric_label *label = of->labels; label->key; label++) {
			column = nt_table_column(table, label->value);
			assert_non_null(column);
			assert_int_equal(column->unit, NT_UNIT_TEXT);
		}
	}
}

static void test_fields_of_eight_bytes(void **state)
{
	(void)state;
	static const uint8_t expected[] = {
		0x11, 8, 7, 6, 5, 4, 3, 2, 1, 0x21, 0, 0, 0, 0, 0, 0, 0xf8, 0x3f, 0x31, 0, 0, 0, 0, 0, 0, 0, 0
	};
	struct nt_protobuf message = { 0 };
	nt_protobuf_add_fixed64(&message, 2, UINT64_C(0x0102030405060708));
	nt_protobuf_add_double(&message, 4, 1.5);
	nt_protobuf_add_fixed64(&message, 6, 0); /* 0 is a value, where it may be absent */
	assert_int_equal(message.length, sizeof(expected));
	assert_memory_equal(message.bytes, expected, sizeof(expected));
	nt_protobuf_fini(&message);
}

static bool contains(const struct nt_protobuf *message, const void *bytes, size_t length)
{
	return memmem(message->bytes, message->length, bytes, length) != NULL;
}

/* The point of a counter: labels, when it began, when it was read, what it is, as protobuf has them (read by protoc in tests/live/test_serve.py). */
static void test_a_request_to_a_collector(void **state)
{
	(void)state;
	static const uint8_t point[] = { 0x3a, 22,   0x0a, 7,   'p',  'r',  'o',  'c',  'e', 's', 's', 0x12,
					 11,   0x0a, 9,    'a', 0xef, 0xbf, 0xbd, '\\', 'x', '0', 'a', 'b' };
	static const uint8_t value[] = { 0x11, 0x07, 0x27, 0, 0,    0, 0, 0, 0, 0x19, 0x10, 0x27, 0, 0,
					 0,    0,    0,    0, 0x31, 9, 0, 0, 0, 0,    0,    0,    0 };
	static struct nt_process_snapshot process;
	process.total.exceptions.count = nt_u64_of(9);
	process.total.span_ns = 9; /* it came later than nettop */
	struct nt_process_row row = row_of("a\xff\nb", 7, &process);
	const struct nt_snapshot snapshot = { .start = 1, .t0 = 5, .t1 = 16, .listed = &row, .listed_count = 1 };
	struct nt_protobuf request = { 0 };
	nt_otlp_metrics_write(&snapshot, &own, 10000 - 16, &request);
	assert_true(contains(&request, point, sizeof(point)));
	assert_true(contains(&request, value, sizeof(value)));
	assert_true(contains(&request, "\x0a\x11nettop_exceptions", 19));
	assert_false(contains(&request, "nettop_contention", 17));
	nt_protobuf_fini(&request);
}

static void test_so_many_processes(void **state)
{
	(void)state;
	enum { MORE = NT_METRIC_PROCESSES_MAX + 7 };
	static struct nt_process_row rows[MORE];
	for (uint32_t i = 0; i < MORE; i++)
		rows[i] = row_of("p", i + 1, NULL);
	const struct nt_snapshot snapshot = { .listed = rows, .listed_count = MORE };
	char *text = text_of(&snapshot, NT_METRICS_OPENMETRICS);
	assert_non_null(strstr(text, "pid=\"500\""));
	assert_null(strstr(text, "pid=\"501\""));
	assert_non_null(strstr(text, "\nnettop_processes_left_out 7\n"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_figure_has_a_name_of_its_own),
		cmocka_unit_test(test_names_and_units),
		cmocka_unit_test(test_what_is_known),
		cmocka_unit_test(test_the_older_form),
		cmocka_unit_test(test_names_that_mean_harm),
		cmocka_unit_test(test_rows_have_labels_of_their_own),
		cmocka_unit_test(test_families_of_rows_name_what_is_there),
		cmocka_unit_test(test_fields_of_eight_bytes),
		cmocka_unit_test(test_a_request_to_a_collector),
		cmocka_unit_test(test_so_many_processes),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
