// SPDX-License-Identifier: GPL-2.0-only
/* Samples by what they are for: one of each purpose, what a thread, a pause and callers have a say in, and that the sums are the samples. */
#include "sampled_world.h"

#include "model/cpu/purposes.h"

#define CORECLR "/usr/lib/libcoreclr.so"
#define CLRJIT  "/usr/lib/libclrjit.so"
#define LIBC    "/usr/lib/libc.so.6"
#define OTHER   "/usr/lib/libpq.so.5"

enum {
	CODE = 0x10000,
	OWN = CODE,
	FRAMEWORK = CODE + 0x100,
	LOOP = CODE + 0x200,
	SEMAPHORE = CODE + 0x300,
	RELEASE = CODE + 0x400,
	DISPATCH = CODE + 0x500,
	RUNTIME = 0x400000,
	JIT = 0x500000,
	C = 0x600000,
	NATIVE = 0x700000,
	KERNEL = 0x800000,
	MAIN = 1,
	COLLECTOR,
	COMPILER,
	WORKER
};

static void framework_line(struct world *w, uint64_t start, const char *method)
{
	char raw[256];
	snprintf(raw, sizeof(raw), "void [System.Private.CoreLib] %s()[OptimizedTier1]", method);
	raw_line(&w->codemap, 0, start, 0x100, raw);
}

static void name_thread(struct feed *procfs, uint32_t tid, const char *name)
{
	nt_str id = text(procfs, name);
	event(procfs, NT_EV_THREAD_STAT, 1, tid)->u.thread_stat = (struct nt_ev_thread_stat){ .start_ticks = 1, .name = id };
}

static void image(struct world *w, uint64_t start, const char *path, const char *function, enum nt_code_kind kind)
{
	map_image(&w->perf, 1, start, 0x10000, path, NT_MAP_FILE);
	answer_name(w, 1, path, 0, 0x10000, function, NULL)->kind = kind;
}

static void begin_shop(struct world *w)
{
	struct feed procfs;
	begin(w);
	feed_init(&procfs, w->model, NT_SOURCE_PROCFS);
	delivering(&procfs);
	name_thread(&procfs, MAIN, "shop");
	name_thread(&procfs, COLLECTOR, ".NET Server GC");
	name_thread(&procfs, COMPILER, ".NET Tiered Com");
	name_thread(&procfs, WORKER, ".NET TP Worker");
	feed_send(&procfs);
	feed_fini(&procfs);
	map_image(&w->perf, 1, CODE, 0x10000, "/memfd:doublemapper", NT_MAP_JIT);
	code_line(&w->codemap, 0, OWN, 0x100, "Shop.Cart.Total()", NT_TIER_1);
	framework_line(w, FRAMEWORK, "System.String::Concat");
	framework_line(w, LOOP, "System.Threading.PortableThreadPool+WorkerThread::WorkerThreadStart");
	framework_line(w, SEMAPHORE, "System.Threading.LowLevelLifoSemaphore::Wait");
	framework_line(w, RELEASE, "System.Threading.LowLevelLifoSemaphore::Release");
	framework_line(w, DISPATCH, "System.Threading.ThreadPoolWorkQueue::Dispatch");
	image(w, RUNTIME, CORECLR, "libcoreclr.so!0x5d8490", NT_CODE_RUNTIME);
	image(w, JIT, CLRJIT, "libclrjit.so!0x1000", NT_CODE_RUNTIME);
	image(w, C, LIBC, "memset", NT_CODE_NATIVE);
	image(w, NATIVE, OTHER, "PQexec", NT_CODE_NATIVE);
	answer_name(w, 1, "[kernel]", KERNEL, KERNEL + 0x1000, "do_futex", NULL);
	feed_send(&w->perf);
	feed_send(&w->codemap);
}

struct sampled {
	uint64_t addresses[4]; /* leaf first; 0 at the end */
	unsigned kernel_count;
	uint32_t tid;
	enum nt_purpose purpose;
};

