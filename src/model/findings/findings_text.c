// SPDX-License-Identifier: GPL-2.0-only
/*
 * Findings in words: what is wrong, how much, and who is behind it as far as it is known. Each sentence is made in three lengths, for 100
 * columns and more, for 80, for 40.
 */
#include "model/findings/findings.h"

#include "model/findings/blame.h"
#include "model/findings/finding_words.h"
#include "nettop/column.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* t4811 .NET TP Worker */
static const char *thread_name(uint32_t tid, const char *name, char out[NAME])
{
	snprintf(out, NAME, "t%" PRIu32 "%s%s", tid, name ? " " : "", name ? name : "");
	return out;
}

static const struct nt_thread_row *thread_of(const struct nt_process_snapshot *process, uint32_t tid)
{
	for (size_t i = 0; i < process->thread_count; i++)
		if (tid && process->threads[i].tid == tid && !process->threads[i].ended)
			return &process->threads[i];
	return NULL;
}

/* For what, and where: "socket 10.2.0.7:5432 at Audit.Write". */
static void put_wait(nt_text text, const struct nt_thread_row *row)
{
	char name[NAME];
	nt_words_put(text, "%s", nt_wait_kind_name(row->wait));
	if (row->wait_what)
		nt_words_put(text, " %s", nt_wait_is_for_lock(row->wait) ? nt_words_last_parts(row->wait_what, 1, name) : row->wait_what);
	if (row->wait_at)
		nt_words_put(text, " at %s", nt_words_method(row->wait_at, name));
}

/* For what is known. `locks`: that it is a lock counts, too. */
static bool waits_for_something(const struct nt_thread_row *row, bool locks)
{
	return row->waits && row->wait != NT_WAIT_UNKNOWN && (locks || !nt_wait_is_for_lock(row->wait));
}

/* What a thread does that others wait for: that is the cause. `locks`: also when it waits for one. */
static void put_deed(nt_text text, const struct nt_thread_row *row, bool locks)
{
	char name[NAME];
	if (waits_for_something(row, locks)) {
		nt_words_put(text, ", which waits for ");
		put_wait(text, row);
	} else if (!row->waits && row->hot_count && row->samples) {
		nt_words_put(text, ", which runs %s", nt_words_method(row->hot[0].name, name));
	}
}

/* ---- sentences ---- */

/* How many of something that is said in percent of one. */
static const char *cpus_text(double pct, char out[NUMBER])
{
	snprintf(out, NUMBER, "%.*f", pct < 10 ? 2 : 1, pct / 100);
	return out;
}

/* Who has the CPUs, or keeps them from it. Nothing where that is not known. */
static void put_keeper(const struct nt_case *about, nt_text *texts)
{
	const double least_other_pct = 20;
	const struct nt_host_figures *host = &about->process->interval.host;
	enum nt_keeper keeper = nt_evidence_keeper(host);
	char cpus[NUMBER], others[NUMBER];
	if (keeper == NT_KEEPER_QUOTA) {
		double hits = (double)host->throttled_count.v / (double)host->period_count.v;
		cpus_text(host->quota_pct.v, cpus);
		nt_words_put(texts[LONG], "; the CPU quota of its cgroup, %s, was used up in %.0f%% of the periods", cpus, 100 * hits);
		nt_words_put(texts[SHORT], "; quota %s used up", cpus);
		nt_words_put(texts[BRIEF], ", quota %s", cpus);
	} else if (keeper == NT_KEEPER_HYPERVISOR) {
		cpus_text(host->steal_pct.v, cpus);
		nt_words_put(texts[LONG], "; the hypervisor gives %s of the machine's CPUs to others", cpus);
		nt_words_put(texts[SHORT], "; hypervisor takes %s", cpus);
		nt_words_put(texts[BRIEF], ", steal %s", cpus);
	} else if (keeper == NT_KEEPER_OTHERS) {
		cpus_text(host->others_pct.v, others);
		nt_words_put(texts[LONG], "; noisy neighbours use %s", others);
		if (!host->other_name || !host->other_pct.known || host->other_pct.v < least_other_pct)
			return; /* who uses little is not who is noisy */
		cpus_text(host->other_pct.v, cpus);
		nt_words_put(texts[LONG], ", the busiest %s", host->other_name);
		if (host->other_count.v > 1)
			nt_words_put(texts[LONG], " x%" PRIu64, host->other_count.v);
		nt_words_put(texts[LONG], " (%s)", cpus);
		nt_words_put(texts[SHORT], "; %s uses %s", host->other_name, cpus);
		nt_words_put(texts[BRIEF], ", %s %s", host->other_name, cpus);
	}
}

