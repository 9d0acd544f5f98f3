// SPDX-License-Identifier: GPL-2.0-only
#include "nettop/tile.h"

#include "base/text.h"
#include "nettop/column.h"
#include "nettop/shorten.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { NUMBER = 32, NAME_BYTES = 512 };

/* ---- building ---- */

/* Add a fact when it fits as a whole: a cut number is a wrong number. */
__attribute__((format(printf, 3, 4))) static void fact(struct nt_tile *tile, const struct nt_tile_input *input, const char *fmt, ...)
{
	char text[NAME_BYTES];
	size_t used = strlen(tile->facts);
	va_list args;
	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	const char *add = used ? text : text + strspn(text, " ");
	tile->facts_full |= nt_text_cells(tile->facts) + nt_text_cells(add) > input->fact_cells;
	if (!tile->facts_full)
		snprintf(tile->facts + used, sizeof(tile->facts) - used, "%s", add);
}

__attribute__((format(printf, 2, 3))) static void headline(struct nt_tile *tile, const char *fmt, ...)
{
	va_list args;
	va_start(args, fmt);
	vsnprintf(tile->headline, sizeof(tile->headline), fmt, args);
	va_end(args);
}

/* Of a rate: it is of the time that is covered, but too low where events of that were lost. */
static const char *bound(const struct nt_tile_input *input)
{
	return nt_bound(input->events_lost);
}

/* What stands between a word and its count, or the most of something: where it is a lower bound the mark takes no further cell. */
static const char *gap_of(const struct nt_tile_input *input, struct nt_u64 covered_ns)
{
	bool at_least = input->events_lost || nt_is_partial(covered_ns, input->figures->lived_ns);
	return at_least ? nt_bound(true) : " ";
}

/* Of the time that is told. */
static double per_second(struct nt_u64 covered_ns, double count)
{
	return covered_ns.v ? count * (double)NT_NS_PER_S / (double)covered_ns.v : 0;
}

/* Rounded, within the range of the type. */
static uint64_t whole(double value)
{
	return value >= 18e18 ? UINT64_C(18000000000000000000) : value > 0 ? (uint64_t)value : 0;
}

/* A rate within facts: a decimal only while it says something. */
static const char *rate_text(double value, bool any, char *buf)
{
	if (any && (value < 9.95 || value >= 999.5))
		return nt_format_count(value, buf, NUMBER);
	snprintf(buf, NUMBER, "%.0f", value);
	return buf;
}

static const char *rate(struct nt_u64 covered_ns, uint64_t count, char *buf)
{
	return rate_text(per_second(covered_ns, (double)count), count, buf);
}

/* A headline in time per second. */
static void headline_time(struct nt_tile *tile, const struct nt_tile_input *input, struct nt_u64 covered_ns, struct nt_u64 ns)
{
	char number[NUMBER];
	if (ns.known)
		headline(tile, "%s%s/s", bound(input),
			 nt_format_duration(whole(per_second(covered_ns, (double)ns.v)), number, sizeof(number)));
}

static void unknown(struct nt_tile *tile, const struct nt_why *why)
{
	const char *reason = why->reason ? why->reason : "not known yet";
	nt_text_escape(reason, strlen(reason), tile->reason, sizeof(tile->reason));
}

/* ---- each of them ---- */

/* What a thread is, in two or three letters, where its name does not fit. */
static const char *thread_word(const char *name)
{
	static const struct {
		const char *part, *word;
	} words[] = { { "GC", "GC" }, { "TP ", "TP" }, { "Tiered", "JIT" }, { "Finalizer", "fin" } };
	for (size_t i = 0; strncmp(name, ".NET ", 5) == 0 && i < sizeof(words) / sizeof(words[0]); i++)
		if (strstr(name, words[i].part))
			return words[i].word;
	return name;
}

