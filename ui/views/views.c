// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/source.h"
#include "ui/screen/shorten.h"
#include "ui/views/view.h"

const struct nt_view *const nt_views[NT_VIEW_COUNT] = {
	[NT_VIEW_METHODS] = &nt_view_methods,
	[NT_VIEW_GC] = &nt_view_gc,
	[NT_VIEW_JIT] = &nt_view_jit,
	[NT_VIEW_THREADS] = &nt_view_threads,
	[NT_VIEW_ALLOCATIONS] = &nt_view_allocations,
	[NT_VIEW_EXCEPTIONS] = &nt_view_exceptions,
	[NT_VIEW_LOCKS] = &nt_view_locks,
	[NT_VIEW_SOURCES] = &nt_view_sources,
	[NT_VIEW_COUNTERS] = &nt_view_counters,
	[NT_VIEW_CALLS] = &nt_view_calls,
	[NT_VIEW_PROCESSES] = &nt_view_processes,
	[NT_VIEW_CODE] = &nt_view_code,
};

const struct nt_source_row *nt_view_source(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return &snapshot->sources[i];
	return NULL;
}

enum nt_source_id nt_view_carrier(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *row = snapshot ? nt_view_source(snapshot, NT_SOURCE_EVENTPIPE) : NULL;
	bool brings = row && row->brings & NT_WANT_RUNTIME_EVENTS;
	return brings && row->state != NT_STATE_ABSENT && row->state != NT_STATE_FORBIDDEN ? NT_SOURCE_EVENTPIPE : NT_SOURCE_LTTNG;
}

bool nt_view_needs_no_stacks(const struct nt_snapshot *snapshot)
{
	return !snapshot || !nt_view_source(snapshot, NT_SOURCE_EVENTPIPE);
}

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

void nt_nothing_without_eventpipe(const struct nt_source_row *eventpipe, struct nt_nothing *out)
{
	bool told = eventpipe && eventpipe->reason;
	out->reason = told ? eventpipe->reason : "they come over EventPipe, which is not in use";
	out->fix = told ? eventpipe->fix : NULL;
}

bool nt_view_out_of_range(const struct nt_process_snapshot *process, enum nt_subject_id subject)
{
	for (size_t i = 0; i < process->finding_count; i++)
		if (process->findings[i].headline == subject)
			return true;
	return false;
}

void nt_view_stack(struct nt_page *page, const struct nt_call_stack *stack, const struct nt_why *why)
{
	nt_page_line(page, NT_STYLE_PLAIN, "");
	if (!stack) {
		nt_page_text(page, NT_STYLE_DIM, "  STACK         ",
			     why->reason ? why->reason : "not known; stacks are asked for only while the screen is open");
		if (why->fix)
			nt_page_text(page, NT_STYLE_DIM, "  FIX           ", why->fix);
		return;
	}
	for (uint32_t i = 0; i < stack->count; i++) {
		bool site = i == stack->site;
		struct nt_line label = { 0 };
		nt_line_add(&label, "  %-*s%c ", NT_VIEW_LABEL - 4, i ? "" : "STACK", site ? '>' : ' ');
		nt_page_text(page, site ? NT_STYLE_FRESH : NT_STYLE_PLAIN, label.text, stack->frames[i].name);
	}
}

void nt_view_why(struct nt_page *page, const char *reason, const char *fix)
{
	if (reason)
		nt_page_text(page, NT_STYLE_PLAIN, "   Why:  ", reason);
	if (fix)
		nt_page_text(page, NT_STYLE_PLAIN, "   Fix:  ", fix);
}
