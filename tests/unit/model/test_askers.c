// SPDX-License-Identifier: GPL-2.0-only
/* Who is behind collections, exceptions and waits for locks, as far as the stacks of their events say. */
#include "build.h"

#include "model/locks/lock_sites.h"

struct world {
	struct nt_model *model;
	struct feed map, events;
	struct nt_snapshot *snapshot;
	bool beside; /* what is told from now on is told for its stack alone */
};

enum { CODE = 0x100000, SIZE = 0x100, PARSE = CODE, CHECKOUT = CODE + SIZE, TOTAL = CODE + 2 * SIZE, INDUCED = 1 };

static void begin_with(struct world *w, enum nt_source_id source)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	feed_init(&w->events, w->model, source);
	delivering(&w->map);
	map_image(&w->map, 0, CODE, 0x100000, "/memfd:doublemapper", NT_MAP_FILE | NT_MAP_JIT);
	code_line(&w->map, 0, PARSE, SIZE, "Shop.Cart.Parse()", NT_TIER_1);
	code_line(&w->map, 0, CHECKOUT, SIZE, "Shop.Api.Checkout()", NT_TIER_1);
	code_line(&w->map, 0, TOTAL, SIZE, "Shop.Cart.Total()", NT_TIER_1);
	feed_send(&w->map);
	target_mode(&w->events, NT_MODE_F);
	delivering(&w->events);
}

static void begin(struct world *w)
{
	begin_with(w, NT_SOURCE_EVENTPIPE);
}

static void end(struct world *w)
{
	nt_snapshot_release(w->snapshot);
	feed_fini(&w->map);
	feed_fini(&w->events);
	nt_model_free(w->model);
}

static const struct nt_process_snapshot *close_second(struct world *w, double at_ms)
{
	feed_send(&w->events);
	nt_snapshot_release(w->snapshot);
	w->snapshot = close_at(w->model, at_ms);
	return &w->snapshot->processes[0];
}

static struct nt_event *told(struct world *w, enum nt_event_kind kind, double at_ms, uint32_t tid)
{
	struct nt_event *e = event(&w->events, kind, at_ms, tid);
	e->beside = w->beside;
	return e;
}

/* Called from CHECKOUT. */
static void within(struct world *w, struct nt_event *event, uint64_t method)
{
	const uint64_t stack[] = { method + 8, CHECKOUT + 8 };
	event->stack = nt_interner_stack(w->events.interner, w->events.batch, stack, 0, 2);
}

/* ---- collections ---- */

static void trigger(struct world *w, double at_ms, uint32_t tid, uint64_t method)
{
	struct nt_event *e = told(w, NT_EV_GC_TRIGGERED, at_ms, tid);
	e->u.gc_triggered.reason = INDUCED;
	within(w, e, method);
}

static void collect(struct world *w, double at_ms, uint32_t tid, uint32_t number)
{
	suspend(&w->events, at_ms, tid, 1);
	gc_start(&w->events, at_ms + 1, tid, number, 0, 0);
	gc_end(&w->events, at_ms + 2, tid, number, 0);
	restart(&w->events, at_ms + 3, tid);
}

/* With workstation GC the thread that asks has stopped the program already; with server GC another one does, next. */
static void test_a_trigger_within_the_stop(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t i = 1; i <= 2; i++) {
		suspend(&w.events, i * 10, 1, 1);
		trigger(&w, i * 10 + 1, 1, i == 1 ? PARSE : TOTAL);
		gc_start(&w.events, i * 10 + 2, 1, i, 0, 0);
		gc_end(&w.events, i * 10 + 3, 1, i, 0);
		restart(&w.events, i * 10 + 4, 1);
	}
	collect(&w, 300, 1, 3);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_null(p->collections[0]->asked_by);
	assert_string_equal(p->collections[1]->asked_by, "Shop.Cart.Total()");
	assert_string_equal(p->collections[2]->asked_by, "Shop.Cart.Parse()");
	end(&w);
}

