// SPDX-License-Identifier: GPL-2.0-only
/* Several processes in one model: each is as if it were alone. */
#include "build.h"
#include "dump.h"

#include "model/whole/model_state.h"

enum { OTHER = 4712, ROUNDS = 12, WORK = 0x7000, SERVE = 0x7100, LIBC = 0x400000 };

static const enum nt_source_id sources[] = { NT_SOURCE_PROCFS, NT_SOURCE_CODEMAP, NT_SOURCE_PERF, NT_SOURCE_EVENTPIPE, NT_SOURCE_LTTNG };
enum { SOURCES = sizeof(sources) / sizeof(sources[0]) };

/* A model with all its sources. */
struct watching {
	struct nt_model *model;
	struct feed feeds[SOURCES];
};

static void begin(struct watching *w, uint32_t pid, double from_ms)
{
	struct nt_model_config config;
	nt_model_config_init(&config);
	config.pid = pid;
	config.start = ms(from_ms);
	config.text_slack_bytes = 1;
	w->model = nt_model_new(&config);
	for (size_t i = 0; i < SOURCES; i++)
		feed_init(&w->feeds[i], w->model, sources[i]);
}

static void end(struct watching *w)
{
	for (size_t i = 0; i < SOURCES; i++)
		feed_fini(&w->feeds[i]);
	nt_model_free(w->model);
}

/* ---- what two different processes do ---- */

static void procfs(struct feed *feed, uint32_t pid, unsigned round, double at)
{
	if (round == 0) {
		nt_str name = text(feed, pid == PID ? "shop" : "bank");
		event(feed, NT_EV_TARGET, at, 0)->u.target =
			(struct nt_ev_target){ .name = name, .mode = NT_MODE_ALL, .cpu_count = pid % 7 };
		state(feed, NT_STATE_DELIVERING);
	}
	event(feed, NT_EV_PROC, at + 5, 0)->u.proc = (struct nt_ev_proc){ .user_ns = pid * 1000ul + round * (pid % 5 + 1) * 100000000ul,
									  .rss_bytes = pid + round,
									  .thread_count = pid % 3 + 1 };
	for (uint32_t tid = 1; tid < 4; tid++) {
		nt_str name = text(feed, tid == 2 ? ".NET TP Worker" : "main");
		event(feed, NT_EV_THREAD_STAT, at + 5, tid)->u.thread_stat =
			(struct nt_ev_thread_stat){ .user_ns = round * tid * pid * 1000ul, .start_ticks = pid, .name = name, .state = 'R' };
	}
}

/* The same addresses are other methods in the other process. */
static void codemap(struct feed *feed, uint32_t pid, unsigned round, double at)
{
	if (round)
		return;
	state(feed, NT_STATE_DELIVERING);
	map_image(feed, at, LIBC, 0x1000, pid == PID ? "/usr/lib/libc.so.6" : "/lib/libbank.so", NT_MAP_FILE);
	code_line(feed, 0, WORK, 0x100, pid == PID ? "Shop.Work()" : "Bank.Count()", pid == PID ? NT_TIER_1 : NT_TIER_0);
	code_line(feed, 0, SERVE, 0x100, pid == PID ? "Shop.Serve()" : "Bank.Pay()", NT_TIER_0);
}

static void perf(struct feed *feed, uint32_t pid, unsigned round, double at)
{
	if (round == 0)
		state(feed, NT_STATE_DELIVERING);
	for (unsigned i = 0; i < 20 + pid % 2 * 7; i++) {
		const uint64_t chain[] = { i % 3 ? WORK + 4 * (pid % 5) : SERVE, SERVE + 8, LIBC + 16 * (i % 4) };
		sample_chain(feed, at + 10 + i, 1 + i % 3, chain, 0, 3);
	}
	event(feed, NT_EV_IDLE, at + 999, 0);
}

