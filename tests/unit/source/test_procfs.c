// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drain.h"
#include "fake_proc.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/procfs/procfs_cpu.h"
#include "source/procfs/procfs_end.h"
#include "source/procfs/procfs_io.h"
#include "target/process/target.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

enum { PID = 4711 };

static void no_undo(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static const struct nt_source_config config = { .perf_hz = 999, .proc_root = "/proc", .undo_note = no_undo };

/* What was seen of a source. */
struct seen {
	const struct nt_batch *first_batch;
	unsigned events, states, targets, stats, stats_until, born, ended_threads;
	uint32_t first_kind, second_kind;
	uint32_t ended_tid;
	struct nt_ev_proc proc;
	struct nt_ev_thread_stat stat_of_20;
	char end_text[64];
	bool complete, waits, stats_told, thread_read, thread_gone, target_gone; /* what a test waits for */
};

static void see(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct seen *seen = context;
	if (!seen->events)
		seen->first_kind = event->kind;
	if (seen->events == 1)
		seen->second_kind = event->kind;
	seen->events++;
	switch (event->kind) {
	case NT_EV_SOURCE_STATE:
		assert_int_equal(event->u.source_state.open, 0); /* intervals do not wait for procfs */
		seen->states++;
		break;
	case NT_EV_TARGET:
		seen->targets++;
		if (event->u.target.ended) {
			for (size_t i = 0; i < batch->str_count; i++)
				if (batch->strs[i].id == event->u.target.end_text && batch->strs[i].length < sizeof(seen->end_text))
					memcpy(seen->end_text, batch->bytes + batch->strs[i].offset, batch->strs[i].length);
			seen->target_gone = true;
		}
		break;
	case NT_EV_PROC:
		seen->proc = event->u.proc;
		seen->complete = seen->proc.pool_count == 1;
		seen->waits = seen->proc.waited_ns != 0;
		break;
	case NT_EV_THREAD_STAT:
		seen->stats++;
		seen->stats_told = seen->stats_until && seen->stats >= seen->stats_until;
		if (event->tid == 20)
			seen->stat_of_20 = event->u.thread_stat;
		seen->thread_read |= event->tid == 20 && event->u.thread_stat.user_ns == 70000000;
		break;
	case NT_EV_THREAD:
		seen->born += event->u.thread.op == NT_THREAD_SEEN;
		if (event->u.thread.op == NT_THREAD_ENDED) {
			seen->ended_threads++;
			seen->ended_tid = event->tid;
			seen->thread_gone = true;
		}
		break;
	default:
		break;
	}
}

static void make_process(const struct fake_proc *proc)
{
	fake_proc_stat(proc, PID, "stat",
		       &(struct fake_stat){ .id = PID,
					    .comm = "web",
					    .state = 'S',
					    .threads = 3,
					    .user_ticks = 150,
					    .kernel_ticks = 50,
					    .start_ticks = 7000,
					    .rss_pages = 10 });
	fake_proc_text(proc, PID, "status", "Name:\tweb\nRssAnon:\t30 kB\nRssFile:\t8 kB\nRssShmem:\t4 kB\nVmSwap:\t2 kB\n");
	fake_proc_text(proc, PID, "cmdline", "web");
	fake_proc_text(proc, PID, "maps", "7f0000000000-7f0000001000 r-xp 00000000 08:01 9 /opt/shop/libcoreclr.so\n");
	fake_proc_text(proc, PID, "environ", "");
	fake_proc_stat(proc, PID, "task/4711/stat", &(struct fake_stat){ .id = PID, .comm = "web", .state = 'S', .start_ticks = 7000 });
	fake_proc_stat(proc, PID, "task/20/stat",
		       &(struct fake_stat){
			       .id = 20, .comm = ".NET TP Worker", .state = 'R', .user_ticks = 7, .kernel_ticks = 3, .start_ticks = 7100 });
	fake_proc_stat(proc, PID, "task/21/stat", &(struct fake_stat){ .id = 21, .comm = "a) R (b", .state = 'S', .start_ticks = 7101 });
}

static unsigned open_descriptors(void)
{
	unsigned count = 0;
	DIR *dir = opendir("/proc/self/fd");
	assert_non_null(dir);
	while (readdir(dir))
		count++;
	closedir(dir);
	return count;
}

static struct nt_source *open_on(const struct nt_target *target)
{
	struct nt_source *source;
	struct nt_error err = { 0 };
	assert_int_equal(nt_source_procfs.open(&config, &source, &err), NT_OK);
	assert_int_equal(source->ops->add(source, target, &err), NT_OK);
	return source;
}

static void test_a_copied_proc(void **state)
{
	(void)state;
	struct fake_proc proc;
	fake_proc_init(&proc);
	make_process(&proc);
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find(proc.root, "4711", &target, &err), NT_OK);
	unsigned open_before = open_descriptors();
	struct nt_source *source = open_on(target);

	/* Everything a first frame needs is there at once. */
	struct seen seen = { 0 };
	assert_int_equal(drain_all(source, see, &seen), NT_AGAIN);
	assert_int_equal(seen.first_kind, NT_EV_SOURCE_STATE);
	assert_int_equal(seen.second_kind, NT_EV_TARGET);
	assert_int_equal(seen.stats, 3);
	assert_int_equal(seen.born, 3);
	assert_int_equal(seen.proc.user_ns, 1500000000);
	assert_int_equal(seen.proc.kernel_ns, 500000000);
	assert_true(seen.proc.split_known);
	assert_int_equal(seen.proc.rss_bytes, 42 << 10); /* the sum, not what `stat` said a moment before */
	assert_int_equal(seen.proc.anon_bytes, 30 << 10);
	assert_int_equal(seen.proc.file_bytes, 8 << 10);
	assert_int_equal(seen.proc.shared_bytes, 4 << 10);
	assert_int_equal(seen.proc.swap_bytes, 2 << 10);
	assert_int_equal(seen.proc.thread_count, 3);
	assert_int_equal(seen.proc.running_count, 1);
	assert_int_equal(seen.proc.pool_count, 1);
	assert_int_equal(seen.proc.pool_known, 1);
	assert_int_equal(seen.stat_of_20.user_ns, 70000000);
	assert_int_equal(seen.stat_of_20.kernel_ns, 30000000);
	assert_int_equal(seen.stat_of_20.state, 'R');

	/* A thread goes, and its values and its open file with it. */
	unsigned open_with_three = open_descriptors();
	char *gone = nt_format("%s/4711/task/21/stat", proc.root);
	assert_int_equal(remove(gone), 0);
	*strrchr(gone, '/') = '\0';
	assert_int_equal(rmdir(gone), 0);
	free(gone);
	drain_until(source, see, &seen, &seen.thread_gone);
	assert_int_equal(seen.ended_tid, 21);
	assert_int_equal(seen.ended_threads, 1);
	assert_int_equal(open_descriptors(), open_with_three - 1);

	/* The process dies by SIGKILL and waits to be collected. */
	fake_proc_stat(&proc, PID, "stat",
		       &(struct fake_stat){ .id = PID, .comm = "web", .state = 'Z', .threads = 1, .start_ticks = 7000, .exit_code = 9 });
	drain_until(source, see, &seen, &seen.target_gone);
	assert_string_equal(seen.end_text, "killed by SIGKILL");
	assert_int_equal(drain_all(source, see, &seen), NT_END);
	struct nt_source_stats stats;
	source->ops->stats(source, &stats);
	assert_int_equal(stats.event_count, seen.events - seen.states);
	source->ops->close(source);
	assert_int_equal(open_descriptors(), open_before);
	nt_target_free(target);
	fake_proc_fini(&proc);
}

