// SPDX-License-Identifier: GPL-2.0-only
/* What threads did in the last seconds, by slices of the clock. */
#include "waits_world.h"

#include "model/waits/waits.h"

#include <string.h>

static const char blank[] = "                                                  ";
_Static_assert(sizeof(blank) == NT_STRIP_CELLS + 1, "as long as a strip");

static const struct nt_wait_sum_row *row_of(const struct world *w, uint32_t tid)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	for (size_t i = 0; i < p->wait_thread_count; i++)
		if (p->wait_threads[i].tid == tid)
			return &p->wait_threads[i];
	return NULL;
}

static const struct nt_wait_strip *strip_of(const struct world *w, uint32_t tid)
{
	const struct nt_wait_sum_row *row = row_of(w, tid);
	assert_non_null(row);
	return row->strip;
}

/* Its newest cells are these, and all before them blank. */
static void assert_ends(const struct nt_wait_strip *strip, const char *cells)
{
	assert_non_null(strip);
	char expected[sizeof(blank)];
	memcpy(expected, blank, sizeof(blank));
	memcpy(expected + NT_STRIP_CELLS - strlen(cells), cells, strlen(cells));
	assert_string_equal(strip->cells, expected);
}

static void woken(struct world *w, double at, uint32_t tid)
{
	event(&w->perf, NT_EV_WAKE, at, tid)->u.wake = (struct nt_ev_wake){ .waker_tid = 2 };
}

/* A wait, the run queue, running, each where it lies; what came before the first switch nobody knows. */
static void test_exact(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 200, 1, false, false, TOTAL);
	woken(&w, 600, 1);
	switched(&w, 800, 1, true, false, 0);
	close_interval(&w, 1000);
	assert_ends(strip_of(&w, 1), " TT.r");
	assert_int_equal(strip_of(&w, 1)->polled, 0);
	assert_string_equal(nt_wait_strip_method(strip_of(&w, 1)), "exact");
	/* It goes on running for two intervals unheard, then waits over the end of one. */
	close_interval(&w, 2000);
	assert_ends(strip_of(&w, 1), " TT.rrrrrr");
	close_interval(&w, 3000);
	switched(&w, 3600, 1, false, false, WORKER);
	close_interval(&w, 4000);
	close_interval(&w, 5000);
	assert_ends(strip_of(&w, 1), " TT.rrrrrrrrrrrrrr-------");
	end(&w);
}

/* What most of a slice was, by sums; of the last one what lies before the interval's end. */
static void test_most_of_a_slice(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	for (int i = 0; i < 10; i++) {
		switched(&w, 200 + i * 20, 1, false, false, TOTAL);
		switched(&w, 200 + i * 20 + 8, 1, true, false, 0); /* runs 120 ms of 200, in parts */
	}
	for (int i = 0; i < 10; i++) {
		switched(&w, 400 + i * 20, 1, false, false, TOTAL);
		switched(&w, 400 + i * 20 + 12, 1, true, false, 0); /* and waits for as long */
	}
	switched(&w, 598, 1, false, false, TOTAL);
	switched(&w, 650, 1, true, false, 0);
	close_interval(&w, 660); /* 50 of 60 ms */
	assert_ends(strip_of(&w, 1), "rTT");
	close_interval(&w, 860); /* it ran the rest of it */
	assert_ends(strip_of(&w, 1), "rTrr");
	end(&w);
}

/* Of a slice most of which nobody has told of nothing is said. */
static void test_mostly_untold(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 310, 1, false, false, TOTAL);
	switched(&w, 490, 1, true, false, 0);
	exact(&w, false); /* what it does is not told any more */
	close_interval(&w, 1000);
	assert_null(strip_of(&w, 1));
	end(&w);
}

/* Looks: a thread that runs, then waits; while nobody looks it is blank. Then switches are told of it. */
static void test_polled(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	look(&w, 400, 1, 0, 200, TOTAL)->wait = NT_WAIT_RUNS;
	look(&w, 800, 1, 410, 400, TOTAL);
	feed_send(&w.runtime);
	idle(&w.runtime, 1000);
	close_interval(&w, 1000);
	assert_ends(strip_of(&w, 1), "rTTT");
	assert_string_equal(nt_wait_strip_method(strip_of(&w, 1)), "polled");
	look(&w, 1990, 1, 1900, 190, CHECKOUT);
	close_interval(&w, 2000);
	assert_ends(strip_of(&w, 1), "rTTT    T");
	exact(&w, true);
	switched(&w, 2000, 1, false, false, WORKER);
	switched(&w, 2600, 1, true, false, 0);
	close_interval(&w, 3000);
	assert_ends(strip_of(&w, 1), "rTTT    T---rr");
	assert_string_equal(nt_wait_strip_method(strip_of(&w, 1)), "mixed");
	assert_int_equal(strip_of(&w, 1)->polled >> (NT_STRIP_CELLS - 5), 0);
	assert_true(strip_of(&w, 1)->polled >> (NT_STRIP_CELLS - 6) & 1);
	end(&w);
}