static void eventpipe(struct feed *feed, uint32_t pid, unsigned round, double at)
{
	if (round == 0)
		state(feed, NT_STATE_DELIVERING);
	nt_str type = text(feed, pid == PID ? "System.FormatException" : "Bank.Empty");
	const uint64_t chain[] = { SERVE + 8, WORK + 12 };
	nt_stack stack = nt_interner_stack(feed->interner, feed->batch, chain, 0, 2);
	for (unsigned i = 0; i < pid % 3 + 1; i++) {
		struct nt_event *thrown = event(feed, NT_EV_EXCEPTION_THROWN, at + 100 + i, 2);
		thrown->stack = stack;
		thrown->u.exception.type = type;
	}
	struct nt_event *waits = event(feed, NT_EV_CONTENTION_START, at + 200, 3);
	waits->stack = stack;
	struct nt_ev_contention *stop = &event(feed, NT_EV_CONTENTION_STOP, at + 210 + pid % 4, 3)->u.contention;
	*stop = (struct nt_ev_contention){ .duration_ns = 10 * NT_NS_PER_MS, .duration_known = 1 };
	nt_str provider = text(feed, "System.Runtime"), name = text(feed, "threadpool-queue-length");
	struct nt_ev_counter *counter = &event(feed, NT_EV_COUNTER, at + 300, 0)->u.counter;
	*counter = (struct nt_ev_counter){ .provider = provider, .name = name, .known = NT_COUNTER_VALUE, .value = pid % 11 };
}

static void lttng(struct feed *feed, uint32_t pid, unsigned round, double at)
{
	if (round == 0)
		state(feed, NT_STATE_DELIVERING);
	suspend(feed, at + 400, 9, 1);
	gc_start(feed, at + 401, 9, round + 1, pid % 3, 0);
	gc_end(feed, at + 410, 9, round + 1, pid % 3);
	restart(feed, at + 411 + pid % 5, 9);
	jit_start(feed, at + 500, 2, pid + round, 100);
	nt_str name = text(feed, pid == PID ? "Shop.New()" : "Bank.New()");
	method_load(feed, at + 501 + pid % 3, 2, pid + round, NT_TIER_0)->name = name;
	/* Behind the open interval: it waits. */
	jit_start(feed, at + 1100, 3, 9000 + pid + round, 50);
	method_load(feed, at + 1102, 3, 9000 + pid + round, NT_TIER_1);
}

static void (*const plays[SOURCES])(struct feed *, uint32_t, unsigned, double) = { procfs, codemap, perf, eventpipe, lttng };

/* What a process does in the round that begins then, `since` rounds after it came, in the batch of this source. */
static void play(struct watching *w, size_t source, uint32_t pid, unsigned round, unsigned since)
{
	struct feed *feed = &w->feeds[source];
	size_t first = feed->batch->event_count;
	plays[source](feed, pid, round - since, round * 1000.0);
	for (size_t i = first; i < feed->batch->event_count; i++)
		feed->batch->events[i].pid = pid;
}

static void send(struct watching *w, size_t source)
{
	feed_send(&w->feeds[source]);
}

static char *dump_one(const struct nt_process_snapshot *process)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);
	dump_process(out, process);
	fprintf(out, "complete %a stacks %u %a", process->window_complete_pct.v, process->stacks.node_count, process->stacks.samples);
	dump_text(out, "code", process->annotation.name);
	fprintf(out, " %" PRIu64 " jit %zu %zu\n", process->annotation.all_samples, process->jit_method_count, process->finding_count);
	fclose(out);
	return text;
}

static void assert_equal(const struct nt_process_snapshot *in_both, const struct nt_snapshot *alone)
{
	char *both = dump_one(in_both), *own = dump_one(&alone->processes[0]);
	assert_true(strlen(own) > 1000);
	assert_string_equal(both, own);
	free(both);
	free(own);
}

static const struct nt_source_row *row_of(const struct nt_snapshot *snapshot, enum nt_source_id id)
{
	for (size_t i = 0; i < snapshot->source_count; i++)
		if (snapshot->sources[i].id == id)
			return &snapshot->sources[i];
	fail_msg("no row of %s", nt_source_name(id));
	return NULL;
}

