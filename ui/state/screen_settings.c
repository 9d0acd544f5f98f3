// SPDX-License-Identifier: GPL-2.0-only
#include "ui/state/screen_settings.h"

#include "ui/rows/restrict.h"
#include "ui/views/placement.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_DELAY_S 0.1
#define MOST_DELAY_S  3600.0

enum { WORDS_MAX = 8, KEYS_LISTED = 200 };

/* What is chosen among words; the number of a word is its place. */
struct words {
	const char *word[WORDS_MAX]; /* NULL at the end */
};

static const struct words yes_no = { { "no", "yes" } };
static const struct words windows = { { [NT_WINDOW_RECENT] = "recent", [NT_WINDOW_ATTACH] = "attach" } };
static const struct words headers = {
	{ [NT_HEADER_BY_SIZE] = "auto", [NT_HEADER_FULL] = "full", [NT_HEADER_SHORT] = "short", [NT_HEADER_LINE] = "line" }
};
static const struct words hidden = { { "none", "kernel", "user", "foreign" } };
static const unsigned hidden_bits[] = { 0, NT_HIDE_KERNEL, NT_HIDE_USER, NT_HIDE_FOREIGN };
enum { HIDDEN_COUNT = sizeof(hidden_bits) / sizeof(hidden_bits[0]) };

struct nt_setting_kind {
	const char *key;           /* whole; of a table: what stands before its name */
	const struct words *words; /* NULL: it is none of words */
	size_t offset, size;       /* of the member that has the number of the word */
	bool (*of)(size_t view);   /* is there one of this table? NULL: it is of none */
	void (*get)(const struct nt_settings *settings, size_t view, char *out);
	enum nt_status (*set)(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err);
	const char *help;
};

/* ---- numbers, as texts ---- */

static void get_delay(const struct nt_settings *settings, size_t view, char *out)
{
	(void)view;
	snprintf(out, NT_SETTING_VALUE_BYTES, "%g", (double)settings->interval_ns / (double)NT_NS_PER_S);
}

static enum nt_status set_delay(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	char *end;
	double seconds = strtod(value, &end);
	(void)view;
	if (end == value || *end || !isfinite(seconds) || seconds < LEAST_DELAY_S || seconds > MOST_DELAY_S)
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no interval; say seconds from 0.1 to 3600", value);
	settings->interval_ns = (nt_time)llround(seconds * (double)NT_NS_PER_S);
	return NT_OK;
}

static void get_theme(const struct nt_settings *settings, size_t view, char *out)
{
	(void)view;
	snprintf(out, NT_SETTING_VALUE_BYTES, "%s", nt_theme_name(settings->theme));
}

static enum nt_status set_theme(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	(void)view;
	return nt_theme_parse(value, &settings->theme, err);
}

/* ---- tables ---- */

static void add_word(char *list, size_t size, const char *word)
{
	static const char more[] = " ...";
	size_t used = strlen(list);
	if (used >= sizeof(more) - 1 && strcmp(list + used - sizeof(more) + 1, more) == 0)
		return;
	bool fits = used + 1 + strlen(word) + sizeof(more) <= size;
	snprintf(list + used, size - used, "%s%s", fits && used ? " " : "", fits ? word : more);
}

static enum nt_status no_column(const struct nt_table *table, const char *word, bool to_sort, struct nt_error *err)
{
	char list[KEYS_LISTED] = "";
	for (size_t i = 0; i < table->column_count; i++)
		if (!to_sort || nt_column_sorts(&table->columns[i]))
			add_word(list, sizeof(list), table->columns[i].key);
	return nt_error_set(err, NT_ERR_USAGE, "%s has no column '%s'%s; say one of: %s", table->key, word, to_sort ? " to sort by" : "",
			    list);
}

static bool of_each(size_t view)
{
	return nt_views[view]->table != NULL;
}

static void get_columns(const struct nt_settings *settings, size_t view, char *out)
{
	const struct nt_table *table = nt_views[view]->table;
	*out = '\0';
	for (size_t i = 0; i < table->column_count; i++)
		if (settings->tables[view].columns >> i & 1)
			add_word(out, NT_SETTING_VALUE_BYTES, table->columns[i].key);
}

/* The next word of a text, cut off it; NULL: there is none. */
static char *next_word(char **text)
{
	char *word = *text + strspn(*text, " \t,");
	size_t length = strcspn(word, " \t,");
	*text = word + length;
	if (**text)
		*(*text)++ = '\0';
	return length ? word : NULL;
}

static enum nt_status set_columns(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	const struct nt_table *table = nt_views[view]->table;
	char text[NT_SETTING_VALUE_BYTES], *at = text;
	uint64_t set = 0;
	snprintf(text, sizeof(text), "%s", value);
	for (char *word; (word = next_word(&at));) {
		const struct nt_column *column = nt_table_column(table, word);
		if (!column)
			return no_column(table, word, false, err);
		set |= UINT64_C(1) << (column - table->columns);
	}
	if (!set)
		return no_column(table, "", false, err);
	settings->tables[view].columns = set;
	return NT_OK;
}

