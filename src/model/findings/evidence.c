// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/evidence.h"

#include "model/common/series.h"
#include "model/findings/blame.h"
#include "model/process/roles.h"

#include <math.h>
#include <string.h>

/* A step ends with the first interval that makes it this long: a second, and timers may be early. */
static const nt_time step_ns = 950 * NT_NS_PER_MS;
static const nt_time once_ns = NT_ONCE_NS;
/* From that age on a process has warmed up; one that has compiled for so long does not stop by itself; and whether it goes on is asked about for so long. */
static const nt_time old_ns = 60 * NT_NS_PER_S, compiling_ns = 5 * NT_NS_PER_S, compiling_kept_ns = 60 * NT_NS_PER_S;
/* A thread that has waited longer is resting: nobody is waiting for it. */
static const nt_time resting_ns = 600 * NT_NS_PER_S;
/* The pool adds a worker when no item was taken for 500 ms. In a pause none can be. */
static const nt_time holds_up_ns = 400 * NT_NS_PER_MS;
/* Who uses that much of the CPUs that it may run on has no lack of them: its own threads wait for each other. */
static const double has_all = 0.8;
static const double least_samples = 50; /* of a thread, before its first method means anything; of 10 s, before their shares do */

enum { GC_PAUSE_NS, GC_FULL_COUNT, GC_GEN2_COUNT, GC_VALUES };
enum { CPU_RAN_NS, CPU_WAITED_NS, CPU_VALUES };
enum { SAMPLES_ALL, SAMPLES_GC, SAMPLES_VALUES };
enum { OPENED_COUNT, OPENED_MADE_COUNT, OPENED_VALUES };

/* ---- intervals ---- */

static void sum(struct nt_step_sum *sum, struct nt_u64 count, nt_time span_ns)
{
	if (!count.known)
		return;
	sum->sum += (double)count.v;
	sum->known_ns += span_ns;
}

static void add_gc(struct nt_evidence *evidence, const struct nt_span *span, const struct nt_gc_figures *gc)
{
	if (gc->pause_ns.known && gc->count[2].known) {
		uint64_t full = gc->count[2].v > gc->background_count.v ? gc->count[2].v - gc->background_count.v : 0;
		const uint64_t values[GC_VALUES] = {
			[GC_PAUSE_NS] = gc->pause_ns.v, [GC_FULL_COUNT] = full, [GC_GEN2_COUNT] = gc->count[2].v
		};
		nt_recent_add(&evidence->gc, gc->covered_ns.v, values, GC_VALUES);
	}
	if (gc->loh_count.known)
		nt_recent_add(&evidence->loh_gcs, gc->covered_ns.v, &gc->loh_count.v, 1);
	if (gc->loh_freed_bytes.known)
		nt_recent_add(&evidence->loh_freed, gc->covered_ns.v, &gc->loh_freed_bytes.v, 1);
	if (gc->alloc_bytes.known)
		nt_recent_add(&evidence->alloc, gc->alloc_covered_ns.v, &gc->alloc_bytes.v, 1);
	bool longer = evidence->long_pause_at + once_ns <= span->t1 || gc->pause_max_ns.v >= evidence->long_pause_ns;
	if (gc->pause_max_ns.known && gc->pause_max_ns.v && longer) {
		evidence->long_pause_ns = gc->pause_max_ns.v;
		evidence->long_pause_at = span->t1;
	}
}

/* Of a control group that is not read it is not known that it has no quota; of one that is, its pressure is known, too. */
enum nt_keeper nt_evidence_keeper(const struct nt_host_figures *host)
{
	const double least_hits = 0.2, least_steal_pct = 10, least_others_pct = 30;
	bool hits = host->throttled_count.known && host->period_count.v &&
		    (double)host->throttled_count.v >= least_hits * (double)host->period_count.v;
	if (host->quota_pct.known && hits)
		return NT_KEEPER_QUOTA;
	if (host->steal_pct.known && host->steal_pct.v >= least_steal_pct)
		return NT_KEEPER_HYPERVISOR;
	if (host->others_pct.known && host->others_pct.v >= least_others_pct)
		return NT_KEEPER_OTHERS;
	bool of_group = host->pressure_of && strcmp(host->pressure_of, "cgroup") == 0;
	bool unlimited = of_group && (!host->quota_pct.known || (host->throttled_count.known && !host->throttled_count.v));
	return unlimited && host->steal_pct.known && host->others_pct.known ? NT_KEEPER_NOBODY : NT_KEEPER_UNKNOWN;
}

