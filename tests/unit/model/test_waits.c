// SPDX-License-Identifier: GPL-2.0-only
/* Blocked time: by looks from outside, and by switches. */
#include "waits_world.h"

#include "model/findings/blame.h"

static void test_looks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	look(&w, 500, 1, 100, 400, TOTAL);
	look(&w, 900, 1, 100, 400, TOTAL);
	look(&w, 900, 2, 0, 900, WORKER);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_string_equal(f->method, "polled");
	assert_known(f->spent_ns, 800 * NT_NS_PER_MS);
	assert_known(f->count, 0);
	assert_known(f->waiting_count, 1);
	assert_known(f->idle_count, 1);
	assert_known(f->longest_ns, 800 * NT_NS_PER_MS);
	const struct nt_wait_row *row = row_at(&w, "Shop.Cart.Total()");
	assert_non_null(row);
	assert_int_equal(row->kind, NT_WAIT_TASK); /* a signal is how, a task is what for */
	assert_string_equal(row->means, "System.Threading.Tasks.Task.Wait()");
	assert_true(row->polled);
	assert_false(row->p50_ns.known);
	assert_int_equal(row->waiting_count, 1);
	assert_int_equal(row->spent_ns, 800 * NT_NS_PER_MS);

	/* It waits on, then runs; and waits elsewhere. */
	look(&w, 1400, 1, 100, 500, TOTAL);
	look(&w, 1500, 1, 1450, 100, MERGE);
	f = close_interval(&w, 2000);
	assert_known(f->spent_ns, 600 * NT_NS_PER_MS);
	assert_known(f->count, 1);
	row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->count, 1);
	assert_int_equal(row->spent_all_ns, 1300 * NT_NS_PER_MS);
	assert_int_equal(row->waiting_count, 0);
	assert_int_equal(row_at(&w, "Shop.Cart.Merge()")->waiting_count, 1);

	look(&w, 2500, 1, 1450, 500, MERGE)->wait = NT_WAIT_RUNS;
	f = close_interval(&w, 3000);
	assert_known(f->waiting_count, 0);
	assert_known(f->spent_ns, 0);
	assert_known(f->count, 1);
	end(&w);
}

static void at_socket(struct world *w, double at, uint32_t tid, const char *peer)
{
	nt_str what = nt_interner_cstr(w->runtime.interner, w->runtime.batch, peer);
	struct nt_ev_stack *found = look(w, at, tid, 100, 400, TOTAL);
	found->wait = NT_WAIT_SOCKET;
	found->what = what;
}

/* Of a place the thing that most wait for there; when nobody is seen any more, still the last one. */
static void test_what_most_wait_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	at_socket(&w, 500, 1, "10.2.0.7:5432");
	at_socket(&w, 500, 2, "10.2.0.9:443");
	at_socket(&w, 500, 3, "10.2.0.7:5432");
	/* A lock that somebody knows of and does not wait for. */
	struct nt_ev_stack *knows = look(&w, 500, 4, 100, 400, MERGE);
	knows->what = nt_interner_cstr(w.runtime.interner, w.runtime.batch, "Shop.Ledger");
	knows->object = 4711;
	close_interval(&w, 1000);
	assert_string_equal(row_at(&w, "Shop.Cart.Total()")->what, "10.2.0.7:5432");
	assert_null(row_at(&w, "Shop.Cart.Merge()")->what);
	for (uint32_t tid = 1; tid <= 3; tid++)
		look(&w, 1500, tid, 1450, 500, TOTAL)->wait = NT_WAIT_RUNS;
	close_interval(&w, 2000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->waiting_count, 0);
	assert_string_equal(row_at(&w, "Shop.Cart.Total()")->what, "10.2.0.7:5432");
	end(&w);
}