static void tell_cpu(const struct nt_case *about, nt_text *texts)
{
	double pct = nt_words_value(about, NT_QUANTITY_CPU_WAIT), used = about->step->cpu_used;
	const struct nt_u64 *cpus = &about->process->target.cpu_count;
	for (int form = 0; form < NT_FINDING_FORMS; form++)
		nt_words_put(texts[form], "Waits for a CPU: %.0f%%", pct);
	nt_words_put(texts[LONG], " of the time in which its threads could run; it gets %.*f", used < 0.1 ? 2 : 1, used);
	if (!cpus->known)
		nt_words_put(texts[LONG], " CPUs");
	else
		nt_words_put(texts[LONG], " of %" PRIu64 " CPU%s", cpus->v, cpus->v == 1 ? "" : "s");
	put_keeper(about, texts);
	/* Who has them first: the end is what is cut. */
	nt_words_put(texts[SHORT], "; gets %.*f", used < 0.1 ? 2 : 1, used);
	if (cpus->known)
		nt_words_put(texts[SHORT], " of %" PRIu64 " CPU%s", cpus->v, cpus->v == 1 ? "" : "s");
}

static void tell_pool(const struct nt_case *about, nt_text *texts)
{
	const struct nt_pool_figures *figures = &about->process->interval.pool;
	struct nt_blame_pool pool = nt_blame_pool(about->process);
	bool added = about->condition->limits[0].quantity != NT_QUANTITY_QUEUED;
	char queued[NUMBER] = "", number[NUMBER];
	if (figures->queue_count.known)
		snprintf(queued, sizeof(queued), "%s items queued, ", nt_format_whole(figures->queue_count.v, number, sizeof(number)));
	nt_words_put(texts[LONG], "Pool starvation: %s%s", added ? "workers added, " : "", queued);
	nt_words_put(texts[SHORT], "Pool starvation: %s", pool.site ? "" : added ? "workers added, " : queued);
	char resting[NUMBER * 2 + 2 * NAME] = "", means[NAME], site[NAME];
	if (pool.site)
		snprintf(resting, sizeof(resting), "%" PRIu32 " of %" PRIu32 " workers in %s%s%s", pool.site_count, pool.worker_count,
			 pool.means ? nt_words_method(pool.means, means) : "", pool.means ? " at " : "", nt_words_method(pool.site, site));
	else if (pool.worker_count)
		snprintf(resting, sizeof(resting), "%" PRIu32 " of %" PRIu32 " workers not running", pool.resting_count, pool.worker_count);
	else
		snprintf(resting, sizeof(resting), "whether workers run is not known");
	nt_words_put(texts[LONG], "%s", resting);
	nt_words_put(texts[SHORT], "%s", resting);
	if (figures->reason)
		nt_words_put(texts[LONG], ", last change: %s", figures->reason);
	if (figures->goal_count.known)
		nt_words_put(texts[LONG], ", goal %" PRIu64, figures->goal_count.v); /* it may have been there all the time, or fallen */
	if (added)
		nt_words_put(texts[BRIEF], "Pool starvation: workers added");
	else
		nt_words_put(texts[BRIEF], "Pool starvation: %" PRIu32 " of %" PRIu32, pool.resting_count, pool.worker_count);
}

