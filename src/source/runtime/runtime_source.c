// SPDX-License-Identifier: GPL-2.0-only
/* Room source/runtime: where threads wait and what generated code is called, seen from outside. */
/*
 * The source "runtime": looks at the target's threads, while somebody wants it, and tells where those are that do not run. Nothing is asked of the target: the kernel says which threads have run
 * and what system call they are in, the reader (source/contract) what the runtime's data in the target's memory says of their call stacks, and of the thread pool. Asked what code is called that nothing else names, it has the
 * reader look that up, too.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "source/common/inner_tids.h"
#include "source/common/moment.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/contract/contract_reader.h"
#include "source/runtime/asked_pool.h"
#include "source/runtime/looked_threads.h"
#include "source/runtime/named_code.h"
#include "source/runtime/named_types.h"
#include "target/process/target.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum {
	COST_PART = 100,     /* a look may take one in so many of the time, */
	ASKED_PART = 20,     /* and where somebody asked for nothing else */
	EVENTS_PER_S = 4000, /* a thread is one in each look */
	RESTARTS_MAX = 5,
};

static const nt_time look_asked_ns = 10 * NT_NS_PER_MS, look_often_ns = 100 * NT_NS_PER_MS, look_seldom_ns = NT_NS_PER_S,
		     look_most_ns = 2 * NT_NS_PER_S, patience_ns = 2 * NT_NS_PER_S, last_answers_ns = 200 * NT_NS_PER_MS;

struct runtime {
	struct nt_source base;
	struct nt_outbox box;
	const struct nt_target *target; /* borrowed; NULL = none yet, or removed */
	int epoll;
	struct nt_inner_tids *tids; /* owned */
	bool same_namespace;
	struct nt_reader reader;
	struct nt_looked_threads threads;
	struct nt_named_code names;
	struct nt_asked_places types;
	struct nt_asked_pool pool;
	bool names_wanted; /* somebody has asked for one */
	bool no_names;     /* the runtime does not describe them */
	nt_time interval_ns;
	bool wanted, often; /* looks are, once in a second; several times */
	bool as_moments;    /* as in struct nt_look_told */
	uint32_t moment;
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

static struct runtime *self(struct nt_source *source)
{
	return (struct runtime *)source;
}

static uint64_t thread_cpu_ns(void)
{
	struct timespec now = { 0 };
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (uint64_t)now.tv_sec * NT_NS_PER_S + (uint64_t)now.tv_nsec;
}

static void runtime_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
	if (target->is_dotnet && nt_target_runtime_major(target) >= NT_RUNTIME_DESCRIBED_MAJOR)
		return;
	out->result = NT_PROBE_ABSENT;
	snprintf(out->reason, sizeof(out->reason), "%s",
		 !target->is_dotnet ? "no runtime with a JIT: its data are not described"
		 : target->runtime  ? "the runtime does not describe its call stacks: that came with .NET 10"
				   : "it is not known which version of the runtime this is, and call stacks are described from .NET 10 on");
}

static enum nt_status runtime_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	int epoll = epoll_create1(EPOLL_CLOEXEC);
	if (epoll < 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "no descriptor for looks at threads");
	struct runtime *runtime = nt_alloc(sizeof(*runtime));
	runtime->base.ops = &nt_source_runtime;
	runtime->epoll = epoll;
	runtime->interval_ns = config->interval_ns;
	for (size_t i = 0; i < config->moment_count; i++) {
		if (config->moments[i].sort != NT_MOMENT_WAIT)
			continue;
		runtime->as_moments = true;
		runtime->moment = (uint32_t)i;
	}
	nt_outbox_init(&runtime->box, NT_SOURCE_RUNTIME);
	*out = &runtime->base;
	return NT_OK;
}

static void state(struct runtime *runtime, enum nt_source_state said, const char *reason)
{
	struct nt_event *event = nt_outbox_state(&runtime->box, nt_clock_now(), runtime->target->pid, said, false, reason, NULL);
	event->u.source_state.brings = NT_WANT_LOOKS | (runtime->given_up || runtime->no_names ? 0 : NT_WANT_METHOD_NAMES);
}

static void cover(struct runtime *runtime, nt_time now, bool covered)
{
	if (covered != runtime->covers)
		nt_outbox_add(&runtime->box, NT_EV_COVER, now, runtime->target->pid, 0)->u.cover =
			(struct nt_ev_cover){ .what = NT_WANT_LOOKS, .covered = covered };
	runtime->covers = covered;
}

