// SPDX-License-Identifier: GPL-2.0-only
/* What is known of a program that has ended, and what is not. */
#include "build.h"

struct world {
	struct nt_model *model;
	struct feed events, procfs;
};

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->events, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	struct nt_ev_source_state *state = &event(&w->events, NT_EV_SOURCE_STATE, 0, 0)->u.source_state;
	*state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .open = 1, .brings = NT_WANT_EXCEPTIONS };
	event(&w->events, NT_EV_COVER, 0, 0)->u.cover = (struct nt_ev_cover){ .what = NT_WANT_EXCEPTIONS, .covered = true };
	idle(&w->events, 700);
}

static struct nt_snapshot *finish(struct world *w, struct nt_ev_target ended)
{
	ended.ended = 1;
	event(&w->procfs, NT_EV_TARGET, 800, 0)->u.target = ended;
	feed_send(&w->procfs);
	struct nt_snapshot *snapshot = nt_model_close(w->model, ms(900), true);
	feed_fini(&w->events);
	feed_fini(&w->procfs);
	nt_model_free(w->model);
	return snapshot;
}

static void thrown(struct world *w)
{
	event(&w->events, NT_EV_EXCEPTION_THROWN, 300, 7)->u.exception.type = text(&w->events, "Boom");
	feed_send(&w->events);
}

static void test_the_last_events_of_a_killed_program(void **state_)
{
	(void)state_;
	for (int told = 0; told < 2; told++) {
		struct world w;
		begin(&w);
		if (told)
			thrown(&w);
		struct nt_snapshot *snapshot = finish(&w, (struct nt_ev_target){ .end_how = NT_END_SIGNALED, .end_number = 9 });
		const struct nt_exception_figures *exceptions = &snapshot->processes[0].total.exceptions;
		assert_int_equal(exceptions->count.known, told); /* at least one; or nobody knows whether any */
		assert_string_equal(exceptions->why.reason, "the program ended before its last events were sent");
		nt_snapshot_release(snapshot);
	}
}

static void test_an_orderly_end_tells_all(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_snapshot *snapshot = finish(&w, (struct nt_ev_target){ .end_how = NT_END_EXITED, .end_number = 3 });
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_true(process->total.exceptions.count.known);
	assert_null(process->total.exceptions.why.reason);
	assert_true(process->target.end.exit_code.known && process->target.end.exit_code.v == 3);
	assert_false(process->target.end.signal.known);
	nt_snapshot_release(snapshot);
}

static void test_the_exception_that_ended_it(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_ev_target ended = { .end_how = NT_END_UNHANDLED,
				      .end_number = 6,
				      .exception = text(&w.procfs, "System.Exception"),
				      .message = text(&w.procfs, "no"),
				      .stack = text(&w.procfs, "at A.B()\nat A.Main()") };
	struct nt_snapshot *snapshot = finish(&w, ended);
	const struct nt_target_end *end = &snapshot->processes[0].target.end;
	assert_true(end->signal.known && end->signal.v == 6);
	assert_string_equal(end->exception, "System.Exception");
	assert_string_equal(end->message, "no");
	assert_string_equal(end->stack, "at A.B()\nat A.Main()");
	assert_null(end->reason);
	nt_snapshot_release(snapshot);
}

/* The program said it itself: no thread has to have looked for a handler. */
static void test_what_fail_fast_was_told(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_ev_target ended = { .end_how = NT_END_FAILED_FAST, .end_number = 6, .message = text(&w.procfs, "the ledger is broken") };
	struct nt_snapshot *snapshot = finish(&w, ended);
	const struct nt_target_end *end = &snapshot->processes[0].target.end;
	assert_true(end->failed_fast && end->signal.known && end->signal.v == 6);
	assert_string_equal(end->message, "the ledger is broken");
	assert_null(end->exception);
	assert_null(end->reason);
	nt_snapshot_release(snapshot);
}

/* One that was on the stack, perhaps for another reason. */
static void test_an_exception_that_nobody_vouches_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	struct nt_ev_target ended = { .end_how = NT_END_SIGNALED,
				      .end_number = 6,
				      .exception = text(&w.procfs, "System.Exception"),
				      .message = text(&w.procfs, "caught") };
	struct nt_snapshot *snapshot = finish(&w, ended);
	const struct nt_target_end *end = &snapshot->processes[0].target.end;
	assert_null(end->exception);
	assert_null(end->message);
	assert_non_null(end->reason);
	nt_snapshot_release(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_last_events_of_a_killed_program),  cmocka_unit_test(test_an_orderly_end_tells_all),
		cmocka_unit_test(test_the_exception_that_ended_it),          cmocka_unit_test(test_what_fail_fast_was_told),
		cmocka_unit_test(test_an_exception_that_nobody_vouches_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
