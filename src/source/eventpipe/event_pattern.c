// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/event_pattern.h"

#include "base/text_buffer.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/clr_shapes.h"
#include "decode/eventpipe/counter_events.h"
#include "decode/eventpipe/request_events.h"
#include "decode/eventpipe/rundown_events.h"
#include "source/eventpipe/eventpipe_plan.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLR          "clr"
#define LOG          "log"
#define LOG_PROVIDER "Microsoft-Extensions-Logging"
#define LOG_EVENT    "FormattedMessage"

enum { ID_DIGITS = 9, LOG_KEYWORD = 4, LEVEL_INFORMATIONAL = 4, LEVEL_VERBOSE = 5 };

/*
 * Keywords by which the runtime does more than tell: a full collection, looks at all objects, lists of all methods. `nettop heap` and the rundown are for those.
 */
#define ACTS (UINT64_C(0x800000) | UINT64_C(0x400000) | UINT64_C(0x100000) | UINT64_C(0x40) | UINT64_C(0x80))

/* Collections, locks, the thread pool, tiers: none of their events up to this level has a text that may be null (doc/EVENTS.md); above, allocations have. */
#define SAFE_OVER_LTTNG (UINT64_C(0x1) | UINT64_C(0x4000) | UINT64_C(0x10000) | UINT64_C(0x1000000000))

/* What would do something to the process, or to other tools, and how nettop does it. */
static const struct {
	const char *provider, *instead;
} elsewhere[] = {
	{ NT_SAMPLER_PROVIDER, "nettop --wall: it stops all threads many times a second" },
	{ NT_RUNDOWN_PROVIDER,
	  "nettop map: the runtime lists what it has at the end of a session that asks for the list, and says nothing else there" },
	{ "lttng", "events over LTTng are named, lttng/GC*, and have neither keywords nor a level" },
	{ NT_METRICS_PROVIDER, "nettop --counters NAME" },
	{ NT_DIAGNOSTIC_SOURCE_PROVIDER, "nettop --requests: without arguments it tells of everything, and all tools share one setting" },
};

static enum nt_status refuse(const char *text, const char *reason, struct nt_error *err)
{
	return nt_error_set(err, NT_ERR_USAGE, "-e '%s': %s; see nettop events --help", text, reason);
}

static bool take_number(const char **at, uint64_t *out)
{
	char *end;
	if (!isxdigit((unsigned char)**at) && **at != '-')
		return false;
	*out = strtoull(*at, &end, 0);
	bool taken = end != *at && (*end == '\0' || *end == ':');
	*at = end;
	return taken;
}

/* `log`, or `log:CATEGORY=LEVEL;...`: Microsoft.Extensions.Logging.EventSource. */
static enum nt_status parse_log(const char *text, struct nt_event_pattern *out, struct nt_error *err)
{
	static const char begin[] = "FilterSpecs=";
	const char *filters = text[sizeof(LOG) - 1] == ':' ? text + sizeof(LOG) : "";
	size_t length = strlen(filters);
	if (text[sizeof(LOG) - 1] == ':' && !length)
		return refuse(text, "no category; log:Shop.Checkout=Debug", err);
	if (length + sizeof(begin) + 16 > sizeof(out->arguments))
		return refuse(text, "too many categories", err);
	snprintf(out->provider, sizeof(out->provider), "%s", LOG_PROVIDER);
	snprintf(out->event, sizeof(out->event), "%s", LOG_EVENT);
	/* Of what it does not name, nothing; the program's own filters are for who names none. */
	snprintf(out->arguments, sizeof(out->arguments), "%s%s%s", begin, filters, length ? ";Default:None" : "UseAppFilters");
	for (char *at = out->arguments + sizeof(begin) - 1; (at = strchr(at, '=')); at++)
		*at = ':';
	out->keywords = LOG_KEYWORD;
	out->level = LEVEL_VERBOSE;
	out->is_log = true;
	return NT_OK;
}

static enum nt_status take_names(const char *text, const char **rest, struct nt_event_pattern *out, struct nt_error *err)
{
	size_t names = strcspn(text, ":"), provider = strcspn(text, "/:");
	size_t event = provider < names ? names - provider - 1 : 0;
	if (!provider || provider >= sizeof(out->provider) || event >= sizeof(out->event) || (provider < names && !event))
		return refuse(text, "no name of a provider, or none of an event behind the /", err);
	if (memchr(text, '*', provider))
		return refuse(text, "the provider has to be named whole; the names of events may have *", err);
	memcpy(out->provider, text, provider);
	memcpy(out->event, event ? text + provider + 1 : "*", event ? event : 1);
	out->by_id = out->event[strspn(out->event, "0123456789")] == '\0' && strlen(out->event) <= ID_DIGITS;
	out->id = out->by_id ? (uint32_t)strtoul(out->event, NULL, 10) : 0;
	/* Nothing but that comes, whatever the level. */
	out->level = out->by_id ? LEVEL_VERBOSE : out->level;
	*rest = text + names;
	return NT_OK;
}