/* Threads of a program that uses three quarters of its CPUs wait for each other half of the time: that is load, and nobody else's doing. */
static void add_cpu(struct nt_evidence *evidence, const struct nt_cpu_figures *cpu, const struct nt_host_figures *host)
{
	uint64_t waited_ns = nt_evidence_keeper(host) == NT_KEEPER_NOBODY ? 0 : cpu->waited_ns.v;
	const struct nt_u64 *collector = &cpu->purposes.samples[NT_PURPOSE_GC];
	if (cpu->samples.known && collector->known) {
		const uint64_t samples[SAMPLES_VALUES] = { [SAMPLES_ALL] = cpu->samples.v, [SAMPLES_GC] = collector->v };
		nt_recent_add(&evidence->samples, cpu->covered_ns.v, samples, SAMPLES_VALUES);
	}
	if (!cpu->time_ns.known || !cpu->waited_ns.known)
		return;
	const uint64_t values[CPU_VALUES] = { [CPU_RAN_NS] = cpu->time_ns.v, [CPU_WAITED_NS] = waited_ns };
	nt_recent_add(&evidence->cpu, cpu->covered_ns.v, values, CPU_VALUES);
	sum(&evidence->ran_ns, cpu->time_ns, cpu->covered_ns.v);
	sum(&evidence->cpu_waited_ns, nt_u64_of(waited_ns), cpu->covered_ns.v);
}

static void add_pool(struct nt_evidence *evidence, const struct nt_span *span, const struct nt_pool_figures *pool)
{
	sum(&evidence->done, pool->completed_count, pool->covered_ns.v);
	if (pool->blocked_count.known && pool->blocked_count.v)
		evidence->blocked_at = span->t1;
	if (!pool->starved_count.known || !pool->starved_count.v)
		return;
	evidence->starved_count = pool->starved_count.v;
	evidence->starved_at = span->t1;
}

/* Those that were closed had been opened, too. */
static void add_connections(struct nt_evidence *evidence, const struct nt_request_figures *requests)
{
	const struct nt_f64 *now = &requests->made_connections;
	if (now->known && evidence->connections.known && requests->closed_count.known && requests->made_count.known) {
		double opened = now->v - evidence->connections.v + (double)requests->closed_count.v;
		const uint64_t values[OPENED_VALUES] = {
			[OPENED_COUNT] = opened > 0 ? (uint64_t)opened : 0, [OPENED_MADE_COUNT] = requests->made_count.v
		};
		nt_recent_add(&evidence->opened, requests->covered_ns.v, values, OPENED_VALUES);
	}
	evidence->connections = *now;
}

static void add_interval(struct nt_evidence *evidence, const struct nt_span *span, const struct nt_figures *figures)
{
	if (!evidence->begun)
		evidence->t0 = span->t0;
	evidence->begun = true;
	sum(&evidence->jitted_ns, figures->jit.time_ns, figures->jit.covered_ns.v);
	sum(&evidence->dynamic, figures->jit.dynamic_count, figures->jit.covered_ns.v);
	sum(&evidence->compiled, figures->jit.method_count, figures->jit.covered_ns.v);
	sum(&evidence->thrown, figures->exceptions.count, figures->exceptions.covered_ns.v);
	sum(&evidence->served, figures->requests.count, figures->requests.covered_ns.v);
	sum(&evidence->failed, figures->requests.error_count, figures->requests.covered_ns.v);
	sum(&evidence->made, figures->requests.made_count, figures->requests.covered_ns.v);
	sum(&evidence->closed, figures->requests.closed_count, figures->requests.covered_ns.v);
	add_connections(evidence, &figures->requests);
	sum(&evidence->waited_ns, figures->locks.spent_ns, figures->locks.covered_ns.v);
	const struct nt_u64 *same = &figures->locks.same_lock_count;
	if (same->known && (!evidence->same_lock_count.known || same->v > evidence->same_lock_count.v))
		evidence->same_lock_count = *same;
	add_cpu(evidence, &figures->cpu, &figures->host);
	add_gc(evidence, span, &figures->gc);
	add_pool(evidence, span, &figures->pool);
}

