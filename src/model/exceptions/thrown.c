// SPDX-License-Identifier: GPL-2.0-only
#include "model/exceptions/thrown.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/hash.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

/* So far apart two tellings of one exception are at most: a thread may have to wait for a CPU in between. */
static const nt_time apart_ns = 10 * NT_NS_PER_MS;

/* So long before the process ends by one it was thrown at most: its runtime prints it meanwhile, with a name for each frame. */
static const nt_time printed_ns = 5 * NT_NS_PER_S;

/* ---- rings ---- */

/* NULL: it is not kept any more. */
static struct nt_thrown_item *item_of(struct nt_thrown *thrown, uint64_t number)
{
	return number && number + NT_THROWN > thrown->made ? &thrown->items[number % NT_THROWN] : NULL;
}

static struct nt_thrown_told *told_of(struct nt_thrown *thrown, uint64_t number)
{
	struct nt_thrown_told *told = &thrown->told[number % NT_THROWN];
	return told->number == number ? told : NULL;
}

static uint64_t oldest_kept(uint64_t made)
{
	return made > NT_THROWN ? made - NT_THROWN + 1 : 1;
}

/* ---- what becomes of them ---- */

static void ends(void *context, uint64_t number, enum nt_exception_fate fate)
{
	struct nt_thrown *thrown = context;
	struct nt_thrown_told *told = told_of(thrown, number);
	if (!told || told->fate == NT_FATE_UNHANDLED)
		return;
	thrown->changes(thrown->context, told->as.type, (enum nt_exception_fate)told->fate, fate);
	told->fate = (uint8_t)fate;
	struct nt_thrown_item *item = item_of(thrown, told->item);
	if (item)
		item->fate = (uint8_t)fate;
}

void nt_thrown_init(struct nt_thrown *thrown, nt_fate_changes *changes, void *context)
{
	*thrown = (struct nt_thrown){ .flights = { .ends = ends, .context = thrown }, .changes = changes, .context = context };
}

void nt_thrown_fini(struct nt_thrown *thrown)
{
	nt_flights_fini(&thrown->flights);
	free(thrown->items);
	free(thrown->told);
	nt_thrown_init(thrown, thrown->changes, thrown->context);
}

void nt_thrown_add(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length)
{
	if (!thrown->items)
		thrown->items = nt_alloc(NT_THROWN * sizeof(*thrown->items));
	struct nt_thrown_item *item = &thrown->items[++thrown->made % NT_THROWN];
	item->as = *as;
	item->as.message_hash = nt_hash_bytes(message, length);
	item->thread = NULL;
	item->named = false;
	item->told = item->caught_at = 0;
	item->fate = NT_FATE_UNKNOWN;
	item->message_length = (uint16_t)nt_utf8_cut(message, length, NT_THROWN_MESSAGE);
	memcpy(item->message, message, item->message_length);
}

void nt_thrown_told(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length)
{
	if (!thrown->told)
		thrown->told = nt_alloc(NT_THROWN * sizeof(*thrown->told));
	uint64_t number = ++thrown->told_made;
	thrown->told[number % NT_THROWN] =
		(struct nt_thrown_told){ .number = number, .as = *as, .fate = thrown->follows ? NT_FATE_UNDER_WAY : NT_FATE_UNKNOWN };
	thrown->told[number % NT_THROWN].as.message_hash = nt_hash_bytes(message, length);
	if (thrown->follows)
		nt_flights_thrown(&thrown->flights, as->tid, number, as->nested);
}

void nt_thrown_caught(struct nt_thrown *thrown, uint32_t tid, nt_site_ref at)
{
	uint64_t number = nt_flights_caught(&thrown->flights, tid);
	struct nt_thrown_told *told = number ? told_of(thrown, number) : NULL;
	if (!told)
		return;
	told->caught_at = at;
	struct nt_thrown_item *item = item_of(thrown, told->item);
	if (item)
		item->caught_at = at;
}

void nt_thrown_follow(struct nt_thrown *thrown, bool follows)
{
	if (follows != thrown->follows)
		nt_flights_forget(&thrown->flights);
	thrown->follows = follows;
}

/* ---- told twice ---- */

static bool may_be_same(const struct nt_thrown_item *item, const struct nt_throw *told)
{
	const struct nt_throw *as = &item->as;
	return !item->told && as->tid == told->tid && as->type == told->type && as->message_hash == told->message_hash &&
	       as->nested == told->nested;
}

/* They take turns, and which of the two is first is the same each time: the one before comes first. */
static uint64_t counterpart(struct nt_thrown *thrown, const struct nt_throw *told)
{
	uint64_t before = 0, after = 0, oldest = oldest_kept(thrown->made);
	for (uint64_t number = thrown->made; number >= oldest; number--) {
		const struct nt_thrown_item *item = item_of(thrown, number);
		if (!may_be_same(item, told))
			continue;
		nt_time time = item->as.time;
		if (time > told->time)
			after = time - told->time <= apart_ns ? number : after;
		else if (told->time - time <= apart_ns && (!before || time > item_of(thrown, before)->as.time))
			before = number;
	}
	return before ? before : after;
}