/* What a look tells of both sides of an interval's end counts in both, as long as the interval was looked at. */
static void test_looks_reach_over_ends(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	event(&w.runtime, NT_EV_COVER, 500, 0)->u.cover = (struct nt_ev_cover){ .what = NT_WANT_LOOKS, .covered = 1 };
	look(&w, 900, 1, 500, 400, TOTAL);
	look(&w, 1100, 1, 500, 200, TOTAL);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_known(f->covered_ns, 500 * NT_NS_PER_MS);
	assert_known(f->spent_ns, 500 * NT_NS_PER_MS);
	f = close_interval(&w, 2000); /* nothing is known of what came after the look */
	assert_known(f->covered_ns, 100 * NT_NS_PER_MS);
	assert_known(f->spent_ns, 100 * NT_NS_PER_MS);
	look(&w, 2950, 1, 500, 1850, TOTAL);
	f = close_interval(&w, 3000);
	assert_known(f->covered_ns, 1850 * NT_NS_PER_MS);
	assert_known(f->spent_ns, 1850 * NT_NS_PER_MS);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->spent_all_ns, 2450 * NT_NS_PER_MS);
	end(&w);
}

/* Who is not told of any more is not known to wait on. */
static void test_nobody_looks_any_more(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.runtime);
	look(&w, 500, 1, 100, 400, TOTAL);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_known(f->waiting_count, 1);
	idle(&w.runtime, 1900);
	close_interval(&w, 2000);
	idle(&w.runtime, 2900);
	f = close_interval(&w, 3000);
	assert_known(f->waiting_count, 1); /* looks that cost much are so seldom */
	idle(&w.runtime, 3900);
	close_interval(&w, 4000);
	idle(&w.runtime, 4900);
	f = close_interval(&w, 5000);
	assert_known(f->waiting_count, 0);
	end(&w);
}

static void test_switches(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	switched(&w, 200, 1, false, false, TOTAL);
	event(&w.perf, NT_EV_WAKE, 600, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 9 };
	switched(&w, 650, 1, true, false, 0);
	switched(&w, 700, 1, false, false, TOTAL); /* over the border */
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_string_equal(f->method, "exact");
	assert_known(f->count, 1);
	assert_known(f->spent_ns, 700 * NT_NS_PER_MS);
	const struct nt_wait_row *row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->kind, NT_WAIT_TASK);
	assert_int_equal(row->runq_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(row->spent_ns, 700 * NT_NS_PER_MS);
	assert_true(row->p50_ns.known);
	assert_int_equal(row->waiting_count, 1);

	/* A look does not count it twice, and says what is missing. */
	look(&w, 1100, 1, 700, 1100, TOTAL);
	switched(&w, 1200, 1, true, false, 0);
	f = close_interval(&w, 2000);
	assert_known(f->spent_ns, 200 * NT_NS_PER_MS);
	row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->count, 1);
	assert_int_equal(row->count_all, 2);
	assert_known(row->max_ns, 500 * NT_NS_PER_MS);

	/* Who could go on waits for a CPU. */
	switched(&w, 2100, 1, false, true, TOTAL);
	switched(&w, 2130, 1, true, false, 0);
	f = close_interval(&w, 3000);
	bool seen = false;
	for (size_t i = 0; i < w.s->processes[0].wait_count; i++)
		seen |= w.s->processes[0].waits[i].kind == NT_WAIT_CPU && w.s->processes[0].waits[i].spent_ns == 30 * NT_NS_PER_MS;
	assert_true(seen);

	/* They are not told any more. */
	switched(&w, 3100, 1, false, false, TOTAL);
	feed_send(&w.perf);
	exact(&w, false);
	f = close_interval(&w, 4000);
	close_interval(&w, 5000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->waiting_count, 0);
	end(&w);
}

