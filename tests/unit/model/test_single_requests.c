// SPDX-License-Identifier: GPL-2.0-only
/* Single requests: from their beginnings and ends to those in flight and the slowest. */
#include "build.h"

#include "model/requests/single_requests.h"
#include "nettop/source.h"

struct world {
	struct nt_model *model;
	struct feed procfs, eventpipe;
	struct nt_snapshot *s;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	feed_init(&w->eventpipe, w->model, NT_SOURCE_EVENTPIPE);
	delivering(&w->procfs);
	nt_str image = text(&w->procfs, "/x/Microsoft.AspNetCore.Hosting.dll");
	event(&w->procfs, NT_EV_MAP, 0, 0)->u.map = (struct nt_ev_map){ .start = 0x1000, .length = 0x1000, .image = image };
}

static void end(struct world *w)
{
	nt_snapshot_release(w->s);
	feed_fini(&w->procfs);
	feed_fini(&w->eventpipe);
	nt_model_free(w->model);
}

static void source(struct world *w, double at, bool asked, const char *reason)
{
	nt_str id = text(&w->eventpipe, reason);
	struct nt_event *e = event(&w->eventpipe, NT_EV_SOURCE_STATE, at, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = NT_STATE_DELIVERING,
							 .brings = NT_WANT_REQUESTS | (asked ? NT_WANT_SINGLE_REQUESTS : 0),
							 .requests_reason = id };
}

static void covered(struct world *w, double at, bool from)
{
	event(&w->eventpipe, NT_EV_COVER, at, 0)->u.cover = (struct nt_ev_cover){ .what = NT_WANT_SINGLE_REQUESTS, .covered = from };
}

static void begun(struct world *w, double at, uint64_t span, const char *path)
{
	nt_str method_id = text(&w->eventpipe, "GET"), path_id = text(&w->eventpipe, path);
	event(&w->eventpipe, NT_EV_REQUEST, at, 7)->u.request = (struct nt_ev_request){
		.op = NT_REQUEST_BEGUN, .span = span, .trace_high = 0xab, .trace_low = span, .method = method_id, .path = path_id
	};
}

static void done(struct world *w, double at, uint64_t span, uint32_t status)
{
	event(&w->eventpipe, NT_EV_REQUEST, at, 9)->u.request =
		(struct nt_ev_request){ .op = NT_REQUEST_DONE, .span = span, .status = status };
}

static void made(struct world *w, double at, uint64_t span, uint64_t parent, uint64_t trace_low, const char *peer)
{
	nt_str id = text(&w->eventpipe, peer);
	event(&w->eventpipe, NT_EV_REQUEST_MADE, at, 7)->u.request_made = (struct nt_ev_request_made){ .op = NT_REQUEST_BEGUN,
												       .span = span,
												       .parent = parent,
												       .trace_high = trace_low ? 0xab : 0,
												       .trace_low = trace_low,
												       .peer = id };
}

static void made_done(struct world *w, double at, uint64_t span)
{
	event(&w->eventpipe, NT_EV_REQUEST_MADE, at, 9)->u.request_made =
		(struct nt_ev_request_made){ .op = NT_REQUEST_DONE, .span = span };
}

static void lost(struct world *w, double until, uint32_t of)
{
	event(&w->eventpipe, NT_EV_LOST, until, 0)->u.lost =
		(struct nt_ev_lost){ .count = 3, .count_known = 1, .what = NT_LOST_EVENTS, .from = ms(until - 10), .of = of };
}

static void ended_by_meter(struct world *w, double at, double count)
{
	const nt_str ids[] = { text(&w->eventpipe, "Microsoft.AspNetCore.Hosting"), text(&w->eventpipe, "http.server.request.duration"),
			       text(&w->eventpipe, "http.request.method=GET,http.route=/a") };
	event(&w->eventpipe, NT_EV_COUNTER, at, 0)->u.counter = (struct nt_ev_counter){ .provider = ids[0],
											.name = ids[1],
											.tags = ids[2],
											.kind = NT_COUNTER_HISTOGRAM,
											.period_ns = NT_NS_PER_S,
											.known = NT_COUNTER_CHANGE | NT_COUNTER_VALUE,
											.change = count,
											.value = 1 };
}

static const struct nt_process_snapshot *close_interval(struct world *w, double at)
{
	feed_send(&w->procfs);
	feed_send(&w->eventpipe);
	if (w->s)
		nt_snapshot_release(w->s);
	w->s = close_at(w->model, at);
	return &w->s->processes[0];
}

