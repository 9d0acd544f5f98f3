// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writes doc/nettop.1 to standard output: the template on standard input, with each line that is the name of a part (@options@, ...) replaced by what
 * the program's own tables say.
 */
#include "app/common/options.h"
#include "nettop/column.h"
#include "nettop/finding.h"
#include "nettop/subject.h"
#include "target/launch/launch.h"
#include "ui/screen/keys.h"

#include <ctype.h>
#include <string.h>

/* A text where roff reads text: no control line, no escape, hyphens as they are typed. */
static void put_text(const char *text)
{
	if (*text == '.' || *text == '\'')
		fputs("\\&", stdout);
	for (; *text; text++) {
		if (*text == '\\')
			fputs("\\e", stdout);
		else if (*text == '-')
			fputs("\\-", stdout);
		else
			putchar(*text);
	}
}

static void put_bold(const char *text)
{
	fputs("\\fB", stdout);
	put_text(text);
	fputs("\\fR", stdout);
}

/* "MOVE" and "move" both become "Move". */
static void begin_section(const char *title)
{
	fputs(".SS ", stdout);
	for (size_t i = 0; title[i]; i++)
		putchar(i ? tolower((unsigned char)title[i]) : toupper((unsigned char)title[i]));
	putchar('\n');
}

static void put_key(nt_key key)
{
	static const char *const names[] = {
		[NT_KEY_UP - NT_KEY_NONE] = "Up",
		[NT_KEY_DOWN - NT_KEY_NONE] = "Down",
		[NT_KEY_LEFT - NT_KEY_NONE] = "Left",
		[NT_KEY_RIGHT - NT_KEY_NONE] = "Right",
		[NT_KEY_PAGE_UP - NT_KEY_NONE] = "PgUp",
		[NT_KEY_PAGE_DOWN - NT_KEY_NONE] = "PgDn",
		[NT_KEY_HOME - NT_KEY_NONE] = "Home",
		[NT_KEY_END - NT_KEY_NONE] = "End",
		[NT_KEY_BACKTAB - NT_KEY_NONE] = "Shift-Tab",
		[NT_KEY_F1 - NT_KEY_NONE] = "F1",
		[NT_KEY_F3 - NT_KEY_NONE] = "F3",
		[NT_KEY_F4 - NT_KEY_NONE] = "F4",
		[NT_KEY_F6 - NT_KEY_NONE] = "F6",
		[NT_KEY_F10 - NT_KEY_NONE] = "F10",
	};
	char text[16];
	const char *name = text;
	if (key > NT_KEY_NONE) {
		size_t index = key - NT_KEY_NONE;
		nt_assert(index < sizeof(names) / sizeof(names[0]) && names[index]);
		name = names[index];
	} else if (key == NT_KEY_TAB) {
		name = "Tab";
	} else if (key == NT_KEY_ENTER) {
		name = "Enter";
	} else if (key == NT_KEY_ESCAPE) {
		name = "Esc";
	} else if (key == NT_KEY_BACKSPACE) {
		name = "Backspace";
	} else if (key == ' ') {
		name = "Space";
	} else if (key < ' ') {
		snprintf(text, sizeof(text), "Ctrl-%c", (int)key + '@');
	} else {
		snprintf(text, sizeof(text), "%c", (int)key);
	}
	put_bold(name);
}

static void put_options(void)
{
	nt_options_roff(NT_COMMAND_WATCH, stdout);
}

static void put_doctor_options(void)
{
	nt_options_roff(NT_COMMAND_DOCTOR, stdout);
}

static void put_ps_options(void)
{
	nt_options_roff(NT_COMMAND_PS, stdout);
}

static void put_jit_options(void)
{
	nt_options_roff(NT_COMMAND_JIT, stdout);
}

static void put_stacks_options(void)
{
	nt_options_roff(NT_COMMAND_STACKS, stdout);
}

static void put_map_options(void)
{
	nt_options_roff(NT_COMMAND_MAP, stdout);
}

static void put_symbols_options(void)
{
	nt_options_roff(NT_COMMAND_SYMBOLS, stdout);
}

static void put_threads_options(void)
{
	nt_options_roff(NT_COMMAND_THREADS, stdout);
}

static void put_events_options(void)
{
	nt_options_roff(NT_COMMAND_EVENTS, stdout);
}

static void put_heap_options(void)
{
	nt_options_roff(NT_COMMAND_HEAP, stdout);
}

static void put_dump_options(void)
{
	nt_options_roff(NT_COMMAND_DUMP, stdout);
}

static void put_record_options(void)
{
	nt_options_roff(NT_COMMAND_RECORD, stdout);
}

static void put_replay_options(void)
{
	nt_options_roff(NT_COMMAND_REPLAY, stdout);
}

static void put_serve_options(void)
{
	nt_options_roff(NT_COMMAND_SERVE, stdout);
}