static void decide_for(struct watching *w, uint32_t pid, enum nt_event_kind kind, uint64_t value)
{
	struct nt_event event = { .kind = (uint16_t)kind, .pid = pid, .u.look.method = value };
	if (kind == NT_EV_KEEP_STACKS)
		event.u.keep_stacks.wanted = (uint32_t)value;
	decide(w->model, &event);
}

/* Each is decided for one process, in its own model as in the one of both. */
static void decide_now_and_then(struct watching *both, struct watching *own, uint32_t pid, unsigned since, const struct nt_snapshot *s)
{
	if (since == 2 && pid == OTHER) {
		decide_for(both, pid, NT_EV_KEEP_STACKS, NT_STACKS_WINDOW);
		decide_for(own, pid, NT_EV_KEEP_STACKS, NT_STACKS_WINDOW);
	}
	if (since == 4 && pid == PID && s->processes[0].method_count) {
		decide_for(both, pid, NT_EV_LOOK, s->processes[0].methods[0].id);
		decide_for(own, pid, NT_EV_LOOK, s->processes[0].methods[0].id);
	}
}

/* The other process comes `later` rounds after the first one. */
static void play_both(unsigned later)
{
	struct watching both, shop, bank;
	begin(&both, PID, 0);
	begin(&shop, PID, 0);
	begin(&bank, OTHER, later * 1000.0);
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool with_bank = round >= later;
		for (size_t i = 0; i < SOURCES; i++) {
			play(&both, i, PID, round, 0);
			if (with_bank)
				play(&both, i, OTHER, round, later);
			play(&both, i, PID, round, 0); /* back and forth within one batch */
			send(&both, i);
			play(&shop, i, PID, round, 0);
			play(&shop, i, PID, round, 0);
			send(&shop, i);
			if (with_bank) {
				play(&bank, i, OTHER, round, later);
				send(&bank, i);
			}
		}
		bool final = round == ROUNDS - 1;
		struct nt_snapshot *all = nt_model_close(both.model, ms(1000.0 * (round + 1)), final);
		struct nt_snapshot *first = nt_model_close(shop.model, ms(1000.0 * (round + 1)), final);
		assert_int_equal(all->process_count, with_bank ? 2 : 1);
		assert_equal(&all->processes[0], first);
		decide_now_and_then(&both, &shop, PID, round, first);
		if (with_bank) {
			struct nt_snapshot *second = nt_model_close(bank.model, ms(1000.0 * (round + 1)), final);
			assert_equal(&all->processes[1], second);
			for (size_t i = 0; i < SOURCES; i++)
				assert_int_equal(row_of(all, sources[i])->events,
						 row_of(first, sources[i])->events + row_of(second, sources[i])->events);
			decide_now_and_then(&both, &bank, OTHER, round - later, second);
			nt_snapshot_release(second);
		}
		nt_snapshot_release(first);
		nt_snapshot_release(all);
	}
	end(&both);
	end(&shop);
	end(&bank);
}

static void each_is_as_if_alone(void **state_)
{
	(void)state_;
	play_both(0);
}

/* It knows the texts and chains that its sources announced before it came. */
static void one_that_comes_later_is_as_if_alone(void **state_)
{
	(void)state_;
	play_both(5);
}

static void come(struct watching *w, uint32_t pid, double at_ms, bool ends)
{
	struct feed *feed = &w->feeds[0];
	nt_str name = text(feed, "shop");
	struct nt_event *e = event(feed, NT_EV_TARGET, at_ms, 0);
	e->pid = pid;
	e->u.target = (struct nt_ev_target){ .name = name, .ended = ends };
	feed_send(feed);
}

