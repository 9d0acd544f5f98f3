// SPDX-License-Identifier: GPL-2.0-only
#include "output/frame/text_frame.h"

#include "base/alloc.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { NUMBER = 32 };

static void put_time(FILE *out, nt_time time, int64_t realtime_offset_ns)
{
	int64_t realtime = (int64_t)time + realtime_offset_ns;
	time_t seconds = (time_t)(realtime / (int64_t)NT_NS_PER_S);
	struct tm parts;
	char date[64], zone[16];
	localtime_r(&seconds, &parts);
	strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &parts);
	strftime(zone, sizeof(zone), "%z", &parts);
	fprintf(out, "%s.%03d%s", date, (int)(realtime / (int64_t)NT_NS_PER_MS % 1000), zone);
}

static void put_identity(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process,
			 int64_t realtime_offset_ns)
{
	const struct nt_target_info *target = &process->target;
	char number[NUMBER];
	put_time(out, snapshot->t1, realtime_offset_ns);
	fprintf(out, "  nettop %" PRIu32 " ", target->pid);
	nt_text_print(out, target->name);
	if (target->kind == NT_DEPLOYED_NATIVE_AOT)
		fputs("  Native AOT", out);
	if (target->runtime)
		fprintf(out, "  .NET %s", target->runtime);
	if (target->server_gc.known)
		fputs(target->server_gc.v ? "  server GC" : "  workstation GC", out);
	if (target->cpu_count.known)
		fprintf(out, "  %" PRIu64 " CPUs", target->cpu_count.v);
	if (target->uptime_ns.known)
		fprintf(out, "  up %s", nt_format_duration(target->uptime_ns.v, number, sizeof(number)));
	fprintf(out, "  interval %.3fs%s\n", (double)(snapshot->t1 - snapshot->t0) / (double)NT_NS_PER_S, target->ended ? "  ENDED" : "");
}

static void put_sources(FILE *out, const struct nt_snapshot *snapshot)
{
	fputs(" SOURCES", out);
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (row->id != NT_SOURCE_APP)
			fprintf(out, "  %s %s", nt_source_name(row->id), nt_source_state_name(row->state));
	}
	fprintf(out, "  lost %s%" PRIu64, snapshot->lost_unknown ? ">" : "", snapshot->lost_count);
	if (snapshot->self_pct.known)
		fprintf(out, "  self %.1f%%", snapshot->self_pct.v);
	if (snapshot->target_cost_pct.known)
		fprintf(out, "  cost ~%.1f%%", snapshot->target_cost_pct.v);
	fputc('\n', out);
	for (size_t i = 0; i < snapshot->source_count; i++) {
		const struct nt_source_row *row = &snapshot->sources[i];
		if (!row->reason || row->state == NT_STATE_UNUSED)
			continue;
		fprintf(out, " %-8s", nt_source_name(row->id));
		nt_text_print(out, row->reason);
		if (row->fix) {
			fputs("; fix: ", out);
			nt_text_print(out, row->fix);
		}
		fputc('\n', out);
	}
}

/* ---- tiles: mark, label, headline right-aligned to 8, facts ---- */

static void tile(FILE *out, const char *label, const char *headline)
{
	fprintf(out, "%-5s %9s", label, headline);
}

/* A tile none of whose values is known says why. */
static void tile_unknown(FILE *out, const char *label, const struct nt_why *why)
{
	tile(out, label, "");
	fputs("  ", out);
	nt_text_print(out, why->reason ? why->reason : "not known yet");
	fputc('\n', out);
}

/* Of the time that is told. */
static double per_second(struct nt_u64 covered_ns, uint64_t count)
{
	return covered_ns.v ? (double)count * (double)NT_NS_PER_S / (double)covered_ns.v : 0;
}

static void put_rate(FILE *out, const char *label, struct nt_u64 covered_ns, struct nt_u64 count)
{
	if (count.known)
		fprintf(out, "  %s %.1f/s", label, per_second(covered_ns, count.v));
}

static void put_duration(FILE *out, const char *label, struct nt_u64 ns)
{
	char number[NUMBER];
	if (ns.known)
		fprintf(out, "  %s %s", label, nt_format_duration(ns.v, number, sizeof(number)));
}

static void put_bytes(FILE *out, const char *label, struct nt_u64 bytes)
{
	char number[NUMBER];
	if (bytes.known)
		fprintf(out, "  %s %s", label, nt_format_bytes(bytes.v, number, sizeof(number)));
}

