// SPDX-License-Identifier: GPL-2.0-only
/* Which requests CPU time is for: samples, turns of threads, beginnings and ends of requests, from three streams. */
#include "build.h"

#include "model/requests/request_times.h"
#include "nettop/source.h"

enum { WEIGHT_MS = 10 };

struct world {
	struct nt_model *model;
	struct feed procfs, eventpipe, perf;
	struct nt_snapshot *s;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	feed_init(&w->eventpipe, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	delivering(&w->procfs);
	nt_str image = text(&w->procfs, "/x/Microsoft.AspNetCore.Hosting.dll");
	event(&w->procfs, NT_EV_MAP, 0, 0)->u.map = (struct nt_ev_map){ .start = 0x1000, .length = 0x1000, .image = image };
	event(&w->eventpipe, NT_EV_SOURCE_STATE, 0, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = NT_WANT_REQUESTS | NT_WANT_EACH_REQUEST };
}

static void end(struct world *w)
{
	nt_snapshot_release(w->s);
	feed_fini(&w->procfs);
	feed_fini(&w->eventpipe);
	feed_fini(&w->perf);
	nt_model_free(w->model);
}

static void covered(struct world *w, double at, uint32_t what, bool from)
{
	event(&w->eventpipe, NT_EV_COVER, at, 0)->u.cover = (struct nt_ev_cover){ .what = what, .covered = from };
}

static void told(struct world *w, double at)
{
	covered(w, at, NT_WANT_SINGLE_REQUESTS, true);
	covered(w, at, NT_WANT_ACTIVITIES, true);
	feed_send(&w->eventpipe);
}

/* The Meter tells the template, once one has ended. */
static void route(struct world *w, double at, const char *tags)
{
	const nt_str ids[] = { text(&w->eventpipe, "Microsoft.AspNetCore.Hosting"), text(&w->eventpipe, "http.server.request.duration"),
			       text(&w->eventpipe, tags) };
	event(&w->eventpipe, NT_EV_COUNTER, at, 0)->u.counter = (struct nt_ev_counter){ .provider = ids[0],
											.name = ids[1],
											.tags = ids[2],
											.kind = NT_COUNTER_HISTOGRAM,
											.period_ns = NT_NS_PER_S,
											.known = NT_COUNTER_CHANGE | NT_COUNTER_VALUE,
											.change = 1,
											.value = 1 };
}

static void begun(struct world *w, double at, uint32_t tid, uint64_t activity, const char *path)
{
	nt_str method_id = text(&w->eventpipe, "GET"), path_id = text(&w->eventpipe, path);
	event(&w->eventpipe, NT_EV_REQUEST, at, tid)->u.request = (struct nt_ev_request){
		.op = NT_REQUEST_BEGUN, .span = activity, .method = method_id, .path = path_id, .activity = { activity, 1 }
	};
}

static void done(struct world *w, double at, uint32_t tid, uint64_t activity)
{
	event(&w->eventpipe, NT_EV_REQUEST, at, tid)->u.request =
		(struct nt_ev_request){ .op = NT_REQUEST_DONE, .span = activity, .activity = { activity, 1 } };
}

/* 0: it puts down what it has. */
static void turn(struct world *w, double at, uint32_t tid, uint64_t activity)
{
	event(&w->eventpipe, NT_EV_ACTIVITY, at, tid)->u.activity = (struct nt_ev_activity){ activity, activity ? 1 : 0 };
}

static void sampled(struct world *w, double at, uint32_t tid)
{
	event(&w->perf, NT_EV_SAMPLE, at, tid)->u.sample.weight_ns = WEIGHT_MS * NT_NS_PER_MS;
}

static const struct nt_process_snapshot *close_interval(struct world *w, double at)
{
	feed_send(&w->procfs);
	feed_send(&w->perf);
	feed_send(&w->eventpipe);
	if (w->s)
		nt_snapshot_release(w->s);
	w->s = close_at(w->model, at);
	return &w->s->processes[0];
}

static const struct nt_request_time_row *row_of(const struct nt_process_snapshot *process, const char *route)
{
	for (size_t i = 0; i < process->request_time_count; i++) {
		const char *name = process->request_times[i].route;
		if (route && name ? strcmp(name, route) == 0 : !route && !name)
			return &process->request_times[i];
	}
	fail_msg("no row of %s", route ? route : "no route");
	return NULL;
}

static void expect_cpu(const struct nt_request_time_row *row, uint64_t samples)
{
	assert_true(row->cpu_all_ns.known);
	assert_int_equal(row->cpu_all_ns.v, samples * WEIGHT_MS * NT_NS_PER_MS);
}

/* A request that goes on behind an await on another thread, one beside it, and what is for neither. Samples come before what tells of their time. */
static void across_threads(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	told(&w, 0);
	route(&w, 10, "http.request.method=GET,http.route=/pay/{id:int}");
	route(&w, 10, "http.request.method=GET,http.route=/hello");
	sampled(&w, 50, 1); /* before */
	sampled(&w, 110, 1);
	sampled(&w, 120, 1);
	sampled(&w, 160, 1); /* it waits, and the thread does something else */
	sampled(&w, 210, 2);
	sampled(&w, 210, 1); /* the one beside it */
	sampled(&w, 260, 2); /* afterwards */
	begun(&w, 100, 1, 0xa, "/pay/7");
	turn(&w, 100, 1, 0xa);
	turn(&w, 150, 1, 0);
	turn(&w, 200, 1, 0xb);
	begun(&w, 200, 1, 0xb, "/hello");
	turn(&w, 200, 2, 0xa);
	done(&w, 250, 2, 0xa);
	turn(&w, 250, 2, 0);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	const struct nt_request_figures *figures = &process->interval.requests;
	assert_null(figures->times_why.reason);
	assert_int_equal(figures->times_covered_ns.v, NT_NS_PER_S / 2); /* the last half second waits */
	assert_int_equal(figures->times_cpu_ns.v, 4 * WEIGHT_MS * NT_NS_PER_MS);
	assert_int_equal(figures->times_other_cpu_ns.v, 3 * WEIGHT_MS * NT_NS_PER_MS);
	assert_int_equal(process->request_time_count, 2);
	const struct nt_request_time_row *pay = row_of(process, "/pay/{id:int}");
	expect_cpu(pay, 3);
	expect_cpu(row_of(process, "/hello"), 1);
	assert_string_equal(pay->method, "GET");
	assert_int_equal(pay->count_all, 1);
	assert_int_equal(pay->time_all_ns, 150 * NT_NS_PER_MS);
	assert_true(pay->cpu_pct.v > 42.8 && pay->cpu_pct.v < 42.9);
	sampled(&w, 1200, 1); /* still in /hello */
	process = close_interval(&w, 2000);
	expect_cpu(row_of(process, "/hello"), 2);
	assert_int_equal(row_of(process, "/pay/{id:int}")->cpu_ns.v, 0);
	assert_int_equal(process->interval.requests.times_covered_ns.v, NT_NS_PER_S);
	end(&w);
}

/* What comes after its interval's end is counted in the next one; at the end all of it is. */
static void late(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	told(&w, 0);
	sampled(&w, 910, 3);
	close_interval(&w, 1000);
	begun(&w, 900, 3, 0xc, "/made/up"); /* of no template that is known */
	turn(&w, 900, 3, 0xc);
	expect_cpu(row_of(close_interval(&w, 2000), NULL), 1);
	sampled(&w, 2900, 3);
	feed_send(&w.perf);
	nt_snapshot_release(w.s);
	w.s = nt_model_close(w.model, ms(3000), true);
	expect_cpu(row_of(&w.s->processes[0], NULL), 2);
	assert_int_equal(w.s->processes[0].total.requests.times_covered_ns.v, 3 * NT_NS_PER_S);
	end(&w);
}

/* Nothing is known of what threads did around a loss: it is not covered. */
static void lost(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	told(&w, 0);
	begun(&w, 100, 1, 0xa, "/a");
	turn(&w, 100, 1, 0xa);
	sampled(&w, 150, 1);
	sampled(&w, 350, 1);
	event(&w.eventpipe, NT_EV_LOST, 300, 0)->u.lost =
		(struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = ms(200), .of = NT_WANT_ACTIVITIES };
	turn(&w, 340, 1, 0xa);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	expect_cpu(row_of(process, NULL), 1);
	assert_int_equal(process->interval.requests.times_covered_ns.v, 200 * NT_NS_PER_MS);
	assert_int_equal(process->interval.requests.times_other_cpu_ns.v, 0);
	end(&w);
}

/* Without samples, without either of the two streams: unknown is not none. */
static void unknown(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 1, 0xa, "/a");
	turn(&w, 100, 1, 0xa);
	done(&w, 200, 1, 0xa);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	const struct nt_request_time_row *row = row_of(process, NULL);
	assert_false(row->cpu_ns.known || row->cpu_all_ns.known || row->cpu_pct.known);
	assert_int_equal(row->count_all, 1);
	assert_false(process->interval.requests.times_cpu_ns.known);
	assert_non_null(process->interval.requests.times_why.reason);
	end(&w);
	begin(&w);
	delivering(&w.perf);
	covered(&w, 0, NT_WANT_SINGLE_REQUESTS, true);
	sampled(&w, 100, 1);
	process = close_interval(&w, 1000);
	assert_false(process->interval.requests.times_covered_ns.known);
	assert_non_null(strstr(process->interval.requests.times_why.reason, "not begun to come"));
	told(&w, 1000);
	close_interval(&w, 2000);
	covered(&w, 2100, NT_WANT_ACTIVITIES, false);
	process = close_interval(&w, 3000);
	assert_int_equal(process->interval.requests.times_covered_ns.v, 600 * NT_NS_PER_MS);
	process = close_interval(&w, 4000);
	assert_false(process->interval.requests.times_covered_ns.known);
	assert_int_equal(process->total.requests.times_covered_ns.v, 1100 * NT_NS_PER_MS);
	end(&w);
}

