// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/host_text.h"

#include "base/affix.h"
#include "decode/common/digits.h"

#include <string.h>

/* The begin of the next line, or the end. */
static const char *line_after(const char *at, const char *end)
{
	const char *newline = memchr(at, '\n', (size_t)(end - at));
	return newline ? newline + 1 : end;
}

static void skip_blanks(const char **at, const char *end)
{
	while (*at < end && (**at == ' ' || **at == '\t'))
		++*at;
}

bool nt_host_cpus_parse(const char *text, size_t length, struct nt_host_cpus *out)
{
	enum { USER, NICE, SYSTEM, IDLE, IOWAIT, IRQ, SOFTIRQ, STEAL, FIELDS };
	uint64_t fields[FIELDS] = { 0 };
	const char *at = text, *end = text + length;
	*out = (struct nt_host_cpus){ 0 };
	if (!nt_slice_begins_with(at, (size_t)(end - at), "cpu "))
		return false;
	at += strlen("cpu");
	for (unsigned i = 0; i < FIELDS; i++) {
		skip_blanks(&at, end);
		if (!nt_decimal_read(&at, end, &fields[i])) {
			if (i <= IDLE)
				return false;
			break;
		}
	}
	static const unsigned busy[] = { USER, NICE, SYSTEM, IRQ, SOFTIRQ };
	for (size_t i = 0; i < sizeof(busy) / sizeof(*busy); i++)
		if (__builtin_add_overflow(out->busy_ticks, fields[busy[i]], &out->busy_ticks))
			return false;
	out->steal_ticks = fields[STEAL];
	for (at = line_after(at, end); nt_slice_begins_with(at, (size_t)(end - at), "cpu"); at = line_after(at, end))
		out->count++;
	return true;
}

bool nt_host_value(const char *text, size_t length, const char *key, uint64_t *out)
{
	const char *end = text + length;
	for (const char *line = text; line < end; line = line_after(line, end)) {
		if (!nt_slice_begins_with(line, (size_t)(end - line), key))
			continue;
		const char *at = line + strlen(key);
		if (at == end || (*at != ' ' && *at != ':' && *at != '\t'))
			continue;
		at++;
		skip_blanks(&at, end);
		return nt_decimal_read(&at, end, out);
	}
	return false;
}

bool nt_host_number(const char *text, size_t length, uint64_t *out)
{
	const char *at = text, *end = text + length;
	return nt_decimal_read(&at, end, out) && (at == end || *at == '\n');
}

bool nt_host_quota(const char *text, size_t length, uint64_t *quota_us, uint64_t *period_us)
{
	const char *at = text, *end = text + length;
	if (!nt_decimal_read(&at, end, quota_us))
		return false;
	skip_blanks(&at, end);
	return nt_decimal_read(&at, end, period_us) && *period_us;
}

bool nt_host_pressure(const char *text, size_t length, uint64_t *total_us)
{
	static const char key[] = "total=";
	const char *at = text, *end = text + length;
	if (!nt_slice_begins_with(at, (size_t)(end - at), "some "))
		return false;
	for (end = line_after(at, end); at < end; at++)
		if (nt_slice_begins_with(at, (size_t)(end - at), key)) {
			at += strlen(key);
			return nt_decimal_read(&at, end, total_us);
		}
	return false;
}
