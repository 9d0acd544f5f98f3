// SPDX-License-Identifier: GPL-2.0-only
/* Screen 3 by module, namespace, tier and trigger (key v). */
#include "nettop/shorten.h"
#include "ui/views/view_cells.h"
#include "ui/views/view_jit.h"

#include "nettop/source.h"

#include <string.h>

static const struct nt_jit_group_row *of(const void *row)
{
	return row;
}

static unsigned flags(const void *row)
{
	return nt_row_flags(false, false, of(row)->fresh);
}

/* After a zero: nothing was compiled since. */
static bool hidden(const void *row, unsigned hide)
{
	(void)hide;
	return !of(row)->all.count;
}

static bool cell(const struct nt_column *column, const void *row, const struct nt_column_context *context, int room, char *out, size_t size)
{
	(void)context;
	if (strcmp(column->key, "name") != 0 || of(row)->name)
		return false;
	nt_shorten_tail("(not known)", room, out, size);
	return true;
}

static bool module_part(const void *row, enum nt_part part, struct nt_restriction *out)
{
	*out = (struct nt_restriction){ .part = part };
	nt_restriction_name(out, of(row)->name);
	return part == NT_PART_MODULE && of(row)->name;
}

static void say(const char *grouping, struct nt_line *out)
{
	nt_line_add(out, ", %s", grouping);
}

static void module_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	say("by module", out);
}

static void namespace_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	say("by namespace", out);
}

static void tier_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	say("by tier", out);
}

static void trigger_scope(const struct nt_column_context *context, bool wide, struct nt_line *out)
{
	(void)context;
	(void)wide;
	say("by trigger", out);
}

static const char *const compact[] = { "time_ns", "name", NULL };

#define GROUPING(table_, scope_, part_)                                                                                                    \
	{                                                                                                                                  \
		.action = NT_DO_VIEW_3, .demand = NT_WANT_JIT_EVENTS, .subject = &nt_subject_jit, .table = table_, .first_x = 1,           \
		.wide_gaps = true, .least_rest = 12, .compact = compact, .has_totals = true, .flags = flags, .hidden = hidden,             \
		.part = part_, .cell = cell, .panel_lines = NT_VIEW_JIT_PANEL, .panel = nt_view_jit_panel, .scope = scope_,                \
		.nothing = nt_view_jit_nothing                                                                                             \
	}

const struct nt_view nt_view_jit_modules = GROUPING(&nt_table_jit_modules, module_scope, module_part);
const struct nt_view nt_view_jit_namespaces = GROUPING(&nt_table_jit_namespaces, namespace_scope, NULL);
const struct nt_view nt_view_jit_tiers = GROUPING(&nt_table_jit_tiers, tier_scope, NULL);
const struct nt_view nt_view_jit_triggers = GROUPING(&nt_table_jit_triggers, trigger_scope, NULL);