static void put_count(FILE *out, const char *label, struct nt_u64 count)
{
	if (count.known)
		fprintf(out, "  %s %" PRIu64, label, count.v);
}

static void tile_cpu(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER];
	if (!f->cpu.usage_pct.known) {
		tile_unknown(out, "CPU", &f->cpu.why);
		return;
	}
	snprintf(headline, sizeof(headline), "%.0f%%", f->cpu.usage_pct.v);
	tile(out, "CPU", headline);
	if (f->cpu.user_pct.known && f->cpu.kernel_pct.known)
		fprintf(out, "  user %.0f%%  kernel %.0f%%", f->cpu.user_pct.v, f->cpu.kernel_pct.v);
	if (f->cpu.hottest_pct.known && f->cpu.hottest_tid.known) {
		fprintf(out, "  hottest %.0f%% tid %" PRIu64 " ", f->cpu.hottest_pct.v, f->cpu.hottest_tid.v);
		nt_text_print(out, f->cpu.hottest_name);
	}
	fputc('\n', out);
}

static void tile_threads(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER] = "";
	if (!f->threads.count.known) {
		tile_unknown(out, "THR", &f->threads.why);
		return;
	}
	if (f->threads.blocked_count.known)
		snprintf(headline, sizeof(headline), "%" PRIu64, f->threads.blocked_count.v);
	tile(out, "THR", headline);
	fprintf(out, "  %s%" PRIu64, f->threads.blocked_count.known ? "blocked of " : "threads ", f->threads.count.v);
	put_count(out, "running", f->threads.running_count);
	put_bytes(out, "rss", f->memory.rss_bytes);
	fputc('\n', out);
}

static void tile_gc(FILE *out, const struct nt_figures *f)
{
	static const char *const labels[] = { "gen0", "gen1", "gen2" };
	char headline[NUMBER] = "", number[NUMBER];
	if (!f->gc.count[0].known && !f->gc.pause_ns.known) {
		tile_unknown(out, "GC", &f->gc.why);
		return;
	}
	if (f->gc.pause_pct.known)
		snprintf(headline, sizeof(headline), "%.1f%%", f->gc.pause_pct.v);
	tile(out, "GC", headline);
	fputs("  paused", out);
	if (f->gc.pause_max_ns.known)
		fprintf(out, "  max %s%s", nt_bound(nt_is_partial(f->gc.covered_ns, f->lived_ns)),
			nt_format_duration(f->gc.pause_max_ns.v, number, sizeof(number)));
	for (int i = 0; i < 3; i++)
		put_rate(out, labels[i], f->gc.covered_ns, f->gc.count[i]);
	put_duration(out, "p50", f->gc.pause_p50_ns);
	put_duration(out, "p99", f->gc.pause_p99_ns);
	fputc('\n', out);
}

static void tile_alloc(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER] = "", number[NUMBER];
	if (!f->gc.alloc_bytes.known && !f->gc.heap_bytes.known) {
		tile_unknown(out, "ALLOC", f->gc.alloc_why.reason ? &f->gc.alloc_why : &f->gc.why);
		return;
	}
	if (f->gc.alloc_bytes.known)
		snprintf(headline, sizeof(headline), "%s%s/s", f->gc.alloc_estimated ? "~" : "",
			 nt_format_bytes((uint64_t)per_second(f->gc.alloc_covered_ns, f->gc.alloc_bytes.v), number, sizeof(number)));
	tile(out, "ALLOC", headline);
	put_bytes(out, "heap", f->gc.heap_bytes);
	put_bytes(out, "LOH", f->gc.loh_bytes);
	if (f->gc.fragmentation_pct.known)
		fprintf(out, "  frag %.0f%%", f->gc.fragmentation_pct.v);
	fputc('\n', out);
}

static void tile_jit(FILE *out, const struct nt_figures *f)
{
	static const struct {
		enum nt_tier tier;
		const char *label;
	} tiers[] = { { NT_TIER_0, "tier0" }, { NT_TIER_OSR, "osr" }, { NT_TIER_1, "tier1" } };
	char headline[NUMBER];
	if (!f->jit.time_ns.known) {
		tile_unknown(out, "JIT", &f->jit.why);
		return;
	}
	snprintf(headline, sizeof(headline), "%.0fms/s", per_second(f->jit.covered_ns, f->jit.time_ns.v) / (double)NT_NS_PER_MS);
	tile(out, "JIT", headline);
	put_rate(out, "methods", f->jit.covered_ns, f->jit.method_count);
	const char *bound = nt_bound(nt_is_partial(f->jit.covered_ns, f->lived_ns));
	for (size_t i = 0; i < sizeof(tiers) / sizeof(tiers[0]); i++)
		if (f->jit.tier_count[tiers[i].tier].known)
			fprintf(out, "  %s %s%" PRIu64, tiers[i].label, bound, f->jit.tier_count[tiers[i].tier].v);
	put_count(out, "backlog", f->jit.backlog_count);
	fputc('\n', out);
}