/* ---- steps ---- */

/* A rate, when it was known for most of the step. */
static struct nt_f64 rate(const struct nt_step_sum *sum, const struct nt_step *step, double unit)
{
	if (!sum->known_ns || 2 * sum->known_ns < step->t1 - step->t0)
		return (struct nt_f64){ 0 };
	return nt_f64_of(sum->sum / unit * (double)NT_NS_PER_S / (double)sum->known_ns);
}

/* How many times what is usual a rate is; the rate is then added to what is usual. */
static struct nt_f64 times_usual(struct nt_history *history, nt_time now, struct nt_f64 rate, struct nt_f64 *usual)
{
	*usual = nt_history_median(history, now);
	if (!rate.known)
		return (struct nt_f64){ 0 };
	nt_history_add(history, now, rate.v);
	if (!usual->known)
		return (struct nt_f64){ 0 };
	return nt_f64_of(usual->v > 0 ? rate.v / usual->v : rate.v > 0 ? HUGE_VAL : 0);
}

/* The share, in %, of the time in which threads could run that they had no CPU because others had it. */
static double cpu_wait_pct(double ran_ns, double waited_ns, nt_time over_ns, struct nt_u64 cpu_count)
{
	if (!over_ns || waited_ns <= 0 || (cpu_count.known && ran_ns >= has_all * (double)cpu_count.v * (double)over_ns))
		return 0;
	return 100 * waited_ns / (ran_ns + waited_ns);
}

static struct nt_f64 less(struct nt_f64 value, double pct)
{
	return (struct nt_f64){ .v = value.v * (100 - pct) / 100, .known = value.known };
}

/*
 * A target that waits for a CPU does everything more slowly: pauses and compilations last longer, and none of them is the cause. So of these counts what they would have
 * lasted with a CPU, if they waited as much as all that the threads did: a long pause as much as in the worst of the seconds in which it may have been.
 */
static void judge_cpu(struct nt_evidence *evidence, const struct nt_process_snapshot *process, struct nt_step *step)
{
	struct nt_f64 *of = step->quantities.of;
	const struct nt_u64 cpu_count = process->target.cpu_count;
	struct nt_f64 used = rate(&evidence->ran_ns, step, (double)NT_NS_PER_S);
	double pct = used.known ? cpu_wait_pct(evidence->ran_ns.sum, evidence->cpu_waited_ns.sum, evidence->ran_ns.known_ns, cpu_count) : 0;
	step->cpu_used = used.v;
	of[NT_QUANTITY_CPU_WAIT] = (struct nt_f64){ .v = pct, .known = used.known };
	of[NT_QUANTITY_CPU_WAITED] = rate(&evidence->cpu_waited_ns, step, (double)NT_NS_PER_MS);
	if (used.known && cpu_count.known && cpu_count.v) {
		double had = used.v / (double)cpu_count.v;
		of[NT_QUANTITY_CPU_NOT_HAD] = nt_f64_of(had < 1 ? 100 * (1 - had) : 0);
	}
	enum nt_keeper keeper = nt_evidence_keeper(&process->interval.host);
	of[NT_QUANTITY_CPU_LIMITED] = nt_f64_of(keeper == NT_KEEPER_QUOTA || keeper == NT_KEEPER_HYPERVISOR);

	evidence->newest_cpu_wait = (evidence->newest_cpu_wait + 1) % NT_POOL_STEPS;
	evidence->cpu_waits[evidence->newest_cpu_wait] = pct;
	double most_pct = 0;
	for (size_t i = 0; i < NT_POOL_STEPS; i++)
		most_pct = evidence->cpu_waits[i] > most_pct ? evidence->cpu_waits[i] : most_pct;
	uint64_t sums[CPU_VALUES];
	nt_time over_ns = nt_recent_sum(&evidence->cpu, sums, CPU_VALUES);
	double recent_pct = used.known ? cpu_wait_pct((double)sums[CPU_RAN_NS], (double)sums[CPU_WAITED_NS], over_ns, cpu_count) : 0;
	of[NT_QUANTITY_PAUSED_RUNNING] = less(of[NT_QUANTITY_PAUSED], recent_pct);
	of[NT_QUANTITY_LONG_PAUSE_RUNNING] = less(of[NT_QUANTITY_LONG_PAUSE], most_pct);
	of[NT_QUANTITY_JITTED_RUNNING] = less(of[NT_QUANTITY_JITTED], pct);
}

