// SPDX-License-Identifier: GPL-2.0-only
/* Counters that the target publishes: what a row shows of each kind, and how many rows there are. */
#include "build.h"

#include "model/counters/counters.h"

#include <math.h>

struct world {
	struct nt_model *model;
	struct feed eventpipe;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->eventpipe, w->model, NT_SOURCE_EVENTPIPE);
	delivering(&w->eventpipe);
}

static void end(struct world *w)
{
	feed_fini(&w->eventpipe);
	nt_model_free(w->model);
}

static struct nt_snapshot *close_all(struct world *w, double at_ms)
{
	feed_send(&w->eventpipe);
	return close_at(w->model, at_ms);
}

/* A counter of System.Runtime with a period of 1 s. What holds is for the caller to say. */
static struct nt_ev_counter *tell(struct world *w, double at, const char *name, const char *tags, enum nt_counter_kind kind)
{
	struct nt_ev_counter told = { .provider = text(&w->eventpipe, "System.Runtime"),
				      .name = text(&w->eventpipe, name),
				      .tags = tags ? text(&w->eventpipe, tags) : 0,
				      .kind = kind,
				      .period_ns = NT_NS_PER_S };
	struct nt_ev_counter *out = &event(&w->eventpipe, NT_EV_COUNTER, at, 9)->u.counter;
	*out = told;
	return out;
}

static void tell_value(struct world *w, double at, const char *name, enum nt_counter_kind kind, double value)
{
	struct nt_ev_counter *told = tell(w, at, name, NULL, kind);
	told->known = NT_COUNTER_VALUE;
	told->value = value;
}

static void tell_change(struct world *w, double at, const char *name, double change)
{
	struct nt_ev_counter *told = tell(w, at, name, NULL, NT_COUNTER_INCREMENT);
	told->known = NT_COUNTER_CHANGE;
	told->change = change;
}

static const struct nt_counter_row *row(const struct nt_snapshot *s, const char *name)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	for (size_t i = 0; i < process->counter_count; i++)
		if (strcmp(process->counters[i].name, name) == 0)
			return &process->counters[i];
	return NULL;
}

static void assert_figure(struct nt_f64 figure, double expected)
{
	assert_true(figure.known);
	assert_near(figure.v, expected);
}

static void test_a_gauge_shows_its_newest_value(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell_value(&w, 900, "queue", NT_COUNTER_GAUGE, 7);
	struct nt_ev_counter *told = tell(&w, 950, "request-time", NULL, NT_COUNTER_GAUGE);
	told->known = NT_COUNTER_VALUE | NT_COUNTER_RANGE;
	told->value = 10, told->least = 2, told->greatest = 40;
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_counter_row *queue = row(s, "queue");
	assert_figure(queue->value, 7);
	assert_unknown(queue->rate_per_s);
	assert_unknown(queue->change);
	assert_true(queue->fresh);
	assert_figure(row(s, "request-time")->least, 2);
	assert_figure(row(s, "request-time")->greatest, 40);
	nt_snapshot_release(s);

	tell_value(&w, 1900, "queue", NT_COUNTER_GAUGE, -3);
	s = close_all(&w, 2000);
	queue = row(s, "queue");
	assert_figure(queue->value, -3);
	assert_figure(queue->least, -3);
	assert_figure(queue->greatest, 7);
	assert_false(queue->fresh);
	assert_int_equal(queue->trend.known, 0xc0); /* the last two cells */
	assert_true(queue->trend.cells[NT_TREND_CELLS - 2] == 7 && queue->trend.cells[NT_TREND_CELLS - 1] == -3);
	nt_snapshot_release(s);
	end(&w);
}

