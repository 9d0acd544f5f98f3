// SPDX-License-Identifier: GPL-2.0-only
/*
 * Golden screens: fixed snapshots and keys in, the screen (or what w writes) as text out, compared with the files beside this one. No terminal.
 * Without names, random walks follow.
 *
 * usage: golden [--update] FOLDER [NAME...]
 */
#include "fixture.h"
#include "rows.h"
#include "scenarios.h"
#include "tab_bar.h"
#include "themed.h"
#include "walk.h"

#include "base/alloc.h"
#include "model/past/past_span.h"
#include "output/frame/plain_frame.h"
#include "output/frame/text_frame.h"
#include "output/report/report_write.h"
#include "ui/act/ui.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 1024, WALKS = 20, WALK_STEPS = 1000 };

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

/* ---- rendering ---- */

#define REALTIME_OFFSET ((int64_t)((14 * 3600 - 1000 + 3 * 60 + 7 - 250) * NT_NS_PER_S))

/* As src/app/ says it of a heap that was looked at twice. A type's name may have anything in it, which is safe there. */
static void say_heap(struct nt_ui *ui)
{
	nt_ui_heap(
		ui,
		"shop-web (process 4711) stands still for a full collection and a look at each object: some 181ms, if all of its 104MB "
		"are small objects, and has up to 256 MB more memory meanwhile; with v up to 512 MB more, and nettop itself up to 1.00GB.\n"
		"\n"
		"4711 shop-web  .NET 10.0.12  2026-07-14T14:03:07.000+0000\n"
		"104MB in 1.71M objects of 812 types. It stood still for 142ms.\n"
		"Compared with 2026-07-14T14:01:07.000+0000:\n"
		"\n"
		"   +BYTES    BYTES    +COUNT    COUNT  TYPE\n"
		"   +12.1M    40.2M     +126k     418k  Shop.Cart.Line\n"
		"    -240       120       -10        5  System.Collections.Generic.Dictionary<string, "
		"System.Collections.Generic.List<Shop.Cart.Line>>\n"
		"\n"
		"BYTES%    BYTES    COUNT     EACH  TYPE\n"
		"  38.7 ~  40.2M ~   418k      101  Shop.Cart.Line\n"
		"   2.0     2.1M       12     179K  byte[]\n"
		"\n"
		"Static fields, by what would be garbage without each of them:\n"
		"\n"
		" HELD%     HELD    COUNT      OWN  STATIC FIELD\n"
		"  61.0    63.4M    1.02M       32  Shop.Cart.Store.s_carts: System.Collections.Generic.List<Shop.Cart.Line>\n"
		"\n"
		"Who holds the 418k objects of Shop.Cart.Line (40.2M), by the shortest path from a root to each:\n"
		"\n"
		"COUNT%    COUNT    BYTES           HELD BY, AND THAT BY\n"
		"  99.9     418k    40.2M           Shop.Cart.Line[]\n"
		"  99.9     418k    40.2M             System.Collections.Generic.List<Shop.Cart.Line> (once and again)\n"
		"  99.9     418k    40.2M               static Shop.Cart.Store.s_carts\n"
		"   0.1      210    20.6K           stacks of threads\n",
		true);
}

/* As src/app/ says it before a dump; and while it is written. */
static void say_dump(struct nt_ui *ui, bool begun)
{
	nt_ui_dump(ui,
		   begun ? "102MB written, of about 220MB; the process stands still"
			 : "shop-web (process 4711) stands still until its runtime has written the file: some 1.33s for about 220MB, in "
			   "/srv/shop "
			   "as its user (uid 1000); createdump says so in a few lines on the standard output of the process.\n"
			   "The file: shop-web.4711.core",
		   !begun, begun);
}

/* A span that was chosen, of what the scenario begins with; that itself stands for one that is compared. */
static void go_back(struct nt_ui *ui, const struct scenario *scenario, nt_time now)
{
	const struct nt_ui_moment wished = nt_ui_moment_wished(ui);
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	struct nt_snapshot *snapshot = scenario->snapshots[0](), *span;
	nt_past_add(past, snapshot);
	nt_snapshot_release(snapshot);
	span = wished.against_to ? scenario->snapshots[0]() : nt_past_span(past, wished.from, wished.to);
	nt_ui_go_back(ui, span, now);
	nt_snapshot_release(span);
	nt_past_free(past);
}