static void tile_cpu(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_cpu_figures *cpu = &input->figures->cpu;
	char name[NAME_BYTES] = "";
	if (!cpu->usage_pct.known) {
		unknown(tile, &cpu->why);
		return;
	}
	headline(tile, "%.0f%%", cpu->usage_pct.v);
	if (input->whole && cpu->user_pct.known && cpu->kernel_pct.known)
		fact(tile, input, "user %.0f%%  kernel %.0f%%  ", cpu->user_pct.v, cpu->kernel_pct.v);
	if (!cpu->hottest_pct.known || !cpu->hottest_tid.known)
		return;
	fact(tile, input, "hot %.0f%% t%" PRIu64, cpu->hottest_pct.v, cpu->hottest_tid.v);
	if (cpu->hottest_name) {
		const char *shown = input->wide ? cpu->hottest_name : thread_word(cpu->hottest_name);
		nt_text_escape(shown, strlen(shown), name, sizeof(name));
		fact(tile, input, " %s", name);
	}
}

static void tile_threads(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_thread_figures *threads = &input->figures->threads;
	char number[NUMBER];
	if (!threads->count.known) {
		unknown(tile, &threads->why);
		return;
	}
	if (threads->blocked_count.known)
		headline(tile, "%s", nt_format_whole(threads->blocked_count.v, number, sizeof(number)));
	if (threads->blocked_count.known)
		fact(tile, input, "%s of %" PRIu64, input->wide ? "blocked" : "blk", threads->count.v);
	else
		fact(tile, input, "%" PRIu64 " %s", threads->count.v, input->wide ? "threads" : "thr");
	if (threads->running_count.known)
		fact(tile, input, "  run %" PRIu64, threads->running_count.v);
	if (input->whole && input->figures->memory.rss_bytes.known)
		fact(tile, input, "  rss %s", nt_format_bytes(input->figures->memory.rss_bytes.v, number, sizeof(number)));
}

static void more_of_gc(struct nt_tile *tile, const struct nt_tile_input *input, const struct nt_gc_figures *gc)
{
	static const char *const words[] = { "g0", "g1" };
	char number[NUMBER];
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (gc->count[i].known)
			fact(tile, input, " %s %s", words[i], rate(gc->covered_ns, gc->count[i].v, number));
	if (gc->pause_p50_ns.known)
		fact(tile, input, " p50 %s", nt_format_duration(gc->pause_p50_ns.v, number, sizeof(number)));
	if (gc->pause_p99_ns.known)
		fact(tile, input, " p99 %s", nt_format_duration(gc->pause_p99_ns.v, number, sizeof(number)));
}

static void tile_gc(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_gc_figures *gc = &input->figures->gc;
	struct nt_f64 paused = gc->pause_pct; /* like every tile: of the last interval */
	char number[NUMBER];
	if (!paused.known && !gc->count[0].known && !gc->pause_ns.known) {
		unknown(tile, &gc->why);
		return;
	}
	if (paused.known) {
		headline(tile, "%s%.1f%%", bound(input), paused.v);
		fact(tile, input, "paused");
	}
	if (gc->pause_max_ns.known)
		fact(tile, input, " max%s%s", gap_of(input, gc->covered_ns),
		     nt_format_duration(gc->pause_max_ns.v, number, sizeof(number)));
	if (gc->count[0].known && gc->count[1].known && gc->count[2].known)
		fact(tile, input, " %s/s", rate(gc->covered_ns, gc->count[0].v + gc->count[1].v + gc->count[2].v, number));
	if (gc->count[2].known)
		fact(tile, input, " g2 %s", rate(gc->covered_ns, gc->count[2].v, number));
	if (input->whole)
		more_of_gc(tile, input, gc);
}

