// SPDX-License-Identifier: GPL-2.0-only
/* Allocations by type: sums from samples, and the time for which they were sampled. */
#include "build.h"

#include "model/alloc/allocations.h"
#include "nettop/source.h"

enum { SMALL = 0, LARGE = 1, PINNED = 2, DISTANCE = 102400 };

static struct nt_model *model;
static struct feed feed;

static int begin(void **state_)
{
	(void)state_;
	model = new_model();
	feed_init(&feed, model, NT_SOURCE_EVENTPIPE);
	return 0;
}

static int end(void **state_)
{
	(void)state_;
	feed_fini(&feed);
	nt_model_free(model);
	return 0;
}

static void says(double at_ms, enum nt_source_state source_state, unsigned brings)
{
	struct nt_event *e = event(&feed, NT_EV_SOURCE_STATE, at_ms, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = source_state, .brings = brings };
	feed_send(&feed);
}

static void sampled(double at_ms, const char *type, uint64_t bytes, uint32_t kind)
{
	struct nt_ev_alloc *alloc = &event(&feed, NT_EV_ALLOC_SAMPLED, at_ms, 1)->u.alloc;
	*alloc = (struct nt_ev_alloc){ .object_bytes = bytes, .type_name = text(&feed, type), .alloc_kind = kind };
}

static const struct nt_alloc_row *row_of(const struct nt_snapshot *s, const char *type)
{
	for (size_t i = 0; i < s->processes[0].allocation_count; i++)
		if (strcmp(s->processes[0].allocations[i].type, type) == 0)
			return &s->processes[0].allocations[i];
	return NULL;
}

static void each_type_has_its_sums(void **state_)
{
	(void)state_;
	says(0, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	for (int i = 0; i < 400; i++)
		sampled(i, "System.String", 24, SMALL);
	sampled(500, "System.Byte[]", 200 << 20, LARGE);
	sampled(501, "System.Byte[]", 100 << 20, PINNED);
	sampled(502, "", 24, SMALL);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->allocation_count, 3);
	assert_string_equal(process->allocations[0].type, "byte[]"); /* most bytes first */

	/* Picked for certain: each counts once, and the bytes are no estimate. */
	const struct nt_alloc_sums *large = &row_of(s, "byte[]")->figures.interval;
	assert_near(large->bytes, 300 << 20);
	assert_near(large->large_bytes, 200 << 20);
	assert_near(large->pinned_bytes, 100 << 20);
	assert_near(large->objects, 2);
	assert_near(nt_alloc_sums_error_pct(large).v, 0);

	/* Each small one stands for nearly the whole distance: the error is 1 / sqrt(n). */
	const struct nt_alloc_sums *small = &row_of(s, "string")->figures.interval;
	assert_true(small->bytes > 400.0 * DISTANCE && small->bytes < 400.0 * (DISTANCE + 24));
	assert_true(small->bytes / small->objects > 23.99 && small->bytes / small->objects < 24.01);
	assert_true(nt_alloc_sums_error_pct(small).v > 4.99 && nt_alloc_sums_error_pct(small).v <= 5);
	assert_near(small->samples, 400);
	assert_non_null(row_of(s, "(type not said)"));

	const struct nt_alloc_sampling *all = &process->alloc_sampling;
	assert_true(all->on);
	assert_near(all->interval_s, 1);
	assert_near(all->figures.interval.samples, 403);
	nt_snapshot_release(s);
}

static void sampled_of(double at_ms, const char *type, uint64_t type_id)
{
	sampled(at_ms, type, 24, SMALL);
	feed.batch->events[feed.batch->event_count - 1].u.alloc.type_id = type_id;
}

static void answers(double at_ms, uint64_t type_id, const char *name)
{
	nt_str image = text(&feed, NT_TYPES_IMAGE), said = text(&feed, name);
	event(&feed, NT_EV_NAME, at_ms, 0)->u.name =
		(struct nt_ev_name){ .start = type_id, .end = type_id + 1, .image = image, .name = said };
	feed_send(&feed);
}

static size_t asked(const struct nt_snapshot *s, uint64_t type_id)
{
	size_t count = 0;
	for (size_t i = 0; i < s->processes[0].question_count; i++) {
		const struct nt_question *question = &s->processes[0].questions[i];
		count += strcmp(question->image, NT_TYPES_IMAGE) == 0 && (!type_id || question->offset == type_id);
	}
	return count;
}