/* Who held the lock that most waited for at a time, when the one who now waits longest for it began to wait. */
static const struct nt_thread_row *lock_owner(const struct nt_case *about)
{
	const struct nt_lock_waits *waits = about->findings->waits;
	const struct nt_waiting *first = NULL;
	for (size_t i = 0; i < waits->waiting_count; i++) {
		const struct nt_waiting *waiting = &waits->waiting[i];
		if (waiting->counts && waiting->lock_id == waits->locks.closed_most_id && (!first || waiting->since < first->since))
			first = waiting;
	}
	return first ? thread_of(about->process, first->wait.owner_tid) : NULL;
}

static void tell_locks(const struct nt_case *about, nt_text *texts)
{
	const struct nt_thread_row *owner = lock_owner(about);
	const struct nt_lock_row *lock = nt_blame_lock(about->process);
	double ms = nt_words_value(about, NT_QUANTITY_WAITED), count = nt_words_value(about, NT_QUANTITY_SAME_LOCK);
	char name[NAME];
	nt_words_put(texts[LONG], "Lock convoy: %.0fms/s waited, %.0f threads for one lock", ms, count);
	if (lock && lock->site)
		nt_words_put(texts[LONG], ", most at %s", nt_words_method(lock->site, name));
	if (owner) {
		nt_words_put(texts[LONG], ", held by %s", thread_name(owner->tid, owner->name, name));
		put_deed(texts[LONG], owner, false); /* of a lock that is handed on it may be one who waits again by now */
	}
	/* What holds it up first: the end is what is cut. */
	nt_words_put(texts[SHORT], "Lock convoy: %.0f threads for one lock", count);
	if (owner)
		nt_words_put(texts[SHORT], " of t%" PRIu32, owner->tid);
	if (owner && waits_for_something(owner, false))
		nt_words_put(texts[SHORT], " (waits: %s)", nt_wait_kind_name(owner->wait));
	nt_words_put(texts[SHORT], ", %.0fms/s", ms);
	nt_words_put(texts[BRIEF], "Lock convoy: %.0fms/s", ms);
}

/* What a thread waits for, as far as it says more than that it is a lock: "Ledger of "; else "". */
static const char *lock_of(const struct nt_thread_row *row, char out[NAME])
{
	char name[NAME];
	out[0] = '\0';
	if (row->wait_what && strcmp(row->wait_what, "object") != 0)
		snprintf(out, NAME, "%.200s of ", nt_words_last_parts(row->wait_what, 1, name));
	return out;
}

/* Around the circle, as far as it is short. */
static void tell_deadlock(const struct nt_case *about, nt_text *texts)
{
	enum { SHOWN = 3 };
	const struct nt_process_snapshot *process = about->process;
	const struct nt_thread_row *first = NULL, *row, *before;
	nt_time least_ns = NT_TIME_UNKNOWN;
	const char *at_least = "";
	char name[NAME], lock[NAME], duration[NUMBER];
	for (size_t i = 0; i < process->thread_count; i++) {
		row = &process->threads[i];
		if (row->deadlocked && !first)
			first = row;
		if (!row->deadlocked || row->lock_ns.v >= least_ns)
			continue;
		least_ns = row->lock_ns.v;
		at_least = row->waits && row->wait_at_least ? "at least " : ""; /* it was there before nettop */
	}
	nt_format_duration(least_ns, duration, sizeof(duration)); /* the circle has been closed for so long */
	double count = nt_words_value(about, NT_QUANTITY_DEADLOCKED);
	nt_words_put(texts[LONG], "Deadlock: %s", thread_name(first->tid, first->name, name));
	before = first;
	row = thread_of(process, first->lock_owner_tid);
	for (unsigned shown = 0; shown < SHOWN && row; shown++) {
		nt_words_put(texts[LONG], "%s waits", shown ? ", which" : "");
		if (before->wait_at)
			nt_words_put(texts[LONG], " at %s", nt_words_method(before->wait_at, name));
		nt_words_put(texts[LONG], " for %s%s", lock_of(before, lock), thread_name(row->tid, row->name, name));
		if (row == first)
			break;
		before = row;
		row = thread_of(process, row->lock_owner_tid);
	}
	nt_words_put(texts[LONG], "%s, for %s%s (%.0f threads)", row == first ? "" : ", and so on", at_least, duration, count);
	nt_words_put(texts[SHORT], "Deadlock: %.0f threads, t%" PRIu32, count, first->tid);
	if (first->wait_at)
		nt_words_put(texts[SHORT], " at %s", nt_words_method(first->wait_at, name));
	nt_words_put(texts[SHORT], ", for %s%s", at_least, duration);
	nt_words_put(texts[BRIEF], "Deadlock: %.0f threads", count);
}

