// SPDX-License-Identifier: GPL-2.0-only
/* Where the key w writes to: what a folder may hold already, and what may go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/show/report_settings.h"
#include "app/show/view_file.h"
#include "base/alloc.h"

#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ROWS = 200 };

static const char expected_name[] = "nettop-4711-methods-20261121T140307.txt";

struct fixture {
	char folder[64];
	struct nt_method_row methods[ROWS];
	struct nt_process_snapshot process;
	struct nt_snapshot snapshot;
	struct nt_listing listing;
	struct nt_jit_report *started_with;
	struct nt_error err;
	char name[NT_VIEW_FILE_NAME];
};

/* In a new folder, with a listing of many rows; its time is 2026-11-21 14:03:07 UTC, all of it in the offset. */
static int set_up(void **state)
{
	struct fixture *f = nt_alloc(sizeof(*f));
	setenv("TZ", "UTC0", 1);
	snprintf(f->folder, sizeof(f->folder), "/tmp/nettop-view-file.XXXXXX");
	if (!mkdtemp(f->folder) || chdir(f->folder) != 0)
		return -1;
	f->process = (struct nt_process_snapshot){ .target = { .pid = 4711, .name = "shop" }, .methods = f->methods, .method_count = ROWS };
	f->snapshot = (struct nt_snapshot){ .t1 = NT_NS_PER_S, .processes = &f->process, .process_count = 1 };
	f->listing = (struct nt_listing){ .table = &nt_table_methods,
					  .context = { .snapshot = &f->snapshot, .process = &f->process },
					  .rows = nt_alloc(ROWS * sizeof(struct nt_listing_row)),
					  .row_count = ROWS };
	nt_listing_add_column(&f->listing, &nt_table_methods.columns[0]);
	for (size_t i = 0; i < ROWS; i++)
		f->listing.rows[i] = (struct nt_listing_row){ &f->methods[i], ' ' };
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	DIR *dir = opendir(f->folder);
	for (struct dirent *entry; dir && (entry = readdir(dir));)
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir)
		closedir(dir);
	if (chdir("/") != 0)
		return -1;
	rmdir(f->folder);
	nt_listing_fini(&f->listing);
	free(f);
	return 0;
}

static enum nt_status write_as(struct fixture *f, enum nt_file file, const char *name, bool suggested)
{
	const struct nt_file_wish wish = { .file = file, .name = name, .suggested = suggested };
	return nt_view_file_write(&f->listing, INT64_C(1795269786) * (int64_t)NT_NS_PER_S, f->started_with, &wish, f->name, &f->err);
}

static enum nt_status write_it(struct fixture *f)
{
	return write_as(f, NT_FILE_SCREEN, expected_name, true);
}

