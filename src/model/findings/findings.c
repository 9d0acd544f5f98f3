// SPDX-License-Identifier: GPL-2.0-only
#include "model/findings/findings.h"

#include "base/alloc.h"
#include "base/arena.h"
#include "model/findings/quantities.h"
#include "model/gc/gc.h"

#include <string.h>

#define MB (1024.0 * 1024)
#define S  (double)NT_NS_PER_S

/* ---- the rules ---- */

/* Kinds in their order; the headline that each highlights and the screen that shows more, of those that there are. */
static const struct {
	enum nt_subject_id headline;
	char screen;
} kinds[NT_FINDING_KIND_COUNT] = {
	[NT_FINDING_MEMORY_LIMIT] = { NT_SUBJECT_HOST, '2' },
	[NT_FINDING_DEADLOCK] = { NT_SUBJECT_LOCKS, '4' },
	[NT_FINDING_CPU_WAIT] = { NT_SUBJECT_HOST, '4' },
	[NT_FINDING_POOL_STARVATION] = { NT_SUBJECT_POOL, '4' },
	[NT_FINDING_LOCK_CONVOY] = { NT_SUBJECT_LOCKS, '7' },
	[NT_FINDING_FINALIZERS] = { NT_SUBJECT_THREADS, '4' },
	[NT_FINDING_LOH_CHURN] = { NT_SUBJECT_GC, '5' },
	[NT_FINDING_GC_STORM] = { NT_SUBJECT_GC, '2' },
	[NT_FINDING_JIT_STORM] = { NT_SUBJECT_JIT, '3' },
	[NT_FINDING_EXCEPTION_FLOOD] = { NT_SUBJECT_EXCEPTIONS, '6' },
	[NT_FINDING_ALLOC_BURST] = { NT_SUBJECT_ALLOC, '5' },
	[NT_FINDING_REQUEST_ERRORS] = { NT_SUBJECT_REQUESTS, 'R' },
	[NT_FINDING_CONNECTION_POOL] = { NT_SUBJECT_REQUESTS, 'R' },
	[NT_FINDING_CONNECTIONS] = { NT_SUBJECT_REQUESTS, 'R' },
	[NT_FINDING_SLOW_REQUESTS] = { NT_SUBJECT_REQUESTS, 'R' },
	[NT_FINDING_HEAP_GROWTH] = { NT_SUBJECT_ALLOC, '5' },
	[NT_FINDING_MEMORY_GROWTH] = { NT_SUBJECT_HOST, '2' },
	[NT_FINDING_THREAD_GROWTH] = { NT_SUBJECT_THREADS, '4' },
	[NT_FINDING_DESCRIPTOR_GROWTH] = { NT_SUBJECT_HOST, 'i' },
	[NT_FINDING_HANDLE_GROWTH] = { NT_SUBJECT_GC, '2' },
	[NT_FINDING_TIMER_GROWTH] = { NT_SUBJECT_POOL, '4' },
	[NT_FINDING_SPINNING_THREAD] = { NT_SUBJECT_CPU, '1' },
	[NT_FINDING_BLOCKED_THREAD] = { NT_SUBJECT_THREADS, '4' },
};