static const struct nt_request_figures *now_of(const struct nt_process_snapshot *process)
{
	return &process->interval.requests;
}

static void told(struct world *w, double at)
{
	source(w, at, true, NULL);
	covered(w, at, true);
}

/* Age and path of those in flight; what they took of those that have ended. */
static void in_flight_and_ended(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/slow/3000");
	begun(&w, 200, 0xb, "/hello");
	done(&w, 250, 0xb, 200);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(now_of(process)->single_begun_count.v, 2);
	assert_int_equal(now_of(process)->single_ended_count.v, 1);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 1);
	assert_int_equal(now_of(process)->single_oldest_ns.v, 900 * NT_NS_PER_MS);
	assert_int_equal(now_of(process)->single_covered_ns.v, NT_NS_PER_S);
	assert_null(now_of(process)->single_why.reason);
	assert_int_equal(process->single_request_count, 2);
	const struct nt_single_request_row *slow = &process->single_requests[0], *hello = &process->single_requests[1];
	assert_int_equal(slow->stage, NT_REQUEST_IN_FLIGHT);
	assert_int_equal(slow->time_ns, 900 * NT_NS_PER_MS);
	assert_false(slow->ended_ns.known || slow->status.known);
	assert_string_equal(slow->path, "/slow/3000");
	assert_string_equal(slow->method, "GET");
	assert_string_equal(slow->trace, "00000000000000ab000000000000000a");
	assert_string_equal(slow->span, "000000000000000a");
	assert_int_equal(hello->stage, NT_REQUEST_ENDED);
	assert_int_equal(hello->time_ns, 50 * NT_NS_PER_MS);
	assert_int_equal(hello->status.v, 200);
	assert_int_equal(hello->ended_ns.v, 750 * NT_NS_PER_MS);
	uint64_t id = slow->id;
	done(&w, 3100, 0xa, 500);
	close_interval(&w, 2000);
	process = close_interval(&w, 4000);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 0);
	assert_false(now_of(process)->single_oldest_ns.known);
	assert_int_equal(process->single_request_count, 2);
	assert_int_equal(process->single_requests[0].id, id); /* the row stays what it was */
	assert_int_equal(process->single_requests[0].time_ns, 3 * NT_NS_PER_S);
	assert_string_equal(process->single_requests[0].path, "/slow/3000");
	assert_int_equal(process->total.requests.single_begun_count.v, 2);
	assert_int_equal(process->total.requests.single_ended_count.v, 2);
	end(&w);
}

/* Nobody looks: nothing is 0, and why is said. */
static void unknown_until_somebody_looks(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	source(&w, 0, false, NULL);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_false(now_of(process)->single_in_flight_count.known || now_of(process)->single_begun_count.known);
	assert_non_null(strstr(now_of(process)->single_why.reason, "while screen R is open"));
	source(&w, 1100, true, NULL);
	process = close_interval(&w, 2000);
	assert_false(now_of(process)->single_in_flight_count.known);
	assert_non_null(strstr(now_of(process)->single_why.reason, "have not begun to come"));
	source(&w, 2100, false, "too many");
	process = close_interval(&w, 3000);
	assert_string_equal(now_of(process)->single_why.reason, "too many");
	told(&w, 3500);
	process = close_interval(&w, 4000);
	assert_true(now_of(process)->single_in_flight_count.known && now_of(process)->single_in_flight_count.v == 0);
	assert_int_equal(now_of(process)->single_covered_ns.v, NT_NS_PER_S / 2);
	assert_int_equal(now_of(process)->single_since_ns.v, NT_NS_PER_S / 2);
	end(&w);
}

/* What was in flight when they were told no more may end unseen; the slowest stay. */
static void left_and_looked_at_again(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/stays");
	begun(&w, 150, 0xb, "/ends");
	done(&w, 160, 0xb, 200);
	close_interval(&w, 1000);
	covered(&w, 1500, false);
	begun(&w, 1400, 0xc, "/late"); /* read before, and of this interval */
	source(&w, 1500, false, NULL);
	const struct nt_process_snapshot *process = close_interval(&w, 2000);
	assert_false(now_of(process)->single_in_flight_count.known);
	assert_int_equal(now_of(process)->single_covered_ns.v, NT_NS_PER_S / 2);
	assert_int_equal(process->single_request_count, 1);
	assert_string_equal(process->single_requests[0].path, "/ends");
	/* The first events come before it is said that all do. */
	begun(&w, 2600, 0xd, "/new");
	told(&w, 2500);
	done(&w, 2700, 0xa, 200); /* of one from before */
	process = close_interval(&w, 3000);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 1);
	assert_int_equal(process->single_request_count, 2);
	assert_string_equal(process->single_requests[0].path, "/new");
	end(&w);
}

