// SPDX-License-Identifier: GPL-2.0-only
/*
 * Looks at a process's threads, and names its code: when they are due and what they may cost, the reader that is asked, and what is made of its answers.
 */
#include "source/runtime/runtime_watch.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "source/common/inner_tids.h"
#include "source/contract/contract_reader.h"
#include "source/image/cfi_image.h"
#include "source/runtime/asked_allocated.h"
#include "source/runtime/asked_pool.h"
#include "source/runtime/looked_threads.h"
#include "source/runtime/named_code.h"
#include "source/runtime/named_types.h"
#include "source/runtime/read_il.h"
#include "target/process/target.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

enum {
	COST_PART = 100,     /* a look may take one in so many of the time, */
	ASKED_PART = 20,     /* and where somebody asked for nothing else */
	EVENTS_PER_S = 4000, /* a thread is one in each look */
	RESTARTS_MAX = 5,
};

static const nt_time look_asked_ns = 10 * NT_NS_PER_MS, look_often_ns = 100 * NT_NS_PER_MS, look_seldom_ns = NT_NS_PER_S,
		     look_most_ns = 2 * NT_NS_PER_S, patience_ns = 2 * NT_NS_PER_S, last_answers_ns = NT_NS_PER_S;

struct nt_runtime_watch {
	struct nt_runtime_common *common; /* borrowed */
	const struct nt_target *target;   /* borrowed */
	struct nt_inner_tids *tids;       /* owned */
	bool same_namespace;
	struct nt_reader reader;
	struct nt_looked_threads threads;
	struct nt_native_stacks *native; /* owned; NULL = frames of native code are not wanted, or nobody can find them */
	bool native_wanted;
	struct nt_error native_lack; /* why nobody can; no causes = they can */
	uint64_t native_ns;          /* CPU time that walks have taken, as far as looks have paid for it */
	struct nt_named_code names;
	struct nt_asked_places types, il;
	struct nt_asked_pool pool;
	struct nt_asked_allocated allocated;
	bool names_wanted;  /* somebody has asked for one */
	bool no_names;      /* the runtime does not describe them */
	bool no_stacks;     /* likewise: there are names alone */
	bool wanted, often; /* looks are, once in a second; several times */
	bool covers, stopped, given_up;
	nt_time stops;      /* it is to stop, when what it was asked for is answered, or at this time; 0 = it is not */
	bool looking;       /* the reader has been asked, and has not said END */
	nt_time asked;      /* when */
	nt_time next;       /* when the next look is due */
	uint64_t cost_ns;   /* CPU time that this look has taken so far */
	uint64_t reader_at; /* what the reader had taken when it began */
	uint64_t gone_ns;   /* CPU time of readers that have ended */
	unsigned restarts;
};

static uint64_t thread_cpu_ns(void)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NT_NS_PER_S + (uint64_t)now.tv_nsec;
}

static void state(struct nt_runtime_watch *watch, enum nt_source_state said, const char *reason)
{
	const struct nt_error *lack = said == NT_STATE_DELIVERING && !reason && watch->native_wanted ? &watch->native_lack : NULL;
	char text[NT_READER_REASON];
	bool lacks = lack && lack->cause_count;
	struct nt_event *event = nt_outbox_state(&watch->common->box, nt_clock_now(), watch->target->pid, said, false,
						 lacks ? nt_error_reason(lack, text, sizeof(text)) : reason, lacks ? lack->fix : NULL);
	event->u.source_state.brings =
		(watch->no_stacks ? 0 : NT_WANT_LOOKS) | (watch->given_up || watch->no_names ? 0 : NT_WANT_METHOD_NAMES);
}

/* Threads are not looked at, for this reason; questions for names are answered. */
static void name_only(struct nt_runtime_watch *watch, const char *reason)
{
	bool said = watch->no_stacks; /* by its version, before it was asked */
	watch->no_stacks = true;
	watch->wanted = false;
	if (!said)
		state(watch, NT_STATE_ABSENT, reason);
}