/* Events tell of a type within another one its own name alone. */
static void types_within_others_are_asked_about(void **state_)
{
	(void)state_;
	says(0, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled_of(1, "Enumerator[System.Int32]", 0x10);
	sampled_of(2, "Enumerator[System.Int32]", 0x20);
	sampled_of(3, "Enumerator[System.Int32]", 0x20);
	sampled_of(4, "System.Text.StringBuilder", 0x30);
	sampled_of(5, "Node[]", 0x40);
	sampled_of(6, "Node", 0x50);
	sampled_of(7, "Gone", 0x60);
	sampled_of(8, "", 0x70);
	sampled_of(9, "", 0x80);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_int_equal(s->processes[0].allocation_count, 7);
	assert_near(row_of(s, "(type not said)")->figures.interval.samples, 2);
	assert_int_equal(asked(s, 0), 5);
	assert_int_equal(asked(s, 0x30), 0);
	nt_snapshot_release(s);

	answers(1100, 0x10, "System.Collections.Generic.List`1+Enumerator[System.Int32]");
	answers(1101, 0x20, "System.Collections.Generic.Dictionary`2+ValueCollection+Enumerator[System.String,System.Int32]");
	answers(1102, 0x40, "Shop.Cart+Node[]");
	answers(1103, 0x50, "Another.Type"); /* its memory has another one by now */
	answers(1104, 0x60, "");             /* cannot be read */
	s = close_at(model, 2000);
	assert_near(row_of(s, "System.Collections.Generic.List<int>.Enumerator")->figures.all.samples, 1);
	assert_near(row_of(s, "System.Collections.Generic.Dictionary<string, int>.ValueCollection.Enumerator")->figures.all.samples, 2);
	assert_non_null(row_of(s, "Shop.Cart.Node[]"));
	assert_non_null(row_of(s, "Node"));
	assert_non_null(row_of(s, "Gone"));
	assert_int_equal(asked(s, 0), 0);
	nt_snapshot_release(s);
}

/* Nobody reads the runtime's data: it is asked a few times, and the own name stays. */
static void who_does_not_answer_is_not_asked_for_ever(void **state_)
{
	(void)state_;
	says(0, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled_of(1, "Enumerator[System.Int32]", 0x10);
	feed_send(&feed);
	size_t times = 0;
	for (unsigned second = 1; second < 8; second++) {
		struct nt_snapshot *s = close_at(model, 1000 * second);
		times += asked(s, 0x10);
		assert_non_null(row_of(s, "Enumerator<int>"));
		nt_snapshot_release(s);
	}
	assert_int_equal(times, 3);
}

/* Nothing without samples: neither rows nor an error of nothing. */
static void nothing_sampled_is_nothing_known(void **state_)
{
	(void)state_;
	struct nt_snapshot *s = close_at(model, 1000);
	assert_int_equal(s->processes[0].allocation_count, 0);
	assert_false(s->processes[0].alloc_sampling.on);
	assert_near(s->processes[0].alloc_sampling.all_s, 0);
	assert_unknown(nt_alloc_sums_error_pct(&s->processes[0].alloc_sampling.figures.all));
	nt_snapshot_release(s);
}

/* Rates are of the time for which it was sampled, also when that is a part of the interval. */
static void the_time_is_that_of_sampling(void **state_)
{
	(void)state_;
	says(400, NT_STATE_STARTING, NT_WANT_ALLOC_SAMPLES);
	says(600, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled(500, "A", 24, SMALL); /* before the source could say so */
	sampled(700, "A", 24, SMALL);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_near(s->processes[0].alloc_sampling.interval_s, 0.5);
	nt_snapshot_release(s);

	/* Asked for something else besides, the source starts again and goes on with what it brings. */
	says(1200, NT_STATE_STARTING, NT_WANT_ALLOC_SAMPLES | NT_WANT_COUNTERS);
	says(1300, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES | NT_WANT_COUNTERS);
	s = close_at(model, 2000);
	assert_near(s->processes[0].alloc_sampling.interval_s, 1);
	assert_near(s->processes[0].alloc_sampling.all_s, 1.5);
	nt_snapshot_release(s);

	/* Nothing is allocated for long: that is a rate of 0, not the end of sampling. */
	for (int i = 3; i < 8; i++)
		nt_snapshot_release(close_at(model, 1000.0 * i));
	says(7250, NT_STATE_DELIVERING, NT_WANT_COUNTERS);
	s = close_at(model, 8000);
	assert_false(s->processes[0].alloc_sampling.on);
	assert_near(s->processes[0].alloc_sampling.interval_s, 0.25);
	assert_near(s->processes[0].alloc_sampling.all_s, 6.75);
	nt_snapshot_release(s);
}

/* A sample that waits for its interval does not begin again what has ended meanwhile. */
static void the_last_samples_do_not_begin_it_again(void **state_)
{
	(void)state_;
	says(100, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled(1100, "A", 24, SMALL);
	feed_send(&feed);
	says(1200, NT_STATE_DELIVERING, 0);
	nt_snapshot_release(close_at(model, 1000));
	struct nt_snapshot *s = close_at(model, 2000);
	assert_false(s->processes[0].alloc_sampling.on);
	assert_near(row_of(s, "A")->figures.all.samples, 1);
	nt_snapshot_release(s);
}

/* The window is of what was sampled without a break; the sums since attach are of all. */
static void the_window_begins_anew_with_sampling(void **state_)
{
	(void)state_;
	says(0, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled(10, "A", 24, SMALL);
	feed_send(&feed);
	nt_snapshot_release(close_at(model, 1000));
	struct nt_snapshot *s = close_at(model, 2000);
	double weight = row_of(s, "A")->figures.window.samples;
	assert_true(weight > 0.5 && weight < 1); /* it fades */
	assert_near(s->processes[0].alloc_sampling.window_s, 1 + weight);
	nt_snapshot_release(s);
	says(2000, NT_STATE_DELIVERING, 0);
	says(3000, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled(3010, "B", 24, SMALL);
	feed_send(&feed);
	nt_snapshot_release(close_at(model, 3000));
	s = close_at(model, 4000);
	assert_near(row_of(s, "A")->figures.window.samples, 0);
	assert_near(row_of(s, "A")->figures.all.samples, 1);
	assert_near(row_of(s, "B")->figures.window.samples, 1);
	assert_near(s->processes[0].alloc_sampling.window_s, 1);
	nt_snapshot_release(s);
}

/* LTTng does not say whether it samples. */
static void without_a_promise_silence_is_the_end(void **state_)
{
	(void)state_;
	struct feed lttng;
	feed_init(&lttng, model, NT_SOURCE_LTTNG);
	delivering(&lttng);
	struct nt_ev_alloc *alloc = &event(&lttng, NT_EV_ALLOC_SAMPLED, 500, 1)->u.alloc;
	*alloc = (struct nt_ev_alloc){ .object_bytes = 24, .type_name = text(&lttng, "A") };
	feed_send(&lttng);
	for (int i = 1; i < 6; i++) {
		struct nt_snapshot *s = close_at(model, 1000.0 * i);
		assert_int_equal(s->processes[0].alloc_sampling.on, i < 4);
		assert_non_null(s->processes[0].alloc_sampling.stack_why.reason);
		nt_snapshot_release(s);
	}
	feed_fini(&lttng);
}

static void types_beyond_the_rows_are_one_row(void **state_)
{
	(void)state_;
	char name[32];
	for (int i = 0; i < NT_ALLOC_TYPES + 100; i++) {
		snprintf(name, sizeof(name), "Type%d", i);
		sampled(1, name, 24, SMALL);
	}
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_int_equal(s->processes[0].allocation_count, NT_ALLOC_TYPES + 1);
	assert_near(row_of(s, "(other types)")->figures.all.samples, 100);
	nt_snapshot_release(s);
}

static void from_this_method(double at_ms, uint64_t address, uint64_t bytes)
{
	sampled(at_ms, "System.Byte[]", bytes, LARGE);
	feed.batch->events[feed.batch->event_count - 1].stack = nt_interner_stack(feed.interner, feed.batch, &address, 0, 1);
}

/* The method behind most bytes, not behind most samples; whatever addresses of it were on the stack. */
static void a_type_comes_mostly_from_one_method(void **state_)
{
	(void)state_;
	struct feed map;
	feed_init(&map, model, NT_SOURCE_CODEMAP);
	code_line(&map, 0, 0x1000, 0x100, "Shop.Export.Grow()", NT_TIER_1);
	code_line(&map, 0, 0x2000, 0x100, "Shop.Cart.Total()", NT_TIER_1);
	feed_send(&map);
	from_this_method(10, 0x1010, 30 << 20);
	from_this_method(20, 0x1020, 30 << 20);
	for (int i = 0; i < 4; i++)
		from_this_method(30 + i, 0x2030, 10 << 20);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	const struct nt_alloc_row *row = row_of(s, "byte[]");
	assert_string_equal(row->site, "Shop.Export.Grow()");
	assert_near(row->site_pct.v, 60);
	assert_non_null(row->allocated_from);
	assert_null(s->processes[0].alloc_sampling.stack_why.reason);
	nt_snapshot_release(s);

	/* It stays known when nothing is allocated any more. */
	for (int i = 2; i < 5; i++) {
		s = close_at(model, 1000.0 * i);
		assert_string_equal(row_of(s, "byte[]")->site, "Shop.Export.Grow()");
		nt_snapshot_release(s);
	}
	feed_fini(&map);
}

static const struct nt_source_row *its_source(const struct nt_snapshot *s)
{
	for (size_t i = 0; i < s->source_count; i++)
		if (s->sources[i].id == NT_SOURCE_ALLOCATIONS)
			return &s->sources[i];
	return NULL;
}

/* A line of the sources tells whether they run, when they would, or why they cannot. */
static void it_is_among_the_sources(void **state_)
{
	(void)state_;
	struct nt_snapshot *s = close_at(model, 1000);
	assert_null(its_source(s)); /* nothing is known of EventPipe */
	nt_snapshot_release(s);

	says(1000, NT_STATE_DELIVERING, NT_WANT_RUNTIME_EVENTS);
	s = close_at(model, 2000);
	assert_int_equal(its_source(s)->state, NT_STATE_UNUSED);
	assert_non_null(strstr(its_source(s)->reason, "screen 5"));
	nt_snapshot_release(s);

	says(2000, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	sampled(2500, "A", 24, SMALL);
	feed_send(&feed);
	s = close_at(model, 3000);
	assert_int_equal(its_source(s)->state, NT_STATE_DELIVERING);
	assert_near(its_source(s)->events_per_s.v, 1);
	nt_snapshot_release(s);

	says(3000, NT_STATE_FORBIDDEN, 0);
	s = close_at(model, 4000);
	assert_int_equal(its_source(s)->state, NT_STATE_FORBIDDEN);
	nt_snapshot_release(s);

	struct feed procfs;
	feed_init(&procfs, model, NT_SOURCE_PROCFS);
	event(&procfs, NT_EV_TARGET, 4000, 0)->u.target.alloc_reason = text(&procfs, "too old");
	feed_send(&procfs);
	says(4000, NT_STATE_DELIVERING, NT_WANT_RUNTIME_EVENTS);
	s = close_at(model, 5000);
	assert_int_equal(its_source(s)->state, NT_STATE_UNUSED); /* there are ticks */
	assert_true(s->processes[0].alloc_sampling.by_ticks);
	assert_null(s->processes[0].alloc_sampling.why.reason);
	nt_snapshot_release(s);
	says(5000, NT_STATE_ABSENT, 0);
	s = close_at(model, 6000);
	assert_int_equal(its_source(s)->state, NT_STATE_ABSENT);
	assert_string_equal(its_source(s)->reason, "too old");
	assert_string_equal(s->processes[0].alloc_sampling.why.reason, "too old");
	nt_snapshot_release(s);
	feed_fini(&procfs);
}

/* A tick stands for what was allocated since the last one; a large object that was told alone for itself. */
static void ticks_stand_for_what_came_before(void **state_)
{
	(void)state_;
	says(0, NT_STATE_DELIVERING, NT_WANT_ALLOC_SAMPLES);
	for (int i = 0; i < 4; i++) {
		struct nt_event *e = event(&feed, NT_EV_ALLOC_TICK, 10 + i, 1);
		e->beside = true;
		e->u.alloc = (struct nt_ev_alloc){ .object_bytes = 1 << 10,
						   .amount_bytes = 100 << 10,
						   .type_name = text(&feed, "System.String") };
	}
	struct nt_event *large = event(&feed, NT_EV_ALLOC_TICK, 20, 1);
	large->beside = true;
	large->u.alloc = (struct nt_ev_alloc){
		.object_bytes = 5 << 20, .amount_bytes = 5 << 20, .alloc_kind = LARGE, .type_name = text(&feed, "System.Byte[]")
	};
	struct nt_event *foreign = event(&feed, NT_EV_ALLOC_TICK, 30, 1); /* over the session of another tool */
	foreign->u.alloc = (struct nt_ev_alloc){ .amount_bytes = 100 << 10, .type_name = text(&feed, "System.String") };
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	const struct nt_alloc_sums *small = &row_of(s, "string")->figures.interval, *array = &row_of(s, "byte[]")->figures.interval;
	assert_near(small->bytes, 400 << 10);
	assert_near(small->objects, 400);
	assert_near(nt_alloc_sums_error_pct(small).v, 50);
	assert_near(array->large_bytes, 5 << 20);
	assert_near(array->objects, 1);
	assert_near(nt_alloc_sums_error_pct(array).v, 0);
	nt_snapshot_release(s);
}

/* What a recording may say. */
static void nonsense_is_harmless(void **state_)
{
	(void)state_;
	sampled(1, "A", 0, SMALL);
	sampled(1, "A", UINT64_MAX, 77);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_near(row_of(s, "A")->figures.all.samples, 2);
	assert_near(row_of(s, "A")->figures.all.large_bytes, 0);
	nt_snapshot_release(s);
}

static const struct nt_alloc_row *place_of(const struct nt_snapshot *s, const char *site)
{
	for (size_t i = 0; i < s->processes[0].allocation_site_count; i++)
		if (strcmp(s->processes[0].allocation_sites[i].site, site) == 0)
			return &s->processes[0].allocation_sites[i];
	return NULL;
}

/* All types of a place, whatever addresses of it; what has no stack is of none. */
static void a_place_has_its_sums(void **state_)
{
	(void)state_;
	struct feed map;
	feed_init(&map, model, NT_SOURCE_CODEMAP);
	code_line(&map, 0, 0x1000, 0x100, "Shop.Export.Grow()", NT_TIER_1);
	code_line(&map, 0, 0x2000, 0x100, "Shop.Cart.Total()", NT_TIER_1);
	feed_send(&map);
	from_this_method(10, 0x1010, 40 << 20);
	from_this_method(11, 0x1020, 20 << 20);
	from_this_method(12, 0x2030, 90 << 20);
	sampled(13, "System.Byte[]", 5 << 20, LARGE);
	feed_send(&feed);
	struct nt_snapshot *s = close_at(model, 1000);
	assert_int_equal(s->processes[0].allocation_site_count, 2);
	assert_string_equal(s->processes[0].allocation_sites[0].site, "Shop.Cart.Total()"); /* most bytes first */
	assert_near(place_of(s, "Shop.Export.Grow()")->figures.interval.bytes, 60 << 20);
	assert_near(place_of(s, "Shop.Export.Grow()")->figures.interval.large_bytes, 60 << 20);
	assert_near(place_of(s, "Shop.Export.Grow()")->figures.all.samples, 2);
	assert_string_equal(place_of(s, "Shop.Export.Grow()")->type, "byte[]");
	assert_non_null(place_of(s, "Shop.Export.Grow()")->allocated_from);
	nt_snapshot_release(s);
	s = close_at(model, 2000);
	assert_near(place_of(s, "Shop.Export.Grow()")->figures.interval.bytes, 0);
	assert_near(place_of(s, "Shop.Export.Grow()")->figures.all.bytes, 60 << 20);
	nt_snapshot_release(s);
	feed_fini(&map);
}

#define WITH_A_MODEL(test_) cmocka_unit_test_setup_teardown(test_, begin, end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		WITH_A_MODEL(each_type_has_its_sums),
		WITH_A_MODEL(types_within_others_are_asked_about),
		WITH_A_MODEL(who_does_not_answer_is_not_asked_for_ever),
		WITH_A_MODEL(nothing_sampled_is_nothing_known),
		WITH_A_MODEL(the_time_is_that_of_sampling),
		WITH_A_MODEL(the_last_samples_do_not_begin_it_again),
		WITH_A_MODEL(the_window_begins_anew_with_sampling),
		WITH_A_MODEL(without_a_promise_silence_is_the_end),
		WITH_A_MODEL(types_beyond_the_rows_are_one_row),
		WITH_A_MODEL(a_type_comes_mostly_from_one_method),
		WITH_A_MODEL(a_place_has_its_sums),
		WITH_A_MODEL(it_is_among_the_sources),
		WITH_A_MODEL(ticks_stand_for_what_came_before),
		WITH_A_MODEL(nonsense_is_harmless),
	};
	return cmocka_run_group_tests_name("allocations", tests, NULL, NULL);
}