/* It is said at once that they end, and what came before waits for its interval. */
static void their_end_overtakes_nothing(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 900, 0xa, "/across");
	done(&w, 1050, 0xa, 200);
	covered(&w, 1100, false);
	source(&w, 1100, false, NULL);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(now_of(process)->single_covered_ns.v, NT_NS_PER_S);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 1);
	process = close_interval(&w, 2000);
	assert_int_equal(now_of(process)->single_covered_ns.v, 100 * NT_NS_PER_MS);
	assert_int_equal(now_of(process)->single_ended_count.v, 1);
	assert_false(now_of(process)->single_in_flight_count.known);
	assert_int_equal(process->single_request_count, 1);
	assert_string_equal(process->single_requests[0].path, "/across");
	end(&w);
}

/* An end that is lost leaves nothing in flight for ever, and nothing goes untold. */
static void a_lost_end(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/ended, but who knows");
	begun(&w, 200, 0xb, "/slow");
	lost(&w, 500, NT_WANT_SINGLE_REQUESTS);
	begun(&w, 600, 0xc, "/after");
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 3);
	assert_int_equal(now_of(process)->single_doubtful_count.v, 2);
	assert_int_equal(process->single_requests[0].stage, NT_REQUEST_NO_END);
	assert_int_equal(process->single_requests[2].stage, NT_REQUEST_IN_FLIGHT);
	done(&w, 1200, 0xb, 200);
	lost(&w, 1300, ~(uint32_t)NT_WANT_SINGLE_REQUESTS); /* of another stream */
	process = close_interval(&w, 2000);
	assert_int_equal(now_of(process)->single_doubtful_count.v, 1);
	process = close_interval(&w, 60400);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 2);
	assert_int_equal(now_of(process)->single_unseen_count.v, 0);
	process = close_interval(&w, 60600);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 1);
	assert_int_equal(now_of(process)->single_doubtful_count.v, 0);
	assert_int_equal(now_of(process)->single_unseen_count.v, 1);
	assert_string_equal(process->single_requests[0].path, "/after");
	assert_int_equal(process->total.requests.single_unseen_count.v, 1);
	end(&w);
}

/* The beginning is lost: it is counted, and nothing is made up. */
static void a_lost_beginning(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	done(&w, 500, 0xa, 404);
	done(&w, 700, 0, 200);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(now_of(process)->single_ended_count.v, 2);
	assert_int_equal(process->single_request_count, 0);
	end(&w);
}

static void more_than_there_is_room_for(void **state_)
{
	(void)state_;
	enum { MORE = 10 };
	struct world w;
	begin(&w);
	told(&w, 0);
	for (unsigned i = 0; i < NT_SINGLE_REQUESTS + MORE; i++)
		begun(&w, 100 + i * 0.01, 1 + i, "/a");
	begun(&w, 300, 0, "/without an id");
	begun(&w, 400, 5, "/an id again");
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(now_of(process)->single_begun_count.v, NT_SINGLE_REQUESTS + MORE + 2);
	assert_int_equal(now_of(process)->single_in_flight_count.v, NT_SINGLE_REQUESTS);
	assert_int_equal(now_of(process)->single_unkept_count.v, MORE + 1);
	assert_int_equal(now_of(process)->single_unseen_count.v, 1);
	assert_int_equal(process->single_request_count, NT_SINGLE_REQUEST_ROWS);
	for (size_t i = 1; i < process->single_request_count; i++)
		assert_true(process->single_requests[i - 1].time_ns >= process->single_requests[i].time_ns);
	for (unsigned i = 0; i < NT_SINGLE_REQUESTS + MORE; i++)
		done(&w, 1100 + i * 0.01, 1 + i, 200);
	process = close_interval(&w, 2000);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 0);
	assert_int_equal(now_of(process)->single_ended_count.v, NT_SINGLE_REQUESTS + MORE);
	assert_int_equal(process->single_request_count, NT_SLOW_REQUESTS);
	end(&w);
}

