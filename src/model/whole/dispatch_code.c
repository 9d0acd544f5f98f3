// SPDX-License-Identifier: GPL-2.0-only
/* Events that say what lies at addresses, and answers to what was asked of it. */
#include "model/whole/arrival.h"

#include <string.h>

static nt_text_ref line_text(const struct nt_arrival *arrival, const struct nt_batch_line *line)
{
	const struct nt_batch *batch = arrival->batch;
	if (line->offset > batch->byte_count || line->length > batch->byte_count - line->offset)
		return 0;
	return nt_heap_add_packed(arrival->model->names.heap, batch->bytes + line->offset, line->length);
}

void nt_dispatch_code(const struct nt_arrival *arrival)
{
	const struct nt_batch *batch = arrival->batch;
	const struct nt_ev_code *code = &arrival->event->u.code;
	struct nt_resolver *resolver = arrival->model->resolver;
	size_t there = code->map ? batch->place_count : batch->line_count;
	size_t most = code->first < there ? there - code->first : 0, count = code->count < most ? code->count : most;
	if (code->map && count)
		nt_resolver_add_places(resolver, code, batch->places + code->first, count);
	for (size_t i = code->first; !code->map && i < code->first + count; i++) {
		nt_text_ref text = line_text(arrival, &batch->lines[i]);
		if (code->listed)
			nt_resolver_add_listed(resolver, &batch->lines[i], text, code->from);
		else
			nt_resolver_add_code(resolver, &batch->lines[i], text, code->from);
	}
}

static void type_name(const struct nt_arrival *arrival)
{
	const struct nt_ev_name *name = &arrival->event->u.name;
	size_t length;
	const char *raw = nt_heap_get(arrival->model->names.heap, nt_arrival_text(arrival, name->name), &length);
	nt_allocations_typed(&arrival->model->allocations, name->start, raw, length, &arrival->model->names);
}

void nt_dispatch_name(const struct nt_arrival *arrival)
{
	const struct nt_ev_name *name = &arrival->event->u.name;
	if (nt_arrival_is_text(arrival, nt_arrival_text(arrival, name->image), NT_TYPES_IMAGE)) {
		type_name(arrival);
		return;
	}
	nt_resolver_add_name(arrival->model->resolver, name, nt_arrival_text(arrival, name->image), nt_arrival_text(arrival, name->name),
			     nt_arrival_text(arrival, name->reason));
}

void nt_dispatch_assembly(const struct nt_arrival *arrival)
{
	const struct nt_batch *batch = arrival->batch;
	const struct nt_ev_assembly *assembly = &arrival->event->u.assembly;
	if (assembly->first <= batch->line_count && assembly->count <= batch->line_count - assembly->first)
		nt_annotate_answer(&arrival->model->annotate, assembly, batch, nt_arrival_keep(arrival, assembly->reason));
}

void nt_dispatch_il_map(const struct nt_arrival *arrival)
{
	const struct nt_ev_il_map *said = &arrival->event->u.il_map;
	nt_origin_take_il(&arrival->model->annotate.origin, said, arrival->batch, nt_arrival_keep(arrival, said->reason));
}

void nt_dispatch_source_lines(const struct nt_arrival *arrival)
{
	const struct nt_ev_source_lines *said = &arrival->event->u.source_lines;
	struct nt_process_model *model = arrival->model;
	nt_origin_take_lines(&model->annotate.origin, said, arrival->batch, nt_arrival_keep(arrival, said->reason), model->names.texts);
}