/* Per second over the last 10 s, while it is known. */
static struct nt_f64 recent_rate(const struct nt_recent *recent, struct nt_u64 now)
{
	uint64_t sum;
	nt_time over_ns = nt_recent_sum(recent, &sum, 1);
	return now.known ? nt_per_second(nt_u64_of(sum), over_ns) : (struct nt_f64){ 0 };
}

static void judge_gc(const struct nt_evidence *evidence, const struct nt_gc_figures *gc, struct nt_step *step)
{
	struct nt_f64 *of = step->quantities.of;
	uint64_t sums[GC_VALUES];
	step->gc_ns = nt_recent_sum(&evidence->gc, sums, GC_VALUES);
	if (gc->pause_ns.known && step->gc_ns) {
		double pct = 100.0 * (double)sums[GC_PAUSE_NS] / (double)step->gc_ns;
		of[NT_QUANTITY_PAUSED] = nt_f64_of(pct < 100 ? pct : 100);
		of[NT_QUANTITY_FULL_GCS] = nt_per_second(nt_u64_of(sums[GC_FULL_COUNT]), step->gc_ns);
		of[NT_QUANTITY_GEN2_GCS] = nt_per_second(nt_u64_of(sums[GC_GEN2_COUNT]), step->gc_ns);
	}
	if (gc->pause_ns.known) {
		bool recent = evidence->long_pause_at && evidence->long_pause_at + once_ns > step->t1;
		of[NT_QUANTITY_LONG_PAUSE] = nt_f64_of(recent ? (double)evidence->long_pause_ns : 0);
	}
	of[NT_QUANTITY_LOH_GCS] = recent_rate(&evidence->loh_gcs, gc->loh_count);
	of[NT_QUANTITY_LOH_FREED] = recent_rate(&evidence->loh_freed, gc->loh_freed_bytes);
	nt_recent_sum(&evidence->samples, sums, SAMPLES_VALUES);
	if ((double)sums[SAMPLES_ALL] >= least_samples)
		of[NT_QUANTITY_GC_CPU] = nt_f64_of(100.0 * (double)sums[SAMPLES_GC] / (double)sums[SAMPLES_ALL]);
}

static void judge_alloc(struct nt_evidence *evidence, const struct nt_gc_figures *gc, struct nt_step *step)
{
	struct nt_f64 *of = step->quantities.of;
	of[NT_QUANTITY_ALLOCATED] = recent_rate(&evidence->alloc, gc->alloc_bytes);
	of[NT_QUANTITY_ALLOCATED_TIMES] = times_usual(&evidence->alloc_history, step->t1, of[NT_QUANTITY_ALLOCATED], &step->alloc_usual);
}

