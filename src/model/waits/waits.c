// SPDX-License-Identifier: GPL-2.0-only
#include "model/waits/waits.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void nt_waits_init(struct nt_waits *waits)
{
	*waits = (struct nt_waits){ 0 };
	nt_wait_sites_init(&waits->sites);
	nt_wait_groups_init(&waits->groups);
	nt_wait_strips_init(&waits->strips);
}

void nt_waits_fini(struct nt_waits *waits)
{
	free(waits->threads);
	nt_index_fini(&waits->by_tid);
	nt_index_fini(&waits->uncounted);
	nt_wait_sites_fini(&waits->sites);
	nt_wait_groups_fini(&waits->groups);
	nt_wait_strips_fini(&waits->strips);
	*waits = (struct nt_waits){ 0 };
}

/* ---- threads ---- */

static struct nt_wait_thread *find(const struct nt_waits *waits, uint32_t tid)
{
	uint32_t index = nt_index_get(&waits->by_tid, tid);
	return index == NT_INDEX_NONE ? NULL : &waits->threads[index];
}

/* Times of a recording may be anything: those that are too large are all the same. */
static uint32_t second_of(nt_time time)
{
	nt_time second = time / NT_NS_PER_S;
	return second < NT_INDEX_NONE ? (uint32_t)second : NT_INDEX_NONE - 1;
}

static void note_uncounted(struct nt_waits *waits, uint32_t tid, nt_time time)
{
	if (waits->uncounted.used < NT_WAITS_UNCOUNTED || nt_index_get(&waits->uncounted, tid) != NT_INDEX_NONE)
		nt_index_put(&waits->uncounted, tid, second_of(time));
}

static struct nt_wait_thread *thread_of(struct nt_waits *waits, uint32_t tid, nt_time time)
{
	struct nt_wait_thread *thread = find(waits, tid);
	if (thread)
		return thread;
	if (waits->count >= NT_WAITS_THREADS) {
		note_uncounted(waits, tid, time);
		return NULL;
	}
	nt_index_remove(&waits->uncounted, tid);
	waits->threads = nt_grow(waits->threads, &waits->capacity, waits->count + 1, sizeof(*waits->threads));
	nt_index_put(&waits->by_tid, tid, (uint32_t)waits->count);
	thread = &waits->threads[waits->count++];
	*thread = (struct nt_wait_thread){ .tid = tid };
	return thread;
}

static void remove_thread(struct nt_waits *waits, struct nt_wait_thread *thread)
{
	nt_index_remove(&waits->by_tid, thread->tid);
	struct nt_wait_thread *last = &waits->threads[--waits->count];
	if (thread == last)
		return;
	*thread = *last;
	nt_index_put(&waits->by_tid, thread->tid, (uint32_t)(thread - waits->threads));
}

static void describe_piece(struct nt_wait_thread *thread)
{
	thread->piece.tid = thread->tid;
	thread->piece.of_runtime = thread->of_runtime;
	thread->piece.what = thread->what;
	thread->piece.object = thread->object;
	thread->piece.owner_tid = thread->owner_tid;
	thread->piece.until = thread->counted_until;
}

static void piece_ended(struct nt_waits *waits, const struct nt_wait_piece *piece)
{
	if (nt_wait_sites_ended(&waits->sites, piece))
		return;
	nt_wait_groups_count(&waits->groups, NT_WAIT_UNKNOWN, piece);
	nt_wait_strips_count(&waits->strips, NT_WAIT_UNKNOWN, piece);
	waits->beyond.count++;
	waits->beyond.spent_ns += piece->spent_ns;
}

static void tell_waited(struct nt_waits *waits, struct nt_wait_thread *thread, bool over)
{
	nt_time until = thread->counted_until;
	if (thread->blocked_ns && waits->waited)
		waits->waited(waits->waited_context, thread->tid, NT_TIME_BLOCKED, thread->chain, until - thread->ready_ns,
			      thread->blocked_ns, over);
	if (thread->ready_ns && waits->waited)
		waits->waited(waits->waited_context, thread->tid, NT_TIME_READY, thread->chain, until, thread->ready_ns, over);
	thread->blocked_ns = thread->ready_ns = 0;
}

