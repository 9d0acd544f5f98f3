// SPDX-License-Identifier: GPL-2.0-only
/* Who asked for each collection. */
#include "model/gc/gc.h"

static struct nt_gc_trigger *trigger_at(struct nt_gc *gc, size_t number)
{
	return &gc->triggers[number % NT_GC_TRIGGERS];
}

/* The first collection that began after `time`; NULL = none has. */
static struct nt_gc_row *first_after(struct nt_gc *gc, nt_time time)
{
	struct nt_gc_row *first = NULL, *row;
	for (size_t back = 0; (row = nt_gc_row_newest(gc, back)) && row->start >= time; back++)
		if (row->start != NT_TIME_UNKNOWN)
			first = row;
	return first;
}

void nt_gc_asked(struct nt_gc *gc, nt_time time, nt_site_ref by)
{
	if (!by)
		return; /* another stream may say it */
	struct nt_gc_row *row = first_after(gc, time);
	if (!row) {
		if (gc->next_trigger - gc->first_trigger == NT_GC_TRIGGERS)
			gc->first_trigger++;
		*trigger_at(gc, gc->next_trigger++) = (struct nt_gc_trigger){ time, by };
	} else if (!row->asked_by && !*nt_gc_row_asker(gc, row)) {
		*nt_gc_row_asker(gc, row) = by;
	}
}

void nt_gc_answered(struct nt_gc *gc, struct nt_gc_row *row)
{
	for (; gc->first_trigger < gc->next_trigger && trigger_at(gc, gc->first_trigger)->time <= row->start; gc->first_trigger++)
		*nt_gc_row_asker(gc, row) = trigger_at(gc, gc->first_trigger)->by;
}

static void keep_triggers(struct nt_gc *gc, struct nt_sites *sites)
{
	for (size_t number = gc->first_trigger; number < gc->next_trigger; number++)
		nt_sites_keep(sites, &trigger_at(gc, number)->by);
}

void nt_gc_name_askers(struct nt_gc *gc, struct nt_sites *sites)
{
	struct nt_gc_row *row;
	keep_triggers(gc, sites);
	for (size_t back = 0; (row = nt_gc_row_newest(gc, back)); back++) {
		nt_site_ref *asker = nt_gc_row_asker(gc, row);
		if (!*asker)
			continue;
		struct nt_site site = nt_sites_keep(sites, asker);
		row->asked_by = site.name;
		if (back >= NT_GC_WHOLE_STACKS && !site.open)
			*asker = 0;
	}
}

void nt_gc_each_text(const struct nt_gc *gc, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < gc->row_count && i < gc->limit; i++)
		visit(gc->rows[i].asked_by, context);
}