static void judge_growth(const struct nt_kept_figures *kept, const struct nt_process_snapshot *process, struct nt_step *step)
{
	static const struct {
		enum nt_quantity grew, in_an_hour;
	} quantities[NT_GROWING_COUNT] = {
		[NT_GROWING_HEAP] = { NT_QUANTITY_HEAP_GREW, NT_QUANTITY_HEAP_IN_AN_HOUR },
		[NT_GROWING_MEMORY] = { NT_QUANTITY_MEMORY_GREW, NT_QUANTITY_MEMORY_IN_AN_HOUR },
		[NT_GROWING_THREADS] = { NT_QUANTITY_THREADS_GREW, NT_QUANTITY_THREADS_IN_AN_HOUR },
		[NT_GROWING_DESCRIPTORS] = { NT_QUANTITY_DESCRIPTORS_GREW, NT_QUANTITY_DESCRIPTORS_IN_AN_HOUR },
		[NT_GROWING_HANDLES] = { NT_QUANTITY_HANDLES_GREW, NT_QUANTITY_HANDLES_IN_AN_HOUR },
		[NT_GROWING_TIMERS] = { NT_QUANTITY_TIMERS_GREW, NT_QUANTITY_TIMERS_IN_AN_HOUR },
	};
	nt_growth_judge(kept, step->t1, process, step->growing);
	for (unsigned i = 0; i < NT_GROWING_COUNT; i++) {
		const struct nt_growing *growing = &step->growing[i];
		step->quantities.of[quantities[i].grew] = (struct nt_f64){ .v = growing->grew, .known = growing->judged };
		step->quantities.of[quantities[i].in_an_hour] = (struct nt_f64){ .v = growing->in_an_hour, .known = growing->judged };
	}
}

/* What the last 5 s say of the pool. */
struct pool_trend {
	struct nt_u64 fewest, queued; /* workers; the most items that waited at a time */
	struct nt_f64 done_per_s;     /* in the oldest of these steps that knows it */
};

static struct pool_trend add_pool_step(struct nt_pool_steps *steps, const struct nt_pool_figures *pool, struct nt_f64 done, nt_time t1)
{
	struct pool_trend trend = { 0 };
	steps->newest = (steps->newest + 1) % NT_POOL_STEPS;
	steps->steps[steps->newest].t1 = t1;
	steps->steps[steps->newest].workers = pool->worker_count;
	steps->steps[steps->newest].queued = pool->queue_count;
	steps->steps[steps->newest].done_per_s = done;
	for (size_t i = 1; i <= NT_POOL_STEPS; i++) { /* oldest first */
		size_t at = (steps->newest + i) % NT_POOL_STEPS;
		if (!steps->steps[at].t1 || steps->steps[at].t1 + once_ns <= t1)
			continue;
		struct nt_u64 workers = steps->steps[at].workers, queued = steps->steps[at].queued;
		if (workers.known && (!trend.fewest.known || workers.v < trend.fewest.v))
			trend.fewest = workers;
		if (queued.known && (!trend.queued.known || queued.v > trend.queued.v))
			trend.queued = queued;
		if (!trend.done_per_s.known)
			trend.done_per_s = steps->steps[at].done_per_s;
	}
	return trend;
}

/* Does something else explain that workers are added? Then it is not for want of workers. */
static bool is_explained(const struct nt_evidence *evidence, const struct nt_process_snapshot *process, nt_time t1)
{
	struct nt_blame_pool workers = nt_blame_pool(process);
	bool paused = evidence->long_pause_at && evidence->long_pause_at + once_ns > t1 && evidence->long_pause_ns >= holds_up_ns;
	return paused || (workers.worker_count && 2 * workers.resting_count < workers.worker_count);
}