static void tell_finalizers(const struct nt_case *about, nt_text *texts)
{
	const struct nt_thread_row *row = nt_blame_finalizers(about->process);
	char duration[NUMBER], name[NAME];
	nt_format_duration((nt_time)nt_words_value(about, NT_QUANTITY_FINALIZING), duration, sizeof(duration));
	nt_words_put(texts[LONG], "Finalizers held up for %s: %s", duration, thread_name(row->tid, row->name, name));
	put_deed(texts[LONG], row, true);
	nt_words_put(texts[LONG], "; what has one stays in memory");
	nt_words_put(texts[SHORT], "Finalizers held up for %s", duration);
	if (row->waits && row->wait_at)
		nt_words_put(texts[SHORT], " at %s", nt_words_method(row->wait_at, name));
	else if (!row->waits && row->hot_count)
		nt_words_put(texts[SHORT], " in %s", nt_words_method(row->hot[0].name, name));
	nt_words_put(texts[BRIEF], "Finalizers held up: %s", duration);
}

/* A long pause is one collection's: many short ones of another generation may have stopped the program longer, all together. While it goes on, it is none of those that ended. */
struct nt_blame_gc nt_findings_gc(const struct nt_case *about)
{
	const struct nt_step *step = about->step;
	enum nt_quantity quantity = about->condition->limits[0].quantity;
	if (quantity == NT_QUANTITY_LONG_PAUSE) {
		struct nt_blame_gc gc = nt_blame_gc(about->process, step->t1, NT_ONCE_NS + step->t1 - step->t0, NT_BLAME_LONGEST);
		gc.known &= 2 * (double)gc.pause_ns >= nt_words_value(about, NT_QUANTITY_LONG_PAUSE);
		return gc;
	}
	bool full = quantity == NT_QUANTITY_FULL_GCS || quantity == NT_QUANTITY_GEN2_GCS;
	return nt_blame_gc(about->process, step->t1, step->gc_ns, full ? NT_BLAME_FULL : NT_BLAME_ALL);
}

/* Pauses of a collector with one thread, where there are many CPUs for it. */
static void put_mode(const struct nt_case *about, nt_text text)
{
	const uint64_t many = 8;
	const struct nt_target_info *target = &about->process->target;
	/* In a small container on a large machine the runtime went by its quota, and with DOTNET_PROCESSOR_COUNT by that. */
	const struct nt_u64 counted = nt_gc_processors(about->process), cpus = counted.known ? counted : nt_gc_cpus(about->process);
	if (target->server_gc.known && !target->server_gc.v && cpus.known && cpus.v >= many)
		nt_words_put(text, "; workstation GC on %" PRIu64 " CPUs", cpus.v);
}