/* Exactly the slowest of the last five minutes, whatever came before and after them. */
static void the_slowest_of_the_last_minutes(void **state_)
{
	(void)state_;
	enum { MINUTES = 8, OF_EACH = 100, MINUTE_MS = 60000 };
	struct world w;
	begin(&w);
	told(&w, 0);
	const struct nt_process_snapshot *process = NULL;
	for (unsigned minute = 0; minute < MINUTES; minute++) {
		for (unsigned i = 0; i < OF_EACH; i++)
			begun(&w, minute * MINUTE_MS + 100, 1 + minute * OF_EACH + i, "/a");
		for (unsigned i = 0; i < OF_EACH; i++) /* minute 0 has the slowest */
			done(&w, minute * MINUTE_MS + 100 + (MINUTES - minute) * 1000 + i, 1 + minute * OF_EACH + i, 200);
		process = close_interval(&w, (minute + 1) * MINUTE_MS);
		assert_int_equal(process->single_request_count, NT_SLOW_REQUESTS);
		/* Those that ended in the fifth minute before are gone, but for the ones at its very end. */
		unsigned oldest = minute < 5 ? 0 : minute - 4;
		assert_int_equal(process->single_requests[0].time_ns, ((MINUTES - oldest) * 1000 + OF_EACH - 1) * NT_NS_PER_MS);
		for (size_t i = 1; i < process->single_request_count; i++)
			assert_true(process->single_requests[i - 1].time_ns >= process->single_requests[i].time_ns);
	}
	process = close_interval(&w, 14 * MINUTE_MS);
	assert_int_equal(process->single_request_count, 0);
	end(&w);
}

/* Requests end and none is told: that there was none in flight is not said then. */
static void what_another_tool_has_set(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/a");
	begun(&w, 150, 0xc, "/stays");
	done(&w, 200, 0xa, 200);
	const struct nt_process_snapshot *process = NULL;
	for (unsigned second = 1; second <= 12; second++) {
		ended_by_meter(&w, second * 1000 - 500, second < 3 ? 1000 : 10); /* at first of those that were told */
		process = close_interval(&w, second * 1000);
		if (second <= 4)
			assert_true(now_of(process)->single_in_flight_count.known);
	}
	assert_false(now_of(process)->single_in_flight_count.known || now_of(process)->single_begun_count.known);
	assert_non_null(strstr(now_of(process)->single_why.reason, "another tool"));
	assert_int_equal(process->single_requests[0].stage, NT_REQUEST_NO_END);
	begun(&w, 12100, 0xb, "/b");
	process = close_interval(&w, 13000);
	assert_int_equal(now_of(process)->single_in_flight_count.v, 2);
	assert_null(now_of(process)->single_why.reason);
	end(&w);
}

/* A program without requests for a while is no sign of another tool. */
static void silence_is_no_sign(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 900, 0xa, "/a");
	done(&w, 950, 0xa, 200);
	ended_by_meter(&w, 900, 500);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	for (unsigned second = 2; second <= 20; second++) {
		ended_by_meter(&w, second * 1000 - 500, second == 2 ? 500 : 0);
		process = close_interval(&w, second * 1000);
		assert_true(now_of(process)->single_in_flight_count.known && now_of(process)->single_in_flight_count.v == 0);
	}
	end(&w);
}

/* All that are open, as the server counts them, while that is told; else those that the Meter knows. */
static void connections(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	assert_false(now_of(close_interval(&w, 1000))->connection_count.known);
	const nt_str ids[] = { text(&w.eventpipe, "Microsoft.AspNetCore.Server.Kestrel"),
			       text(&w.eventpipe, "kestrel.active_connections") };
	event(&w.eventpipe, NT_EV_COUNTER, 1500, 0)->u.counter = (struct nt_ev_counter){ .provider = ids[0],
											 .name = ids[1],
											 .kind = NT_COUNTER_UP_DOWN,
											 .period_ns = NT_NS_PER_S,
											 .known = NT_COUNTER_VALUE,
											 .value = 2 };
	assert_int_equal(now_of(close_interval(&w, 2000))->connection_count.v, 2);
	event(&w.eventpipe, NT_EV_CONNECTIONS, 2500, 0)->u.connections.count = 212;
	assert_int_equal(now_of(close_interval(&w, 3000))->connection_count.v, 212);
	event(&w.eventpipe, NT_EV_CONNECTIONS, 3500, 0)->u.connections.count = 0;
	const struct nt_u64 none = now_of(close_interval(&w, 4000))->connection_count;
	assert_true(none.known && none.v == 0);
	assert_false(now_of(close_interval(&w, 20000))->connection_count.known);
	end(&w);
}

static const struct nt_single_request_row *row_of_span(const struct nt_process_snapshot *process, const char *span)
{
	for (size_t i = 0; i < process->single_request_count; i++)
		if (process->single_requests[i].span && strcmp(process->single_requests[i].span, span) == 0)
			return &process->single_requests[i];
	fail_msg("no row of %s", span);
	return NULL;
}