static void source_as_a_whole_counts_once(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	come(&w, OTHER, 0, false);
	struct feed *perf = &w.feeds[2];
	state(perf, NT_STATE_DELIVERING);
	perf->batch->events[0].pid = 0;
	for (int i = 0; i < 3; i++) {
		struct nt_event *e = event(perf, NT_EV_LOST, 10, 0);
		e->pid = i == 0 ? 0 : i == 1 ? PID : OTHER;
		e->u.lost = (struct nt_ev_lost){ .count = 10, .count_known = 1, .what = NT_LOST_SAMPLES };
	}
	event(perf, NT_EV_SAMPLE, 20, 1)->pid = 0; /* whose it is nobody knows */
	feed_send(perf);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, 2);
	assert_int_equal(s->lost_count, 30);
	assert_int_equal(row_of(s, NT_SOURCE_PERF)->lost_count, 30);
	for (int i = 0; i < 2; i++) {
		assert_known(s->processes[i].interval.cpu.lost_samples, 20); /* any of the common ones may have been its own */
		assert_int_equal(s->processes[i].samples_all, 0);
	}
	nt_snapshot_release(s);
	end(&w);
}

/* A program that ends and begins anew for ever: the last 16 ends are known, and the one that lives. */
static void of_the_ended_some_are_kept(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	for (uint32_t i = 0; i < 40; i++) {
		come(&w, OTHER + i, 10 + 2 * i, false);
		come(&w, OTHER + i, 11 + 2 * i, true);
	}
	come(&w, OTHER + 40, 900, false);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, 1 + 15 + 1); /* one made room for who came last */
	assert_int_equal(s->processes[0].target.pid, PID);
	assert_int_equal(s->processes[1].target.pid, OTHER + 25);
	assert_int_equal(s->processes[16].target.pid, OTHER + 40);
	nt_snapshot_release(s);
	end(&w);
}

/* The pid of one that has ended is another process's: that one begins with nothing, and what is known of the first stays. */
static void a_pid_is_used_again(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	struct feed *procfs = &w.feeds[0], *eventpipe = &w.feeds[3];
	come(&w, OTHER, 10, false);
	event(procfs, NT_EV_TARGET, 20, 0)->u.target = (struct nt_ev_target){ .start_ticks = 100, .cpu_count = 3 };
	procfs->batch->events[procfs->batch->event_count - 1].pid = OTHER;
	feed_send(procfs);
	state(eventpipe, NT_STATE_DELIVERING);
	eventpipe->batch->events[0].pid = OTHER;
	event(eventpipe, NT_EV_EXCEPTION_THROWN, 30, 2)->pid = OTHER;
	feed_send(eventpipe);
	event(procfs, NT_EV_TARGET, 40, 0)->u.target = (struct nt_ev_target){ .start_ticks = 100, .ended = 1 };
	event(procfs, NT_EV_TARGET, 50, 0)->u.target = (struct nt_ev_target){ .start_ticks = 900, .cpu_count = 5 };
	event(procfs, NT_EV_PROC, 60, 0)->u.proc = (struct nt_ev_proc){ .rss_bytes = 77, .thread_count = 9 };
	for (size_t i = 0; i < procfs->batch->event_count; i++)
		procfs->batch->events[i].pid = OTHER;
	feed_send(procfs);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, 3);
	assert_true(s->processes[1].target.ended && s->processes[1].target.start_ticks == 100);
	assert_int_equal(s->processes[1].interval.exceptions.count.v, 1);
	assert_false(s->processes[2].target.ended);
	assert_int_equal(s->processes[2].target.pid, OTHER);
	assert_int_equal(s->processes[2].target.start_ticks, 900);
	assert_int_equal(s->processes[2].interval.threads.count.v, 9);
	assert_false(s->processes[2].interval.exceptions.count.known && s->processes[2].interval.exceptions.count.v);
	nt_snapshot_release(s);
	end(&w);
}

/* A recording may name any number. */
static void there_is_a_bound(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	for (uint32_t i = 0; i < 3 * NT_MODEL_PROCESSES; i++)
		come(&w, OTHER + i, 10, false);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, NT_MODEL_PROCESSES);
	assert_int_equal(s->processes[0].target.pid, PID);
	assert_int_equal(s->processes[NT_MODEL_PROCESSES - 1].target.pid, OTHER + NT_MODEL_PROCESSES - 2);
	nt_snapshot_release(s);
	come(&w, OTHER + 3, 1100, true);
	come(&w, OTHER + 1, 1200, true);
	come(&w, 99, 1300, false);
	come(&w, 98, 1400, true); /* it has ended before anybody saw it */
	s = close_at(w.model, 2000);
	assert_int_equal(s->process_count, NT_MODEL_PROCESSES);
	assert_int_equal(s->processes[NT_MODEL_PROCESSES - 1].target.pid, 99);
	assert_null(nt_model_process(w.model, OTHER + 3)); /* the one that ended first */
	assert_non_null(nt_model_process(w.model, OTHER + 1));
	assert_null(nt_model_process(w.model, 98));
	nt_snapshot_release(s);
	end(&w);
}

