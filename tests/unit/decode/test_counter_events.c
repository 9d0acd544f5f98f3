// SPDX-License-Identifier: GPL-2.0-only
/* Counters as a runtime published them, and each kind of publication written by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/interner.h"
#include "decode/clr/clr.h"
#include "decode/eventpipe/counter_events.h"
#include "decode/eventpipe/request_events.h"
#include "nettrace_stream.h"

#include <math.h>

struct world {
	struct nt_counter_stream stream;
	struct nt_interner *interner;
	struct nt_batch *batch;
};

static void begin(struct world *w)
{
	*w = (struct world){ .interner = nt_interner_new(0), .batch = nt_batch_new(NT_SOURCE_EVENTPIPE) };
	nt_interner_begin(w->interner, w->batch);
}

static void end(struct world *w)
{
	nt_batch_free(w->batch);
	nt_interner_free(w->interner);
}

static bool build(struct world *w, const struct nt_nettrace_event *event)
{
	const struct nt_clr_at at = { .interner = w->interner, .batch = w->batch, .time = event->time, .pid = 1, .tid = 2 };
	return nt_counter_event_build(&w->stream, event, &at);
}

static const char *text_of(const struct world *w, nt_str id)
{
	static char text[4][128];
	static unsigned next;
	char *out = text[next++ % 4];
	out[0] = '\0';
	for (size_t i = 0; i < w->batch->str_count; i++)
		if (w->batch->strs[i].id == id && id)
			snprintf(out, sizeof(text[0]), "%.*s", (int)w->batch->strs[i].length, w->batch->bytes + w->batch->strs[i].offset);
	return out;
}

/* ---- written by hand ---- */

enum { FIELDS = 12 };

struct written {
	struct nt_nettrace_field fields[FIELDS];
	struct nt_nettrace_meta meta;
	struct stream payload;
};

static void write_begin(struct written *written, const char *provider, const char *name)
{
	*written = (struct written){ .meta = { .provider = provider, .name = name, .fields = written->fields } };
}

static void write_field(struct written *written, const char *name, enum nt_nettrace_type type)
{
	assert_true(written->meta.field_count < FIELDS);
	written->fields[written->meta.field_count++] = (struct nt_nettrace_field){ .name = name, .type = type };
}

static void write_text(struct written *written, const char *name, const char *value)
{
	write_field(written, name, NT_NETTRACE_TEXT);
	put_utf16(&written->payload, value);
}

static void write_real(struct written *written, const char *name, double value)
{
	write_field(written, name, NT_NETTRACE_F64);
	put_f64(&written->payload, value);
}

static void write_count(struct written *written, const char *name, uint32_t value)
{
	write_field(written, name, NT_NETTRACE_I32);
	put_u32(&written->payload, value);
}

static void write_filetime(struct written *written, const char *name, uint64_t value)
{
	write_field(written, name, NT_NETTRACE_DATETIME);
	put_u64(&written->payload, value);
}

static struct nt_nettrace_event event_of(struct written *written)
{
	return (struct nt_nettrace_event){
		.meta = &written->meta, .time = 5, .payload = written->payload.bytes, .payload_length = (uint32_t)written->payload.length
	};
}

/* What it became; NULL = nothing. */
static const struct nt_ev_counter *read_written(struct world *w, struct written *written)
{
	const struct nt_nettrace_event event = event_of(written);
	size_t before = w->batch->event_count;
	bool built = build(w, &event);
	assert_int_equal(w->batch->event_count, before + built);
	if (!built)
		return NULL;
	assert_int_equal(w->batch->events[before].kind, NT_EV_COUNTER);
	return &w->batch->events[before].u.counter;
}

static void write_instrument(struct written *written, const char *event)
{
	write_begin(written, NT_METRICS_PROVIDER, event);
	write_text(written, "sessionId", "SHARED");
	write_text(written, "meterName", "Shop.Orders");
	write_text(written, "meterVersion", "");
	write_text(written, "instrumentName", "orders");
	write_text(written, "unit", "{order}");
	write_text(written, "tags", "kind=gift,via=web");
}

