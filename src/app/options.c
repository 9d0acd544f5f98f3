// SPDX-License-Identifier: GPL-2.0-only
#include "app/options.h"

#include "target/settings.h"

#include <ctype.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Options without a short letter get a value above every character. */
enum {
	OPT_JSON = 256,
	OPT_DURATION,
	OPT_TOP,
	OPT_ROWS,
	OPT_SOURCE,
	OPT_SESSION,
	OPT_ALLOC,
	OPT_READONLY,
	OPT_ASCII,
	OPT_CHECK_REPLAY,
	OPT_EVENTS,
	OPT_EVENT_SOURCE,
	OPT_EVENT_NAME,
	OPT_BRIDGE
};

static const struct command {
	const char *name;      /* NULL = the one without a word */
	const char *arguments; /* behind the name, in the help */
	const char *help;
} commands[NT_COMMAND_COUNT] = {
	[NT_COMMAND_WATCH] = { NULL, "[-p] PID|NAME [options]", "watch a .NET process" },
	[NT_COMMAND_RUN] = { "run", "[options] [--] COMMAND [ARGUMENT...]", "start a .NET program and watch it from its first event" },
	[NT_COMMAND_ENV] = { "env", "[-p PID|NAME] [options]",
			     "the variables that a .NET program is started with to be seen whole, and what each costs" },
	[NT_COMMAND_DOCTOR] = { "doctor", "[-p PID|NAME] [--json]",
				"what is missing for a full screen, and the least command that brings it" },
};

/* Sets of commands. */
enum {
	WATCH = 1 << NT_COMMAND_WATCH,
	RUN = 1 << NT_COMMAND_RUN,
	DOCTOR = 1 << NT_COMMAND_DOCTOR,
	ENV = 1 << NT_COMMAND_ENV,
	LAUNCH = RUN | ENV,
	SHOW = WATCH | RUN,
	ALL = (1 << NT_COMMAND_COUNT) - 1
};

static const struct option_entry {
	int value;
	const char *name;
	const char *argument; /* NULL = none */
	unsigned commands;    /* the set that takes it */
	const char *help;
} entries[] = {
	{ 'p', "pid", "PID|NAME", ALL & ~RUN, "the process, by pid or by a name that only one process has" },
	{ 'f', "format", "FORMAT", ENV, "shell (default), systemd, docker or kubernetes" },
	{ OPT_EVENTS, "events", "default|full", LAUNCH,
	  "full: also thread-pool events, which cost the program " NT_COST_MODE_F " (mode F instead of N)" },
	{ OPT_EVENT_SOURCE, "event-source", "TEXT", LAUNCH, "also events of the EventSources whose name contains this" },
	{ OPT_EVENT_NAME, "event-name", "TEXT", LAUNCH, "of these and of the thread pool's only events whose name contains this" },
	{ OPT_BRIDGE, "bridge", "DIR", LAUNCH,
	  "the folder of the bridge as the program will see it; '' = none (default: that of this nettop)" },
	{ 'd', "delay", "SEC", SHOW, "seconds between two frames, 0.1 to 3600 (default 1)" },
	{ 'b', "batch", NULL, SHOW, "frames as text on standard output instead of the screen" },
	{ OPT_JSON, "json", NULL, SHOW, "one JSON object per line: each interval, and a summary at the end" },
	{ OPT_JSON, "json", NULL, DOCTOR, "one JSON object" },
	{ 'n', "count", "N", SHOW, "end after N intervals" },
	{ OPT_DURATION, "duration", "SEC", SHOW, "end after this time" },
	{ OPT_TOP, "top", "N", SHOW, "method rows in each JSON interval (default 50; the summary has all)" },
	{ OPT_ROWS, "rows", "N", SHOW, "method rows in each text frame (default 20)" },
	{ OPT_SOURCE, "source", "NAME[,NAME]", SHOW, "use only these sources: perf, lttng, map (procfs is always used)" },
	{ 'F', "frequency", "HZ", SHOW, "CPU samples per second and CPU, 1 to 10000 (default 999)" },
	{ OPT_SESSION, "session", "NAME", SHOW, "read this existing local LTTng live session instead of an own one" },
	{ OPT_ALLOC, "alloc", NULL, SHOW, "sample allocations (about 1 event per 100 KB allocated) for exact alloc_bytes" },
	{ OPT_READONLY, "readonly", NULL, WATCH, "change nothing in the target" },
	{ OPT_ASCII, "ascii", NULL, SHOW, "draw with ASCII characters only" },
	{ OPT_CHECK_REPLAY, "check-replay", NULL, SHOW,
	  "keep all batches, apply them to a second model at the end, say whether all snapshots are equal" },
	{ 'h', "help", NULL, ALL, "this text" },
	{ 'V', "version", NULL, WATCH, "version and licence" },
};
enum { ENTRY_COUNT = sizeof(entries) / sizeof(entries[0]) };