/* Server GC stops the program from another thread. A collection that nobody triggered has no asker. */
static void test_who_asked_for_a_collection(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	trigger(&w, 100, 1, PARSE);
	collect(&w, 110, 9, 1);
	trigger(&w, 200, 2, TOTAL);
	collect(&w, 210, 9, 2);
	collect(&w, 300, 9, 3);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_int_equal(p->collection_count, 3);
	assert_null(p->collections[0]->asked_by);
	assert_string_equal(p->collections[1]->asked_by, "Shop.Cart.Total()");
	assert_string_equal(p->collections[2]->asked_by, "Shop.Cart.Parse()");
	assert_int_equal(p->collections[2]->asked_from->count, 2);
	assert_string_equal(p->collections[2]->asked_from->frames[1].name, "Shop.Api.Checkout()");
	assert_null(p->interval.gc.stack_why.reason);
	p = close_second(&w, 2000);
	assert_string_equal(p->collections[2]->asked_by, "Shop.Cart.Parse()");
	assert_non_null(p->collections[2]->asked_from);
	end(&w);
}

/* It comes through a stream of its own, whose pieces are read before or after those with the collections. */
static void test_who_asked_is_told_early_or_late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	trigger(&w, 100, 1, PARSE);
	trigger(&w, 200, 2, TOTAL);
	collect(&w, 110, 9, 1);
	collect(&w, 210, 9, 2);
	collect(&w, 310, 9, 3);
	collect(&w, 410, 9, 4);
	trigger(&w, 300, 1, TOTAL);
	trigger(&w, 400, 2, PARSE);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_string_equal(p->collections[3]->asked_by, "Shop.Cart.Parse()");
	assert_string_equal(p->collections[2]->asked_by, "Shop.Cart.Total()");
	assert_string_equal(p->collections[1]->asked_by, "Shop.Cart.Total()");
	assert_string_equal(p->collections[0]->asked_by, "Shop.Cart.Parse()");
	end(&w);
}

/* A trigger at the end of an interval, its collection in the next one. */
static void test_a_collection_in_the_next_interval(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	trigger(&w, 990, 1, PARSE);
	close_second(&w, 1000);
	suspend(&w.events, 1010, 1, 1);
	close_second(&w, 2000);
	gc_start(&w.events, 2010, 1, 1, 2, 0);
	const struct nt_process_snapshot *p = close_second(&w, 3000);
	assert_string_equal(p->collections[0]->asked_by, "Shop.Cart.Parse()");
	end(&w);
}

/* Of old collections the name stays. */
static void test_many_collections(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t i = 1; i <= 200; i++) {
		trigger(&w, i * 4, 1, i % 2 ? PARSE : TOTAL);
		collect(&w, i * 4, 1, i);
	}
	close_second(&w, 1000);
	const struct nt_process_snapshot *p = close_second(&w, 2000);
	assert_non_null(p->collections[0]->asked_from);
	assert_null(p->collections[199]->asked_from);
	assert_string_equal(p->collections[199]->asked_by, "Shop.Cart.Parse()");
	assert_string_equal(p->collections[198]->asked_by, "Shop.Cart.Total()");
	end(&w);
}

/* ---- exceptions ---- */

static void throw_at(struct world *w, double at_ms, const char *type, uint64_t method)
{
	struct nt_event *e = told(w, NT_EV_EXCEPTION_THROWN, at_ms, 1);
	e->u.exception.type = text(&w->events, type);
	if (method)
		within(w, e, method);
}

static const struct nt_exception_row *type_named(const struct nt_process_snapshot *process, const char *type)
{
	for (size_t i = 0; i < process->exception_count; i++)
		if (strcmp(process->exceptions[i].type, type) == 0)
			return &process->exceptions[i];
	return NULL;
}

static void test_where_most_are_thrown(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	throw_at(&w, 100, "A", PARSE);
	throw_at(&w, 101, "A", TOTAL);
	throw_at(&w, 102, "A", TOTAL);
	throw_at(&w, 103, "B", PARSE);
	throw_at(&w, 104, "C", 0);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Total()");
	assert_string_equal(type_named(p, "B")->thrown_at, "Shop.Cart.Parse()");
	assert_null(type_named(p, "C")->thrown_at);
	for (int i = 0; i < 5; i++)
		throw_at(&w, 1100 + i, "A", PARSE);
	p = close_second(&w, 2000);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Parse()");
	assert_string_equal(type_named(p, "A")->thrown_from->frames[1].name, "Shop.Api.Checkout()");
	p = close_second(&w, 3000);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Parse()");
	assert_string_equal(type_named(p, "B")->thrown_at, "Shop.Cart.Parse()");
	end(&w);
}

