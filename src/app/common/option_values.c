// SPDX-License-Identifier: GPL-2.0-only
#include "app/common/option_values.h"

#include "app/common/sort_option.h"

#include "source/eventpipe/eventpipe_counters.h"

#include <ctype.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what sets one member ---- */

enum kind { FLAG, TEXT, COUNT, SECONDS, MINUTES, BYTES };

/* Where an option's value goes, by kind: bool, const char *, uint64_t, nt_time twice, uint64_t. */
static const struct member {
	int option;
	enum kind kind;
	size_t offset;
	double least, most; /* of a number */
	const char *range;  /* the same, for people */
} members[] = {
#define AT(member) offsetof(struct nt_options, member)
	{ 'p', TEXT, AT(target), 0, 0, NULL },
	{ 'd', SECONDS, AT(delay_ns), 0.1, 3600, "0.1 to 3600 (seconds)" },
	{ 'n', COUNT, AT(interval_count), 1, UINT32_MAX, "1 up" },
	{ OPT_DURATION, SECONDS, AT(duration_ns), 0.1, 1e6, "0.1 to 1000000 (seconds)" },
	{ OPT_TOP, COUNT, AT(top), 0, 1000000, "0 to 1000000" },
	{ OPT_ROWS, COUNT, AT(rows), 0, 10000, "0 to 10000" },
	{ 'F', COUNT, AT(perf_hz), 1, 10000, "1 to 10000 (samples per second)" },
	{ OPT_MAX_TARGET_COST, COUNT, AT(max_target_cost_pct), 1, 100, "1 to 100 (percent)" },
	{ OPT_SESSION, TEXT, AT(lttng_session), 0, 0, NULL },
	{ OPT_RELAY, TEXT, AT(relay), 0, 0, NULL },
	{ OPT_STACKS, FLAG, AT(event_stacks), 0, 0, NULL },
	{ OPT_ALLOC, FLAG, AT(want_alloc), 0, 0, NULL },
	{ OPT_CATCHES, FLAG, AT(want_catches), 0, 0, NULL },
	{ OPT_CALLS, FLAG, AT(want_calls), 0, 0, NULL },
	{ OPT_REQUESTS, FLAG, AT(want_requests), 0, 0, NULL },
	{ OPT_JIT_CALLERS, FLAG, AT(want_jit_callers), 0, 0, NULL },
	{ OPT_POOL_ITEMS, FLAG, AT(want_pool_items), 0, 0, NULL },
	{ OPT_REQUEST_CPU, FLAG, AT(want_request_cpu), 0, 0, NULL },
	{ OPT_NO_PAYLOAD, FLAG, AT(no_payload), 0, 0, NULL },
	{ OPT_WAITS, FLAG, AT(want_waits), 0, 0, NULL },
	{ OPT_WALL, FLAG, AT(want_wall), 0, 0, NULL },
	{ OPT_ALL_TIME, FLAG, AT(all_time), 0, 0, NULL },
	{ OPT_NATIVE, FLAG, AT(native), 0, 0, NULL },
	{ OPT_YES, FLAG, AT(yes), 0, 0, NULL },
	{ OPT_HELD, FLAG, AT(held), 0, 0, NULL },
	{ OPT_PATHS, TEXT, AT(paths_of), 0, 0, NULL },
	{ OPT_IN, TEXT, AT(dump_folder), 0, 0, NULL },
	{ OPT_SSH, TEXT, AT(ssh_host), 0, 0, NULL },
	{ OPT_LISTEN, TEXT, AT(listen), 0, 0, NULL },
	{ OPT_OTLP, TEXT, AT(otlp), 0, 0, NULL },
	{ OPT_READONLY, FLAG, AT(readonly), 0, 0, NULL },
	{ OPT_NO_RUNDOWN, FLAG, AT(no_rundown), 0, 0, NULL },
	{ OPT_MAP, FLAG, AT(want_map), 0, 0, NULL },
	{ OPT_MAX_MAP, BYTES, AT(max_map_bytes), 0, 1e12, "0 to 1000G (bytes; K, M and G are steps of 1024)" },
	{ OPT_LIMIT, BYTES, AT(limit_bytes), 0, 1e15, "0 to 1000000G (bytes; K, M and G are steps of 1024)" },
	{ OPT_FLIGHT, MINUTES, AT(flight_ns), 0.01, 1440, "0.01 to 1440 (minutes)" },
	{ OPT_PROCESS, TEXT, AT(replay_process), 0, 0, NULL },
	{ OPT_PERF_MAP, TEXT, AT(replay_names), 0, 0, NULL },
	{ OPT_SPEED, COUNT, AT(speed), 1, 1000, "1 to 1000 (times as fast as it was; slower: key ,)" },
	{ OPT_EXCEPTIONS, FLAG, AT(exceptions), 0, 0, NULL },
	{ OPT_ASCII, FLAG, AT(ascii), 0, 0, NULL },
	{ OPT_SLOW, FLAG, AT(slow), 0, 0, NULL },
	{ OPT_MOUSE, FLAG, AT(mouse), 0, 0, NULL },
	{ OPT_NO_CONFIG, FLAG, AT(no_config), 0, 0, NULL },
	{ OPT_CHECK_REPLAY, FLAG, AT(check_replay), 0, 0, NULL },
	{ OPT_BRIDGE, TEXT, AT(launch.bridge_dir), 0, 0, NULL },
	{ OPT_COMPARE, TEXT, AT(compare_path), 0, 0, NULL },
	{ OPT_REPEAT, COUNT, AT(repeat), 1, 1000, "1 to 1000 (runs)" },
	{ OPT_ALL, FLAG, AT(all), 0, 0, NULL },
	{ OPT_CGROUP, TEXT, AT(cgroup), 0, 0, NULL },
	{ OPT_CHILDREN, FLAG, AT(follow_children), 0, 0, NULL },
	{ 'o', TEXT, AT(output_path), 0, 0, NULL },
	{ OPT_SERVER, TEXT, AT(server), 0, 0, NULL },
	{ OPT_SYMFS, TEXT, AT(symfs_path), 0, 0, NULL },
	{ OPT_CORE, TEXT, AT(core_path), 0, 0, NULL },
	{ OPT_REPLAY, TEXT, AT(replay_path), 0, 0, NULL },
	{ 'h', FLAG, AT(show_help), 0, 0, NULL },
	{ 'V', FLAG, AT(show_version), 0, 0, NULL },
#undef AT
};

