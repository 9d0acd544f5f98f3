// SPDX-License-Identifier: GPL-2.0-only
/* What is known of a process at the end of an interval, gathered from its subjects. */
#include "model/whole/process_model.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "base/texts.h"
#include "model/alloc/alloc_source.h"
#include "model/arrival/why.h"
#include "model/findings/evidence.h"
#include "model/locks/lock_owners.h"
#include "model/process/end.h"
#include "nettop/source.h"

#include <string.h>

static struct nt_knowledge knows(const struct nt_process_model *model, enum nt_subject_id subject)
{
	return nt_why(subject, &model->sources, &model->owners, &model->proc.left_out);
}

/* For how long of the interval the sources told of the subject. One that does not say so does it whenever it delivers. */
static nt_time told_ns(const struct nt_process_model *model, enum nt_subject_id subject, const struct nt_knowledge *knowledge,
		       const struct nt_span *span)
{
	uint32_t asked, by = nt_why_told_by(subject, &model->proc.left_out, &asked), saying = 0;
	for (unsigned i = 0; i < NT_SOURCE_COUNT; i++)
		saying |= model->coverage.says[i] ? 1u << i : 0;
	nt_time told = by & saying ? nt_coverage_of(&model->coverage, &model->sources, by & saying, asked, span->t1) : 0;
	/* perf may say of samples for how long they were told, and the runtime that is read from outside nothing. */
	bool says = by & saying && (subject != NT_SUBJECT_WAITS || told || model->coverage.says[knowledge->source]);
	if (says)
		return told;
	return knowledge->interval ? nt_span_length(span) : 0;
}

bool nt_process_model_is_told(const struct nt_process_model *model, enum nt_subject_id subject, const struct nt_span *span)
{
	const struct nt_knowledge knowledge = knows(model, subject);
	nt_time length = nt_span_length(span);
	return knowledge.interval && told_ns(model, subject, &knowledge, span) >= length - length / 100 &&
	       !model->sources.items[knowledge.source].lost_now;
}

/* For how long each source told of anything at all. */
static void cover_sources(struct nt_process_model *model, const struct nt_span *span)
{
	for (unsigned i = 0; i < NT_SOURCE_COUNT; i++)
		if (model->coverage.says[i])
			nt_sources_cover(&model->sources, i,
					 nt_coverage_of(&model->coverage, &model->sources, 1u << i, UINT32_MAX, span->t1), span);
}

/* The same, and for how long since attach. Of an interval of which nothing was told nothing is known. */
static struct nt_knowledge covers(struct nt_process_model *model, enum nt_subject_id subject, const struct nt_span *span,
				  struct nt_u64 *interval_ns, struct nt_u64 *total_ns)
{
	static const struct nt_why untold = { "nothing has been told yet of what happened in this time", NULL };
	struct nt_knowledge knowledge = knows(model, subject);
	nt_time ns = told_ns(model, subject, &knowledge, span), *sum = &model->covered_ns[subject];
	if (knowledge.interval && !ns && nt_span_length(span)) {
		knowledge.interval = false;
		knowledge.interval_why = untold;
	}
	*sum += ns;
	if (*sum > span->t1 - span->start)
		*sum = span->t1 - span->start;
	*interval_ns = (struct nt_u64){ .known = knowledge.interval, .v = knowledge.interval ? ns : 0 };
	*total_ns = (struct nt_u64){ .known = knowledge.total, .v = *sum };
	return knowledge;
}

/*
 * EventPipe's stream holds events back for a tenth of a second. A runtime that a signal ends never sends its last ones: among them the very exception that ended
 * it. That there was none nobody knows then.
 */
static void note_untold_end(const struct nt_process_model *model, const struct nt_knowledge *knowledge,
			    struct nt_exception_figures *figures)
{
	static const struct nt_why untold = { "the program ended before its last events were sent", NULL };
	const struct nt_target_info *target = &model->proc.target;
	if (!target->ended || target->end.exit_code.known || knowledge->source != NT_SOURCE_EVENTPIPE || !figures->count.known)
		return;
	figures->why = untold;
	figures->count.known = figures->count.v > 0;
}

