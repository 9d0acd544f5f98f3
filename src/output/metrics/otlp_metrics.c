// SPDX-License-Identifier: GPL-2.0-only
#include "output/metrics/otlp_metrics.h"

#include "base/text.h"

#include <string.h>

/* Field numbers of metrics_service.proto, metrics.proto, resource.proto and common.proto. */
enum request_field { REQUEST_RESOURCE_METRICS = 1 };
enum resource_metrics_field { RESOURCE_METRICS_RESOURCE = 1, RESOURCE_METRICS_SCOPE_METRICS = 2 };
enum resource_field { RESOURCE_ATTRIBUTES = 1 };
enum scope_metrics_field { SCOPE_METRICS_SCOPE = 1, SCOPE_METRICS_METRICS = 2 };
enum scope_field { SCOPE_NAME = 1, SCOPE_VERSION = 2 };
enum metric_field { METRIC_NAME = 1, METRIC_DESCRIPTION = 2, METRIC_UNIT = 3, METRIC_GAUGE = 5, METRIC_SUM = 7 };
enum data_field { DATA_POINTS = 1, SUM_TEMPORALITY = 2, SUM_IS_MONOTONIC = 3 };
enum { TEMPORALITY_CUMULATIVE = 2 };
enum point_field { POINT_START = 2, POINT_TIME = 3, POINT_DOUBLE = 4, POINT_INTEGER = 6, POINT_ATTRIBUTES = 7 };
enum key_value_field { KEY_VALUE_KEY = 1, KEY_VALUE_VALUE = 2 };
enum any_value_field { ANY_VALUE_STRING = 1 };

struct writer {
	int64_t realtime_offset_ns;
	nt_time time;
	bool begun; /* there is a family in hand: */
	enum nt_metric_type type;
	struct nt_protobuf metric, data; /* name and the like; its points */
	struct nt_protobuf metrics;      /* all that are done */
	struct nt_protobuf point, part, value;
};

static void add_text(struct nt_protobuf *message, unsigned field, const char *text)
{
	char safe[NT_METRIC_LABEL_BYTES];
	nt_protobuf_add_bytes(message, field, safe, nt_text_escape(text, strlen(text), safe, sizeof(safe)));
}

static void add_attribute(struct writer *writer, struct nt_protobuf *message, unsigned field, const char *key, const char *value)
{
	writer->value.length = writer->part.length = 0;
	add_text(&writer->value, ANY_VALUE_STRING, value);
	add_text(&writer->part, KEY_VALUE_KEY, key);
	nt_protobuf_add_message(&writer->part, KEY_VALUE_VALUE, &writer->value);
	nt_protobuf_add_message(message, field, &writer->part);
}

/* The codes of UCUM. */
static const char *unit_code(const char *unit)
{
	static const struct {
		const char *unit, *code;
	} codes[] = { { "seconds", "s" }, { "bytes", "By" }, { "ratio", "1" } };
	for (size_t i = 0; i < sizeof(codes) / sizeof(codes[0]); i++)
		if (strcmp(codes[i].unit, unit) == 0)
			return codes[i].code;
	return "";
}

static void end_family(struct writer *writer)
{
	if (!writer->begun)
		return;
	bool is_sum = writer->type == NT_METRIC_COUNTER;
	if (is_sum) {
		nt_protobuf_add_number(&writer->data, SUM_TEMPORALITY, TEMPORALITY_CUMULATIVE);
		nt_protobuf_add_number(&writer->data, SUM_IS_MONOTONIC, true);
	}
	nt_protobuf_add_message(&writer->metric, is_sum ? METRIC_SUM : METRIC_GAUGE, &writer->data);
	nt_protobuf_add_message(&writer->metrics, SCOPE_METRICS_METRICS, &writer->metric);
	writer->begun = false;
}

static void begin_family(void *context, const struct nt_metric_family *family)
{
	struct writer *writer = context;
	end_family(writer);
	writer->begun = true;
	writer->type = family->type;
	writer->metric.length = writer->data.length = 0;
	nt_protobuf_add_bytes(&writer->metric, METRIC_NAME, family->name, strlen(family->name));
	nt_protobuf_add_bytes(&writer->metric, METRIC_DESCRIPTION, family->help, strlen(family->help));
	if (*family->unit)
		add_text(&writer->metric, METRIC_UNIT, unit_code(family->unit));
}

static uint64_t time_of_day(const struct writer *writer, nt_time time)
{
	return (uint64_t)((int64_t)time + writer->realtime_offset_ns);
}

static void add_point(void *context, const struct nt_metric_label *labels, size_t count, struct nt_metric_value value)
{
	struct writer *writer = context;
	writer->point.length = 0;
	for (size_t i = 0; i < count; i++)
		add_attribute(writer, &writer->point, POINT_ATTRIBUTES, labels[i].key, labels[i].value);
	if (writer->type == NT_METRIC_COUNTER)
		nt_protobuf_add_fixed64(&writer->point, POINT_START, time_of_day(writer, value.since));
	nt_protobuf_add_fixed64(&writer->point, POINT_TIME, time_of_day(writer, writer->time));
	if (value.form == NT_METRIC_WHOLE)
		nt_protobuf_add_fixed64(&writer->point, POINT_INTEGER, value.whole);
	else
		nt_protobuf_add_double(&writer->point, POINT_DOUBLE,
				       value.form == NT_METRIC_REAL ? value.real : (double)value.whole / (double)NT_NS_PER_S);
	nt_protobuf_add_message(&writer->data, DATA_POINTS, &writer->point);
}

/* Who says it: nettop on this host. Of which process a point is, it says itself. */
static void add_resource(struct writer *writer, const struct nt_metrics_own *own, struct nt_protobuf *out)
{
	struct nt_protobuf resource = { 0 };
	add_attribute(writer, &resource, RESOURCE_ATTRIBUTES, "service.name", "nettop");
	add_attribute(writer, &resource, RESOURCE_ATTRIBUTES, "service.version", own->version);
	if (own->host)
		add_attribute(writer, &resource, RESOURCE_ATTRIBUTES, "host.name", own->host);
	nt_protobuf_add_message(out, RESOURCE_METRICS_RESOURCE, &resource);
	nt_protobuf_fini(&resource);
}

void nt_otlp_metrics_write(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, int64_t realtime_offset_ns,
			   struct nt_protobuf *out)
{
	struct writer writer = { .realtime_offset_ns = realtime_offset_ns, .time = snapshot->t1 };
	struct nt_protobuf scope = { 0 }, of_resource = { 0 };
	const struct nt_metric_sink sink = { .context = &writer, .family = begin_family, .point = add_point };
	add_text(&scope, SCOPE_NAME, "nettop");
	add_text(&scope, SCOPE_VERSION, own->version);
	nt_protobuf_add_message(&writer.metrics, SCOPE_METRICS_SCOPE, &scope);
	nt_metrics_tell(snapshot, own, &sink);
	end_family(&writer);
	add_resource(&writer, own, &of_resource);
	nt_protobuf_add_message(&of_resource, RESOURCE_METRICS_SCOPE_METRICS, &writer.metrics);
	nt_protobuf_add_message(out, REQUEST_RESOURCE_METRICS, &of_resource);
	struct nt_protobuf *const all[] = { &scope,          &of_resource,  &writer.metric, &writer.data,
					    &writer.metrics, &writer.point, &writer.part,   &writer.value };
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		nt_protobuf_fini(all[i]);
}