static bool parse_time(const char *text, const struct member *member, nt_time unit_ns, nt_time *out)
{
	char *end;
	double value = strtod(text, &end);
	if (end == text || *end || !isfinite(value) || value < member->least || value > member->most)
		return false;
	*out = (nt_time)(value * (double)unit_ns);
	return true;
}

static bool parse_count(const char *text, const struct member *member, uint64_t *out)
{
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	if (!isdigit((unsigned char)text[0]) || *end || (double)value < member->least || (double)value > member->most)
		return false;
	*out = value;
	return true;
}

static bool parse_bytes(const char *text, const struct member *member, uint64_t *out)
{
	static const char units[] = "KMG";
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	const char *unit = *end ? strchr(units, toupper((unsigned char)*end)) : NULL;
	unsigned shift = unit ? 10 * (unsigned)(unit - units + 1) : 0;
	if (!isdigit((unsigned char)text[0]) || end[unit != NULL] || (double)value * (double)(1ull << shift) > member->most)
		return false;
	*out = value << shift;
	return true;
}

static enum nt_status set_member(struct nt_options *options, const struct member *member, const char *name, const char *text,
				 struct nt_error *err)
{
	void *place = (char *)options + member->offset;
	bool valid = true;
	switch (member->kind) {
	case FLAG:
		*(bool *)place = true;
		break;
	case TEXT:
		*(const char **)place = text;
		break;
	case COUNT:
		valid = parse_count(text, member, place);
		break;
	case BYTES:
		valid = parse_bytes(text, member, place);
		break;
	case SECONDS:
		valid = parse_time(text, member, NT_NS_PER_S, place);
		break;
	case MINUTES:
		valid = parse_time(text, member, 60 * NT_NS_PER_S, place);
		break;
	}
	return valid ? NT_OK : nt_error_set(err, NT_ERR_USAGE, "--%s '%s' is not a number from %s", name, text, member->range);
}