/* It waits no more. */
static void end_wait(struct nt_waits *waits, struct nt_wait_thread *thread)
{
	if (thread->waits) {
		thread->piece.ended = true;
		describe_piece(thread);
		piece_ended(waits, &thread->piece);
		tell_waited(waits, thread, true);
	}
	struct nt_wait_look looks[NT_WAITS_LOOKS];
	memcpy(looks, thread->looks, thread->look_count * sizeof(*looks));
	*thread = (struct nt_wait_thread){ .tid = thread->tid,
					   .exact = thread->exact,
					   .of_runtime = thread->of_runtime,
					   .managed_id = thread->managed_id,
					   .looked = thread->looked,
					   .heard = thread->heard,
					   .counted_until = thread->counted_until,
					   .look_count = thread->look_count };
	memcpy(thread->looks, looks, thread->look_count * sizeof(*looks));
}

void nt_waits_thread_ended(struct nt_waits *waits, uint32_t tid)
{
	struct nt_wait_thread *thread = find(waits, tid);
	nt_index_remove(&waits->uncounted, tid);
	if (!thread)
		return;
	end_wait(waits, thread);
	remove_thread(waits, thread);
	nt_wait_groups_thread_ended(&waits->groups, tid);
	nt_wait_strips_thread_ended(&waits->strips, tid);
}

void nt_waits_set_exact(struct nt_waits *waits, bool exact, bool timed, nt_time time)
{
	waits->timed |= exact && timed;
	if (exact && !waits->exact)
		waits->exact_since = time;
	if (waits->exact && !exact) {
		waits->exact_ns += time > waits->exact_since ? time - waits->exact_since : 0;
		for (size_t i = 0; i < waits->count; i++) {
			end_wait(waits, &waits->threads[i]);
			waits->threads[i].exact = false;
			waits->threads[i].look_count = 0;
		}
	}
	waits->exact = exact;
}

/* ---- looks ---- */

static bool is_another_wait(const struct nt_wait_thread *thread, const struct nt_ev_stack *found, nt_site_ref stack)
{
	if (!thread->waits)
		return true;
	if (thread->since != NT_TIME_UNKNOWN && found->since != NT_TIME_UNKNOWN)
		return found->since > thread->piece.wait_ns + thread->since; /* it has run since the look before */
	return thread->piece.stack != stack;
}

static void note_what(struct nt_wait_thread *thread, const struct nt_ev_stack *found, const char *what)
{
	thread->owner_tid = found->owner_tid;
	thread->object = found->object;
	thread->what = what;
}

/* A look at a thread whose switches are told: where callers are missing, it knows better, as long as the thread has not run since. */
static void look_closer(struct nt_wait_thread *thread, const struct nt_event *event, nt_site_ref stack, struct nt_chain *chain,
			const char *what)
{
	const struct nt_ev_stack *found = &event->u.found;
	bool same_wait = thread->waits && !thread->ready && event->time >= thread->since && found->since != NT_TIME_UNKNOWN &&
			 found->since <= event->time;
	if (!same_wait || found->wait == NT_WAIT_RUNS)
		return;
	if (thread->partial && stack && !found->partial) {
		thread->piece.stack = stack;
		thread->chain = chain ? chain : thread->chain;
		thread->partial = false;
	}
	thread->piece.said = found->wait;
	note_what(thread, found, what);
}

/* Where such a thread was is known, and what it did then comes later. */
static void keep_look(struct nt_wait_thread *thread, const struct nt_event *event, nt_site_ref stack, const char *what)
{
	const struct nt_ev_stack *found = &event->u.found;
	if (found->wait == NT_WAIT_RUNS || found->since == NT_TIME_UNKNOWN || found->since > event->time)
		return;
	if (thread->look_count == NT_WAITS_LOOKS)
		memmove(thread->looks, thread->looks + 1, --thread->look_count * sizeof(thread->looks[0]));
	thread->looks[thread->look_count++] = (struct nt_wait_look){ .time = event->time,
								     .stack = stack,
								     .said = found->wait,
								     .owner_tid = found->owner_tid,
								     .object = found->object,
								     .what = what,
								     .partial = found->partial };
}