static void close_gc(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
		     struct nt_process_snapshot *process)
{
	static const struct nt_why too_early = { "estimated from the second collection on", NULL };
	static const struct nt_why starting = { "the runtime's counter is asked for when the program has had 2 s to start", NULL };
	static const struct nt_why missed = { "not counted in the first 2 s, for the sake of the program's start", NULL };
	struct nt_gc_figures *interval = &process->interval.gc, *total = &process->total.gc;
	nt_gc_pass(&model->gc, &model->sources, span->t1);
	struct nt_knowledge gc = covers(model, NT_SUBJECT_GC, span, &interval->covered_ns, &total->covered_ns);
	struct nt_knowledge allocations = knows(model, NT_SUBJECT_ALLOC);
	nt_gc_close(&model->gc, span, gc.interval, gc.total, process);
	nt_gc_show(&model->gc, &model->sites, snapshot, process);
	nt_alloc_close(&model->alloc, span, gc.interval, gc.total, told_ns(model, NT_SUBJECT_ALLOC, &allocations, span), interval, total);
	interval->why = gc.interval_why;
	total->why = gc.total_why;
	interval->stack_why = total->stack_why = nt_why_no_stacks(NT_SUBJECT_GC, &model->sources, &model->owners);
	const struct nt_why estimated =
		model->alloc.missed_start && model->sources.items[NT_SOURCE_EVENTPIPE].postpones ? starting : too_early;
	static const struct nt_why overdue = { "the runtime's counter, which tells twice a second, is silent", NULL };
	if (!interval->alloc_bytes.known)
		interval->alloc_why = model->alloc.counted.counting ? overdue : gc.interval ? estimated : gc.interval_why;
	if (!total->alloc_bytes.known)
		total->alloc_why = model->alloc.missed_start ? missed : gc.total ? too_early : gc.total_why;
}

/* Where items wait no worker waits for them: one that seems to has taken its next one without using CPU time to speak of. */
static void unpark(struct nt_process_snapshot *process)
{
	const struct nt_u64 *queued = &process->interval.pool.queue_count;
	for (size_t i = 0; queued->known && queued->v && i < process->thread_count; i++)
		process->threads[i].parked = false;
}

/* Its event is sent only if that is done before the process is gone; the last look at it says what it was as well. */
static void note_unhandled(struct nt_process_model *model, const struct nt_process_snapshot *process)
{
	const struct nt_target_end *end = &process->target.end;
	const struct nt_throw as = {
		.time = process->target.ended_at, .tid = model->proc.end_tid, .type = end->exception, .stack = model->proc.end_stack
	};
	if (process->target.ended && nt_end_by_exception(end))
		nt_exceptions_unhandled(&model->exceptions, &as, end->message ? end->message : "", &model->sites);
}

