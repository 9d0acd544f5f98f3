// SPDX-License-Identifier: GPL-2.0-only
#include "output/metrics/openmetrics.h"

#include "base/text.h"
#include "nettop/clock.h"

#include <string.h>

struct writer {
	struct nt_text_buffer *out;
	enum nt_metrics_text form;
	const char *suffix; /* of the samples of the family in hand */
	char name[NT_METRIC_NAME_BYTES];
};

/* Backslashes and line feeds; in OpenMetrics, and in the value of a label, the quotation mark as well. */
static void put_escaped(struct nt_text_buffer *out, const char *text, bool quotes)
{
	for (; *text; text++) {
		if (*text == '\\' || (quotes && *text == '"'))
			nt_text_put_char(out, '\\');
		nt_text_put_char(out, *text);
	}
}

static void put_head(struct writer *writer, const char *word, const char *suffix, const char *value, bool quotes)
{
	nt_text_put(writer->out, word);
	nt_text_put(writer->out, writer->name);
	nt_text_put(writer->out, suffix);
	nt_text_put_char(writer->out, ' ');
	put_escaped(writer->out, value, quotes);
	nt_text_put_char(writer->out, '\n');
}

static void put_family(void *context, const struct nt_metric_family *family)
{
	static const char *const suffixes[] = { [NT_METRIC_COUNTER] = "_total", [NT_METRIC_GAUGE] = "", [NT_METRIC_INFO] = "_info" };
	static const char *const types[] = { [NT_METRIC_COUNTER] = "counter", [NT_METRIC_GAUGE] = "gauge", [NT_METRIC_INFO] = "info" };
	struct writer *writer = context;
	bool is_open = writer->form == NT_METRICS_OPENMETRICS;
	writer->suffix = suffixes[family->type];
	snprintf(writer->name, sizeof(writer->name), "%s", family->name);
	const char *of_family = is_open ? "" : writer->suffix;
	put_head(writer, "# TYPE ", of_family, family->type == NT_METRIC_INFO && !is_open ? "gauge" : types[family->type], false);
	if (is_open && *family->unit)
		put_head(writer, "# UNIT ", of_family, family->unit, false);
	put_head(writer, "# HELP ", of_family, family->help, is_open);
}

static void put_value(struct nt_text_buffer *out, struct nt_metric_value value)
{
	switch (value.form) {
	case NT_METRIC_WHOLE:
		nt_text_put_unsigned(out, value.whole);
		return;
	case NT_METRIC_NANOSECONDS:
		nt_text_put_unsigned(out, value.whole / NT_NS_PER_S);
		nt_text_put_char(out, '.');
		nt_text_put_digits(out, value.whole % NT_NS_PER_S, 9);
		return;
	case NT_METRIC_REAL:
		nt_text_put_exact(out, value.real);
		return;
	}
}

static void put_point(void *context, const struct nt_metric_label *labels, size_t count, struct nt_metric_value value)
{
	struct writer *writer = context;
	nt_text_put(writer->out, writer->name);
	nt_text_put(writer->out, writer->suffix);
	for (size_t i = 0; i < count; i++) {
		char safe[NT_METRIC_LABEL_BYTES];
		nt_text_escape(labels[i].value, strlen(labels[i].value), safe, sizeof(safe));
		nt_text_put_char(writer->out, i ? ',' : '{');
		nt_text_put(writer->out, labels[i].key);
		nt_text_put(writer->out, "=\"");
		put_escaped(writer->out, safe, true);
		nt_text_put_char(writer->out, '"');
	}
	nt_text_put(writer->out, count ? "} " : " ");
	put_value(writer->out, value);
	nt_text_put_char(writer->out, '\n');
}

void nt_openmetrics_write(const struct nt_snapshot *snapshot, const struct nt_metrics_own *own, enum nt_metrics_text form,
			  struct nt_text_buffer *out)
{
	struct writer writer = { .out = out, .form = form };
	const struct nt_metric_sink sink = { .context = &writer, .family = put_family, .point = put_point };
	nt_metrics_tell(snapshot, own, &sink);
	if (form == NT_METRICS_OPENMETRICS)
		nt_text_put(out, "# EOF\n");
}