/* It has done the same since it left a CPU and up to `time`: looks of that time say where. Older ones are not needed any more. */
static void use_looks(struct nt_wait_thread *thread, nt_time time)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < thread->look_count; i++) {
		const struct nt_wait_look *seen = &thread->looks[i];
		if (seen->time >= time) {
			thread->looks[kept++] = *seen;
			continue;
		}
		if (!thread->waits || thread->ready || seen->time < thread->since)
			continue;
		if (seen->stack) {
			thread->piece.stack = seen->stack;
			thread->partial = seen->partial;
		}
		thread->piece.said = seen->said;
		thread->owner_tid = seen->owner_tid;
		thread->object = seen->object;
		thread->what = seen->what;
	}
	thread->look_count = kept;
}

/* What of the time that a look stands for is in no interval yet. */
static nt_time not_counted(const struct nt_wait_thread *thread, nt_time time, nt_time weight_ns)
{
	nt_time from = time > weight_ns ? time - weight_ns : 0;
	if (thread->counted_until > from)
		from = thread->counted_until;
	return time > from ? time - from : 0;
}

/* The next look tells of a time that reaches over the interval's end: what of it is known to be looked at, up to `time`, counts in this one. */
static void spend_looked_at(struct nt_wait_thread *thread, nt_time time)
{
	if (thread->exact || !thread->waits || time <= thread->counted_until)
		return;
	thread->piece.spent_ns += time - thread->counted_until;
	thread->counted_until = time;
}

static void look(struct nt_waits *waits, const struct nt_event *event, nt_site_ref stack, struct nt_chain *chain, const char *what)
{
	const struct nt_ev_stack *found = &event->u.found;
	struct nt_wait_thread *thread = thread_of(waits, event->tid, event->time);
	if (!thread || (!thread->exact && event->time < thread->heard))
		return;
	thread->looked = event->time;
	thread->managed_id = found->managed_id;
	if (!thread->exact)
		thread->heard = event->time;
	/* Its switches are told later than a look, and none of them is out of date for that. */
	if (thread->exact && waits->timed)
		keep_look(thread, event, stack, what);
	else if (thread->exact)
		look_closer(thread, event, stack, chain, what);
	if (thread->exact)
		return;
	nt_time spent_ns = not_counted(thread, event->time, found->weight_ns);
	if (found->wait == NT_WAIT_RUNS) {
		end_wait(waits, thread);
		nt_wait_strips_add(&waits->strips, thread->tid, NT_WAIT_RUNS, true, event->time - spent_ns, event->time);
		thread->counted_until = event->time;
		return;
	}
	if (is_another_wait(thread, found, stack)) {
		end_wait(waits, thread);
		thread->waits = true;
		thread->since = found->since;
		thread->since_before = found->since_before;
		thread->piece.polled = true;
	}
	thread->counted_until = event->time;
	thread->partial = found->partial;
	if (stack)
		thread->piece.stack = stack;
	thread->piece.said = found->wait;
	thread->piece.spent_ns += spent_ns;
	if (thread->since != NT_TIME_UNKNOWN && event->time > thread->since)
		thread->piece.wait_ns = event->time - thread->since;
	note_what(thread, found, what);
}

/* ---- switches ---- */

/* Count what a thread has waited up to `time`. */
static void spend(struct nt_wait_thread *thread, nt_time time)
{
	if (!thread->exact || !thread->waits || time <= thread->counted_until)
		return;
	nt_time spent_ns = time - thread->counted_until;
	if (thread->ready && thread->piece.said != NT_WAIT_CPU)
		thread->piece.runq_ns += spent_ns;
	else
		thread->piece.spent_ns += spent_ns;
	*(thread->ready ? &thread->ready_ns : &thread->blocked_ns) += spent_ns;
	thread->counted_until = time;
}