/* An ended thread keeps what it did; the next one with its number begins anew. Ten seconds later nothing is left. */
static void test_thread_ends(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 400, 1, false, false, TOTAL);
	switched(&w, 800, 1, true, false, 0);
	feed_send(&w.perf);
	event(&w.procfs, NT_EV_THREAD, 900, 1)->u.thread.op = NT_THREAD_ENDED;
	feed_send(&w.procfs);
	close_interval(&w, 1000);
	assert_true(row_of(&w, 1)->ended);
	assert_ends(strip_of(&w, 1), "TT ");
	close_interval(&w, 2000);
	assert_ends(strip_of(&w, 1), "TT      ");
	switched(&w, 2200, 1, false, false, WORKER);
	switched(&w, 2400, 1, true, false, 0);
	close_interval(&w, 2400);
	assert_false(row_of(&w, 1)->ended);
	assert_ends(strip_of(&w, 1), "-");
	switched(&w, 2600, 1, false, true, TOTAL);
	feed_send(&w.perf);
	event(&w.procfs, NT_EV_THREAD, 2700, 1)->u.thread.op = NT_THREAD_ENDED;
	feed_send(&w.procfs);
	close_interval(&w, 13000);
	assert_null(strip_of(&w, 1));
	end(&w);
}

/* A wait longer than a strip, told in one piece, and times that no clock shows. */
static void test_long_spans(void **state_)
{
	(void)state_;
	struct nt_wait_strips strips;
	nt_wait_strips_init(&strips);
	nt_wait_strips_add(&strips, 1, NT_WAIT_SLEEP, false, 0, 3600 * NT_NS_PER_S);
	nt_wait_strips_add(&strips, 1, NT_WAIT_RUNS, false, NT_TIME_UNKNOWN - 10, NT_TIME_UNKNOWN - 5);
	nt_wait_strips_add(&strips, 1, NT_WAIT_RUNS, false, 10, 5);
	nt_wait_strips_add(&strips, 1, NT_WAIT_TASK, false, 3600 * NT_NS_PER_S, 3601 * NT_NS_PER_S); /* too old by now */
	assert_int_equal(strips.count, 1);
	nt_wait_strips_fini(&strips);
}

/* More threads than there is room for: one that waits for more than work has the room of one that has not lately; one that waits for work has none. */
static void test_more_threads_than_room(void **state_)
{
	(void)state_;
	enum { MORE = 7 };
	struct nt_wait_strips strips;
	nt_wait_strips_init(&strips);
	const nt_time s = NT_NS_PER_S;
	for (uint32_t tid = 1; tid <= NT_WAIT_STRIPS; tid++)
		nt_wait_strips_add(&strips, tid, tid == 5 ? NT_WAIT_IDLE : NT_WAIT_TASK, false, 20 * s, 21 * s);
	nt_wait_strips_add(&strips, 1000, NT_WAIT_IDLE, false, 21 * s, 22 * s);
	assert_int_equal(nt_index_get(&strips.by_tid, 1000), NT_INDEX_NONE);
	nt_wait_strips_add(&strips, 1001, NT_WAIT_MONITOR, false, 21 * s, 22 * s);
	assert_int_not_equal(nt_index_get(&strips.by_tid, 1001), NT_INDEX_NONE);
	assert_int_equal(nt_index_get(&strips.by_tid, 5), NT_INDEX_NONE);
	for (uint32_t tid = 2000; tid < 2000 + MORE; tid++) {
		nt_wait_strips_add(&strips, tid, NT_WAIT_MONITOR, false, 21 * s, 22 * s);
		assert_int_equal(nt_index_get(&strips.by_tid, tid), NT_INDEX_NONE);
	}
	/* One that has ended has no claim. */
	nt_wait_strips_thread_ended(&strips, 7);
	strips.items[nt_index_get(&strips.by_tid, 7)].ended = true;
	strips.full = false; /* the next interval */
	nt_wait_strips_add(&strips, 3000, NT_WAIT_MONITOR, false, 22 * s, 23 * s);
	assert_int_not_equal(nt_index_get(&strips.by_tid, 3000), NT_INDEX_NONE);
	assert_int_equal(nt_index_get(&strips.by_tid, 7), NT_INDEX_NONE);
	assert_int_equal(strips.count, NT_WAIT_STRIPS);
	assert_true(strips.capacity * sizeof(*strips.items) <= (size_t)NT_WAIT_STRIPS * NT_WAIT_STRIP_BYTES);
	nt_wait_strips_fini(&strips);
}

/* Of a place the thread that waits longest is named, and stays while it waits half as long as the longest. */
static void test_whom_to_look_at(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 100, 1, false, false, TOTAL);
	switched(&w, 300, 2, false, false, TOTAL);
	close_interval(&w, 1000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->longest_tid, 1);
	switched(&w, 1600, 1, true, false, 0);
	close_interval(&w, 2000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->longest_tid, 1); /* 600 ms of 1000 */
	close_interval(&w, 3000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->longest_tid, 2);
	switched(&w, 3000, 2, true, false, 0);
	close_interval(&w, 4000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->longest_tid, 2); /* nobody waits there now */
	end(&w);
}

/* Each kind has a letter of its own. */
static void test_letters(void **state_)
{
	(void)state_;
	char seen[NT_WAIT_COUNT + 1] = "";
	for (unsigned kind = 0; kind < NT_WAIT_COUNT; kind++) {
		assert_null(strchr(seen, nt_wait_kind_mark(kind)));
		seen[kind] = nt_wait_kind_mark(kind);
	}
	assert_int_equal(nt_wait_kind_mark(NT_WAIT_COUNT), '?');
	assert_int_equal(nt_wait_kind_mark(UINT32_MAX), '?');
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_exact),
		cmocka_unit_test(test_most_of_a_slice),
		cmocka_unit_test(test_mostly_untold),
		cmocka_unit_test(test_polled),
		cmocka_unit_test(test_thread_ends),
		cmocka_unit_test(test_long_spans),
		cmocka_unit_test(test_whom_to_look_at),
		cmocka_unit_test(test_letters),
		cmocka_unit_test(test_more_threads_than_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
