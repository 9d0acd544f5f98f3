// SPDX-License-Identifier: GPL-2.0-only
#include "model/io/io.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "model/common/tombstone.h"

#include <stdlib.h>
#include <string.h>

/* What was read so long before the end of an interval tells nothing of it. */
static const nt_time fresh_ns = 5 * NT_NS_PER_S;

void nt_io_init(struct nt_io *io)
{
	*io = (struct nt_io){ 0 };
}

static void drop(struct nt_io_item *item)
{
	nt_io_call_sums_fini(&item->calls);
	free(item->callers);
}

void nt_io_fini(struct nt_io *io)
{
	for (size_t i = 0; i < io->count; i++)
		drop(&io->items[i]);
	free(io->items);
	nt_site_tally_fini(&io->callers);
	nt_index_fini(&io->by_id);
	*io = (struct nt_io){ 0 };
}

/* ---- readings ---- */

static bool fell(const struct nt_ev_io *from, const struct nt_ev_io *to)
{
	return to->read_count < from->read_count || to->write_count < from->write_count || to->read_bytes < from->read_bytes ||
	       to->write_bytes < from->write_bytes || to->disk_read_bytes < from->disk_read_bytes ||
	       to->disk_write_bytes < from->disk_write_bytes;
}

void nt_io_read(struct nt_io *io, nt_time time, const struct nt_ev_io *reading)
{
	struct nt_io_reading now = { .time = time, .values = *reading };
	bool goes_on = io->newest.values.known && reading->known && time >= io->newest.time && !fell(&io->newest.values, reading);
	if (!goes_on)
		io->first = io->closed = now;
	io->newest = now;
}

static void fill_readings(const struct nt_io_reading *from, const struct nt_io_reading *to, nt_time covered_ns, bool known,
			  struct nt_io_figures *out)
{
	const struct nt_ev_io *a = &from->values, *b = &to->values;
	known &= a->known && b->known && to->time > from->time;
	out->covered_ns = (struct nt_u64){ .known = known, .v = known ? covered_ns : 0 };
	const struct {
		struct nt_u64 *figure;
		uint64_t from, to;
	} sums[] = {
		{ &out->read_count, a->read_count, b->read_count },
		{ &out->write_count, a->write_count, b->write_count },
		{ &out->read_bytes, a->read_bytes, b->read_bytes },
		{ &out->write_bytes, a->write_bytes, b->write_bytes },
		{ &out->disk_read_bytes, a->disk_read_bytes, b->disk_read_bytes },
		{ &out->disk_write_bytes, a->disk_write_bytes, b->disk_write_bytes },
	};
	for (size_t i = 0; i < sizeof(sums) / sizeof(*sums); i++)
		*sums[i].figure = (struct nt_u64){ .known = known, .v = known ? sums[i].to - sums[i].from : 0 };
}

/* What is 0 where it is not known. */
static struct nt_u64 when(bool fresh, uint64_t value)
{
	return (struct nt_u64){ .known = fresh && value, .v = fresh ? value : 0 };
}

/* As long as the span, where the readings are about as far apart as that. */
static nt_time covered(nt_time distance, nt_time length)
{
	bool same = distance > length - length / 10 && distance < length + length / 10;
	return same ? length : distance;
}

static void close_readings(struct nt_io *io, const struct nt_span *span, struct nt_io_figures *interval, struct nt_io_figures *total)
{
	static const struct nt_why refused = {
		"what a process of another user reads and writes only root may know, or who has CAP_SYS_PTRACE", NULL
	};
	static const struct nt_why unread = { "the kernel does not tell what the process reads and writes", NULL };
	static const struct nt_why untold = { "what it reads and writes is known from the second reading on", NULL };
	nt_time distance = io->newest.time - io->closed.time, length = nt_span_length(span);
	bool fresh = io->newest.time + fresh_ns > span->t1 && distance < length + fresh_ns;
	nt_time all = io->newest.time - io->first.time, most = span->t1 - span->start;
	fill_readings(&io->closed, &io->newest, covered(distance, length), fresh, interval);
	fill_readings(&io->first, &io->newest, all < most ? all : most, true, total);
	const struct nt_ev_io *newest = &io->newest.values;
	interval->descriptor_count = when(fresh, newest->descriptor_count);
	interval->descriptor_limit = when(fresh, newest->descriptor_limit);
	total->descriptor_count = interval->descriptor_count;
	total->descriptor_limit = interval->descriptor_limit;
	const struct nt_why why = !io->newest.time || newest->known ? untold : newest->refused ? refused : unread;
	if (!interval->covered_ns.known)
		interval->why = why;
	if (!total->covered_ns.known)
		total->why = why;
	io->closed = io->newest;
}

/* ---- what is open ---- */

