// SPDX-License-Identifier: GPL-2.0-only
/* Exceptions one by one: what becomes of each, and which of two tellings are of the same one. */
#include "build.h"

#include "model/exceptions/flights.h"

/* ---- what becomes of them ---- */

enum { MANY = 40 };

static void note(void *context, uint64_t number, enum nt_exception_fate fate)
{
	char *fates = context;
	static const char letters[NT_FATE_COUNT] = {
		[NT_FATE_UNKNOWN] = '?', [NT_FATE_CAUGHT] = 'c', [NT_FATE_RETHROWN] = 'r', [NT_FATE_NO_CATCH] = 'x'
	};
	assert_true(number >= 1 && number <= MANY);
	fates[number - 1] = letters[fate];
}

/*
 * Events of one thread: t thrown, n thrown while another is under way, c a catch block is entered, s it ends, f a filter is asked, F it has answered, L events were lost.
 * What becomes of each exception: c caught, r thrown on and caught, x no catch, ? not known, - nothing yet.
 */
static void test_what_becomes_of_each(void **state_)
{
	(void)state_;
	static const struct {
		const char *events, *fates;
	} cases[] = {
		{ "t", "-" },          { "tcs", "c" },  { "tcstcs", "cc" },
		{ "tccs", "r" },       /* `throw;` on .NET 9 and later */
		{ "tctcs", "cc" },     /* on .NET 8 it is thrown anew */
		{ "tncscs", "cc" },    /* in a finally block, caught there */
		{ "tfnFcs", "cx" },    /* in a filter */
		{ "tfFcs", "c" },      /* a filter says no, or yes */
		{ "tfncstcs", "??c" }, /* .NET 8 does not say that a filter threw: that one, or the first? */
		{ "tfncsFcs", "??" },  /* caught within a filter: the same events */
		{ "tnct", "xc-" },     /* in a finally block, in place of the first: known when another one begins */
		{ "tcnc", "cc" },      /* in a catch block, out of it */
		{ "tcncss", "cc" },    /* in a catch block, caught within it */
		{ "tcncscs", "rc" },   /* and the first is thrown on */
		{ "tncnccs", "-cr" },  /* in a finally block: caught, another thrown in that catch block, caught, thrown on */
		{ "tncncscs", "?cc" }, /* the last catch is of the first or of the second */
		{ "c", "" },           /* thrown before anybody told */
		{ "sFtcs", "c" },      { "tLcs", "?" }, { "tnnnnnnnnnnnnnnnnc", "????????????????c" }, /* deeper than is kept */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char fates[MANY + 1] = "";
		uint64_t thrown = 0;
		struct nt_flights flights = { .ends = note, .context = fates };
		for (const char *event = cases[i].events; *event; event++) {
			if (*event == 't' || *event == 'n') {
				fates[thrown++] = '-';
				nt_flights_thrown(&flights, 7, thrown, *event == 'n');
				nt_flights_caught(&flights, 8); /* another thread, which has thrown nothing */
			} else if (*event == 'c') {
				nt_flights_caught(&flights, 7);
			} else if (*event == 'L') {
				nt_flights_forget(&flights);
			} else {
				nt_flights_step(&flights, 7,
						*event == 's'   ? NT_EXCEPTION_CATCH_STOP
						: *event == 'f' ? NT_EXCEPTION_FILTER_START
								: NT_EXCEPTION_FILTER_STOP);
			}
		}
		if (strcmp(fates, cases[i].fates) != 0)
			fail_msg("%s: %s, expected %s", cases[i].events, fates, cases[i].fates);
		nt_flights_fini(&flights);
	}
}

static void test_many_threads(void **state_)
{
	(void)state_;
	char fates[MANY + 1] = "";
	struct nt_flights flights = { .ends = note, .context = fates };
	nt_flights_thrown(&flights, 1, 1, false);
	for (uint32_t tid = 2; tid <= NT_FLIGHT_THREADS; tid++)
		nt_flights_step(&flights, tid, NT_EXCEPTION_FILTER_START);
	assert_string_equal(fates, "");
	nt_flights_thrown(&flights, NT_FLIGHT_THREADS + 1, 2, false);
	assert_string_equal(fates, "?");
	assert_int_equal(nt_flights_caught(&flights, NT_FLIGHT_THREADS + 1), 2);
	assert_string_equal(fates, "?c");
	nt_flights_fini(&flights);
}

/* ---- told twice ---- */

struct world {
	struct nt_model *model;
	struct feed events, procfs;
	struct nt_snapshot *last;
};

static const uint64_t parse[] = { 0x10008, 0x20008 }, total[] = { 0x30008, 0x20008 };

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->events, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	event(&w->events, NT_EV_SOURCE_STATE, 0, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
					     .brings = NT_WANT_EXCEPTIONS | NT_WANT_STACKS | NT_WANT_CATCHES };
}

static void end(struct world *w)
{
	if (w->last)
		nt_snapshot_release(w->last);
	feed_fini(&w->events);
	feed_fini(&w->procfs);
	nt_model_free(w->model);
}