/* Records of switches come in rounds: after a look that was taken later. A look makes none of them out of date. */
static void test_switches_told_after_a_look(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, true);
	delivering(&w.runtime);
	switched(&w, 100, 1, false, false, TOTAL);
	switched(&w, 150, 1, true, false, 0);
	feed_send(&w.perf);
	look(&w, 500, 1, 400, 10, MERGE);
	feed_send(&w.runtime);
	switched(&w, 200, 1, false, false, TOTAL);
	event(&w.perf, NT_EV_WAKE, 260, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 9 };
	switched(&w, 265, 1, true, false, 0);
	switched(&w, 400, 1, false, false, MERGE); /* it waits when it is looked at */
	event(&w.perf, NT_EV_WAKE, 700, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = 9 };
	switched(&w, 703, 1, true, false, 0);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_string_equal(f->method, "exact");
	assert_known(f->count, 3);
	assert_known(f->spent_ns, (50 + 60 + 300) * NT_NS_PER_MS);
	const struct nt_wait_row *total = row_at(&w, "Shop.Cart.Total()"), *merge = row_at(&w, "Shop.Cart.Merge()");
	assert_true(total && merge);
	assert_int_equal(total->spent_ns, 110 * NT_NS_PER_MS);
	assert_int_equal(total->runq_ns, 5 * NT_NS_PER_MS);
	assert_int_equal(total->count, 2);
	assert_int_equal(merge->spent_ns, 300 * NT_NS_PER_MS);
	assert_int_equal(merge->runq_ns, 3 * NT_NS_PER_MS);
	assert_int_equal(merge->count, 1);

	/* What comes out of order among the switches themselves is still out of date. */
	switched(&w, 1500, 1, false, false, TOTAL);
	feed_send(&w.perf);
	switched(&w, 1200, 1, true, false, 0);
	f = close_interval(&w, 2000);
	assert_known(f->spent_ns, 500 * NT_NS_PER_MS);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->waiting_count, 1);
	end(&w);
}

/* A thread that leaves a CPU and comes back, after the CPU time of the process was read. */
static void switched_after_reading(struct world *w)
{
	event(&w->procfs, NT_EV_PROC, 100, 0)->u.proc.user_ns = 1;
	feed_send(&w->procfs);
	switched(w, 200, 1, false, false, TOTAL);
	switched(w, 600, 1, true, false, 0);
	idle(&w->perf, 900);
}

/* Switches that only say what compilations cost are no waits; and those of waits are not kept for what compilations cost. */
static void test_switches_of_compilations(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	exact(&w, false);
	switched_after_reading(&w);
	const struct nt_wait_figures *f = close_interval(&w, 1000);
	assert_unknown(f->spent_ns);
	assert_non_null(f->why.reason);
	assert_int_equal(w.s->processes[0].wait_count, 0);
	assert_known(w.s->processes[0].total.jit.rest_ns, 300 * NT_NS_PER_MS);
	end(&w);

	begin(&w);
	exact(&w, true);
	switched_after_reading(&w);
	f = close_interval(&w, 1000);
	assert_known(f->spent_ns, 400 * NT_NS_PER_MS);
	assert_unknown(w.s->processes[0].total.jit.rest_ns);
	end(&w);
}

static void holds(struct world *w, double at, uint32_t tid, uint64_t object, uint32_t owner)
{
	struct nt_ev_stack *found = look(w, at, tid, 100, 500, TOTAL);
	found->wait = NT_WAIT_MONITOR;
	found->object = object;
	found->owner_tid = owner;
}

static const struct nt_thread_row *thread_row(const struct world *w, uint32_t tid)
{
	const struct nt_process_snapshot *p = &w->s->processes[0];
	for (size_t i = 0; i < p->thread_count; i++)
		if (p->threads[i].tid == tid)
			return &p->threads[i];
	fail();
	return NULL;
}

/* Thread 1 waits for 50 ms; `waker`: 0 = an interrupt. `at_known`: where the waker was is told. */
static void one_wait(struct world *w, double at, uint32_t waker, bool at_known)
{
	switched(w, at, 1, false, false, TOTAL);
	const uint64_t frames[] = { MERGE + 8, CHECKOUT + 8 };
	nt_stack stack = at_known ? nt_interner_stack(w->perf.interner, w->perf.batch, frames, 0, 2) : 0;
	event(&w->perf, NT_EV_WAKE, at + 50, 1)->u.wake = (struct nt_ev_wake){ .waker_tid = waker, .interrupt = !waker, .stack = stack };
	switched(w, at + 51, 1, true, false, 0);
}