/* The same after it has come back. */
static uint64_t id_of(uint32_t kind, const char *what)
{
	return nt_hash_mix(nt_hash_bytes(what ? what : "", what ? strlen(what) : 0) ^ (kind + 1));
}

/* NULL: there are too many. */
static struct nt_io_item *item_of(struct nt_io *io, uint32_t kind, const char *what)
{
	uint64_t id = id_of(kind, what);
	uint32_t index = nt_index_get(&io->by_id, id);
	if (index != NT_INDEX_NONE)
		return &io->items[index];
	if (io->count == NT_IO_ROWS)
		return NULL;
	io->items = nt_grow(io->items, &io->capacity, io->count + 1, sizeof(*io->items));
	io->items[io->count] = (struct nt_io_item){ .row = { .id = id, .kind = (enum nt_io_kind)kind, .what = what, .fresh = true } };
	nt_index_put(&io->by_id, id, (uint32_t)io->count);
	return &io->items[io->count++];
}

void nt_io_found(struct nt_io *io, nt_time time, const struct nt_ev_descriptor *found, const char *what)
{
	if (found->kind >= NT_IO_KIND_COUNT)
		return;
	struct nt_io_item *item = item_of(io, found->kind, what);
	if (!item) {
		io->beyond++;
		return;
	}
	item->heard = time;
	item->look = io->look;
	item->row.ways = found->ways & (NT_IO_READS | NT_IO_WRITES);
	item->row.open_count = found->open_count;
	item->row.opened_all += found->opened_count;
	item->row.blocked_count = found->blocked_count;
	item->row.blocked_tid = found->blocked_tid;
	item->row.ended = false;
	item->opened_count += found->opened_count;
	item->blocked_since = found->blocked_tid ? found->blocked_since : NT_TIME_UNKNOWN;
}

static void nothing_open(struct nt_io_item *item)
{
	item->row.ended = true;
	item->row.open_count = item->row.blocked_count = 0;
	item->row.blocked_tid = 0;
	item->blocked_since = NT_TIME_UNKNOWN;
}

void nt_io_looked(struct nt_io *io, nt_time time, const struct nt_ev_descriptors *end, const char *reason)
{
	io->reason = reason;
	io->looked = reason ? 0 : time;
	io->last = *end;
	io->beyond_whole = io->beyond;
	io->beyond = 0;
	for (size_t i = 0; i < io->count && !reason; i++)
		if (io->items[i].look != io->look)
			nothing_open(&io->items[i]);
	io->look++;
}

/* ---- calls ---- */

void nt_io_called(struct nt_io *io, nt_time time, const struct nt_ev_calls *calls, const char *what)
{
	if (calls->kind >= NT_IO_KIND_COUNT || !nt_io_call_totals_add(&io->calls, calls))
		return;
	size_t before = io->count;
	struct nt_io_item *item = item_of(io, calls->kind, what);
	if (!item)
		return;
	if (io->count != before) { /* no look has found it */
		item->row.ended = true;
		item->blocked_since = NT_TIME_UNKNOWN;
	}
	item->heard = time;
	nt_io_call_sums_add(&item->calls, calls);
}

/* Its row is there: the calls were told before. */
void nt_io_call_looked_at(struct nt_io *io, const struct nt_ev_caller *caller, const char *what, nt_site_ref stack)
{
	uint32_t index = nt_index_get(&io->by_id, id_of(caller->kind, what));
	if (index == NT_INDEX_NONE || !caller->weight)
		return;
	struct nt_io_item *item = &io->items[index];
	if (!item->callers)
		item->callers = nt_alloc(sizeof(*item->callers));
	item->callers->looked++;
	item->callers->weight += caller->weight;
	nt_site_tally_add(&io->callers, index, stack, caller->weight);
}

void nt_io_calls_told(struct nt_io *io, nt_time time, const struct nt_ev_calls_told *told, const char *reason, const char *fix)
{
	nt_io_call_totals_told(&io->calls, time, told, reason, fix);
}

/* ---- showing ---- */

static void bury(struct nt_io *io, const struct nt_span *span)
{
	size_t kept = 0;
	for (size_t i = 0; i < io->count; i++) {
		const struct nt_io_item *item = &io->items[i];
		if (item->row.ended && span->t1 > item->heard + nt_tombstone_ns(span)) {
			nt_index_remove(&io->by_id, item->row.id);
			drop(&io->items[i]);
			continue;
		}
		if (kept != i)
			nt_index_put(&io->by_id, item->row.id, (uint32_t)kept);
		io->items[kept++] = *item;
	}
	io->count = kept;
}

/* What is open; calls keep their rows for a while. */
static void forget(struct nt_io *io)
{
	for (size_t i = 0; i < io->count; i++)
		nothing_open(&io->items[i]);
	io->looked = 0;
}