static void cover(struct nt_runtime_watch *watch, nt_time now, bool covered)
{
	if (covered != watch->covers)
		nt_outbox_add(&watch->common->box, NT_EV_COVER, now, watch->target->pid, 0)->u.cover =
			(struct nt_ev_cover){ .what = NT_WANT_LOOKS, .covered = covered };
	watch->covers = covered;
}

struct nt_runtime_watch *nt_runtime_watch_new(struct nt_runtime_common *common, const struct nt_target *target)
{
	struct nt_runtime_watch *watch = nt_alloc(sizeof(*watch));
	watch->common = common;
	watch->target = target;
	watch->same_namespace = nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self");
	watch->tids = nt_inner_tids_new(target->proc_dir, watch->same_namespace);
	if (nt_target_runtime_major(target) < NT_RUNTIME_DESCRIBED_MAJOR)
		name_only(watch, NT_NO_STACKS_DESCRIBED);
	else
		state(watch, NT_STATE_UNUSED, NULL);
	return watch;
}

static void end_reader(struct nt_runtime_watch *watch)
{
	watch->gone_ns += nt_reader_cpu_ns(&watch->reader);
	nt_reader_end(&watch->reader);
	nt_named_code_forget(&watch->names);
	nt_asked_places_forget(&watch->types);
	nt_asked_places_forget(&watch->il);
	nt_asked_pool_forget(&watch->pool);
	nt_asked_allocated_forget(&watch->allocated);
	watch->looking = false;
}

/* ---- frames of native code ---- */

static struct nt_source_stats native_cost(const struct nt_runtime_watch *watch)
{
	struct nt_source_stats cost = { 0 };
	if (watch->native)
		nt_native_stacks_cost(watch->native, &cost);
	return cost;
}

/* What walks have taken since the last call. What is read of files is read once, and no look's. */
static uint64_t walks_ns(struct nt_runtime_watch *watch)
{
	uint64_t before = watch->native_ns;
	watch->native_ns = native_cost(watch).cpu_ns;
	return watch->native_ns > before ? watch->native_ns - before : 0;
}

static void end_native(struct nt_runtime_watch *watch)
{
	struct nt_source_stats cost = native_cost(watch);
	watch->gone_ns += cost.cpu_ns + cost.helper_cpu_ns;
	nt_looked_threads_native(&watch->threads, false, NULL);
	nt_native_stacks_free(watch->native);
	watch->native = NULL;
	watch->native_ns = 0;
}

static void begin_native(struct nt_runtime_watch *watch)
{
	const struct nt_runtime_common *common = watch->common;
	const struct nt_source_config config = { .proc_root = common->proc_root, .readonly = common->readonly, .native_stacks = true };
	watch->native_lack = (struct nt_error){ 0 };
	if (nt_cfi_prepare(&watch->native_lack)) /* the decoder reads by it; here is who can say that it is missing */
		watch->native = nt_native_stacks_new(watch->target, &config);
	else if (nt_reader_is_there(&watch->reader))
		state(watch, NT_STATE_DELIVERING, NULL);
	nt_looked_threads_native(&watch->threads, true, watch->native);
}

static void want_native(struct nt_runtime_watch *watch, bool wanted)
{
	if (wanted == watch->native_wanted)
		return;
	watch->native_wanted = wanted;
	if (!wanted) {
		end_native(watch);
		return;
	}
	begin_native(watch);
	watch->next = 0;
}

void nt_runtime_watch_free(struct nt_runtime_watch *watch)
{
	if (!watch)
		return;
	end_reader(watch);
	end_native(watch);
	nt_looked_threads_fini(&watch->threads);
	nt_named_code_fini(&watch->names);
	nt_inner_tids_free(watch->tids);
	free(watch);
}

uint32_t nt_runtime_watch_pid(const struct nt_runtime_watch *watch)
{
	return watch->target->pid;
}

