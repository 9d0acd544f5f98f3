// SPDX-License-Identifier: GPL-2.0-only
/* What is chosen on the screens, as texts and back, and from one screen to the next. */
#include "build.h"

#include "ui/act/ui.h"
#include "ui/state/screen_settings.h"
#include "ui/state/state.h"

#include <string.h>

/* Each has a key of its own, says what it is for, and what it says of itself can be said to it. */
static void test_each_comes_back(void **state)
{
	struct nt_settings settings, other;
	struct nt_setting setting, found;
	struct nt_error err = { 0 };
	char value[NT_SETTING_VALUE_BYTES];
	size_t count = 0;
	(void)state;
	nt_settings_usual(&settings);
	nt_settings_usual(&other);
	other.interval_ns = 0;
	memset(other.tables, 0, sizeof(other.tables));
	for (; nt_setting_at(count, &setting); count++) {
		assert_true(nt_setting_called(setting.key, &found));
		assert_ptr_equal(found.kind, setting.kind);
		assert_int_equal(found.view, setting.view);
		assert_true(strlen(nt_setting_help(&setting)) > 20);
		nt_setting_get(&setting, &settings, value);
		if (nt_setting_set(&setting, &other, value, &err) != NT_OK)
			fail_msg("%s = %s: %s", setting.key, value, err.cause[0]);
	}
	assert_true(count > 2 * NT_VIEW_TABS);
	assert_memory_equal(&settings, &other, sizeof(settings));
	assert_false(nt_setting_called("columns", &setting));
	assert_false(nt_setting_called("columns.nothing", &setting));
}

static void test_what_cannot_be_is_refused(void **state)
{
	static const struct {
		const char *key, *value, *says;
	} bad[] = {
		{ "delay", "0", "0.1 to 3600" },
		{ "delay", "1s", "0.1 to 3600" },
		{ "delay", "nan", "0.1 to 3600" },
		{ "delay", "", "0.1 to 3600" },
		{ "mouse", "maybe", "no yes" },
		{ "window", "", "recent attach" },
		{ "columns.methods", "", "self_pct" },
		{ "columns.methods", "self_pct nothing", "'nothing'" },
		{ "sort.methods", "trend", "'trend'" },
		{ "sort.methods", "self_pct upwards", "ascending or descending" },
		{ "sort.methods", "self_pct ascending twice", "ascending or descending" },
		{ "sort.methods", "own ascending", "own" },
		{ "group.waits", "methods", "wait_threads" },
		{ "hide.methods", "all", "foreign" },
	};
	struct nt_settings usual, settings;
	(void)state;
	nt_settings_usual(&usual);
	nt_settings_usual(&settings);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nt_setting setting;
		struct nt_error err = { 0 };
		assert_true(nt_setting_called(bad[i].key, &setting));
		assert_int_equal(nt_setting_set(&setting, &settings, bad[i].value, &err), NT_ERR_USAGE);
		if (!strstr(err.cause[0], bad[i].says))
			fail_msg("%s = %s: %s", bad[i].key, bad[i].value, err.cause[0]);
		assert_memory_equal(&settings, &usual, sizeof(usual));
	}
}

enum list { OF_A_PROCESS, OF_ALL, OF_WATCHED };

static struct nt_settings keyed(const struct nt_settings *before, const char *keys, enum list list)
{
	const struct nt_ui_config config = {
		.list = list != OF_A_PROCESS, .watched = list == OF_WATCHED, .interval_ns = NT_NS_PER_S, .settings = before
	};
	struct nt_ui *ui = nt_ui_new(&config);
	struct nt_snapshot *snapshot = SNAPSHOT(1, { "a", 60 }, { "b", 40 });
	struct nt_settings out;
	nt_ui_resize(ui, 120, 40);
	nt_ui_snapshot(ui, snapshot, START);
	for (const char *key = keys; *key; key++)
		nt_ui_handle(ui, (nt_key)*key == 'R' ? NT_KEY_ENTER : (nt_key)*key, START);
	nt_settings_usual(&out);
	if (before)
		out = *before;
	nt_ui_settings(ui, &out);
	nt_ui_free(ui);
	nt_snapshot_release(snapshot);
	return out;
}

