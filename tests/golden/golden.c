// SPDX-License-Identifier: GPL-2.0-only
/*
 * Golden screens: fixed snapshots and keys in, the screen (or what P writes) as text out, compared with the files beside this one. No terminal.
 * Without names, random walks follow.
 *
 * usage: golden [--update] FOLDER [NAME...]
 */
#include "fixture.h"
#include "walk.h"

#include "base/alloc.h"
#include "output/text.h"
#include "ui/ui.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_BYTES = 16384, PATH_BYTES = 1024, MOST_SNAPSHOTS = 3, WALKS = 20, WALK_STEPS = 1000 };

struct scenario {
	const char *name; /* of the file, with the size appended */
	int width, height;
	struct nt_snapshot *(*snapshots[MOST_SNAPSHOTS])(void); /* shown one after the other */
	const char *keys; /* typed before the last snapshot; see key_of(). With P last: what is written, not the screen */
	bool styles;      /* the style of each cell instead of its text */
};

/* Keys as letters; those that have none as @ and a letter. */
static nt_key key_of(const char **keys)
{
	static const struct {
		char letter;
		nt_key key;
	} named[] = { { 'U', NT_KEY_UP },     { 'D', NT_KEY_DOWN },  { 'P', NT_KEY_PAGE_UP }, { 'N', NT_KEY_PAGE_DOWN },
		      { 'E', NT_KEY_ESCAPE }, { 'R', NT_KEY_ENTER }, { 'T', NT_KEY_TAB },     { 'B', NT_KEY_BACKSPACE } };
	char c = *(*keys)++;
	if (c != '@')
		return (nt_key)(unsigned char)c;
	c = *(*keys)++;
	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
		if (named[i].letter == c)
			return named[i].key;
	return NT_KEY_OTHER;
}

#define SHOP                                                                                                                               \
	{                                                                                                                                  \
		fixture_shop                                                                                                               \
	}
#define LATER                                                                                                                              \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_later                                                                                           \
	}
#define ENDED                                                                                                                              \
	{                                                                                                                                  \
		fixture_shop, fixture_shop_ended                                                                                           \
	}
#define POOR                                                                                                                               \
	{                                                                                                                                  \
		fixture_procfs_only                                                                                                        \
	}
#define FIRST                                                                                                                              \
	{                                                                                                                                  \
		fixture_first_frame                                                                                                        \
	}
#define HOSTILE                                                                                                                            \
	{                                                                                                                                  \
		fixture_hostile                                                                                                            \
	}
#define TROUBLED                                                                                                                           \
	{                                                                                                                                  \
		fixture_troubled                                                                                                           \
	}
#define HUGE                                                                                                                               \
	{                                                                                                                                  \
		fixture_huge                                                                                                               \
	}
#define NOTHING                                                                                                                            \
	{                                                                                                                                  \
		NULL                                                                                                                       \
	}

