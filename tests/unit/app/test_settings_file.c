// SPDX-License-Identifier: GPL-2.0-only
/* The file of settings: what is written is read again, what others wrote stays, and a stranger's folder is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/settings/settings_file.h"
#include "base/file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/nettop-settings-XXXXXX";
static char path[PATH_MAX];

static int make_folder(void **state)
{
	(void)state;
	strcpy(folder + strlen(folder) - 6, "XXXXXX");
	if (!mkdtemp(folder))
		return -1;
	snprintf(path, sizeof(path), "%s/nettop/config", folder);
	return setenv("XDG_CONFIG_HOME", folder, 1);
}

static int remove_folder(void **state)
{
	(void)state;
	nt_file_remove_tree(folder);
	return 0;
}

static void put_text(const char *text)
{
	char name[PATH_MAX];
	snprintf(name, sizeof(name), "%s/nettop", folder);
	mkdir(name, 0700);
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	fputs(text, out);
	fclose(out);
}

static void assert_text(const char *text)
{
	char *is;
	size_t length;
	assert_int_equal(nt_file_read(AT_FDCWD, path, 1 << 20, &is, &length), 0);
	assert_string_equal(is, text);
	free(is);
}

static void set(struct nt_settings *settings, const char *key, const char *value)
{
	struct nt_setting setting;
	struct nt_error err = { 0 };
	assert_true(nt_setting_called(key, &setting));
	assert_int_equal(nt_setting_set(&setting, settings, value, &err), NT_OK);
}

/* Each setting at another value than the usual one, where it has one. */
static void set_all_otherwise(struct nt_settings *settings)
{
	static const char *const others[] = { "yes", "2.5", "attach", "line", "light", NULL };
	struct nt_setting setting;
	struct nt_error err;
	char before[NT_SETTING_VALUE_BYTES], after[NT_SETTING_VALUE_BYTES];
	for (size_t i = 0; nt_setting_at(i, &setting); i++) {
		nt_setting_get(&setting, settings, before);
		for (size_t k = 0; others[k] && strchr(setting.key, '.') == NULL; k++)
			nt_setting_set(&setting, settings, others[k], &err);
		nt_setting_get(&setting, settings, after);
		if (!strchr(setting.key, '.') && strcmp(before, after) == 0)
			fail_msg("%s: this test has no other value for it", setting.key);
	}
	set(settings, "group.waits", "wait_threads");
	set(settings, "columns.gc", "number pause_ns");
	set(settings, "sort.gc", "pause_ns ascending");
	set(settings, "sort.threads", "own");
	set(settings, "hide.calls", "foreign");
}

static void test_what_is_written_is_read_again(void **state)
{
	struct nt_error err = { 0 };
	(void)state;
	struct nt_settings_file *file = nt_settings_file_open(false);
	assert_string_equal(nt_settings_file_problems(file), "");
	set_all_otherwise(nt_settings_file_chosen(file));
	struct nt_settings chosen = *nt_settings_file_chosen(file);
	if (nt_settings_file_save(file, &err) != NT_OK)
		fail_msg("%s", err.cause[0]);
	nt_settings_file_free(file);

	file = nt_settings_file_open(false);
	assert_string_equal(nt_settings_file_problems(file), "");
	assert_memory_equal(nt_settings_file_chosen(file), &chosen, sizeof(chosen));

	/* What nettop config prints can stand in its place. */
	char *printed = NULL;
	size_t size, length;
	FILE *out = open_memstream(&printed, &size);
	const char *text = nt_settings_file_text(file, &length);
	nt_settings_text_print(path, text, length, out);
	fclose(out);
	nt_settings_file_free(file);
	put_text(printed);
	free(printed);
	file = nt_settings_file_open(false);
	assert_string_equal(nt_settings_file_problems(file), "");
	assert_memory_equal(nt_settings_file_chosen(file), &chosen, sizeof(chosen));
	nt_settings_file_free(file);
}

static void test_what_others_wrote_stays(void **state)
{
	struct nt_error err = { 0 };
	(void)state;
	put_text("# mine\ndelay = 5   # slowly\n\nof.later = 1 2 3\nmouse=no\nsort.methods = total_pct\nwindow = attach");
	struct nt_settings_file *file = nt_settings_file_open(false);
	assert_string_equal(nt_settings_file_problems(file), "");
	set(nt_settings_file_chosen(file), "delay", "2");
	set(nt_settings_file_chosen(file), "window", "recent");
	assert_int_equal(nt_settings_file_save(file, &err), NT_OK);
	assert_text("# mine\ndelay = 2   # slowly\n\nof.later = 1 2 3\nmouse=no\nsort.methods = total_pct\nwindow = recent\n");
	nt_settings_file_free(file);
}

static void test_one_line_for_what_is_wrong_and_the_rest_is_taken(void **state)
{
	char expected[3 * PATH_MAX];
	(void)state;
	put_text("delay 5\ndelay = 0\nmouse = yes\n");
	struct nt_settings_file *file = nt_settings_file_open(false);
	snprintf(expected, sizeof(expected),
		 "%s:1: it is not `key = value`; put a # before what is a remark\n%s:2: delay: '0' is no interval; say seconds from 0.1 to "
		 "3600\n",
		 path, path);
	assert_string_equal(nt_settings_file_problems(file), expected);
	assert_true(nt_settings_file_chosen(file)->mouse);
	assert_int_equal(nt_settings_file_chosen(file)->interval_ns, NT_NS_PER_S);
	nt_settings_file_free(file);
}

