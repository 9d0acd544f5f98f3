// SPDX-License-Identifier: GPL-2.0-only
/* Which code makes the calls on a name: from the stacks of those that were looked at to the row. */
#include "build.h"

#include "model/io/io_callers.h"

enum {
	CODE = 0x100000,
	LIB = 0x500000,
	EXE = 0x700000,
	SIZE = 0x100,
	READ = CODE,
	SAVE = CODE + SIZE,
	FRAMEWORK = CODE + 2 * SIZE,
	STUB = CODE + 3 * SIZE
};

struct world {
	struct nt_model *model;
	struct feed procfs, map;
	struct nt_snapshot *s;
};

static void begin(struct world *w)
{
	*w = (struct world){ .model = new_model() };
	feed_init(&w->procfs, w->model, NT_SOURCE_PROCFS);
	feed_init(&w->map, w->model, NT_SOURCE_CODEMAP);
	delivering(&w->procfs);
	delivering(&w->map);
	map_image(&w->map, 0, CODE, 0x100000, "/memfd:doublemapper", NT_MAP_FILE | NT_MAP_JIT);
	map_image(&w->map, 0, LIB, 0x100000, "/lib/libc.so.6", NT_MAP_FILE);
	map_image(&w->map, 0, EXE, 0x100000, "/usr/bin/python3", NT_MAP_FILE);
	code_line(&w->map, 0, READ, SIZE, "Shop.Prices.Read()", NT_TIER_1);
	raw_line(&w->map, 0, FRAMEWORK, SIZE, "void [System.Private.CoreLib] System.IO.RandomAccess::ReadAtOffset()[PreJIT]");
	raw_line(&w->map, 0, STUB, SIZE, "void [System.Private.CoreLib] Interop::Sys_Read()[PreJIT]");
	feed_send(&w->map);
}

static void end(struct world *w)
{
	feed_fini(&w->procfs);
	feed_fini(&w->map);
	nt_model_free(w->model);
}

static void called(struct world *w, double at, const char *what, uint64_t count)
{
	nt_str id = text(&w->procfs, what);
	event(&w->procfs, NT_EV_CALLS, at, 0)->u.calls = (struct nt_ev_calls){ .what = id, .call = NT_IO_READ, .count = count };
	event(&w->procfs, NT_EV_CALLS_TOLD, at, 0)->u.calls_told = (struct nt_ev_calls_told){ .from = ms(0), .told = 1 };
}

/* A look at one of them, through libc. */
static void looked_at(struct world *w, double at, const char *what, uint64_t first, uint64_t second, uint32_t weight)
{
	const uint64_t addresses[] = { LIB + 0x40, first + 8, second + 8 };
	nt_str id = text(&w->procfs, what);
	nt_stack stack = nt_interner_stack(w->procfs.interner, w->procfs.batch, addresses, 0, second ? 3 : first ? 2 : 1);
	struct nt_event *e = event(&w->procfs, NT_EV_CALLER, at, 0);
	e->stack = stack;
	e->u.caller = (struct nt_ev_caller){ .what = id, .call = NT_IO_READ, .weight = weight };
}

static const struct nt_io_row *row(struct world *w, double at)
{
	feed_send(&w->procfs);
	w->s = close_at(w->model, at);
	const struct nt_process_snapshot *process = &w->s->processes[0];
	assert_int_equal(process->io_count, 1);
	return &process->io[0];
}