/* ---- the others ---- */

static enum nt_status parse_sources(const char *text, unsigned *mask, struct nt_error *err)
{
	static const enum nt_source_id choices[] = { NT_SOURCE_PROCFS,    NT_SOURCE_PERF,    NT_SOURCE_LTTNG,
						     NT_SOURCE_EVENTPIPE, NT_SOURCE_CODEMAP, NT_SOURCE_RUNTIME };
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
			return nt_error_set(err, NT_ERR_USAGE,
					    "--source: there is no source '%.*s'; use perf, lttng, eventpipe, runtime or map", (int)length,
					    text);
		text += length;
	} while (*text++ == ',');
	/* Samples and call stacks without names help nobody. */
	if (*mask & (1u << NT_SOURCE_PERF | 1u << NT_SOURCE_RUNTIME))
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

static enum nt_status parse_preferred(const char *text, bool *eventpipe, struct nt_error *err)
{
	*eventpipe = strcmp(text, "eventpipe") == 0;
	if (!*eventpipe && strcmp(text, "lttng") != 0)
		return nt_error_set(err, NT_ERR_USAGE, "--prefer '%s' is not known; use lttng or eventpipe", text);
	return NT_OK;
}

static enum nt_status parse_env_format(const char *text, enum nt_env_format *format, struct nt_error *err)
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

static enum nt_status parse_report_format(const char *text, enum nt_output_mode *output, struct nt_error *err)
{
	static const char *const names[] = {
		[NT_OUTPUT_TEXT] = "text", [NT_OUTPUT_JSON] = "json", [NT_OUTPUT_MARKDOWN] = "markdown", [NT_OUTPUT_HTML] = "html"
	};
	for (size_t i = NT_OUTPUT_TEXT; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*output = (enum nt_output_mode)i;
			return NT_OK;
		}
	}
	return nt_error_set(err, NT_ERR_USAGE, "--format '%s' is not known; use text, markdown, html or json", text);
}

static enum nt_status parse_diff_format(const char *text, enum nt_output_mode *output, struct nt_error *err)
{
	*output = strcmp(text, "json") == 0 ? NT_OUTPUT_JSON : strcmp(text, "flamegraph") == 0 ? NT_OUTPUT_FLAMEGRAPH : NT_OUTPUT_TEXT;
	if (*output != NT_OUTPUT_TEXT || strcmp(text, "text") == 0)
		return NT_OK;
	return nt_error_set(err, NT_ERR_USAGE, "--format '%s' is not known; use text, json or flamegraph", text);
}

/* Counters are asked for by who wants nothing else. */
static enum nt_status parse_show_format(const char *text, struct nt_options *options, struct nt_error *err)
{
	static const struct {
		const char *name;
		enum nt_output_mode output;
	} formats[] = { { "text", NT_OUTPUT_TEXT },
			{ "json", NT_OUTPUT_JSON },
			{ "counters-csv", NT_OUTPUT_COUNTERS_CSV },
			{ "counters-json", NT_OUTPUT_COUNTERS_JSON } };
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++)
		if (strcmp(text, formats[i].name) == 0) {
			options->output = formats[i].output;
			return NT_OK;
		}
	return nt_error_set(err, NT_ERR_USAGE, "--format '%s' is not known; use text, json, counters-csv or counters-json", text);
}

static bool has_format(const struct nt_options *options, enum nt_stacks_format format)
{
	for (size_t i = 0; i < options->stacks_format_count; i++)
		if (options->stacks_formats[i] == format)
			return true;
	return false;
}

static enum nt_status parse_stacks_formats(const char *text, struct nt_options *options, struct nt_error *err)
{
	for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char name[32];
		size_t length = strcspn(at, ",");
		snprintf(name, sizeof(name), "%.*s", (int)length, at);
		enum nt_stacks_format format = nt_stacks_format_of(name);
		if (format == NT_STACKS_AS_COUNT)
			return nt_error_set(err, NT_ERR_USAGE,
					    "--format '%.*s' is not known; use folded, flamegraph, speedscope, pprof or perf-script",
					    (int)length, at);
		if (!has_format(options, format))
			options->stacks_formats[options->stacks_format_count++] = format;
	}
	return NT_OK;
}