static enum nt_status runtime_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct runtime *runtime = self(source);
	if (runtime->target)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "threads of one process at a time are looked at");
	runtime->target = target;
	runtime->same_namespace = nt_inner_tids_namespace(target->proc_dir) == nt_inner_tids_namespace("/proc/self");
	runtime->tids = nt_inner_tids_new(target->proc_dir, runtime->same_namespace);
	state(runtime, NT_STATE_UNUSED, NULL);
	return NT_OK;
}

static void end_reader(struct runtime *runtime)
{
	runtime->gone_ns += nt_reader_cpu_ns(&runtime->reader);
	nt_reader_end(&runtime->reader);
	nt_named_code_forget(&runtime->names);
	nt_asked_places_forget(&runtime->types);
	nt_asked_pool_forget(&runtime->pool);
	runtime->looking = false;
}

static void runtime_remove(struct nt_source *source, uint32_t pid)
{
	struct runtime *runtime = self(source);
	if (!runtime->target || runtime->target->pid != pid)
		return;
	end_reader(runtime);
	nt_looked_threads_fini(&runtime->threads);
	nt_named_code_fini(&runtime->names);
	nt_inner_tids_free(runtime->tids);
	runtime->tids = NULL;
	runtime->target = NULL;
}

static void runtime_want(struct nt_source *source, unsigned demand)
{
	struct runtime *runtime = self(source);
	bool wanted = demand & (NT_WANT_LOOKS | NT_WANT_RARE_LOOKS), often = demand & NT_WANT_LOOKS;
	if (often && !runtime->often)
		runtime->next = 0;
	runtime->often = often;
	if (wanted == runtime->wanted || !runtime->target)
		return;
	runtime->wanted = wanted;
	runtime->next = 0;
	if (wanted && nt_reader_is_there(&runtime->reader))
		state(runtime, NT_STATE_DELIVERING, NULL);
	if (wanted)
		return;
	cover(runtime, nt_clock_now(), false);
	if (!runtime->names_wanted || runtime->looking)
		end_reader(runtime);
	nt_looked_threads_fini(&runtime->threads);
	if (!runtime->given_up)
		state(runtime, NT_STATE_UNUSED, NULL);
}

static void runtime_pace(struct nt_source *source, nt_time interval_ns)
{
	self(source)->interval_ns = interval_ns;
}

static int runtime_fd(struct nt_source *source)
{
	return self(source)->epoll;
}

static void give_up(struct runtime *runtime, enum nt_source_state said, const char *reason)
{
	cover(runtime, nt_clock_now(), false);
	end_reader(runtime);
	runtime->given_up = true;
	state(runtime, said, reason);
}

/* It has ended, or does not answer: there is another one, a few times. */
static void restart(struct runtime *runtime, nt_time now)
{
	cover(runtime, runtime->asked, false); /* nothing was told since then, nor will be until the next one looks */
	end_reader(runtime);
	nt_looked_threads_fini(&runtime->threads);
	runtime->next = now + look_most_ns;
	if (++runtime->restarts > RESTARTS_MAX)
		give_up(runtime, NT_STATE_ENDED, "the process that reads the target's memory ended again and again");
}

static bool start_reader(struct runtime *runtime)
{
	struct nt_error err = { 0 };
	char reason[NT_READER_REASON];
	const struct nt_target *target = runtime->target;
	enum nt_status status = nt_reader_start(&runtime->reader, target->proc_dir, (pid_t)target->pid, target->pidfd,
						nt_target_runtime_major(target), &err);
	if (status != NT_OK) {
		give_up(runtime, status == NT_ERR_FORBIDDEN ? NT_STATE_FORBIDDEN : NT_STATE_ABSENT,
			nt_error_reason(&err, reason, sizeof(reason)));
		return false;
	}
	struct epoll_event event = { .events = EPOLLIN };
	epoll_ctl(runtime->epoll, EPOLL_CTL_ADD, runtime->reader.child.fd, &event);
	return true;
}

/* An interval without a look would have nothing to tell. */
static nt_time least_ns(const struct runtime *runtime)
{
	if (runtime->as_moments)
		return look_asked_ns;
	nt_time seldom = runtime->interval_ns && runtime->interval_ns < look_seldom_ns ? runtime->interval_ns : look_seldom_ns;
	return runtime->often || seldom < look_often_ns ? look_often_ns : seldom;
}