void nt_runtime_watch_want(struct nt_runtime_watch *watch, unsigned demand)
{
	bool wanted = !watch->no_stacks && demand & (NT_WANT_LOOKS | NT_WANT_RARE_LOOKS), often = demand & NT_WANT_LOOKS;
	if (often && !watch->often)
		watch->next = 0;
	watch->often = often;
	want_native(watch, wanted && (watch->common->native || demand & NT_WANT_NATIVE));
	if (wanted == watch->wanted)
		return;
	watch->wanted = wanted;
	watch->next = 0;
	if (wanted && nt_reader_is_there(&watch->reader))
		state(watch, NT_STATE_DELIVERING, NULL);
	if (wanted)
		return;
	cover(watch, nt_clock_now(), false);
	if (!watch->names_wanted || watch->looking)
		end_reader(watch);
	nt_looked_threads_fini(&watch->threads);
	if (!watch->given_up)
		state(watch, NT_STATE_UNUSED, NULL);
}

static void give_up(struct nt_runtime_watch *watch, enum nt_source_state said, const char *reason)
{
	cover(watch, nt_clock_now(), false);
	end_reader(watch);
	watch->given_up = true;
	state(watch, said, reason);
}

/* It has ended, or does not answer: there is another one, a few times. */
static void restart(struct nt_runtime_watch *watch, nt_time now)
{
	cover(watch, watch->asked, false); /* nothing was told since then, nor will be until the next one looks */
	end_reader(watch);
	nt_looked_threads_fini(&watch->threads);
	watch->next = now + look_most_ns;
	if (++watch->restarts > RESTARTS_MAX)
		give_up(watch, NT_STATE_ENDED, "the process that reads the target's memory ended again and again");
}

static bool start_reader(struct nt_runtime_watch *watch)
{
	struct nt_error err = { 0 };
	char reason[NT_READER_REASON];
	const struct nt_target *target = watch->target;
	enum nt_status status =
		nt_reader_start(&watch->reader, target->proc_dir, (pid_t)target->pid, target->pidfd, nt_target_runtime_major(target), &err);
	if (status != NT_OK) {
		give_up(watch, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT,
			nt_error_reason(&err, reason, sizeof(reason)));
		return false;
	}
	struct epoll_event event = { .events = EPOLLIN };
	epoll_ctl(watch->common->epoll, EPOLL_CTL_ADD, watch->reader.child.fd, &event);
	return true;
}

/* An interval without a look would have nothing to tell. */
static nt_time least_ns(const struct nt_runtime_watch *watch)
{
	if (watch->common->as_moments)
		return look_asked_ns;
	nt_time seldom =
		watch->common->interval_ns && watch->common->interval_ns < look_seldom_ns ? watch->common->interval_ns : look_seldom_ns;
	return watch->often || seldom < look_often_ns ? look_often_ns : seldom;
}

/* So seldom that looks stay cheap. */
static nt_time pace(const struct nt_runtime_watch *watch)
{
	nt_time by_cost = watch->cost_ns * (watch->common->as_moments ? ASKED_PART : COST_PART),
		by_events = watch->threads.count * NT_NS_PER_S / EVENTS_PER_S;
	nt_time period = by_cost > by_events ? by_cost : by_events;
	nt_time least = least_ns(watch);
	/* What was walked since the last look waits to be told, and that is asked for once, not all the time. */
	if (watch->common->native)
		return least;
	period = period < least ? least : period > look_most_ns ? look_most_ns : period;
	/* What comes and goes in step with our looks would be seen always, or never. */
	return watch->common->as_moments ? period / 2 + nt_hash_number(watch->asked) % period : period;
}

static void end_look(struct nt_runtime_watch *watch)
{
	nt_time now = nt_clock_now();
	uint64_t from = thread_cpu_ns();
	cover(watch, watch->asked, true);
	const struct nt_look_told told = { .pid = watch->target->pid,
					   .as_moments = watch->common->as_moments,
					   .what = watch->common->moment,
					   .box = &watch->common->box };
	nt_looked_threads_end(&watch->threads, watch->target->proc_dir, now, &told);
	watch->looking = false;
	watch->cost_ns += thread_cpu_ns() - from + nt_reader_cpu_ns(&watch->reader) - watch->reader_at + walks_ns(watch);
	watch->next = watch->asked + pace(watch);
}