static enum nt_status bad_number(struct nt_error *err, const char *option, const char *text, const char *range)
{
	return nt_error_set(err, NT_ERR_USAGE, "%s '%s' is not a number from %s", option, text, range);
}

static enum nt_status parse_seconds(const char *text, double least, double most, nt_time *out)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || value < least || value > most)
		return NT_ERR_USAGE;
	*out = (nt_time)(value * (double)NT_NS_PER_S);
	return NT_OK;
}

static enum nt_status parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *out)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || value < least || value > most)
		return NT_ERR_USAGE;
	*out = value;
	return NT_OK;
}

static enum nt_status parse_sources(const char *text, unsigned *mask, struct nt_error *err)
{
	static const enum nt_source_id choices[] = { NT_SOURCE_PROCFS, NT_SOURCE_PERF, NT_SOURCE_LTTNG, NT_SOURCE_CODEMAP };
	*mask = 1u << NT_SOURCE_PROCFS | 1u << NT_SOURCE_APP;
	do {
		size_t length = strcspn(text, ",");
		bool found = false;
		for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
			const char *name = nt_source_name(choices[i]);
			if (strlen(name) == length && strncmp(name, text, length) == 0) {
				*mask |= 1u << choices[i];
				found = true;
			}
		}
		if (!found)
			return nt_error_set(err, NT_ERR_USAGE, "--source: there is no source '%.*s'; use perf, lttng or map", (int)length,
					    text);
		text += length;
	} while (*text++ == ',');
	/* Samples without names help nobody. */
	if (*mask & 1u << NT_SOURCE_PERF)
		*mask |= 1u << NT_SOURCE_CODEMAP;
	return NT_OK;
}

static enum nt_status parse_events(const char *text, bool *full, struct nt_error *err)
{
	*full = strcmp(text, "full") == 0;
	if (!*full && strcmp(text, "default") != 0)
		return nt_error_set(err, NT_ERR_USAGE, "--events '%s' is not known; use default or full", text);
	return NT_OK;
}

static enum nt_status parse_format(const char *text, enum nt_env_format *format, struct nt_error *err)
{
	static const char *const names[NT_ENV_FORMAT_COUNT] = {
		[NT_ENV_SHELL] = "shell", [NT_ENV_SYSTEMD] = "systemd", [NT_ENV_DOCKER] = "docker", [NT_ENV_KUBERNETES] = "kubernetes"
	};
	for (int i = 0; i < NT_ENV_FORMAT_COUNT; i++) {
		if (strcmp(text, names[i]) == 0) {
			*format = (enum nt_env_format)i;
			return NT_OK;
		}
	}
	return nt_error_set(err, NT_ERR_USAGE, "--format '%s' is not known; use shell, systemd, docker or kubernetes", text);
}

