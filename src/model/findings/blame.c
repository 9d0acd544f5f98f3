// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/blame.h"

#include "model/common/majority.h"

#include <string.h>

enum { REASONS = 32, BACKGROUND = 3, TYPE_BACKGROUND = 1 };
static const double resting_pct = 5; /* a thread that uses less CPU is as good as not running */

/* ---- collections ---- */

unsigned nt_blame_generation(const struct nt_gc_row *row)
{
	return row->type == TYPE_BACKGROUND ? BACKGROUND : row->generation;
}

static bool counts(const struct nt_gc_row *row, nt_time t1, nt_time over_ns)
{
	return row->finished && row->generation <= 2 && row->end + over_ns >= t1;
}

/* Rows are newest first: the first that is too old ends the search, but for those that still run. */
static size_t recent_rows(const struct nt_process_snapshot *process, nt_time t1, nt_time over_ns)
{
	size_t count = 0;
	while (count < process->collection_count) {
		const struct nt_gc_row *row = process->collections[count];
		if (row->finished && row->end + over_ns < t1)
			break;
		count++;
	}
	return count;
}

static unsigned longest_generation(const struct nt_process_snapshot *process, size_t rows, nt_time t1, nt_time over_ns,
				   enum nt_blame_gc_by by)
{
	uint64_t pause_ns[NT_GC_ROW_GENERATIONS] = { 0 };
	for (size_t i = 0; i < rows; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (!counts(row, t1, over_ns))
			continue;
		uint64_t *ns = &pause_ns[nt_blame_generation(row)];
		if (by != NT_BLAME_LONGEST)
			*ns += row->pause_ns.v;
		else if (row->pause_ns.v > *ns)
			*ns = row->pause_ns.v;
	}
	unsigned longest = by == NT_BLAME_FULL ? 2 : 0;
	for (unsigned i = longest + 1; i < NT_GC_ROW_GENERATIONS; i++)
		if (pause_ns[i] > pause_ns[longest])
			longest = i;
	return longest;
}

static const char *reason_of(const struct nt_gc_row *row)
{
	return row->reason.known && row->reason.v < REASONS ? nt_gc_reason_name(row->reason.v) : NULL;
}

struct nt_blame_gc nt_blame_gc(const struct nt_process_snapshot *process, nt_time t1, nt_time over_ns, enum nt_blame_gc_by by)
{
	size_t rows = recent_rows(process, t1, over_ns);
	struct nt_blame_gc blame = { .generation = longest_generation(process, rows, t1, over_ns, by) };
	uint32_t reasons[REASONS] = { 0 }, count = 0, most = 0;
	const char *reason = NULL;
	for (size_t i = 0; i < rows; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (!counts(row, t1, over_ns) || nt_blame_generation(row) != blame.generation)
			continue;
		count++;
		if (!blame.known || row->pause_ns.v > blame.pause_ns) {
			blame.known = true;
			blame.number = row->id;
			blame.asked_by = row->asked_by;
			blame.pause_ns = row->pause_ns.v;
			blame.reason = reason_of(row);
		}
		if (row->reason.known && row->reason.v < REASONS && ++reasons[row->reason.v] > most) {
			most = reasons[row->reason.v];
			reason = reason_of(row);
		}
	}
	if (by != NT_BLAME_LONGEST)
		blame.reason = reason;
	if (over_ns)
		blame.per_s = (double)count * (double)NT_NS_PER_S / (double)over_ns;
	return blame;
}

/* ---- compiled methods, exceptions ---- */

const struct nt_jit_row *nt_blame_jit(const struct nt_process_snapshot *process)
{
	const struct nt_jit_row *worst = process->jit_method_count ? &process->jit_methods[0] : NULL;
	for (size_t i = 1; i < process->jit_method_count; i++)
		if (process->jit_methods[i].time_ns > worst->time_ns)
			worst = &process->jit_methods[i];
	return worst && worst->time_ns ? worst : NULL; /* rows stay when nobody asks for compilations any more */
}

const struct nt_lock_row *nt_blame_lock(const struct nt_process_snapshot *process)
{
	const struct nt_lock_row *worst = process->lock_count ? &process->locks[0] : NULL;
	for (size_t i = 1; i < process->lock_count; i++)
		if (process->locks[i].spent_ns > worst->spent_ns)
			worst = &process->locks[i];
	return worst;
}

const struct nt_exception_row *nt_blame_exception(const struct nt_process_snapshot *process)
{
	const struct nt_exception_row *worst = process->exception_count ? &process->exceptions[0] : NULL;
	for (size_t i = 1; i < process->exception_count; i++)
		if (process->exceptions[i].count > worst->count)
			worst = &process->exceptions[i];
	return worst;
}

