// SPDX-License-Identifier: GPL-2.0-only
/* A span of whole intervals is one long interval: what its JSON line says of a row is the sum of what the lines of its intervals said, and each event is in it once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "model/past/past_span.h"
#include "output/frame/json.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

enum { PID = 4711, INTERVALS = 8, NAMES = 5, EVENTS = 3, TOP = 1000 };

static nt_time second(unsigned number)
{
	return (1000 + (nt_time)number) * NT_NS_PER_S;
}

/* ---- intervals ---- */

static const char *const names[NAMES] = { "Shop.A", "Shop.B", "Shop.C", "Shop.D", "Shop.E" };

/* The rows of an interval: not each name is in each one. */
struct rows {
	struct nt_exception_row exceptions[NAMES];
	struct nt_alloc_row types[NAMES], sites[NAMES];
	struct nt_request_row requests[NAMES];
	struct nt_jit_row compilations[NAMES];
	struct nt_jit_group_row modules[NAMES];
	struct nt_lock_row locks[NAMES];
	struct nt_wait_row waits[NAMES];
	struct nt_thread_row threads[NAMES];
	struct nt_io_row files[NAMES];
	struct nt_told_kind_row kinds[NAMES];
	struct nt_gc_row collections[INTERVALS * EVENTS];
	const struct nt_gc_row *collection_refs[INTERVALS * EVENTS];
	struct nt_thrown_row thrown[INTERVALS * EVENTS];
};

static uint64_t some(void)
{
	return (uint64_t)rand() % 1000;
}

static void fill_row(struct rows *rows, size_t i, unsigned name)
{
	uint64_t id = name + 1;
	rows->exceptions[i] = (struct nt_exception_row){ .id = id, .type = names[name], .count = some() };
	struct nt_alloc_sums sums = { .bytes = (double)some() * 1024, .objects = (double)some(), .samples = (double)some() };
	rows->types[i] = (struct nt_alloc_row){ .id = id, .type = names[name], .figures.interval = sums };
	rows->sites[i] = (struct nt_alloc_row){ .id = id, .site = names[name], .figures.interval = sums };
	rows->requests[i] = (struct nt_request_row){
		.id = id, .route = names[name], .method = "GET", .status = "200", .count = some(), .time_ns = some(), .p99_ns = NT_KNOWN(7)
	};
	rows->compilations[i] = (struct nt_jit_row){ .id = id, .name = names[name], .count = some(), .time_ns = some(), .max_ns = 9 };
	rows->modules[i] = (struct nt_jit_group_row){ .id = id,
						      .name = names[name],
						      .now = { .count = some(), .time_ns = some(), .il_bytes = some() } };
	rows->locks[i] = (struct nt_lock_row){ .id = id, .site = names[name], .count = some(), .spent_ns = some(), .p99_ns = NT_KNOWN(7) };
	rows->waits[i] = (struct nt_wait_row){ .id = id, .site = names[name], .count = some(), .spent_ns = some(), .runq_ns = some() };
	rows->threads[i] = (struct nt_thread_row){
		.id = id, .tid = (uint32_t)id, .name = names[name], .samples = some(), .cpu_pct = NT_KNOWN((double)some())
	};
	rows->files[i] = (struct nt_io_row){ .id = id,
					     .what = names[name],
					     .calls = { .count[NT_IO_READ] = some(), .read_bytes = some(), .error_count = some() } };
	rows->kinds[i] = (struct nt_told_kind_row){ .id = id, .event = names[name], .count = some(), .bytes = some(), .bytes_all = 1 };
}

/* All there have been until now: snapshots have those of before, too. The last of an interval is told a second late. */
static size_t fill_events(struct rows *rows, unsigned interval)
{
	size_t count = 0;
	for (unsigned i = 0; i <= interval; i++)
		for (unsigned event = 0; event < EVENTS; event++) {
			nt_time time = second(i) + (event + 1) * NT_NS_PER_S / 4;
			uint64_t id = i * EVENTS + event + 1;
			if (i == interval && event == EVENTS - 1)
				continue;
			rows->collections[count] = (struct nt_gc_row){ .id = id,
								       .generation = event,
								       .finished = true,
								       .start = time - 1000,
								       .end = time,
								       .pause_ns = NT_KNOWN(id * 1000) };
			rows->collection_refs[count] = &rows->collections[count];
			rows->thrown[count++] = (struct nt_thrown_row){ .id = id, .time = time, .type = names[event] };
		}
	return count;
}