/* Whoever ends most waits; where, as often as that is told. */
static void test_who_ends_waits(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t tid = 1; tid <= 9; tid += 8)
		event(&w.procfs, NT_EV_THREAD_STAT, 10, tid)->u.thread_stat.state = 'S';
	feed_send(&w.procfs);
	exact(&w, true);
	one_wait(&w, 100, 9, false);
	one_wait(&w, 200, 0, false);
	one_wait(&w, 300, 9, true);
	close_interval(&w, 1000);
	const struct nt_wait_row *row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->count, 3);
	assert_int_equal(row->waker_tid, 9);
	assert_string_equal(row->waker_at, "Shop.Cart.Merge()");
	one_wait(&w, 1100, 9, false); /* the place is known from before */
	close_interval(&w, 2000);
	assert_string_equal(row_at(&w, "Shop.Cart.Total()")->waker_at, "Shop.Cart.Merge()");
	one_wait(&w, 2100, 0, false);
	close_interval(&w, 3000);
	row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->waker_tid, 0);
	assert_string_equal(row->waker_name, "interrupt");
	assert_null(row->waker_at);
	one_wait(&w, 3100, 77, true); /* no thread of the process that is known */
	close_interval(&w, 4000);
	row = row_at(&w, "Shop.Cart.Total()");
	assert_int_equal(row->waker_tid, 0);
	assert_null(row->waker_name);
	assert_null(row->waker_at);
	end(&w);
}

/* Two places share a frame whose name comes later: as long as that is the first which may be the program's own, they are not one row, and each has its own time afterwards. */
static void test_places_before_their_names(void **state_)
{
	(void)state_;
	enum { IMAGE = 0x900000, SLEEP = IMAGE + 0x100 };
	static const uint64_t callers[] = { TOTAL, MERGE };
	struct world w;
	begin(&w);
	exact(&w, true);
	map_image(&w.map, 0, IMAGE, 0x1000, "/app/Core.dll", NT_MAP_FILE);
	feed_send(&w.map);
	for (uint32_t i = 0; i < 2; i++) {
		const uint64_t frames[] = { SLEEP + 8, callers[i] + 8 };
		nt_stack stack = nt_interner_stack(w.perf.interner, w.perf.batch, frames, 0, 2);
		event(&w.perf, NT_EV_SWITCH, 100, i + 1)->u.switched = (struct nt_ev_switch){ .stack = stack };
	}
	switched(&w, 200, 1, true, false, 0);
	switched(&w, 400, 2, true, false, 0);
	close_interval(&w, 1000);
	assert_int_equal(w.s->processes[0].wait_count, 2);
	nt_str image = text(&w.map, "/app/Core.dll"),
	       name = text(&w.map, "void [System.Private.CoreLib] System.Threading.Thread::Sleep(int32)[PreJIT]");
	event(&w.map, NT_EV_NAME, 1010, 0)->u.name =
		(struct nt_ev_name){ .start = 0x100, .end = 0x200, .image = image, .inode = 7, .name = name, .kind = NT_CODE_R2R };
	feed_send(&w.map);
	close_interval(&w, 2000);
	assert_int_equal(w.s->processes[0].wait_count, 2);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->spent_all_ns, 100 * NT_NS_PER_MS);
	assert_int_equal(row_at(&w, "Shop.Cart.Merge()")->spent_all_ns, 300 * NT_NS_PER_MS);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->kind, NT_WAIT_SLEEP);
	end(&w);
}