static void judge_pool(struct nt_evidence *evidence, const struct nt_process_snapshot *process, struct nt_step *step)
{
	const struct nt_pool_figures *pool = &process->interval.pool;
	struct nt_f64 *of = step->quantities.of, done = rate(&evidence->done, step, 1);
	struct pool_trend trend = add_pool_step(&evidence->pool, pool, done, step->t1);
	bool none_waits = trend.queued.known && !trend.queued.v;
	if (pool->starved_count.known) {
		bool recent = evidence->starved_at && evidence->starved_at + once_ns > step->t1 && !none_waits;
		of[NT_QUANTITY_STARVED] = nt_f64_of(recent ? (double)evidence->starved_count : 0);
	}
	if (pool->worker_count.known && trend.fewest.known)
		of[NT_QUANTITY_CLIMBED] = nt_f64_of((double)(pool->worker_count.v - trend.fewest.v));
	/* Rates go up and down by chance. Where no item waited there is no lack of workers, however many are added: up to the least number they come with the load. */
	bool fewer = !none_waits && done.known && trend.done_per_s.known && done.v < trend.done_per_s.v;
	bool blocked = pool->blocked_count.known && evidence->blocked_at && evidence->blocked_at + once_ns > step->t1;
	if (trend.queued.known || done.known || pool->blocked_count.known)
		of[NT_QUANTITY_SHORT] = nt_f64_of((trend.queued.known && trend.queued.v) || fewer || blocked);
	of[NT_QUANTITY_UNEXPLAINED] = nt_f64_of(!is_explained(evidence, process, step->t1));
	if (pool->queue_count.known && pool->worker_count.known)
		of[NT_QUANTITY_QUEUED] = nt_f64_of((double)pool->queue_count.v / (double)(pool->worker_count.v ? pool->worker_count.v : 1));
	if (done.known && evidence->done_before.known)
		of[NT_QUANTITY_STALLED] = nt_f64_of(done.v <= evidence->done_before.v);
	evidence->done_before = done;
}

static size_t deadlocked_threads(const struct nt_process_snapshot *process)
{
	size_t count = 0;
	for (size_t i = 0; i < process->thread_count; i++)
		count += process->threads[i].deadlocked;
	return count;
}

/* Whether it is idle is not known while it is not looked at. Only with a finalizer on its stack does it wait in one. */
static void judge_finalizers(struct nt_evidence *evidence, const struct nt_process_snapshot *process, struct nt_step *step)
{
	const struct nt_thread_row *row = nt_blame_finalizers(process);
	bool known = row && (row->waits || row->looked_at || row->busy_ns);
	bool busy = known && (row->busy_ns || (row->waits && row->wait_from && row->wait != NT_WAIT_IDLE));
	if (!busy)
		evidence->finalizing_since = 0;
	else if (!evidence->finalizing_since)
		evidence->finalizing_since = step->t0;
	step->quantities.of[NT_QUANTITY_FINALIZING] =
		(struct nt_f64){ .known = known, .v = busy ? (double)(step->t1 - evidence->finalizing_since) : 0 };
}

static void judge_slow_requests(struct nt_evidence *evidence, const struct nt_kept_figures *kept, const struct nt_process_snapshot *process,
				struct nt_step *step)
{
	struct nt_f64 *of = step->quantities.of;
	const struct nt_request_row *row = nt_blame_slow(process, NT_REQUEST_SERVED);
	if (row) {
		double now = (double)row->now_p99_ns.v, usual = (double)row->usual_p99_ns.v;
		of[NT_QUANTITY_SLOWER] = nt_f64_of(now - usual);
		of[NT_QUANTITY_SLOWER_TIMES] = nt_f64_of(usual > 0 ? now / usual : 0);
	}
	struct nt_slow_call call;
	bool waits = nt_blame_slow_call(process, &call);
	of[NT_QUANTITY_SLOW_CALL] = (struct nt_f64){ .known = call.served && call.made, .v = waits ? (double)call.made->now_p99_ns.v : 0 };
	of[NT_QUANTITY_SERVED_P99] = (struct nt_f64){ .known = call.served, .v = call.served ? (double)call.served->now_p99_ns.v : 0 };
	const struct nt_request_figures *figures = &process->interval.requests;
	bool pooled = figures->pool_used_count.known && figures->pool_max_count.known && figures->pool_max_count.v;
	of[NT_QUANTITY_DATABASE_POOL] =
		(struct nt_f64){ .known = pooled,
				 .v = pooled ? 100 * (double)figures->pool_used_count.v / (double)figures->pool_max_count.v : 0 };
	of[NT_QUANTITY_DATABASE_WAITING] =
		(struct nt_f64){ .known = figures->pool_waiting_count.known, .v = (double)figures->pool_waiting_count.v };
	step->pile = nt_pile_up_judge(kept, evidence->piled_since);
	evidence->piled_since = !step->pile.piled ? 0 : evidence->piled_since ? evidence->piled_since : step->t0;
	of[NT_QUANTITY_PILED] = (struct nt_f64){ .known = step->pile.judged, .v = step->pile.more };
	of[NT_QUANTITY_PILED_TIMES] = (struct nt_f64){ .known = step->pile.judged, .v = step->pile.times };
	of[NT_QUANTITY_FEWER_TIMES] = (struct nt_f64){ .known = step->pile.judged, .v = step->pile.fewer_times };
	of[NT_QUANTITY_STUCK] = (struct nt_f64){ .known = step->pile.judged, .v = (double)step->pile.stuck_ns };
}