static void cover(struct nt_figures *figures, nt_time ns)
{
	figures->span_ns = figures->lived_ns = ns;
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			if (strstr(figure->key, "covered_ns"))
				*(struct nt_u64 *)(void *)((char *)figures + figure->offset) = nt_u64_of(ns);
		}
}

static char *line_of(const struct nt_snapshot *snapshot)
{
	char *line = nt_json_line(snapshot, &(struct nt_json_options){ .top = TOP, .replay_equal = -1 });
	assert_non_null(line);
	return line;
}

static void add_interval(struct nt_past *past, unsigned number, json_t *lines)
{
	struct rows *rows = calloc(1, sizeof(*rows));
	struct nt_snapshot *s = calloc(1, sizeof(*s));
	struct nt_process_snapshot *p = calloc(1, sizeof(*p));
	assert_true(rows && s && p);
	size_t count = 0, events = fill_events(rows, number);
	for (unsigned name = 0; name < NAMES; name++)
		if (name == 0 || (number >> (name % 3) & 1))
			fill_row(rows, count++, name);
	*p = (struct nt_process_snapshot){
		.target.pid = PID,
		.exceptions = rows->exceptions,
		.exception_count = count,
		.allocations = rows->types,
		.allocation_count = count,
		.allocation_sites = rows->sites,
		.allocation_site_count = count,
		.alloc_sampling = { .on = true, .interval_s = 1 },
		.requests = rows->requests,
		.request_count = count,
		.jit_methods = rows->compilations,
		.jit_method_count = count,
		.jit_groups[NT_JIT_BY_MODULE] = rows->modules,
		.jit_group_count[NT_JIT_BY_MODULE] = count,
		.locks = rows->locks,
		.lock_count = count,
		.waits = rows->waits,
		.wait_count = count,
		.threads = rows->threads,
		.thread_count = count,
		.io = rows->files,
		.io_count = count,
		.io_looked = true,
		.io_called = true,
		.told = { .kinds = rows->kinds, .kind_count = count, .what = NT_TELL_CHOSEN, .patterns = "x" },
		.collections = rows->collection_refs,
		.collection_count = events,
		.thrown = rows->thrown,
		.thrown_count = events,
	};
	cover(&p->interval, NT_NS_PER_S);
	cover(&p->total, (number + 1) * NT_NS_PER_S);
	*s = (struct nt_snapshot){ .sequence = number + 1,
				   .t0 = second(number),
				   .t1 = second(number + 1),
				   .start = second(0),
				   .processes = p,
				   .process_count = 1 };
	nt_past_add(past, s);
	char *line = line_of(s);
	json_array_append_new(lines, json_loads(line, 0, NULL));
	free(line);
	free(p);
	free(s);
	free(rows);
}

static struct nt_past *make_past(json_t **lines)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	*lines = json_array();
	for (unsigned i = 0; i < INTERVALS; i++)
		add_interval(past, i, *lines);
	return past;
}

static json_t *span_line(struct nt_past *past, unsigned from, unsigned to)
{
	struct nt_snapshot *s = nt_past_span(past, second(from), second(to));
	assert_non_null(s);
	char *line = line_of(s);
	json_t *span = json_loads(line, 0, NULL);
	assert_non_null(span);
	free(line);
	nt_snapshot_release(s);
	return span;
}

/* ---- sums ---- */

/* What is summed in which list, by which name; keys in one text. */
static const struct sum {
	const char *section, *list, *name, *keys;
} sums[] = {
	{ "exceptions", "types", "type", "count" },
	{ NULL, "allocations", "type", "bytes samples" },
	{ NULL, "allocation_sites", "site", "bytes samples" },
	{ "requests", "routes", "route", "count" },
	{ "jit", "methods", "name", "count time_ns" },
	{ "jit", "modules", "name", "count time_ns il_bytes" },
	{ "contention", "sites", "site", "count spent_ns" },
	{ "waits", "sites", "site", "count wait_ns" },
	{ NULL, "thread_rows", "name", "samples" },
	{ "io", "open", "what", "read_calls_count read_bytes error_count" },
	{ "events", "rates", "event", "count bytes" },
};

static json_t *list_of(json_t *line, const char *section, const char *key)
{
	json_t *list = json_object_get(section ? json_object_get(line, section) : line, key);
	assert_non_null(list);
	return list;
}

