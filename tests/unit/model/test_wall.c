// SPDX-License-Identifier: GPL-2.0-only
/* Samples of the runtime's own sampler: rows of their own kind, never among CPU time. */
#include "build.h"

#include "nettop/source.h"

struct world {
	struct nt_model *model;
	struct feed perf, eventpipe, codemap;
};

static void sampler(struct world *w, enum nt_source_state value, uint32_t brings)
{
	struct nt_event *e = event(&w->eventpipe, NT_EV_SOURCE_STATE, 0, 0);
	e->u.source_state = (struct nt_ev_source_state){ .state = value, .open = 1, .brings = brings };
	feed_send(&w->eventpipe);
}

static void begin(struct world *w)
{
	w->model = new_model();
	feed_init(&w->perf, w->model, NT_SOURCE_PERF);
	feed_init(&w->eventpipe, w->model, NT_SOURCE_EVENTPIPE);
	feed_init(&w->codemap, w->model, NT_SOURCE_CODEMAP);
	delivering(&w->codemap);
	state(&w->perf, NT_STATE_FORBIDDEN);
	feed_send(&w->perf);
	sampler(w, NT_STATE_DELIVERING, NT_WANT_RUNTIME_EVENTS | NT_WANT_WALL_SAMPLES);
	map_image(&w->codemap, 1, 0x7000, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w->codemap, 0, 0x7000, 0x100, "Shop.Main()", NT_TIER_0);
	code_line(&w->codemap, 0, 0x7100, 0x100, "Shop.Work()", NT_TIER_1);
	feed_send(&w->codemap);
}

static void end(struct world *w)
{
	feed_fini(&w->perf);
	feed_fini(&w->eventpipe);
	feed_fini(&w->codemap);
	nt_model_free(w->model);
}

static void managed(struct world *w, double at_ms, uint32_t tid, uint64_t leaf)
{
	const uint64_t addresses[] = { leaf, 0x7011 };
	nt_stack stack = nt_interner_stack(w->eventpipe.interner, w->eventpipe.batch, addresses, 0, 2);
	struct nt_event *e = event(&w->eventpipe, NT_EV_WALL_SAMPLE, at_ms, tid);
	e->u.wall_sample.managed = 1;
	e->stack = stack;
}

static void outside(struct world *w, double at_ms, uint32_t tid)
{
	event(&w->eventpipe, NT_EV_WALL_SAMPLE, at_ms, tid);
}

static void wall_samples_make_rows_but_no_cpu_time(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	managed(&w, 10, 1, 0x7120);
	managed(&w, 11, 1, 0x7130);
	managed(&w, 12, 2, 0x7010);
	for (int i = 0; i < 5; i++)
		outside(&w, 13 + i, 3);
	feed_send(&w.eventpipe);
	struct nt_snapshot *s = close_at(w.model, 1000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->sample_kind, NT_SAMPLES_WALL);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples, 2);
	assert_int_equal(row_named(s, "Shop.Main()")->self_samples, 1);
	assert_int_equal(row_named(s, "Shop.Main()")->total_samples, 3);
	assert_known(process->interval.wall.samples, 3);
	assert_known(process->interval.wall.outside, 5);
	assert_known(process->total.wall.outside, 5);
	assert_unknown(process->interval.cpu.samples);
	assert_unknown(process->total.cpu.samples);
	for (size_t i = 0; i < process->thread_count; i++)
		assert_unknown(process->threads[i].cpu_pct);
	nt_snapshot_release(s);
	end(&w);
}

static void a_thread_has_its_methods(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	for (int i = 0; i < 10; i++)
		managed(&w, 10 + i, 7, i < 8 ? 0x7120 : 0x7010);
	feed_send(&w.eventpipe);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->processes[0].thread_count, 1);
	const struct nt_thread_row *thread = &s->processes[0].threads[0];
	assert_int_equal(thread->hot_count, 2);
	assert_string_equal(thread->hot[0].name, "Shop.Work()");
	assert_near(thread->hot[0].pct, 80);
	nt_snapshot_release(s);
	end(&w);
}

/* What was seen is read in peace after the sampler has ended; nothing is said of the time since. */
static void rows_stay_when_the_sampler_ends(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	managed(&w, 10, 1, 0x7120);
	feed_send(&w.eventpipe);
	nt_snapshot_release(close_at(w.model, 1000));
	sampler(&w, NT_STATE_DELIVERING, NT_WANT_RUNTIME_EVENTS);
	struct nt_snapshot *s = close_at(w.model, 2000);
	assert_int_equal(s->processes[0].sample_kind, NT_SAMPLES_WALL);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples_all, 1);
	assert_unknown(s->processes[0].interval.wall.samples);
	assert_known(s->processes[0].total.wall.samples, 1);
	nt_snapshot_release(s);
	end(&w);
}