static int compare_rows(const void *a, const void *b)
{
	const struct nt_io_row *x = a, *y = b;
	int order = strcmp(x->what ? x->what : "", y->what ? y->what : "");
	if (!order)
		order = (x->kind > y->kind) - (x->kind < y->kind);
	return order ? order : x->id < y->id ? -1 : x->id > y->id;
}

/* Only now there are names. */
static void find_callers(struct nt_io *io, struct nt_sites *sites)
{
	for (size_t i = 0; i < io->count; i++)
		if (io->items[i].callers)
			nt_io_callers_keep(io->items[i].callers, sites);
	for (size_t i = 0; i < io->callers.count; i++) {
		const struct nt_site_tally_item *looked = &io->callers.items[i];
		nt_io_callers_add(io->items[looked->row].callers, sites, looked->stack, looked->amount);
	}
	nt_site_tally_clear(&io->callers);
}

static void close_row(struct nt_io_item *item, nt_time looked, struct nt_snapshot *snapshot, struct nt_io_row *out)
{
	struct nt_io_row *row = &item->row;
	bool blocked = row->blocked_count && item->blocked_since != NT_TIME_UNKNOWN && item->blocked_since <= looked;
	row->blocked_ns = (struct nt_u64){ .known = blocked, .v = blocked ? looked - item->blocked_since : 0 };
	row->opened_count = item->opened_count;
	*out = *row;
	nt_io_call_sums_close(&item->calls, out);
	if (item->callers)
		nt_io_callers_fill(item->callers, snapshot, out);
	out->ended &= !nt_io_calls_count(&out->calls);
	item->opened_count = 0;
	row->fresh = false;
}

/* Does it have other means than calls? By the name that the kernel gives the descriptor. */
static bool has_ring(const struct nt_io *io)
{
	uint32_t index = nt_index_get(&io->by_id, id_of(NT_IO_OTHER, "io_uring"));
	return index != NT_INDEX_NONE && io->items[index].row.open_count;
}

static void close_looks(struct nt_io *io, struct nt_process_snapshot *process)
{
	static const struct nt_why by_ring = {
		"the process has io_uring: what it opens, reads, writes and closes by that are no calls of their own, and in no row", NULL
	};
	static const struct nt_why unlooked = { "what the process has open is looked at only while somebody looks (key i)", NULL };
	struct nt_io_figures *interval = &process->interval.io;
	uint64_t open = 0, blocked = 0;
	for (size_t i = 0; i < io->count; i++) {
		open += io->items[i].row.open_count;
		blocked += io->items[i].row.blocked_count;
	}
	bool known = io->looked != 0;
	interval->open_count = (struct nt_u64){ .known = known && io->last.hidden_known, .v = open + io->last.hidden_count };
	interval->blocked_count = (struct nt_u64){ .known = known && !io->last.threads_hidden && !io->last.hidden_count, .v = blocked };
	interval->unseen_count = (struct nt_u64){ .known = known && io->last.hidden_known, .v = io->last.hidden_count };
	if (!known)
		interval->open_why = io->reason ? (struct nt_why){ .reason = io->reason } : unlooked;
	if (known && has_ring(io))
		interval->calls_lack = process->total.io.calls_lack = by_ring;
	process->total.io.open_count = interval->open_count;
	process->total.io.blocked_count = interval->blocked_count;
	process->total.io.unseen_count = interval->unseen_count;
	process->total.io.open_why = interval->open_why;
	process->io_hidden = known ? io->last.hidden_count + io->beyond_whole : 0;
	process->io_hidden_at_least = known && !io->last.hidden_known;
	process->io_threads_hidden = known ? io->last.threads_hidden : 0;
}

void nt_io_close(struct nt_io *io, const struct nt_span *span, bool ended, struct nt_sites *sites, struct nt_snapshot *snapshot,
		 struct nt_process_snapshot *process)
{
	find_callers(io, sites);
	close_readings(io, span, &process->interval.io, &process->total.io);
	if (ended || (!io->looked && io->reason))
		forget(io);
	bury(io, span);
	process->io = nt_realloc(NULL, io->count, sizeof(*process->io));
	process->io_count = 0;
	process->io_looked = io->looked != 0;
	for (size_t i = 0; i < io->count; i++)
		if (io->looked || io->items[i].calls.latency)
			close_row(&io->items[i], io->looked, snapshot, &process->io[process->io_count++]);
	if (process->io_count)
		qsort(process->io, process->io_count, sizeof(*process->io), compare_rows);
	close_looks(io, process);
	nt_io_call_totals_close(&io->calls, process);
}

void nt_io_each_text(const struct nt_io *io, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < io->count; i++)
		visit(io->items[i].row.what, context);
	for (size_t i = 0; i < io->count; i++)
		if (io->items[i].callers)
			nt_io_callers_each_text(io->items[i].callers, visit, context);
	visit(io->reason, context);
	visit(io->calls.reason, context);
	visit(io->calls.fix, context);
}
