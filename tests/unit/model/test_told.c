// SPDX-License-Identifier: GPL-2.0-only
/* Events one by one: which have rows, what is counted, what is kept and for how long, what a damaged batch says. */
#include "build.h"

#include "nettop/source.h"

static struct nt_model *model;
static struct feed pipe, app;

static int begin(void **state)
{
	(void)state;
	model = new_model();
	feed_init(&pipe, model, NT_SOURCE_EVENTPIPE);
	feed_init(&app, model, NT_SOURCE_APP);
	return 0;
}

static int end(void **state)
{
	(void)state;
	feed_fini(&pipe);
	feed_fini(&app);
	nt_model_free(model);
	return 0;
}

static void tell(double at, enum nt_tell_what what, const char *patterns)
{
	struct nt_event *event = nt_batch_add(app.batch, NT_EV_TELL, ms(at), PID, 0);
	event->u.tell.what = (uint32_t)what;
	event->u.tell.patterns = nt_interner_cstr(app.interner, app.batch, patterns);
	feed_send(&app);
}

static void told(double at, const char *name, const char *fields)
{
	struct nt_event *event = nt_batch_add(pipe.batch, NT_EV_TOLD, ms(at), PID, 77);
	event->u.told = (struct nt_ev_told){ .provider = nt_interner_cstr(pipe.interner, pipe.batch, "Shop"),
					     .name = nt_interner_cstr(pipe.interner, pipe.batch, name),
					     .id = 42,
					     .payload_bytes = 10 };
	nt_batch_add_told(pipe.batch, fields, strlen(fields));
}

static void telling(double at, enum nt_telling_state state, const char *reason)
{
	struct nt_event *event = nt_batch_add(pipe.batch, NT_EV_TELLING, ms(at), PID, 0);
	event->u.telling.state = (uint32_t)state;
	event->u.telling.reason = nt_interner_cstr(pipe.interner, pipe.batch, reason);
}

static void more(double at, const char *name, uint64_t count)
{
	struct nt_event *event = nt_batch_add(pipe.batch, NT_EV_TOLD_MORE, ms(at), PID, 0);
	event->u.told_more = (struct nt_ev_told_more){ .provider = nt_interner_cstr(pipe.interner, pipe.batch, "Shop"),
						       .name = nt_interner_cstr(pipe.interner, pipe.batch, name),
						       .count = count,
						       .payload_bytes = 10 * count };
}

static struct nt_snapshot *closed(double at)
{
	return nt_model_close(model, ms(at), false);
}

static void chosen_ones_have_rows_and_are_counted(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_ON, NULL);
	told(10, "Taken", "number=1\nwho=\"Ann\"");
	told(11, "", "");
	told(12, "Taken", "number=2");
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_int_equal(process->told.what, NT_TELL_CHOSEN);
	assert_string_equal(process->told.patterns, "Shop");
	assert_int_equal(process->told.row_count, 3);
	const struct nt_told_row *row = process->told.rows[0];
	assert_string_equal(row->event, "Shop/Taken");
	assert_string_equal(row->lines, "number=1\nwho=\"Ann\"");
	assert_string_equal(row->fields, "number=1 who=\"Ann\"");
	assert_null(row->activity);
	assert_int_equal(row->tid, 77);
	assert_string_equal(process->told.rows[1]->event, "Shop/42");
	assert_true(process->told.rows[2]->id > row->id);
	assert_int_equal(process->told.kind_count, 2);
	assert_int_equal(process->told.kinds[0].count, 2);
	assert_int_equal(process->told.kinds[0].bytes_all, 20);
	assert_int_equal(process->interval.told.count.v, 3);
	nt_snapshot_release(snapshot);
	/* They stay; what came in an interval is told apart. */
	told(1100, "Taken", "number=3");
	feed_send(&pipe);
	snapshot = closed(2000);
	process = &snapshot->processes[0];
	assert_int_equal(process->told.row_count, 4);
	assert_int_equal(process->told.rows[3]->id, process->told.fresh_from);
	assert_int_equal(process->interval.told.count.v, 1);
	assert_int_equal(process->total.told.count.v, 4);
	nt_snapshot_release(snapshot);
}

static void told_from(double at, uint64_t address)
{
	const uint64_t addresses[] = { address, address + 0x1000 };
	told(at, "Taken", "number=1");
	pipe.batch->events[pipe.batch->event_count - 1].stack = nt_interner_stack(pipe.interner, pipe.batch, addresses, 0, 2);
}