/* Of somebody of whom nothing was said: counted, not looked at. */
static void others_are_left_out(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	struct feed *perf = &w.feeds[2];
	state(perf, NT_STATE_DELIVERING);
	event(perf, NT_EV_SAMPLE, 20, 1)->pid = OTHER;
	event(perf, NT_EV_SAMPLE, 21, 1);
	feed_send(perf);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, 1);
	assert_int_equal(s->processes[0].samples_all, 1);
	assert_int_equal(row_of(s, NT_SOURCE_PERF)->events, 2);
	nt_snapshot_release(s);
	end(&w);
}

/* An exception of this type in a batch that was made for `pid`; `about`: whose event it is. */
static void throw_in_batch_of(struct feed *feed, uint32_t pid, uint32_t about, const char *type, double at)
{
	feed->batch->pid = pid;
	struct nt_event *said = event(feed, NT_EV_SOURCE_STATE, at, 0);
	said->pid = pid;
	said->u.source_state.state = NT_STATE_DELIVERING;
	said->u.source_state.open = true;
	nt_str name = text(feed, type);
	struct nt_event *thrown = event(feed, NT_EV_EXCEPTION_THROWN, at, 2);
	thrown->pid = about;
	thrown->u.exception.type = name;
	feed_send(feed);
}

static void assert_exceptions(const struct nt_process_snapshot *process, const char *type, uint64_t count)
{
	assert_int_equal(process->exception_count, 1);
	assert_string_equal(process->exceptions[0].type, type);
	assert_int_equal(process->exceptions[0].count_all, count);
}

/* A batch that was made for one process has ids of its own: the same number means something else in another's. */
static void ids_of_a_process_are_its_own(void **state_)
{
	(void)state_;
	struct watching w;
	begin(&w, PID, 0);
	struct feed *ours = &w.feeds[3], theirs;
	feed_init(&theirs, w.model, NT_SOURCE_EVENTPIPE);
	throw_in_batch_of(ours, PID, PID, "Shop.Empty", 10);
	come(&w, OTHER, 20, false); /* learns nothing of what is not for it */
	throw_in_batch_of(&theirs, OTHER, OTHER, "Bank.Closed", 30);
	throw_in_batch_of(ours, PID, PID, "Shop.Empty", 40);
	throw_in_batch_of(&theirs, OTHER, OTHER, "Bank.Closed", 50);
	throw_in_batch_of(&theirs, OTHER, OTHER, "Bank.Closed", 60);
	throw_in_batch_of(&theirs, OTHER, PID, "Bank.Closed", 70); /* no source says that */
	throw_in_batch_of(&theirs, OTHER + 1, OTHER + 1, "Bank.Closed", 80);
	struct nt_snapshot *s = close_at(w.model, 1000);
	assert_int_equal(s->process_count, 2);
	assert_exceptions(&s->processes[0], "Shop.Empty", 2);
	assert_exceptions(&s->processes[1], "Bank.Closed", 3);
	nt_snapshot_release(s);
	feed_fini(&theirs);
	end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_as_if_alone),           cmocka_unit_test(one_that_comes_later_is_as_if_alone),
		cmocka_unit_test(source_as_a_whole_counts_once), cmocka_unit_test(of_the_ended_some_are_kept),
		cmocka_unit_test(a_pid_is_used_again),           cmocka_unit_test(there_is_a_bound),
		cmocka_unit_test(others_are_left_out),           cmocka_unit_test(ids_of_a_process_are_its_own),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