static void test_the_programs_own_method(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	called(&w, 500, "/srv/prices", 100);
	looked_at(&w, 400, "/srv/prices", FRAMEWORK, READ, 3);
	looked_at(&w, 410, "/srv/prices", FRAMEWORK, READ, 1);
	looked_at(&w, 420, "/srv/prices", STUB, FRAMEWORK, 4); /* of none of the program's: who is nearest, but for the stub */
	looked_at(&w, 430, "/srv/prices", EXE, 0, 8);          /* no managed code */
	looked_at(&w, 440, "/srv/prices", 0, 0, 0);            /* damaged: it stands for nothing */
	looked_at(&w, 440, "/srv/nobody has called it", READ, 0, 1);
	const struct nt_io_row *prices = row(&w, 1000);
	assert_int_equal(prices->looked_count, 4);
	assert_int_equal(prices->caller_count, 2);
	assert_string_equal(prices->callers[0].name, "Shop.Prices.Read()");
	assert_string_equal(prices->callers[0].module, "Shop");
	assert_near(prices->callers[0].pct, 25);
	assert_string_equal(prices->callers[1].name, "System.IO.RandomAccess.ReadAtOffset()");
	assert_near(prices->callers[1].pct, 25);
	nt_snapshot_release(w.s);

	/* It goes on; and so does what there was. */
	called(&w, 1500, "/srv/prices", 1);
	looked_at(&w, 1400, "/srv/prices", FRAMEWORK, READ, 16);
	prices = row(&w, 2000);
	assert_int_equal(prices->looked_count, 5);
	assert_near(prices->callers[0].pct, 100.0 * 20 / 32);
	nt_snapshot_release(w.s);
	end(&w);
}

static void test_nobody_is_known(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	called(&w, 500, "/srv/prices", 100);
	looked_at(&w, 400, "/srv/prices", EXE, 0, 1);
	looked_at(&w, 400, "/srv/prices", 0x900000, 0, 1); /* nothing is mapped there */
	const struct nt_io_row *prices = row(&w, 1000);
	assert_int_equal(prices->looked_count, 2);
	assert_int_equal(prices->caller_count, 0);
	nt_snapshot_release(w.s);
	end(&w);
}

/* The line comes an interval later: then it has its name, and counts with those that had it before. */
static void test_a_name_that_comes_later(void **state_)
{
	(void)state_;
	struct world w;
	begin(&w);
	called(&w, 500, "/srv/prices", 100);
	looked_at(&w, 400, "/srv/prices", SAVE, 0, 3);
	looked_at(&w, 400, "/srv/prices", READ, 0, 1);
	const struct nt_io_row *prices = row(&w, 1000);
	assert_int_equal(prices->caller_count, 1);
	assert_near(prices->callers[0].pct, 25);
	nt_snapshot_release(w.s);
	code_line(&w.map, 0, SAVE, SIZE, "Shop.Prices.Save()", NT_TIER_1);
	feed_send(&w.map);
	called(&w, 1500, "/srv/prices", 1);
	looked_at(&w, 1400, "/srv/prices", SAVE, 0, 4);
	prices = row(&w, 2000);
	assert_int_equal(prices->caller_count, 2);
	assert_string_equal(prices->callers[0].name, "Shop.Prices.Save()");
	assert_near(prices->callers[0].pct, 100.0 * 7 / 8);
	nt_snapshot_release(w.s);
	end(&w);
}

/* More callers than counters: who makes most of the calls is among them, and is not said to make more than it does. */
static void test_very_many_callers(void **state_)
{
	(void)state_;
	struct world w;
	char name[64];
	enum { MANY = 100 };
	begin(&w);
	for (int i = 0; i < MANY; i++) {
		snprintf(name, sizeof(name), "Shop.Prices.Read%d()", i);
		code_line(&w.map, 0, CODE + 0x1000 + (uint64_t)i * SIZE, SIZE, name, NT_TIER_1);
	}
	feed_send(&w.map);
	called(&w, 500, "/srv/prices", 100);
	for (int i = 0; i < MANY; i++) {
		looked_at(&w, 400, "/srv/prices", CODE + 0x1000 + (uint64_t)i * SIZE, 0, 1);
		looked_at(&w, 400, "/srv/prices", READ, 0, 1);
	}
	const struct nt_io_row *prices = row(&w, 1000);
	assert_int_equal(prices->looked_count, 2 * MANY);
	assert_int_equal(prices->caller_count, NT_IO_CALLERS);
	assert_string_equal(prices->callers[0].name, "Shop.Prices.Read()");
	assert_true(prices->callers[0].pct <= 50.0001 && prices->callers[0].pct >= 37);
	for (uint32_t i = 1; i < prices->caller_count; i++)
		assert_true(prices->callers[i].pct <= 100.0 / (2 * MANY) + 0.0001);
	nt_snapshot_release(w.s);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_the_programs_own_method),
		cmocka_unit_test(test_nobody_is_known),
		cmocka_unit_test(test_a_name_that_comes_later),
		cmocka_unit_test(test_very_many_callers),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