static void tell_with_stacks(double at, bool stacks)
{
	struct nt_event *event = nt_batch_add(app.batch, NT_EV_TELL, ms(at), PID, 0);
	event->u.tell = (struct nt_ev_tell){ .what = NT_TELL_CHOSEN,
					     .patterns = nt_interner_cstr(app.interner, app.batch, "Shop"),
					     .stacks = stacks };
	feed_send(&app);
}

static void call_stacks_belong_to_their_rows(void **state)
{
	(void)state;
	tell_with_stacks(0, true);
	telling(1, NT_TELLING_ON, NULL);
	told_from(10, 0x10000);
	told(11, "Taken", "number=2");
	told_from(12, 0x20000);
	feed_send(&pipe);
	nt_snapshot_release(closed(1000));
	/* They are kept as long as nothing newer takes their place. */
	struct nt_snapshot *snapshot = closed(2000);
	const struct nt_told *rows = &snapshot->processes[0].told;
	assert_true(rows->with_stacks);
	assert_int_equal(rows->stack_count, 2);
	assert_int_equal(rows->stacks[0].id, rows->rows[0]->id);
	assert_int_equal(rows->stacks[1].id, rows->rows[2]->id);
	assert_int_equal(rows->stacks[1].stack->count, 2);
	nt_snapshot_release(snapshot);
	for (int i = 0; i < NT_TOLD_STACKS; i++)
		told_from(2001, 0x30000);
	feed_send(&pipe);
	snapshot = closed(3000);
	rows = &snapshot->processes[0].told;
	assert_int_equal(rows->stack_count, NT_TOLD_STACKS);
	assert_int_equal(rows->stacks[0].id, rows->rows[3]->id);
	nt_snapshot_release(snapshot);
	/* What nobody asked for is not kept. */
	tell_with_stacks(3001, false);
	told_from(3010, 0x10000);
	feed_send(&pipe);
	snapshot = closed(4000);
	assert_true(snapshot->processes[0].told.row_count == 1 && !snapshot->processes[0].told.stack_count);
	nt_snapshot_release(snapshot);
}

/* Rows that a snapshot has are its own for as long as it is held. */
static void a_snapshot_outlives_what_is_forgotten(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	told(10, "Taken", "number=1");
	feed_send(&pipe);
	struct nt_snapshot *held = closed(1000);
	tell(1001, NT_TELL_NOTHING, NULL);
	struct nt_snapshot *snapshot = closed(2000);
	assert_int_equal(snapshot->processes[0].told.row_count, 0);
	assert_int_equal(snapshot->processes[0].told.kind_count, 0);
	assert_false(snapshot->processes[0].interval.told.count.known);
	nt_snapshot_release(snapshot);
	assert_string_equal(held->processes[0].told.rows[0]->lines, "number=1");
	nt_snapshot_release(held);
}

static void nothing_has_rows_while_nobody_looks(void **state)
{
	(void)state;
	told(10, "Taken", "number=1");
	nt_batch_add(pipe.batch, NT_EV_GC_START, ms(11), PID, 1);
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	assert_int_equal(snapshot->processes[0].told.row_count, 0);
	nt_snapshot_release(snapshot);
}

static void what_comes_anyway_is_shown_as_nettop_has_it(void **state)
{
	(void)state;
	tell(0, NT_TELL_ANYWAY, NULL);
	told(9, "Taken", "number=1"); /* of what was chosen before */
	struct nt_event *event = nt_batch_add(pipe.batch, NT_EV_EXCEPTION_THROWN, ms(10), PID, 5);
	event->u.exception.type = nt_interner_cstr(pipe.interner, pipe.batch, "Shop.\x1b[mError");
	event->u.exception.hresult = 7;
	event = nt_batch_add(pipe.batch, NT_EV_CONTENTION_STOP, ms(11), PID, 5);
	event->u.contention.flags = 1; /* its duration is not known */
	event = nt_batch_add(pipe.batch, NT_EV_ALLOC_SAMPLED, ms(12), PID, 5);
	event->u.alloc.object_bytes = 100;
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_told *shown = &snapshot->processes[0].told;
	assert_int_equal(shown->row_count, 2);
	assert_string_equal(shown->rows[0]->event, "eventpipe/exception-thrown");
	assert_string_equal(shown->rows[0]->lines, "type=\"Shop.\\x1b[mError\"\nhresult=7\nflags=0");
	assert_string_equal(shown->rows[1]->lines, "flags=1");
	assert_false(snapshot->processes[0].interval.told.count.known); /* its subjects count it */
	nt_snapshot_release(snapshot);
}