/* So seldom that looks stay cheap. */
static nt_time pace(const struct runtime *runtime)
{
	nt_time by_cost = runtime->cost_ns * (runtime->as_moments ? ASKED_PART : COST_PART),
		by_events = runtime->threads.count * NT_NS_PER_S / EVENTS_PER_S;
	nt_time period = by_cost > by_events ? by_cost : by_events;
	nt_time least = least_ns(runtime);
	period = period < least ? least : period > look_most_ns ? look_most_ns : period;
	/* What comes and goes in step with our looks would be seen always, or never. */
	return runtime->as_moments ? period / 2 + nt_hash_number(runtime->asked) % period : period;
}

static void end_look(struct runtime *runtime)
{
	nt_time now = nt_clock_now();
	uint64_t from = thread_cpu_ns();
	cover(runtime, runtime->asked, true);
	const struct nt_look_told told = {
		.pid = runtime->target->pid, .as_moments = runtime->as_moments, .what = runtime->moment, .box = &runtime->box
	};
	nt_looked_threads_end(&runtime->threads, runtime->target->proc_dir, now, &told);
	runtime->looking = false;
	runtime->cost_ns += thread_cpu_ns() - from + nt_reader_cpu_ns(&runtime->reader) - runtime->reader_at;
	runtime->next = runtime->asked + pace(runtime);
}

/* What the pool looks like is asked after the threads: these may run on meanwhile. */
static bool ask_pool(struct runtime *runtime, nt_time now)
{
	if (runtime->threads.ran)
		return nt_asked_pool_ask(&runtime->pool, &runtime->reader, now);
	nt_asked_pool_again(&runtime->pool, now, runtime->target->pid, &runtime->box);
	return true;
}

static void begin_look(struct runtime *runtime, nt_time now)
{
	static uint32_t tids[NT_READER_THREADS];
	if (!nt_reader_is_there(&runtime->reader) && !start_reader(runtime))
		return;
	uint64_t from = thread_cpu_ns();
	size_t count = nt_looked_threads_begin(&runtime->threads, runtime->target->proc_dir, now, tids, NT_READER_THREADS);
	runtime->cost_ns = thread_cpu_ns() - from;
	runtime->reader_at = nt_reader_cpu_ns(&runtime->reader);
	runtime->asked = now;
	runtime->looking = true;
	/* In another namespace threads have other numbers there, which only the answers tell. */
	bool hears = !count || nt_reader_look(&runtime->reader, tids, runtime->same_namespace ? count : 0);
	if (!hears || !ask_pool(runtime, now))
		restart(runtime, now);
	else if (!count) /* nobody has begun to wait */
		end_look(runtime);
}

static bool has_questions(const struct runtime *runtime)
{
	return nt_asked_places_any(&runtime->names.places) || nt_asked_places_any(&runtime->types);
}

/* Whoever looks at threads no more may still want names. */
static void go_on_with_names(struct runtime *runtime, nt_time now)
{
	struct nt_asked_places *names = &runtime->names.places, *types = &runtime->types;
	if (runtime->stopped || runtime->given_up || !runtime->target || !has_questions(runtime))
		return;
	if (!nt_reader_is_there(&runtime->reader) && !start_reader(runtime))
		return;
	bool silent = nt_asked_places_overdue(names, now, patience_ns) || nt_asked_places_overdue(types, now, patience_ns);
	if (silent || !nt_asked_places_go_on(names, nt_reader_name, &runtime->reader, now) ||
	    !nt_asked_places_go_on(types, nt_reader_type, &runtime->reader, now))
		restart(runtime, now);
}

static size_t runtime_ask(struct nt_source *source, const struct nt_question *questions, size_t count)
{
	struct runtime *runtime = self(source);
	if (runtime->stops || runtime->stopped || runtime->given_up || runtime->no_names || !runtime->target)
		return 0;
	size_t taken = nt_asked_places_ask(&runtime->names.places, NT_RUNTIME_IMAGE, questions, count) +
		       nt_asked_places_ask(&runtime->types, NT_TYPES_IMAGE, questions, count);
	runtime->names_wanted |= taken != 0;
	go_on_with_names(runtime, nt_clock_now());
	return taken;
}

static void runtime_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct runtime *runtime = self(source);
	go_on_with_names(runtime, now);
	/* At the end of an interval a look that would be due soon is made at once: else intervals and looks drift past each other. */
	nt_time soon = closing ? least_ns(runtime) / 4 : 0;
	if (!runtime->wanted || runtime->stops || runtime->stopped || runtime->given_up || !runtime->target)
		return;
	bool silent = runtime->pool.open && now > runtime->pool.asked + patience_ns;
	if (silent || (runtime->looking && now > runtime->asked + patience_ns))
		restart(runtime, now);
	else if (!runtime->looking && now + soon >= runtime->next)
		begin_look(runtime, now);
}