static void close_runtime(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			  struct nt_process_snapshot *process)
{
	struct nt_figures *interval = &process->interval, *total = &process->total;
	close_gc(model, span, snapshot, process);

	struct nt_knowledge jit = covers(model, NT_SUBJECT_JIT, span, &interval->jit.covered_ns, &total->jit.covered_ns);
	nt_jit_close(&model->jit, span, jit.interval, jit.total, model->resolver, &model->names, process);
	const struct nt_cpu_reading *read = &model->proc.cpu.newest;
	total->jit.rest_ns.known = read->known && nt_jit_cpu_since(&model->jit.cpu, read->time, &total->jit.rest_ns.v);
	if (jit.interval && !span->final)
		nt_jit_fill_now(&model->jit, span, &model->threads, &model->names, process);
	nt_jit_callers_close(&model->jit.callers, span, &model->sites, snapshot, process);
	interval->jit.caller_why = total->jit.caller_why = nt_why_no_stacks(NT_SUBJECT_JIT, &model->sources, &model->owners);
	interval->jit.why = jit.interval_why;
	total->jit.why = jit.total_why;

	struct nt_knowledge pool = covers(model, NT_SUBJECT_POOL, span, &interval->pool.covered_ns, &total->pool.covered_ns);
	nt_pool_close(&model->pool, span, pool.interval, pool.total, snapshot, process);
	unpark(process);
	interval->pool.why = pool.interval_why;
	total->pool.why = pool.total_why;
	const struct nt_why no_eventpipe = nt_why_no_eventpipe(&model->sources);
	nt_work_items_close(&model->pool.items, span, &no_eventpipe, snapshot, process);

	struct nt_knowledge exceptions =
		covers(model, NT_SUBJECT_EXCEPTIONS, span, &interval->exceptions.covered_ns, &total->exceptions.covered_ns);
	nt_exceptions_close(&model->exceptions, exceptions.interval, exceptions.total, &model->sites, snapshot, process);
	interval->exceptions.stack_why = total->exceptions.stack_why =
		nt_why_no_stacks(NT_SUBJECT_EXCEPTIONS, &model->sources, &model->owners);
	interval->exceptions.why = exceptions.interval_why;
	total->exceptions.why = exceptions.total_why;
	note_untold_end(model, &exceptions, &total->exceptions);
	if (model->proc.target.ended && model->proc.target.ended_at >= span->t0)
		note_untold_end(model, &exceptions, &interval->exceptions);

	struct nt_knowledge locks = covers(model, NT_SUBJECT_LOCKS, span, &interval->locks.covered_ns, &total->locks.covered_ns);
	nt_lock_waits_close(&model->lock_waits, span, locks.interval, locks.total, &interval->locks, &total->locks);
	if (locks.interval)
		nt_lock_waits_fill_threads(&model->lock_waits, span->t1, process);
	bool with_stacks = model->sources.items[NT_SOURCE_EVENTPIPE].brings & NT_WANT_STACKS;
	nt_evidence_fill_blocked(process, &interval->threads);
	nt_evidence_fill_blocked(process, &total->threads);
	nt_lock_waits_fill_sites(&model->lock_waits, span, with_stacks, &model->sites, snapshot, process);
	nt_lock_owners_fill(&model->lock_waits, span->t1, snapshot, process);
	interval->locks.stack_why = total->locks.stack_why = nt_why_no_stacks(NT_SUBJECT_LOCKS, &model->sources, &model->owners);
	interval->locks.why = locks.interval_why;
	total->locks.why = locks.total_why;
}

/* By whoever tells: the runtime read from outside, or perf the switches of all threads. */
static void close_waits(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			struct nt_process_snapshot *process)
{
	struct nt_wait_figures *interval = &process->interval.waits, *total = &process->total.waits;
	struct nt_knowledge waits = covers(model, NT_SUBJECT_WAITS, span, &interval->covered_ns, &total->covered_ns);
	nt_waits_close(&model->waits, span, model->sources.items[NT_SOURCE_RUNTIME].progress, waits.interval, waits.total, &model->sites,
		       snapshot, process);
	nt_wall_close(&model->wall, process);
	nt_threads_fold_waiting(process);
	interval->why = waits.interval_why;
	total->why = waits.total_why;
	if (interval->method && strcmp(interval->method, "exact") != 0)
		interval->less_why = nt_why_not_exact(&model->sources, &interval->less);
	if (total->method && strcmp(total->method, "exact") != 0)
		total->less_why = nt_why_not_exact(&model->sources, &total->less);
}

/* Wall samples: what the runtime's own sampler tells. */
static void close_wall(struct nt_process_model *model, bool sampling, struct nt_process_snapshot *process)
{
	struct nt_cpu *cpu = model->cpu.of[NT_SAMPLES_WALL];
	if (!cpu)
		return;
	cpu->outside_all += cpu->outside;
	process->interval.wall.samples = (struct nt_u64){ .known = sampling, .v = cpu->rows.interval_samples };
	process->interval.wall.outside = (struct nt_u64){ .known = sampling, .v = cpu->outside };
	process->total.wall.samples = nt_u64_of(cpu->rows.samples_all);
	process->total.wall.outside = nt_u64_of(cpu->outside_all);
	cpu->outside = 0;
}