/* The first words name the value of the condition that holds; what is added may be of any size. */
static void tell_gc(const struct nt_case *about, nt_text *texts)
{
	struct nt_blame_gc gc = nt_findings_gc(about);
	bool single = about->condition->limits[0].quantity == NT_QUANTITY_LONG_PAUSE;
	const char *reason = gc.known ? gc.reason : NULL;
	char over[NUMBER], rate[NUMBER], pause[NUMBER], name[NAME];
	nt_format_duration(about->step->gc_ns, over, sizeof(over));
	switch (about->condition->limits[0].quantity) {
	case NT_QUANTITY_FULL_GCS:
		nt_format_count(nt_words_value(about, NT_QUANTITY_FULL_GCS), rate, sizeof(rate));
		nt_words_put(texts[LONG], "GC storm: %s full collections/s in the last %s", rate, over);
		nt_words_put(texts[SHORT], "GC storm: %s full collections/s", rate);
		nt_words_put(texts[BRIEF], "GC storm: gen2 %s/s", rate);
		break;
	case NT_QUANTITY_GEN2_GCS:
		nt_format_count(nt_words_value(about, NT_QUANTITY_GEN2_GCS), rate, sizeof(rate));
		nt_words_put(texts[LONG], "GC storm: %s collections of gen2/s in the last %s", rate, over);
		nt_words_put(texts[SHORT], "GC storm: gen2 %s/s", rate);
		nt_words_put(texts[BRIEF], "GC storm: gen2 %s/s", rate);
		if (about->step->quantities.of[NT_QUANTITY_GC_CPU].known)
			for (int form = LONG; form <= SHORT; form++)
				nt_words_put(texts[form], ", %.0f%% of its CPU time", nt_words_value(about, NT_QUANTITY_GC_CPU));
		break;
	case NT_QUANTITY_LONG_PAUSE:
		nt_format_duration((nt_time)nt_words_value(about, NT_QUANTITY_LONG_PAUSE), pause, sizeof(pause));
		for (int form = 0; form < NT_FINDING_FORMS; form++)
			nt_words_put(texts[form], "Long GC pause: %s", pause);
		break;
	default:
		nt_words_put(texts[LONG], "GC storm: paused %.1f%% of the last %s", nt_words_value(about, NT_QUANTITY_PAUSED), over);
		nt_words_put(texts[SHORT], "GC storm: paused %.1f%% of %s", nt_words_value(about, NT_QUANTITY_PAUSED), over);
		nt_words_put(texts[BRIEF], "GC storm: paused %.1f%%", nt_words_value(about, NT_QUANTITY_PAUSED));
	}
	if (gc.known) {
		nt_format_count(gc.per_s, rate, sizeof(rate));
		if (single)
			nt_words_put(texts[LONG], "; in %s", nt_gc_generation_name(gc.generation));
		else
			nt_words_put(texts[LONG], "; most in %s, %s/s", nt_gc_generation_name(gc.generation), rate);
		nt_words_put(texts[SHORT], ", %s", nt_gc_generation_name(gc.generation));
	}
	if (reason) {
		nt_words_put(texts[LONG], ", reason %s", reason);
		if (gc.asked_by)
			nt_words_put(texts[LONG], ", by %s", nt_words_method(gc.asked_by, name));
		nt_words_put(texts[SHORT], " by %s", reason);
		nt_words_put(texts[BRIEF], " %.*s", (int)strcspn(reason, " ,"), reason);
	}
	put_mode(about, texts[LONG]);
	nt_words_put_cpu_wait(about, texts);
}

/* The tier of most compilations of the last 10 s; NULL = there were none. */
static const char *most_compiled(const struct nt_jit_figures *figures, uint64_t *count)
{
	unsigned most = NT_TIER_UNKNOWN;
	for (unsigned tier = 0; tier < NT_TIER_COUNT; tier++)
		if (figures->tier_count[tier].v > figures->tier_count[most].v)
			most = tier;
	*count = figures->tier_count[most].v;
	return *count ? nt_tier_name((enum nt_tier)most) : NULL;
}

