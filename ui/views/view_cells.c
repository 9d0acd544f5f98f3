// SPDX-License-Identifier: GPL-2.0-only
#include "ui/views/view_cells.h"

#include "base/text.h"
#include "nettop/shorten.h"
#include "ui/screen/line.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { NAME_BYTES = NT_LINE_BYTES + 16, LEAST_REASON = 6, NUMBER = 32, LEAST_NAME = 12 };

bool nt_view_method_cell(const char *name, int room, char *out, size_t size)
{
	struct nt_line safe = { 0 };
	nt_line_add_safe(&safe, name);
	nt_shorten_method(safe.text, room, out, size);
	return true;
}

bool nt_view_module_cell(const char *name, int room, char *out, size_t size)
{
	struct nt_line safe = { 0 };
	nt_line_add_safe(&safe, name);
	nt_shorten_module(safe.text, room, out, size);
	return true;
}

bool nt_view_share_cell(const char *name, double pct, int room, char *out, size_t size)
{
	char share[NUMBER] = "";
	if (pct >= 0)
		snprintf(share, sizeof(share), "  %.0f%%", pct);
	int left = room - (int)strlen(share);
	if (left < LEAST_NAME)
		return nt_view_method_cell(name, room, out, size);
	nt_view_method_cell(name, left, out, size);
	size_t used = strlen(out);
	snprintf(out + used, size - used, "%s", share);
	return true;
}

void nt_view_name_and_reason(const char *name, const char *reason, int room, char *out, size_t size)
{
	struct nt_line safe = { 0 }, safe_reason = { 0 };
	char shown[NAME_BYTES], why[NAME_BYTES];
	nt_line_add_safe(&safe, name);
	nt_line_add_safe(&safe_reason, reason);
	nt_shorten_method(safe.text, room, shown, sizeof(shown));
	int left = room - nt_text_cells(shown) - 2;
	bool with_reason = safe_reason.used && left >= LEAST_REASON;
	snprintf(out, size, "%s%s%s", shown, with_reason ? "  " : "",
		 with_reason ? nt_shorten_tail(safe_reason.text, left, why, sizeof(why)) : "");
}

const char *nt_view_short_kind(enum nt_code_kind kind)
{
	static const char *const short_kinds[NT_CODE_KIND_COUNT] = { "jit", "stub", "r2r", "rt", "nat", "kern", "unk" };
	return (unsigned)kind < NT_CODE_KIND_COUNT ? short_kinds[kind] : "?";
}

const char *nt_view_exact_clock(const struct nt_column_context *context, nt_time time, char *out, size_t size)
{
	int64_t realtime = (int64_t)time + context->realtime_offset_ns;
	time_t seconds = (time_t)(realtime / (int64_t)NT_NS_PER_S);
	struct tm parts;
	out[0] = '\0';
	if (time != NT_TIME_UNKNOWN && localtime_r(&seconds, &parts))
		snprintf(out, size, "%02d:%02d:%02d.%03d", parts.tm_hour, parts.tm_min, parts.tm_sec,
			 (int)(realtime / (int64_t)NT_NS_PER_MS % 1000));
	return out;
}