static void a_mean_of_nothing_is_no_value(void **state)
{
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	for (uint32_t count = 0; count < 2; count++) {
		write_begin(&written, "Shop", "EventCounters");
		write_text(&written, "Name", "request-time");
		write_text(&written, "DisplayName", "Request Time");
		write_text(&written, "Metadata", "by:shop");
		write_real(&written, "Mean", 7);
		write_count(&written, "Count", count);
		write_real(&written, "Min", count ? 7 : (double)INFINITY);
		write_real(&written, "Max", count ? 7 : -(double)INFINITY);
		const struct nt_ev_counter *counter = read_written(&w, &written);
		assert_non_null(counter);
		assert_true(w.stream.polled);
		assert_int_equal(counter->kind, NT_COUNTER_GAUGE);
		assert_int_equal(counter->known, count ? NT_COUNTER_VALUE | NT_COUNTER_RANGE : 0);
		assert_string_equal(text_of(&w, counter->provider), "Shop");
		assert_string_equal(text_of(&w, counter->display_name), "Request Time");
		assert_int_equal(counter->unit, 0);
	}
	end(&w);
}

static void a_total_comes_with_its_change(void **state)
{
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	write_begin(&written, NT_METRICS_PROVIDER, "CollectionStart");
	write_filetime(&written, "intervalStartTime", 1000);
	write_filetime(&written, "intervalEndTime", 1000 + 2000000);
	assert_false(w.stream.collected);
	assert_null(read_written(&w, &written));
	assert_true(w.stream.collected);
	write_instrument(&written, "CounterRateValuePublished");
	write_text(&written, "rate", "12");
	write_text(&written, "value", "1234.5");
	write_count(&written, "instrumentId", 17);
	const struct nt_ev_counter *counter = read_written(&w, &written);
	assert_int_equal(counter->kind, NT_COUNTER_TOTAL);
	assert_int_equal(counter->known, NT_COUNTER_VALUE | NT_COUNTER_CHANGE);
	assert_true(counter->change == 12 && counter->value == 1234.5);
	assert_false(w.stream.polled); /* that is for EventCounters to say */
	assert_int_equal(counter->instrument, 17);
	assert_int_equal(counter->period_ns, 200 * NT_NS_PER_MS);
	assert_string_equal(text_of(&w, counter->provider), "Shop.Orders");
	assert_string_equal(text_of(&w, counter->name), "orders");
	assert_string_equal(text_of(&w, counter->unit), "{order}");
	assert_string_equal(text_of(&w, counter->tags), "kind=gift,via=web");

	/* The first time there is nothing to compare with. */
	write_instrument(&written, "UpDownCounterRateValuePublished");
	write_text(&written, "rate", "");
	write_text(&written, "value", "-3E+2");
	counter = read_written(&w, &written);
	assert_int_equal(counter->kind, NT_COUNTER_UP_DOWN);
	assert_int_equal(counter->known, NT_COUNTER_VALUE);
	assert_true(counter->value == -300);

	/* Before .NET 8. */
	write_instrument(&written, "CounterRateValuePublished");
	write_text(&written, "rate", "12");
	counter = read_written(&w, &written);
	assert_int_equal(counter->kind, NT_COUNTER_INCREMENT);
	assert_int_equal(counter->known, NT_COUNTER_CHANGE);
	end(&w);
}