static void thrown(struct world *w, double at_ms, uint32_t tid, const char *message, const uint64_t *stack)
{
	struct nt_event *e = event(&w->events, NT_EV_EXCEPTION_THROWN, at_ms, tid);
	e->u.exception.type = text(&w->events, "Boom");
	e->u.exception.message = text(&w->events, message);
	e->beside = stack != NULL;
	if (stack)
		e->stack = nt_interner_stack(w->events.interner, w->events.batch, stack, 0, 2);
}

static void caught(struct world *w, double at_ms, uint32_t tid)
{
	event(&w->events, NT_EV_EXCEPTION_CATCH, at_ms, tid)->beside = true;
}

static const struct nt_process_snapshot *close_until(struct world *w, double at_ms)
{
	feed_send(&w->events);
	if (w->last)
		nt_snapshot_release(w->last);
	w->last = nt_model_tick(w->model, ms(at_ms));
	assert_non_null(w->last);
	return &w->last->processes[0];
}

static void assert_thrown(const struct nt_process_snapshot *process, size_t index, const char *message, bool located,
			  enum nt_exception_fate fate)
{
	assert_true(index < process->thrown_count);
	const struct nt_thrown_row *row = &process->thrown[index];
	assert_string_equal(row->message, message);
	assert_int_equal(row->thrown_from != NULL, located);
	assert_int_equal(row->fate, fate);
}

static void test_two_tellings_are_one(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	thrown(&w, 100, 1, "unseen", NULL); /* before the other session began */
	thrown(&w, 200, 1, "a", NULL);
	thrown(&w, 300, 1, "a", NULL);
	thrown(&w, 300.01, 2, "a", NULL);
	thrown(&w, 500, 1, "late", NULL);
	thrown(&w, 200.01, 1, "a", parse);
	caught(&w, 200.02, 1);
	thrown(&w, 300.02, 1, "a", total);
	thrown(&w, 300.03, 2, "a", parse);
	const struct nt_process_snapshot *process = close_until(&w, 1000);
	assert_int_equal(process->thrown_count, 5);
	assert_int_equal(process->total.exceptions.count.v, 5);
	assert_thrown(process, 0, "late", false, NT_FATE_UNKNOWN);
	assert_thrown(process, 1, "a", true, NT_FATE_UNDER_WAY);
	assert_int_equal(process->thrown[1].tid, 2);
	assert_thrown(process, 2, "a", true, NT_FATE_UNDER_WAY);
	assert_int_equal(process->thrown[2].thrown_from->count, 2);
	assert_thrown(process, 3, "a", true, NT_FATE_CAUGHT);
	assert_thrown(process, 4, "unseen", false, NT_FATE_UNKNOWN);
	/* The other stream comes later, and tells of both. */
	thrown(&w, 500.01, 1, "late", parse);
	caught(&w, 500.02, 1);
	caught(&w, 1200, 2);
	process = close_until(&w, 2000);
	assert_thrown(process, 0, "late", true, NT_FATE_CAUGHT);
	assert_thrown(process, 1, "a", true, NT_FATE_CAUGHT);
	assert_thrown(process, 2, "a", true, NT_FATE_NO_CATCH);
	assert_int_equal(process->thrown[0].id, 5);
	end(&w);
}

/* One that comes first, before the one that counts, in an earlier interval. */
static void test_the_other_telling_first(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	thrown(&w, 999.99, 1, "a", parse);
	caught(&w, 999.995, 1);
	assert_int_equal(close_until(&w, 1000)->thrown_count, 0);
	thrown(&w, 1000.001, 1, "a", NULL);
	const struct nt_process_snapshot *process = close_until(&w, 2000);
	assert_thrown(process, 0, "a", true, NT_FATE_CAUGHT);
	/* What has had its interval finds nothing any more. */
	thrown(&w, 2000, 1, "b", parse);
	close_until(&w, 3000);
	close_until(&w, 4000);
	thrown(&w, 2000.01, 1, "b", NULL);
	assert_thrown(close_until(&w, 5000), 0, "b", false, NT_FATE_UNKNOWN);
	end(&w);
}

static void test_the_last_thousand(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int i = 0; i < 2500; i++) {
		thrown(&w, 100 + i * 0.1, 1, "a", NULL);
		thrown(&w, 100.01 + i * 0.1, 1, "a", i % 2 ? parse : total);
		caught(&w, 100.02 + i * 0.1, 1);
	}
	const struct nt_process_snapshot *process = close_until(&w, 1000);
	assert_int_equal(process->thrown_count, 1000);
	for (size_t i = 0; i < process->thrown_count; i++) {
		assert_int_equal(process->thrown[i].id, 2500 - i);
		assert_thrown(process, i, "a", true, NT_FATE_CAUGHT);
	}
	assert_int_equal(process->throw_site_count, 2);
	assert_int_equal(process->throw_sites[0].count_all + process->throw_sites[1].count_all, 2500);
	assert_string_equal(process->throw_sites[0].type, "Boom");
	end(&w);
}