static void tell_jit(const struct nt_case *about, nt_text *texts)
{
	const struct nt_process_snapshot *process = about->process;
	const struct nt_jit_row *worst = nt_blame_jit(process);
	char count[NUMBER], over[NUMBER], name[NAME];
	uint64_t methods;
	const char *tier = most_compiled(&process->jit_recent, &methods);
	if (about->condition->limits[0].quantity == NT_QUANTITY_BACKLOG)
		snprintf(name, sizeof(name), "backlog %s",
			 nt_format_whole((uint64_t)nt_words_value(about, NT_QUANTITY_BACKLOG), count, sizeof(count)));
	else if (about->condition->limits[0].quantity == NT_QUANTITY_DYNAMIC)
		snprintf(name, sizeof(name), "%.0f methods/s made at run time, %.0fms/s", nt_words_value(about, NT_QUANTITY_DYNAMIC),
			 nt_words_value(about, NT_QUANTITY_JITTED));
	else
		snprintf(name, sizeof(name), "%.0fms/s", nt_words_value(about, NT_QUANTITY_JITTED));
	for (int form = 0; form < NT_FINDING_FORMS; form++)
		nt_words_put(texts[form], "JIT storm: %s", name);
	if (tier) {
		nt_words_put(texts[LONG], "; %s %s in %s", tier, nt_format_whole(methods, count, sizeof(count)),
			     nt_format_duration(process->recent_ns, over, sizeof(over)));
		nt_words_put(texts[SHORT], ", %s", tier);
		nt_words_put(texts[BRIEF], " %s", tier);
	}
	if (worst) {
		nt_words_put(texts[LONG], ", %s, most for %s", nt_jit_trigger_name(worst->trigger), worst->name);
		nt_words_put(texts[SHORT], " %s, %s", nt_jit_trigger_name(worst->trigger), nt_words_method(worst->name, name));
	}
	nt_words_put_cpu_wait(about, texts);
}

static double share(struct nt_u64 part, struct nt_u64 whole)
{
	double pct = whole.known && whole.v ? 100.0 * (double)part.v / (double)whole.v : 0;
	return pct < 100 ? pct : 100;
}

static void tell_exceptions(const struct nt_case *about, nt_text *texts)
{
	const struct nt_exception_figures *figures = &about->process->interval.exceptions;
	const struct nt_exception_row *worst = nt_blame_exception(about->process);
	char rate[NUMBER], name[NAME];
	nt_format_count(nt_words_value(about, NT_QUANTITY_THROWN), rate, sizeof(rate));
	nt_words_put(texts[LONG], "Exception flood: %s/s", rate);
	nt_words_put(texts[SHORT], "Exception flood: %s/s", rate);
	nt_words_put(texts[BRIEF], "Exceptions: %s/s", rate);
	if (!worst)
		return;
	nt_words_put(texts[LONG], "; %s", worst->type);
	if (figures->count.known && figures->count.v)
		nt_words_put(texts[LONG], " %.0f%%", share(nt_u64_of(worst->count), figures->count));
	if (figures->caught_count.known && figures->count.known && figures->count.v)
		nt_words_put(texts[LONG], ", caught %.0f%%", share(figures->caught_count, figures->count));
	if (worst->thrown_at)
		nt_words_put(texts[LONG], ", most at %s", nt_words_method(worst->thrown_at, name));
	nt_words_put(texts[SHORT], ", %s", nt_words_last_parts(worst->type, 1, name));
	nt_words_put(texts[BRIEF], " %s", name);
}

static void tell_memory(const struct nt_case *about, nt_text *texts)
{
	const struct nt_host_figures *host = &about->process->interval.host;
	double pct = nt_words_value(about, NT_QUANTITY_MEMORY);
	char used[NUMBER], limit[NUMBER], heap[NUMBER];
	nt_format_bytes(host->memory_used_bytes.v, used, sizeof(used));
	nt_format_bytes(host->memory_limit_bytes.v, limit, sizeof(limit));
	nt_words_put(texts[LONG], "Memory limit: its cgroup has %s of %s (%.0f%%); the kernel kills what wants more", used, limit, pct);
	nt_words_put(texts[SHORT], "Memory limit: cgroup has %s of %s, %.0f%%", used, limit, pct);
	nt_words_put(texts[BRIEF], "Memory: %.0f%% of %s", pct, limit);
	if (about->process->interval.gc.heap_bytes.known)
		nt_words_put(texts[LONG], "; the GC heap has %s",
			     nt_format_bytes(about->process->interval.gc.heap_bytes.v, heap, sizeof(heap)));
	if (!about->process->target.server_gc.v)
		return;
	nt_words_put(texts[LONG], "; server GC, which keeps more of it than workstation GC does (DOTNET_gcServer=0)");
	nt_words_put(texts[SHORT], ", server GC");
}