static void judge_requests(const struct nt_evidence *evidence, bool serves, struct nt_step *step)
{
	struct nt_f64 *of = step->quantities.of;
	of[NT_QUANTITY_SERVES] = nt_f64_of(serves);
	of[NT_QUANTITY_FAILED] = rate(&evidence->failed, step, 1);
	bool known = of[NT_QUANTITY_FAILED].known && evidence->served.sum > 0;
	of[NT_QUANTITY_FAILED_PCT] = (struct nt_f64){ .known = known, .v = known ? 100 * evidence->failed.sum / evidence->served.sum : 0 };
	of[NT_QUANTITY_CLOSED] = rate(&evidence->closed, step, 1);
	if (of[NT_QUANTITY_CLOSED].known && evidence->made.sum > 0)
		of[NT_QUANTITY_CLOSED_PCT] = nt_f64_of(100 * evidence->closed.sum / evidence->made.sum);
	uint64_t sums[OPENED_VALUES];
	nt_time over_ns = nt_recent_sum(&evidence->opened, sums, OPENED_VALUES);
	if (over_ns < NT_RECENT_NS * 9 / 10) /* a few seconds are those in which a pool fills */
		return;
	of[NT_QUANTITY_OPENED] = nt_per_second(nt_u64_of(sums[OPENED_COUNT]), over_ns);
	if (sums[OPENED_MADE_COUNT])
		of[NT_QUANTITY_OPENED_PCT] = nt_f64_of(100.0 * (double)sums[OPENED_COUNT] / (double)sums[OPENED_MADE_COUNT]);
}

/* Not a quantity: from the runtime's counter alone a storm cannot be told from a program that warms up. */
static void note_compiling(struct nt_evidence *evidence, const struct nt_process_snapshot *process, const struct nt_step *step)
{
	const double many_per_s = 10;
	struct nt_f64 per_s = rate(&evidence->compiled, step, 1);
	bool old = process->target.uptime_ns.known && process->target.uptime_ns.v >= old_ns;
	if (!old || !per_s.known || per_s.v < many_per_s)
		evidence->compiling_since = 0;
	else if (!evidence->compiling_since)
		evidence->compiling_since = step->t0;
	if (evidence->compiling_since && step->t1 - evidence->compiling_since >= compiling_ns)
		evidence->compiling_at = step->t1;
}

bool nt_evidence_wants_compilations(const struct nt_evidence *evidence, nt_time now)
{
	return evidence->compiling_at && now < evidence->compiling_at + compiling_kept_ns;
}