static void a_flood_of_what_comes_anyway_is_counted(void **state)
{
	(void)state;
	tell(0, NT_TELL_ANYWAY, NULL);
	for (int i = 0; i < 2500; i++)
		nt_batch_add(pipe.batch, NT_EV_EXCEPTION_CATCH, ms(10 + i / 10.0), PID, 5);
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_told *shown = &snapshot->processes[0].told;
	assert_int_equal(shown->row_count, 2001);
	assert_int_equal(shown->rows[2000]->kind, NT_TOLD_ROW_MORE);
	assert_int_equal(shown->rows[2000]->count, 500);
	assert_int_equal(shown->kinds[0].count, 2500);
	nt_snapshot_release(snapshot);
}

static void what_has_no_row_is_counted_by_kind_and_said_once(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_ON, NULL);
	told(10, "Taken", "");
	more(100, "Taken", 30);
	more(100, "Paid", 12);
	more(200, "Taken", 1);
	told(300, "Taken", "");
	more(400, "Taken", 5);
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_int_equal(process->told.row_count, 4);
	assert_int_equal(process->told.rows[1]->kind, NT_TOLD_ROW_MORE);
	assert_int_equal(process->told.rows[1]->count, 43);
	assert_int_equal(process->told.rows[3]->count, 5);
	assert_true(process->told.rows[1]->id < process->told.rows[2]->id);
	assert_int_equal(process->interval.told.count.v, 50);
	assert_int_equal(process->interval.told.more_count.v, 48);
	nt_snapshot_release(snapshot);
}

static void a_loss_that_nobody_counted_is_no_number(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_ON, NULL);
	nt_batch_add(pipe.batch, NT_EV_LOST, ms(20), PID, 0)->u.lost = (struct nt_ev_lost){ .what = NT_LOST_EVENTS, .of = NT_WANT_TOLD };
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_int_equal(process->told.row_count, 1);
	assert_int_equal(process->told.rows[0]->kind, NT_TOLD_ROW_LOST);
	assert_string_equal(process->told.rows[0]->fields, "events lost, nobody knows how many: LTTng had no room for them");
	assert_false(process->interval.told.lost_count.known || process->total.told.lost_count.known);
	assert_true(process->interval.told.lost_some);
	nt_snapshot_release(snapshot);
	snapshot = closed(2000);
	assert_true(snapshot->processes[0].interval.told.lost_count.known && !snapshot->processes[0].total.told.lost_count.known);
	nt_snapshot_release(snapshot);
}

static void a_loss_has_a_row_and_is_counted(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_ON, NULL);
	nt_batch_add(pipe.batch, NT_EV_LOST, ms(20), PID, 0)->u.lost =
		(struct nt_ev_lost){ .count = 312, .count_known = 1, .what = NT_LOST_EVENTS, .of = NT_WANT_TOLD };
	nt_batch_add(pipe.batch, NT_EV_LOST, ms(21), PID, 0)->u.lost =
		(struct nt_ev_lost){ .count = 7, .count_known = 1, .what = NT_LOST_EVENTS, .of = NT_WANT_SINGLE_REQUESTS };
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	assert_int_equal(process->told.row_count, 1);
	assert_int_equal(process->told.rows[0]->kind, NT_TOLD_ROW_LOST);
	assert_non_null(strstr(process->told.rows[0]->fields, "312 events lost"));
	assert_int_equal(process->interval.told.lost_count.v, 312);
	assert_int_equal(process->interval.told.count.v, 0);
	assert_int_equal(snapshot->lost_count, 319);
	nt_snapshot_release(snapshot);
}

static void a_refusal_is_said(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_NOT, "it is not to be had");
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	assert_string_equal(snapshot->processes[0].interval.told.why.reason, "it is not to be had");
	assert_false(snapshot->processes[0].interval.told.count.known);
	nt_snapshot_release(snapshot);
}

/* Nettop stood still, and its session was ended meanwhile. */
static void a_gap_is_said(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	telling(1, NT_TELLING_ON, NULL);
	telling(500, NT_TELLING_STARTING, NULL);
	telling(501, NT_TELLING_ON, NULL);
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	assert_int_equal(snapshot->processes[0].told.row_count, 1);
	assert_int_equal(snapshot->processes[0].told.rows[0]->kind, NT_TOLD_ROW_LOST);
	assert_int_equal(snapshot->processes[0].told.rows[0]->count, 0);
	nt_snapshot_release(snapshot);
}