static enum nt_status apply(struct nt_options *options, int value, const char *text, struct nt_error *err)
{
	uint64_t number;
	switch (value) {
	case 'p':
		options->target = text;
		return NT_OK;
	case 'd':
		if (parse_seconds(text, 0.1, 3600, &options->delay_ns) != NT_OK)
			return bad_number(err, "--delay", text, "0.1 to 3600 (seconds)");
		return NT_OK;
	case 'b':
		if (options->output != NT_OUTPUT_JSON) /* --json says how, wherever it stands */
			options->output = NT_OUTPUT_TEXT;
		return NT_OK;
	case OPT_JSON:
		options->output = NT_OUTPUT_JSON;
		return NT_OK;
	case 'n':
		if (parse_count(text, 1, UINT32_MAX, &options->interval_count) != NT_OK)
			return bad_number(err, "--count", text, "1 up");
		return NT_OK;
	case OPT_DURATION:
		if (parse_seconds(text, 0.1, 1e6, &options->duration_ns) != NT_OK)
			return bad_number(err, "--duration", text, "0.1 to 1000000 (seconds)");
		return NT_OK;
	case OPT_TOP:
		if (parse_count(text, 0, 1000000, &number) != NT_OK)
			return bad_number(err, "--top", text, "0 to 1000000");
		options->top = number;
		return NT_OK;
	case OPT_ROWS:
		if (parse_count(text, 0, 10000, &number) != NT_OK)
			return bad_number(err, "--rows", text, "0 to 10000");
		options->rows = number;
		return NT_OK;
	case OPT_SOURCE:
		return parse_sources(text, &options->source_mask, err);
	case 'F':
		if (parse_count(text, 1, 10000, &number) != NT_OK)
			return bad_number(err, "--frequency", text, "1 to 10000 (samples per second)");
		options->perf_hz = (unsigned)number;
		return NT_OK;
	case OPT_SESSION:
		options->lttng_session = text;
		return NT_OK;
	case OPT_ALLOC:
		options->want_alloc = true;
		return NT_OK;
	case OPT_READONLY:
		options->readonly = true;
		return NT_OK;
	case OPT_ASCII:
		options->ascii = true;
		return NT_OK;
	case OPT_CHECK_REPLAY:
		options->check_replay = true;
		return NT_OK;
	case 'f':
		return parse_format(text, &options->env_format, err);
	case OPT_EVENTS:
		return parse_events(text, &options->launch.full, err);
	case OPT_EVENT_SOURCE:
		options->launch.event_source = text;
		return NT_OK;
	case OPT_EVENT_NAME:
		options->launch.event_name = text;
		return NT_OK;
	case OPT_BRIDGE:
		options->launch.bridge_dir = text;
		return NT_OK;
	case 'h':
		options->show_help = true;
		return NT_OK;
	case 'V':
		options->show_version = true;
		return NT_OK;
	}
	return NT_ERR_USAGE;
}

/* getopt's own tables for one command, made from ours. */
static void make_tables(enum nt_command command, struct option long_options[ENTRY_COUNT + 1], char short_options[2 * ENTRY_COUNT + 3])
{
	char *at = short_options;
	size_t count = 0;
	if (command == NT_COMMAND_RUN)
		*at++ = '+'; /* the first word that is no option begins the program's own */
	*at++ = ':';         /* a missing argument is told apart from an unknown option */
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		if (!(entry->commands & 1u << command))
			continue;
		long_options[count++] =
			(struct option){ entry->name, entry->argument ? required_argument : no_argument, NULL, entry->value };
		if (entry->value < 256) {
			*at++ = (char)entry->value;
			if (entry->argument)
				*at++ = ':';
		}
	}
	*at = '\0';
	long_options[count] = (struct option){ 0 };
}

/* What getopt did not understand. It names a letter in `optopt`; a word that is no option at all is the one it has just passed. */
static enum nt_status not_understood(enum nt_command command, int value, const char *word, struct nt_error *err)
{
	char letter[3] = { '-', (char)optopt, '\0' };
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		if (entries[i].value != optopt || !(entries[i].commands & 1u << command))
			continue;
		if (value == ':')
			return nt_error_set(err, NT_ERR_USAGE, "option '--%s' needs a value (%s); see nettop --help", entries[i].name,
					    entries[i].argument);
		return nt_error_set(err, NT_ERR_USAGE, "option '--%s' takes no value; see nettop --help", entries[i].name);
	}
	if (command != NT_COMMAND_WATCH)
		return nt_error_set(err, NT_ERR_USAGE, "nettop %s has no option '%s'; see nettop %s --help", commands[command].name,
				    optopt ? letter : word, commands[command].name);
	return nt_error_set(err, NT_ERR_USAGE, "there is no option '%s'; see nettop --help", optopt ? letter : word);
}

static enum nt_command command_of(const char *word)
{
	for (int i = 0; word && i < NT_COMMAND_COUNT; i++)
		if (commands[i].name && strcmp(commands[i].name, word) == 0)
			return (enum nt_command)i;
	return NT_COMMAND_WATCH;
}