static void a_histogram_has_three_quantiles_or_none(void **state)
{
	static const struct {
		const char *quantiles;
		bool known;
	} cases[] = { { "0.5=3;0.95=41;0.99=1.2E3", true },
		      { "0.25=1;0.5=3;0.95=41;0.99=1200", true },
		      { "", false },
		      { "0.5=3;0.95=41", false },
		      { "0.5=3;0.95=41;0.99=NaN", false },
		      { "0.5=3;0.95;0.99=", false },
		      { ";;=;0.5==", false } };
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_instrument(&written, "HistogramValuePublished");
		write_text(&written, "quantiles", cases[i].quantiles);
		write_count(&written, "count", 20);
		write_real(&written, "sum", 4000);
		const struct nt_ev_counter *counter = read_written(&w, &written);
		assert_int_equal(counter->kind, NT_COUNTER_HISTOGRAM);
		assert_int_equal(counter->known, NT_COUNTER_VALUE | NT_COUNTER_CHANGE | (cases[i].known ? NT_COUNTER_QUANTILES : 0));
		assert_true(counter->change == 20 && counter->value == 4000);
		if (cases[i].known)
			assert_true(counter->p50 == 3 && counter->p95 == 41 && counter->p99 == 1200);
	}
	end(&w);
}

static void a_gauge_is_a_text_too(void **state)
{
	static const struct {
		const char *text;
		bool known;
	} cases[] = {
		{ "-0.25", true }, { "", false }, { "Infinity", false }, { "nan", false }, { "12 apples", false }, { "1e999", false }
	};
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		write_instrument(&written, "GaugeValuePublished");
		write_text(&written, "lastValue", cases[i].text);
		const struct nt_ev_counter *counter = read_written(&w, &written);
		assert_int_equal(counter->kind, NT_COUNTER_GAUGE);
		assert_int_equal(counter->known, cases[i].known ? NT_COUNTER_VALUE : 0);
	}
	end(&w);
}

/* Of the runtime's only session for Meters. */
static void another_tools_session_is_told(void **state)
{
	(void)state;
	static const char *const events[] = { "MultipleSessionsNotSupportedError", "MultipleSessionsConfiguredIncorrectlyError" };
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		struct world w;
		struct written written;
		begin(&w);
		write_begin(&written, NT_METRICS_PROVIDER, events[i]);
		write_text(&written, "runningSessionId", "somebody's");
		const struct nt_ev_counter *counter = read_written(&w, &written);
		assert_non_null(counter);
		assert_int_equal(counter->name, 0);
		assert_non_null(w.stream.meters_refused);
		assert_non_null(strstr(w.stream.meters_refused, "another tool"));
		end(&w);
	}
}

/* All who listen are told of it: one who has the session, too. */
static void what_is_refused_to_others_is_no_refusal(void **state)
{
	(void)state;
	static const struct {
		const char *event, *field, *who;
		bool refused;
	} cases[] = {
		{ "MultipleSessionsNotSupportedError", "runningSessionId", "SHARED", false },
		{ "MultipleSessionsNotSupportedError", "runningSessionId", "0f5c", true },
		{ "MultipleSessionsConfiguredIncorrectlyError", "clientId", "dotnet-counters'", false },
		{ "MultipleSessionsConfiguredIncorrectlyError", "clientId", "nettop-70", false },
		{ "MultipleSessionsConfiguredIncorrectlyError", "clientId", "nettop-7", true },
		{ "MultipleSessionsConfiguredIncorrectlyError", "sharedIdentifier", "nettop-7", true }, /* not known whose it is */
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct world w;
		struct written written;
		begin(&w);
		strcpy(w.stream.client, "nettop-7");
		write_begin(&written, NT_METRICS_PROVIDER, cases[i].event);
		write_text(&written, cases[i].field, cases[i].who);
		assert_int_equal(read_written(&w, &written) != NULL, cases[i].refused);
		assert_int_equal(w.stream.meters_refused != NULL, cases[i].refused);
		end(&w);
	}
}

static void limits_are_told(void **state)
{
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	write_begin(&written, NT_METRICS_PROVIDER, "TimeSeriesLimitReached");
	write_text(&written, "sessionId", "SHARED");
	const struct nt_ev_counter *counter = read_written(&w, &written);
	assert_int_equal(counter->name, 0);
	assert_int_equal(counter->known, 0);
	end(&w);
}