/* The number of samples belongs to the figures of its kind alone. */
static void close_methods(struct nt_process_model *model, const struct nt_span *span, const struct nt_knowledge *samples,
			  struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	const struct nt_rows *rows = &model->cpu.of[NT_SAMPLES_CPU]->rows;
	const struct nt_cpu *by_wall = model->cpu.of[NT_SAMPLES_WALL];
	const struct nt_source_account *sampler = &model->sources.items[NT_SOURCE_EVENTPIPE];
	bool sampling = by_wall && (by_wall->rows.interval_samples || by_wall->outside ||
				    (sampler->brings & NT_WANT_WALL_SAMPLES && sampler->delivered_now));
	process->interval.cpu.samples = (struct nt_u64){ .known = samples->interval, .v = rows->interval_samples };
	process->total.cpu.samples = (struct nt_u64){ .known = samples->total, .v = rows->samples_all };
	close_wall(model, sampling, process);
	nt_purposes_close(&model->cpu.of[NT_SAMPLES_CPU]->purposes, process);
	nt_sample_times_close(&model->cpu.of[NT_SAMPLES_CPU]->times, samples->interval, span, &process->interval_samples);
	nt_cpu_kinds_close(&model->cpu, span, model->cpu.shown == NT_SAMPLES_WALL ? sampling : samples->interval, snapshot, process);
	if (model->cpu.of[NT_SAMPLES_CPU]->kept.wanted)
		nt_samples_kept_close(&model->cpu.of[NT_SAMPLES_CPU]->kept, model->resolver, snapshot, &process->interval_samples);
}

/* Before the second look nobody can know anything; without one nobody ever will. */
static struct nt_why why_no_host(const struct nt_process_model *model)
{
	enum nt_source_state procfs = model->sources.items[NT_SOURCE_PROCFS].state;
	bool never = procfs == NT_STATE_ABSENT || procfs == NT_STATE_FORBIDDEN;
	return never ? knows(model, NT_SUBJECT_HOST).interval_why : (struct nt_why){ 0 };
}

static struct nt_f64 share_pct(bool known, double part, double whole)
{
	return (struct nt_f64){ .known = known && whole > 0, .v = whole > 0 ? 100 * part / whole : 0 };
}

static void close_stacks(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			 struct nt_process_snapshot *process)
{
	/* Where all time is told the chains of looks are managed code's alone: how many are whole is said of the samples. */
	struct nt_cpu *cpu = nt_stacks_are_of_wall(model->cpu.wanted) ? model->cpu.of[NT_SAMPLES_CPU] : nt_cpu_kinds_shown(&model->cpu);
	bool whole_chains = cpu->kind != NT_SAMPLES_WALL;
	process->window_complete_pct = share_pct(whole_chains, cpu->complete_window, cpu->rows.window_samples);
	process->all_complete_pct = share_pct(whole_chains, (double)cpu->complete_all, (double)cpu->rows.samples_all);
	process->window_cut_pct = share_pct(whole_chains, cpu->cut_window, cpu->rows.window_samples);
	process->all_cut_pct = share_pct(whole_chains, (double)cpu->cut_all, (double)cpu->rows.samples_all);
	nt_stacks_fill(cpu->into, span, snapshot, process);
}

static void close_cpu(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
		      struct nt_process_snapshot *process)
{
	struct nt_cpu_figures *interval = &process->interval.cpu, *total = &process->total.cpu;
	static const struct nt_why too_early = { "usage is known from the second reading on", NULL };
	struct nt_knowledge samples = covers(model, NT_SUBJECT_CPU, span, &interval->samples_covered_ns, &total->samples_covered_ns);
	struct nt_knowledge usage = knows(model, NT_SUBJECT_THREADS);
	/* Some came of a time that was not all sampled. */
	if (!samples.interval && samples.total && model->cpu.of[NT_SAMPLES_CPU]->rows.interval_samples) {
		samples.interval = true;
		interval->samples_covered_ns = nt_u64_of(0);
	}
	nt_proc_close(&model->proc, span, snapshot, process);
	nt_pause_sides_close(&model->cpu.sides, &model->threads.renames, span, snapshot, process);
	nt_threads_close(&model->threads, model->cpu.shown, span, snapshot, process);
	nt_wall_take_samples(&model->wall, model->cpu.of[NT_SAMPLES_CPU], span,
			     interval->samples_covered_ns.known ? interval->samples_covered_ns.v : 0);
	close_methods(model, span, &samples, snapshot, process);
	close_stacks(model, span, snapshot, process);
	const struct nt_source_account *perf = &model->sources.items[NT_SOURCE_PERF];
	interval->lost_samples = nt_u64_of(perf->lost_samples);
	total->lost_samples = nt_u64_of(perf->lost_samples_all);
	interval->lost_samples.known = samples.interval;
	total->lost_samples.known = samples.total;
	/* The list of methods needs samples; the tile can do with either. */
	interval->why = samples.interval_why;
	if (samples.interval && !interval->usage_pct.known)
		interval->why = usage.interval ? too_early : usage.interval_why;
	total->why = samples.total_why;
	process->interval.threads.why = usage.interval_why;
	process->total.threads.why = usage.total_why;
}

