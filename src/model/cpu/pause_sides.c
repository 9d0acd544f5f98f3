// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/pause_sides.h"

#include "base/alloc.h"
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

void nt_pause_sides_fini(struct nt_pause_sides *sides)
{
	for (int i = 0; i < NT_PAUSE_SIDES; i++)
		free(sides->of[i].hot);
	free(sides->near);
	*sides = (struct nt_pause_sides){ 0 };
}

void nt_pause_sides_begin(struct nt_pause_sides *sides, const struct nt_pauses *pauses, bool told, nt_time oldest)
{
	size_t ended = 0;
	nt_time first = NT_TIME_UNKNOWN;
	if (!sides->near)
		sides->near = nt_alloc(sizeof(*sides->near));
	sides->told = told;
	sides->ever_told |= told;
	sides->near->count = 0;
	for (size_t i = 0; i < pauses->count; i++) {
		nt_time begin = pauses->items[i].begin, end = pauses->items[i].end;
		ended += end != NT_TIME_UNKNOWN;
		first = begin < first ? begin : first;
		if (end > oldest)
			sides->near->items[sides->near->count++] = pauses->items[i];
	}
	/* So many have ended that some are no longer there. */
	sides->known_from = ended >= NT_PAUSES_ENDED ? first : 0;
}

static bool is_in(const struct nt_pauses *pauses, nt_time time)
{
	for (size_t i = 0; i < pauses->count; i++)
		if (time >= pauses->items[i].begin && time < pauses->items[i].end)
			return true;
	return false;
}

enum nt_pause_side nt_pause_side_of(const struct nt_pause_sides *sides, nt_time time)
{
	if (!sides->told || time < sides->known_from)
		return NT_SIDE_NOT_TOLD;
	return is_in(sides->near, time) ? NT_IN_PAUSES : NT_OUTSIDE_PAUSES;
}

void nt_pause_sides_add(struct nt_pause_sides *sides, enum nt_pause_side side, const struct nt_key *method, unsigned count)
{
	if (side == NT_SIDE_NOT_TOLD)
		return;
	sides->of[side].hot = nt_hot_count(sides->of[side].hot, method, count);
	sides->of[side].interval += count;
	sides->of[side].all += count;
}

static void fill_part(const struct nt_hot *hot, double window, struct nt_snapshot *snapshot, struct nt_pause_part *out)
{
	struct nt_hot_method methods[NT_HOT_METHODS];
	out->window_samples = window;
	out->hot_count = hot ? nt_hot_fill(hot, window, methods) : 0;
	if (!out->hot_count)
		return;
	struct nt_hot_method *kept = nt_arena_alloc(snapshot->arena, out->hot_count * sizeof(*kept));
	memcpy(kept, methods, out->hot_count * sizeof(*kept));
	out->hot = kept;
}

void nt_pause_sides_close(struct nt_pause_sides *sides, const struct nt_hot_renames *renames, const struct nt_span *span,
			  struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	process->pause_samples.told = sides->told;
	for (int i = NT_IN_PAUSES; i < NT_PAUSE_SIDES; i++) {
		sides->of[i].window += (double)sides->of[i].interval;
		if (sides->of[i].hot)
			nt_hot_rename(sides->of[i].hot, renames);
		fill_part(sides->of[i].hot, sides->of[i].window, snapshot, &process->pause_samples.parts[i]);
		process->interval.cpu.side_samples[i] =
			(struct nt_u64){ .known = sides->told, .v = sides->told ? sides->of[i].interval : 0 };
		process->total.cpu.side_samples[i] = (struct nt_u64){ .known = sides->ever_told, .v = sides->of[i].all };
		if (sides->of[i].hot)
			sides->of[i].hot = nt_hot_decay(sides->of[i].hot, span->decay);
		sides->of[i].window *= span->decay;
		sides->of[i].interval = 0;
	}
}

void nt_pause_sides_each_text(const struct nt_pause_sides *sides, nt_text_visit *visit, void *context)
{
	for (int side = 0; side < NT_PAUSE_SIDES; side++) {
		const struct nt_hot *hot = sides->of[side].hot;
		for (uint32_t i = 0; hot && i < hot->count; i++)
			visit(hot->slots[i].name, context);
	}
}