static const struct scenario scenarios[] = {
	{ "methods", 80, 24, SHOP, "", false },
	{ "methods", 120, 40, SHOP, "", false },
	{ "methods", 40, 10, SHOP, "", false },
	{ "methods", 60, 20, SHOP, "", false },
	{ "methods", 70, 16, SHOP, "", false },
	{ "methods", 200, 50, SHOP, "", false },
	{ "methods-styles", 80, 24, LATER, "@D@D", true },
	{ "gc", 80, 24, SHOP, "2", false },
	{ "gc", 120, 40, SHOP, "2", false },
	{ "gc", 40, 10, SHOP, "2", false },
	{ "jit", 80, 24, SHOP, "3", false },
	{ "jit", 120, 40, SHOP, "3", false },
	{ "jit", 40, 10, SHOP, "3", false },
	{ "threads", 80, 24, SHOP, "4", false },
	{ "threads", 120, 40, SHOP, "4", false },
	{ "threads", 40, 10, SHOP, "4", false },
	{ "threads-styles", 80, 24, SHOP, "4@D@D", true },
	{ "sources", 80, 24, SHOP, "0", false },
	{ "sources", 120, 40, SHOP, "0", false },
	{ "sources", 40, 10, SHOP, "0", false },
	{ "sources-styles", 80, 24, LATER, "0", true },
	{ "unknown-methods", 80, 24, POOR, "", false },
	{ "unknown-methods", 120, 40, POOR, "", false },
	{ "unknown-methods", 40, 10, POOR, "", false },
	{ "unknown-gc", 80, 24, POOR, "2", false },
	{ "unknown-jit", 80, 24, POOR, "3", false },
	{ "unknown-threads", 80, 24, POOR, "4", false },
	{ "unknown-threads", 120, 40, POOR, "4", false },
	{ "unknown-sources", 80, 24, POOR, "0", false },
	{ "unknown-sources", 120, 40, POOR, "0", false },
	{ "unknown-source-detail", 80, 24, POOR, "0@D@R", false },
	{ "hostile-methods", 80, 24, HOSTILE, "", false },
	{ "hostile-methods", 120, 40, HOSTILE, "", false },
	{ "hostile-methods", 40, 10, HOSTILE, "", false },
	{ "hostile-detail", 80, 24, HOSTILE, "@D@R", false },
	{ "hostile-jit", 80, 24, HOSTILE, "3", false },
	{ "hostile-jit", 120, 40, HOSTILE, "3", false },
	{ "hostile-threads", 80, 24, HOSTILE, "4", false },
	{ "hostile-threads", 120, 40, HOSTILE, "4", false },
	{ "hostile-sources", 80, 24, HOSTILE, "0", false },
	{ "huge-methods", 80, 24, HUGE, "", false },
	{ "huge-gc", 80, 24, HUGE, "2", false },
	{ "huge-gc", 120, 40, HUGE, "2", false },
	{ "huge-jit", 80, 24, HUGE, "3", false },
	{ "huge-jit", 120, 40, HUGE, "3", false },
	{ "huge-threads", 80, 24, HUGE, "4", false },
	{ "nothing-yet", 80, 24, NOTHING, "", false },
	{ "first-frame", 80, 24, FIRST, "", false },
	{ "first-frame-gc", 80, 24, FIRST, "2", false },
	{ "too-small", 32, 8, SHOP, "", false },
	{ "later-methods", 80, 24, LATER, "", false },
	{ "later-methods", 120, 40, LATER, "", false },
	{ "later-sources", 120, 40, LATER, "0", false },
	{ "paused", 80, 24, LATER, "p", false },
	{ "paused", 120, 40, LATER, "p", false },
	{ "paused", 40, 10, LATER, "p", false },
	{ "ended", 80, 24, ENDED, "", false },
	{ "ended", 120, 40, ENDED, "", false },
	{ "ended", 40, 10, ENDED, "", false },
	{ "method-detail", 80, 24, SHOP, "@D@R", false },
	{ "gc-detail", 80, 24, SHOP, "2@R", false },
	{ "jit-detail", 80, 24, SHOP, "3@R", false },
	{ "jit-by-native", 80, 24, SHOP, "3s@D@D@D@D@D@D@R", false },
	{ "jit-since-zero", 80, 24, { fixture_shop, fixture_shop, fixture_shop_later }, "3z", false },
	{ "thread-methods", 80, 24, SHOP, "4@D@D@R", false },
	{ "thread-methods", 120, 40, SHOP, "4@D@D@R", false },
	{ "thread-methods", 40, 10, SHOP, "4@D@D@R", false },
	{ "thread-methods-left", 80, 24, SHOP, "4@D@D@R@E", false },
	{ "thread-methods-none", 80, 24, SHOP, "4xt", false },
	{ "restrict-prompt", 80, 24, SHOP, "x", false },
	{ "restrict-prompt", 40, 10, SHOP, "x", false },
	{ "restrict-nowhere", 80, 24, SHOP, "xt", false },
	{ "restrict-module", 80, 24, SHOP, "@Dxm", false },
	{ "restrict-kind", 120, 40, SHOP, "oxk", false },
	{ "restrict-all", 80, 24, SHOP, "@Dxmxx", false },
	{ "finding-first", 80, 24, TROUBLED, "!", false },
	{ "finding-first", 120, 40, TROUBLED, "!", false },
	{ "finding-first", 40, 10, TROUBLED, "!", false },
	{ "finding-second", 80, 24, TROUBLED, "!!", false },
	{ "finding-second-styles", 80, 24, TROUBLED, "!!", true },
	{ "finding-third", 80, 24, TROUBLED, "!!!", false },
	{ "finding-third", 120, 40, TROUBLED, "!!!", false },
	{ "finding-third", 40, 10, TROUBLED, "!!!", false },
	{ "finding-fourth", 80, 24, TROUBLED, "!!!!", false },
	{ "finding-around", 80, 24, TROUBLED, "!!!!!", false },
	{ "finding-filtered", 80, 24, TROUBLED, "/nosuch@R3/nosuch@R!!", false },
	{ "finding-none", 80, 24, POOR, "!", false },
	{ "hostile-thread-methods", 80, 24, HOSTILE, "4@D@D@R", false },
	{ "hostile-thread-methods", 120, 40, HOSTILE, "4@D@D@R", false },
	{ "hostile-restrict-module", 80, 24, HOSTILE, "xm", false },
	{ "help", 80, 24, SHOP, "?", false },
	{ "help", 120, 40, SHOP, "?", false },
	{ "help-scrolled", 80, 24, SHOP, "?@N", false },
	{ "sort-menu", 80, 24, SHOP, "s@D", false },
	{ "sort-by-total", 80, 24, SHOP, "s@D@R", false },
	{ "sort-by-total-styles", 80, 24, SHOP, "s@D@R", true },
	{ "sort-reversed", 80, 24, SHOP, "R", false },
	{ "sort-by-method", 80, 24, SHOP, "<", false },
	{ "gc-by-pause", 80, 24, SHOP, "2s@D@D@D@D@D@D@R", false },
	{ "filter-prompt", 80, 24, SHOP, "/csv", false },
	{ "filter-kept", 80, 24, SHOP, "/csv@R", false },
	{ "filter-kept", 120, 40, SHOP, "/csv@R", false },
	{ "filter-invalid", 80, 24, SHOP, "/csv(", false },
	{ "filter-nothing", 80, 24, SHOP, "/nosuchname@R", false },
	{ "filter-followed", 80, 24, SHOP, "@DF/memset@R", false },
	{ "no-kernel", 80, 24, SHOP, "K", false },
	{ "no-user", 80, 24, SHOP, "U", false },
	{ "since-attach", 120, 40, SHOP, "o", false },
	{ "since-zero", 120, 40, { fixture_shop, fixture_shop, fixture_shop_later }, "z", false },
	{ "delay-prompt", 80, 24, SHOP, "d0.5", false },
	{ "delay-wrong", 80, 24, SHOP, "d0@R", false },
	{ "last-page", 80, 24, SHOP, "G", false },
	{ "middle-page", 80, 24, SHOP, "@N@D@D", false },
	{ "cursor-kept", 80, 24, LATER, "@D@D@D@D", false },
	{ "next-marked", 80, 24, SHOP, "2n", false },
	{ "column-menu", 80, 24, SHOP, "C@D@D ", false },
	{ "column-menu", 120, 40, SHOP, "2C@D@D ", false },
	{ "column-menu", 40, 10, SHOP, "C@N", false },
	{ "columns-chosen", 80, 24, SHOP, "C@D@D@D@D @D@D @D@D @E", false },
	{ "columns-chosen", 120, 40, SHOP, "C@D@D@D@D @D@D @D@D @E", false },
	{ "columns-chosen", 40, 10, SHOP, "C@D@D@D @D @D @E", false },
	{ "columns-one", 80, 24, SHOP, "C @D @D @D @D @D @N ", false },
	{ "written-columns", 80, 24, SHOP, "C@D@D@D@D@D@D @D@D @E/csv@RP", false },
	{ "written-methods", 80, 24, SHOP, "/csv@RKP", false },
	{ "written-gc", 80, 24, SHOP, "2P", false },
	{ "written-sources", 40, 10, POOR, "0P", false },
	{ "written-hostile", 80, 24, HOSTILE, "P", false },
	{ "raw-names", 80, 24, SHOP, "r", false },
	{ "raw-names", 120, 40, SHOP, "r", false },
	{ "no-such-key", 80, 24, SHOP, "Q", false },
	{ "no-such-key-here", 80, 24, SHOP, "0K", false },
	{ "written-jit", 80, 24, SHOP, "3P", false },
	{ "written-threads", 80, 24, SHOP, "4P", false },
	{ "column-menu-threads", 80, 24, SHOP, "4C@D ", false },
	{ "header-short", 80, 24, SHOP, "B", false },
	{ "header-short", 120, 40, SHOP, "B", false },
	{ "header-line", 80, 24, SHOP, "BB", false },
	{ "header-line", 120, 40, SHOP, "BB", false },
	{ "header-line", 40, 10, SHOP, "B", false },
	{ "header-full", 80, 16, SHOP, "BB", false },
	{ "header-full", 50, 20, SHOP, "BB", false },
	{ "at-the-top", 80, 24, SHOP, "@E", false },
};