static enum nt_status parse_export_format(const char *text, const struct nt_export_format **out, struct nt_error *err)
{
	char names[128] = "";
	const struct nt_export_format *format;
	*out = nt_export_format_called(text);
	if (*out)
		return NT_OK;
	for (size_t i = 0, length = 0; (format = nt_export_format_at(i)) && length < sizeof(names); i++)
		length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s", i ? ", " : "", format->name);
	return nt_error_set(err, NT_ERR_USAGE, "--format '%s' is not known; use one of %s", text, names);
}

/* Each command has its own. */
static enum nt_status parse_format(const char *text, struct nt_options *options, struct nt_error *err)
{
	switch (options->command) {
	case NT_COMMAND_STACKS:
		return parse_stacks_formats(text, options, err);
	case NT_COMMAND_DIFF:
		return parse_diff_format(text, &options->output, err);
	case NT_COMMAND_EXPORT:
		return parse_export_format(text, &options->export_format, err);
	case NT_COMMAND_REPORT:
		return parse_report_format(text, &options->output, err);
	case NT_COMMAND_WATCH:
	case NT_COMMAND_RUN:
		return parse_show_format(text, options, err);
	default:
		return parse_env_format(text, &options->env_format, err);
	}
}

/* Paths of libraries may have commas as little as names of functions. */
static enum nt_status parse_moments(const char *text, struct nt_options *options, struct nt_error *err)
{
	options->list_moments |= strcmp(text, "list") == 0;
	for (const char *at = text; !options->list_moments && at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		if (options->moment_count == NT_MOMENTS_ASKED_MAX)
			return nt_error_set(err, NT_ERR_USAGE, "-e '%s' is one too many: at most %d at once", at, NT_MOMENTS_ASKED_MAX);
		enum nt_status status = nt_moment_parse(at, strcspn(at, ","), &options->moments[options->moment_count], err);
		if (status != NT_OK)
			return status;
		for (size_t i = 0; i < options->moment_count; i++)
			if (strcmp(options->moments[i].word, options->moments[options->moment_count].word) == 0)
				return nt_error_set(err, NT_ERR_USAGE, "-e '%s' is asked for twice", options->moments[i].word);
		options->moment_count++;
	}
	return NT_OK;
}

static enum nt_status parse_call_graph(const char *text, enum nt_call_graph *call_graph, struct nt_error *err)
{
	static const char *const names[] = { [NT_CALL_GRAPH_FP] = "fp", [NT_CALL_GRAPH_LEAF] = "leaf", [NT_CALL_GRAPH_HYBRID] = "hybrid" };
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(text, names[i]) == 0) {
			*call_graph = (enum nt_call_graph)i;
			return NT_OK;
		}
	}
	return nt_error_set(err, NT_ERR_USAGE, "--call-graph '%s' is not known; use fp, leaf or hybrid", text);
}

static enum nt_status parse_during(const char *text, enum nt_pause_side *during, struct nt_error *err)
{
	static const char *const names[NT_PAUSE_SIDES] = { [NT_IN_PAUSES] = "gc-pauses", [NT_OUTSIDE_PAUSES] = "outside" };
	for (int side = NT_IN_PAUSES; side < NT_PAUSE_SIDES; side++) {
		if (strcmp(text, names[side]) == 0) {
			*during = (enum nt_pause_side)side;
			return NT_OK;
		}
	}
	return nt_error_set(err, NT_ERR_USAGE, "--during '%s' is not known; use gc-pauses or outside", text);
}