const struct nt_request_row *nt_blame_request(const struct nt_process_snapshot *process)
{
	const struct nt_request_row *worst = NULL;
	for (size_t i = 0; i < process->request_count; i++) {
		const struct nt_request_row *row = &process->requests[i];
		if (row->way != NT_REQUEST_SERVED || !row->failed)
			continue;
		bool more = worst && (row->count > worst->count || (row->count == worst->count && row->count_all > worst->count_all));
		worst = !worst || more ? row : worst;
	}
	return worst;
}

const struct nt_thread_row *nt_blame_finalizers(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (process->threads[i].role == NT_ROLE_FINALIZER && !process->threads[i].ended)
			return &process->threads[i];
	return NULL;
}

static double risen(const struct nt_request_row *row)
{
	return (double)row->now_p99_ns.v - (double)row->usual_p99_ns.v;
}

const struct nt_request_row *nt_blame_slow(const struct nt_process_snapshot *process, enum nt_request_way way)
{
	const struct nt_request_row *worst = NULL;
	bool worst_is_slow = false;
	for (size_t i = 0; i < process->request_count; i++) {
		const struct nt_request_row *row = &process->requests[i];
		if (row->way != way || !row->now_p99_ns.known || !row->usual_p99_ns.known)
			continue;
		bool slow = nt_request_is_slow(row->now_p99_ns, row->usual_p99_ns);
		if (worst && (slow != worst_is_slow ? !slow : risen(row) <= risen(worst)))
			continue;
		worst = row;
		worst_is_slow = slow;
	}
	return worst;
}

static const struct nt_request_row *slowest(const struct nt_process_snapshot *process, enum nt_request_way way)
{
	const struct nt_request_row *worst = NULL;
	for (size_t i = 0; i < process->request_count; i++) {
		const struct nt_request_row *row = &process->requests[i];
		if (row->way == way && row->now_p99_ns.known && (!worst || row->now_p99_ns.v > worst->now_p99_ns.v))
			worst = row;
	}
	return worst;
}

/* A gateway before something slow is so all the time. */
static bool is_usual(const struct nt_request_row *row)
{
	const nt_time long_ns = 540 * NT_NS_PER_S;
	return row->usual_p99_ns.known && row->usual_over_ns >= long_ns && !nt_request_is_slow(row->now_p99_ns, row->usual_p99_ns);
}

bool nt_blame_slow_call(const struct nt_process_snapshot *process, struct nt_slow_call *out)
{
	/* A p99 is a sample's: that of the calls may be somewhat longer than that of the requests that wait for them. */
	const double least = 0.7, most = 1.5;
	const struct nt_request_row *made = slowest(process, NT_REQUEST_MADE), *asked = slowest(process, NT_REQUEST_DATABASE);
	bool of_database = asked && (!made || asked->now_p99_ns.v > made->now_p99_ns.v);
	*out = (struct nt_slow_call){ slowest(process, NT_REQUEST_SERVED), of_database ? asked : made };
	if (!out->served || !out->made || out->served->now_p99_ns.v < NT_REQUEST_LONG_NS || is_usual(out->served))
		return false;
	double part = (double)out->made->now_p99_ns.v / (double)out->served->now_p99_ns.v;
	return part >= least && part <= most;
}

const char *nt_blame_peer(const struct nt_process_snapshot *process)
{
	const struct nt_request_row *most = NULL;
	for (size_t i = 0; i < process->request_count; i++) {
		const struct nt_request_row *row = &process->requests[i];
		if (row->way == NT_REQUEST_MADE && row->route && (!most || row->count > most->count))
			most = row;
	}
	return most ? most->route : NULL;
}

/* ---- thread pool ---- */

/* The pool has threads that do not work: Gate, Wait. */
static bool is_worker(const struct nt_thread_row *row)
{
	static const char pool_name[] = ".NET TP ";
	if (row->role != NT_ROLE_POOL || row->ended)
		return false;
	return !row->name || strncmp(row->name, pool_name, strlen(pool_name)) != 0 || strcmp(row->name, ".NET TP Worker") == 0;
}

bool nt_blame_rests(const struct nt_thread_row *row)
{
	return is_worker(row) && !row->parked && row->state && row->state != 'R' && !(row->cpu_pct.known && row->cpu_pct.v >= resting_pct);
}

/* Majority vote of Boyer and Moore, then counted: equal texts of a snapshot are one. */
static void blame_site(const struct nt_process_snapshot *process, struct nt_blame_pool *blame)
{
	uint32_t lead = 0;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		if (!nt_blame_rests(row) || !row->wait_at || row->wait == NT_WAIT_IDLE)
			continue;
		if (!lead) {
			blame->site = row->wait_at;
			blame->means = row->wait_means;
			blame->wait = row->wait;
		}
		lead += row->wait_at == blame->site ? 1 : -1u;
	}
	for (size_t i = 0; i < process->thread_count; i++)
		blame->site_count += nt_blame_rests(&process->threads[i]) && blame->site && process->threads[i].wait_at == blame->site;
	if (2 * blame->site_count <= blame->resting_count)
		blame->site = blame->means = NULL;
}