static size_t files(const struct fixture *f)
{
	size_t count = 0;
	DIR *dir = opendir(f->folder);
	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

static void read_file(const char *name, char *text, size_t size)
{
	FILE *file = fopen(name, "r");
	assert_non_null(file);
	text[fread(text, 1, size - 1, file)] = '\0';
	fclose(file);
}

/* The one sentence that a person reads. */
static void assert_says(const struct fixture *f, const char *expected)
{
	char text[NT_ERROR_TEXT];
	assert_string_equal(nt_error_text(&f->err, text, sizeof(text)), expected);
}

static void a_file_for_its_owner_alone(void **state)
{
	struct fixture *f = *state;
	struct stat info;
	umask(0);
	assert_int_equal(write_it(f), NT_OK);
	assert_string_equal(f->name, expected_name);
	assert_int_equal(stat(f->name, &info), 0);
	assert_int_equal(info.st_mode & 07777, 0600);
	assert_true(info.st_size > ROWS);
}

static void what_is_there_stays(void **state)
{
	struct fixture *f = *state;
	struct stat info;
	assert_int_equal(symlink("elsewhere", expected_name), 0);
	assert_int_equal(write_it(f), NT_OK);
	assert_string_equal(f->name, "nettop-4711-methods-20261121T140307-2.txt");
	assert_int_equal(write_it(f), NT_OK);
	assert_string_equal(f->name, "nettop-4711-methods-20261121T140307-3.txt");
	assert_int_equal(lstat(expected_name, &info), 0);
	assert_true(S_ISLNK(info.st_mode));
	assert_int_not_equal(access("elsewhere", F_OK), 0);
	assert_int_equal(files(f), 3);
}

/* A name that a person typed means that one file. */
static void another_name_is_not_changed(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(write_as(f, NT_FILE_SCREEN, "mine", false), NT_OK);
	assert_string_equal(f->name, "mine");
	assert_int_equal(write_as(f, NT_FILE_SCREEN, "mine", false), NT_ERR_FAILED);
	assert_says(f, "cannot create mine: File exists");
	assert_int_equal(write_as(f, NT_FILE_SCREEN, "/dev/null", false), NT_ERR_FAILED);
	assert_int_equal(files(f), 1);
}

/* All stacks of the snapshot, though the listing is of one method; the weights of a window give whole samples. */
static void stacks_as_a_flame_graph(void **state)
{
	struct fixture *f = *state;
	static const struct nt_stack_frame frames[] = { { .sort = NT_FRAME_THREAD, .name = "shop", .tid = 4711 }, { .name = "main" } };
	static const struct nt_stack_node nodes[] = { { NT_STACK_ROOT, 0, 1.4 }, { 0, 1, 1.4 }, { 0, 1, 1.4 } };
	char text[4096] = "";
	f->process.stacks = (struct nt_stack_tree){
		.wanted = NT_STACKS_WINDOW, .frames = frames, .frame_count = 2, .nodes = nodes, .node_count = 3, .samples = 4.2
	};
	f->listing.table = &nt_table_calls;
	assert_int_equal(write_as(f, NT_FILE_FLAMEGRAPH, "a.svg", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_non_null(strstr(text, "shop/4711, 4 samples"));
	assert_int_equal(write_as(f, NT_FILE_FOLDED, "a.folded", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_non_null(strstr(text, "main"));
	assert_int_equal(write_as(f, NT_FILE_SPEEDSCOPE, "a.speedscope.json", true), NT_OK);
	assert_int_equal(write_as(f, NT_FILE_SPEEDSCOPE, "a.speedscope.json", true), NT_OK);
	assert_string_equal(f->name, "a-2.speedscope.json");
	read_file(f->name, text, sizeof(text));
	assert_int_equal(text[0], '{');
	assert_int_equal(write_as(f, NT_FILE_PPROF, "a.pb", true), NT_OK);
}

/* Of a span with the stacks of its samples; else the page says that there are none. */
static void a_report_in_three_forms(void **state)
{
	struct fixture *f = *state;
	static const struct nt_stack_frame frames[] = { { .sort = NT_FRAME_THREAD, .name = "shop", .tid = 4711 }, { .name = "main" } };
	static const struct nt_stack_node nodes[] = { { NT_STACK_ROOT, 0, 0 }, { 0, 1, 3 } };
	static char text[1 << 16];
	f->started_with = nt_report_settings(NULL);
	f->process.stacks = (struct nt_stack_tree){
		.wanted = NT_STACKS_SIDES, .frames = frames, .frame_count = 2, .nodes = nodes, .node_count = 2, .samples = 3
	};
	assert_int_equal(write_as(f, NT_FILE_REPORT, "a.txt", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_non_null(strstr(text, "nettop report: shop (4711)\n"));
	assert_non_null(strstr(text, "\n settings: not known\n"));
	assert_int_equal(write_as(f, NT_FILE_REPORT_MARKDOWN, "a.md", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_non_null(strstr(text, "# nettop report: `shop` (4711)\n"));
	assert_int_equal(write_as(f, NT_FILE_REPORT_PAGE, "a.html", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_null(strstr(text, "<svg"));
	assert_non_null(strstr(text, "keeps no call stacks since attach"));
	f->listing.context.is_span = true;
	assert_int_equal(write_as(f, NT_FILE_REPORT_PAGE, "a.html", true), NT_OK);
	read_file(f->name, text, sizeof(text));
	assert_non_null(strstr(text, "shop/4711, 3 samples"));
	nt_jit_report_free(f->started_with);
}

/* Whose number another process may have by now. */
static void settings_of_a_process_that_has_ended(void **state)
{
	static char folder[] = "/nonexistent", environment[] = "DOTNET_gcServer=1\0DOTNET_Shop__Password=secret";
	struct nt_target gone = { .start_ticks = 1,
				  .proc_dir = folder,
				  .environment_text = environment,
				  .environment_length = sizeof(environment),
				  .environment_readable = true };
	(void)state;
	struct nt_jit_report *with = nt_report_settings(&gone);
	assert_true(with->settings_known);
	assert_false(with->file_settings_known);
	assert_int_equal(with->setting_count, 2);
	assert_string_equal(with->settings[0].name, "DOTNET_Shop__Password");
	assert_string_equal(with->settings[0].value, "(not shown)");
	assert_string_equal(with->settings[1].value, "1");
	nt_jit_report_free(with);
}

static void a_folder_that_is_gone(void **state)
{
	struct fixture *f = *state;
	rmdir(f->folder);
	assert_int_equal(write_it(f), NT_ERR_FAILED);
	assert_says(f, "cannot create nettop-4711-methods-20261121T140307.txt: No such file or directory");
}

/* As on a full disk: a part can be written, the rest cannot. */
static void nothing_half_is_left(void **state)
{
	struct fixture *f = *state;
	struct rlimit before, little;
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	little = (struct rlimit){ .rlim_cur = 100, .rlim_max = before.rlim_max };
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
	enum nt_status status = write_it(f);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
	assert_int_equal(status, NT_ERR_FAILED);
	assert_says(f, "cannot write nettop-4711-methods-20261121T140307.txt: File too large");
	assert_int_equal(files(f), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_file_for_its_owner_alone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_there_stays, set_up, tear_down),
		cmocka_unit_test_setup_teardown(another_name_is_not_changed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(stacks_as_a_flame_graph, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_report_in_three_forms, set_up, tear_down),
		cmocka_unit_test(settings_of_a_process_that_has_ended),
		cmocka_unit_test_setup_teardown(a_folder_that_is_gone, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_half_is_left, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
