// SPDX-License-Identifier: GPL-2.0-only
/* What the collector had of the system, by the counter of the runtime. */
#include "build.h"

#include <math.h>

struct world {
	struct nt_model *model;
	struct feed events;
};

static void begin(struct world *world)
{
	world->model = new_model();
	feed_init(&world->events, world->model, NT_SOURCE_EVENTPIPE);
	event(&world->events, NT_EV_SOURCE_STATE, 0, 0)->u.source_state =
		(struct nt_ev_source_state){ .state = NT_STATE_DELIVERING, .open = 1, .brings = NT_WANT_RUNTIME_EVENTS };
	feed_send(&world->events);
}

static void end(struct world *world)
{
	feed_fini(&world->events);
	nt_model_free(world->model);
}

static void tell_committed(struct feed *feed, double at, double millions)
{
	struct nt_ev_counter told = { .provider = text(feed, "System.Runtime"),
				      .name = text(feed, "gc-committed"),
				      .kind = NT_COUNTER_GAUGE,
				      .known = NT_COUNTER_VALUE,
				      .period_ns = NT_NS_PER_S,
				      .value = millions };
	event(feed, NT_EV_COUNTER, at, 9)->u.counter = told;
}

/* Of the last collection: 0 before the first says nothing, nor what is no size, nor what nobody has told for long. */
static void test_committed(void **state_)
{
	static const double none[] = { 0, -1, NAN, INFINITY, 1e300 };
	(void)state_;
	struct world w;
	begin(&w);
	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++)
		tell_committed(&w.events, 100 + (double)i, none[i]);
	feed_send(&w.events);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_false(s->processes[0].interval.gc.committed_bytes.known);
	nt_snapshot_release(s);
	tell_committed(&w.events, 1100, 61.865984);
	feed_send(&w.events);
	s = close_at(w.model, 2000);
	assert_known(s->processes[0].interval.gc.committed_bytes, 61865984);
	assert_known(s->processes[0].total.gc.committed_bytes, 61865984);
	nt_snapshot_release(s);
	s = close_at(w.model, 7000);
	assert_false(s->processes[0].interval.gc.committed_bytes.known);
	assert_false(s->processes[0].total.gc.committed_bytes.known);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(test_committed) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