static void put_export_options(void)
{
	nt_options_roff(NT_COMMAND_EXPORT, stdout);
}

static void put_diff_options(void)
{
	nt_options_roff(NT_COMMAND_DIFF, stdout);
}

static void put_report_options(void)
{
	nt_options_roff(NT_COMMAND_REPORT, stdout);
}

static void put_env_options(void)
{
	nt_options_roff(NT_COMMAND_ENV, stdout);
}

static void put_launch_variable(const struct nt_launch_variable *variable)
{
	static const struct {
		unsigned when;
		const char *text;
	} conditions[] = {
		{ NT_IN_ANY_MODE, "In every mode." },
		{ NT_IN_N | NT_IN_OWN, "In mode N." },
		{ NT_IN_N, "In mode N." },
		{ NT_IN_F, "In mode F." },
		{ NT_IN_OWN, "With --event-source." },
		{ NT_IN_NAME, "With --event-name." },
		{ NT_IN_BRIDGE, "Unless --bridge ''." },
		{ 0, "Only where another value is set." },
		{ NT_IN_NAMES, "Always." },
		{ NT_IN_PORT, "By nettop jit, and by nettop run with --source eventpipe." },
	};
	size_t i = 0;
	while (i < sizeof(conditions) / sizeof(conditions[0]) && conditions[i].when != variable->set)
		i++;
	nt_assert(i < sizeof(conditions) / sizeof(conditions[0]));
	bool given = !strchr(variable->setting, '=')[1];
	fputs(".TP\n", stdout);
	put_bold(variable->setting);
	if (given && variable->set)
		fputs(variable->set == NT_IN_BRIDGE ? "\\fIDIR\\fR"
		      : variable->set == NT_IN_PORT ? "\\fIPATH\\fR,suspend"
						    : "\\fITEXT\\fR",
		      stdout);
	putchar('\n');
	put_text(conditions[i].text);
	fputs("\nBrings ", stdout);
	put_text(variable->brings);
	fputs(".\nCosts: ", stdout);
	put_text(variable->costs);
	fputs(".\n", stdout);
	if (*variable->differs) {
		fputs("Versions: ", stdout);
		put_text(variable->differs);
		fputs(".\n", stdout);
	}
}

static void put_launch_variables(void)
{
	for (size_t i = 0; i < NT_LAUNCH_COUNT; i++)
		put_launch_variable(&nt_launch_variables[i]);
}

/* What a prerequisite's placeholders stand for is known only where it is judged. */
static void put_fix(const char *fix)
{
	char text[1024];
	size_t length = 0;
	bool name = false;
	for (; *fix && length < sizeof(text) - 1; fix++) {
		name = *fix == '{' || (name && *fix != '}');
		if (*fix != '{' && *fix != '}')
			text[length++] = (char)(name ? toupper((unsigned char)*fix) : *fix);
	}
	text[length] = '\0';
	put_bold(text);
}

static void put_prerequisites(void)
{
	for (size_t i = 0; i < NT_PREREQUISITE_COUNT; i++) {
		const struct nt_prerequisite *prerequisite = &nt_prerequisites[i];
		fputs(".TP\n", stdout);
		put_bold(prerequisite->key);
		putchar('\n');
		put_text(prerequisite->looked_at);
		putchar('.');
		for (size_t k = 0; k < NT_FAILURES_MAX && prerequisite->failures[k].lost; k++) {
			const struct nt_failure *failure = &prerequisite->failures[k];
			if (!*failure->lost)
				continue;
			fputs("\n.br\nIf not: ", stdout);
			put_text(failure->lost);
			if (*failure->fix) {
				fputs(failure->at_start ? ". At the target\\(cqs next start: " : ". Fix: ", stdout);
				put_fix(failure->fix);
			}
		}
		putchar('\n');
	}
}

static void put_keys(void)
{
	for (int group = 0; group < NT_KEY_GROUP_COUNT; group++) {
		begin_section(nt_key_group_name((enum nt_key_group)group));
		for (size_t i = 0; i < nt_key_table_count; i++) {
			const struct nt_key_entry *entry = &nt_key_table[i];
			if ((int)entry->group != group)
				continue;
			fputs(".TP\n", stdout);
			for (int k = 0; k < NT_KEYS_PER_ENTRY && entry->keys[k]; k++) {
				fputs(k ? ", " : "", stdout);
				put_key(entry->keys[k]);
			}
			putchar('\n');
			put_text(entry->help);
			if (entry->comes_with)
				printf(" %sot in this version; comes with %s.", entry->action == NT_DO_LATER ? "N" : "Elsewhere n",
				       entry->comes_with);
			putchar('\n');
		}
	}
}

