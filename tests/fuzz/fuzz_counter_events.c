// SPDX-License-Identifier: GPL-2.0-only
/* Input: which event, as a byte, then its payload. */
#include "fuzz.h"

#include "base/interner.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/counter_events.h"

#include <math.h>

enum { EVENTS = 6, FIELDS = 12 };

#define TEXT(text)                                                                                                                         \
	{                                                                                                                                  \
		.name = (text), .type = NT_NETTRACE_TEXT                                                                                   \
	}
#define REAL(text)                                                                                                                         \
	{                                                                                                                                  \
		.name = (text), .type = NT_NETTRACE_F64                                                                                    \
	}
#define COUNT(text)                                                                                                                        \
	{                                                                                                                                  \
		.name = (text), .type = NT_NETTRACE_I32                                                                                    \
	}
#define FILETIME(text)                                                                                                                     \
	{                                                                                                                                  \
		.name = (text), .type = NT_NETTRACE_DATETIME                                                                               \
	}

/* As the runtime announces them. */
static const struct {
	const char *provider, *name;
	struct nt_nettrace_field fields[FIELDS];
} events[EVENTS] = {
	{ "System.Runtime",
	  "EventCounters",
	  { TEXT("Name"), TEXT("DisplayName"), REAL("Mean"), COUNT("Count"), REAL("Min"), REAL("Max"), REAL("IntervalSec"),
	    TEXT("DisplayUnits") } },
	{ "System.Runtime",
	  "EventCounters",
	  { TEXT("Name"), TEXT("DisplayName"), REAL("Increment"), REAL("IntervalSec"), TEXT("DisplayUnits"), TEXT("Metadata") } },
	{ NT_METRICS_PROVIDER,
	  "CounterRateValuePublished",
	  { TEXT("meterName"), TEXT("instrumentName"), TEXT("unit"), TEXT("tags"), TEXT("rate"), TEXT("value"), COUNT("instrumentId") } },
	{ NT_METRICS_PROVIDER,
	  "HistogramValuePublished",
	  { TEXT("meterName"), TEXT("instrumentName"), TEXT("unit"), TEXT("tags"), TEXT("quantiles"), COUNT("count"), REAL("sum") } },
	{ NT_METRICS_PROVIDER, "CollectionStart", { TEXT("sessionId"), FILETIME("intervalStartTime"), FILETIME("intervalEndTime") } },
	{ NT_METRICS_PROVIDER,
	  "BeginInstrumentReporting",
	  { TEXT("meterName"), TEXT("instrumentName"), TEXT("description"), TEXT("instrumentTags"), TEXT("meterTags"),
	    COUNT("instrumentId") } },
};

static uint32_t fields_of(unsigned index)
{
	uint32_t count = 0;
	while (count < FIELDS && events[index].fields[count].name)
		count++;
	return count;
}

static void check(const struct nt_ev_counter *counter)
{
	FUZZ_CHECK(counter->kind < NT_COUNTER_KIND_COUNT);
	FUZZ_CHECK(!(counter->known & NT_COUNTER_CHANGE) || isfinite(counter->change));
	FUZZ_CHECK(!(counter->known & NT_COUNTER_VALUE) || isfinite(counter->value));
	FUZZ_CHECK(!(counter->known & NT_COUNTER_QUANTILES) ||
		   (isfinite(counter->p50) && isfinite(counter->p95) && isfinite(counter->p99)));
	FUZZ_CHECK(counter->period_ns <= 86400 * NT_NS_PER_S);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size)
		return 0;
	unsigned index = data[0] % EVENTS;
	struct nt_nettrace_meta meta = { .provider = events[index].provider,
					 .name = events[index].name,
					 .fields = events[index].fields,
					 .field_count = fields_of(index) };
	const struct nt_nettrace_event event = { .meta = &meta, .time = 1, .payload = data + 1, .payload_length = (uint32_t)size - 1 };
	struct nt_counter_stream stream = { 0 };
	struct nt_interner *interner = nt_interner_new(0);
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_EVENTPIPE);
	nt_interner_begin(interner, batch);
	const struct nt_clr_at at = { .interner = interner, .batch = batch, .time = 1, .pid = 2, .tid = 3 };
	bool built = nt_counter_event_build(&stream, &event, &at);
	FUZZ_CHECK(batch->event_count == built);
	FUZZ_CHECK(stream.period_ns <= 86400 * NT_NS_PER_S);
	FUZZ_CHECK(!built || batch->events[0].kind != NT_EV_INSTRUMENT || batch->events[0].u.instrument.name);
	if (built && batch->events[0].kind == NT_EV_COUNTER)
		check(&batch->events[0].u.counter);
	nt_batch_free(batch);
	nt_interner_free(interner);
	return 0;
}