static void tell_alloc(const struct nt_case *about, nt_text *texts)
{
	const struct nt_gc_figures *gc = &about->process->interval.gc;
	const struct nt_f64 *usual = &about->step->alloc_usual;
	const char *estimated = gc->alloc_estimated ? "~" : "";
	char rate[NUMBER], number[NUMBER];
	nt_format_bytes((uint64_t)nt_words_value(about, NT_QUANTITY_ALLOCATED), rate, sizeof(rate));
	nt_words_put(texts[LONG], "Allocation burst: %s%s/s", estimated, rate);
	nt_words_put(texts[SHORT], "Allocation burst: %s%s/s", estimated, rate);
	nt_words_put(texts[BRIEF], "Alloc burst: %s%s/s", estimated, rate);
	if (usual->known) {
		nt_format_bytes((uint64_t)usual->v, number, sizeof(number));
		nt_words_put(texts[LONG], ", usually %s%s/s", estimated, number);
		nt_words_put(texts[SHORT], ", usually %s%s/s", estimated, number);
	}
	nt_words_put_type(about->process, texts);
	if (gc->heap_bytes.known)
		nt_words_put(texts[LONG], "; heap %s", nt_format_bytes(gc->heap_bytes.v, number, sizeof(number)));
	if (gc->loh_bytes.known)
		nt_words_put(texts[LONG], ", LOH %s", nt_format_bytes(gc->loh_bytes.v, number, sizeof(number)));
}

/* Who allocates them: while allocations are told the type and its place, else who made the last such collection necessary. */
static void put_who_is_large(const struct nt_case *about, nt_text *texts)
{
	const struct nt_alloc_row *type = nt_blame_large(about->process);
	const char *who = type ? type->site : nt_blame_large_asker(about->process);
	const char *how = type ? "at" : "by";
	char name[NAME];
	if (type)
		nt_words_put(texts[LONG], "; most %s", type->type);
	if (!who)
		return;
	nt_words_put(texts[LONG], "%s %s %s", type ? "" : ";", how, nt_words_method(who, name));
	nt_words_put(texts[SHORT], " %s %s", how, name);
}

static void tell_large(const struct nt_case *about, nt_text *texts)
{
	char freed[NUMBER], rate[NUMBER], over[NUMBER];
	nt_format_bytes((uint64_t)nt_words_value(about, NT_QUANTITY_LOH_FREED), freed, sizeof(freed));
	nt_format_count(nt_words_value(about, NT_QUANTITY_LOH_GCS), rate, sizeof(rate));
	nt_format_duration(about->step->gc_ns, over, sizeof(over));
	nt_words_put(texts[LONG], "LOH churn: %s collections of gen2/s for large objects in the last %s", rate, over);
	nt_words_put(texts[SHORT], "LOH churn: gen2 %s/s for large objects", rate);
	nt_words_put(texts[BRIEF], "LOH churn: gen2 %s/s", rate);
	if (about->step->quantities.of[NT_QUANTITY_LOH_FREED].known)
		nt_words_put(texts[LONG], ", which free %s/s of them", freed);
	put_who_is_large(about, texts);
}

static void tell_spinning(const struct nt_case *about, nt_text *texts)
{
	const struct nt_thread_row *row = about->thread;
	const struct nt_hot_method *hot = &row->hot[0];
	char who[NAME], duration[NUMBER], name[NAME];
	thread_name(row->tid, row->name, who);
	nt_words_method(hot->name, name);
	nt_words_put(texts[LONG], "Spinning thread: %s at %.0f%% for %s, %.0f%% of it in %s", who, row->busy_pct,
		     nt_format_duration(row->busy_ns, duration, sizeof(duration)), hot->pct, hot->name);
	nt_words_put(texts[SHORT], "Spinning thread: t%" PRIu32 ", %.0f%% in %s", row->tid, hot->pct, name);
	nt_words_put(texts[BRIEF], "Spins: t%" PRIu32 " %s", row->tid, name);
}