static void take(struct world *w, const struct sampled *one, double at)
{
	unsigned count = 0;
	while (count < 4 && one->addresses[count])
		count++;
	sample_chain(&w->perf, at, one->tid, one->addresses, one->kernel_count, count);
}

static const struct nt_purpose_figures *figures_of(const struct nt_snapshot *s)
{
	return &s->processes[0].interval.cpu.purposes;
}

static void check_sums(const struct nt_snapshot *s)
{
	const struct nt_process_snapshot *process = &s->processes[0];
	const struct nt_cpu_figures *both[] = { &process->interval.cpu, &process->total.cpu };
	for (size_t f = 0; f < 2; f++) {
		uint64_t sum = 0;
		double pct = 0;
		for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++) {
			sum += both[f]->purposes.samples[i].v;
			pct += both[f]->purposes.pct[i].v;
		}
		assert_known(both[f]->samples, sum);
		if (sum)
			assert_near(pct, 100);
	}
	double window = 0;
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
		window += process->window_purpose_pct[i].v;
	assert_near(window, 100);
}

/* Each row one sample. */
static const struct sampled rows[] = {
	{ { OWN + 0x10 }, 0, MAIN, NT_PURPOSE_PROGRAM },
	{ { FRAMEWORK + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_FRAMEWORK },
	{ { RUNTIME + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_RUNTIME },
	{ { RUNTIME + 0x10 }, 0, COLLECTOR, NT_PURPOSE_GC },
	{ { RUNTIME + 0x10 }, 0, COMPILER, NT_PURPOSE_JIT },
	{ { JIT + 0x10, RUNTIME + 0x20, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_JIT },
	{ { RUNTIME + 0x10, JIT + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_JIT }, /* what the compiler asks */
	{ { C + 0x10, JIT + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_JIT },       /* what it calls of libc */
	{ { C + 0x10, RUNTIME + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_RUNTIME },
	{ { C + 0x10 }, 0, COLLECTOR, NT_PURPOSE_GC },                               /* chains of libc may have no callers */
	{ { RUNTIME + 0x10, OWN + 0x10, JIT + 0x10 }, 0, MAIN, NT_PURPOSE_RUNTIME }, /* a method in between: the compiler did not ask */
	{ { C + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_NATIVE },
	{ { NATIVE + 0x10, OWN + 0x10 }, 0, MAIN, NT_PURPOSE_NATIVE },
	{ { KERNEL + 0x10, OWN + 0x10 }, 1, MAIN, NT_PURPOSE_KERNEL },
	{ { KERNEL + 0x10, RUNTIME + 0x10 }, 1, COLLECTOR, NT_PURPOSE_KERNEL },
	{ { KERNEL + 0x10, SEMAPHORE + 0x10, LOOP + 0x10 }, 1, WORKER, NT_PURPOSE_IDLE },
	{ { RUNTIME + 0x10, SEMAPHORE + 0x10, LOOP + 0x10 }, 0, WORKER, NT_PURPOSE_IDLE },
	{ { C + 0x10, LOOP + 0x10 }, 0, WORKER, NT_PURPOSE_IDLE }, /* compiled into it */
	{ { LOOP + 0x10 }, 0, WORKER, NT_PURPOSE_FRAMEWORK },
	{ { KERNEL + 0x10, RELEASE + 0x10, LOOP + 0x10 }, 1, WORKER, NT_PURPOSE_KERNEL }, /* wakes another worker: no waiting */
	{ { KERNEL + 0x10, OWN + 0x10, DISPATCH + 0x10, LOOP + 0x10 }, 1, WORKER, NT_PURPOSE_KERNEL },
	{ { DISPATCH + 0x10, LOOP + 0x10 }, 0, WORKER, NT_PURPOSE_FRAMEWORK },
};
enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

static void test_each_purpose(void **state_)
{
	(void)state_;
	for (size_t r = 0; r < ROWS; r++) {
		struct world w;
		begin_shop(&w);
		take(&w, &rows[r], 10);
		struct nt_snapshot *s = close_all(&w, 1000);
		check_sums(s);
		for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++)
			if (figures_of(s)->samples[i].v != (i == (unsigned)rows[r].purpose))
				fail_msg("row %zu: %s has %d samples", r, nt_purpose_name(i), (int)figures_of(s)->samples[i].v);
		nt_snapshot_release(s);
		end(&w);
	}
}

static void test_all_together(void **state_)
{
	(void)state_;
	struct world w;
	uint64_t expected[NT_PURPOSE_COUNT] = { 0 };
	begin_shop(&w);
	for (int round = 0; round < 3; round++)
		for (size_t r = 0; r < ROWS; r++) {
			take(&w, &rows[r], 10 + 30 * round + (double)r);
			expected[rows[r].purpose]++;
		}
	struct nt_snapshot *s = close_all(&w, 1000);
	check_sums(s);
	for (unsigned i = 0; i < NT_PURPOSE_COUNT; i++) {
		assert_known(figures_of(s)->samples[i], expected[i]);
		assert_near(figures_of(s)->pct[i].v, 100.0 * (double)expected[i] / (3.0 * ROWS));
		assert_near(s->processes[0].window_purpose_pct[i].v, figures_of(s)->pct[i].v);
	}
	nt_snapshot_release(s);
	/* Nothing ran: no share of the interval is known, those since attach and of the window stay. */
	s = close_all(&w, 2000);
	check_sums(s);
	assert_known(figures_of(s)->samples[NT_PURPOSE_PROGRAM], 0);
	assert_unknown(figures_of(s)->pct[NT_PURPOSE_PROGRAM]);
	assert_known(s->processes[0].total.cpu.purposes.samples[NT_PURPOSE_PROGRAM], expected[NT_PURPOSE_PROGRAM]);
	nt_snapshot_release(s);
	end(&w);
}

/* A collection on the thread that ran out of budget: the runtime's code is the collector's while all stand, and only then. */
static void test_pauses(void **state_)
{
	(void)state_;
	struct world w;
	struct feed runtime;
	const struct sampled in_runtime = { { RUNTIME + 0x10, OWN + 0x10 }, 0, MAIN, 0 }, own = { { OWN + 0x10 }, 0, MAIN, 0 };
	begin_shop(&w);
	feed_init(&runtime, w.model, NT_SOURCE_EVENTPIPE);
	delivering(&runtime);
	suspend(&runtime, 100, MAIN, 1);
	restart(&runtime, 200, MAIN);
	suspend(&runtime, 300, MAIN, 5); /* for a debugger: no collection */
	restart(&runtime, 400, MAIN);
	suspend(&runtime, 900, MAIN, 1); /* lasts */
	feed_send(&runtime);
	const double times[] = { 50, 150, 151, 250, 350, 950 };
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		take(&w, &in_runtime, times[i]);
	take(&w, &own, 160);
	struct nt_snapshot *s = close_all(&w, 1000);
	check_sums(s);
	assert_known(figures_of(s)->samples[NT_PURPOSE_GC], 3);
	assert_known(figures_of(s)->samples[NT_PURPOSE_RUNTIME], 3);
	assert_known(figures_of(s)->samples[NT_PURPOSE_PROGRAM], 1);
	/* The same samples, cut by the pauses: whoever ran. */
	const struct nt_process_snapshot *process = &s->processes[0];
	assert_known(process->interval.cpu.side_samples[NT_IN_PAUSES], 4);
	assert_known(process->interval.cpu.side_samples[NT_OUTSIDE_PAUSES], 3);
	assert_known(process->total.cpu.side_samples[NT_IN_PAUSES], 4);
	const struct nt_pause_part *in = &process->pause_samples.parts[NT_IN_PAUSES];
	assert_true(process->pause_samples.told);
	assert_int_equal(in->hot_count, 2);
	assert_near(in->window_samples, 4);
	assert_near(in->hot[0].samples, 3);
	assert_near(in->hot[0].pct, 75);
	assert_int_equal(process->pause_samples.parts[NT_OUTSIDE_PAUSES].hot_count, 1);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

/* Where nobody tells of pauses, or something that was told is lost, a sample is on neither side. */
static void test_pauses_that_are_not_told(void **state_)
{
	(void)state_;
	const struct sampled own = { { OWN + 0x10 }, 0, MAIN, 0 };
	for (int lost = 0; lost < 2; lost++) {
		struct world w;
		struct feed runtime;
		begin_shop(&w);
		feed_init(&runtime, w.model, NT_SOURCE_EVENTPIPE);
		if (lost) {
			delivering(&runtime);
			suspend(&runtime, 100, MAIN, 1);
			restart(&runtime, 110, MAIN);
			event(&runtime, NT_EV_LOST, 500, 0)->u.lost =
				(struct nt_ev_lost){ .what = NT_LOST_EVENTS, .count = 1, .count_known = 1 };
			feed_send(&runtime);
		}
		take(&w, &own, 160);
		struct nt_snapshot *s = close_all(&w, 1000);
		assert_false(s->processes[0].pause_samples.told);
		for (int side = 0; side < NT_PAUSE_SIDES; side++) {
			assert_unknown(s->processes[0].interval.cpu.side_samples[side]);
			assert_int_equal(s->processes[0].pause_samples.parts[side].hot_count, 0);
		}
		nt_snapshot_release(s);
		if (lost) { /* nothing more is */
			idle(&runtime, 2100);
			feed_send(&runtime);
			take(&w, &own, 1160);
			s = close_all(&w, 2000);
			assert_known(s->processes[0].interval.cpu.side_samples[NT_OUTSIDE_PAUSES], 1);
			assert_known(s->processes[0].total.cpu.side_samples[NT_OUTSIDE_PAUSES], 1);
			nt_snapshot_release(s);
		}
		feed_fini(&runtime);
		end(&w);
	}
}

/* A program that does hardly anything else: many in an interval, all of which are known. */
static void test_many_pauses(void **state_)
{
	(void)state_;
	enum { MANY = 400 };
	struct world w;
	struct feed runtime;
	const struct sampled in_runtime = { { RUNTIME + 0x10, OWN + 0x10 }, 0, MAIN, 0 };
	begin_shop(&w);
	feed_init(&runtime, w.model, NT_SOURCE_EVENTPIPE);
	delivering(&runtime);
	for (int i = 0; i < MANY; i++) {
		suspend(&runtime, 10 + 2 * i, MAIN, 1);
		restart(&runtime, 11 + 2 * i, MAIN);
		take(&w, &in_runtime, 10.5 + 2 * i);
		take(&w, &in_runtime, 11.5 + 2 * i);
	}
	feed_send(&runtime);
	struct nt_snapshot *s = close_all(&w, 1000);
	check_sums(s);
	assert_known(figures_of(s)->samples[NT_PURPOSE_GC], MANY);
	assert_known(figures_of(s)->samples[NT_PURPOSE_RUNTIME], MANY);
	nt_snapshot_release(s);
	feed_fini(&runtime);
	end(&w);
}

/* The name comes an interval later: what was not known is the program's, in all sums. */
static void test_late_names(void **state_)
{
	(void)state_;
	struct world w;
	const struct sampled late = { { 0x900010 }, 0, MAIN, 0 }, own = { { OWN + 0x10 }, 0, MAIN, 0 };
	begin_shop(&w);
	map_image(&w.perf, 1, 0x900000, 0x10000, "/opt/shop/shop", NT_MAP_FILE);
	for (int i = 0; i < 4; i++)
		take(&w, &late, 10 + i);
	take(&w, &own, 20);
	struct nt_snapshot *s = close_all(&w, 1000);
	check_sums(s);
	assert_known(figures_of(s)->samples[NT_PURPOSE_UNKNOWN], 4);
	nt_snapshot_release(s);
	answer_name(&w, 1100, "/opt/shop/shop", 0, 0x1000, "Shop.Late()", NULL)->kind = NT_CODE_R2R;
	s = close_all(&w, 2000);
	check_sums(s);
	const struct nt_purpose_figures *total = &s->processes[0].total.cpu.purposes;
	assert_known(total->samples[NT_PURPOSE_UNKNOWN], 0);
	assert_known(total->samples[NT_PURPOSE_PROGRAM], 5);
	assert_near(s->processes[0].window_purpose_pct[NT_PURPOSE_PROGRAM].v, 100);
	nt_snapshot_release(s);
	end(&w);
}

/* What rows are of: also those that no chain above has. */
static void test_keys(void **state_)
{
	(void)state_;
	static const struct {
		struct nt_key key;
		unsigned purpose;
	} cases[] = {
		{ { .name = "Shop.Cart.Sum()", .module = "Shop", .kind = NT_CODE_R2R }, NT_PURPOSE_PROGRAM },
		{ { .name = "Npgsql.Reader.Read()", .module = "Npgsql", .kind = NT_CODE_JIT }, NT_PURPOSE_PROGRAM },
		{ { .name = "Microsoft.AspNetCore.Http.X()", .module = "Microsoft.AspNetCore.Http", .kind = NT_CODE_R2R },
		  NT_PURPOSE_FRAMEWORK },
		{ { .name = "System.Action.Invoke()", .kind = NT_CODE_JIT }, NT_PURPOSE_FRAMEWORK },
		{ { .name = "[0x7f00]", .kind = NT_CODE_JIT, .naming = NT_NAMING_PERF_MAP_OFF }, NT_PURPOSE_UNKNOWN },
		{ { .name = "Shop.dll+0x10", .module = "Shop.dll", .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_PENDING },
		  NT_PURPOSE_PROGRAM },
		{ { .name = "System.Linq.dll+0x10", .module = "System.Linq.dll", .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_PENDING },
		  NT_PURPOSE_FRAMEWORK },
		{ { .name = "libcoreclr.so", .module = "libcoreclr.so", .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_NOBODY_TO_ASK },
		  NT_CODE_OF_RUNTIME },
		{ { .name = "libclrgc.so!0x10", .module = "libclrgc.so", .kind = NT_CODE_RUNTIME, .naming = NT_NAMING_BOUNDED },
		  NT_PURPOSE_GC },
		{ { .name = "SVR::gc_heap::plan_phase(int)", .module = "libcoreclr.so", .kind = NT_CODE_RUNTIME }, NT_PURPOSE_GC },
		{ { .name = "[kernel]", .module = "[kernel]", .kind = NT_CODE_UNKNOWN, .naming = NT_NAMING_KERNEL_HIDDEN },
		  NT_PURPOSE_KERNEL },
		{ { .name = "JIT_WriteBarrier", .kind = NT_CODE_STUB, .naming = NT_NAMING_STUB }, NT_PURPOSE_RUNTIME },
		/* Native AOT */
		{ { .name = "app!0x1200", .module = "app", .kind = NT_CODE_R2R, .naming = NT_NAMING_BOUNDED }, NT_PURPOSE_UNKNOWN },
		{ { .name = "app_Shop_Cart.Sum", .module = "app", .kind = NT_CODE_R2R }, NT_PURPOSE_PROGRAM },
		{ { .name = "S_P_CoreLib_System_String.Concat", .module = "app", .kind = NT_CODE_R2R }, NT_PURPOSE_FRAMEWORK },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		if (nt_purpose_of_key(&cases[i].key) != cases[i].purpose)
			fail_msg("%s: %u", cases[i].key.name, nt_purpose_of_key(&cases[i].key));
}

static void test_without_samples(void **state_)
{
	(void)state_;
	struct world w;
	begin_shop(&w);
	struct nt_snapshot *s = close_all(&w, 1000);
	assert_unknown(figures_of(s)->pct[NT_PURPOSE_PROGRAM]);
	assert_unknown(s->processes[0].window_purpose_pct[NT_PURPOSE_PROGRAM]);
	nt_snapshot_release(s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_purpose),    cmocka_unit_test(test_all_together),
		cmocka_unit_test(test_pauses),          cmocka_unit_test(test_pauses_that_are_not_told),
		cmocka_unit_test(test_many_pauses),     cmocka_unit_test(test_late_names),
		cmocka_unit_test(test_without_samples), cmocka_unit_test(test_keys),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