/* ---- rendering ---- */

#define REALTIME_OFFSET ((int64_t)((14 * 3600 - 1000 + 3 * 60 + 7 - 250) * NT_NS_PER_S))

/* The effects of the last key. */
static unsigned type(struct nt_ui *ui, const char *keys, nt_time *now)
{
	unsigned effects = 0;
	while (*keys)
		effects = nt_ui_handle(ui, key_of(&keys), *now);
	/* Beyond the time for which the order stands still after a move, within that of a message. */
	*now += 3 * NT_NS_PER_S;
	return effects;
}

static void write_listing(const struct nt_ui *ui, FILE *out)
{
	struct nt_listing listing;
	nt_ui_listing(ui, &listing);
	const struct nt_text_options options = { .listing = &listing, .first = true, .realtime_offset_ns = REALTIME_OFFSET };
	nt_text_frame(out, listing.context.snapshot, &options);
	nt_listing_fini(&listing);
}

static void write_row(const struct nt_grid *grid, int y, bool styles, FILE *out)
{
	static const char letters[NT_STYLE_COUNT + 1] = ".d!AsTS>xf";
	char text[ROW_BYTES];
	if (!styles) {
		fprintf(out, "%s\n", nt_grid_row_text(grid, y, text, sizeof(text)));
		return;
	}
	for (int x = 0; x < grid->width; x++)
		fputc(letters[nt_grid_row(grid, y)[x].style], out);
	fputc('\n', out);
}