/* clang-format off */
static const struct nt_condition conditions[] = {
	{ NT_FINDING_MEMORY_LIMIT,    { { NT_QUANTITY_MEMORY, 90 } } },
	{ NT_FINDING_DEADLOCK,        { { NT_QUANTITY_DEADLOCKED, 2 } } },
	{ NT_FINDING_CPU_WAIT,        { { NT_QUANTITY_CPU_WAIT, 40 }, { NT_QUANTITY_CPU_WAITED, NT_MUCH_WAITED_FOR_CPU_MS }, { NT_QUANTITY_CPU_LIMITED, 1 } } },
	{ NT_FINDING_CPU_WAIT,        { { NT_QUANTITY_CPU_WAIT, 40 }, { NT_QUANTITY_CPU_WAITED, NT_MUCH_WAITED_FOR_CPU_MS }, { NT_QUANTITY_CPU_NOT_HAD, 33 } } },
	{ NT_FINDING_POOL_STARVATION, { { NT_QUANTITY_STARVED, 1 }, { NT_QUANTITY_UNEXPLAINED, 1 } } },
	{ NT_FINDING_POOL_STARVATION, { { NT_QUANTITY_CLIMBED, 2 }, { NT_QUANTITY_SHORT, 1 }, { NT_QUANTITY_UNEXPLAINED, 1 } } },
	{ NT_FINDING_POOL_STARVATION, { { NT_QUANTITY_QUEUED, 10 }, { NT_QUANTITY_STALLED, 1 }, { NT_QUANTITY_UNEXPLAINED, 1 } } },
	{ NT_FINDING_LOCK_CONVOY,     { { NT_QUANTITY_WAITED, NT_MUCH_WAITED_FOR_LOCK_MS }, { NT_QUANTITY_SAME_LOCK, 3 } } },
	{ NT_FINDING_FINALIZERS,      { { NT_QUANTITY_FINALIZING, 10 * S } } },
	{ NT_FINDING_LOH_CHURN,       { { NT_QUANTITY_LOH_GCS, 1 }, { NT_QUANTITY_LOH_FREED, 20 * MB } } },
	{ NT_FINDING_LOH_CHURN,       { { NT_QUANTITY_LOH_GCS, 1 }, { NT_QUANTITY_ALLOCATED, 20 * MB } } },
	{ NT_FINDING_GC_STORM,        { { NT_QUANTITY_PAUSED, NT_MUCH_PAUSED_PCT }, { NT_QUANTITY_PAUSED_RUNNING, NT_MUCH_PAUSED_PCT } } },
	{ NT_FINDING_GC_STORM,        { { NT_QUANTITY_FULL_GCS, 1 }, { NT_QUANTITY_PAUSED, 2 } } },
	{ NT_FINDING_GC_STORM,        { { NT_QUANTITY_GEN2_GCS, 1 }, { NT_QUANTITY_GC_CPU, 15 } } },
	{ NT_FINDING_GC_STORM,        { { NT_QUANTITY_GEN2_GCS, 5 } } },
	{ NT_FINDING_GC_STORM,        { { NT_QUANTITY_LONG_PAUSE, NT_GC_ALARM_NS }, { NT_QUANTITY_LONG_PAUSE_RUNNING, NT_GC_ALARM_NS } } },
	{ NT_FINDING_JIT_STORM,       { { NT_QUANTITY_JITTED, NT_MUCH_COMPILED_MS }, { NT_QUANTITY_JITTED_RUNNING, NT_MUCH_COMPILED_MS }, { NT_QUANTITY_UPTIME, 30 * S } } },
	{ NT_FINDING_JIT_STORM,       { { NT_QUANTITY_BACKLOG, 1000 }, { NT_QUANTITY_UPTIME, 30 * S } } },
	{ NT_FINDING_JIT_STORM,       { { NT_QUANTITY_DYNAMIC, 5 }, { NT_QUANTITY_JITTED, 20 }, { NT_QUANTITY_UPTIME, 60 * S } } },
	{ NT_FINDING_EXCEPTION_FLOOD, { { NT_QUANTITY_THROWN, NT_MUCH_THROWN } } },
	{ NT_FINDING_EXCEPTION_FLOOD, { { NT_QUANTITY_THROWN, 20 }, { NT_QUANTITY_THROWN_TIMES, 5 } } },
	{ NT_FINDING_ALLOC_BURST,     { { NT_QUANTITY_ALLOCATED, 1024 * MB }, { NT_QUANTITY_ALLOCATED_TIMES, 2 } } },
	{ NT_FINDING_ALLOC_BURST,     { { NT_QUANTITY_ALLOCATED, NT_MUCH_ALLOCATED_BYTES }, { NT_QUANTITY_ALLOCATED_TIMES, 5 } } },
	{ NT_FINDING_REQUEST_ERRORS,  { { NT_QUANTITY_FAILED_PCT, 5 }, { NT_QUANTITY_FAILED, 1 } } },
	{ NT_FINDING_CONNECTION_POOL, { { NT_QUANTITY_DATABASE_POOL, 100 }, { NT_QUANTITY_DATABASE_WAITING, 1 } } },
	{ NT_FINDING_CONNECTION_POOL, { { NT_QUANTITY_DATABASE_POOL, 100 }, { NT_QUANTITY_SERVED_P99, (double)NT_REQUEST_LONG_NS } } },
	{ NT_FINDING_CONNECTIONS,     { { NT_QUANTITY_OPENED, 5 }, { NT_QUANTITY_OPENED_PCT, 80 } } },
	{ NT_FINDING_CONNECTIONS,     { { NT_QUANTITY_CLOSED, 5 }, { NT_QUANTITY_CLOSED_PCT, 50 } } },
	{ NT_FINDING_SLOW_REQUESTS,   { { NT_QUANTITY_SLOWER, (double)NT_REQUEST_SLOW_BY_NS }, { NT_QUANTITY_SLOWER_TIMES, NT_REQUEST_SLOW_TIMES } } },
	{ NT_FINDING_SLOW_REQUESTS,   { { NT_QUANTITY_SLOW_CALL, (double)NT_REQUEST_LONG_NS * 7 / 10 } } },
	{ NT_FINDING_SLOW_REQUESTS,   { { NT_QUANTITY_PILED, NT_PILE_MORE }, { NT_QUANTITY_PILED_TIMES, NT_PILE_TIMES }, { NT_QUANTITY_FEWER_TIMES, NT_PILE_FEWER_TIMES } } },
	{ NT_FINDING_SLOW_REQUESTS,   { { NT_QUANTITY_PILED, NT_PILE_MORE }, { NT_QUANTITY_STUCK, (double)NT_PILE_STUCK_NS } } },
	{ NT_FINDING_HEAP_GROWTH,     { { NT_QUANTITY_HEAP_GREW, 64 * MB }, { NT_QUANTITY_HEAP_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_MEMORY_GROWTH,   { { NT_QUANTITY_MEMORY_GREW, 64 * MB }, { NT_QUANTITY_MEMORY_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_THREAD_GROWTH,   { { NT_QUANTITY_THREADS_GREW, 50 }, { NT_QUANTITY_THREADS_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_DESCRIPTOR_GROWTH, { { NT_QUANTITY_DESCRIPTORS_GREW, 200 }, { NT_QUANTITY_DESCRIPTORS_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_HANDLE_GROWTH,   { { NT_QUANTITY_HANDLES_GREW, 5000 }, { NT_QUANTITY_HANDLES_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_TIMER_GROWTH,    { { NT_QUANTITY_TIMERS_GREW, 500 }, { NT_QUANTITY_TIMERS_IN_AN_HOUR, 1 } } },
	{ NT_FINDING_SPINNING_THREAD, { { NT_QUANTITY_BUSY_PCT, 95 }, { NT_QUANTITY_BUSY, 10 * S }, { NT_QUANTITY_METHOD_PCT, 60 }, { NT_QUANTITY_SERVES, 1 } } },
	{ NT_FINDING_BLOCKED_THREAD,  { { NT_QUANTITY_BLOCKED, NT_BLOCKED_NS } } },
};
/* clang-format on */
enum { CONDITION_COUNT = sizeof(conditions) / sizeof(conditions[0]) };

/*
 * What was checked and what is unknown, in the words of the line that says that all is calm: by the quantity without which nobody can say. What has no
 * rule at all is not among it: nobody expects it to be checked.
 */
static const struct {
	const char *name; /* NULL = that of the subject */
	enum nt_subject_id subject;
	enum nt_quantity quantity;
	bool may_lack; /* not every program has such a thing: where it is not known, nothing is said of it */
} subjects[] = {
	{ "CPU waits", NT_SUBJECT_CPU, NT_QUANTITY_CPU_WAIT, false },
	{ NULL, NT_SUBJECT_POOL, NT_QUANTITY_SHORT, false },
	{ "pool queue", NT_SUBJECT_POOL, NT_QUANTITY_QUEUED, false },
	{ "locks since attach", NT_SUBJECT_LOCKS, NT_QUANTITY_WAITED, false },
	{ NULL, NT_SUBJECT_GC, NT_QUANTITY_PAUSED, false },
	{ "LOH", NT_SUBJECT_GC, NT_QUANTITY_LOH_GCS, false },
	{ NULL, NT_SUBJECT_JIT, NT_QUANTITY_JITTED, false },
	{ NULL, NT_SUBJECT_EXCEPTIONS, NT_QUANTITY_THROWN, false },
	{ NULL, NT_SUBJECT_ALLOC, NT_QUANTITY_ALLOCATED, false },
	{ "heap growth", NT_SUBJECT_ALLOC, NT_QUANTITY_HEAP_GREW, false },
	{ "RSS growth", NT_SUBJECT_HOST, NT_QUANTITY_MEMORY_GREW, false },
	{ "thread growth", NT_SUBJECT_THREADS, NT_QUANTITY_THREADS_GREW, false },
	{ "descriptor growth", NT_SUBJECT_IO, NT_QUANTITY_DESCRIPTORS_GREW, false },
	{ "handle growth", NT_SUBJECT_GC, NT_QUANTITY_HANDLES_GREW, true },
	{ "timer growth", NT_SUBJECT_POOL, NT_QUANTITY_TIMERS_GREW, true },
	{ NULL, NT_SUBJECT_THREADS, NT_QUANTITY_SAMPLED, false },
	{ "finalizers", NT_SUBJECT_THREADS, NT_QUANTITY_FINALIZING, true },
	{ NULL, NT_SUBJECT_REQUESTS, NT_QUANTITY_FAILED, true },
	{ "slow requests", NT_SUBJECT_REQUESTS, NT_QUANTITY_SLOWER, true },
	{ "memory limit", NT_SUBJECT_HOST, NT_QUANTITY_MEMORY, true },
};
enum { SUBJECT_COUNT = sizeof(subjects) / sizeof(subjects[0]) };
_Static_assert(SUBJECT_COUNT <= (size_t)NT_FINDING_SUBJECTS, "a snapshot has room for all subjects");

/* It begins when it held for hold_ns of the last of_ns, and ends when it did not hold for end_ns. */
static const nt_time hold_ns = 3 * NT_NS_PER_S, of_ns = 5 * NT_NS_PER_S, end_ns = 10 * NT_NS_PER_S;
enum { LEAST_STEPS = 2 };

static bool holds(const struct nt_condition *condition, const struct nt_quantities *quantities)
{
	for (size_t i = 0; i < NT_FINDING_LIMITS && condition->limits[i].quantity != NT_QUANTITY_NONE; i++) {
		struct nt_f64 value = quantities->of[condition->limits[i].quantity];
		if (!value.known || value.v < condition->limits[i].at_least)
			return false;
	}
	return true;
}

static const struct nt_condition *condition_that_holds(enum nt_finding_kind kind, const struct nt_quantities *quantities)
{
	for (size_t i = 0; i < CONDITION_COUNT; i++)
		if (conditions[i].kind == kind && holds(&conditions[i], quantities))
			return &conditions[i];
	return NULL;
}

static double value_of(const struct nt_condition *condition, const struct nt_quantities *quantities)
{
	return quantities->of[condition->limits[0].quantity].v;
}

/* ---- findings about threads ---- */

static bool about_threads(enum nt_finding_kind kind)
{
	return kind == NT_FINDING_SPINNING_THREAD || kind == NT_FINDING_BLOCKED_THREAD;
}

/* What another finding explains is no finding of its own. */
static bool explained(const struct nt_findings *findings, enum nt_finding_kind kind, const struct nt_thread_row *row)
{
	if (kind != NT_FINDING_BLOCKED_THREAD)
		return false;
	if (findings->states[NT_FINDING_POOL_STARVATION].active && row->role == NT_ROLE_POOL)
		return true;
	bool of_locks = findings->states[NT_FINDING_LOCK_CONVOY].active || findings->states[NT_FINDING_DEADLOCK].active;
	return of_locks && row->lock_ns.known;
}

/* The thread for which the rule holds most, if for any. */
static void find_thread(struct nt_case *about, enum nt_finding_kind kind, struct nt_quantities *quantities)
{
	for (size_t i = 0; i < about->process->thread_count; i++) {
		const struct nt_thread_row *row = &about->process->threads[i];
		struct nt_quantities of_row;
		nt_evidence_of_thread(row, &of_row);
		of_row.of[NT_QUANTITY_SERVES] = about->step->quantities.of[NT_QUANTITY_SERVES];
		const struct nt_condition *condition = condition_that_holds(kind, &of_row);
		if (!condition || explained(about->findings, kind, row))
			continue;
		about->thread_count++;
		if (about->thread && value_of(condition, &of_row) <= value_of(about->condition, quantities))
			continue;
		about->thread = row;
		about->condition = condition;
		*quantities = of_row;
	}
}

/* ---- one finding in time ---- */

static unsigned steps_in(nt_time ns, nt_time step_ns)
{
	unsigned steps = (unsigned)((ns + step_ns - 1) / step_ns);
	return steps > LEAST_STEPS ? steps : LEAST_STEPS;
}

/* Length of the steps now, to half a second: timers are not exact. */
static nt_time length_of(const struct nt_step *step)
{
	const nt_time grain = NT_NS_PER_S / 2;
	nt_time length = (step->t1 - step->t0 + grain / 2) / grain * grain;
	return length > grain ? length : grain;
}

/* The bits of the steps that count. */
static uint32_t recent(uint32_t held, const struct nt_step *step)
{
	return held & ((1u << steps_in(of_ns, length_of(step))) - 1);
}

static bool held_enough(uint32_t held, const struct nt_step *step)
{
	return (unsigned)__builtin_popcount(recent(held, step)) >= steps_in(hold_ns, length_of(step));
}

/* What each limit was held against. What is allocated is reckoned where the runtime's counter does not come. */
static void say_evidence(struct nt_finding *said, const struct nt_case *about, const struct nt_quantities *quantities)
{
	const struct nt_limit *limits = about->condition->limits;
	if (said->kind == NT_FINDING_ALLOC_BURST && about->process->interval.gc.alloc_estimated)
		said->confidence = NT_CONFIDENCE_ESTIMATED;
	for (size_t i = 0; i < NT_FINDING_LIMITS && limits[i].quantity != NT_QUANTITY_NONE; i++) {
		const struct nt_quantity_kind *kind = nt_quantity_kind(limits[i].quantity);
		said->evidence[said->evidence_count++] = (struct nt_finding_evidence){ .quantity = kind->name,
										       .unit = kind->unit,
										       .value = quantities->of[limits[i].quantity].v,
										       .at_least = limits[i].at_least };
		if (kind->confidence > said->confidence)
			said->confidence = kind->confidence;
	}
}

static void say(struct nt_finding_state *state, const struct nt_case *about, enum nt_finding_kind kind,
		const struct nt_quantities *quantities)
{
	state->said = (struct nt_finding){
		.kind = kind,
		.headline = kinds[kind].headline,
		.screen = kinds[kind].screen,
		.value = value_of(about->condition, quantities),
		.threshold = about->condition->limits[0].at_least,
		.unit = nt_quantity_kind(about->condition->limits[0].quantity)->unit,
		.since = state->held_since,
		.until = NT_TIME_UNKNOWN,
		.tid = about->thread ? about->thread->tid : 0,
		.row_id = nt_findings_row(about, kind),
	};
	say_evidence(&state->said, about, quantities);
	state->thread_id = about->thread ? about->thread->id : 0;
	nt_findings_tell(about, kind, state->texts);
}

/* A step is over in which the rule held, or did not (about->condition is NULL). */
static void advance(struct nt_finding_state *state, const struct nt_case *about, enum nt_finding_kind kind,
		    const struct nt_quantities *quantities)
{
	const struct nt_step *step = about->step;
	if (about->condition) {
		if (!state->active && !recent(state->held, step))
			state->held_since = step->t0;
		state->held_until = step->t1;
	}
	state->held = state->held << 1 | (about->condition != NULL);
	if (about->condition && held_enough(state->held, step))
		state->active = state->ever = true;
	/* A single step in which it holds again is no finding, and the summary still has what was said of the one that ended. */
	if (about->condition && state->active)
		say(state, about, kind, quantities);
	if (!state->active || state->held_until + end_ns > step->t1)
		return;
	state->active = false;
	state->said.until = state->held_until;
}

static void judge(struct nt_findings *findings, enum nt_finding_kind kind, const struct nt_step *step,
		  const struct nt_process_snapshot *process)
{
	struct nt_case about = { .findings = findings, .process = process, .step = step };
	struct nt_quantities quantities = step->quantities;
	if (about_threads(kind))
		find_thread(&about, kind, &quantities);
	else
		about.condition = condition_that_holds(kind, &quantities);
	struct nt_finding_state *state = &findings->states[kind];
	bool was_active = state->active;
	advance(state, &about, kind, &quantities);
	if (was_active && !state->active && state->held_until > findings->quiet_since)
		findings->quiet_since = state->held_until;
}

/* ---- all of them ---- */

void nt_findings_init(struct nt_findings *findings, const struct nt_lock_waits *waits, const struct nt_kept_figures *kept, nt_time start)
{
	*findings = (struct nt_findings){ .waits = waits, .kept = kept, .quiet_since = start };
}

static void note_checked(struct nt_findings *findings, const struct nt_quantities *quantities)
{
	findings->looked = true;
	findings->checked = 0;
	for (unsigned i = 0; i < SUBJECT_COUNT; i++)
		findings->checked |= (uint32_t)quantities->of[subjects[i].quantity].known << i;
}

static const char *checked_name(unsigned i)
{
	return subjects[i].name ? subjects[i].name : nt_subjects[subjects[i].subject]->name;
}

static void publish_checked(const struct nt_findings *findings, struct nt_process_snapshot *process)
{
	for (unsigned i = 0; findings->looked && i < SUBJECT_COUNT; i++) {
		if (findings->checked >> i & 1)
			process->checked[process->checked_count++] = checked_name(i);
		else if (!subjects[i].may_lack)
			process->unchecked[process->unchecked_count++] = checked_name(i);
	}
}

static void publish(const struct nt_finding_state *state, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct nt_finding *out = &process->findings[process->finding_count++];
	bool held_last = state->held & 1;
	*out = state->said;
	if (state->active && !held_last)
		out->lapsed_ns = snapshot->t1 - state->held_until;
	out->text = nt_arena_text(snapshot->arena, state->texts[0], strlen(state->texts[0]));
	out->short_text = nt_arena_text(snapshot->arena, state->texts[1], strlen(state->texts[1]));
	out->brief_text = nt_arena_text(snapshot->arena, state->texts[2], strlen(state->texts[2]));
}

/* Workers that all wait for one lock are no more than the queue before it: who holds that comes first. */
static void put_cause_first(struct nt_process_snapshot *process)
{
	for (size_t i = 1; i < process->finding_count; i++) {
		struct nt_finding *pool = &process->findings[i - 1], *convoy = &process->findings[i];
		if (pool->kind != NT_FINDING_POOL_STARVATION || convoy->kind != NT_FINDING_LOCK_CONVOY || convoy->lapsed_ns)
			continue;
		struct nt_blame_pool blame = nt_blame_pool(process);
		if (!blame.site || !nt_wait_is_for_lock(blame.wait))
			continue;
		const struct nt_finding first = *convoy;
		*convoy = *pool;
		*pool = first;
	}
}

void nt_findings_close(struct nt_findings *findings, const struct nt_span *span, struct nt_snapshot *snapshot,
		       struct nt_process_snapshot *process)
{
	struct nt_step step;
	if (nt_evidence_add(&findings->evidence, findings->kept, span, process, &step)) {
		note_checked(findings, &step.quantities);
		for (unsigned kind = 0; kind < NT_FINDING_KIND_COUNT; kind++)
			judge(findings, (enum nt_finding_kind)kind, &step, process);
	}
	publish_checked(findings, process);
	process->wants_compilations = nt_evidence_wants_compilations(&findings->evidence, span->t1);
	process->findings = nt_realloc(NULL, NT_FINDING_KIND_COUNT, sizeof(*process->findings));
	process->quiet_since = findings->quiet_since;
	for (unsigned kind = 0; kind < NT_FINDING_KIND_COUNT; kind++) {
		const struct nt_finding_state *state = &findings->states[kind];
		if (state->active || (span->final && state->ever))
			publish(state, snapshot, process);
		if (!state->active)
			continue;
		nt_findings_mark(state, process);
		process->quiet_since = NT_TIME_UNKNOWN;
	}
	put_cause_first(process);
}