/* methods=500,ms=200: either, in any order, once each. */
static enum nt_status parse_limits(const char *text, struct nt_jit_limits *limits, struct nt_error *err)
{
	static const struct {
		const char *name;
		size_t offset;
	} choices[] = { { "methods=", offsetof(struct nt_jit_limits, methods) }, { "ms=", offsetof(struct nt_jit_limits, ms) } };
	static const struct member number = { .least = 0, .most = 1e12 };
	*limits = (struct nt_jit_limits){ 0 };
	for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
		char digits[24];
		bool valid = false;
		for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
			size_t length = strlen(choices[i].name);
			struct nt_u64 *limit = (void *)((char *)limits + choices[i].offset);
			if (strncmp(at, choices[i].name, length) != 0 || limit->known)
				continue;
			snprintf(digits, sizeof(digits), "%.*s", (int)strcspn(at + length, ","), at + length);
			valid = limit->known = parse_count(digits, &number, &limit->v);
		}
		if (!valid)
			return nt_error_set(err, NT_ERR_USAGE, "--fail-above '%s' is no limit; use methods=N, ms=N or methods=N,ms=N",
					    text);
	}
	return NT_OK;
}

static enum nt_status parse_counters(const char *text, const char **names, struct nt_error *err)
{
	const char *problem = nt_counter_names_problem(text);
	if (problem)
		return nt_error_set(err, NT_ERR_USAGE, "--counters '%s' %s; use NAME,NAME", text, problem);
	*names = text;
	return NT_OK;
}

static enum nt_status add_trigger(const char *text, struct nt_options *options, struct nt_error *err)
{
	if (options->trigger_count == NT_TRIGGERS_MAX)
		return nt_error_set(err, NT_ERR_USAGE, "--on '%s' is one too many: at most %d at once", text, NT_TRIGGERS_MAX);
	return nt_trigger_parse(text, &options->triggers[options->trigger_count++], err);
}

/* The one condition that people ask for by its own name: --on 'gc.pause>MS=mark,bell'. */
static enum nt_status add_gc_pause(const char *text, struct nt_options *options, struct nt_error *err)
{
	enum { DIGITS_MAX = 12 };
	char condition[sizeof("gc.pause>ms=mark,bell") + DIGITS_MAX];
	char *end;
	strtod(text, &end);
	if (strspn(text, "0123456789.") != strlen(text) || strlen(text) > DIGITS_MAX || end == text || *end)
		return nt_error_set(err, NT_ERR_USAGE, "--gc-pause '%s' is no number of milliseconds (--gc-pause 200)", text);
	snprintf(condition, sizeof(condition), "gc.pause>%sms=mark,bell", text);
	return add_trigger(condition, options, err);
}

static enum nt_status add_text(const char *option, const char *text, const char *texts[NT_EVENT_PATTERNS_MAX], size_t *count,
			       struct nt_error *err)
{
	if (*count == NT_EVENT_PATTERNS_MAX)
		return nt_error_set(err, NT_ERR_USAGE, "%s '%s' is one too many: at most %d at once", option, text, NT_EVENT_PATTERNS_MAX);
	texts[(*count)++] = text;
	return NT_OK;
}

static enum nt_status add_event(const char *text, struct nt_options *options, struct nt_error *err)
{
	return add_text("-e", text, options->events, &options->event_count, err);
}

/* What a program is started with has one of each, for LTTng. */
static enum nt_status take_event_source(const char *text, struct nt_options *options, struct nt_error *err)
{
	if (options->command == NT_COMMAND_EVENTS || options->command == NT_COMMAND_WATCH)
		return add_text("--event-source", text, options->event_sources, &options->event_source_count, err);
	options->launch.event_source = text;
	return NT_OK;
}

static enum nt_status take_event_name(const char *text, struct nt_options *options, struct nt_error *err)
{
	if (options->command == NT_COMMAND_EVENTS || options->command == NT_COMMAND_WATCH)
		return add_text("--event-name", text, options->event_names, &options->event_name_count, err);
	options->launch.event_name = text;
	return NT_OK;
}

static enum nt_status parse_dump_kind(const char *text, enum nt_dump_kind *kind, struct nt_error *err)
{
	for (unsigned i = 0; i < NT_DUMP_KIND_COUNT; i++)
		if (strcmp(text, nt_dump_kind_name(i)) == 0) {
			*kind = (enum nt_dump_kind)i;
			return NT_OK;
		}
	return nt_error_set(err, NT_ERR_USAGE, "'%s' is no type of dump; there are full, heap, mini, triage and report", text);
}