static void test_increments_make_a_rate_and_a_total(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell_change(&w, 400, "exceptions", 30);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_figure(row(s, "exceptions")->value, 30);
	assert_figure(row(s, "exceptions")->change, 30);
	assert_figure(row(s, "exceptions")->rate_per_s, 30);
	nt_snapshot_release(s);

	/* Two periods in one interval: the rate is over both. */
	tell_change(&w, 1100, "exceptions", 10);
	tell_change(&w, 1900, "exceptions", 50);
	s = close_all(&w, 2000);
	assert_figure(row(s, "exceptions")->value, 90);
	assert_figure(row(s, "exceptions")->change, 60);
	assert_figure(row(s, "exceptions")->rate_per_s, 30);
	nt_snapshot_release(s);

	/* None: the newest rate holds. */
	s = close_all(&w, 3000);
	assert_figure(row(s, "exceptions")->value, 90);
	assert_figure(row(s, "exceptions")->change, 0);
	assert_figure(row(s, "exceptions")->rate_per_s, 30);
	nt_snapshot_release(s);
	end(&w);
}

static void test_a_total_that_is_told_is_shown_as_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell_value(&w, 500, "collections", NT_COUNTER_TOTAL, 120); /* no change yet: it is known from the second period on */
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_figure(row(s, "collections")->value, 120);
	assert_unknown(row(s, "collections")->rate_per_s);
	assert_unknown(row(s, "collections")->least);
	nt_snapshot_release(s);

	struct nt_ev_counter *told = tell(&w, 1500, "collections", NULL, NT_COUNTER_TOTAL);
	told->known = NT_COUNTER_VALUE | NT_COUNTER_CHANGE;
	told->value = 123, told->change = 3;
	s = close_all(&w, 2000);
	assert_figure(row(s, "collections")->value, 123);
	assert_figure(row(s, "collections")->rate_per_s, 3);
	assert_figure(row(s, "collections")->least_per_s, 3);
	assert_figure(row(s, "collections")->greatest_per_s, 3);
	assert_unknown(row(s, "collections")->least); /* VALUE is the total */
	assert_unknown(row(s, "collections")->greatest);
	nt_snapshot_release(s);
	end(&w);
}

static void test_a_histogram_shows_its_last_distribution(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_ev_counter *told = tell(&w, 500, "duration", NULL, NT_COUNTER_HISTOGRAM);
	told->known = NT_COUNTER_VALUE | NT_COUNTER_CHANGE | NT_COUNTER_QUANTILES;
	told->value = 1000, told->change = 20, told->p50 = 5, told->p95 = 50, told->p99 = 90;
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_counter_row *duration = row(s, "duration");
	assert_figure(duration->value, 5);
	assert_figure(duration->p95, 50);
	assert_figure(duration->p99, 90);
	assert_figure(duration->rate_per_s, 20);
	assert_figure(duration->least, 5);
	assert_figure(duration->greatest, 90);
	nt_snapshot_release(s);

	told = tell(&w, 1500, "duration", NULL, NT_COUNTER_HISTOGRAM);
	told->known = NT_COUNTER_VALUE | NT_COUNTER_CHANGE; /* nothing was measured */
	s = close_all(&w, 2000);
	assert_figure(row(s, "duration")->p99, 90);
	assert_figure(row(s, "duration")->rate_per_s, 0);
	nt_snapshot_release(s);
	end(&w);
}

static void test_tags_and_instruments_tell_rows_apart(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell(&w, 1, "heap", "gen=gen1", NT_COUNTER_GAUGE);
	tell(&w, 1, "heap", "gen=gen0", NT_COUNTER_GAUGE);
	tell(&w, 1, "heap", "gen=gen0", NT_COUNTER_GAUGE)->instrument = 5;
	tell(&w, 1, "heap", "gen=gen0", NT_COUNTER_GAUGE);
	tell(&w, 1, "assemblies", NULL, NT_COUNTER_GAUGE);
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->counter_count, 4);
	assert_string_equal(process->counters[0].name, "assemblies");
	assert_null(process->counters[0].tags);
	assert_unknown(process->counters[0].value);
	assert_string_equal(process->counters[1].tags, "gen=gen0");
	assert_string_equal(process->counters[2].tags, "gen=gen0");
	assert_string_equal(process->counters[3].tags, "gen=gen1");
	assert_string_equal(process->counters[3].label, "heap{gen=gen1}");
	assert_string_equal(process->counters[0].label, "assemblies");
	nt_snapshot_release(s);
	end(&w);
}

