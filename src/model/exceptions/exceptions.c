// SPDX-License-Identifier: GPL-2.0-only
#include "model/exceptions/exceptions.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/text.h"
#include "model/common/series.h"
#include "model/common/trend_push.h"

#include <stdlib.h>
#include <string.h>

static const char no_type[] = "(type not said)";
static const char other_types[] = "(other types)";

static struct nt_exception_type *type_of(struct nt_exceptions *exceptions, const char *type)
{
	uint32_t index = nt_index_get(&exceptions->by_type, (uint64_t)(uintptr_t)type);
	if (index != NT_INDEX_NONE)
		return &exceptions->items[index];
	if (exceptions->count >= NT_EXCEPTION_TYPES && type != other_types)
		return type_of(exceptions, other_types);
	exceptions->items = nt_grow(exceptions->items, &exceptions->capacity, exceptions->count + 1, sizeof(*exceptions->items));
	nt_index_put(&exceptions->by_type, (uint64_t)(uintptr_t)type, (uint32_t)exceptions->count);
	struct nt_exception_type *item = &exceptions->items[exceptions->count++];
	*item = (struct nt_exception_type){ .type = type };
	return item;
}

static bool is_known(enum nt_exception_fate fate)
{
	return fate != NT_FATE_UNKNOWN && fate != NT_FATE_UNDER_WAY;
}

static bool is_caught(enum nt_exception_fate fate)
{
	return fate == NT_FATE_CAUGHT || fate == NT_FATE_RETHROWN;
}

static void fate_changes(void *context, const char *type, enum nt_exception_fate was, enum nt_exception_fate is)
{
	/* That one is known to be unhandled is no share of anything where nobody tells of the others. */
	if (is == NT_FATE_UNHANDLED && was != NT_FATE_UNDER_WAY)
		return;
	struct nt_exception_type *item = type_of(context, type ? type : no_type);
	item->fate_count += is_known(is);
	item->fate_count -= is_known(was);
	item->caught_count += is_caught(is);
	item->caught_count -= is_caught(was);
}

void nt_exceptions_init(struct nt_exceptions *exceptions)
{
	*exceptions = (struct nt_exceptions){ 0 };
	nt_thrown_init(&exceptions->thrown, fate_changes, exceptions);
}

void nt_exceptions_fini(struct nt_exceptions *exceptions)
{
	free(exceptions->items);
	nt_site_tally_fini(&exceptions->throws);
	nt_index_fini(&exceptions->by_type);
	nt_throw_sites_fini(&exceptions->sites);
	nt_thrown_fini(&exceptions->thrown);
	*exceptions = (struct nt_exceptions){ 0 };
}

/* Only when the interval closes it is known which stacks have the same site. */
static void located(struct nt_exceptions *exceptions, const struct nt_throw *as)
{
	if (!as->stack)
		return;
	const struct nt_exception_type *item = type_of(exceptions, as->type ? as->type : no_type);
	nt_site_tally_add(&exceptions->throws, (uint32_t)(item - exceptions->items), as->stack, 1);
}

void nt_exceptions_thrown(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, size_t length)
{
	exceptions->interval_count++;
	exceptions->total_count++;
	struct nt_exception_type *item = type_of(exceptions, as->type ? as->type : no_type);
	item->interval_count++;
	item->total_count++;
	item->message_length = (uint32_t)nt_utf8_cut(message, length, NT_EXCEPTION_MESSAGE);
	memcpy(item->message, message, item->message_length);
	located(exceptions, as);
	exceptions->with_stacks |= as->stack != 0;
	nt_thrown_add(&exceptions->thrown, as, message, length);
}

void nt_exceptions_told(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, size_t length)
{
	if (!exceptions->with_stacks)
		located(exceptions, as);
	nt_thrown_told(&exceptions->thrown, as, message, length);
}

void nt_exceptions_unhandled(struct nt_exceptions *exceptions, const struct nt_throw *as, const char *message, struct nt_sites *sites)
{
	size_t length = strlen(message);
	if (exceptions->unhandled)
		return;
	exceptions->unhandled = true;
	if (nt_thrown_unhandled(&exceptions->thrown, as, message, length, sites))
		return;
	bool with_stacks = exceptions->with_stacks; /* which says something of streams */
	nt_exceptions_thrown(exceptions, as, message, length);
	exceptions->with_stacks = with_stacks;
	nt_thrown_unhandled(&exceptions->thrown, as, message, length, sites);
}