static void test_somebody_changed_it_meanwhile(void **state)
{
	struct nt_error err = { 0 };
	(void)state;
	put_text("delay = 5\n");
	struct nt_settings_file *file = nt_settings_file_open(false);
	put_text("delay = 5\nof.later = 1\n");
	set(nt_settings_file_chosen(file), "delay", "2");
	assert_int_equal(nt_settings_file_save(file, &err), NT_AGAIN);
	assert_text("delay = 5\nof.later = 1\n");
	assert_int_equal(nt_settings_file_save(file, &err), NT_OK);
	assert_text("delay = 2\nof.later = 1\n");
	nt_settings_file_free(file);
}

static void test_too_large(void **state)
{
	(void)state;
	put_text("delay = 5\n");
	assert_int_equal(truncate(path, NT_SETTINGS_FILE_MAX + 1), 0);
	struct nt_settings_file *file = nt_settings_file_open(false);
	assert_non_null(strstr(nt_settings_file_problems(file), "64 KB"));
	nt_settings_file_free(file);
}

/* Not a file: nobody waits for whoever writes into it. And what would do something to a terminal is not put there. */
static void test_what_is_no_file_of_settings(void **state)
{
	char name[PATH_MAX];
	(void)state;
	snprintf(name, sizeof(name), "%s/nettop", folder);
	assert_int_equal(mkdir(name, 0700), 0);
	assert_int_equal(mkfifo(path, 0600), 0);
	struct nt_settings_file *file = nt_settings_file_open(false);
	assert_non_null(strstr(nt_settings_file_problems(file), "cannot read"));
	nt_settings_file_free(file);
	assert_int_equal(unlink(path), 0);
	put_text("delay = \033[2Jx\nwin\033[31mdow = attach\ntheme = \xff\xfe\n\033]0;title\007\nmouse = yes\n");
	file = nt_settings_file_open(false);
	const char *problems = nt_settings_file_problems(file);
	for (const char *at = problems; *at; at++)
		assert_true((unsigned char)*at >= ' ' || *at == '\n');
	assert_non_null(strstr(problems, "control characters"));
	assert_true(nt_settings_file_chosen(file)->mouse);
	nt_settings_file_free(file);
}

static void test_a_link_is_not_replaced(void **state)
{
	struct nt_error err = { 0 };
	char other[PATH_MAX];
	(void)state;
	put_text("");
	snprintf(other, sizeof(other), "%s/other", folder);
	assert_int_equal(rename(path, other), 0);
	assert_int_equal(symlink(other, path), 0);
	struct nt_settings_file *file = nt_settings_file_open(false);
	set(nt_settings_file_chosen(file), "delay", "2");
	assert_int_equal(nt_settings_file_save(file, &err), NT_ERR_FORBIDDEN);
	assert_non_null(strstr(err.cause[0], "a link"));
	nt_settings_file_free(file);
}

/* As root with somebody else's HOME. */
static void test_a_folder_of_another_user(void **state)
{
	struct nt_error err = { 0 };
	struct stat st;
	char inner[PATH_MAX];
	(void)state;
	if (geteuid() != 0) {
		print_message("skipped: only root can make a folder of another user\n");
		skip();
	}
	assert_int_equal(chown(folder, 65534, 65534), 0);
	struct nt_settings_file *file = nt_settings_file_open(false);
	assert_string_equal(nt_settings_file_problems(file), "");
	set(nt_settings_file_chosen(file), "delay", "2");
	assert_int_equal(nt_settings_file_save(file, &err), NT_ERR_FORBIDDEN);
	assert_non_null(strstr(err.cause[0], "uid 65534"));
	snprintf(inner, sizeof(inner), "%s/nettop", folder);
	assert_int_equal(stat(inner, &st), -1);
	nt_settings_file_free(file);

	/* What is there is not read: a link of theirs could lead anywhere, and what is wrong is quoted. */
	put_text("delay = 2\n");
	assert_int_equal(chown(inner, 65534, 65534), 0);
	file = nt_settings_file_open(false);
	assert_non_null(strstr(nt_settings_file_problems(file), "another user"));
	assert_int_equal(nt_settings_file_chosen(file)->interval_ns, NT_NS_PER_S);
	assert_int_equal(nt_settings_file_save(file, &err), NT_ERR_FORBIDDEN);
	assert_text("delay = 2\n");
	nt_settings_file_free(file);
}

static void test_where_it_is(void **state)
{
	char expected[PATH_MAX];
	struct nt_error err = { 0 };
	(void)state;
	setenv("XDG_CONFIG_HOME", "not/absolute", 1);
	setenv("HOME", folder, 1);
	struct nt_settings_file *file = nt_settings_file_open(false);
	snprintf(expected, sizeof(expected), "%s/.config/nettop/config", folder);
	assert_string_equal(nt_settings_file_path(file), expected);
	nt_settings_file_free(file);
	unsetenv("HOME");
	file = nt_settings_file_open(false);
	assert_null(nt_settings_file_path(file));
	assert_int_equal(nt_settings_file_save(file, &err), NT_ERR_ABSENT);
	nt_settings_file_free(file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_what_is_written_is_read_again, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_what_others_wrote_stays, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_one_line_for_what_is_wrong_and_the_rest_is_taken, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_somebody_changed_it_meanwhile, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_too_large, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_a_link_is_not_replaced, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_what_is_no_file_of_settings, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_a_folder_of_another_user, make_folder, remove_folder),
		cmocka_unit_test_setup_teardown(test_where_it_is, make_folder, remove_folder),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