static void test_one_that_is_no_longer_told_ends_and_goes(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell_value(&w, 500, "gone", NT_COUNTER_GAUGE, 1);
	double at = 1000;
	bool ended = false;
	for (; at <= 15000; at += 1000) {
		tell_value(&w, at - 500, "stays", NT_COUNTER_GAUGE, 1);
		struct nt_snapshot *s = close_all(&w, at);
		const struct nt_counter_row *gone = row(s, "gone");
		assert_non_null(row(s, "stays"));
		assert_false(row(s, "stays")->ended);
		/* Three periods of patience, then ten intervals as a tombstone. */
		assert_int_equal(gone != NULL, at <= 13000);
		if (gone)
			assert_int_equal(gone->ended, at > 3500);
		ended |= gone && gone->ended;
		nt_snapshot_release(s);
	}
	assert_true(ended);
	tell_value(&w, 15500, "gone", NT_COUNTER_GAUGE, 1);
	struct nt_snapshot *s = close_all(&w, 16000);
	assert_true(row(s, "gone")->fresh);
	nt_snapshot_release(s);
	end(&w);
}

static void test_rows_are_bounded_and_the_rest_is_counted(void **state_)
{
	(void)state_;
	struct world w;
	char tags[32];
	begin(&w);
	for (int round = 0; round < 2; round++)
		for (int i = 0; i < NT_COUNTER_ROWS + 30; i++) {
			snprintf(tags, sizeof(tags), "user=%d", i);
			tell(&w, 1 + round, "logins", tags, NT_COUNTER_GAUGE);
		}
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].counter_count, NT_COUNTER_ROWS);
	assert_int_equal(s->processes[0].counters_hidden, 30);
	assert_false(s->processes[0].counters_hidden_at_least);
	nt_snapshot_release(s);
	tell(&w, 1500, "", NULL, NT_COUNTER_GAUGE); /* the runtime's own limit */
	s = close_all(&w, 2000);
	assert_true(s->processes[0].counters_hidden_at_least);
	nt_snapshot_release(s);
	end(&w);
}

static void test_nonsense_is_no_value(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	tell_value(&w, 1, "odd", NT_COUNTER_GAUGE, NAN);
	tell_change(&w, 1, "rate", INFINITY);
	tell_value(&w, 2, "kind", NT_COUNTER_GAUGE, 1);
	tell(&w, 3, "unheard-of", NULL, NT_COUNTER_KIND_COUNT);
	tell_change(&w, 4, "long", 5);
	w.eventpipe.batch->events[w.eventpipe.batch->event_count - 1].u.counter.period_ns = UINT64_MAX;
	tell_change(&w, 5, "long", 5);
	w.eventpipe.batch->events[w.eventpipe.batch->event_count - 1].u.counter.period_ns = UINT64_MAX;
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].counter_count, 4);
	assert_unknown(row(s, "odd")->value);
	assert_unknown(row(s, "odd")->least);
	assert_unknown(row(s, "rate")->value);
	assert_unknown(row(s, "rate")->rate_per_s);
	assert_figure(row(s, "long")->value, 10);
	assert_true(row(s, "long")->rate_per_s.v > 0);
	nt_snapshot_release(s);
	end(&w);
}

static void say(struct world *w, const char *name, const char *description, uint32_t number)
{
	const struct nt_ev_instrument said = { .provider = text(&w->eventpipe, "System.Runtime"),
					       .name = text(&w->eventpipe, name),
					       .description = text(&w->eventpipe, description),
					       .meter_tags = text(&w->eventpipe, "part=web"),
					       .number = number };
	event(&w->eventpipe, NT_EV_INSTRUMENT, 1, 9)->u.instrument = said;
}

