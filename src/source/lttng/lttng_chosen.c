// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_chosen.h"

#include "base/affix.h"
#include "decode/clr/clr.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define PREFIX   "lttng/"
#define SENTINEL NT_CLR_LTTNG_PROVIDER ":GCStart"

static void put(const struct nt_clr_shape **shapes, size_t *count, const struct nt_clr_shape *shape)
{
	for (size_t i = 0; i < *count; i++)
		if (shapes[i] == shape)
			return;
	if (*count < NT_LTTNG_CHOSEN_MAX)
		shapes[(*count)++] = shape;
}

bool nt_lttng_is_chosen(const char *text)
{
	return nt_begins_with(text, PREFIX);
}

enum nt_status nt_lttng_chosen_add(struct nt_lttng_chosen *chosen, const char *text, struct nt_error *err)
{
	const char *pattern = text + sizeof(PREFIX) - 1;
	const struct nt_clr_shape *refused = NULL;
	bool found = false;
	for (size_t i = 0; i < nt_clr_shape_count; i++) {
		const struct nt_clr_shape *shape = &nt_clr_shapes[i];
		if (fnmatch(pattern, shape->name, 0) != 0)
			continue;
		if (nt_clr_shape_over_lttng(shape) == NT_OVER_LTTNG_MAY) {
			put(chosen->shapes, &chosen->count, shape);
			found = true;
		} else {
			put(chosen->left_out, &chosen->left_out_count, shape);
			refused = shape;
		}
	}
	if (found)
		return NT_OK;
	if (!refused)
		return nt_error_set(err, NT_ERR_USAGE, "-e '%s': the runtime has no event of this name; nettop events -e list", text);
	nt_error_set(err, NT_ERR_FORBIDDEN, "-e '%s' is not enabled over LTTng: of events like %s %s", text, refused->name,
		     nt_over_lttng_why_not(nt_clr_shape_over_lttng(refused)));
	nt_error_set_fix(err, "name it with clr/ in place of lttng/: over EventPipe");
	return NT_ERR_FORBIDDEN;
}

void nt_lttng_chosen_put_left_out(const struct nt_lttng_chosen *chosen, struct nt_text_buffer *out)
{
	for (enum nt_over_lttng verdict = NT_OVER_LTTNG_MAY + 1; verdict < NT_OVER_LTTNG_COUNT; verdict++) {
		size_t count = 0;
		for (size_t i = 0; i < chosen->left_out_count; i++) {
			if (nt_clr_shape_over_lttng(chosen->left_out[i]) != verdict)
				continue;
			nt_text_put(out, count++ ? ", " : out->length ? "; " : "left out over LTTng: ");
			nt_text_put(out, chosen->left_out[i]->name);
		}
		if (count) {
			nt_text_put(out, " (");
			nt_text_put(out, nt_over_lttng_why_not(verdict));
			nt_text_put_char(out, ')');
		}
	}
}

bool nt_lttng_chosen_rule(const struct nt_lttng_chosen *chosen, size_t index, char rule[NT_LTTNG_RULE_BYTES])
{
	if (index == 0) {
		snprintf(rule, NT_LTTNG_RULE_BYTES, "%s", SENTINEL);
		return true;
	}
	index--;
	for (size_t i = 0; i < chosen->count; i++) {
		const struct nt_clr_shape *shape = chosen->shapes[i];
		if (index > shape->version) {
			index -= shape->version + 1;
			continue;
		}
		if (index)
			snprintf(rule, NT_LTTNG_RULE_BYTES, NT_CLR_LTTNG_PROVIDER ":%s_V%zu", shape->name, index);
		else
			snprintf(rule, NT_LTTNG_RULE_BYTES, NT_CLR_LTTNG_PROVIDER ":%s", shape->name);
		return true;
	}
	return false;
}
