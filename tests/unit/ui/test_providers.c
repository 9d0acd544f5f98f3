// SPDX-License-Identifier: GPL-2.0-only
/* Key + on the screen of counters: whom the target is asked for them. */
#include "build.h"

#include "ui/act/ui.h"
#include "ui/state/provider_choice.h"

#include <string.h>

static struct nt_ui *ui;

static int begin_with(const char *counters)
{
	const struct nt_ui_config config = { .pid = 4711, .interval_ns = NT_NS_PER_S, .counters = counters };
	ui = nt_ui_new(&config);
	struct nt_snapshot *snapshot = make_snapshot(1, NULL, 0);
	nt_ui_snapshot(ui, snapshot, START);
	nt_snapshot_release(snapshot);
	return 0;
}

static int end(void **state)
{
	(void)state;
	nt_ui_free(ui);
	return 0;
}

static unsigned press(const char *keys)
{
	unsigned effects = 0;
	for (; *keys; keys++)
		effects |= nt_ui_handle(ui, *keys == '\n' ? NT_KEY_ENTER : (nt_key)*keys, START);
	return effects;
}

static struct nt_provider_line line_of(const char *name)
{
	struct nt_provider_line line = { .says = NULL };
	for (size_t i = 0; i < nt_provider_count(ui) && strcmp(line.name, name) != 0; i++)
		nt_provider_at(ui, i, &line);
	assert_string_equal(line.name, name);
	return line;
}

static void one_is_left_out_and_asked_again(void **state)
{
	(void)state;
	begin_with(NULL);
	press("c+");
	assert_true(line_of("Microsoft.AspNetCore.Hosting").on);
	assert_true(press("j ") & NT_UI_COUNTERS);
	assert_string_equal(nt_ui_counters_wished(ui), "-Microsoft.AspNetCore.Hosting");
	/* Not before somebody says that it is so. */
	assert_true(line_of("Microsoft.AspNetCore.Hosting").on);
	nt_ui_counters(ui, nt_ui_counters_wished(ui));
	assert_false(line_of("Microsoft.AspNetCore.Hosting").on);
	assert_true(press(" ") & NT_UI_COUNTERS);
	assert_string_equal(nt_ui_counters_wished(ui), "");
}

static void what_others_are_told_by_stays(void **state)
{
	(void)state;
	begin_with(NULL);
	assert_false(press("c+ ") & NT_UI_COUNTERS);
	assert_true(line_of("System.Runtime").fixed);
	assert_true(line_of("Npgsql").fixed);
	assert_false(line_of("System.Net.Sockets").fixed);
	assert_true(strstr(ui->message, "always asked for"));
}

static void any_name_can_be_typed(void **state)
{
	(void)state;
	begin_with("Shop,-System.Net.Sockets");
	assert_true(line_of("Shop").on);
	assert_false(line_of("System.Net.Sockets").on);
	assert_false(press("c+G\n") & NT_UI_COUNTERS);
	assert_true(press("Shop.Orders\n") & NT_UI_COUNTERS);
	assert_string_equal(nt_ui_counters_wished(ui), "Shop,-System.Net.Sockets,Shop.Orders");
	nt_ui_counters(ui, nt_ui_counters_wished(ui));
	assert_true(line_of("Shop.Orders").on);
	/* One that is left out is asked for again, however that is said. */
	press("G\nSystem.Net.Sockets\n");
	assert_string_equal(nt_ui_counters_wished(ui), "Shop,Shop.Orders");
	nt_ui_counters(ui, nt_ui_counters_wished(ui));
	/* The first of those that were named, behind all that are known. */
	press("Gkk ");
	assert_string_equal(nt_ui_counters_wished(ui), "Shop.Orders");
	assert_false(press("G\n\n") & NT_UI_COUNTERS);
}

static void elsewhere_the_key_is_the_trees(void **state)
{
	(void)state;
	begin_with(NULL);
	press("+");
	assert_int_equal(ui->overlay, NT_OVERLAY_NONE);
	press("c++");
	assert_int_equal(ui->overlay, NT_OVERLAY_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(one_is_left_out_and_asked_again, end),
		cmocka_unit_test_teardown(what_others_are_told_by_stays, end),
		cmocka_unit_test_teardown(any_name_can_be_typed, end),
		cmocka_unit_test_teardown(elsewhere_the_key_is_the_trees, end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