static void as_many_are_kept_as_is_said(void **state)
{
	(void)state;
	uint64_t sent = 0;
	tell(0, NT_TELL_CHOSEN, "Shop");
	for (int interval = 1; interval <= 8; interval++) {
		for (int i = 0; i < 1700; i++, sent++)
			told(interval * 1000 - 900, "Taken", "number=1");
		feed_send(&pipe);
		struct nt_snapshot *snapshot = closed(interval * 1000);
		const struct nt_told *shown = &snapshot->processes[0].told;
		assert_true(shown->row_count <= NT_TOLD_ROWS);
		assert_int_equal(shown->row_count + shown->gone_count, sent);
		if (shown->gone_count)
			assert_true(shown->row_count > NT_TOLD_ROWS - 1000);
		for (size_t i = 1; i < shown->row_count; i++)
			assert_int_equal(shown->rows[i]->id, shown->rows[i - 1]->id + 1);
		nt_snapshot_release(snapshot);
	}
}

/* Large ones are bounded by their bytes, and a program that names each of its events anew by the number of kinds. */
static void neither_large_ones_nor_many_kinds_fill_the_memory(void **state)
{
	(void)state;
	static char large[60000];
	char name[32];
	memset(large, 'x', sizeof(large) - 1);
	tell(0, NT_TELL_CHOSEN, "Shop");
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "Taken%d", i);
		told(10, name, large);
		if (i % 100 == 99)
			feed_send(&pipe);
	}
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_told *shown = &snapshot->processes[0].told;
	assert_true(shown->row_count >= 20 && shown->row_count < 100);
	assert_string_equal(shown->rows[shown->row_count - 1]->event, "Shop/Taken999");
	assert_int_equal(shown->kind_count, 257);
	assert_string_equal(shown->kinds[256].event, "(other kinds)");
	assert_int_equal(shown->kinds[256].count, 744);
	nt_snapshot_release(snapshot);
}

static void what_a_damaged_batch_says_is_nothing(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	tell(0, (enum nt_tell_what)99, "x");
	nt_batch_add(pipe.batch, NT_EV_TOLD, ms(10), PID, 1)->u.told =
		(struct nt_ev_told){ .provider = 9999, .name = 9999, .fields = 4000, .id = 3 };
	told(11, "Taken", "number=1");
	pipe.batch->lines[0].offset = UINT32_MAX;
	telling(12, (enum nt_telling_state)99, "x");
	feed_send(&pipe);
	struct nt_snapshot *snapshot = closed(1000);
	const struct nt_told *shown = &snapshot->processes[0].told;
	assert_int_equal(shown->what, NT_TELL_CHOSEN);
	assert_int_equal(shown->row_count, 2);
	assert_string_equal(shown->rows[0]->event, "/3");
	assert_string_equal(shown->rows[0]->fields, "");
	assert_string_equal(shown->rows[1]->fields, "");
	nt_snapshot_release(snapshot);
}

/* Whoever writes down every interval has each event once. */
static void the_last_snapshot_has_the_last_interval_alone(void **state)
{
	(void)state;
	tell(0, NT_TELL_CHOSEN, "Shop");
	told(10, "Taken", "number=1");
	feed_send(&pipe);
	nt_snapshot_release(closed(1000));
	told(1010, "Taken", "number=2");
	feed_send(&pipe);
	struct nt_snapshot *snapshot = nt_model_close(model, ms(1500), true);
	assert_int_equal(snapshot->processes[0].told.row_count, 1);
	assert_string_equal(snapshot->processes[0].told.rows[0]->fields, "number=2");
	nt_snapshot_release(snapshot);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
	const struct CMUnitTest tests[] = {
		TEST(chosen_ones_have_rows_and_are_counted),
		TEST(a_snapshot_outlives_what_is_forgotten),
		TEST(call_stacks_belong_to_their_rows),
		TEST(nothing_has_rows_while_nobody_looks),
		TEST(what_comes_anyway_is_shown_as_nettop_has_it),
		TEST(a_flood_of_what_comes_anyway_is_counted),
		TEST(what_has_no_row_is_counted_by_kind_and_said_once),
		TEST(a_loss_that_nobody_counted_is_no_number),
		TEST(a_loss_has_a_row_and_is_counted),
		TEST(a_refusal_is_said),
		TEST(a_gap_is_said),
		TEST(as_many_are_kept_as_is_said),
		TEST(neither_large_ones_nor_many_kinds_fill_the_memory),
		TEST(what_a_damaged_batch_says_is_nothing),
		TEST(the_last_snapshot_has_the_last_interval_alone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