static void write_screen(const struct nt_ui *ui, bool styles, FILE *out)
{
	struct nt_grid grid;
	nt_grid_init(&grid, 1, 1);
	nt_ui_render(ui, &grid);
	for (int y = 0; y < grid.height; y++)
		write_row(&grid, y, styles, out);
	nt_grid_fini(&grid);
}

static void play(const struct scenario *scenario, FILE *out)
{
	const struct nt_ui_config config = {
		.pid = 4711, .name = "shop-web", .interval_ns = NT_NS_PER_S, .realtime_offset_ns = REALTIME_OFFSET, .perf_hz = 999
	};
	unsigned effects = 0;
	struct nt_ui *ui = nt_ui_new(&config);
	nt_time now = FIXTURE_START + 300 * NT_NS_PER_S;
	size_t count = 0;
	nt_ui_resize(ui, scenario->width, scenario->height);
	while (count < MOST_SNAPSHOTS && scenario->snapshots[count])
		count++;
	for (size_t i = 0; i < count; i++) {
		struct nt_snapshot *snapshot = scenario->snapshots[i]();
		if (i && i + 1 == count)
			effects = type(ui, scenario->keys, &now);
		nt_ui_snapshot(ui, snapshot, now);
		nt_snapshot_release(snapshot);
	}
	if (count < 2)
		effects = type(ui, scenario->keys, &now);
	if (effects & NT_UI_WRITE)
		write_listing(ui, out);
	else
		write_screen(ui, scenario->styles, out);
	nt_ui_free(ui);
}