/* One method behind a thousand different stacks is still one place. */
static void test_a_place_reached_from_many(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint64_t i = 0; i < 1000; i++) {
		const uint64_t stack[] = { PARSE + 8, 0x900000 + i };
		struct nt_event *e = event(&w.events, NT_EV_EXCEPTION_THROWN, 100, 1);
		e->u.exception.type = text(&w.events, "A");
		e->stack = nt_interner_stack(w.events.interner, w.events.batch, stack, 0, 2);
	}
	for (int i = 0; i < 10; i++)
		throw_at(&w, 200, "A", TOTAL);
	assert_string_equal(type_named(close_second(&w, 1000), "A")->thrown_at, "Shop.Cart.Parse()");
	end(&w);
}

static void test_no_stacks_over_lttng(void **state_)
{
	(void)state_;
	struct world w;
	begin_with(&w, NT_SOURCE_LTTNG);
	throw_at(&w, 100, "A", 0);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_null(type_named(p, "A")->thrown_at);
	assert_non_null(p->interval.exceptions.stack_why.reason);
	assert_non_null(p->interval.exceptions.stack_why.fix);
	end(&w);
}

/* ---- waits for locks ---- */

static void wait_at(struct world *w, double at_ms, uint32_t tid, uint64_t method, uint32_t owner)
{
	struct nt_event *e = told(w, NT_EV_CONTENTION_START, at_ms, tid);
	e->u.contention.owner_id = owner;
	if (method)
		within(w, e, method);
}

static void got(struct world *w, double at_ms, uint32_t tid)
{
	told(w, NT_EV_CONTENTION_STOP, at_ms, tid);
}

static const struct nt_lock_row *site_named(const struct nt_process_snapshot *process, const char *site)
{
	for (size_t i = 0; i < process->lock_count; i++)
		if (process->locks[i].site && strcmp(process->locks[i].site, site) == 0)
			return &process->locks[i];
	return NULL;
}

static void test_waits_by_place(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	wait_at(&w, 100, 1, PARSE, 0);
	got(&w, 150, 1);
	wait_at(&w, 200, 1, PARSE, 0);
	got(&w, 210, 1);
	wait_at(&w, 600, 2, TOTAL, 0);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	const struct nt_lock_row *parse = site_named(p, "Shop.Cart.Parse()"), *total = site_named(p, "Shop.Cart.Total()");
	assert_int_equal(parse->count, 2);
	assert_int_equal(parse->spent_ns, 60 * NT_NS_PER_MS);
	assert_int_equal(parse->waiting_count, 0);
	assert_known(parse->max_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(total->count, 0);
	assert_int_equal(total->spent_ns, 400 * NT_NS_PER_MS);
	assert_int_equal(total->waiting_count, 1);
	assert_unknown(total->p99_ns);
	assert_string_equal(p->locks[0].site, "Shop.Cart.Total()"); /* most time first */
	assert_string_equal(total->waited_from->frames[1].name, "Shop.Api.Checkout()");
	got(&w, 1600, 2);
	p = close_second(&w, 2000);
	total = site_named(p, "Shop.Cart.Total()");
	assert_int_equal(total->spent_ns, 600 * NT_NS_PER_MS);
	assert_int_equal(total->spent_all_ns, NT_NS_PER_S);
	assert_int_equal(total->count_all, 1);
	assert_known(total->max_ns, NT_NS_PER_S);
	end(&w);
}

/* What is spent by place is what is spent altogether. */
static void test_the_places_add_up(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t i = 0; i < 500; i++) {
		wait_at(&w, i, i % 7 + 1, i % 3 ? PARSE : TOTAL, 0);
		got(&w, i + 0.5, i % 7 + 1);
	}
	wait_at(&w, 900, 20, 0, 0);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	uint64_t spent = 0, count = 0;
	for (size_t i = 0; i < p->lock_count; i++) {
		spent += p->locks[i].spent_ns;
		count += p->locks[i].count;
	}
	assert_known(p->interval.locks.spent_ns, spent);
	assert_int_equal(count, 500);
	end(&w);
}

/* Who holds the lock in most of the waits, if it is a living thread. */
static void test_who_holds_the_lock(void **state_)
{
	(void)state_;
	struct world w;
	struct feed procfs;
	begin(&w);
	feed_init(&procfs, w.model, NT_SOURCE_PROCFS);
	delivering(&procfs);
	event(&procfs, NT_EV_THREAD, 0, 7)->u.thread = (struct nt_ev_thread){ .op = NT_THREAD_SEEN, .name = text(&procfs, "holder") };
	feed_send(&procfs);
	const uint32_t owners[] = { 7, 8, 7, 7, 8 };
	for (uint32_t i = 0; i < 5; i++) {
		wait_at(&w, 100 + i * 10, 1, PARSE, owners[i]);
		got(&w, 105 + i * 10, 1);
	}
	wait_at(&w, 300, 2, TOTAL, 8);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_int_equal(site_named(p, "Shop.Cart.Parse()")->owner_tid, 7);
	assert_string_equal(site_named(p, "Shop.Cart.Parse()")->owner_name, "holder");
	assert_int_equal(site_named(p, "Shop.Cart.Total()")->owner_tid, 0);
	feed_fini(&procfs);
	end(&w);
}