static enum nt_status parse_when(const char *name, const char *text, struct nt_when *when, struct nt_error *err)
{
	return nt_when_parse(text, when)
		       ? NT_OK
		       : nt_error_set(err, NT_ERR_USAGE,
				      "--%s '%s' is no time; use +SEC (since the begin), HH:MM:SS or YYYY-MM-DDTHH:MM:SS", name, text);
}

/* Words with commas between them. */
static enum nt_status parse_with(const char *text, unsigned *with, struct nt_error *err)
{
	static const struct {
		const char *word;
		unsigned demand;
	} words[] = {
		{ "samples", NT_WANT_CPU_SAMPLES },
		{ "requests", NT_WANT_REQUESTS },
		{ "jit", NT_WANT_JIT_EVENTS },
		{ "allocations", NT_WANT_ALLOC_SAMPLES },
	};
	for (size_t length; *text; text += length + (text[length] == ',')) {
		length = strcspn(text, ",");
		size_t i = 0, count = sizeof(words) / sizeof(words[0]);
		while (i < count && (strlen(words[i].word) != length || strncmp(words[i].word, text, length) != 0))
			i++;
		if (i == count)
			return nt_error_set(err, NT_ERR_USAGE,
					    "--with '%.*s' is not known; there are samples, requests, jit and allocations", (int)length,
					    text);
		*with |= words[i].demand;
	}
	return NT_OK;
}

enum nt_status nt_option_set(struct nt_options *options, int option, const char *name, const char *text, struct nt_error *err)
{
	switch (option) {
	case 'b':
		if (options->output == NT_OUTPUT_SCREEN) /* --json and --format say how, wherever they stand */
			options->output = NT_OUTPUT_TEXT;
		return NT_OK;
	case OPT_PLAIN:
		options->plain = true;
		return nt_option_set(options, 'b', name, NULL, err);
	case OPT_JSON:
		options->output = NT_OUTPUT_JSON;
		return NT_OK;
	case OPT_SOURCE:
		return parse_sources(text, &options->source_mask, err);
	case OPT_COUNTERS:
		return parse_counters(text, &options->counters, err);
	case 'f':
		return parse_format(text, options, err);
	case 'e':
		return options->command == NT_COMMAND_EVENTS ? add_event(text, options, err) : parse_moments(text, options, err);
	case OPT_EVENT_SOURCE:
		return take_event_source(text, options, err);
	case OPT_EVENT_NAME:
		return take_event_name(text, options, err);
	case OPT_OFF_CPU:
		return parse_moments(NT_MOMENT_WAIT_WORD, options, err);
	case OPT_DURING:
		return parse_during(text, &options->during, err);
	case OPT_CALL_GRAPH:
		return parse_call_graph(text, &options->call_graph, err);
	case OPT_FAIL_ABOVE:
		return parse_limits(text, &options->jit_limits, err);
	case OPT_PREFER:
		return parse_preferred(text, &options->prefer_eventpipe, err);
	case OPT_ON:
		return add_trigger(text, options, err);
	case OPT_GC_PAUSE:
		return add_gc_pause(text, options, err);
	case OPT_AS:
		options->as_gc_log = strcmp(text, "gclog") == 0;
		return options->as_gc_log ? NT_OK : nt_error_set(err, NT_ERR_USAGE, "--as '%s' is not known; there is gclog", text);
	case OPT_THEME:
		options->theme_given = true;
		return nt_theme_parse(text, &options->theme, err);
	case OPT_WITH:
		return parse_with(text, &options->with, err);
	case OPT_SORT:
		return nt_sort_option(text, options->sorts, err);
	case OPT_TYPE:
		return parse_dump_kind(text, &options->dump_kind, err);
	case OPT_FROM:
		return parse_when(name, text, &options->from, err);
	case OPT_TO:
		return parse_when(name, text, &options->to, err);
	case OPT_BEFORE_FROM:
		return parse_when(name, text, &options->before_from, err);
	case OPT_BEFORE_TO:
		return parse_when(name, text, &options->before_to, err);
	case OPT_EVENTS:
		return parse_events(text, &options->launch.full, err);
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(members[0]); i++)
		if (members[i].option == option)
			return set_member(options, &members[i], name, text, err);
	return NT_ERR_USAGE;
}