static void tile_alloc(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_gc_figures *gc = &input->figures->gc;
	char number[NUMBER];
	if (!gc->alloc_bytes.known && !gc->heap_bytes.known) {
		unknown(tile, gc->alloc_why.reason ? &gc->alloc_why : &gc->why);
		return;
	}
	if (gc->alloc_bytes.known)
		headline(tile, "%s%s/s", gc->alloc_estimated && !input->events_lost ? "~" : bound(input),
			 nt_format_bytes(whole(per_second(gc->alloc_covered_ns, (double)gc->alloc_bytes.v)), number, sizeof(number)));
	if (gc->heap_bytes.known)
		fact(tile, input, "heap %s", nt_format_bytes(gc->heap_bytes.v, number, sizeof(number)));
	if (gc->loh_bytes.known)
		fact(tile, input, " LOH %s", nt_format_bytes(gc->loh_bytes.v, number, sizeof(number)));
	if (gc->fragmentation_pct.known)
		fact(tile, input, " frag %.0f%%", gc->fragmentation_pct.v);
}

static void tile_jit(struct nt_tile *tile, const struct nt_tile_input *input)
{
	static const struct {
		enum nt_tier tier;
		const char *word;
	} tiers[] = { { NT_TIER_0, "t0" }, { NT_TIER_OSR, "osr" }, { NT_TIER_1, "t1" } };
	const struct nt_jit_figures *jit = &input->figures->jit;
	char number[NUMBER];
	if (!jit->time_ns.known && !jit->method_count.known) {
		unknown(tile, &jit->why);
		return;
	}
	headline_time(tile, input, jit->covered_ns, jit->time_ns);
	if (jit->method_count.known)
		fact(tile, input, "%s/s", rate(jit->covered_ns, jit->method_count.v, number));
	for (size_t i = 0; input->wide && i < sizeof(tiers) / sizeof(tiers[0]); i++)
		if (jit->tier_count[tiers[i].tier].known)
			fact(tile, input, " %s%s%s", tiers[i].word, gap_of(input, jit->covered_ns),
			     nt_format_whole(jit->tier_count[tiers[i].tier].v, number, sizeof(number)));
	if (jit->backlog_count.known)
		fact(tile, input, " backlog %s", nt_format_whole(jit->backlog_count.v, number, sizeof(number)));
}

static void tile_pool(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_pool_figures *pool = &input->figures->pool;
	const char *gap = input->wide ? " " : "";
	char number[NUMBER];
	if (!pool->worker_count.known && !pool->queue_count.known) {
		unknown(tile, &pool->why);
		return;
	}
	if (pool->queue_count.known) {
		headline(tile, "%s", nt_format_whole(pool->queue_count.v, number, sizeof(number)));
		fact(tile, input, "queued");
	}
	if (pool->worker_count.known && pool->queue_count.known)
		fact(tile, input, " %" PRIu64 "%swrk", pool->worker_count.v, gap);
	else if (pool->worker_count.known)
		fact(tile, input, "%" PRIu64 " worker%s", pool->worker_count.v, pool->worker_count.v == 1 ? "" : "s");
	if (pool->injected_count.known)
		fact(tile, input, " +%s%s", rate(pool->covered_ns, pool->injected_count.v, number), input->wide ? "/s" : "");
	if (pool->completed_count.known)
		fact(tile, input, " done %s/s", rate(pool->covered_ns, pool->completed_count.v, number));
	if (pool->goal_count.known && (input->whole || !pool->queue_count.known))
		fact(tile, input, " goal %" PRIu64, pool->goal_count.v);
	if (input->whole && pool->wait_estimate_ns.known)
		fact(tile, input, "  wait ~%s", nt_format_duration(pool->wait_estimate_ns.v, number, sizeof(number)));
	if (input->whole && pool->reason)
		fact(tile, input, "  last change: %s", pool->reason);
}