/* More places than rows: those where least was waited become one row, and nothing is lost. */
static void test_many_places(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	enum { PLACES = 3 * NT_LOCK_SITES };
	for (uint32_t i = 0; i < PLACES; i++) {
		const uint64_t stack[] = { 0x900000 + i * 16 };
		struct nt_event *e = event(&w.events, NT_EV_CONTENTION_START, i, 1);
		e->stack = nt_interner_stack(w.events.interner, w.events.batch, stack, 0, 1);
		got(&w, i + 0.1, 1);
	}
	wait_at(&w, 500, 1, PARSE, 0);
	got(&w, 600, 1);
	close_second(&w, 1000);
	wait_at(&w, 1500, 1, TOTAL, 0);
	got(&w, 1600, 1);
	const struct nt_process_snapshot *p = close_second(&w, 2000);
	assert_true(p->lock_count <= NT_LOCK_SITES);
	assert_non_null(site_named(p, "(other sites)"));
	assert_non_null(site_named(p, "Shop.Cart.Parse()"));
	assert_non_null(site_named(p, "Shop.Cart.Total()"));
	uint64_t count = 0;
	for (size_t i = 0; i < p->lock_count; i++)
		count += p->locks[i].count_all;
	assert_int_equal(count, PLACES + 2);
	end(&w);
}

/* ---- who counts, and who says where ---- */

/* As EventPipe says what it is asked for. */
static void eventpipe_brings(struct feed *eventpipe, double at_ms, uint32_t demand)
{
	struct nt_ev_source_state *said = &event(eventpipe, NT_EV_SOURCE_STATE, at_ms, 0)->u.source_state;
	*said = (struct nt_ev_source_state){ .state = demand ? NT_STATE_DELIVERING : NT_STATE_UNUSED, .brings = demand };
	feed_send(eventpipe);
}

/* Two sessions bring the same events: one of them counts. */
static void test_counts_once_with_stacks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	eventpipe_brings(&w.events, 10, NT_WANT_RUNTIME_EVENTS | NT_WANT_STACKS);
	for (int where = 0; where < 2; where++) {
		w.beside = where;
		for (int i = 0; i < 10; i++)
			throw_at(&w, 100 + i, "A", where ? PARSE : 0);
		wait_at(&w, 200, 1, where ? PARSE : 0, 0);
		got(&w, 250, 1);
		wait_at(&w, 900, 2, where ? TOTAL : 0, 0);
	}
	trigger(&w, 300, 1, TOTAL);
	collect(&w, 310, 9, 1);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_known(p->interval.exceptions.count, 10);
	assert_int_equal(type_named(p, "A")->count, 10);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Parse()");
	assert_known(p->interval.locks.count, 2);
	assert_known(p->interval.locks.spent_ns, 150 * NT_NS_PER_MS);
	assert_known(p->interval.locks.waiting_count, 1);
	assert_int_equal(p->lock_count, 2);
	assert_int_equal(site_named(p, "Shop.Cart.Parse()")->count, 1);
	assert_int_equal(site_named(p, "Shop.Cart.Total()")->waiting_count, 1);
	assert_string_equal(p->collections[0]->asked_by, "Shop.Cart.Total()");
	end(&w);
}

/* A trigger without its stack, of the stream that counts, does not hide the one with it. */
static void test_a_trigger_is_told_twice(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int late = 0; late < 2; late++) {
		w.beside = true;
		if (!late)
			trigger(&w, 100, 1, PARSE);
		w.beside = false;
		event(&w.events, NT_EV_GC_TRIGGERED, 100 + late * 100, 1);
		collect(&w, 110 + late * 100, 9, (uint32_t)late + 1);
		w.beside = true;
		if (late)
			trigger(&w, 200, 1, TOTAL);
	}
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_string_equal(p->collections[1]->asked_by, "Shop.Cart.Parse()");
	assert_string_equal(p->collections[0]->asked_by, "Shop.Cart.Total()");
	end(&w);
}

