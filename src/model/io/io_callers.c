// SPDX-License-Identifier: GPL-2.0-only
#include "model/io/io_callers.h"

#include "base/arena.h"
#include "decode/names/dynamic_name.h"

#include <stdlib.h>
#include <string.h>

/* What the stubs of the framework's calls of the system are called: their callers say more. */
static const char interop[] = "Interop";

static bool is_managed(const struct nt_call_frame *frame)
{
	return !frame->native && frame->name[0] != '[' && nt_dynamic_name_is_own(frame->name);
}

/* NULL: no frame is known to be managed code. */
static const struct nt_call_frame *caller_of(const struct nt_call_frame *frames, uint32_t count, uint32_t own)
{
	const struct nt_call_frame *first = NULL;
	if (is_managed(&frames[own]) && own)
		return &frames[own];
	for (uint32_t i = 0; i < count; i++) {
		if (!is_managed(&frames[i]))
			continue;
		if (strncmp(frames[i].name, interop, strlen(interop)) != 0)
			return &frames[i];
		first = first ? first : &frames[i];
	}
	return first;
}

/* Who made the call, as far as that is known now. */
static struct nt_io_caller_count count_of(struct nt_sites *sites, nt_site_ref stack, uint64_t weight)
{
	struct nt_io_caller_count item = { .weight = weight };
	uint32_t count, own;
	nt_site_ref kept = stack;
	bool open = nt_sites_keep(sites, &kept).open;
	const struct nt_call_frame *frames = nt_sites_frames(sites, kept, &count, &own);
	const struct nt_call_frame *caller = caller_of(frames, count, own);
	if (caller) {
		item.name = caller->name;
		item.module = caller->module;
	}
	item.open = open ? kept : 0;
	return item;
}

static bool is_same(const struct nt_io_caller_count *a, const struct nt_io_caller_count *b)
{
	if (a->open || b->open)
		return a->open == b->open;
	return a->name == b->name && a->module == b->module; /* texts of the table */
}

void nt_io_callers_add(struct nt_io_callers *callers, struct nt_sites *sites, nt_site_ref stack, uint64_t weight)
{
	struct nt_io_caller_count added = count_of(sites, stack, weight), *least = &callers->items[0];
	if (!added.name && !added.open)
		return; /* nobody will know */
	for (size_t i = 0; i < NT_IO_CALLER_COUNTS; i++) {
		struct nt_io_caller_count *item = &callers->items[i];
		if (item->weight && is_same(item, &added)) {
			item->weight += weight;
			return;
		}
		if (item->weight < least->weight)
			least = item;
	}
	added.weight += least->weight;
	added.before = least->weight;
	*least = added;
}

/* A name has come, and it is that of another counter. */
static void merge_same(struct nt_io_callers *callers, size_t last)
{
	struct nt_io_caller_count *later = &callers->items[last];
	for (size_t i = 0; i < NT_IO_CALLER_COUNTS; i++) {
		struct nt_io_caller_count *other = &callers->items[i];
		if (i == last || !other->weight || !is_same(other, later))
			continue;
		other->weight += later->weight;
		other->before += later->before;
		*later = (struct nt_io_caller_count){ 0 };
		return;
	}
}

void nt_io_callers_keep(struct nt_io_callers *callers, struct nt_sites *sites)
{
	for (size_t i = 0; i < NT_IO_CALLER_COUNTS; i++) {
		struct nt_io_caller_count *item = &callers->items[i];
		if (!item->open)
			continue;
		uint64_t before = item->before;
		*item = count_of(sites, item->open, item->weight);
		item->before = before;
		if (!item->name && !item->open)
			*item = (struct nt_io_caller_count){ 0 };
		else
			merge_same(callers, i);
	}
}

static int compare(const void *a, const void *b)
{
	const struct nt_io_caller *x = a, *y = b;
	return x->pct < y->pct ? 1 : x->pct > y->pct ? -1 : strcmp(x->name, y->name);
}

/* One name may have several counters, of stacks whose names may get better. */
static uint32_t collect(const struct nt_io_callers *callers, struct nt_io_caller *out)
{
	uint32_t count = 0, at;
	for (size_t i = 0; i < NT_IO_CALLER_COUNTS; i++) {
		const struct nt_io_caller_count *item = &callers->items[i];
		double pct = 100.0 * (double)(item->weight - item->before) / (double)callers->weight;
		if (!item->name || pct <= 0)
			continue;
		for (at = 0; at < count && (out[at].name != item->name || out[at].module != item->module);)
			at++;
		if (at == count)
			out[count++] = (struct nt_io_caller){ .name = item->name, .module = item->module };
		out[at].pct += pct;
	}
	return count;
}

void nt_io_callers_fill(const struct nt_io_callers *callers, struct nt_snapshot *snapshot, struct nt_io_row *out)
{
	struct nt_io_caller found[NT_IO_CALLER_COUNTS];
	uint32_t count = callers->weight ? collect(callers, found) : 0;
	out->looked_count = callers->looked;
	out->caller_count = count < NT_IO_CALLERS ? count : NT_IO_CALLERS;
	out->callers = NULL;
	if (!count)
		return;
	qsort(found, count, sizeof(*found), compare);
	struct nt_io_caller *shown = nt_arena_alloc(snapshot->arena, out->caller_count * sizeof(*shown));
	memcpy(shown, found, out->caller_count * sizeof(*shown));
	out->callers = shown;
}

void nt_io_callers_each_text(const struct nt_io_callers *callers, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < NT_IO_CALLER_COUNTS; i++) {
		visit(callers->items[i].name, context);
		visit(callers->items[i].module, context);
	}
}