/* Up to `time` it has had a CPU since it came to one, as far as anybody saw that. */
static void note_ran(struct nt_waits *waits, struct nt_wait_thread *thread, nt_time time)
{
	if (!thread->exact || !thread->runs || time <= thread->counted_until)
		return;
	nt_wait_strips_add(&waits->strips, thread->tid, NT_WAIT_RUNS, false, thread->counted_until, time);
	thread->counted_until = time;
}

static void leaves(struct nt_waits *waits, struct nt_wait_thread *thread, const struct nt_event *event, nt_site_ref stack,
		   struct nt_chain *chain)
{
	const struct nt_ev_switch *switched = &event->u.switched;
	use_looks(thread, event->time);
	spend(thread, event->time); /* it came to a CPU unheard */
	note_ran(waits, thread, event->time);
	end_wait(waits, thread);
	thread->waits = true;
	thread->ready = switched->preempted;
	thread->partial = switched->partial || !stack;
	thread->since = thread->ready_since = thread->counted_until = event->time;
	thread->chain = chain;
	thread->piece.stack = stack;
	thread->piece.timed = waits->timed;
	thread->piece.said = switched->preempted ? NT_WAIT_CPU : NT_WAIT_UNKNOWN;
}

static void comes(struct nt_waits *waits, struct nt_wait_thread *thread, nt_time time)
{
	use_looks(thread, time);
	spend(thread, time);
	nt_time until = thread->ready && thread->piece.said != NT_WAIT_CPU ? thread->ready_since : time;
	if (thread->waits)
		thread->piece.wait_ns = until > thread->since ? until - thread->since : 0;
	end_wait(waits, thread);
	thread->runs = true;
	thread->counted_until = time > thread->counted_until ? time : thread->counted_until;
}

static void switched(struct nt_waits *waits, const struct nt_event *event, nt_site_ref stack, struct nt_chain *chain)
{
	if (!waits->exact)
		return;
	struct nt_wait_thread *thread = thread_of(waits, event->tid, event->time);
	if (!thread || event->time < thread->heard)
		return;
	if (!thread->exact)
		end_wait(waits, thread);
	thread->exact = true;
	thread->heard = event->time;
	if (event->u.switched.on)
		comes(waits, thread, event->time);
	else
		leaves(waits, thread, event, stack, chain);
}

static void wake(struct nt_waits *waits, const struct nt_event *event, nt_site_ref stack)
{
	struct nt_wait_thread *thread = find(waits, event->tid);
	if (!thread || !thread->exact || !thread->waits || thread->ready || event->time < thread->heard)
		return;
	spend(thread, event->time);
	thread->ready = true;
	thread->ready_since = event->time;
	thread->piece.waker_stack = stack;
	thread->piece.waker_tid = event->u.wake.interrupt ? NT_WAKER_INTERRUPT : event->u.wake.waker_tid;
}

void nt_waits_apply(struct nt_waits *waits, const struct nt_event *event, nt_site_ref stack, struct nt_chain *chain, const char *what)
{
	switch (event->kind) {
	case NT_EV_STACK:
		look(waits, event, stack, chain, what);
		break;
	case NT_EV_SWITCH:
		switched(waits, event, stack, chain);
		break;
	case NT_EV_WAKE:
		wake(waits, event, stack);
		break;
	default:
		break;
	}
}

bool nt_waits_is_exact(const struct nt_waits *waits, uint32_t tid)
{
	const struct nt_wait_thread *thread = waits->exact ? find(waits, tid) : NULL;
	return thread && thread->exact;
}

void nt_waits_tell_waited(struct nt_waits *waits, nt_time time, struct nt_chain *(*keep)(void *context, const struct nt_chain *chain),
			  void *context)
{
	for (size_t i = 0; i < waits->count; i++) {
		struct nt_wait_thread *thread = &waits->threads[i];
		if (!thread->exact || !thread->waits)
			continue;
		spend(thread, time);
		tell_waited(waits, thread, false);
		thread->chain = thread->chain ? keep(context, thread->chain) : NULL;
	}
}

/* ---- when the interval closes ---- */

struct closing {
	struct nt_wait_counts interval;
	uint64_t waiting_count, idle_count, longest_ns;
};