/* A thread knows of a lock that it does not wait for: neither what that is nor who has it is shown. */
static void test_a_lock_of_another_sort(void **state_)
{
	static const struct {
		enum nt_wait_kind wait;
		const char *what;
		bool shown;
	} cases[] = {
		{ NT_WAIT_MONITOR, "Shop.Ledger", true },        { NT_WAIT_MONITOR, "System.Threading.Lock", false },
		{ NT_WAIT_LOCK, "System.Threading.Lock", true }, { NT_WAIT_LOCK, "Shop.Ledger", false },
		{ NT_WAIT_SIGNAL, "Shop.Ledger", false },
	};
	(void)state_;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		begin(&w);
		for (uint32_t tid = 1; tid <= 2; tid++)
			event(&w.procfs, NT_EV_THREAD_STAT, 10, tid)->u.thread_stat.state = 'S';
		feed_send(&w.procfs);
		delivering(&w.runtime);
		nt_str what = text(&w.runtime, cases[i].what);
		struct nt_ev_stack *found = look(&w, 900, 1, 100, 500, TOTAL);
		found->wait = cases[i].wait;
		found->what = what;
		found->object = 7;
		found->owner_tid = 2;
		close_interval(&w, 1000);
		const struct nt_thread_row *row = thread_row(&w, 1);
		if (cases[i].shown)
			assert_string_equal(row->wait_what, cases[i].what);
		else
			assert_null(row->wait_what);
		assert_int_equal(row->wait_owner_tid, cases[i].shown ? 2 : 0);
		assert_int_equal(row_at(&w, "Shop.Cart.Total()")->holder_tid, cases[i].shown ? 2 : 0);
		end(&w);
	}
}

/* Whoever has what most of those wait for that wait at one place; it is known for as long as nobody knows better, and the thread lives. */
static void test_who_holds_what_is_waited_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t tid = 1; tid <= 6; tid++)
		event(&w.procfs, NT_EV_THREAD_STAT, 10, tid)->u.thread_stat.state = 'S';
	nt_str name = text(&w.procfs, "audit");
	struct nt_ev_thread *named = &event(&w.procfs, NT_EV_THREAD, 10, 5)->u.thread;
	named->name = name;
	named->op = NT_THREAD_SEEN;
	feed_send(&w.procfs);
	delivering(&w.runtime);
	holds(&w, 900, 1, 7, 6);
	holds(&w, 900, 2, 8, 5);
	holds(&w, 900, 3, 8, 5);
	holds(&w, 900, 4, 9, 0); /* nobody has it any more */
	close_interval(&w, 1000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->holder_tid, 5);
	assert_string_equal(row_at(&w, "Shop.Cart.Total()")->holder_name, "audit");
	for (uint32_t tid = 1; tid <= 4; tid++)
		look(&w, 1900, tid, 1000, 500, TOTAL)->wait = NT_WAIT_RUNS;
	close_interval(&w, 2000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->holder_tid, 5);
	holds(&w, 2900, 1, 7, 77); /* no thread of the process that is known */
	close_interval(&w, 3000);
	assert_int_equal(row_at(&w, "Shop.Cart.Total()")->holder_tid, 0);
	assert_null(row_at(&w, "Shop.Cart.Total()")->holder_name);
	end(&w);
}