/* A kernel that does not divide it: what is resident is known, and of what it consists is not. */
static void test_memory_that_is_not_divided(void **state)
{
	(void)state;
	struct fake_proc proc;
	fake_proc_init(&proc);
	make_process(&proc);
	fake_proc_text(&proc, PID, "status", "Name:\tweb\nVmRSS:\t9 kB\n");
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find(proc.root, "4711", &target, &err), NT_OK);
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	drain_all(source, see, &seen);
	assert_false(seen.proc.split_known);
	assert_int_equal(seen.proc.rss_bytes, 10 * (uint64_t)sysconf(_SC_PAGESIZE));
	assert_int_equal(seen.proc.anon_bytes, 0);
	source->ops->close(source);
	nt_target_free(target);
	fake_proc_fini(&proc);
}

static void ran_and_waited(const struct fake_proc *proc, uint32_t tid, char letter, uint64_t ticks, unsigned waited_ms)
{
	char path[64];
	snprintf(path, sizeof(path), "task/%u/stat", tid);
	fake_proc_stat(proc, PID, path,
		       &(struct fake_stat){ .id = tid, .comm = "t", .state = letter, .user_ticks = ticks, .start_ticks = 7100 });
	snprintf(path, sizeof(path), "task/%u/schedstat", tid);
	char text[64];
	snprintf(text, sizeof(text), "%u %u000000 %u\n", (unsigned)ticks * 10000000, waited_ms, (unsigned)ticks);
	fake_proc_text(proc, PID, path, text);
}