static char *render_text(const struct scenario *scenario)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	play(scenario, out);
	fclose(out);
	return text;
}

/* ---- comparing ---- */

static char *read_file(const char *path)
{
	FILE *in = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;
	if (!in || getdelim(&text, &size, '\0', in) < 0) {
		free(text);
		text = nt_strdup("");
	}
	if (in)
		fclose(in);
	return text;
}

/* Differing lines, expected and actual one under the other. */
static void print_difference(const char *expected, const char *actual)
{
	for (int line = 1; *expected || *actual; line++) {
		size_t e = strcspn(expected, "\n"), a = strcspn(actual, "\n");
		if (e != a || memcmp(expected, actual, e) != 0)
			printf("%3d - %.*s\n    + %.*s\n", line, (int)e, expected, (int)a, actual);
		expected += e + (expected[e] == '\n');
		actual += a + (actual[a] == '\n');
	}
}

static bool write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");
	if (!out)
		return false;
	fputs(text, out);
	return fclose(out) == 0;
}

static bool check(const struct scenario *scenario, const char *folder, bool update)
{
	char path[PATH_BYTES];
	snprintf(path, sizeof(path), "%s/%s-%dx%d.txt", folder, scenario->name, scenario->width, scenario->height);
	char *expected = read_file(path), *actual = render_text(scenario);
	bool equal = strcmp(expected, actual) == 0;
	if (!equal && update) {
		equal = write_file(path, actual);
		printf("%s %s\n", equal ? "updated" : "cannot write", path);
	} else if (!equal) {
		printf("FAIL golden: %s (- expected, + now; make golden-update takes it over)\n", path);
		print_difference(expected, actual);
	}
	free(expected);
	free(actual);
	return equal;
}

static bool is_wanted(const struct scenario *scenario, int count, char **names)
{
	for (int i = 0; i < count; i++)
		if (strcmp(names[i], scenario->name) == 0)
			return true;
	return count == 0;
}

int main(int argc, char **argv)
{
	bool update = argc > 1 && strcmp(argv[1], "--update") == 0;
	int first = update ? 2 : 1, passed = 0, failed = 0;
	if (argc <= first) {
		fprintf(stderr, "usage: %s [--update] FOLDER [NAME...]\n", argv[0]);
		return 2;
	}
	setenv("TZ", "UTC0", 1);
	if (!setlocale(LC_CTYPE, "C.UTF-8")) {
		fprintf(stderr, "golden: the locale C.UTF-8 is missing\n");
		return 1;
	}
	for (size_t i = 0; i < sizeof(scenarios) / sizeof(scenarios[0]); i++) {
		if (!is_wanted(&scenarios[i], argc - first - 1, argv + first + 1))
			continue;
		if (check(&scenarios[i], argv[first], update))
			passed++;
		else
			failed++;
	}
	for (uint64_t seed = 1; seed <= WALKS && !update && argc == first + 1; seed++) {
		if (walk(seed, WALK_STEPS))
			passed++;
		else
			failed++;
	}
	printf("golden: %d passed, %d failed\n", passed, failed);
	return failed ? 1 : 0;
}