/* Waits for work are told apart: they are no trouble. Those for a CPU are counted by threads and host. */
static void count(struct nt_waits *waits, struct closing *closing, struct nt_sites *stacks, struct nt_wait_piece *piece,
		  enum nt_wait_kind *kind)
{
	*kind = nt_wait_sites_count(&waits->sites, stacks, piece);
	nt_wait_groups_count(&waits->groups, *kind, piece);
	nt_wait_strips_count(&waits->strips, *kind, piece);
	if (*kind == NT_WAIT_IDLE) {
		closing->idle_count += !piece->ended;
		return;
	}
	closing->interval.count += piece->ended;
	closing->interval.spent_ns += piece->spent_ns;
	closing->waiting_count += !piece->ended;
	if (!piece->ended && piece->wait_ns > closing->longest_ns)
		closing->longest_ns = piece->wait_ns;
}

/* Threads that the runtime has for itself are known by their names. */
static void note_roles(struct nt_waits *waits, const struct nt_process_snapshot *process)
{
	for (size_t i = 0; i < process->thread_count; i++) {
		const struct nt_thread_row *row = &process->threads[i];
		struct nt_wait_thread *thread = row->ended ? NULL : find(waits, row->tid);
		if (thread)
			thread->of_runtime = row->role == NT_ROLE_GC || row->role == NT_ROLE_JIT || row->role == NT_ROLE_FINALIZER ||
					     row->role == NT_ROLE_RUNTIME;
	}
}

static void count_all(struct nt_waits *waits, struct closing *closing, const struct nt_span *span, nt_time looked_until,
		      struct nt_sites *stacks)
{
	struct nt_wait_sites *sites = &waits->sites;
	nt_wait_sites_settle(sites, stacks);
	enum nt_wait_kind kind;
	nt_wait_groups_begin(&waits->groups);
	for (size_t i = 0; i < sites->ended_count; i++)
		count(waits, closing, stacks, &sites->ended[i], &kind);
	/* At a high rate each interval needs the room: it goes after one that has needed little of it. */
	sites->ended = nt_shrink(sites->ended, &sites->ended_capacity, sites->ended_count, sizeof(*sites->ended));
	sites->ended_count = 0;
	for (size_t i = 0; i < waits->count; i++) {
		struct nt_wait_thread *thread = &waits->threads[i];
		use_looks(thread, span->t1);
		for (unsigned k = 0; k < thread->look_count; k++)
			nt_sites_keep(stacks, &thread->looks[k].stack);
		if (!thread->waits) {
			note_ran(waits, thread, span->t1);
			continue;
		}
		spend(thread, span->t1);
		spend_looked_at(thread, looked_until);
		if (thread->exact && span->t1 > thread->since)
			thread->piece.wait_ns = (thread->ready ? thread->ready_since : span->t1) - thread->since;
		describe_piece(thread);
		count(waits, closing, stacks, &thread->piece, &thread->kind);
		thread->piece.spent_ns = thread->piece.runq_ns = 0;
	}
}

/* Looks that cost much are this far apart, however short intervals are. */
static const nt_time between_looks_ns = 2500 * NT_NS_PER_MS;

/* As of those that are counted: who waits says nothing by switches until it runs, and is there until it ends. */
static void forget_uncounted(struct nt_waits *waits, nt_time before)
{
	struct nt_index heard = { 0 };
	if (waits->exact || !waits->uncounted.used)
		return;
	for (size_t i = 0; i < waits->uncounted.size; i++) {
		const struct nt_index_slot *slot = &waits->uncounted.slots[i];
		if (slot->value != NT_INDEX_NONE && slot->value >= second_of(before))
			nt_index_put(&heard, slot->key, slot->value);
	}
	nt_index_fini(&waits->uncounted);
	waits->uncounted = heard;
}