/* The effects of the last key. */
static unsigned type(struct nt_ui *ui, const struct scenario *scenario, nt_time *now)
{
	unsigned effects = 0;
	const char *keys = scenario->keys;
	while (*keys) {
		effects = nt_ui_handle(ui, key_of(&keys), *now);
		if (effects & NT_UI_HEAP)
			say_heap(ui);
		if (effects & (NT_UI_DUMP | NT_UI_DUMP_BEGIN))
			say_dump(ui, effects & NT_UI_DUMP_BEGIN);
		if (effects & NT_UI_MOMENT && nt_ui_moment_wished(ui).to)
			go_back(ui, scenario, *now);
	}
	/* Beyond the time for which the order stands still after a move, within that of a message. */
	*now += 3 * NT_NS_PER_S;
	return effects;
}

static void write_report_of(const struct nt_snapshot *snapshot, bool is_span, enum nt_report_form form, FILE *out)
{
	struct nt_jit_report *with = nt_jit_report_new();
	with->settings_known = with->file_settings_known = true;
	nt_jit_report_add_setting(with, "DOTNET_gcServer", "1");
	nt_jit_report_add_setting(with, "DOTNET_TieredPGO", "0```");
	const struct nt_report report = { .whole = snapshot,
					  .is_span = is_span,
					  .last = snapshot,
					  .started_with = with,
					  .version = "0",
					  .rows = 5,
					  .realtime_offset_ns = REALTIME_OFFSET };
	nt_report_write(out, &report, form);
	nt_jit_report_free(with);
}

/* What the key w would write. */
static void write_file_of(const struct nt_ui *ui, FILE *out)
{
	struct nt_listing listing;
	nt_ui_listing(ui, &listing);
	const struct nt_text_options options = { .listing = &listing, .first = true, .realtime_offset_ns = REALTIME_OFFSET };
	if (nt_ui_file_wish(ui).file == NT_FILE_REPORT)
		write_report_of(listing.context.snapshot, listing.context.is_span, NT_REPORT_TEXT, out);
	else
		nt_text_frame(out, listing.context.snapshot, &options);
	nt_listing_fini(&listing);
}

/* Of the last snapshot, as if watching had ended with it; in the place of the interval before its end that of the same. */
static void write_report(const struct scenario *scenario, FILE *out)
{
	size_t count = 0;
	while (count < MOST_SNAPSHOTS && scenario->snapshots[count])
		count++;
	struct nt_snapshot *snapshot = scenario->snapshots[count - 1]();
	snapshot->final = true;
	write_report_of(snapshot, false, scenario->form == REPORT_MARKDOWN ? NT_REPORT_MARKDOWN : NT_REPORT_TEXT, out);
	nt_snapshot_release(snapshot);
}

static bool is_watched(const struct scenario *scenario)
{
	return scenario->snapshots[0] == fixture_watched;
}

/* Is it about the list of processes? */
static bool is_list(const struct scenario *scenario)
{
	return scenario->snapshots[0] == fixture_processes || scenario->snapshots[0] == fixture_no_processes || is_watched(scenario);
}

/* One after the other: the second time only what is new. */
static void write_plain(const struct scenario *scenario, FILE *out)
{
	struct nt_plain *plain = nt_plain_new(5);
	for (size_t i = 0; i < MOST_SNAPSHOTS && scenario->snapshots[i]; i++) {
		struct nt_snapshot *snapshot = scenario->snapshots[i]();
		if (is_list(scenario))
			nt_plain_list(plain, is_watched(scenario) ? &nt_table_watched : &nt_table_processes, snapshot, REALTIME_OFFSET,
				      out);
		else
			nt_plain_frame(plain, snapshot, REALTIME_OFFSET, out);
		nt_snapshot_release(snapshot);
	}
	nt_plain_free(plain);
}

static void write_screen(const struct nt_ui *ui, enum form form, FILE *out)
{
	struct nt_grid grid;
	nt_grid_init(&grid, 1, 1);
	nt_ui_render(ui, &grid);
	for (int y = 0; y < grid.height; y++)
		if (!tab_bar_stands_in(ui, &grid, y, out))
			write_row(&grid, y, form, out);
	nt_grid_fini(&grid);
}