static void take(struct runtime *runtime, const struct nt_reader_record *record)
{
	if (record->what == NT_READER_STATE) {
		/* What its start has cost no look costs again. */
		runtime->reader_at = nt_reader_cpu_ns(&runtime->reader);
		runtime->no_names = !record->state.names;
		if (record->state.stacks)
			state(runtime, runtime->wanted ? NT_STATE_DELIVERING : NT_STATE_UNUSED, NULL);
		else
			give_up(runtime, NT_STATE_ABSENT, record->state.reason);
	} else if (record->what == NT_READER_THREAD) {
		uint32_t tid = nt_inner_tids_outer(runtime->tids, record->thread.tid, nt_clock_now());
		uint32_t owner = record->thread.owner ? nt_inner_tids_outer(runtime->tids, record->thread.owner, nt_clock_now()) : 0;
		nt_looked_threads_saw(&runtime->threads, tid, owner, record);
	} else if (record->what == NT_READER_POOLED) {
		nt_asked_pool_take(&runtime->pool, &record->pooled, runtime->target->pid, &runtime->box);
	} else if (record->what == NT_READER_NAMED) {
		nt_named_code_take(&runtime->names, record, runtime->target->pid, &runtime->box);
		go_on_with_names(runtime, nt_clock_now());
	} else if (record->what == NT_READER_TYPED) {
		nt_named_types_take(&runtime->types, record, runtime->target->pid, &runtime->box);
		go_on_with_names(runtime, nt_clock_now());
	} else if (record->what == NT_READER_END && runtime->looking) {
		end_look(runtime);
	}
}

/* Is an answer still to come that is worth waiting for? */
static bool has_time(const struct runtime *runtime, nt_time now)
{
	return runtime->target && nt_reader_is_there(&runtime->reader) && has_questions(runtime) && now < runtime->stops;
}

static void end_when_answered(struct runtime *runtime)
{
	nt_time now = nt_clock_now();
	if (!runtime->stops || runtime->stopped || has_time(runtime, now))
		return;
	if (runtime->target)
		cover(runtime, now, false);
	end_reader(runtime);
	runtime->stopped = true;
}

static enum nt_status runtime_drain(struct nt_source *source, unsigned budget, struct nt_batch **taken, struct nt_error *err)
{
	struct runtime *runtime = self(source);
	struct nt_reader_record record;
	enum nt_status status = NT_OK;
	(void)err;
	while (budget-- && runtime->target && nt_reader_is_there(&runtime->reader) &&
	       (status = nt_reader_next(&runtime->reader, &record)) == NT_OK)
		take(runtime, &record);
	if (status == NT_END && runtime->target && !runtime->given_up)
		restart(runtime, nt_clock_now());
	end_when_answered(runtime);
	*taken = nt_outbox_take(&runtime->box);
	return *taken ? NT_OK : runtime->stopped ? NT_END : NT_AGAIN;
}

static void runtime_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

/* Nothing is lost by a longer one, but looks are made in a rest. */
static nt_time runtime_rest(struct nt_source *source)
{
	const struct runtime *runtime = self(source);
	return runtime->given_up ? look_seldom_ns : least_ns(runtime);
}

static void runtime_stats(struct nt_source *source, struct nt_source_stats *out)
{
	struct runtime *runtime = self(source);
	*out = runtime->box.stats;
	out->helper_cpu_ns = runtime->gone_ns + nt_reader_cpu_ns(&runtime->reader);
}

static void runtime_stop(struct nt_source *source)
{
	struct runtime *runtime = self(source);
	runtime->stops = nt_clock_now() + last_answers_ns;
	end_when_answered(runtime);
}

static void runtime_close(struct nt_source *source)
{
	struct runtime *runtime = self(source);
	end_reader(runtime);
	nt_looked_threads_fini(&runtime->threads);
	nt_named_code_fini(&runtime->names);
	nt_inner_tids_free(runtime->tids);
	nt_outbox_fini(&runtime->box);
	close(runtime->epoll);
	free(runtime);
}

const struct nt_source_ops nt_source_runtime = {
	.name = "runtime",
	.id = NT_SOURCE_RUNTIME,
	.probe = runtime_probe,
	.open = runtime_open,
	.add = runtime_add,
	.remove = runtime_remove,
	.want = runtime_want,
	.pace = runtime_pace,
	.fd = runtime_fd,
	.ask = runtime_ask,
	.drain = runtime_drain,
	.give_back = runtime_give_back,
	.rest = runtime_rest,
	.on_tick = runtime_on_tick,
	.stats = runtime_stats,
	.stop = runtime_stop,
	.close = runtime_close,
};