/* What threads waited for a CPU before nettop came is not counted, of those that came later all; who does not run is not asked. */
static void test_waits_for_a_cpu(void **state)
{
	(void)state;
	struct fake_proc proc;
	fake_proc_init(&proc);
	make_process(&proc);
	ran_and_waited(&proc, 30, 'S', 5, 1000);
	ran_and_waited(&proc, 31, 'S', 5, 1000);
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find(proc.root, "4711", &target, &err), NT_OK);
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	drain_all(source, see, &seen);
	assert_true(seen.proc.waited_known);
	assert_int_equal(seen.proc.waited_ns, 0);
	ran_and_waited(&proc, 30, 'S', 6, 1300); /* it has used CPU time */
	ran_and_waited(&proc, 31, 'S', 5, 1900); /* it has not */
	ran_and_waited(&proc, 32, 'S', 1, 20);   /* new */
	drain_until(source, see, &seen, &seen.waits);
	assert_int_equal(seen.proc.waited_ns, 320 * NT_NS_PER_MS);
	source->ops->close(source);
	nt_target_free(target);
	fake_proc_fini(&proc);
}

/* One that did not get a CPU since is as it was: its stat is not read again at once. */
static void test_threads_that_rest(void **state)
{
	(void)state;
	struct fake_proc proc;
	fake_proc_init(&proc);
	make_process(&proc);
	ran_and_waited(&proc, 20, 'S', 5, 0);
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find(proc.root, "4711", &target, &err), NT_OK);
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	drain_all(source, see, &seen);
	assert_int_equal(seen.stat_of_20.user_ns, 50000000);
	fake_proc_stat(&proc, PID, "task/20/stat",
		       &(struct fake_stat){ .id = 20, .comm = "t", .state = 'S', .user_ticks = 6, .start_ticks = 7100 });
	seen.stats_until = seen.stats + 2 * 3; /* two more scans of three threads */
	drain_until(source, see, &seen, &seen.stats_told);
	assert_int_equal(seen.stat_of_20.user_ns, 50000000);
	ran_and_waited(&proc, 20, 'S', 7, 0);
	assert_false(seen.thread_read);
	drain_until(source, see, &seen, &seen.thread_read);
	source->ops->close(source);
	nt_target_free(target);
	fake_proc_fini(&proc);
}

static void *until_told(void *fd)
{
	char byte;
	assert_int_equal(read(*(int *)fd, &byte, 1), 0);
	return NULL;
}

/* As many threads as before, and not the same: one has ended, another has begun. */
static void test_threads_that_change_places(void **state)
{
	(void)state;
	int first[2], second[2];
	pthread_t one, other;
	char text[16];
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_true(pipe(first) == 0 && pipe(second) == 0);
	assert_int_equal(pthread_create(&one, NULL, until_told, &first[0]), 0);
	snprintf(text, sizeof(text), "%d", getpid());
	assert_int_equal(nt_target_find("/proc", text, &target, &err), NT_OK);
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	drain_all(source, see, &seen);
	unsigned born = seen.born;
	close(first[1]);
	pthread_join(one, NULL);
	assert_int_equal(pthread_create(&other, NULL, until_told, &second[0]), 0);
	drain_until(source, see, &seen, &seen.thread_gone);
	assert_int_equal(seen.ended_threads, 1);
	assert_int_equal(seen.born, born + 1);
	source->ops->close(source);
	nt_target_free(target);
	close(second[1]);
	pthread_join(other, NULL);
	close(first[0]);
	close(second[0]);
}

/* A real process, and a child of ours, as that of `nettop run`. */
static void test_a_real_process(void **state)
{
	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	char text[16];
	snprintf(text, sizeof(text), "%d", child);
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find("/proc", text, &target, &err), NT_OK);
	assert_true(nt_target_alive(target));
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	assert_int_equal(drain_all(source, see, &seen), NT_AGAIN);
	assert_true(seen.proc.thread_count >= 1);  /* a sanitizer may have one of its own */
	assert_int_equal(seen.proc.pool_known, 0); /* no .NET process */
	kill(child, SIGTERM);
	drain_until(source, see, &seen, &seen.target_gone);
	assert_false(nt_target_alive(target));
	assert_string_equal(seen.end_text, "killed by SIGTERM");
	source->ops->close(source);
	nt_target_free(target);
	waitpid(child, NULL, 0);
}