static void an_instrument_is_described_once(void **state)
{
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	write_begin(&written, NT_METRICS_PROVIDER, "BeginInstrumentReporting");
	write_text(&written, "sessionId", "SHARED");
	write_text(&written, "meterName", "Shop.Orders");
	write_text(&written, "meterVersion", "");
	write_text(&written, "instrumentName", "orders");
	write_text(&written, "instrumentType", "Counter`1");
	write_text(&written, "unit", "{order}");
	write_text(&written, "description", "Orders that were taken.");
	write_text(&written, "instrumentTags", "by=shop");
	write_text(&written, "meterTags", "");
	write_text(&written, "meterScopeHash", "");
	write_count(&written, "instrumentId", 7);
	const struct nt_nettrace_event event = event_of(&written);
	assert_true(build(&w, &event));
	assert_int_equal(w.batch->events[0].kind, NT_EV_INSTRUMENT);
	const struct nt_ev_instrument *said = &w.batch->events[0].u.instrument;
	assert_string_equal(text_of(&w, said->provider), "Shop.Orders");
	assert_string_equal(text_of(&w, said->name), "orders");
	assert_string_equal(text_of(&w, said->description), "Orders that were taken.");
	assert_string_equal(text_of(&w, said->tags), "by=shop");
	assert_int_equal(said->meter_tags, 0);
	assert_int_equal(said->number, 7);
	end(&w);
}

static void others_are_none(void **state)
{
	(void)state;
	struct world w;
	struct written written;
	begin(&w);
	write_begin(&written, "Shop", "SomethingElse");
	write_real(&written, "Mean", 7);
	assert_null(read_written(&w, &written));
	write_begin(&written, "Shop", "EventCounters");
	write_text(&written, "Name", "neither");
	assert_null(read_written(&w, &written));
	write_begin(&written, NT_METRICS_PROVIDER, "BeginInstrumentReporting");
	assert_null(read_written(&w, &written));
	/* Cut anywhere: no value is made up. */
	write_instrument(&written, "GaugeValuePublished");
	write_text(&written, "lastValue", "5");
	for (size_t length = written.payload.length; length-- > 0;) {
		written.payload.length = length;
		assert_null(read_written(&w, &written));
	}
	end(&w);
}

/* ---- as a runtime published them: .NET 10, a period of 0.2 s ---- */

static void on_recorded(void *context, const struct nt_nettrace_event *event)
{
	build(context, event);
}

/* The newest of a name and tags. */
static const struct nt_ev_counter *find(const struct world *w, const char *name, const char *tags)
{
	for (size_t i = w->batch->event_count; i-- > 0;) {
		if (w->batch->events[i].kind != NT_EV_COUNTER)
			continue;
		const struct nt_ev_counter *counter = &w->batch->events[i].u.counter;
		if (strcmp(text_of(w, counter->name), name) == 0 && strcmp(text_of(w, counter->tags), tags) == 0)
			return counter;
	}
	fail_msg("there is no %s{%s}", name, tags);
	return NULL;
}

static const struct nt_ev_instrument *description_of(const struct world *w, const char *name)
{
	for (size_t i = 0; i < w->batch->event_count; i++)
		if (w->batch->events[i].kind == NT_EV_INSTRUMENT && strcmp(text_of(w, w->batch->events[i].u.instrument.name), name) == 0)
			return &w->batch->events[i].u.instrument;
	fail_msg("nothing is said of %s", name);
	return NULL;
}

