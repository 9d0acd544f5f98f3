// SPDX-License-Identifier: GPL-2.0-only
/*
 * The perf source on real processes. Where the kernel refuses, what is tested is that it says why. Times are compared roughly: the machine may be busy, and then
 * neither threads nor timers run when they should.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drain.h"
#include "source/common/sources.h"
#include "source/perf/perf_filter.h"
#include "source/perf/perf_opening.h"
#include "source/perf/perf_refusal.h"
#include "target/process/target.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void no_undo(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static struct nt_source_config config = { .perf_hz = 999, .proc_root = "/proc", .undo_note = no_undo };

/* ---- the process that is watched ---- */

static void *burn(void *argument)
{
	prctl(PR_SET_NAME, argument);
	for (volatile uint64_t i = 0;; i++)
		;
	return NULL;
}

static void *flash(void *argument)
{
	return argument;
}

/* Threads that come and go, as fast as they can. */
static void *churn(void *argument)
{
	for (;;) {
		pthread_t thread;
		if (pthread_create(&thread, NULL, flash, argument) == 0)
			pthread_join(thread, NULL);
	}
	return NULL;
}

/* One busy thread, and another one for each byte that is written to it: 'b' busy, 'c' churning. */
static pid_t start_process(int *control)
{
	int ends[2];
	assert_int_equal(pipe(ends), 0);
	pid_t child = fork();
	assert_true(child >= 0);
	if (child != 0) {
		close(ends[0]);
		*control = ends[1];
		return child;
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(ends[1]);
	pthread_t thread;
	static char early[] = "early", later[] = "later";
	pthread_create(&thread, NULL, burn, early);
	for (char c; read(ends[0], &c, 1) == 1;)
		pthread_create(&thread, NULL, c == 'b' ? burn : churn, later);
	_exit(0);
}

static void end_process(pid_t child, int control)
{
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(control);
}

/* ---- what came ---- */

struct seen {
	uint64_t samples_early, samples_later, weight_ns, threads_ended;
	uint32_t later_tid;
	nt_time idle;
	unsigned states, last_state, late, losses;
	bool early_sampled, later_sampled, churned, refused, ended;
};

static void see(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct seen *seen = context;
	if (event->kind == NT_EV_IDLE) {
		assert_true(event->time >= seen->idle);
		seen->idle = event->time;
	} else if (!nt_event_is_own(event->kind)) {
		seen->late += event->time < seen->idle;
	}
	switch (event->kind) {
	case NT_EV_SOURCE_STATE:
		seen->states++;
		seen->last_state = event->u.source_state.state;
		seen->ended = seen->last_state == NT_STATE_ENDED;
		seen->refused = seen->last_state == NT_STATE_ABSENT;
		break;
	case NT_EV_LOST:
		seen->losses++;
		break;
	case NT_EV_SAMPLE:
		assert_int_not_equal(event->u.sample.stack, 0);
		assert_int_not_equal(event->tid, 0);
		if (event->tid == seen->later_tid)
			seen->samples_later++;
		else
			seen->samples_early++;
		seen->weight_ns += event->u.sample.weight_ns;
		seen->early_sampled = seen->samples_early >= 20;
		seen->later_sampled = seen->samples_later >= 20;
		break;
	case NT_EV_THREAD:
		if (event->u.thread.op == NT_THREAD_NAMED)
			for (size_t i = 0; i < batch->str_count; i++)
				if (batch->strs[i].id == event->u.thread.name && batch->strs[i].length == 5 &&
				    memcmp(batch->bytes + batch->strs[i].offset, "later", 5) == 0)
					seen->later_tid = event->tid;
		seen->threads_ended += event->u.thread.op == NT_THREAD_ENDED;
		seen->churned = seen->threads_ended >= 200;
		break;
	default:
		break;
	}
}

/* NULL when the kernel refuses, which has been checked then. */
static struct nt_target *find(pid_t pid)
{
	char text[16];
	struct nt_target *target;
	struct nt_error err = { 0 };
	struct nt_perf_features features;
	snprintf(text, sizeof(text), "%d", pid);
	assert_int_equal(nt_target_find("/proc", text, &target, &err), NT_OK);
	int error = nt_perf_opening_try(target->pid, target->proc_dir,
					&(struct nt_perf_wish){ .hz = config.perf_hz, .of_tasks = config.perf_of_tasks }, &features);
	if (!error)
		return target;
	assert_true(nt_perf_refusal_error(target->pid, target->uid, error, 0, &err) < 0);
	assert_true(err.cause[0][0]);
	print_message("perf: %s\n", err.cause[0]);
	nt_target_free(target);
	return NULL;
}

static struct nt_source *open_as(const struct nt_source_ops *ops, const struct nt_target *target)
{
	struct nt_source *source;
	assert_int_equal(ops->open(&config, &source, NULL), NT_OK);
	struct nt_error err = { 0 };
	assert_int_equal(source->ops->add(source, target, NULL), NT_OK);
	assert_int_equal(source->ops->add(source, target, &err), NT_ERR_UNSUPPORTED); /* it goes on with the one it has */
	assert_int_equal(err.cause_count, 1);
	assert_int_equal(source->ops->fd(source), -1);
	return source;
}

static struct nt_source *open_source(const struct nt_target *target)
{
	return open_as(&nt_source_perf, target);
}

/* The source on this process; NULL when the kernel refuses. */
static struct nt_source *open_on(pid_t pid, struct nt_target **target)
{
	*target = find(pid);
	return *target ? open_source(*target) : NULL;
}

static uint64_t cpu_ns(pid_t pid)
{
	clockid_t id;
	struct timespec ts;
	assert_int_equal(clock_getcpuclockid(pid, &id), 0);
	assert_int_equal(clock_gettime(id, &ts), 0);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void test_threads_of_before_and_after(void **state)
{
	(void)state;
	int control;
	pid_t child = start_process(&control);
	struct nt_target *target;
	struct nt_source *source = open_on(child, &target);
	if (source) {
		struct seen seen = { 0 };
		uint64_t before_ns = cpu_ns(child);
		drain_until(source, see, &seen, &seen.early_sampled);
		assert_int_equal(write(control, "b", 1), 1);
		drain_until(source, see, &seen, &seen.later_sampled);
		uint64_t used_ns = cpu_ns(child) - before_ns;
		source->ops->stop(source);
		assert_int_equal(drain_all(source, see, &seen), NT_END);
		assert_int_equal(seen.last_state, NT_STATE_ENDED);
		assert_int_equal(seen.late, 0);
		assert_int_equal(seen.losses, 0);
		assert_true(seen.weight_ns > used_ns / 4 && seen.weight_ns < used_ns * 2);
		source->ops->close(source);
	}
	nt_target_free(target);
	end_process(child, control);
}

/* Threads that come and go by the thousand must not make the source spin (perf's own tools do). */
static void test_churn(void **state)
{
	(void)state;
	int control;
	pid_t child = start_process(&control);
	assert_int_equal(write(control, "c", 1), 1);
	struct nt_target *target;
	struct nt_source *source = open_on(child, &target);
	if (source) {
		struct seen seen = { 0 };
		struct timespec own;
		drain_until(source, see, &seen, &seen.churned);
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &own);
		assert_true(own.tv_sec < 5);
		assert_int_equal(seen.late, 0);
		source->ops->close(source);
	}
	nt_target_free(target);
	end_process(child, control);
}

static void test_end_of_the_target(void **state)
{
	(void)state;
	int control;
	pid_t child = start_process(&control);
	struct nt_target *target;
	struct nt_source *source = open_on(child, &target);
	if (source) {
		struct seen seen = { 0 };
		drain_until(source, see, &seen, &seen.early_sampled);
		kill(child, SIGKILL);
		drain_until(source, see, &seen, &seen.ended);
		assert_int_equal(drain_all(source, see, &seen), NT_END);
		source->ops->close(source);
	}
	nt_target_free(target);
	end_process(child, control);
}

/* Of two processes, and of a third one that nobody asked for. */
struct seen_of_two {
	pid_t pids[2];
	uint64_t samples[2];
	nt_time idle[2];
	unsigned late, of_others, ended[2];
	bool both, first_ended, second_again;
	uint64_t second_until;
};

static void see_two(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	(void)batch;
	struct seen_of_two *seen = context;
	if (event->pid != (uint32_t)seen->pids[0] && event->pid != (uint32_t)seen->pids[1]) {
		seen->of_others++;
		return;
	}
	int whose = event->pid == (uint32_t)seen->pids[1];
	if (event->kind == NT_EV_IDLE)
		seen->idle[whose] = event->time;
	else if (event->kind == NT_EV_SAMPLE)
		seen->late += event->time < seen->idle[whose];
	if (event->kind == NT_EV_SOURCE_STATE && event->u.source_state.state == NT_STATE_ENDED)
		seen->ended[whose]++;
	if (event->kind == NT_EV_SAMPLE)
		seen->samples[whose]++;
	seen->both = seen->samples[0] >= 20 && seen->samples[1] >= 20;
	seen->first_ended = seen->ended[0];
	seen->second_again = seen->samples[1] >= seen->second_until;
}

/* The end of one is not that of the other. Samples of the third one: how many came as far as the source. */
static uint64_t two_processes(const struct nt_source_ops *ops)
{
	struct nt_source_stats stats = { 0 };
	int controls[3];
	pid_t children[3];
	for (int i = 0; i < 3; i++)
		children[i] = start_process(&controls[i]);
	struct nt_target *first = find(children[0]), *second = find(children[1]);
	struct nt_source *source = first ? open_as(ops, first) : NULL;
	if (source && second) {
		struct seen_of_two seen = { .pids = { children[0], children[1] } };
		assert_int_equal(source->ops->add(source, second, NULL), NT_OK);
		drain_until(source, see_two, &seen, &seen.both);
		kill(children[0], SIGKILL);
		drain_until(source, see_two, &seen, &seen.first_ended);
		seen.second_until = seen.samples[1] + 20;
		seen.second_again = false;
		drain_until(source, see_two, &seen, &seen.second_again);
		assert_int_equal(seen.ended[1], 0);
		source->ops->remove(source, (uint32_t)children[0]);
		source->ops->stop(source);
		assert_int_equal(drain_all(source, see_two, &seen), NT_END);
		assert_int_equal(seen.ended[1], 1);
		assert_int_equal(seen.of_others, 0);
		assert_int_equal(seen.late, 0);
		source->ops->stats(source, &stats);
	}
	if (source)
		source->ops->close(source);
	nt_target_free(first);
	nt_target_free(second);
	for (int i = 0; i < 3; i++)
		end_process(children[i], controls[i]);
	return stats.foreign_count;
}

/* Each has rounds of its own. */
static void test_two_processes(void **state)
{
	(void)state;
	two_processes(&nt_source_perf);
}

/* By one event a CPU for both, of which the kernel drops what is of others. */
static void test_one_event_for_several(void **state)
{
	(void)state;
	struct nt_perf_features features;
	int refused = nt_perf_features_try((uint32_t)getpid(), &(struct nt_perf_wish){ .hz = config.perf_hz, .several = true }, &features);
	if (refused) {
		print_message("skipped: no events of CPUs here: %s\n", strerror(refused));
		return;
	}
	uint64_t of_others = two_processes(&nt_source_perf_several);
	int members = nt_perf_members_new();
	if (members < 0) {
		print_message("the kernel filters nothing: no BPF here\n");
		return;
	}
	close(members);
	assert_int_equal(of_others, 0);
}

/* Stopped or closed before it has attached: nothing is left behind. */
static void test_hasty_ends(void **state)
{
	(void)state;
	int control;
	pid_t child = start_process(&control);
	for (int i = 0; i < 20; i++) {
		struct nt_target *target;
		struct nt_source *source = open_on(child, &target);
		if (source) {
			struct seen seen = { 0 };
			if (i % 2) {
				source->ops->stop(source);
				assert_int_equal(drain_all(source, see, &seen), NT_END);
			}
			source->ops->close(source);
		}
		nt_target_free(target);
	}
	end_process(child, control);
}

/* The threads cannot be listed, until somebody makes a link. */
static void test_tries_again(void **state)
{
	(void)state;
	int control;
	char link[] = "/tmp/nt-perf.XXXXXX";
	pid_t child = start_process(&control);
	struct nt_target *target = find(child);
	if (target) {
		int fd = mkstemp(link);
		assert_true(fd >= 0);
		close(fd);
		unlink(link);
		char *proc_dir = target->proc_dir;
		target->proc_dir = link;
		struct seen seen = { 0 };
		struct nt_source *source = open_source(target);
		drain_until(source, see, &seen, &seen.refused);
		/* Refused once more, which is not said again. */
		source->ops->on_tick(source, nt_clock_now() + 5 * NT_NS_PER_S, true);
		assert_int_equal(drain_all(source, see, &seen), NT_AGAIN);
		assert_int_equal(symlink(proc_dir, link), 0);
		drain_until(source, see, &seen, &seen.early_sampled);
		unlink(link);
		assert_int_equal(seen.last_state, NT_STATE_DELIVERING);
		assert_int_equal(seen.states, 3); /* it begins, it is refused, it delivers */
		source->ops->stop(source);
		assert_int_equal(drain_all(source, see, &seen), NT_END);
		source->ops->close(source);
		target->proc_dir = proc_dir;
	}
	nt_target_free(target);
	end_process(child, control);
}

/* What was refused ends with its target, and when it is told to. */
static void test_refused_to_the_end(void **state)
{
	(void)state;
	static char nowhere[] = "/proc/0";
	for (int told = 0; told < 2; told++) {
		int control;
		pid_t child = start_process(&control);
		struct nt_target *target = find(child);
		if (target) {
			char *proc_dir = target->proc_dir;
			target->proc_dir = nowhere;
			struct seen seen = { 0 };
			struct nt_source *source = open_source(target);
			drain_until(source, see, &seen, &seen.refused);
			if (told) {
				source->ops->stop(source);
			} else {
				kill(child, SIGKILL);
				while (nt_target_alive(target))
					poll(NULL, 0, 5);
				source->ops->on_tick(source, nt_clock_now() + 5 * NT_NS_PER_S, true);
			}
			assert_int_equal(drain_all(source, see, &seen), NT_END);
			assert_int_equal(seen.last_state, NT_STATE_ABSENT);
			source->ops->close(source);
			target->proc_dir = proc_dir;
		}
		nt_target_free(target);
		end_process(child, control);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_of_before_and_after),
		cmocka_unit_test(test_churn),
		cmocka_unit_test(test_end_of_the_target),
		cmocka_unit_test(test_two_processes),
		cmocka_unit_test(test_one_event_for_several),
		cmocka_unit_test(test_hasty_ends),
		cmocka_unit_test(test_tries_again),
		cmocka_unit_test(test_refused_to_the_end),
	};
	/* By events of CPUs where they are allowed, and by those of tasks. */
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	config.perf_of_tasks = true;
	return failed + cmocka_run_group_tests(tests, NULL, NULL);
}
