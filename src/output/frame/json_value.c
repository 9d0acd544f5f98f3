// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/json_value.h"

#include "base/text.h"

#include <math.h>
#include <string.h>

enum { TEXT_MAX = 4096 };

json_t *nt_json_u64(struct nt_u64 value)
{
	return value.known ? json_integer((json_int_t)value.v) : json_null();
}

json_t *nt_json_f64(struct nt_f64 value)
{
	return value.known && isfinite(value.v) ? json_real(value.v) : json_null();
}

json_t *nt_json_text(const char *text)
{
	char safe[TEXT_MAX];
	if (!text)
		return json_null();
	nt_text_escape(text, strlen(text), safe, sizeof(safe));
	return json_string(safe);
}

void nt_json_put_text(FILE *out, const char *text)
{
	json_t *value = nt_json_text(text);
	json_dumpf(value, out, JSON_ENCODE_ANY | JSON_COMPACT);
	json_decref(value);
}

json_t *nt_json_text_if_any(const char *text)
{
	return nt_json_text(text && *text ? text : NULL);
}

json_t *nt_json_cell(enum nt_unit unit, struct nt_cell cell)
{
	if (!cell.known)
		return json_null();
	switch (unit) {
	case NT_UNIT_TEXT:
		return nt_json_text(cell.text);
	case NT_UNIT_PCT:
	case NT_UNIT_PCT_WHOLE:
	case NT_UNIT_PER_S:
	case NT_UNIT_REAL:
	case NT_UNIT_BAR:
		return isfinite(cell.f) ? json_real(cell.f) : json_null();
	default:
		return json_integer((json_int_t)cell.u);
	}
}