static void get_sort(const struct nt_settings *settings, size_t view, char *out)
{
	const struct nt_table_settings *table = &settings->tables[view];
	if (table->sort)
		snprintf(out, NT_SETTING_VALUE_BYTES, "%s %s", table->sort->key, table->ascending ? "ascending" : "descending");
	else
		snprintf(out, NT_SETTING_VALUE_BYTES, "own");
}

static enum nt_status set_sort(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	const struct nt_table *table = nt_views[view]->table;
	char text[NT_SETTING_VALUE_BYTES], *at = text;
	snprintf(text, sizeof(text), "%s", value);
	const char *word = next_word(&at), *way = next_word(&at), *more = next_word(&at);
	const struct nt_column *column = word ? nt_table_column(table, word) : NULL;
	bool own = word && strcmp(word, "own") == 0, up = way && strcmp(way, "ascending") == 0;
	if (!own && (!column || !nt_column_sorts(column)))
		return no_column(table, word ? word : "", true, err);
	if (more || (own && way) || (way && !up && strcmp(way, "descending") != 0))
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is no order; say a column, then ascending or descending; or own", value);
	settings->tables[view].sort = own ? NULL : column;
	settings->tables[view].ascending = !own && (way ? up : column->ascending);
	return NT_OK;
}

static bool of_methods(size_t view)
{
	return view == NT_VIEW_METHODS || view == NT_VIEW_CALLS;
}

static void get_hide(const struct nt_settings *settings, size_t view, char *out)
{
	size_t at = 0;
	while (at + 1 < HIDDEN_COUNT && hidden_bits[at] != settings->tables[view].hide)
		at++;
	snprintf(out, NT_SETTING_VALUE_BYTES, "%s", hidden.word[at]);
}

static enum nt_status no_word(const struct words *words, const char *value, struct nt_error *err)
{
	char list[KEYS_LISTED] = "";
	for (size_t i = 0; i < WORDS_MAX && words->word[i]; i++)
		add_word(list, sizeof(list), words->word[i]);
	return nt_error_set(err, NT_ERR_USAGE, "'%s' is none of what it can be; say one of: %s", value, list);
}

/* The number of a word; WORDS_MAX: it is none of them. */
static size_t word_number(const struct words *words, const char *value)
{
	for (size_t i = 0; i < WORDS_MAX && words->word[i]; i++)
		if (strcmp(words->word[i], value) == 0)
			return i;
	return WORDS_MAX;
}

static enum nt_status set_hide(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	size_t number = word_number(&hidden, value);
	if (number >= HIDDEN_COUNT)
		return no_word(&hidden, value, err);
	settings->tables[view].hide = hidden_bits[number];
	return NT_OK;
}

/* ---- groupings ---- */

static bool of_grouped(size_t view)
{
	return view < NT_VIEW_TABS && nt_views_groupings(view);
}

static void get_grouping(const struct nt_settings *settings, size_t view, char *out)
{
	snprintf(out, NT_SETTING_VALUE_BYTES, "%s", nt_views[settings->groupings[view]]->table->key);
}

static enum nt_status set_grouping(struct nt_settings *settings, size_t view, const char *value, struct nt_error *err)
{
	const size_t *groupings = nt_views_groupings(view);
	char list[KEYS_LISTED] = "";
	for (; *groupings < NT_VIEW_COUNT; groupings++) {
		if (strcmp(nt_views[*groupings]->table->key, value) == 0) {
			settings->groupings[view] = *groupings;
			return NT_OK;
		}
		add_word(list, sizeof(list), nt_views[*groupings]->table->key);
	}
	return nt_error_set(err, NT_ERR_USAGE, "'%s' is no grouping of %s; say one of: %s", value, nt_views[view]->table->key, list);
}

/* ---- the table ---- */

#define WORD(member_) .offset = offsetof(struct nt_settings, member_), .size = sizeof(((struct nt_settings *)0)->member_)