/* NULL: a text or a drawing. */
static const char *unit_name(enum nt_unit unit)
{
	switch (unit) {
	case NT_UNIT_COUNT:
		return "count, k M G = powers of 1000";
	case NT_UNIT_BYTES:
		return "bytes, K M G = powers of 1024";
	case NT_UNIT_NS_AS_MS:
		return "ms, in JSON ns";
	case NT_UNIT_NS_AS_US:
		return "us, k M G = powers of 1000; in JSON ns";
	case NT_UNIT_AGE:
		return "time, in JSON ns";
	case NT_UNIT_PCT:
	case NT_UNIT_PCT_WHOLE:
		return "percent";
	case NT_UNIT_PER_S:
		return "per second";
	case NT_UNIT_INTEGER:
		return "number";
	case NT_UNIT_HEX:
		return "hexadecimal number";
	default:
		return NULL;
	}
}

static void put_column(const struct nt_column *column)
{
	static const char *const sorting[] = { [NT_SORT_BY_OTHER] = "",
					       [NT_SORT_BY_CPU] = "; P sorts by it",
					       [NT_SORT_BY_MEMORY] = "; M sorts by it",
					       [NT_SORT_BY_TIME] = "; T sorts by it" };
	const char *unit = unit_name(column->unit);
	fputs(".TP\n", stdout);
	if (*column->title) {
		put_bold(column->title);
		putchar(' ');
	}
	printf("(\\fI%s\\fR)\n", column->key);
	put_text(column->help);
	printf("%s%s%s%s%s\n", unit ? "; unit: " : "", unit ? unit : "", column->default_sort ? "; sorted by this one at first" : "",
	       sorting[column->sort_key], column->screen ? "" : "; not on the screen at first");
}

static void put_columns(void)
{
	for (const struct nt_table *const *table = nt_tables; *table; table++) {
		begin_section((*table)->key);
		for (size_t i = 0; i < (*table)->column_count; i++)
			put_column(&(*table)->columns[i]);
	}
}

static void put_figures(void)
{
	for (size_t s = 0; s < NT_SUBJECT_COUNT; s++)
		for (size_t i = 0; i < nt_subjects[s]->figure_count; i++) {
			const struct nt_figure *figure = &nt_subjects[s]->figures[i];
			printf(".TP\n\\fB%s.%s\\fR\n", figure->section, figure->key);
			put_text(figure->help);
			putchar('\n');
		}
}

static void put_findings(void)
{
	for (unsigned kind = 0; kind < NT_FINDING_KIND_COUNT; kind++) {
		fputs(".TP\n", stdout);
		put_bold(nt_finding_kind_name((enum nt_finding_kind)kind));
		putchar('\n');
		put_text(nt_finding_kind_help((enum nt_finding_kind)kind));
		putchar('\n');
	}
}

/* What a row may have in place of a name. */
static void put_namings(void)
{
	for (unsigned naming = 0; naming < NT_NAMING_COUNT; naming++) {
		const struct nt_naming_entry *entry = nt_naming_entry(naming);
		fputs(".TP\n", stdout);
		put_bold(entry->key);
		putchar('\n');
		put_text(entry->explanation);
		putchar('\n');
	}
}

static const struct {
	const char *mark;
	void (*put)(void);
} parts[] = {
	{ "@options@\n", put_options },
	{ "@jit-options@\n", put_jit_options },
	{ "@stacks-options@\n", put_stacks_options },
	{ "@threads-options@\n", put_threads_options },
	{ "@report-options@\n", put_report_options },
	{ "@events-options@\n", put_events_options },
	{ "@heap-options@\n", put_heap_options },
	{ "@dump-options@\n", put_dump_options },
	{ "@record-options@\n", put_record_options },
	{ "@replay-options@\n", put_replay_options },
	{ "@serve-options@\n", put_serve_options },
	{ "@export-options@\n", put_export_options },
	{ "@diff-options@\n", put_diff_options },
	{ "@map-options@\n", put_map_options },
	{ "@symbols-options@\n", put_symbols_options },
	{ "@doctor-options@\n", put_doctor_options },
	{ "@prerequisites@\n", put_prerequisites },
	{ "@ps-options@\n", put_ps_options },
	{ "@env-options@\n", put_env_options },
	{ "@launch-variables@\n", put_launch_variables },
	{ "@keys@\n", put_keys },
	{ "@columns@\n", put_columns },
	{ "@namings@\n", put_namings },
	{ "@findings@\n", put_findings },
	{ "@figures@\n", put_figures },
};

int main(void)
{
	char line[1024];
	while (fgets(line, sizeof(line), stdin)) {
		size_t i = 0;
		while (i < sizeof(parts) / sizeof(parts[0]) && strcmp(line, parts[i].mark) != 0)
			i++;
		if (i < sizeof(parts) / sizeof(parts[0]))
			parts[i].put();
		else
			fputs(line, stdout);
	}
	return 0;
}