static void tile_pool(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER] = "";
	if (!f->pool.worker_count.known && !f->pool.queue_count.known) {
		tile_unknown(out, "POOL", &f->pool.why);
		return;
	}
	if (f->pool.queue_count.known)
		snprintf(headline, sizeof(headline), "%" PRIu64, f->pool.queue_count.v);
	tile(out, "POOL", headline);
	if (f->pool.queue_count.known)
		fputs("  queued", out);
	put_count(out, "workers", f->pool.worker_count);
	put_count(out, "goal", f->pool.goal_count);
	if (f->pool.reason)
		fprintf(out, "  last change: %s", f->pool.reason);
	fputc('\n', out);
}

static void tile_exceptions(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER];
	if (!f->exceptions.count.known) {
		tile_unknown(out, "EXC", &f->exceptions.why);
		return;
	}
	snprintf(headline, sizeof(headline), "%.1f/s", per_second(f->exceptions.covered_ns, f->exceptions.count.v));
	tile(out, "EXC", headline);
	if (f->exceptions.top_type) {
		fputs("  ", out);
		nt_text_print(out, f->exceptions.top_type);
		put_rate(out, "", f->exceptions.covered_ns, f->exceptions.top_count);
	}
	fputc('\n', out);
}

static void tile_locks(FILE *out, const struct nt_figures *f)
{
	char headline[NUMBER];
	if (!f->contention.count.known) {
		tile_unknown(out, "LOCK", &f->contention.why);
		return;
	}
	snprintf(headline, sizeof(headline), "%.0fms/s",
		 f->contention.spent_ns.known ? per_second(f->contention.covered_ns, f->contention.spent_ns.v) / (double)NT_NS_PER_MS : 0);
	tile(out, "LOCK", f->contention.spent_ns.known ? headline : "");
	put_rate(out, "waits", f->contention.covered_ns, f->contention.count);
	put_duration(out, "p99", f->contention.wait_p99_ns);
	put_count(out, "waiting", f->contention.waiting_count);
	fputc('\n', out);
}

static void put_tiles(FILE *out, const struct nt_process_snapshot *process)
{
	static void (*const tiles[NT_SUBJECT_TILES])(FILE *, const struct nt_figures *) = {
		[NT_SUBJECT_CPU] = tile_cpu,
		[NT_SUBJECT_THREADS] = tile_threads,
		[NT_SUBJECT_GC] = tile_gc,
		[NT_SUBJECT_ALLOC] = tile_alloc,
		[NT_SUBJECT_JIT] = tile_jit,
		[NT_SUBJECT_POOL] = tile_pool,
		[NT_SUBJECT_EXCEPTIONS] = tile_exceptions,
		[NT_SUBJECT_LOCKS] = tile_locks,
	};
	bool marked[NT_SUBJECT_TILES] = { false };
	for (size_t i = 0; i < process->finding_count; i++)
		marked[process->findings[i].headline] = true;
	for (size_t i = 0; i < NT_SUBJECT_TILES; i++) {
		fputc(marked[i] ? '!' : ' ', out);
		tiles[i](out, &process->interval);
	}
}

/* ---- findings ---- */

static void put_list(FILE *out, const char *label, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? ", " : label, names[i]);
	fputs(count ? "." : "", out);
}

static void put_calm(FILE *out, const struct nt_process_snapshot *process, const char *duration)
{
	if (!(process->checked_count + process->unchecked_count))
		return; /* nobody has looked */
	fprintf(out, " No threshold crossed for %s.", duration);
	put_list(out, " Not known: ", process->unchecked, process->unchecked_count);
	put_list(out, " Checked: ", process->checked, process->checked_count);
	fputc('\n', out);
}