static enum nt_status take_program(struct nt_options *options, char *const *words, struct nt_error *err)
{
	if (!words[0] || !*words[0])
		return nt_error_set(err, NT_ERR_USAGE, "which program? Say nettop run -- dotnet App.dll");
	options->run_argv = words;
	return NT_OK;
}

enum nt_status nt_options_parse(struct nt_options *options, int argc, char **argv, struct nt_error *err)
{
	struct option long_options[ENTRY_COUNT + 1];
	char short_options[2 * ENTRY_COUNT + 3];
	enum nt_command command = command_of(argc > 1 ? argv[1] : NULL);
	if (command != NT_COMMAND_WATCH) {
		argc--;
		argv++;
	}
	make_tables(command, long_options, short_options);
	*options = (struct nt_options){ .command = command,
					.delay_ns = NT_NS_PER_S,
					.top = 50,
					.rows = 20,
					.source_mask = ~0u,
					.perf_hz = 999,
					.launch.perf_map = true };
	opterr = 0;
	optind = 0; /* glibc: forget an earlier command line */
	for (int value; (value = getopt_long(argc, argv, short_options, long_options, NULL)) != -1;) {
		if (value == ':' || value == '?')
			return not_understood(command, value, argv[optind - 1], err);
		enum nt_status status = apply(options, value, optarg, err);
		if (status != NT_OK)
			return status;
	}
	if (options->show_help || options->show_version)
		return NT_OK;
	if (command == NT_COMMAND_RUN)
		return take_program(options, argv + optind, err);
	if (optind < argc && !options->target)
		options->target = argv[optind++];
	if (optind < argc)
		return nt_error_set(err, NT_ERR_USAGE, "'%s' is one word too many; see nettop --help", argv[optind]);
	bool named = options->target && *options->target;
	if (!named && (command == NT_COMMAND_WATCH || options->target))
		return nt_error_set(err, NT_ERR_USAGE, "which process? Give its pid or name: nettop -p PID");
	return NT_OK;
}

static void put_usage(enum nt_command command, FILE *out)
{
	const struct command *entry = &commands[command];
	fprintf(out, "nettop %s%s%s", entry->name ? entry->name : "", entry->name ? " " : "", entry->arguments);
}

static void put_about(enum nt_command command, FILE *out)
{
	fputs("Usage: ", out);
	put_usage(command, out);
	if (command != NT_COMMAND_WATCH) {
		fprintf(out, "\n%s\n\n", commands[command].help);
		return;
	}
	fputs("\nWatch the inside of a .NET process: CPU by method, collections, JIT, thread pool, locks, exceptions, allocations.\n\n",
	      out);
	for (int i = NT_COMMAND_WATCH + 1; i < NT_COMMAND_COUNT; i++) {
		fputs("       ", out);
		put_usage((enum nt_command)i, out);
		fprintf(out, ": %s\n", commands[i].help);
	}
	fputc('\n', out);
}

void nt_options_help(enum nt_command command, FILE *out)
{
	put_about(command, out);
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		char left[64], letter[8] = "   ";
		if (!(entry->commands & 1u << command))
			continue;
		if (entry->value < 256)
			snprintf(letter, sizeof(letter), "-%c,", entry->value);
		snprintf(left, sizeof(left), "  %s --%s %s", letter, entry->name, entry->argument ? entry->argument : "");
		fprintf(out, "%-30s %s\n", left, entry->help);
	}
	fputs("\nExit status: 0 ok, 1 failure, 2 usage, 3 a prerequisite or permission is missing, 4 the target ended early.\n", out);
}

void nt_options_roff(enum nt_command command, FILE *out)
{
	for (size_t i = 0; i < ENTRY_COUNT; i++) {
		const struct option_entry *entry = &entries[i];
		if (!(entry->commands & 1u << command))
			continue;
		fputs(".TP\n", out);
		if (entry->value < 256)
			fprintf(out, "\\fB\\-%c\\fR, ", entry->value);
		fprintf(out, "\\fB\\-\\-%s\\fR", entry->name);
		if (entry->argument)
			fprintf(out, " \\fI%s\\fR", entry->argument);
		fprintf(out, "\n%s\n", entry->help);
	}
}
