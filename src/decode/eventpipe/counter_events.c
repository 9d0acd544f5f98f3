// SPDX-License-Identifier: GPL-2.0-only
#include "decode/eventpipe/counter_events.h"

#include "base/interner.h"
#include "decode/eventpipe/nettrace_fields.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_BYTES = 2048, FILETIME_NS = 100 };

/* A longer period is damage. */
static const double longest_period_s = 86400;

static nt_str text_of(const struct nt_nettrace_values *values, const char *field, const struct nt_clr_at *at)
{
	char text[TEXT_BYTES];
	size_t length = nt_nettrace_values_text(values, field, text, sizeof(text));
	return nt_interner_str(at->interner, at->batch, text, length);
}

static uint64_t integer_of(const struct nt_nettrace_values *values, const char *field)
{
	const struct nt_clr_value *value = nt_nettrace_values_find(values, field);
	return value && value->type == NT_CLR_INTEGER ? value->u.integer : 0;
}

static struct nt_ev_counter *append(enum nt_counter_kind kind, const struct nt_clr_at *at)
{
	struct nt_ev_counter *counter = &nt_batch_add(at->batch, NT_EV_COUNTER, at->time, at->pid, at->tid)->u.counter;
	counter->kind = kind;
	return counter;
}

/* ---- EventCounters ---- */

static nt_time period_of(const struct nt_nettrace_values *values)
{
	double seconds;
	bool usable = nt_nettrace_values_real(values, "IntervalSec", &seconds) && seconds > 0 && seconds < longest_period_s;
	return usable ? (nt_time)(seconds * (double)NT_NS_PER_S) : 0;
}

/* A mean of nothing is no value. */
static void take_mean(struct nt_ev_counter *counter, const struct nt_nettrace_values *values)
{
	if (!integer_of(values, "Count") || !nt_nettrace_values_real(values, "Mean", &counter->value) || !isfinite(counter->value))
		return;
	counter->known |= NT_COUNTER_VALUE;
	if (nt_nettrace_values_real(values, "Min", &counter->least) && nt_nettrace_values_real(values, "Max", &counter->greatest))
		counter->known |= NT_COUNTER_RANGE;
}

static bool build_event_counter(const struct nt_nettrace_event *event, const struct nt_nettrace_values *values, const struct nt_clr_at *at)
{
	bool is_sum = nt_nettrace_values_find(values, "Increment");
	if (!is_sum && !nt_nettrace_values_find(values, "Mean"))
		return false;
	struct nt_ev_counter *counter = append(is_sum ? NT_COUNTER_INCREMENT : NT_COUNTER_GAUGE, at);
	counter->provider = nt_interner_cstr(at->interner, at->batch, event->meta->provider);
	counter->name = text_of(values, "Name", at);
	counter->display_name = text_of(values, "DisplayName", at);
	counter->unit = text_of(values, "DisplayUnits", at);
	counter->tags = text_of(values, "Metadata", at);
	counter->period_ns = period_of(values);
	if (!is_sum)
		take_mean(counter, values);
	else if (nt_nettrace_values_real(values, "Increment", &counter->change) && isfinite(counter->change))
		counter->known |= NT_COUNTER_CHANGE;
	return true;
}

/* ---- Meters: numbers are texts, in the invariant culture ---- */

static bool parse(const char *text, double *out)
{
	char *end;
	*out = strtod(text, &end);
	return end != text && !*end && isfinite(*out);
}

/* A number, or the text of one. */
static bool number_of(const struct nt_nettrace_values *values, const char *field, double *out)
{
	char text[64];
	if (nt_nettrace_values_real(values, field, out))
		return isfinite(*out);
	return nt_nettrace_values_text(values, field, text, sizeof(text)) && parse(text, out);
}

