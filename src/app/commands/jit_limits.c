// SPDX-License-Identifier: GPL-2.0-only
#include "app/commands/jit_limits.h"

#include <inttypes.h>
#include <stdio.h>

enum { SENTENCE = 160 };

static bool too_many(const struct nt_jit_limits *limits, const struct nt_jit_report *report, char sentence[SENTENCE])
{
	uint64_t count = report->totals.method_count.v;
	if (!limits->methods.known || count <= limits->methods.v)
		return false;
	snprintf(sentence, SENTENCE, "%" PRIu64 " methods were compiled, more than %" PRIu64, count, limits->methods.v);
	return true;
}

static bool too_long(const struct nt_jit_limits *limits, const struct nt_jit_report *report, char sentence[SENTENCE])
{
	bool by_cpu = nt_jit_report_has_cpu(report);
	uint64_t ns = by_cpu ? report->totals.jit_cpu_ns.v : report->totals.time_ns.v;
	if (!limits->ms.known || ns <= limits->ms.v * NT_NS_PER_MS)
		return false;
	snprintf(sentence, SENTENCE, "compiling took %.1f ms%s, more than %" PRIu64 " ms", (double)ns / (double)NT_NS_PER_MS,
		 by_cpu ? " of CPU time" : " by the clock (its CPU time is not known)", limits->ms.v);
	return true;
}

bool nt_jit_limits_hold(const struct nt_jit_limits *limits, const struct nt_jit_report *report, struct nt_error *err)
{
	char many[SENTENCE], slow[SENTENCE];
	bool is_many = too_many(limits, report, many), is_slow = too_long(limits, report, slow);
	if (is_many || is_slow) {
		nt_error_set(err, NT_ERR_FAILED, "%s%s%s (--fail-above)", is_many ? many : "", is_many && is_slow ? "; " : "",
			     is_slow ? slow : "");
		return false;
	}
	bool any = limits->methods.known || limits->ms.known;
	if (!any || report->complete)
		return true;
	nt_error_set(err, NT_ERR_FAILED, "the report is not complete: nobody knows whether it is within the limits (--fail-above)");
	return false;
}