static void a_recording_of_dotnet_10(void **state)
{
	(void)state;
	struct world w;
	size_t length;
	uint8_t *bytes = recording("counters.nettrace", &length);
	begin(&w);
	struct nt_nettrace_sink sink = { .context = &w, .event = on_recorded };
	struct nt_nettrace *trace = nt_nettrace_new(&sink, NULL);
	assert_int_equal(nt_nettrace_feed(trace, bytes, length, NULL), NT_END);
	const struct nt_ev_counter *counter = find(&w, "alloc-rate", "");
	assert_int_equal(counter->kind, NT_COUNTER_INCREMENT);
	assert_int_equal(counter->known, NT_COUNTER_CHANGE);
	assert_string_equal(text_of(&w, counter->unit), "B");
	assert_string_equal(text_of(&w, counter->provider), "System.Runtime");
	assert_true(counter->period_ns > 150 * NT_NS_PER_MS && counter->period_ns < 400 * NT_NS_PER_MS);
	counter = find(&w, "working-set", "");
	assert_int_equal(counter->known, NT_COUNTER_VALUE | NT_COUNTER_RANGE);
	assert_true(counter->value > 10 && counter->value < 1000); /* MB */
	counter = find(&w, "dotnet.gc.collections", "gc.heap.generation=gen0");
	assert_int_equal(counter->kind, NT_COUNTER_TOTAL);
	assert_true(counter->known & NT_COUNTER_VALUE);
	assert_true(counter->instrument > 0);
	assert_true(counter->period_ns > 150 * NT_NS_PER_MS && counter->period_ns < 400 * NT_NS_PER_MS);
	counter = find(&w, "dotnet.process.memory.working_set", "");
	assert_int_equal(counter->kind, NT_COUNTER_UP_DOWN);
	assert_true(counter->value > 10e6);
	assert_string_equal(text_of(&w, description_of(&w, "dotnet.process.memory.working_set")->description),
			    "The number of bytes of physical memory mapped to the process context.");
	assert_int_equal(description_of(&w, "dotnet.process.memory.working_set")->number, counter->instrument);
	nt_nettrace_free(trace);
	free(bytes);
	end(&w);
}

/* Of all counters of the server one is told, and leaves no other event behind. */
static void connections(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		double value;
		enum nt_status status;
	} told[] = { { "current-connections", 212, NT_OK },
		     { "total-connections", 7, NT_AGAIN },
		     { "current-connections", (double)NAN, NT_AGAIN },
		     { "current-connections", -1, NT_AGAIN },
		     { "current-connections", 1e300, NT_AGAIN } };
	struct world w;
	struct written written;
	begin(&w);
	for (size_t i = 0; i < sizeof(told) / sizeof(told[0]); i++) {
		write_begin(&written, NT_CONNECTIONS_PROVIDER, "EventCounters");
		write_text(&written, "Name", told[i].name);
		write_real(&written, "Mean", told[i].value);
		write_count(&written, "Count", 1);
		const struct nt_nettrace_event event = event_of(&written);
		const struct nt_clr_at at = { .interner = w.interner, .batch = w.batch, .time = event.time, .pid = 1, .tid = 2 };
		assert_true(nt_connections_event_is(event.meta));
		assert_int_equal(nt_connections_event_build(&event, &at), told[i].status);
		assert_int_equal(w.batch->event_count, 1);
	}
	assert_int_equal(w.batch->events[0].kind, NT_EV_CONNECTIONS);
	assert_int_equal(w.batch->events[0].u.connections.count, 212);
	write_begin(&written, "Microsoft.AspNetCore.Hosting", "EventCounters");
	assert_false(nt_connections_event_is(&written.meta));
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_mean_of_nothing_is_no_value),
		cmocka_unit_test(a_total_comes_with_its_change),
		cmocka_unit_test(a_histogram_has_three_quantiles_or_none),
		cmocka_unit_test(a_gauge_is_a_text_too),
		cmocka_unit_test(limits_are_told),
		cmocka_unit_test(another_tools_session_is_told),
		cmocka_unit_test(what_is_refused_to_others_is_no_refusal),
		cmocka_unit_test(an_instrument_is_described_once),
		cmocka_unit_test(others_are_none),
		cmocka_unit_test(connections),
		cmocka_unit_test(a_recording_of_dotnet_10),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