/* "0.5=3;0.95=41;0.99=120": those that are wanted, or none. Empty when nothing was measured. */
static bool take_quantiles(struct nt_ev_counter *counter, const struct nt_nettrace_values *values)
{
	static const double wanted[] = { 0.5, 0.95, 0.99 };
	double *const places[] = { &counter->p50, &counter->p95, &counter->p99 };
	char text[TEXT_BYTES], *rest = text;
	unsigned found = 0;
	nt_nettrace_values_text(values, "quantiles", text, sizeof(text));
	for (char *item; (item = strsep(&rest, ";"));) {
		double quantile, value;
		char *number = strchr(item, '=');
		if (!number)
			continue;
		*number++ = '\0';
		if (!parse(item, &quantile) || !parse(number, &value))
			continue;
		for (unsigned i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
			if (quantile == wanted[i]) {
				*places[i] = value;
				found |= 1u << i;
			}
	}
	return found == (1u << sizeof(wanted) / sizeof(wanted[0])) - 1;
}

static const struct instrument {
	const char *event;
	enum nt_counter_kind kind;
	const char *change, *value; /* fields; NULL = none */
} instruments[] = {
	{ "CounterRateValuePublished", NT_COUNTER_TOTAL, "rate", "value" },
	{ "UpDownCounterRateValuePublished", NT_COUNTER_UP_DOWN, "rate", "value" },
	{ "GaugeValuePublished", NT_COUNTER_GAUGE, NULL, "lastValue" },
	{ "HistogramValuePublished", NT_COUNTER_HISTOGRAM, "count", "sum" },
};

static void build_instrument(const struct nt_counter_stream *stream, const struct instrument *instrument,
			     const struct nt_nettrace_values *values, const struct nt_clr_at *at)
{
	struct nt_ev_counter *counter = append(instrument->kind, at);
	counter->provider = text_of(values, "meterName", at);
	counter->name = text_of(values, "instrumentName", at);
	counter->unit = text_of(values, "unit", at);
	counter->tags = text_of(values, "tags", at);
	counter->instrument = (uint32_t)integer_of(values, "instrumentId");
	counter->period_ns = stream->period_ns;
	if (instrument->change && number_of(values, instrument->change, &counter->change))
		counter->known |= NT_COUNTER_CHANGE;
	if (number_of(values, instrument->value, &counter->value))
		counter->known |= NT_COUNTER_VALUE;
	if (instrument->kind == NT_COUNTER_HISTOGRAM && take_quantiles(counter, values))
		counter->known |= NT_COUNTER_QUANTILES;
	/* Before .NET 8 only the change is told. */
	if (instrument->kind == NT_COUNTER_TOTAL && !nt_nettrace_values_find(values, instrument->value))
		counter->kind = NT_COUNTER_INCREMENT;
}

/* Which time the values that follow are of. */
static void begin_collection(struct nt_counter_stream *stream, const struct nt_nettrace_values *values)
{
	uint64_t start = integer_of(values, "intervalStartTime"), end = integer_of(values, "intervalEndTime");
	uint64_t length = end > start ? end - start : 0;
	stream->collected = true;
	stream->period_ns = (double)length * FILETIME_NS < longest_period_s * (double)NT_NS_PER_S ? length * FILETIME_NS : 0;
}

/* The runtime keeps only so many time series and histograms, and says once that there are more. */
static bool is_limit(const char *event)
{
	return strcmp(event, "TimeSeriesLimitReached") == 0 || strcmp(event, "HistogramLimitReached") == 0;
}

/* There is one session for Meters in a runtime, and another tool has it. MetricsEventSource.cs */
static const char *refusal_of(const char *event)
{
	static const struct {
		const char *event, *sentence;
	} refusals[] = {
		{ "MultipleSessionsNotSupportedError", "counters of Meters do not come: when they were asked for another tool held the "
						       "runtime's only session for them, and did not share it" },
		{ "MultipleSessionsConfiguredIncorrectlyError",
		  "counters of Meters come as another tool, which shared the runtime's session for "
		  "them when they were asked for, wanted them: at its pace, within its limits" },
	};
	for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
		if (strcmp(event, refusals[i].event) == 0)
			return refusals[i].sentence;
	return NULL;
}

/*
 * All who listen are told, also those who have what another asks for in vain. We ask for the shared session: where that is the running one it is refused to somebody who
 * does not share; and one whose settings differ from those of the running one is called by name.
 */
static bool is_of_another(const struct nt_counter_stream *stream, const struct nt_nettrace_values *values)
{
	char who[2 * NT_METRICS_CLIENT_BYTES];
	if (nt_nettrace_values_text(values, "runningSessionId", who, sizeof(who)))
		return strcmp(who, NT_METRICS_SESSION) == 0;
	return *stream->client && nt_nettrace_values_text(values, "clientId", who, sizeof(who)) && strcmp(who, stream->client) != 0;
}

static bool build_description(const struct nt_nettrace_values *values, const struct nt_clr_at *at)
{
	const struct nt_ev_instrument said = { .provider = text_of(values, "meterName", at),
					       .name = text_of(values, "instrumentName", at),
					       .description = text_of(values, "description", at),
					       .tags = text_of(values, "instrumentTags", at),
					       .meter_tags = text_of(values, "meterTags", at),
					       .number = (uint32_t)integer_of(values, "instrumentId") };
	if (said.name)
		nt_batch_add(at->batch, NT_EV_INSTRUMENT, at->time, at->pid, at->tid)->u.instrument = said;
	return said.name;
}

static bool build_metric(struct nt_counter_stream *stream, const char *event, const struct nt_nettrace_values *values,
			 const struct nt_clr_at *at)
{
	for (size_t i = 0; i < sizeof(instruments) / sizeof(instruments[0]); i++)
		if (strcmp(event, instruments[i].event) == 0) {
			build_instrument(stream, &instruments[i], values, at);
			return true;
		}
	if (strcmp(event, "BeginInstrumentReporting") == 0)
		return build_description(values, at);
	if (strcmp(event, "CollectionStart") == 0)
		begin_collection(stream, values);
	const char *refusal = refusal_of(event);
	if (refusal && is_of_another(stream, values))
		return false;
	if (refusal)
		stream->meters_refused = refusal;
	if (!is_limit(event) && !refusal)
		return false;
	/* Something is left out. */
	append(NT_COUNTER_GAUGE, at)->provider = nt_interner_cstr(at->interner, at->batch, NT_METRICS_PROVIDER);
	return true;
}

static bool is_metric(const struct nt_nettrace_meta *meta)
{
	return strcmp(meta->provider, NT_METRICS_PROVIDER) == 0;
}

bool nt_counter_event_is(const struct nt_nettrace_meta *meta)
{
	return is_metric(meta) || strcmp(meta->name, "EventCounters") == 0;
}

bool nt_counter_event_build(struct nt_counter_stream *stream, const struct nt_nettrace_event *event, const struct nt_clr_at *at)
{
	const struct nt_nettrace_meta *meta = event->meta;
	struct nt_nettrace_values values;
	if (!nt_counter_event_is(meta) || nt_nettrace_values_read(event, &values) != NT_OK)
		return false;
	if (is_metric(meta))
		return build_metric(stream, meta->name, &values, at);
	bool built = build_event_counter(event, &values, at);
	stream->polled |= built;
	return built;
}