static void tile_exceptions(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_exception_figures *exceptions = &input->figures->exceptions;
	char number[NUMBER], type[NAME_BYTES], shown[NAME_BYTES];
	if (!exceptions->count.known) {
		unknown(tile, &exceptions->why);
		return;
	}
	headline(tile, "%s%s/s", bound(input),
		 nt_format_count(per_second(exceptions->covered_ns, (double)exceptions->count.v), number, sizeof(number)));
	if (!exceptions->top_type)
		return;
	nt_text_escape(exceptions->top_type, strlen(exceptions->top_type), type, sizeof(type));
	/* The last cell stays free: the next tile's mark follows. */
	fact(tile, input, "%s", input->whole ? type : nt_shorten_type(type, input->fact_cells - 1, shown, sizeof(shown)));
	if (exceptions->top_count.known)
		fact(tile, input, " %s/s", rate(exceptions->covered_ns, exceptions->top_count.v, number));
}

static void tile_locks(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_lock_figures *locks = &input->figures->locks;
	char number[NUMBER];
	if (!locks->count.known && !locks->spent_ns.known) {
		unknown(tile, &locks->why);
		return;
	}
	headline_time(tile, input, locks->covered_ns, locks->spent_ns); /* as its sparkline and the finding: waits that go on, too */
	if (locks->count.known)
		fact(tile, input, "%s/s", rate(locks->covered_ns, locks->count.v, number));
	if (input->wide && locks->wait_p99_ns.known)
		fact(tile, input, " p99 %s", nt_format_duration(locks->wait_p99_ns.v, number, sizeof(number)));
	/* Who waits since before nettop came is not among them: that nobody waits is never known. */
	if (locks->waiting_count.known && locks->waiting_count.v)
		fact(tile, input, " %" PRIu64 " waiting", locks->waiting_count.v);
}

/* Of the runtime's own periods, where they are known. */
static double requests_per_second(const struct nt_f64 *told, const struct nt_request_figures *requests, const struct nt_u64 *count)
{
	return told->known ? told->v : per_second(requests->covered_ns, (double)count->v);
}

/* Fewer than one a second, as in long intervals, are not none. */
static void fact_errors(struct nt_tile *tile, const struct nt_tile_input *input, double per_s)
{
	if (per_s < 0.0095)
		fact(tile, input, " err <0.01/s");
	else if (per_s < 0.95)
		fact(tile, input, " err %.1g/s", per_s);
	else
		fact(tile, input, " err %.*f/s", per_s < 10 && input->whole, per_s);
}

/* Errors first: they are what people come for. */
static void tile_requests(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_request_figures *requests = &input->figures->requests;
	double failed = requests_per_second(&requests->error_per_s, requests, &requests->error_count);
	double made = requests_per_second(&requests->made_per_s, requests, &requests->made_count);
	char number[NUMBER], words[NAME_BYTES];
	if (!requests->count.known && !requests->made_count.known) {
		unknown(tile, &requests->why);
		return;
	}
	if (requests->count.known)
		headline(tile, "%s%s/s", nt_bound(requests->at_least),
			 nt_format_count(requests_per_second(&requests->per_s, requests, &requests->count), number, sizeof(number)));
	if (requests->error_count.known && (requests->error_per_s.known ? failed > 0 : requests->error_count.v))
		fact_errors(tile, input, failed);
	if (requests->p99_ns.known)
		fact(tile, input, " p99 %s", nt_format_duration(requests->p99_ns.v, number, sizeof(number)));
	if (requests->in_flight_count.known)
		fact(tile, input, " %s %s", input->wide ? "in flight" : "fly",
		     nt_format_whole(requests->in_flight_count.v, number, sizeof(number)));
	if (requests->made_count.known && (made > 0 || requests->made_count.v || !requests->count.known))
		fact(tile, input, " out %s/s", rate_text(made, made > 0, number));
	if (requests->made_p99_ns.known && (input->whole || !requests->count.known))
		fact(tile, input, " p99 %s", nt_format_duration(requests->made_p99_ns.v, number, sizeof(number)));
	if (!input->whole || !requests->worst)
		return;
	nt_text_escape(requests->worst, strlen(requests->worst), words, sizeof(words));
	fact(tile, input, "  worst: %s", words);
}