struct nt_blame_pool nt_blame_pool(const struct nt_process_snapshot *process)
{
	struct nt_blame_pool blame = { 0 };
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		blame.worker_count += is_worker(row);
		if (!nt_blame_rests(row))
			continue;
		blame.resting_count++;
		if (!blame.longest || row->idle_ns.v > blame.longest->idle_ns.v)
			blame.longest = row;
	}
	blame_site(process, &blame);
	return blame;
}

const struct nt_alloc_row *nt_blame_allocation(const struct nt_process_snapshot *process)
{
	/* Most bytes first. */
	bool any = process->alloc_sampling.on && process->allocation_count && process->allocations[0].figures.window.bytes > 0;
	return any ? &process->allocations[0] : NULL;
}

const struct nt_alloc_row *nt_blame_large(const struct nt_process_snapshot *process)
{
	const struct nt_alloc_row *most = NULL;
	for (size_t i = 0; process->alloc_sampling.on && i < process->allocation_count; i++) {
		const struct nt_alloc_row *row = &process->allocations[i];
		if (row->figures.window.large_bytes > (most ? most->figures.window.large_bytes : 0))
			most = row;
	}
	return most;
}

const char *nt_blame_large_asker(const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->collection_count; i++) {
		const struct nt_gc_row *row = process->collections[i];
		if (row->reason.known && nt_gc_reason_is_large(row->reason.v) && row->asked_by)
			return row->asked_by;
	}
	return NULL;
}

/* ---- threads of the program's own, what is open ---- */

static bool is_own(const struct nt_thread_row *row)
{
	return !row->ended && (row->role == NT_ROLE_APPLICATION || row->role == NT_ROLE_UNKNOWN);
}

/* Without a number at its end: worker-17. */
static size_t name_length(const char *name)
{
	size_t length = strlen(name);
	while (length && name[length - 1] >= '0' && name[length - 1] <= '9')
		length--;
	return length ? length : strlen(name);
}

static bool same_name(const char *a, const char *b)
{
	return name_length(a) == name_length(b) && memcmp(a, b, name_length(a)) == 0;
}

/* As nt_majority_vote(): names that differ in a number are one. */
static const char *most_common_name(const struct nt_process_snapshot *process)
{
	const char *most = NULL;
	uint32_t lead = 0;
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		if (!is_own(row) || !row->name)
			continue;
		if (!lead)
			most = row->name;
		lead += same_name(row->name, most) ? 1 : -1u;
	}
	return most;
}

struct nt_blame_threads nt_blame_threads(const struct nt_process_snapshot *process)
{
	struct nt_blame_threads blame = { .name = most_common_name(process) };
	struct nt_majority sites = { 0 };
	uint32_t own = 0, named = 0;
	for (size_t i = 0; i < process->thread_count; i++)
		if (is_own(&process->threads[i]))
			nt_majority_vote(&sites, process->threads[i].wait_at);
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		if (!is_own(row))
			continue;
		own++;
		named += blame.name && row->name && same_name(row->name, blame.name);
		if (!sites.text || row->wait_at != sites.text)
			continue;
		blame.count++;
		blame.means = row->wait_means;
	}
	if (2 * blame.count > own) {
		blame.site = sites.text;
		blame.name = NULL;
		return blame;
	}
	if (2 * named <= own)
		return (struct nt_blame_threads){ 0 };
	return (struct nt_blame_threads){ .name = blame.name, .name_length = name_length(blame.name), .count = named };
}

struct nt_blame_open nt_blame_open(const struct nt_process_snapshot *process)
{
	uint64_t counts[NT_IO_KIND_COUNT] = { 0 }, all = 0;
	struct nt_blame_open blame = { 0 };
	if (!process->io_looked)
		return blame;
	for (size_t i = 0; i < process->io_count; i++) {
		const struct nt_io_row *row = &process->io[i];
		counts[row->kind] += row->open_count;
		all += row->open_count;
		if (row->open_count > blame.count)
			blame = (struct nt_blame_open){ .count = row->open_count, .kind = row->kind, .what = row->what };
	}
	if (2 * blame.count > all)
		return blame;
	blame = (struct nt_blame_open){ 0 };
	for (unsigned i = 0; i < NT_IO_KIND_COUNT; i++)
		if (2 * counts[i] > all)
			blame = (struct nt_blame_open){ .count = counts[i], .kind = (enum nt_io_kind)i };
	return blame;
}