/* What the pool looks like is asked after the threads: these may run on meanwhile. */
static bool ask_pool(struct nt_runtime_watch *watch, nt_time now)
{
	if (watch->threads.ran)
		return nt_asked_pool_ask(&watch->pool, &watch->reader, now);
	nt_asked_pool_again(&watch->pool, now, watch->target->pid, &watch->common->box);
	return true;
}

static void begin_look(struct nt_runtime_watch *watch, nt_time now)
{
	static uint32_t tids[NT_READER_THREADS];
	uint64_t copied[NT_READER_NAMES];
	if (!nt_reader_is_there(&watch->reader) && !start_reader(watch))
		return;
	uint64_t from = thread_cpu_ns();
	size_t count = nt_looked_threads_begin(&watch->threads, watch->target->proc_dir, now, tids, NT_READER_THREADS);
	watch->cost_ns = thread_cpu_ns() - from;
	watch->reader_at = nt_reader_cpu_ns(&watch->reader);
	watch->asked = now;
	watch->looking = true;
	/* In another namespace threads have other numbers there, which only the answers tell. */
	size_t copies = nt_looked_threads_copies(&watch->threads, copied, NT_READER_NAMES);
	/* The stacks come first: END is behind both. */
	bool hears = !copies || nt_reader_copy(&watch->reader, copied, copies);
	hears = hears && (!count || nt_reader_look(&watch->reader, tids, watch->same_namespace ? count : 0));
	hears = hears && nt_asked_allocated_ask(&watch->allocated, &watch->reader, watch->threads.count, now);
	if (!hears || !ask_pool(watch, now))
		restart(watch, now);
	else if (!count) /* nobody has begun to wait */
		end_look(watch);
}

static bool has_questions(const struct nt_runtime_watch *watch)
{
	return nt_asked_places_any(&watch->names.places) || nt_asked_places_any(&watch->types) || nt_asked_places_any(&watch->il);
}

/* Whoever looks at threads no more may still want names. */
static void go_on_with_names(struct nt_runtime_watch *watch, nt_time now)
{
	struct nt_asked_places *names = &watch->names.places, *types = &watch->types, *il = &watch->il;
	if (watch->stopped || watch->given_up || !has_questions(watch))
		return;
	if (!nt_reader_is_there(&watch->reader) && !start_reader(watch))
		return;
	bool silent = nt_asked_places_overdue(names, now, patience_ns) || nt_asked_places_overdue(types, now, patience_ns) ||
		      nt_asked_places_overdue(il, now, patience_ns);
	if (silent || !nt_asked_places_go_on(names, nt_reader_name, &watch->reader, now) ||
	    !nt_asked_places_go_on(types, nt_reader_type, &watch->reader, now) ||
	    !nt_asked_places_go_on(il, nt_reader_il, &watch->reader, now))
		restart(watch, now);
}

size_t nt_runtime_watch_ask(struct nt_runtime_watch *watch, const struct nt_question *questions, size_t count)
{
	if (watch->stops || watch->stopped || watch->given_up || watch->no_names)
		return 0;
	uint32_t pid = watch->target->pid;
	size_t taken = nt_asked_places_ask(&watch->names.places, pid, NT_RUNTIME_IMAGE, questions, count) +
		       nt_asked_places_ask(&watch->types, pid, NT_TYPES_IMAGE, questions, count) +
		       nt_asked_places_ask(&watch->il, pid, NT_RUNTIME_IL_IMAGE, questions, count);
	watch->names_wanted |= taken != 0;
	go_on_with_names(watch, nt_clock_now());
	return taken;
}

void nt_runtime_watch_tick(struct nt_runtime_watch *watch, nt_time now, bool closing)
{
	go_on_with_names(watch, now);
	/* At the end of an interval a look that would be due soon is made at once: else intervals and looks drift past each other. */
	nt_time soon = closing ? least_ns(watch) / 4 : 0;
	if (!watch->wanted || watch->stops || watch->stopped || watch->given_up)
		return;
	bool silent = (watch->pool.open && now > watch->pool.asked + patience_ns) ||
		      (watch->allocated.open && now > watch->allocated.asked + patience_ns);
	if (silent || (watch->looking && now > watch->asked + patience_ns))
		restart(watch, now);
	else if (!watch->looking && now + soon >= watch->next)
		begin_look(watch, now);
}

