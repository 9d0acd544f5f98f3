// SPDX-License-Identifier: GPL-2.0-only
/* What the keys that lead from the list of processes to one of them, and back, ask for. */
#include "build.h"

#include "nettop/process_row.h"
#include "ui/act/ui.h"

#include <stdlib.h>

static struct nt_snapshot *make_list(nt_time second_ended_at)
{
	struct nt_snapshot *snapshot = make_snapshot(1, NULL, 0);
	free(snapshot->processes[0].methods);
	free(snapshot->processes);
	snapshot->processes = NULL;
	snapshot->process_count = 0;
	snapshot->listed = nt_alloc(2 * sizeof(*snapshot->listed));
	snapshot->listed_count = 2;
	snapshot->listed[0] =
		(struct nt_process_row){ .id = 1, .pid = 10, .name = "a", .cpu_pct = NT_KNOWN(9), .ended_at = NT_TIME_UNKNOWN };
	snapshot->listed[1] =
		(struct nt_process_row){ .id = 2, .pid = 20, .name = "b", .cpu_pct = NT_KNOWN(5), .ended_at = second_ended_at };
	return snapshot;
}

static struct nt_ui *ui_of(bool list, bool from_list)
{
	const struct nt_ui_config config = { .list = list, .from_list = from_list, .pid = 4711, .interval_ns = NT_NS_PER_S };
	return nt_ui_new(&config);
}

static void show(struct nt_ui *ui, struct nt_snapshot *snapshot)
{
	nt_ui_snapshot(ui, snapshot, START);
	nt_snapshot_release(snapshot);
}

static unsigned press(struct nt_ui *ui, nt_key key)
{
	return nt_ui_handle(ui, key, START) & ~(unsigned)NT_UI_REDRAW;
}

static void enter_opens_the_selected_process(void **state)
{
	(void)state;
	struct nt_ui *ui = ui_of(true, false);
	assert_int_equal(press(ui, NT_KEY_ENTER), 0);
	show(ui, make_list(NT_TIME_UNKNOWN));
	assert_int_equal(press(ui, NT_KEY_ENTER), NT_UI_OPEN);
	assert_int_equal(nt_ui_chosen_process(ui)->pid, 10);
	press(ui, 'j');
	assert_int_equal(press(ui, NT_KEY_RIGHT), NT_UI_OPEN);
	assert_int_equal(nt_ui_chosen_process(ui)->pid, 20);
	show(ui, make_list(START));
	assert_int_equal(press(ui, NT_KEY_ENTER), 0);
	nt_ui_free(ui);
}

static void quitting(void **state)
{
	(void)state;
	static const struct {
		bool list, from_list;
		nt_key key;
		unsigned effect;
	} cases[] = {
		{ true, false, 'q', NT_UI_QUIT },  { true, false, NT_KEY_F10, NT_UI_QUIT }, { true, false, 'O', 0 },
		{ false, false, 'q', NT_UI_QUIT }, { false, false, 'O', NT_UI_LIST },       { false, true, 'q', NT_UI_LIST },
		{ false, true, 'O', NT_UI_LIST },  { false, true, 3, NT_UI_INTERRUPT },     { true, false, 3, NT_UI_INTERRUPT },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_ui *ui = ui_of(cases[i].list, cases[i].from_list);
		assert_int_equal(press(ui, cases[i].key), cases[i].effect);
		nt_ui_free(ui);
	}
}

/* The keys of a process do nothing to the list, and it stays what it is. */
static void other_screens_are_no_part_of_it(void **state)
{
	(void)state;
	struct nt_ui *ui = ui_of(true, false);
	show(ui, make_list(NT_TIME_UNKNOWN));
	for (const char *key = "12340c!oxKUrzBO\t"; *key; key++)
		assert_int_equal(press(ui, (nt_key)(unsigned char)*key), 0);
	assert_int_equal(press(ui, NT_KEY_BACKTAB), 0);
	assert_int_equal(press(ui, NT_KEY_ENTER), NT_UI_OPEN);
	nt_ui_free(ui);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(enter_opens_the_selected_process),
		cmocka_unit_test(quitting),
		cmocka_unit_test(other_screens_are_no_part_of_it),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