static void test_an_instrument_says_what_it_counts(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	say(&w, "queue", "What waits.", 0);
	say(&w, "other", "Nobody tells it.", 0);
	say(&w, "later", "Of another one of this name.", 5);
	tell_value(&w, 900, "queue", NT_COUNTER_GAUGE, 7);
	tell_value(&w, 900, "later", NT_COUNTER_GAUGE, 7);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_int_equal(s->processes[0].counter_count, 2);
	assert_string_equal(row(s, "queue")->description, "What waits.");
	assert_string_equal(row(s, "queue")->meter_tags, "part=web");
	assert_null(row(s, "queue")->instrument_tags);
	assert_null(row(s, "later")->description);
	nt_snapshot_release(s);
	/* Said again, as a new session does, and when too many have been said. */
	for (uint32_t number = 0; number <= NT_INSTRUMENTS; number++)
		say(&w, "flood", "One of many.", number);
	say(&w, "later", "It has come.", 0);
	s = close_all(&w, 2000);
	assert_string_equal(row(s, "queue")->description, "What waits.");
	assert_string_equal(row(s, "later")->description, "It has come.");
	nt_snapshot_release(s);
	end(&w);
}

static void test_series_differ_by_some_of_their_tags(void **state_)
{
	(void)state_;
	static const struct {
		const char *name, *tags;
		uint64_t differ;
	} rows[] = { { "requests", "method=GET,route=/a,scheme=http", 2 },
		     { "requests", "method=GET,route=/b,scheme=http", 2 },
		     { "requests", NULL, 0 },
		     { "requests.open", "method=GET", 0 },
		     { "routes", "a=1", 0 }, /* the other one has a tag more: only that tells them apart */
		     { "routes", "a=1,b=2", 2 },
		     { "routes.all", "method=GET,route=/a", 0 } };
	struct world w;
	begin(&w);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		tell(&w, 1, rows[i].name, rows[i].tags, NT_COUNTER_GAUGE);
	struct nt_snapshot *s = close_all(&w, 1000);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (size_t j = 0; j < s->processes[0].counter_count; j++) {
			const struct nt_counter_row *found = &s->processes[0].counters[j];
			bool is_it = strcmp(found->name, rows[i].name) == 0 &&
				     (found->tags ? rows[i].tags && strcmp(found->tags, rows[i].tags) == 0 : !rows[i].tags);
			if (is_it)
				assert_int_equal(found->differ, rows[i].differ);
		}
	nt_snapshot_release(s);
	end(&w);
}

/* For whoever writes each: they add up to the total, also when there were more in an interval than there is room for. */
static void test_each_period_is_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int i = 0; i < 5; i++)
		tell_change(&w, 100 * (i + 1), "orders", i + 1);
	tell_value(&w, 500, "stock", NT_COUNTER_GAUGE, 7);
	tell(&w, 500, "empty", NULL, NT_COUNTER_HISTOGRAM)->known = NT_COUNTER_CHANGE;
	struct nt_snapshot *s = close_all(&w, 1000);
	const struct nt_counter_row *orders = row(s, "orders");
	double sum = 0;
	assert_int_equal(orders->told_count, NT_COUNTER_TOLD);
	for (size_t i = 0; i < orders->told_count; i++)
		sum += orders->told[i].value;
	assert_near(sum, 15);
	assert_near(orders->told[NT_COUNTER_TOLD - 1].value, 5);
	assert_int_equal(orders->told[NT_COUNTER_TOLD - 1].at, orders->heard);
	assert_int_equal(row(s, "stock")->told_count, 1);
	assert_int_equal(row(s, "empty")->told_count, 0);
	nt_snapshot_release(s);
	s = close_all(&w, 2000);
	assert_int_equal(row(s, "orders")->told_count, 0);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_gauge_shows_its_newest_value),
		cmocka_unit_test(test_increments_make_a_rate_and_a_total),
		cmocka_unit_test(test_a_total_that_is_told_is_shown_as_told),
		cmocka_unit_test(test_a_histogram_shows_its_last_distribution),
		cmocka_unit_test(test_tags_and_instruments_tell_rows_apart),
		cmocka_unit_test(test_one_that_is_no_longer_told_ends_and_goes),
		cmocka_unit_test(test_rows_are_bounded_and_the_rest_is_counted),
		cmocka_unit_test(test_nonsense_is_no_value),
		cmocka_unit_test(test_an_instrument_says_what_it_counts),
		cmocka_unit_test(test_series_differ_by_some_of_their_tags),
		cmocka_unit_test(test_each_period_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