/* Two at a time count once; one of an activity between is its request's, by the trace; what is no request's is nobody's. */
static void what_it_waits_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/checkout");
	begun(&w, 100, 0xb, "/hello");
	made(&w, 200, 0x11, 0xa, 0, "pay:443");
	made(&w, 300, 0x12, 0x99, 0xa, "stock:80");
	made(&w, 300, 0x13, 0x98, 0x97, "nobody:80");
	made(&w, 350, 0x14, 0, 0, "nobody:80");
	made_done(&w, 500, 0x11);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	const struct nt_single_request_row *row = row_of_span(process, "000000000000000a");
	assert_int_equal(row->awaited_ns.v, 800 * NT_NS_PER_MS);
	assert_string_equal(row->awaits, "stock:80");
	row = row_of_span(process, "000000000000000b");
	assert_true(row->awaited_ns.known && !row->awaited_ns.v && !row->awaits);
	made_done(&w, 1200, 0x12);
	made_done(&w, 1250, 0x77);
	process = close_interval(&w, 2000);
	row = row_of_span(process, "000000000000000a");
	assert_int_equal(row->awaited_ns.v, 1000 * NT_NS_PER_MS);
	assert_null(row->awaits);
	made(&w, 2100, 0x15, 0xa, 0xa, "pay:443"); /* it ends while that is under way, and was shown so */
	close_interval(&w, 2150);
	done(&w, 2200, 0xa, 200);
	made_done(&w, 2300, 0x15);
	process = close_interval(&w, 3000);
	row = row_of_span(process, "000000000000000a");
	assert_int_equal(row->stage, NT_REQUEST_ENDED);
	assert_int_equal(row->awaited_ns.v, 1100 * NT_NS_PER_MS);
	assert_string_equal(row->awaits, "stock:80");
	end(&w);
}

/* What is missing may be one that it made: then it is not known how long it waited, and not that it did not. */
static void what_it_waits_for_is_unknown_after_a_loss(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/checkout");
	made(&w, 200, 0x11, 0xa, 0, "pay:443");
	lost(&w, 300, 0);
	begun(&w, 400, 0xb, "/checkout");
	begun(&w, 440, 0xc, "/checkout");
	made(&w, 450, 0, 0xb, 0, "pay:443"); /* without an id nobody can say when it ends */
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_false(row_of_span(process, "000000000000000a")->awaited_ns.known);
	assert_null(row_of_span(process, "000000000000000a")->awaits);
	assert_false(row_of_span(process, "000000000000000b")->awaited_ns.known);
	assert_true(row_of_span(process, "000000000000000c")->awaited_ns.known);
	done(&w, 1100, 0xa, 200);
	process = close_interval(&w, 2000);
	assert_false(row_of_span(process, "000000000000000a")->awaited_ns.known);
	end(&w);
}

/* More than are kept: how long those waited is not known, of the others it is. */
static void many_that_it_waits_for(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	told(&w, 0);
	begun(&w, 100, 0xa, "/one");
	begun(&w, 100, 0xb, "/all");
	made(&w, 200, 1, 0xa, 0, "pay:443");
	for (uint64_t i = 0; i < NT_REQUEST_CALLS; i++)
		made(&w, 300, 100 + i, 0xb, 0, "pay:443");
	made_done(&w, 400, 1);
	const struct nt_process_snapshot *process = close_interval(&w, 1000);
	assert_int_equal(row_of_span(process, "000000000000000a")->awaited_ns.v, 200 * NT_NS_PER_MS);
	assert_false(row_of_span(process, "000000000000000b")->awaited_ns.known);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(connections),
		cmocka_unit_test(in_flight_and_ended),
		cmocka_unit_test(unknown_until_somebody_looks),
		cmocka_unit_test(left_and_looked_at_again),
		cmocka_unit_test(their_end_overtakes_nothing),
		cmocka_unit_test(a_lost_end),
		cmocka_unit_test(a_lost_beginning),
		cmocka_unit_test(more_than_there_is_room_for),
		cmocka_unit_test(the_slowest_of_the_last_minutes),
		cmocka_unit_test(what_another_tool_has_set),
		cmocka_unit_test(silence_is_no_sign),
		cmocka_unit_test(what_it_waits_for),
		cmocka_unit_test(what_it_waits_for_is_unknown_after_a_loss),
		cmocka_unit_test(many_that_it_waits_for),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