/* Nobody saw them begin to wait. A third thread that waits for one of them is not part of the circle. */
static void test_a_deadlock_from_before(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t tid = 1; tid <= 3; tid++)
		event(&w.procfs, NT_EV_THREAD_STAT, 10, tid)->u.thread_stat.state = 'S';
	feed_send(&w.procfs);
	delivering(&w.runtime);
	for (unsigned second = 1; second <= 6; second++) {
		holds(&w, second * 1000 - 100, 1, 7, 2);
		holds(&w, second * 1000 - 100, 2, 8, 1);
		holds(&w, second * 1000 - 100, 3, 7, 2);
		close_interval(&w, second * 1000);
		assert_int_equal(thread_row(&w, 1)->deadlocked, second > 1); /* not yet: it may be two looks at a lock that is passed on */
	}
	assert_true(thread_row(&w, 1)->deadlocked);
	assert_true(thread_row(&w, 2)->deadlocked);
	assert_false(thread_row(&w, 3)->deadlocked);
	assert_int_equal(thread_row(&w, 3)->lock_owner_tid, 2);
	assert_known(thread_row(&w, 1)->lock_ns, 5900 * NT_NS_PER_MS);
	assert_string_equal(thread_row(&w, 1)->wait_at, "Shop.Cart.Total()");
	const struct nt_process_snapshot *p = &w.s->processes[0];
	bool told = false;
	for (size_t i = 0; i < p->finding_count; i++)
		told |= p->findings[i].kind == NT_FINDING_DEADLOCK;
	assert_true(told);
	end(&w);
}

/* The one that waits longest stands for all; who waits elsewhere has a row of its own. */
static void test_equal_stacks_fold(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (uint32_t tid = 1; tid <= 4; tid++)
		event(&w.procfs, NT_EV_THREAD_STAT, 10, tid)->u.thread_stat.state = 'S';
	feed_send(&w.procfs);
	delivering(&w.runtime);
	look(&w, 900, 1, 300, 600, TOTAL);
	look(&w, 900, 2, 100, 800, TOTAL);
	look(&w, 900, 3, 200, 700, TOTAL);
	look(&w, 900, 4, 200, 700, MERGE);
	close_interval(&w, 1000);
	assert_int_equal(thread_row(&w, 2)->alike.count, 3);
	assert_true(thread_row(&w, 1)->folded && thread_row(&w, 3)->folded);
	assert_false(thread_row(&w, 2)->folded || thread_row(&w, 4)->folded);
	assert_int_equal(thread_row(&w, 4)->alike.count, 0);
	end(&w);
}

/* More than half of the workers that rest wait at one place, or none is named. */
static void test_where_workers_wait(void **state_)
{
	(void)state_;
	static const char total[] = "Shop.Cart.Total()", merge[] = "Shop.Cart.Merge()", wait[] = "System.Threading.Tasks.Task.Wait()";
	struct nt_thread_row rows[5];
	for (size_t i = 0; i < 5; i++)
		rows[i] = (struct nt_thread_row){ .tid = 1 + (uint32_t)i,
						  .role = NT_ROLE_POOL,
						  .state = 'S',
						  .waits = true,
						  .wait = NT_WAIT_TASK,
						  .wait_at = i % 2 ? merge : total,
						  .wait_means = wait };
	const struct nt_process_snapshot process = { .threads = rows, .thread_count = 5 };
	struct nt_blame_pool blame = nt_blame_pool(&process);
	assert_string_equal(blame.site, total);
	assert_string_equal(blame.means, wait);
	assert_int_equal(blame.site_count, 3);
	rows[0].wait_at = "Shop.Other()";
	blame = nt_blame_pool(&process);
	assert_int_equal(blame.resting_count, 5);
	assert_null(blame.site);
	rows[0].wait_at = total;
	rows[0].state = 'R'; /* it rests no more: two of four are not most */
	assert_null(nt_blame_pool(&process).site);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_looks),
		cmocka_unit_test(test_what_most_wait_for),
		cmocka_unit_test(test_looks_reach_over_ends),
		cmocka_unit_test(test_nobody_looks_any_more),
		cmocka_unit_test(test_a_lock_of_another_sort),
		cmocka_unit_test(test_who_holds_what_is_waited_for),
		cmocka_unit_test(test_who_ends_waits),
		cmocka_unit_test(test_places_before_their_names),
		cmocka_unit_test(test_a_deadlock_from_before),
		cmocka_unit_test(test_equal_stacks_fold),
		cmocka_unit_test(test_where_workers_wait),
		cmocka_unit_test(test_switches),
		cmocka_unit_test(test_switches_told_after_a_look),
		cmocka_unit_test(test_switches_of_compilations),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