static void test_a_loss_between(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	thrown(&w, 100, 1, "a", NULL);
	thrown(&w, 100.01, 1, "a", parse);
	event(&w.events, NT_EV_LOST, 101, 0)->u.lost =
		(struct nt_ev_lost){ .count = 1, .count_known = 1, .what = NT_LOST_EVENTS, .from = ms(100.02) };
	caught(&w, 102, 1);
	assert_thrown(close_until(&w, 1000), 0, "a", true, NT_FATE_UNKNOWN);
	end(&w);
}

static void ends_by(struct world *w, double at_ms, uint32_t tid, const char *message)
{
	feed_send(&w->events);
	struct nt_event *e = event(&w->procfs, NT_EV_TARGET, at_ms, tid);
	e->u.target = (struct nt_ev_target){ .ended = 1,
					     .end_how = NT_END_UNHANDLED,
					     .end_number = 6,
					     .exception = text(&w->procfs, "Boom"),
					     .message = text(&w->procfs, message) };
	feed_send(&w->procfs);
}

static unsigned unhandled_of(const struct nt_process_snapshot *process)
{
	unsigned count = 0;
	for (size_t i = 0; i < process->thrown_count; i++)
		count += process->thrown[i].fate == NT_FATE_UNHANDLED;
	return count;
}

/* Its event came, or it did not: it is there once, and counted once. */
static void test_the_one_that_ended_it(void **state_)
{
	(void)state_;
	for (int told = 0; told < 2; told++) {
		struct world w;
		begin(&w);
		thrown(&w, 100, 1, "a", NULL);
		thrown(&w, 100.01, 1, "a", parse);
		caught(&w, 100.02, 1);
		thrown(&w, 101, 2, "b", NULL);
		if (told) {
			thrown(&w, 300, 1, "a", NULL);
			thrown(&w, 300.01, 1, "a", parse);
		}
		ends_by(&w, 400, 1, "a");
		for (int close = 1; close <= 2; close++) {
			const struct nt_process_snapshot *process = close_until(&w, close * 1000);
			assert_int_equal(process->thrown_count, 3);
			assert_int_equal(unhandled_of(process), 1);
			assert_thrown(process, 0, "a", told, NT_FATE_UNHANDLED);
			assert_int_equal(process->thrown[0].time, ms(told ? 300 : 400));
			assert_int_equal(process->thrown[0].tid, 1);
			assert_int_equal(process->exceptions[0].count_all, 3);
			/* Of the one whose event did not come it is not said by whom the others are told. */
			assert_int_equal(process->exceptions[0].fate_count, 1 + told);
			assert_int_equal(process->exceptions[0].caught_count, 1);
		}
		end(&w);
	}
}

/* Same type, same message: caught, of another thread, or long ago. */
static void test_none_that_was_told_ended_it(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	thrown(&w, 100, 1, "a", NULL);
	for (int second = 1; second <= 7; second++)
		close_until(&w, second * 1000);
	thrown(&w, 7000, 1, "a", NULL);
	thrown(&w, 7000.01, 1, "a", parse);
	caught(&w, 7000.02, 1);
	thrown(&w, 7001, 2, "a", NULL);
	thrown(&w, 7002, 1, "another", NULL);
	ends_by(&w, 7100, 1, "a");
	const struct nt_process_snapshot *process = close_until(&w, 8000);
	assert_int_equal(process->thrown_count, 5);
	assert_int_equal(unhandled_of(process), 1);
	assert_thrown(process, 0, "a", false, NT_FATE_UNHANDLED);
	end(&w);
}

static void test_how_many_are_caught(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	thrown(&w, 50, 3, "c", NULL); /* nobody tells what becomes of it */
	for (int i = 0; i < 4; i++) {
		thrown(&w, 100 + i, 1, "a", NULL);
		thrown(&w, 100.01 + i, 1, "a", parse);
		if (i) { /* the first is given up when the second comes */
			caught(&w, 100.02 + i, 1);
			caught(&w, 100.03 + i, 1); /* and thrown on with `throw;` */
		}
	}
	thrown(&w, 200, 1, "a", NULL);
	thrown(&w, 200.01, 1, "a", parse);
	const struct nt_process_snapshot *process = close_until(&w, 1000);
	assert_int_equal(process->exceptions[0].count_all, 6);
	assert_int_equal(process->exceptions[0].fate_count, 4);
	assert_int_equal(process->exceptions[0].caught_count, 3);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_becomes_of_each),  cmocka_unit_test(test_many_threads),
		cmocka_unit_test(test_two_tellings_are_one),  cmocka_unit_test(test_the_other_telling_first),
		cmocka_unit_test(test_the_last_thousand),     cmocka_unit_test(test_a_loss_between),
		cmocka_unit_test(test_the_one_that_ended_it), cmocka_unit_test(test_none_that_was_told_ended_it),
		cmocka_unit_test(test_how_many_are_caught),
	};
	return cmocka_run_group_tests_name("throws", tests, NULL, NULL);
}