void nt_exceptions_caught(struct nt_exceptions *exceptions)
{
	exceptions->interval_caught++;
	exceptions->total_caught++;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_exception_row *x = a, *y = b;
	if (x->count_all != y->count_all)
		return x->count_all > y->count_all ? -1 : 1;
	int order = strcmp(x->type, y->type);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

static void note_top(struct nt_exception_figures *figures, const char *type, uint64_t count)
{
	if (!count || (figures->top_count.known && figures->top_count.v >= count))
		return;
	figures->top_type = type;
	figures->top_count = nt_u64_of(count);
}

static void locate(struct nt_exceptions *exceptions, struct nt_sites *sites)
{
	nt_throw_sites_settle(&exceptions->sites, sites);
	for (size_t i = 0; i < exceptions->throws.count; i++) {
		const struct nt_site_tally_item *thrown = &exceptions->throws.items[i];
		struct nt_exception_type *item = &exceptions->items[thrown->row];
		nt_site_counts_add(&item->sites, sites, thrown->stack, thrown->amount);
		nt_throw_sites_add(&exceptions->sites, sites, thrown->stack, item->type, thrown->amount);
	}
	nt_site_tally_clear(&exceptions->throws);
}

static struct nt_exception_row row_of(struct nt_exception_type *item, struct nt_sites *sites, struct nt_snapshot *snapshot)
{
	nt_site_counts_keep(&item->sites, sites, item->interval_count != 0);
	const struct nt_site_count *site = nt_site_counts_first(&item->sites);
	return (struct nt_exception_row){
		.type = item->type,
		.message = nt_arena_text(snapshot->arena, item->message, item->message_length),
		.thrown_at = site->site.name,
		.thrown_from = nt_sites_stack(sites, site->stack, snapshot),
		.count = item->interval_count,
		.count_all = item->total_count,
		.fate_count = item->fate_count,
		.caught_count = item->caught_count,
		.trend = item->trend,
		.fresh = !item->shown,
	};
}

void nt_exceptions_close(struct nt_exceptions *exceptions, bool interval_known, bool total_known, struct nt_sites *sites,
			 struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	locate(exceptions, sites);
	/* Nobody tells of them but a session of somebody's, while it lasts: none of a flood that the program survives is none that was told. */
	bool told_now = exceptions->interval_caught || (exceptions->total_caught && !exceptions->interval_count);
	exceptions->untold |= exceptions->interval_count && !exceptions->interval_caught;
	bool told_of_all = exceptions->total_caught && !exceptions->untold;
	if (interval_known)
		process->interval.exceptions.count = nt_u64_of(exceptions->interval_count);
	if (interval_known && told_now)
		process->interval.exceptions.caught_count = nt_u64_of(exceptions->interval_caught);
	if (total_known)
		process->total.exceptions.count = nt_u64_of(exceptions->total_count);
	if (total_known && told_of_all)
		process->total.exceptions.caught_count = nt_u64_of(exceptions->total_caught);
	process->exceptions = nt_realloc(NULL, exceptions->count, sizeof(*process->exceptions));
	process->exception_count = exceptions->count;
	for (size_t i = 0; i < exceptions->count; i++) {
		struct nt_exception_type *item = &exceptions->items[i];
		nt_trend_push(&item->trend, nt_per_second(nt_u64_of(item->interval_count), process->interval.exceptions.covered_ns.v));
		process->exceptions[i] = row_of(item, sites, snapshot);
		process->exceptions[i].id = i + 1;
		item->shown = true;
		item->interval_count = 0;
	}
	qsort(process->exceptions, process->exception_count, sizeof(*process->exceptions), compare_rows);
	for (size_t i = 0; i < process->exception_count; i++) {
		const struct nt_exception_row *row = &process->exceptions[i];
		note_top(&process->interval.exceptions, row->type, row->count);
		note_top(&process->total.exceptions, row->type, row->count_all);
	}
	exceptions->interval_count = exceptions->interval_caught = 0;
	nt_throw_sites_close(&exceptions->sites, sites, snapshot, process);
	nt_thrown_close(&exceptions->thrown, sites, snapshot, process);
}

void nt_exceptions_each_text(const struct nt_exceptions *exceptions, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < exceptions->count; i++) {
		visit(exceptions->items[i].type, context);
		nt_site_counts_each_text(&exceptions->items[i].sites, visit, context);
	}
	nt_throw_sites_each_text(&exceptions->sites, visit, context);
	nt_thrown_each_text(&exceptions->thrown, visit, context);
}