/* It was found, and is gone when it is to be watched: its end is told, for nobody would wait for anything else. */
static void test_a_process_that_was_collected(void **state)
{
	(void)state;
	pid_t child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	char text[16];
	snprintf(text, sizeof(text), "%d", child);
	struct nt_target *target;
	struct nt_error err = { 0 };
	assert_int_equal(nt_target_find("/proc", text, &target, &err), NT_OK);
	kill(child, SIGKILL);
	assert_int_equal(waitpid(child, NULL, 0), child);
	struct nt_source *source = open_on(target);
	struct seen seen = { 0 };
	assert_int_equal(drain_all(source, see, &seen), NT_END);
	assert_true(seen.target_gone);
	source->ops->close(source);
	nt_target_free(target);
}

/* ---- two processes ---- */

struct child {
	pid_t pid;
	struct nt_target *target;
	unsigned targets, states, readings, thread_stats;
	bool identity_first; /* before its state */
	bool read, gone;
};

static void start_child(struct child *child)
{
	*child = (struct child){ .pid = fork() };
	assert_true(child->pid >= 0);
	if (child->pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		pause();
		_exit(0);
	}
	char text[16];
	struct nt_error err = { 0 };
	snprintf(text, sizeof(text), "%d", child->pid);
	assert_int_equal(nt_target_find("/proc", text, &child->target, &err), NT_OK);
}

static void end_child(struct child *child)
{
	kill(child->pid, SIGKILL);
	waitpid(child->pid, NULL, 0);
	nt_target_free(child->target);
}

/* Each event is of one of the two. */
static void see_children(void *context, const struct nt_batch *batch, const struct nt_event *event)
{
	struct child *children = context, *child = event->pid == (uint32_t)children[0].pid ? &children[0] : &children[1];
	(void)batch;
	assert_int_equal(event->pid, child->pid);
	if (event->kind == NT_EV_SOURCE_STATE && !child->states++)
		child->identity_first = child->targets == 1;
	child->targets += event->kind == NT_EV_TARGET;
	child->readings += event->kind == NT_EV_PROC;
	child->thread_stats += event->kind == NT_EV_THREAD_STAT;
	child->read |= event->kind == NT_EV_PROC;
	child->gone |= event->kind == NT_EV_TARGET && event->u.target.ended;
}

static void test_two_processes(void **state)
{
	(void)state;
	struct child children[2];
	struct nt_error err = { 0 };
	unsigned open_before = open_descriptors();
	start_child(&children[0]);
	start_child(&children[1]);
	struct nt_source *source = open_on(children[0].target);
	assert_int_equal(source->ops->add(source, children[1].target, &err), NT_OK);
	assert_int_equal(source->ops->add(source, children[1].target, &err), NT_ERR_UNSUPPORTED); /* once is enough */
	assert_int_equal(err.cause_count, 1);
	assert_int_equal(drain_all(source, see_children, children), NT_AGAIN);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(children[i].targets, 1);
		assert_int_equal(children[i].states, 1);
		assert_int_equal(children[i].readings, 1);
		assert_true(children[i].thread_stats >= 1);
	}
	assert_false(children[0].identity_first); /* a source begins with its state */
	assert_true(children[1].identity_first);  /* what is said of a process that nobody knows is lost */

	/* One ends; the other is read on. */
	kill(children[0].pid, SIGTERM);
	drain_until(source, see_children, children, &children[0].gone);
	assert_false(children[1].gone);
	unsigned readings = children[0].readings;
	children[1].read = false;
	drain_until(source, see_children, children, &children[1].read);
	assert_int_equal(children[0].readings, readings);
	assert_int_equal(drain_all(source, see_children, children), NT_AGAIN);

	kill(children[1].pid, SIGTERM);
	drain_until(source, see_children, children, &children[1].gone);
	assert_int_equal(drain_all(source, see_children, children), NT_END);
	source->ops->close(source);
	end_child(&children[0]);
	end_child(&children[1]);
	assert_int_equal(open_descriptors(), open_before);
}

