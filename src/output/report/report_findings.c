// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/time_text.h"
#include "output/report/report_parts.h"

#include <inttypes.h>
#include <string.h>

enum { NUMBER = 32, AMOUNT = 64 };

static uint64_t whole(double value)
{
	return value > 0 && value < 18e18 ? (uint64_t)value : 0;
}

/* A value of a finding in the unit that it says (nettop/finding.h). */
static const char *amount(double value, const char *unit, char text[AMOUNT])
{
	char number[NUMBER];
	bool rate = strstr(unit, "per_s");
	if (strcmp(unit, "pct") == 0)
		snprintf(text, AMOUNT, "%.1f%%", value);
	else if (strncmp(unit, "bytes", strlen("bytes")) == 0)
		snprintf(text, AMOUNT, "%s%s", nt_format_bytes(whole(value), number, sizeof(number)), rate ? "/s" : "");
	else if (strcmp(unit, "ns") == 0)
		nt_format_duration(whole(value), text, AMOUNT);
	else if (strcmp(unit, "ms_per_s") == 0)
		snprintf(text, AMOUNT, "%s/s", nt_format_duration(whole(value * (double)NT_NS_PER_MS), number, sizeof(number)));
	else
		snprintf(text, AMOUNT, "%s%s", nt_format_real(value, number, sizeof(number)), rate ? "/s" : "");
	return text;
}

void nt_report_put_evidence(FILE *out, const struct nt_report *report, const struct nt_finding *finding)
{
	char number[NUMBER], value[AMOUNT], threshold[AMOUNT];
	bool over = finding->until != NT_TIME_UNKNOWN;
	nt_time until = over ? finding->until : report->whole->t1 - finding->lapsed_ns;
	fprintf(out, "%s since ", nt_finding_kind_name(finding->kind));
	nt_time_print(out, finding->since, report->realtime_offset_ns);
	fprintf(out, ", for %s", nt_format_duration(until > finding->since ? until - finding->since : 0, number, sizeof(number)));
	if (over) {
		fputs(", until ", out);
		nt_time_print(out, finding->until, report->realtime_offset_ns);
	}
	fprintf(out, ": %s, threshold %s, %s; key %c", amount(finding->value, finding->unit, value),
		amount(finding->threshold, finding->unit, threshold), nt_confidence_name(finding->confidence), finding->screen);
}