static const struct nt_setting_kind kinds[] = {
	{ .key = "delay",
	  .get = get_delay,
	  .set = set_delay,
	  .help = "Seconds from one frame to the next, 0.1 to 3600 (key d, option -d)." },
	{ .key = "window",
	  .words = &windows,
	  WORD(window),
	  .help = "What the figures are over: recent (the last intervals) or attach (since nettop began to watch) (key o)." },
	{ .key = "header",
	  .words = &headers,
	  WORD(header),
	  .help = "The header: auto (as the terminal has room), full, short (three lines), line (one) (key B)." },
	{ .key = "raw_names", .words = &yes_no, WORD(raw_names), .help = "Names of methods as the runtime has them: yes or no (key r)." },
	{ .key = "native",
	  .words = &yes_no,
	  WORD(native),
	  .help = "Frames of native code in stacks of threads that wait, while such a page is open: yes or no (key l)." },
	{ .key = "mouse",
	  .words = &yes_no,
	  WORD(mouse),
	  .help = "Clicks and the wheel are for nettop, and Shift with the mouse selects text: yes or no "
		  "(option --mouse)." },
	{ .key = "ascii", .words = &yes_no, WORD(ascii), .help = "Draw with ASCII characters only: yes or no (option --ascii)." },
	{ .key = "plain",
	  .words = &yes_no,
	  WORD(plain),
	  .help = "Sentences to be read aloud in place of the screens: yes or no (option --plain)." },
	{ .key = "slow",
	  .words = &yes_no,
	  WORD(slow),
	  .help = "For a slow line: at most 960 bytes a second are sent, ASCII, without sparklines: yes or no (option --slow)." },
	{ .key = "theme",
	  .get = get_theme,
	  .set = set_theme,
	  .help = "The colours: auto (dark or light, as the terminal says of its background; none where NO_COLOR is set), dark, light, "
		  "contrast, "
		  "terminal (its own 16) or mono (key Z, option --theme)." },
	{ .key = "group",
	  .of = of_grouped,
	  .get = get_grouping,
	  .set = set_grouping,
	  .help = "The grouping of its rows that the key of this screen opens, by the name of its table (key v)." },
	{ .key = "columns",
	  .of = of_each,
	  .get = get_columns,
	  .set = set_columns,
	  .help = "The columns of this table; a narrow terminal still leaves some out (key C)." },
	{ .key = "sort",
	  .of = of_each,
	  .get = get_sort,
	  .set = set_sort,
	  .help = "The column by which this table is sorted, and ascending or descending; own: in its own order (keys s < > I)." },
	{ .key = "hide",
	  .of = of_methods,
	  .get = get_hide,
	  .set = set_hide,
	  .help = "Rows that are left out: none, kernel, user, or foreign (all but the program's own) (keys K U y)." },
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

void nt_settings_usual(struct nt_settings *out)
{
	memset(out, 0, sizeof(*out));
	out->interval_ns = NT_NS_PER_S;
	for (size_t i = 0; i < NT_VIEW_COUNT; i++) {
		out->tables[i].columns = nt_table_usual(nt_views[i]->table);
		out->tables[i].sort = nt_table_sorted_by(nt_views[i]->table, NULL);
		out->tables[i].ascending = out->tables[i].sort && out->tables[i].sort->ascending;
	}
	for (size_t i = 0; i < NT_VIEW_TABS; i++)
		out->groupings[i] = i;
}

bool nt_setting_at(size_t index, struct nt_setting *out)
{
	for (size_t kind = 0; kind < KINDS; kind++) {
		size_t views = kinds[kind].of ? NT_VIEW_COUNT : 1;
		for (size_t view = 0; view < views; view++) {
			if ((kinds[kind].of && !kinds[kind].of(view)) || index--)
				continue;
			const char *table = kinds[kind].of ? nt_views[view]->table->key : "";
			*out = (struct nt_setting){ .kind = &kinds[kind], .view = view };
			snprintf(out->key, sizeof(out->key), "%s%s%s", kinds[kind].key, *table ? "." : "", table);
			return true;
		}
	}
	return false;
}

bool nt_setting_called(const char *key, struct nt_setting *out)
{
	for (size_t i = 0; nt_setting_at(i, out); i++)
		if (strcmp(out->key, key) == 0)
			return true;
	return false;
}

const char *nt_setting_help(const struct nt_setting *setting)
{
	return setting->kind->help;
}

static unsigned word_of(const struct nt_setting_kind *kind, const struct nt_settings *settings)
{
	const char *member = (const char *)settings + kind->offset;
	if (kind->size == sizeof(bool))
		return *(const bool *)member;
	unsigned number;
	memcpy(&number, member, sizeof(number));
	return number;
}

void nt_setting_get(const struct nt_setting *setting, const struct nt_settings *settings, char out[NT_SETTING_VALUE_BYTES])
{
	const struct nt_setting_kind *kind = setting->kind;
	if (kind->get)
		kind->get(settings, setting->view, out);
	else
		snprintf(out, NT_SETTING_VALUE_BYTES, "%s", kind->words->word[word_of(kind, settings)]);
}

enum nt_status nt_setting_set(const struct nt_setting *setting, struct nt_settings *settings, const char *value, struct nt_error *err)
{
	const struct nt_setting_kind *kind = setting->kind;
	if (kind->set)
		return kind->set(settings, setting->view, value, err);
	size_t number = word_number(kind->words, value);
	if (number == WORDS_MAX)
		return no_word(kind->words, value, err);
	char *member = (char *)settings + kind->offset;
	if (kind->size == sizeof(bool))
		*(bool *)member = number == 1;
	else
		memcpy(member, &(unsigned){ (unsigned)number }, sizeof(unsigned));
	return NT_OK;
}