static void tell_blocked(const struct nt_case *about, nt_text *texts)
{
	const struct nt_thread_row *row = about->thread, *owner = thread_of(about->process, row->lock_owner_tid);
	const char *what = row->lock_ns.known ? "for a lock" : "in the kernel, for a device or a file system";
	char who[NAME], duration[NUMBER];
	struct nt_quantities of_row;
	nt_evidence_of_thread(row, &of_row);
	nt_format_duration((nt_time)of_row.of[NT_QUANTITY_BLOCKED].v, duration, sizeof(duration));
	nt_words_put(texts[LONG], "Blocked thread: %s waits", thread_name(row->tid, row->name, who));
	if (row->wait_at)
		nt_words_put(texts[LONG], " at %s", nt_words_method(row->wait_at, who));
	nt_words_put(texts[LONG], " %s", what);
	if (owner) {
		nt_words_put(texts[LONG], " of %s", thread_name(owner->tid, owner->name, who));
		put_deed(texts[LONG], owner, true);
	}
	nt_words_put(texts[LONG], ", for %s", duration);
	if (about->thread_count > 1)
		nt_words_put(texts[LONG], " (%zu threads)", about->thread_count);
	nt_words_put(texts[SHORT], "Blocked thread: t%" PRIu32 " waits %s", row->tid, row->lock_ns.known ? what : "in the kernel");
	if (owner)
		nt_words_put(texts[SHORT], " of t%" PRIu32, owner->tid);
	nt_words_put(texts[SHORT], ", %s", duration);
	nt_words_put(texts[BRIEF], "Blocked: t%" PRIu32 " %s", row->tid, duration);
}

void nt_findings_tell(const struct nt_case *about, enum nt_finding_kind kind, char texts[NT_FINDING_FORMS][NT_FINDING_TEXT])
{
	static void (*const tell[NT_FINDING_KIND_COUNT])(const struct nt_case *, nt_text *) = {
		[NT_FINDING_MEMORY_LIMIT] = tell_memory,
		[NT_FINDING_DEADLOCK] = tell_deadlock,
		[NT_FINDING_CPU_WAIT] = tell_cpu,
		[NT_FINDING_POOL_STARVATION] = tell_pool,
		[NT_FINDING_LOCK_CONVOY] = tell_locks,
		[NT_FINDING_FINALIZERS] = tell_finalizers,
		[NT_FINDING_LOH_CHURN] = tell_large,
		[NT_FINDING_GC_STORM] = tell_gc,
		[NT_FINDING_JIT_STORM] = tell_jit,
		[NT_FINDING_EXCEPTION_FLOOD] = tell_exceptions,
		[NT_FINDING_ALLOC_BURST] = tell_alloc,
		[NT_FINDING_REQUEST_ERRORS] = nt_findings_tell_failures,
		[NT_FINDING_CONNECTION_POOL] = nt_findings_tell_connection_pool,
		[NT_FINDING_CONNECTIONS] = nt_findings_tell_connections,
		[NT_FINDING_SLOW_REQUESTS] = nt_findings_tell_slow,
		[NT_FINDING_HEAP_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_MEMORY_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_THREAD_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_DESCRIPTOR_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_HANDLE_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_TIMER_GROWTH] = nt_findings_tell_growth,
		[NT_FINDING_SPINNING_THREAD] = tell_spinning,
		[NT_FINDING_BLOCKED_THREAD] = tell_blocked,
	};
	for (int form = 0; form < NT_FINDING_FORMS; form++)
		texts[form][0] = '\0';
	tell[kind](about, texts);
}