static bool is_meant(const struct nt_event_pattern *pattern, const char *event, uint32_t id)
{
	return pattern->by_id ? pattern->id == id : fnmatch(pattern->event, event, 0) == 0;
}

/* The runtime's own: what brings the events of these names. */
static enum nt_status take_shapes(const char *text, struct nt_event_pattern *out, struct nt_error *err)
{
	size_t found = 0, acting = 0;
	uint64_t keywords = 0;
	uint32_t level = 1;
	for (size_t i = 0; i < nt_clr_shape_count; i++) {
		const struct nt_clr_shape *shape = &nt_clr_shapes[i];
		if (!is_meant(out, shape->name, shape->id))
			continue;
		found++;
		/* Of several any brings it: those that act are not needed where there is another one. */
		uint64_t harmless = shape->keywords & ~ACTS;
		acting += shape->keywords && !harmless;
		keywords |= harmless;
		if ((shape->keywords == 0 || harmless) && shape->level > level)
			level = shape->level;
	}
	if (!found)
		return refuse(text, "the runtime has no event of this name", err);
	if (found == acting)
		return refuse(text, "the runtime collects, or lists all it has, to tell that: nettop heap, nettop map", err);
	out->keywords = keywords;
	out->level = level;
	return NT_OK;
}

static enum nt_status take_settings(const char *text, const char *rest, struct nt_event_pattern *out, struct nt_error *err)
{
	uint64_t level;
	if (*rest == ':' && (rest++, !take_number(&rest, &out->keywords)))
		return refuse(text, "behind the first : there have to be keywords, a number (0x2; -1: all)", err);
	if (*rest == ':') {
		rest++;
		if (!take_number(&rest, &level) || level > LEVEL_VERBOSE)
			return refuse(text, "behind the second : there has to be a level, 0 to 5", err);
		out->level = (uint32_t)level;
	}
	if (*rest == ':') {
		if (strlen(++rest) >= sizeof(out->arguments))
			return refuse(text, "too many arguments", err);
		strcpy(out->arguments, rest);
	}
	return NT_OK;
}

enum nt_status nt_event_pattern_parse(const char *text, struct nt_event_pattern *out, struct nt_error *err)
{
	const char *rest = text;
	*out = (struct nt_event_pattern){ .keywords = UINT64_MAX, .level = LEVEL_INFORMATIONAL };
	if (strcmp(text, LOG) == 0 || strncmp(text, LOG ":", sizeof(LOG)) == 0)
		return parse_log(text, out, err);
	enum nt_status status = take_names(text, &rest, out, err);
	if (status != NT_OK)
		return status;
	bool is_clr = strcmp(out->provider, CLR) == 0 || strcmp(out->provider, NT_CLR_PROVIDER) == 0;
	for (size_t i = 0; i < sizeof(elsewhere) / sizeof(elsewhere[0]); i++)
		if (strcmp(out->provider, elsewhere[i].provider) == 0)
			return refuse(text, elsewhere[i].instead, err);
	if (is_clr) {
		snprintf(out->provider, sizeof(out->provider), "%s", NT_CLR_PROVIDER);
		status = take_shapes(text, out, err);
	}
	if (status == NT_OK)
		status = take_settings(text, rest, out, err);
	if (status == NT_OK && is_clr && out->keywords & ACTS)
		return refuse(text, "the runtime collects, or lists all it has, with these keywords: nettop heap, nettop map", err);
	return status;
}

bool nt_event_pattern_leaves_out_levels(const struct nt_event_pattern *pattern)
{
	return pattern->level < LEVEL_VERBOSE && strcmp(pattern->provider, NT_CLR_PROVIDER) != 0;
}

bool nt_event_pattern_has(const struct nt_event_pattern *pattern, const char *provider, const char *event, uint32_t id)
{
	return strcmp(pattern->provider, provider) == 0 && is_meant(pattern, event, id);
}