/* One that is looked at is told of in each look: who was not has ended, or nobody looks any more. */
static void forget_unheard(struct nt_waits *waits, const struct nt_span *span)
{
	nt_time most_ns = nt_span_length(span) > between_looks_ns ? nt_span_length(span) : between_looks_ns;
	nt_time before = span->t0 > most_ns ? span->t0 - most_ns : 0;
	for (size_t i = waits->count; i-- > 0;) {
		struct nt_wait_thread *thread = &waits->threads[i];
		if (!thread->exact && thread->heard < before)
			remove_thread(waits, thread);
	}
	forget_uncounted(waits, before);
	if (waits->uncounted.used > waits->uncounted_most)
		waits->uncounted_most = waits->uncounted.used;
}

static void fill(const struct nt_wait_counts *counts, const struct closing *closing, size_t uncounted, const char *method,
		 struct nt_wait_figures *out)
{
	out->count = nt_u64_of(counts->count);
	out->spent_ns = nt_u64_of(counts->spent_ns);
	out->waiting_count = nt_u64_of(closing->waiting_count);
	out->idle_count = nt_u64_of(closing->idle_count);
	if (closing->longest_ns)
		out->longest_ns = nt_u64_of(closing->longest_ns);
	out->uncounted_count = nt_u64_of(uncounted);
	out->uncounted_at_least = uncounted >= NT_WAITS_UNCOUNTED;
	out->method = method;
}

/* How most of the time is known that is known at all. */
static const char *method_of(const struct nt_waits *waits, nt_time exact_ns, const struct nt_u64 *covered_ns)
{
	const double most = 0.9;
	if (!exact_ns || !covered_ns->known)
		return "polled";
	if ((double)exact_ns < most * (double)covered_ns->v)
		return "mixed";
	return waits->timed ? "timed" : "exact";
}

/* For so much of the interval switches were told. */
static nt_time exact_of(struct nt_waits *waits, const struct nt_span *span)
{
	nt_time exact_ns = waits->exact_ns;
	if (waits->exact && span->t1 > waits->exact_since) {
		exact_ns += span->t1 - waits->exact_since;
		waits->exact_since = span->t1;
	}
	waits->exact_ns = 0;
	waits->exact_all_ns += exact_ns;
	return exact_ns;
}

void nt_waits_close(struct nt_waits *waits, const struct nt_span *span, nt_time looked_until, bool interval_known, bool total_known,
		    struct nt_sites *stacks, struct nt_snapshot *snapshot, struct nt_process_snapshot *process)
{
	struct closing closing = { .interval = waits->beyond };
	waits->beyond = (struct nt_wait_counts){ 0 };
	nt_time exact_ns = exact_of(waits, span);
	forget_unheard(waits, span);
	note_roles(waits, process);
	count_all(waits, &closing, span, looked_until < span->t1 ? looked_until : span->t1, stacks);
	waits->total.count += closing.interval.count;
	waits->total.spent_ns += closing.interval.spent_ns;
	if (interval_known)
		fill(&closing.interval, &closing, waits->uncounted.used, method_of(waits, exact_ns, &process->interval.waits.covered_ns),
		     &process->interval.waits);
	if (total_known)
		fill(&waits->total, &closing, waits->uncounted_most,
		     method_of(waits, waits->exact_all_ns, &process->total.waits.covered_ns), &process->total.waits);
	nt_time covered_ns = process->interval.waits.covered_ns.known ? process->interval.waits.covered_ns.v : 0;
	nt_wait_sites_close(&waits->sites, stacks, span, covered_ns, snapshot, process);
	if (waits->count && (interval_known || !waits->exact))
		nt_waits_fill_threads(waits, span, stacks, snapshot, process);
	nt_wait_groups_close(&waits->groups, span, covered_ns, process);
	nt_wait_strips_close(&waits->strips, span, snapshot, process);
}

void nt_waits_each_text(const struct nt_waits *waits, nt_text_visit *visit, void *context)
{
	nt_wait_sites_each_text(&waits->sites, visit, context);
	nt_wait_groups_each_text(&waits->groups, visit, context);
	for (size_t i = 0; i < waits->count; i++)
		visit(waits->threads[i].what, context);
	for (size_t i = 0; i < waits->count; i++)
		for (unsigned k = 0; k < waits->threads[i].look_count; k++)
			visit(waits->threads[i].looks[k].what, context);
}