/* What its memory limit, or the machine, has left. */
static struct nt_f64 memory_pct(const struct nt_host_figures *host)
{
	struct nt_f64 of_limit = nt_host_limit_pct(host);
	if (of_limit.known)
		return of_limit;
	if (!host->memory_bytes.known || !host->memory_bytes.v || host->available_bytes.v > host->memory_bytes.v)
		return (struct nt_f64){ 0 };
	return nt_f64_of(100.0 * (double)(host->memory_bytes.v - host->available_bytes.v) / (double)host->memory_bytes.v);
}

static void more_of_host(struct nt_tile *tile, const struct nt_tile_input *input, const struct nt_host_figures *host)
{
	char number[NUMBER], name[NAME_BYTES];
	if (host->other_name && host->other_pct.known) {
		nt_text_escape(host->other_name, strlen(host->other_name), name, sizeof(name));
		fact(tile, input, "  busiest %s %.0f%%", name, host->other_pct.v);
	}
	if (host->pressure_of && host->pressure_ns[NT_PRESSURE_IO].known)
		fact(tile, input, "  I/O pressure %s", nt_format_duration(host->pressure_ns[NT_PRESSURE_IO].v, number, sizeof(number)));
	if (host->swap_bytes.known && host->swap_bytes.v)
		fact(tile, input, "  swap %s", nt_format_bytes(host->swap_bytes.v, number, sizeof(number)));
}

/* In the order in which they would say why it is slow: a quota that is used up, the hypervisor, the neighbours, memory. */
static void tile_host(struct nt_tile *tile, const struct nt_tile_input *input)
{
	const struct nt_host_figures *host = &input->figures->host;
	if (!host->covered_ns.known && !host->others_pct.known) {
		static const struct nt_why untold = { "not known before the second look at the machine", NULL };
		unknown(tile, host->why.reason ? &host->why : &untold);
		return;
	}
	if (host->covered_ns.known)
		headline_time(tile, input, host->covered_ns, input->figures->cpu.waited_ns);
	struct nt_f64 memory = memory_pct(host);
	if (host->quota_pct.known)
		fact(tile, input, " %s%.0f%%", input->wide ? "quota " : "q", host->quota_pct.v);
	if (host->throttled_count.known && host->throttled_count.v && host->period_count.v)
		fact(tile, input, " hit %.0f%%", 100.0 * (double)host->throttled_count.v / (double)host->period_count.v);
	if (host->steal_pct.known && host->steal_pct.v >= 1)
		fact(tile, input, " steal %.0f%%", host->steal_pct.v);
	if (host->others_pct.known)
		fact(tile, input, " %s %.0f%%", input->wide ? "others" : "oth", host->others_pct.v);
	if (memory.known)
		fact(tile, input, " mem %.0f%%", memory.v);
	if (input->whole)
		more_of_host(tile, input, host);
}

static void (*const tiles[NT_SUBJECT_TILES])(struct nt_tile *tile, const struct nt_tile_input *input) = {
	[NT_SUBJECT_CPU] = tile_cpu,
	[NT_SUBJECT_THREADS] = tile_threads,
	[NT_SUBJECT_GC] = tile_gc,
	[NT_SUBJECT_ALLOC] = tile_alloc,
	[NT_SUBJECT_JIT] = tile_jit,
	[NT_SUBJECT_POOL] = tile_pool,
	[NT_SUBJECT_EXCEPTIONS] = tile_exceptions,
	[NT_SUBJECT_LOCKS] = tile_locks,
	[NT_SUBJECT_REQUESTS] = tile_requests,
	[NT_SUBJECT_HOST] = tile_host,
};

bool nt_tile_events_lost(const struct nt_snapshot *snapshot)
{
	const struct nt_source_row *row = nt_snapshot_source(snapshot, nt_snapshot_carrier(snapshot));
	return row && row->lost_growing;
}

void nt_tile_make(enum nt_subject_id id, const struct nt_tile_input *input, struct nt_tile *out)
{
	*out = (struct nt_tile){ .label = nt_subjects[id]->label };
	tiles[id](out, input);
}