/* The same event by both, at slightly different times; EventPipe's has the stack. */
static void throw_by_both(struct world *w, struct feed *lttng, double at_ms)
{
	event(lttng, NT_EV_EXCEPTION_THROWN, at_ms, 1)->u.exception.type = text(lttng, "A");
	throw_at(w, at_ms + 0.01, "A", PARSE);
	feed_send(lttng);
	feed_send(&w->events);
}

static void wait_by_both(struct world *w, struct feed *lttng, double at_ms, double until_ms)
{
	event(lttng, NT_EV_CONTENTION_START, at_ms, 1);
	wait_at(w, at_ms + 0.01, 1, PARSE, 0);
	event(lttng, NT_EV_CONTENTION_STOP, until_ms, 1);
	got(w, until_ms + 0.01, 1);
	feed_send(lttng);
	feed_send(&w->events);
}

/* From the first event on, while a session with stacks comes and goes: nothing is counted twice, nothing is left out. */
static void test_counts_stay_with_lttng(void **state_)
{
	(void)state_;
	struct world w;
	struct feed lttng;
	begin_with(&w, NT_SOURCE_EVENTPIPE);
	w.beside = true;
	feed_init(&lttng, w.model, NT_SOURCE_LTTNG);
	delivering(&lttng);
	eventpipe_brings(&w.events, 10, NT_WANT_STACKS);
	throw_at(&w, 20, "A", PARSE); /* EventPipe is faster */
	feed_send(&w.events);
	event(&lttng, NT_EV_EXCEPTION_THROWN, 20.01, 1)->u.exception.type = text(&lttng, "A");
	for (int i = 0; i < 10; i++)
		throw_by_both(&w, &lttng, 100 + i);
	wait_by_both(&w, &lttng, 200, 250);
	const struct nt_process_snapshot *p = close_second(&w, 1000);
	assert_known(p->interval.exceptions.count, 11);
	assert_int_equal(type_named(p, "A")->count, 11);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Parse()");
	assert_null(p->interval.exceptions.stack_why.reason);
	assert_known(p->interval.locks.count, 1);
	assert_known(p->interval.locks.spent_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(p->lock_count, 1);
	assert_int_equal(site_named(p, "Shop.Cart.Parse()")->count, 1);
	assert_int_equal(site_named(p, "Shop.Cart.Parse()")->spent_ns, 50 * NT_NS_PER_MS);
	/* A wait that is still going on when the session ends. */
	event(&lttng, NT_EV_CONTENTION_START, 1100, 2);
	wait_at(&w, 1100.01, 2, TOTAL, 0);
	feed_send(&lttng);
	p = close_second(&w, 2000);
	assert_known(p->interval.locks.waiting_count, 1);
	assert_int_equal(site_named(p, "Shop.Cart.Total()")->waiting_count, 1);
	eventpipe_brings(&w.events, 2100, 0);
	throw_by_both(&w, &lttng, 2110); /* still on its way */
	event(&lttng, NT_EV_EXCEPTION_THROWN, 2500, 1)->u.exception.type = text(&lttng, "A");
	event(&lttng, NT_EV_CONTENTION_STOP, 2600, 2);
	feed_send(&lttng);
	p = close_second(&w, 3000);
	assert_known(p->interval.exceptions.count, 2);
	assert_known(p->interval.locks.waiting_count, 0);
	assert_int_equal(site_named(p, "Shop.Cart.Total()")->waiting_count, 0);
	assert_string_equal(type_named(p, "A")->thrown_at, "Shop.Cart.Parse()");
	assert_non_null(p->interval.exceptions.stack_why.reason);
	feed_fini(&lttng);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_trigger_within_the_stop),
		cmocka_unit_test(test_who_asked_for_a_collection),
		cmocka_unit_test(test_who_asked_is_told_early_or_late),
		cmocka_unit_test(test_a_collection_in_the_next_interval),
		cmocka_unit_test(test_many_collections),
		cmocka_unit_test(test_where_most_are_thrown),
		cmocka_unit_test(test_a_place_reached_from_many),
		cmocka_unit_test(test_no_stacks_over_lttng),
		cmocka_unit_test(test_waits_by_place),
		cmocka_unit_test(test_the_places_add_up),
		cmocka_unit_test(test_who_holds_the_lock),
		cmocka_unit_test(test_many_places),
		cmocka_unit_test(test_counts_once_with_stacks),
		cmocka_unit_test(test_a_trigger_is_told_twice),
		cmocka_unit_test(test_counts_stay_with_lttng),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