/* As it comes back from the past: nobody may see a difference. */
static struct nt_snapshot *kept_and_made_again(struct nt_snapshot *snapshot)
{
	struct nt_past *past = nt_past_new(&(struct nt_past_config){ 0 });
	nt_past_add(past, snapshot);
	struct nt_snapshot *again = nt_past_get(past, snapshot->sequence);
	nt_snapshot_release(snapshot);
	nt_past_free(past);
	return again;
}

static struct nt_snapshot *snapshot_of(const struct scenario *scenario, size_t i, bool from_past)
{
	struct nt_snapshot *snapshot = scenario->snapshots[i]();
	return from_past ? kept_and_made_again(snapshot) : snapshot;
}

static void play(const struct scenario *scenario, bool from_past, FILE *out)
{
	if (scenario->form == REPORT || scenario->form == REPORT_MARKDOWN) {
		write_report(scenario, out);
		return;
	}
	if (scenario->form == PLAIN) {
		write_plain(scenario, out);
		return;
	}
	struct nt_log *log = scenario->snapshots[0] ? fixture_log() : NULL;
	const struct nt_ui_config config = {
		.list = is_list(scenario),
		.watched = is_watched(scenario),
		.pid = 4711,
		.name = "shop-web",
		.interval_ns = NT_NS_PER_S,
		.realtime_offset_ns = REALTIME_OFFSET,
		.perf_hz = 999,
		.log = log,
		.recording = scenario->form == RECORDED || scenario->form == RECORDED_END,
		.speed = 4,
	};
	unsigned effects = 0;
	struct nt_ui *ui = nt_ui_new(&config);
	nt_time now = FIXTURE_START + 300 * NT_NS_PER_S;
	size_t count = 0;
	nt_ui_resize(ui, scenario->width, scenario->height);
	if (scenario->form == RECORDS)
		nt_ui_tape(ui, &(struct nt_ui_tape){ .records = true, .bytes = 1300000, .kept_ns = 600 * NT_NS_PER_S });
	while (count < MOST_SNAPSHOTS && scenario->snapshots[count])
		count++;
	for (size_t i = 0; i < count; i++) {
		struct nt_snapshot *snapshot = snapshot_of(scenario, i, from_past);
		if (i && i + 1 == count)
			effects = type(ui, scenario, &now);
		nt_ui_snapshot(ui, snapshot, now);
		nt_snapshot_release(snapshot);
	}
	if (count < 2)
		effects = type(ui, scenario, &now);
	if (scenario->form == RECORDED_END)
		nt_ui_play_is_over(ui, true);
	if (scenario->form == TAB_BAR)
		tab_bar_write(ui, now, out);
	else if (effects & NT_UI_WRITE)
		write_file_of(ui, out);
	else if (scenario->form >= THEMED)
		write_themed(ui, (enum nt_theme)(scenario->form - THEMED), out);
	else
		write_screen(ui, scenario->form, out);
	nt_ui_free(ui);
	nt_log_free(log);
}

static char *render_text(const struct scenario *scenario, bool from_past)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	play(scenario, from_past, out);
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
	char *expected = read_file(path), *actual = render_text(scenario, false), *again = render_text(scenario, true);
	bool equal = strcmp(expected, actual) == 0;
	if (strcmp(actual, again) != 0) {
		printf("FAIL golden: %s comes back from the past as another (- as it was, + as it comes back)\n", path);
		print_difference(actual, again);
		equal = update = false;
	}
	free(again);
	if (!equal && update) {
		equal = write_file(path, actual);
		printf("%s %s\n", equal ? "updated" : "cannot write", path);
	} else if (strcmp(expected, actual) != 0) {
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
	static const struct scenario_table *const tables[] = { &scenarios_of_screens, &scenarios_of_files };
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
	for (size_t t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (size_t i = 0; i < tables[t]->count; i++) {
			const struct scenario *scenario = &tables[t]->items[i];
			if (!is_wanted(scenario, argc - first - 1, argv + first + 1))
				continue;
			if (check(scenario, argv[first], update))
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