static void test_one_of_two_is_removed(void **state)
{
	(void)state;
	struct child children[2];
	struct nt_error err = { 0 };
	start_child(&children[0]);
	start_child(&children[1]);
	struct nt_source *source = open_on(children[0].target);
	unsigned open_with_one = open_descriptors();
	assert_int_equal(source->ops->add(source, children[1].target, &err), NT_OK);
	drain_all(source, see_children, children);
	source->ops->remove(source, (uint32_t)children[1].pid);
	assert_int_equal(open_descriptors(), open_with_one);
	unsigned readings = children[1].readings;
	children[0].read = false;
	drain_until(source, see_children, children, &children[0].read);
	assert_int_equal(children[1].readings, readings);
	source->ops->close(source);
	end_child(&children[0]);
	end_child(&children[1]);
}

static void test_cpu_time(void **state)
{
	(void)state;
	struct nt_procfs_cpu cpu = { 0 };
	uint64_t last_user = 0, last_kernel = 0;
	/* A quarter of the time in the kernel, told in steps of 10 ms. */
	for (uint64_t total = 0; total < 1000000000; total += 3700000) {
		nt_procfs_cpu_update(&cpu, total, total / 4 / 10000000 * 10000000);
		assert_int_equal(cpu.user_ns + cpu.kernel_ns, total);
		assert_true(cpu.user_ns >= last_user && cpu.kernel_ns >= last_kernel);
		last_user = cpu.user_ns;
		last_kernel = cpu.kernel_ns;
	}
	assert_in_range(cpu.kernel_ns, 240000000, 250000000);
	/* A clock that stands still or steps back changes nothing. */
	nt_procfs_cpu_update(&cpu, 5, 5);
	assert_int_equal(cpu.user_ns, last_user);
}

static void test_outbox(void **state)
{
	(void)state;
	struct nt_outbox box;
	nt_outbox_init(&box, NT_SOURCE_PERF);
	assert_null(nt_outbox_take(&box));
	nt_str name = nt_outbox_str(&box, "a");
	nt_outbox_add(&box, NT_EV_SAMPLE, 10, 1, 1);
	nt_outbox_lost(&box, 11, 1, &(struct nt_ev_lost){ .count = 5, .count_known = 1 });
	nt_outbox_lost(&box, 12, 1, &(struct nt_ev_lost){ .count_known = 0 });
	struct nt_batch *first = nt_outbox_take(&box);
	assert_int_equal(first->event_count, 3);
	assert_int_equal(first->str_count, 1);
	assert_int_equal(box.stats.event_count, 1);
	assert_int_equal(box.stats.lost_count, 5);
	assert_true(box.stats.lost_unknown);
	assert_int_equal(box.stats.last_event, 10);
	/* While the first is away a second is filled; the text was announced already. */
	assert_int_equal(nt_outbox_str(&box, "a"), name);
	struct nt_batch *second = nt_outbox_take(&box);
	assert_int_equal(second->str_count, 0);
	nt_outbox_give_back(&box, first);
	nt_outbox_give_back(&box, second);
	assert_ptr_equal(nt_outbox_batch(&box), first);
	nt_outbox_fini(&box);
}

/* Where the kernel does not say how many descriptors there are. */
static void test_entries_of_a_folder(void **state)
{
	(void)state;
	struct fake_proc proc;
	fake_proc_init(&proc);
	static const char *const paths[] = { "fd/0", "fd/1", "fd/2", "fd/17" };
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++)
		fake_proc_file(&proc, paths[i], "", 0);
	int dir_fd = open(proc.root, O_PATH | O_DIRECTORY | O_CLOEXEC);
	assert_true(dir_fd >= 0);
	assert_int_equal(nt_procfs_entries(dir_fd, "fd", 4), 4);
	assert_int_equal(nt_procfs_entries(dir_fd, "fd", 3), 0);
	assert_int_equal(nt_procfs_entries(dir_fd, "none", 4), 0);
	assert_int_equal(nt_procfs_entries(dir_fd, "fd/0", 4), 0);
	close(dir_fd);
	fake_proc_fini(&proc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_entries_of_a_folder),
		cmocka_unit_test(test_a_copied_proc),
		cmocka_unit_test(test_memory_that_is_not_divided),
		cmocka_unit_test(test_waits_for_a_cpu),
		cmocka_unit_test(test_threads_that_rest),
		cmocka_unit_test(test_threads_that_change_places),
		cmocka_unit_test(test_a_real_process),
		cmocka_unit_test(test_a_process_that_was_collected),
		cmocka_unit_test(test_two_processes),
		cmocka_unit_test(test_one_of_two_is_removed),
		cmocka_unit_test(test_cpu_time),
		cmocka_unit_test(test_outbox),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