enum nt_status nt_event_patterns_choose(const char *const *sources, size_t source_count, const char *const *names, size_t name_count,
					char *out[NT_EVENT_PATTERNS_MAX], size_t *out_count, struct nt_error *err)
{
	static const char *const runtime[] = { CLR }, *const all[] = { "*" };
	*out_count = 0;
	if (!source_count && name_count) {
		sources = runtime;
		source_count = 1;
	}
	if (!name_count) {
		names = all;
		name_count = 1;
	}
	for (size_t i = 0; i < source_count; i++)
		for (size_t k = 0; k < name_count; k++) {
			if (*out_count == NT_EVENT_PATTERNS_MAX)
				return nt_error_set(err, NT_ERR_USAGE,
						    "%zu of --event-source with %zu of --event-name are too many: at most %d at once",
						    source_count, name_count, NT_EVENT_PATTERNS_MAX);
			struct nt_text_buffer text = { 0 };
			nt_text_put(&text, sources[i]);
			nt_text_put_char(&text, '/');
			nt_text_put(&text, names[k]);
			out[(*out_count)++] = nt_text_buffer_take(&text);
		}
	return NT_OK;
}

/* ---- the request ---- */

/* Each once: of a filter that has one twice .NET 10 makes none at all. */
static void add_id(struct nt_event_request *out, struct nt_ipc_provider *provider, uint32_t id)
{
	for (size_t i = 0; i < provider->filter_count; i++)
		if (provider->filter_ids[i] == id)
			return;
	if (out->id_count == NT_EVENT_IDS_MAX)
		return;
	out->ids[out->id_count++] = id;
	provider->filter_count++;
}

/* The filter of a provider of which single events are wanted, by all patterns that name it. */
static void add_filter(const struct nt_event_pattern *patterns, size_t count, struct nt_ipc_provider *provider,
		       struct nt_event_request *out)
{
	enum { FIRST_OF_COLLECTIONS = 1 /* without it .NET 10 tells nothing of a collection */ };
	bool is_clr = strcmp(provider->name, NT_CLR_PROVIDER) == 0;
	for (size_t i = 0; i < count && !is_clr; i++)
		if (strcmp(patterns[i].provider, provider->name) == 0 && !patterns[i].by_id)
			return; /* of others nettop does not know the numbers of the names */
	provider->filter = NT_IPC_FILTER_ONLY;
	provider->filter_ids = out->ids + out->id_count;
	if (is_clr)
		add_id(out, provider, FIRST_OF_COLLECTIONS);
	for (size_t i = 0; i < count; i++) {
		const struct nt_event_pattern *pattern = &patterns[i];
		if (strcmp(pattern->provider, provider->name) != 0)
			continue;
		if (pattern->by_id)
			add_id(out, provider, pattern->id);
		for (size_t k = 0; is_clr && k < nt_clr_shape_count; k++)
			if (is_meant(pattern, nt_clr_shapes[k].name, nt_clr_shapes[k].id))
				add_id(out, provider, nt_clr_shapes[k].id);
	}
}

static struct nt_ipc_provider *provider_of(struct nt_event_request *out, const char *name)
{
	for (size_t i = 0; i < out->count; i++)
		if (strcmp(out->providers[i].name, name) == 0)
			return &out->providers[i];
	out->providers[out->count] = (struct nt_ipc_provider){ .name = name };
	return &out->providers[out->count++];
}

enum nt_status nt_event_request_make(const struct nt_event_pattern *patterns, size_t count, struct nt_event_request *out,
				     struct nt_error *err)
{
	*out = (struct nt_event_request){ .count = 0 };
	for (size_t i = 0; i < count; i++) {
		const struct nt_event_pattern *pattern = &patterns[i];
		struct nt_ipc_provider *provider = provider_of(out, pattern->provider);
		if (*pattern->arguments && provider->arguments && strcmp(provider->arguments, pattern->arguments) != 0)
			return nt_error_set(err, NT_ERR_USAGE, "-e names %s twice with other arguments: it takes those of one",
					    pattern->provider);
		if (*pattern->arguments)
			provider->arguments = pattern->arguments;
		provider->keywords |= pattern->keywords;
		provider->level = pattern->level > provider->level ? pattern->level : provider->level;
	}
	for (size_t i = 0; i < out->count; i++)
		add_filter(patterns, count, &out->providers[i], out);
	return NT_OK;
}

const struct nt_event_pattern *nt_event_patterns_harmful(const struct nt_event_pattern *patterns, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct nt_event_pattern *pattern = &patterns[i];
		bool is_clr = strcmp(pattern->provider, NT_CLR_PROVIDER) == 0;
		bool is_beside = !is_clr && strncmp(pattern->provider, NT_CLR_PROVIDER, sizeof(NT_CLR_PROVIDER) - 1) == 0;
		if (is_beside || (is_clr && (pattern->keywords & ~SAFE_OVER_LTTNG || pattern->level > LEVEL_INFORMATIONAL)))
			return pattern;
	}
	return NULL;
}