static void assert_value(const struct nt_settings *settings, const char *key, const char *value)
{
	struct nt_setting setting;
	char is[NT_SETTING_VALUE_BYTES];
	assert_true(nt_setting_called(key, &setting));
	nt_setting_get(&setting, settings, is);
	assert_string_equal(is, value);
}

static void test_what_keys_choose_is_kept(void **state)
{
	(void)state;
	struct nt_settings chosen = keyed(NULL, ">IKroB8vvd2R", OF_A_PROCESS);
	assert_value(&chosen, "sort.methods", "total_pct ascending");
	assert_value(&chosen, "hide.methods", "kernel");
	assert_value(&chosen, "raw_names", "yes");
	assert_value(&chosen, "window", "attach");
	assert_value(&chosen, "header", "short");
	assert_value(&chosen, "group.waits", "wait_threads");
	assert_value(&chosen, "group.jit", "jit");
	assert_value(&chosen, "delay", "2");

	/* The next screen begins with it, and gives the same back. */
	struct nt_settings again = keyed(&chosen, "d2R", OF_A_PROCESS);
	assert_memory_equal(&again, &chosen, sizeof(chosen));

	/* Each list of processes has a table of its own, and leaves the others. */
	struct nt_settings of_watched = keyed(&chosen, "P", OF_WATCHED);
	assert_value(&of_watched, "sort.watched", "cpu_pct descending");
	assert_value(&of_watched, "sort.methods", "total_pct ascending");
	struct nt_settings of_list = keyed(&of_watched, "I", OF_ALL);
	assert_value(&of_list, "sort.watched", "cpu_pct descending");
	assert_value(&of_list, "sort.methods", "total_pct ascending");
	assert_value(&of_list, "sort.processes", "cpu_pct ascending");
	assert_value(&of_list, "group.waits", "wait_threads");
}

static void test_a_key_opens_the_grouping_that_was_kept(void **state)
{
	struct nt_settings settings;
	(void)state;
	nt_settings_usual(&settings);
	settings.groupings[NT_VIEW_WAITS] = NT_VIEW_WAIT_REASONS;
	const struct nt_ui_config config = { .settings = &settings };
	struct nt_ui *ui = nt_ui_new(&config);
	nt_ui_handle(ui, '8', START);
	assert_int_equal(ui->view, NT_VIEW_WAIT_REASONS);
	nt_ui_handle(ui, '7', START);
	nt_ui_handle(ui, NT_KEY_TAB, START);
	assert_int_equal(ui->view, NT_VIEW_WAIT_REASONS);
	nt_ui_free(ui);
}

static void test_what_is_asked_for_goes_before(void **state)
{
	struct nt_settings settings;
	(void)state;
	nt_settings_usual(&settings);
	settings.tables[NT_VIEW_METHODS].sort = nt_table_column(&nt_table_methods, "total_pct");
	const struct nt_column *const sorts[] = { nt_table_column(&nt_table_methods, "self_pct"), NULL };
	const struct nt_ui_config config = { .settings = &settings, .sorts = sorts };
	struct nt_ui *ui = nt_ui_new(&config);
	assert_ptr_equal(ui->tables[NT_VIEW_METHODS].sort, sorts[0]);
	nt_ui_free(ui);
}

static void test_the_key_saves(void **state)
{
	const struct nt_ui_config config = { 0 };
	(void)state;
	struct nt_ui *ui = nt_ui_new(&config);
	assert_true(nt_ui_handle(ui, 'W', START) & NT_UI_SAVE);
	nt_ui_free(ui);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_comes_back),
		cmocka_unit_test(test_what_cannot_be_is_refused),
		cmocka_unit_test(test_what_keys_choose_is_kept),
		cmocka_unit_test(test_a_key_opens_the_grouping_that_was_kept),
		cmocka_unit_test(test_what_is_asked_for_goes_before),
		cmocka_unit_test(test_the_key_saves),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