static nt_time lived_since(const struct nt_target_info *target, nt_time from, nt_time until)
{
	if (target->ended && target->ended_at < until)
		until = target->ended_at;
	return until > from ? until - from : 0;
}

/* A source that delivers may have said what it lacks: that another tool has the Meters. */
static void close_requests(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			   struct nt_process_snapshot *process)
{
	const struct nt_source_account *eventpipe = &model->sources.items[NT_SOURCE_EVENTPIPE];
	const struct nt_why lack = { eventpipe->reason, eventpipe->fix };
	struct nt_knowledge knowledge = knows(model, NT_SUBJECT_REQUESTS);
	nt_requests_close(&model->requests, span, lack.reason ? &lack : &knowledge.interval_why, &model->cpu.pauses, snapshot, process);
}

/* Only EventPipe tells of what was chosen: where it is not used at all nobody says how that stands. */
static void close_told(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process)
{
	const struct nt_source_account *eventpipe = &model->sources.items[NT_SOURCE_EVENTPIPE];
	nt_told_close(&model->told, span, &model->sites, snapshot, process);
	bool waits = model->told.since > span->t0 || eventpipe->state == NT_STATE_STARTING || eventpipe->state == NT_STATE_DELIVERING;
	if (process->told.what != NT_TELL_CHOSEN || process->told.state != NT_TELLING_NOT || process->interval.told.why.reason || waits)
		return;
	process->interval.told.why = process->total.told.why = (struct nt_why){ eventpipe->reason, eventpipe->fix };
}

void nt_process_model_close(struct nt_process_model *model, const struct nt_span *span, struct nt_snapshot *snapshot,
			    struct nt_process_snapshot *process)
{
	process->interval.span_ns = nt_span_length(span);
	process->total.span_ns = span->t1 - span->start;
	close_cpu(model, span, snapshot, process);
	process->interval.lived_ns = lived_since(&process->target, span->t0, span->t1);
	process->total.lived_ns = lived_since(&process->target, span->start, span->t1);
	close_waits(model, span, snapshot, process);
	nt_end_close(&model->proc, &model->sites, snapshot, &process->target.end);
	note_unhandled(model, process);
	close_runtime(model, span, snapshot, process);
	nt_allocations_close(&model->allocations, span, &model->sites, snapshot, process);
	const struct nt_source_account *eventpipe = &model->sources.items[NT_SOURCE_EVENTPIPE];
	bool reachable = eventpipe->stated && eventpipe->state != NT_STATE_ABSENT && eventpipe->state != NT_STATE_FORBIDDEN;
	process->alloc_sampling.by_ticks = model->proc.left_out.allocations.reason && reachable;
	process->alloc_sampling.why = reachable ? (struct nt_why){ 0 } : model->proc.left_out.allocations;
	process->alloc_sampling.stack_why = nt_why_no_stacks(NT_SUBJECT_ALLOC, &model->sources, &model->owners);
	nt_counters_close(&model->counters, span, process);
	nt_io_close(&model->io, span, process->target.ended, &model->sites, snapshot, process);
	close_requests(model, span, snapshot, process);
	nt_host_close(&model->host, span, process);
	process->interval.host.why = process->total.host.why = why_no_host(model);
	process->gc_settings = model->gc_settings;
	close_told(model, span, snapshot, process);
	nt_series_add(&model->series, &process->interval);
	memcpy(process->series, model->series.series, sizeof(process->series));
	nt_kept_add(&model->kept, span, process);
	nt_findings_close(&model->findings, span, snapshot, process);
	process->questions = nt_resolver_ask(model->resolver, span->t1, model->pid, NT_QUESTION_LIMIT, &process->question_count);
	process->passing_code = nt_resolver_meets_passing(model->resolver);
	nt_annotate_close(&model->annotate, span, model->pid, snapshot, process);
	nt_rundowns_close(&model->rundowns, span, model->resolver, model->pid, process);
	if (!span->final)
		nt_allocations_ask(&model->allocations, model->pid, process);
	cover_sources(model, span);
}