/* It is said at once that one of the two ends, and what came before waits for its interval. */
static void their_end_overtakes_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	told(&w, 0);
	begun(&w, 900, 1, 0xa, "/a");
	turn(&w, 900, 1, 0xa);
	sampled(&w, 950, 1);
	sampled(&w, 1050, 1);
	covered(&w, 1100, NT_WANT_ACTIVITIES, false);
	close_interval(&w, 1000);
	const struct nt_process_snapshot *process = close_interval(&w, 2000);
	expect_cpu(row_of(process, NULL), 2);
	assert_int_equal(process->interval.requests.times_covered_ns.v, 600 * NT_NS_PER_MS);
	assert_int_equal(process->total.requests.times_covered_ns.v, 1100 * NT_NS_PER_MS);
	end(&w);
}

/* Another tool asks for activities, and we for single requests alone: those have them all the same. */
static void of_another_tool(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	event(&w.eventpipe, NT_EV_SOURCE_STATE, 0, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .brings = NT_WANT_REQUESTS | NT_WANT_SINGLE_REQUESTS };
	covered(&w, 0, NT_WANT_SINGLE_REQUESTS, true);
	begun(&w, 100, 1, 0xa, "/a");
	done(&w, 200, 1, 0xa);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(process->interval.requests.single_ended_count.v, 1);
	assert_int_equal(process->request_time_count, 0);
	end(&w);
}