static void join_one(struct nt_thrown *thrown, struct nt_thrown_told *told)
{
	uint64_t number = told->item ? 0 : counterpart(thrown, &told->as);
	struct nt_thrown_item *item = number ? item_of(thrown, number) : NULL;
	if (!item)
		return;
	told->item = number;
	item->told = told->number;
	item->as.stack = told->as.stack;
	item->caught_at = told->caught_at;
	item->fate = told->fate;
}

/* What found no counterpart may find it in the next interval, when the other stream has come so far. */
static void join(struct nt_thrown *thrown, struct nt_sites *sites)
{
	uint64_t oldest = oldest_kept(thrown->told_made), joined = thrown->told_made;
	if (oldest <= thrown->told_joined)
		oldest = thrown->told_joined + 1;
	for (uint64_t number = oldest; number <= thrown->told_made; number++) {
		struct nt_thrown_told *told = &thrown->told[number % NT_THROWN];
		join_one(thrown, told);
		if (told->item || told->old)
			continue;
		nt_sites_keep(sites, &told->as.stack);
		nt_sites_keep(sites, &told->caught_at);
		told->old = true;
		if (joined >= number)
			joined = number - 1;
	}
	thrown->told_joined = joined;
}

/* ---- the one that ended the process ---- */

static bool may_have_ended_it(const struct nt_thrown_item *item, const struct nt_throw *as, const char *message, size_t length)
{
	bool open = item->fate == NT_FATE_UNKNOWN || item->fate == NT_FATE_UNDER_WAY;
	bool same_type = !item->as.type || !as->type || strcmp(item->as.type, as->type) == 0;
	bool same_message = item->message_length == nt_utf8_cut(message, length, NT_THROWN_MESSAGE) &&
			    memcmp(item->message, message, item->message_length) == 0;
	return open && same_type && same_message && (!as->tid || item->as.tid == as->tid);
}

bool nt_thrown_unhandled(struct nt_thrown *thrown, const struct nt_throw *as, const char *message, size_t length, struct nt_sites *sites)
{
	join(thrown, sites); /* what became of those that were told last */
	for (uint64_t number = thrown->made, oldest = oldest_kept(thrown->made); number >= oldest; number--) {
		struct nt_thrown_item *item = item_of(thrown, number);
		if (item->as.time + printed_ns < as->time)
			return false;
		if (!may_have_ended_it(item, as, message, length))
			continue;
		if (item->told)
			ends(thrown, item->told, NT_FATE_UNHANDLED);
		item->fate = NT_FATE_UNHANDLED;
		return true;
	}
	return false;
}

/* ---- rows ---- */

static const char *name_of(uint32_t tid, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].tid == tid && !process->threads[i].ended)
			return process->threads[i].name;
	return NULL;
}

static struct nt_thrown_row row_of(struct nt_thrown_item *item, uint64_t number, struct nt_sites *sites, struct nt_snapshot *snapshot)
{
	const char *message = item->message_length ? nt_arena_text(snapshot->arena, item->message, item->message_length) : NULL;
	struct nt_site thrown_at = nt_sites_keep(sites, &item->as.stack), caught_at = nt_sites_keep(sites, &item->caught_at);
	return (struct nt_thrown_row){
		.id = number,
		.time = item->as.time,
		.tid = item->as.tid,
		.thread = item->thread,
		.type = item->as.type ? item->as.type : "(type not said)",
		.message = message,
		.thrown_at = thrown_at.name,
		.thrown_from = nt_sites_stack(sites, item->as.stack, snapshot),
		.caught_at = caught_at.name,
		.fate = (enum nt_exception_fate)item->fate,
		.nested = item->as.nested,
	};
}

void nt_thrown_close(struct nt_thrown *thrown, struct nt_sites *sites, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	size_t count = thrown->made < NT_THROWN ? (size_t)thrown->made : NT_THROWN;
	join(thrown, sites);
	process->thrown = nt_arena_alloc(snapshot->arena, count * sizeof(*process->thrown));
	process->thrown_count = count;
	for (size_t i = 0; i < count; i++) {
		struct nt_thrown_item *item = &thrown->items[(thrown->made - i) % NT_THROWN];
		if (!item->named)
			item->thread = name_of(item->as.tid, process);
		item->named = true;
		process->thrown[i] = row_of(item, thrown->made - i, sites, snapshot);
	}
}

void nt_thrown_each_text(const struct nt_thrown *thrown, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; thrown->items && i < NT_THROWN; i++) {
		visit(thrown->items[i].as.type, context);
		visit(thrown->items[i].thread, context);
	}
	for (size_t i = 0; thrown->told && i < NT_THROWN; i++)
		visit(thrown->told[i].as.type, context);
}
