// SPDX-License-Identifier: GPL-2.0-only
#include "source/eventpipe/eventpipe_counters.h"

#include "base/name_list.h"
#include "nettop/counter_providers.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Critical is enough for counters; with a higher level ASP.NET Core would send an event for each request. */
enum { LEVEL_COUNTERS = 1, LEVEL_METRICS = 4 };

/* TimeSeriesValues of MetricsEventSource: the values, without messages for its developers. */
static const uint64_t metrics_keywords = 2;

/* The runtime keeps no more; it says so when there were. */
enum { TIME_SERIES_MAX = 1000, HISTOGRAMS_MAX = 20, REQUEST_HISTOGRAMS_MAX = 100 };

static const nt_time runtime_period_ns = NT_NS_PER_S / 2, least_request_period_ns = NT_NS_PER_S;

static const char *const runtime_sources[] = { "System.Runtime", NULL };

/* Has somebody named it to be left out: -Npgsql? */
static bool is_left_out(const char *names, const char *name)
{
	char word[NT_COUNTER_NAME_BYTES];
	snprintf(word, sizeof(word), "-%s", name);
	return nt_name_list_has(names, word);
}

bool nt_counter_set_has_meters(enum nt_counter_set set)
{
	return set == NT_COUNTERS_OTHERS || set == NT_COUNTERS_REQUESTS;
}

nt_time nt_counter_period(enum nt_counter_set set, bool watched, nt_time interval_ns)
{
	if (set == NT_COUNTERS_REQUESTS)
		return interval_ns > least_request_period_ns ? interval_ns : least_request_period_ns;
	bool is_interval = set != NT_COUNTERS_RUNTIME || (watched && interval_ns < runtime_period_ns);
	return is_interval ? interval_ns : runtime_period_ns;
}

/* Of a provider that is named twice the runtime takes the first entry only. */
static void add_provider(struct nt_counter_request *out, const struct nt_ipc_provider *provider)
{
	for (size_t i = 0; i < out->provider_count; i++)
		if (strcmp(out->providers[i].name, provider->name) == 0)
			return;
	nt_assert(out->provider_count < NT_COUNTER_PROVIDERS_MAX);
	out->providers[out->provider_count++] = *provider;
}

static void add_source(struct nt_counter_request *out, const char *name)
{
	const struct nt_ipc_provider provider = { .name = name, .level = LEVEL_COUNTERS, .arguments = out->period };
	add_provider(out, &provider);
}

void nt_counter_client(char out[NT_METRICS_CLIENT_BYTES])
{
	snprintf(out, NT_METRICS_CLIENT_BYTES, "nettop-%d", (int)getpid());
}

/* Meters that tell of requests are asked for in any case: they stand on the screen of requests, and in its tile. */
static void list_meters(char *out, size_t size, bool all, const char *names)
{
	size_t used = 0;
	const char *name;
	for (size_t i = 0; i < NT_COUNTER_PROVIDERS; i++)
		if (nt_counter_providers[i].meter &&
		    (nt_counter_providers[i].requests || (all && !is_left_out(names, nt_counter_providers[i].name))))
			used += (size_t)snprintf(out + used, size - used, "%s%s", used ? "," : "", nt_counter_providers[i].name);
	for (size_t length; all && (length = nt_name_list_next(&names, &name));)
		if (*name != '-')
			used += (size_t)snprintf(out + used, size - used, "%s%.*s", used ? "," : "", (int)length, name);
}

static void add_metrics(struct nt_counter_request *out, bool all, const char *names, int histograms, double period_s)
{
	/* A shared session stands beside those of other tools; each says who it is. */
	char client[NT_METRICS_CLIENT_BYTES], meters[sizeof(out->metrics) - 512];
	list_meters(meters, sizeof(meters), all, names);
	nt_counter_client(client);
	snprintf(out->metrics, sizeof(out->metrics),
		 "SessionId=" NT_METRICS_SESSION ";Metrics=%s;RefreshInterval=%.3f;MaxTimeSeries=%d;MaxHistograms=%d;ClientId=%s", meters,
		 period_s, TIME_SERIES_MAX, histograms, client);
	const struct nt_ipc_provider provider = {
		.name = NT_METRICS_PROVIDER, .keywords = metrics_keywords, .level = LEVEL_METRICS, .arguments = out->metrics
	};
	add_provider(out, &provider);
}

/* A set's own EventSources are not asked for again: their counters would come twice. */
static bool is_runtime_source(const char *name)
{
	for (size_t i = 0; runtime_sources[i]; i++)
		if (strcmp(runtime_sources[i], name) == 0)
			return true;
	return false;
}

static void add_named(struct nt_counter_request *out, const char *names)
{
	for (size_t count = 0; *names && count < NT_COUNTER_NAMES_MAX; count++) {
		size_t length = strcspn(names, ",");
		snprintf(out->names[count], sizeof(out->names[count]), "%.*s", (int)length, names);
		if (length && *names != '-' && !is_runtime_source(out->names[count]))
			add_source(out, out->names[count]);
		names += length + (names[length] == ',');
	}
}

void nt_counter_request_fill(struct nt_counter_request *out, enum nt_counter_set set, const char *names, nt_time period_ns)
{
	double period_s = (double)period_ns / (double)NT_NS_PER_S;
	names = names ? names : "";
	out->provider_count = 0;
	snprintf(out->period, sizeof(out->period), "EventCounterIntervalSec=%.3f", period_s);
	if (nt_counter_set_has_meters(set))
		add_metrics(out, set == NT_COUNTERS_OTHERS, names, set == NT_COUNTERS_OTHERS ? HISTOGRAMS_MAX : REQUEST_HISTOGRAMS_MAX,
			    period_s);
	for (size_t i = 0; set == NT_COUNTERS_RUNTIME && runtime_sources[i]; i++)
		add_source(out, runtime_sources[i]);
	for (size_t i = 0; set == NT_COUNTERS_OTHERS && i < NT_COUNTER_PROVIDERS; i++)
		if (nt_counter_providers[i].source && !is_left_out(names, nt_counter_providers[i].name))
			add_source(out, nt_counter_providers[i].name);
	if (set == NT_COUNTERS_OTHERS)
		add_named(out, names);
}

static bool is_known(const char *name, size_t length)
{
	for (size_t i = 0; i < NT_COUNTER_PROVIDERS; i++)
		if (strlen(nt_counter_providers[i].name) == length && memcmp(nt_counter_providers[i].name, name, length) == 0)
			return true;
	return false;
}

const char *nt_counter_names_problem(const char *names)
{
	size_t count = 0;
	if (!*names)
		return NULL;
	do {
		size_t length = strcspn(names, ",");
		if (!length)
			return "has an empty name";
		if (length >= NT_COUNTER_NAME_BYTES)
			return "has a name that is too long";
		if (++count > NT_COUNTER_NAMES_MAX)
			return "has more than 16 names";
		if (*names == '-' && !is_known(names + 1, length - 1))
			return "leaves out a name that is not asked for by itself";
		for (size_t i = 0; i < length; i++)
			if (strchr(";=\"", names[i]) || (unsigned char)names[i] < ' ')
				return "has a name with ; = or \" in it, which the runtime would not understand";
		names += length;
	} while (*names++ == ',');
	return NULL;
}