static uint64_t weight_of(struct nt_snapshot *s, const char *name, enum nt_sample_kind kind)
{
	const struct nt_method_row *row = row_named(s, name);
	assert_non_null(row);
	assert_non_null(row->weights);
	assert_true(row->weights[kind].known);
	return row->weights[kind].self_samples_all;
}

/* Each kind counts for itself: the shares are of one, and what came of the other is in the same rows. */
static void neither_kind_wipes_the_other(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	managed(&w, 10, 1, 0x7120);
	outside(&w, 11, 1);
	feed_send(&w.eventpipe);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_null(row_named(s, "Shop.Work()")->weights);
	nt_snapshot_release(s);
	/* perf may sample after all: its shares are shown. */
	delivering(&w.perf);
	sample_at(&w.perf, 1500, 1, 0x7010);
	sample_at(&w.perf, 1510, 1, 0x7010);
	feed_send(&w.perf);
	managed(&w, 1400, 1, 0x7120);
	managed(&w, 1600, 1, 0x7120);
	feed_send(&w.eventpipe);
	s = close_at(w.model, 2000);
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_int_equal(process->sample_kind, NT_SAMPLES_CPU);
	assert_int_equal(process->samples_all, 2);
	assert_int_equal(row_named(s, "Shop.Main()")->self_samples_all, 2);
	assert_near(row_named(s, "Shop.Main()")->self_pct, 100);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples_all, 0);
	assert_int_equal(weight_of(s, "Shop.Work()", NT_SAMPLES_WALL), 3);
	assert_int_equal(weight_of(s, "Shop.Work()", NT_SAMPLES_CPU), 0);
	assert_int_equal(weight_of(s, "Shop.Main()", NT_SAMPLES_CPU), 2);
	assert_int_equal(weight_of(s, "Shop.Main()", NT_SAMPLES_WALL), 0);
	assert_int_equal(row_named(s, "Shop.Main()")->weights[NT_SAMPLES_WALL].total_samples, 2);
	assert_false(row_named(s, "Shop.Main()")->weights[NT_SAMPLES_MOMENTS].known);
	assert_known(process->total.cpu.samples, 2);
	assert_known(process->interval.wall.samples, 2);
	assert_known(process->total.wall.samples, 3);
	assert_int_equal(process->threads[0].hot_count, 1);
	assert_string_equal(process->threads[0].hot[0].name, "Shop.Main()");
	assert_int_equal(process->threads[0].samples, 2);
	nt_snapshot_release(s);
	/* It is taken away again: the shares are of wall time since attach, and those of CPU time are still known. */
	state(&w.perf, NT_STATE_FORBIDDEN);
	feed_send(&w.perf);
	managed(&w, 2500, 1, 0x7120);
	feed_send(&w.eventpipe);
	s = close_at(w.model, 3000);
	assert_int_equal(s->processes[0].sample_kind, NT_SAMPLES_WALL);
	assert_int_equal(s->processes[0].samples_all, 4);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples_all, 4);
	assert_int_equal(weight_of(s, "Shop.Main()", NT_SAMPLES_CPU), 2);
	nt_snapshot_release(s);
	end(&w);
}

/* A source announces a stack once, and samples of two kinds may have it: what is made of it by one is not the other's. */
static void one_stack_of_two_kinds(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	delivering(&w.perf);
	const uint64_t addresses[] = { 0x7120, 0x7011 };
	for (int i = 0; i < 3; i++) {
		nt_stack stack = nt_interner_stack(w.perf.interner, w.perf.batch, addresses, 0, 2);
		struct nt_event *e = event(&w.perf, NT_EV_MOMENT, 100 + 10 * i, 1);
		e->stack = stack;
		e->u.moment = (struct nt_ev_moment){ .count = 5, .weight = 5 };
		e = event(&w.perf, NT_EV_SAMPLE, 105 + 10 * i, 1);
		e->u.sample.stack = stack;
	}
	feed_send(&w.perf);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->processes[0].sample_kind, NT_SAMPLES_CPU);
	assert_int_equal(row_named(s, "Shop.Work()")->self_samples_all, 3);
	assert_int_equal(weight_of(s, "Shop.Work()", NT_SAMPLES_MOMENTS), 15);
	assert_int_equal(row_named(s, "Shop.Main()")->weights[NT_SAMPLES_MOMENTS].total_samples_all, 15);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(wall_samples_make_rows_but_no_cpu_time),
		cmocka_unit_test(a_thread_has_its_methods),
		cmocka_unit_test(rows_stay_when_the_sampler_ends),
		cmocka_unit_test(neither_kind_wipes_the_other),
		cmocka_unit_test(one_stack_of_two_kinds),
	};
	return cmocka_run_group_tests_name("wall", tests, NULL, NULL);
}