/* Routes, activities, turns and samples without end. */
static void bounded(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	told(&w, 0);
	struct nt_request_times times = { .asked = true };
	struct nt_event e = { .kind = NT_EV_REQUEST, .time = ms(100), .tid = 1 };
	static const char names[2 * NT_REQUEST_TIME_ROWS + 1];
	nt_request_times_covered(&times, NT_TIMES_OF_REQUESTS, true, ms(1));
	nt_request_times_covered(&times, NT_TIMES_OF_ACTIVITIES, true, ms(1));
	for (uint64_t i = 0; i < 2 * NT_REQUEST_ACTIVITIES; i++) {
		e.u.request = (struct nt_ev_request){ .op = NT_REQUEST_BEGUN, .activity = { i + 1, 1 } };
		nt_request_times_request(&times, &e, "GET", &names[i % (2 * NT_REQUEST_TIME_ROWS)], NULL);
	}
	assert_int_equal(times.count, NT_REQUEST_TIME_ROWS);
	assert_int_equal(times.activity_count, NT_REQUEST_ACTIVITIES);
	assert_int_equal(times.lost_until, ms(100)); /* the first half was forgotten for the second */
	for (uint32_t i = 0; i < 2 * NT_ACTIVITY_TURNS; i++) {
		e = (struct nt_event){ .kind = NT_EV_ACTIVITY, .time = ms(100) + i, .tid = i % 3, .u.activity = { i + 1, 1 } };
		nt_request_times_turn(&times, &e);
	}
	assert_true(times.turn_count <= NT_ACTIVITY_TURNS);
	for (uint32_t i = 0; i < 2 * NT_ACTIVITY_THREADS; i++) {
		e = (struct nt_event){ .kind = NT_EV_ACTIVITY, .time = ms(200) + i, .tid = i, .u.activity = { 7, 1 } };
		nt_request_times_turn(&times, &e);
	}
	assert_true(times.open_count <= NT_ACTIVITY_THREADS);
	for (uint32_t i = 0; i < 2 * NT_ACTIVITY_SAMPLES; i++)
		nt_request_times_sample(&times, ms(300) + i, 1, 1);
	assert_int_equal(times.sample_count, NT_ACTIVITY_SAMPLES);
	assert_int_equal(times.lost_until, ms(300) + 2 * NT_ACTIVITY_SAMPLES - 1);
	nt_request_times_fini(&times);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(across_threads), cmocka_unit_test(late),
		cmocka_unit_test(lost),           cmocka_unit_test(their_end_overtakes_nothing),
		cmocka_unit_test(unknown),        cmocka_unit_test(of_another_tool),
		cmocka_unit_test(bounded),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