static void judge(struct nt_evidence *evidence, const struct nt_kept_figures *kept, const struct nt_process_snapshot *process,
		  struct nt_step *step)
{
	const struct nt_figures *figures = &process->interval;
	struct nt_f64 *of = step->quantities.of, thrown_usual;
	of[NT_QUANTITY_JITTED] = rate(&evidence->jitted_ns, step, (double)NT_NS_PER_MS);
	of[NT_QUANTITY_DYNAMIC] = rate(&evidence->dynamic, step, 1);
	of[NT_QUANTITY_WAITED] = rate(&evidence->waited_ns, step, (double)NT_NS_PER_MS);
	of[NT_QUANTITY_THROWN] = rate(&evidence->thrown, step, 1);
	of[NT_QUANTITY_THROWN_TIMES] = times_usual(&evidence->thrown_history, step->t1, of[NT_QUANTITY_THROWN], &thrown_usual);
	of[NT_QUANTITY_SAME_LOCK] = (struct nt_f64){ (double)evidence->same_lock_count.v, evidence->same_lock_count.known };
	of[NT_QUANTITY_BACKLOG] = (struct nt_f64){ (double)figures->jit.backlog_count.v, figures->jit.backlog_count.known };
	of[NT_QUANTITY_UPTIME] = (struct nt_f64){ (double)process->target.uptime_ns.v, process->target.uptime_ns.known };
	of[NT_QUANTITY_SAMPLED] = (struct nt_f64){ (double)figures->cpu.samples.v, figures->cpu.samples.known };
	of[NT_QUANTITY_DEADLOCKED] =
		(struct nt_f64){ (double)deadlocked_threads(process), figures->locks.count.known || figures->waits.waiting_count.known };
	judge_gc(evidence, &figures->gc, step);
	judge_cpu(evidence, process, step);
	judge_alloc(evidence, &figures->gc, step);
	judge_growth(kept, process, step);
	judge_pool(evidence, process, step);
	judge_finalizers(evidence, process, step);
	judge_requests(evidence, figures->requests.serves, step);
	judge_slow_requests(evidence, kept, process, step);
	note_compiling(evidence, process, step);
	of[NT_QUANTITY_MEMORY] = nt_host_limit_pct(&figures->host);
}

bool nt_evidence_add(struct nt_evidence *evidence, const struct nt_kept_figures *kept, const struct nt_span *span,
		     const struct nt_process_snapshot *process, struct nt_step *step)
{
	if (!nt_span_length(span))
		return false;
	add_interval(evidence, span, &process->interval);
	if (span->t1 - evidence->t0 < step_ns)
		return false;
	*step = (struct nt_step){ .t0 = evidence->t0, .t1 = span->t1 };
	judge(evidence, kept, process, step);
	evidence->begun = false;
	evidence->jitted_ns = evidence->thrown = evidence->waited_ns = evidence->done = evidence->ran_ns = evidence->cpu_waited_ns =
		evidence->served = evidence->failed = evidence->made = evidence->closed = evidence->dynamic = evidence->compiled =
			(struct nt_step_sum){ 0 };
	evidence->same_lock_count = (struct nt_u64){ 0 };
	return true;
}

/* ---- threads ---- */

/* How long the thread has waited for something that it would not wait for if all were well: a lock, or the kernel itself (state D). */
static nt_time blocked_for(const struct nt_thread_row *row)
{
	if (row->ended)
		return 0;
	if (row->lock_ns.known)
		return row->lock_ns.v;
	if (row->state != 'D' || !row->idle_ns.known)
		return 0;
	return row->state_ns < row->idle_ns.v ? row->state_ns : row->idle_ns.v;
}

void nt_evidence_fill_blocked(const struct nt_process_snapshot *process, struct nt_thread_figures *out)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		nt_time blocked_ns = blocked_for(&process->threads[i]);
		if (blocked_ns < NT_BLOCKED_NS)
			continue;
		out->blocked_count = nt_u64_of(out->blocked_count.v + 1);
		if (blocked_ns > out->blocked_max_ns.v)
			out->blocked_max_ns = nt_u64_of(blocked_ns);
	}
}

void nt_evidence_of_thread(const struct nt_thread_row *row, struct nt_quantities *out)
{
	*out = (struct nt_quantities){ 0 };
	bool own_work = row->role != NT_ROLE_GC && row->role != NT_ROLE_JIT && !row->ended;
	if (own_work && row->busy_ns) {
		out->of[NT_QUANTITY_BUSY_PCT] = nt_f64_of(row->busy_pct);
		out->of[NT_QUANTITY_BUSY] = nt_f64_of((double)row->busy_ns);
	}
	if (row->hot_count && row->window_samples >= least_samples)
		out->of[NT_QUANTITY_METHOD_PCT] = nt_f64_of(row->hot[0].pct);
	nt_time blocked_ns = blocked_for(row);
	if (blocked_ns && blocked_ns <= resting_ns)
		out->of[NT_QUANTITY_BLOCKED] = nt_f64_of((double)blocked_ns);
}