static void take(struct nt_runtime_watch *watch, const struct nt_reader_record *record)
{
	if (record->what == NT_READER_STATE) {
		/* What its start has cost no look costs again. */
		watch->reader_at = nt_reader_cpu_ns(&watch->reader);
		watch->no_names = !record->state.names;
		if (record->state.stacks)
			state(watch, watch->wanted ? NT_STATE_DELIVERING : NT_STATE_UNUSED, NULL);
		else if (record->state.names)
			name_only(watch, record->state.reason);
		else
			give_up(watch, NT_STATE_ABSENT, record->state.reason);
	} else if (record->what == NT_READER_THREAD) {
		uint32_t tid = nt_inner_tids_outer(watch->tids, record->thread.tid, nt_clock_now());
		uint32_t owner = record->thread.owner ? nt_inner_tids_outer(watch->tids, record->thread.owner, nt_clock_now()) : 0;
		nt_looked_threads_saw(&watch->threads, tid, owner, record);
	} else if (record->what == NT_READER_COPIED) {
		nt_looked_threads_copied(&watch->threads, record);
	} else if (record->what == NT_READER_POOLED) {
		nt_asked_pool_take(&watch->pool, &record->pooled, watch->target->pid, &watch->common->box);
	} else if (record->what == NT_READER_ALLOCATED) {
		nt_asked_allocated_take(&watch->allocated, record, watch->tids, watch->target->pid, &watch->common->box);
	} else if (record->what == NT_READER_NAMED) {
		nt_named_code_take(&watch->names, record, watch->target->pid, &watch->common->box);
		go_on_with_names(watch, nt_clock_now());
	} else if (record->what == NT_READER_TYPED) {
		nt_named_types_take(&watch->types, record, watch->target->pid, &watch->common->box);
		go_on_with_names(watch, nt_clock_now());
	} else if (record->what == NT_READER_IL_MAP) {
		nt_read_il_take(&watch->il, record, watch->target->pid, &watch->common->box);
		go_on_with_names(watch, nt_clock_now());
	} else if (record->what == NT_READER_END && watch->looking) {
		end_look(watch);
	}
}

/* Is an answer still to come that is worth waiting for? */
static bool has_time(const struct nt_runtime_watch *watch, nt_time now)
{
	return nt_reader_is_there(&watch->reader) && has_questions(watch) && now < watch->stops;
}

static void end_when_answered(struct nt_runtime_watch *watch)
{
	nt_time now = nt_clock_now();
	if (!watch->stops || watch->stopped || has_time(watch, now))
		return;
	cover(watch, now, false);
	end_reader(watch);
	watch->stopped = true;
}

void nt_runtime_watch_go_on(struct nt_runtime_watch *watch, unsigned budget)
{
	struct nt_reader_record record;
	enum nt_status status = NT_OK;
	while (budget-- && nt_reader_is_there(&watch->reader) && (status = nt_reader_next(&watch->reader, &record)) == NT_OK)
		take(watch, &record);
	if (status == NT_END && !watch->given_up)
		restart(watch, nt_clock_now());
	end_when_answered(watch);
}

/* Nothing is lost by a longer one, but looks are made in a rest. */
nt_time nt_runtime_watch_rest(const struct nt_runtime_watch *watch)
{
	return watch->given_up ? look_seldom_ns : least_ns(watch);
}

void nt_runtime_watch_stop(struct nt_runtime_watch *watch)
{
	watch->stops = nt_clock_now() + last_answers_ns;
	end_when_answered(watch);
}

bool nt_runtime_watch_has_stopped(const struct nt_runtime_watch *watch)
{
	return watch->stopped;
}

void nt_runtime_watch_cost(struct nt_runtime_watch *watch, struct nt_source_stats *out)
{
	out->helper_cpu_ns += watch->gone_ns + nt_reader_cpu_ns(&watch->reader);
	if (watch->native)
		nt_native_stacks_cost(watch->native, out);
}