/* Of what the program died, in its runtime's words. */
static void put_end(FILE *out, const struct nt_target_info *target)
{
	const struct nt_target_end *end = &target->end;
	if (!target->ended || !target->end_text)
		return;
	fprintf(out, "! Target ended: %s", target->end_text);
	if (end->exception || end->message) {
		fputs(end->failed_fast ? ". " : ". Unhandled ", out);
		nt_text_print(out, nt_end_subject(end));
	}
	if (end->message) {
		fputs(": ", out);
		nt_text_print(out, end->message);
	}
	if (end->reason && (end->exception || end->message))
		fprintf(out, " (%s)", end->reason);
	else if (end->reason)
		fprintf(out, ". Exception: %s", end->reason);
	fputc('\n', out);
	size_t length;
	for (const char *rest = end->stack, *line; nt_text_next_line(&rest, &line, &length);) {
		char *one = nt_text_escaped(line, length);
		fprintf(out, "    %s\n", one);
		free(one);
	}
}

static void put_findings(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	char quiet[NUMBER];
	for (size_t i = 0; i < process->finding_count; i++) {
		fputs("! ", out);
		nt_text_print(out, process->findings[i].text);
		if (process->findings[i].lapsed_ns)
			fprintf(out, " (%.0fs ago)", (double)process->findings[i].lapsed_ns / (double)NT_NS_PER_S);
		fputc('\n', out);
	}
	if (!process->finding_count && process->quiet_since < snapshot->t1)
		put_calm(out, process, nt_format_duration(snapshot->t1 - process->quiet_since, quiet, sizeof(quiet)));
}

/* ---- rows ---- */

/* With the usual columns of a table and room for `count` rows. */
static struct nt_listing new_listing(const struct nt_table *table, const struct nt_snapshot *snapshot,
				     const struct nt_process_snapshot *process, size_t count)
{
	struct nt_listing listing = { .table = table,
				      .context = { .snapshot = snapshot, .process = process, .window = NT_WINDOW_RECENT },
				      .row_count = count };
	for (size_t i = 0; i < table->column_count; i++)
		if (table->columns[i].screen)
			nt_listing_add_column(&listing, &table->columns[i]);
	listing.rows = nt_alloc((count + 1) * sizeof(*listing.rows));
	return listing;
}

static void put_methods(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, size_t limit)
{
	size_t count = process->method_count < limit ? process->method_count : limit;
	const struct nt_wall_figures *wall = &process->interval.wall;
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputs(" Methods by samples of wall time, managed only", out);
	if (wall->samples.known && wall->outside.known)
		fprintf(out, ": %" PRIu64 " in managed code, %" PRIu64 " waiting or in native code", wall->samples.v, wall->outside.v);
	if (process->sample_kind == NT_SAMPLES_WALL)
		fputc('\n', out);
	struct nt_listing listing = new_listing(&nt_table_methods, snapshot, process, count);
	for (size_t i = 0; i < count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->methods[i], process->methods[i].marked ? '!' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

static void put_allocations(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process, size_t limit)
{
	size_t count = process->allocation_count < limit ? process->allocation_count : limit;
	struct nt_listing listing = new_listing(&nt_table_allocations, snapshot, process, count);
	for (size_t i = 0; i < count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->allocations[i], process->allocations[i].marked ? '!' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

/* All of them: they are there because somebody asked for them. */
static void put_counters(FILE *out, const struct nt_snapshot *snapshot, const struct nt_process_snapshot *process)
{
	struct nt_listing listing = new_listing(&nt_table_counters, snapshot, process, process->counter_count);
	for (size_t i = 0; i < process->counter_count; i++)
		listing.rows[i] = (struct nt_listing_row){ &process->counters[i], process->counters[i].ended ? '.' : ' ' };
	nt_listing_write(&listing, out);
	nt_listing_fini(&listing);
}

void nt_text_frame(FILE *out, const struct nt_snapshot *snapshot, const struct nt_text_options *options)
{
	if (!snapshot->process_count) {
		if (options->listing)
			nt_listing_write(options->listing, out);
		return;
	}
	const struct nt_process_snapshot *process = &snapshot->processes[0];
	if (!options->first)
		fputc('\n', out);
	put_identity(out, snapshot, process, options->realtime_offset_ns);
	put_sources(out, snapshot);
	put_tiles(out, process);
	put_end(out, &process->target);
	put_findings(out, snapshot, process);
	if (options->listing)
		nt_listing_write(options->listing, out);
	else
		put_methods(out, snapshot, process, options->rows);
	if (options->allocations && process->allocation_count)
		put_allocations(out, snapshot, process, options->rows);
	if (options->counters && process->counter_count)
		put_counters(out, snapshot, process);
}