/* 0 where there is no such row. */
static double value_of(json_t *line, const struct sum *sum, const char *name, const char *key)
{
	size_t i;
	json_t *row;
	json_array_foreach(list_of(line, sum->section, sum->list), i, row)
	{
		const char *called = json_string_value(json_object_get(row, sum->name));
		if (called && strcmp(called, name) == 0) {
			if (!json_is_number(json_object_get(row, key)))
				print_message("%s has no %s\n", sum->list, key);
			assert_true(json_is_number(json_object_get(row, key)));
			return json_number_value(json_object_get(row, key));
		}
	}
	return 0;
}

static void check_sum(json_t *lines, json_t *span, unsigned from, unsigned to, const struct sum *sum, const char *key)
{
	for (unsigned name = 0; name < NAMES; name++) {
		double expected = 0;
		for (unsigned i = from; i < to; i++)
			expected += value_of(json_array_get(lines, i), sum, names[name], key);
		double told = value_of(span, sum, names[name], key);
		if (told != expected)
			print_message("%s %s of %s in %u..%u: %g, not %g\n", sum->list, key, names[name], from, to, told, expected);
		assert_true(told == expected);
	}
}

static void sums_are_those_of_the_lines(void **state)
{
	(void)state;
	json_t *lines;
	struct nt_past *past = make_past(&lines);
	for (unsigned from = 0; from < INTERVALS; from++)
		for (unsigned to = from + 1; to <= INTERVALS; to++) {
			json_t *span = span_line(past, from, to);
			for (size_t i = 0; i < sizeof(sums) / sizeof(sums[0]); i++) {
				char keys[64], *rest = NULL;
				snprintf(keys, sizeof(keys), "%s", sums[i].keys);
				for (char *key = strtok_r(keys, " ", &rest); key; key = strtok_r(NULL, " ", &rest))
					check_sum(lines, span, from, to, &sums[i], key);
			}
			json_decref(span);
		}
	json_decref(lines);
	nt_past_free(past);
}

/* ---- events ---- */

/* `number` of each row, in order; each once. */
static void check_events(json_t *list, const char *key, unsigned from, unsigned to)
{
	size_t i, count = (to - from) * EVENTS;
	json_t *row;
	/* What the newest interval has not told yet. */
	if (to == INTERVALS)
		count--;
	assert_int_equal(json_array_size(list), count);
	json_array_foreach(list, i, row)
	{
		json_int_t at = json_integer_value(json_object_get(row, key));
		if (key[0] == 'n')
			assert_int_equal(at, from * EVENTS + count - i);
		else
			assert_true((nt_time)at >= second(from) && (nt_time)at < second(to));
	}
}

static void events_are_those_whose_time_lies_in_it(void **state)
{
	(void)state;
	json_t *lines;
	struct nt_past *past = make_past(&lines);
	for (unsigned from = 0; from < INTERVALS; from++)
		for (unsigned to = from + 1; to <= INTERVALS; to++) {
			json_t *span = span_line(past, from, to);
			check_events(list_of(span, "gc", "collections"), "number", from, to);
			check_events(list_of(span, "exceptions", "last"), "time_ns", from, to);
			json_decref(span);
		}
	json_decref(lines);
	nt_past_free(past);
}

/* In parts of intervals, too: but then no sums are known. */
static void parts_of_intervals_have_events_alone(void **state)
{
	(void)state;
	json_t *lines;
	struct nt_past *past = make_past(&lines);
	struct nt_snapshot *s = nt_past_span(past, second(2) + NT_NS_PER_S / 2, second(4) + NT_NS_PER_S / 2);
	const struct nt_process_snapshot *p = &s->processes[0];
	assert_int_equal(p->collection_count, 2 * EVENTS);
	assert_int_equal(p->collections[0]->end, second(4) + NT_NS_PER_S / 4);
	assert_int_equal(p->collections[2 * EVENTS - 1]->end, second(2) + NT_NS_PER_S / 2);
	assert_int_equal(p->thrown_count, 2 * EVENTS);
	assert_int_equal(p->exception_count + p->request_count + p->allocation_count + p->jit_method_count + p->thread_count, 0);
	assert_non_null(p->interval.exceptions.why.reason);
	nt_snapshot_release(s);
	json_decref(lines);
	nt_past_free(past);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(sums_are_those_of_the_lines),
					    cmocka_unit_test(events_are_those_whose_time_lies_in_it),
					    cmocka_unit_test(parts_of_intervals_have_events_alone) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
