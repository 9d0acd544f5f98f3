// SPDX-License-Identifier: GPL-2.0-only
/*
 * Run one source alone on a process and print what it says: one line per event, or with -q only the sums.
 *
 *   source_dump [-q] [-t] [-c] [-w] [-F HZ] [-m MOST] [-n NOFILE] [-p PCT] [-s SESSION] SOURCE PID_OR_NAME [SECONDS]
 *
 * -m: samples that may arrive in a second. -t: events of the target's tasks, even where those of CPUs are allowed. -c: of perf, when threads come to a
 * CPU and leave it, in place of samples. SOURCE perf-waits: perf as it is where nothing but waits is asked for. -w asks for everything that is only collected on demand. SIGINT ends it before its time, the orderly way.
 * With -q: "delivering" and "stopping" at these moments, then events per kind, samples and CPU time per thread, loss, own CPU time.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "nettop/source.h"
#include "output/columns/details.h"
#include "source/all/own_processes.h"
#include "source/common/sources.h"
#include "target/process/target.h"

enum { TICK_MS = 50, BUDGET = 4096 };

struct thread_sum {
	uint32_t tid;
	uint64_t samples, weight_ns;
};

struct dump {
	bool quiet, delivering;
	struct nt_details *details; /* owned */
	uint64_t kinds[NT_EV_LIMIT];
	struct thread_sum *threads; /* owned */
	size_t thread_count, thread_capacity;
	uint64_t samples, weight_ns, lost, batches, late;
	nt_time idle_until;
};

static void add_sample(struct dump *dump, uint32_t tid, uint64_t weight_ns)
{
	size_t i = 0;
	while (i < dump->thread_count && dump->threads[i].tid != tid)
		i++;
	if (i == dump->thread_count) {
		dump->threads = nt_grow(dump->threads, &dump->thread_capacity, i + 1, sizeof(*dump->threads));
		dump->threads[dump->thread_count++] = (struct thread_sum){ .tid = tid };
	}
	dump->threads[i].samples++;
	dump->threads[i].weight_ns += weight_ns;
	dump->samples++;
	dump->weight_ns += weight_ns;
}

static void show(struct dump *dump, const struct nt_batch *batch)
{
	dump->batches++;
	if (!dump->quiet)
		nt_details_write(dump->details, batch);
	for (size_t i = 0; i < batch->event_count; i++) {
		const struct nt_event *event = &batch->events[i];
		dump->kinds[event->kind]++;
		if (dump->quiet && event->kind == NT_EV_SOURCE_STATE)
			printf("state %s brings=%u no_switches=%u\n", nt_source_state_name(event->u.source_state.state),
			       event->u.source_state.brings, event->u.source_state.no_switches);
		if (dump->quiet && !dump->delivering && event->kind == NT_EV_SOURCE_STATE &&
		    event->u.source_state.state == NT_STATE_DELIVERING) {
			dump->delivering = true;
			puts("delivering");
		}
		if (event->kind == NT_EV_LOST)
			dump->lost += event->u.lost.count;
		if (event->kind == NT_EV_SAMPLE)
			add_sample(dump, event->tid, event->u.sample.weight_ns);
		if (event->kind == NT_EV_IDLE)
			dump->idle_until = event->time;
		else if (!nt_event_is_own(event->kind) && event->time < dump->idle_until)
			dump->late++;
	}
}

static int by_weight(const void *a, const void *b)
{
	uint64_t x = ((const struct thread_sum *)a)->weight_ns, y = ((const struct thread_sum *)b)->weight_ns;
	return (x < y) - (x > y);
}

static double own_cpu_s(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void sum_up(struct dump *dump, uint64_t foreign, double attach_s, double seconds, double own_s)
{
	for (int kind = 0; kind < NT_EV_LIMIT; kind++)
		if (dump->kinds[kind])
			printf("%-16s %" PRIu64 "\n", nt_event_kind_name(kind), dump->kinds[kind]);
	if (dump->thread_count)
		qsort(dump->threads, dump->thread_count, sizeof(*dump->threads), by_weight);
	for (size_t i = 0; i < dump->thread_count && i < 10; i++)
		printf("tid %u: %" PRIu64 " samples, %.3f CPU s\n", dump->threads[i].tid, dump->threads[i].samples,
		       (double)dump->threads[i].weight_ns / 1e9);
	printf("all: %zu threads, %" PRIu64 " samples, %.3f CPU s, %" PRIu64 " lost, %" PRIu64 " late, %" PRIu64 " batches\n",
	       dump->thread_count, dump->samples, (double)dump->weight_ns / 1e9, dump->lost, dump->late, dump->batches);
	printf("of other processes, dropped by us: %" PRIu64 "\n", foreign);
	printf("attach %.1f ms; ran %.2f s; own CPU %.4f s\n", attach_s * 1e3, seconds, own_s);
}

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	fprintf(stderr, "undo: %s %s\n", verb, argument);
}

static bool undo_hold(void *context, const char *verb, const char *argument, int fd)
{
	(void)fd;
	undo_note(context, verb, argument);
	return true;
}

static double now_s(void)
{
	return (double)nt_clock_now() / 1e9;
}

static int fail(const struct nt_error *err)
{
	char message[1024];
	fprintf(stderr, "source_dump: %s\n", nt_error_text(err, message, sizeof(message)));
	return 1;
}

/* Until AGAIN; false at the end of the source. */
static bool drain(struct dump *dump, struct nt_source *source)
{
	for (;;) {
		struct nt_batch *batch = NULL;
		struct nt_error err = { 0 };
		enum nt_status status = source->ops->drain(source, BUDGET, &batch, &err);
		if (status != NT_OK) {
			if (status < 0)
				fail(&err);
			return status == NT_AGAIN;
		}
		show(dump, batch);
		source->ops->give_back(source, batch);
	}
}

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void run(struct dump *dump, struct nt_source *source, double seconds)
{
	double end = now_s() + seconds;
	bool alive = true;
	while (alive && !interrupted && now_s() < end) {
		if (source->ops->on_tick)
			source->ops->on_tick(source, nt_clock_now(), true);
		alive = drain(dump, source);
		struct pollfd fd = { .fd = source->ops->fd(source), .events = POLLIN };
		poll(&fd, 1, TICK_MS);
	}
	if (dump->quiet)
		puts("stopping");
	source->ops->stop(source);
	for (double deadline = now_s() + 2; drain(dump, source) && now_s() < deadline;)
		poll(NULL, 0, 5);
}

static int usage(void)
{
	fputs("usage: source_dump [-q] [-t] [-c] [-w] [-F HZ] [-m MOST] [-n NOFILE] [-s SESSION] SOURCE PID_OR_NAME [SECONDS]\n", stderr);
	return 2;
}

int main(int argc, char **argv)
{
	int exit_status;
	if (nt_own_process_served(argc, argv, &exit_status))
		return exit_status;
	struct dump dump = { 0 };
	char runtime_dir[] = "/tmp/source_dump.XXXXXX";
	struct nt_source_config config = {
		.perf_hz = 999, .proc_root = "/proc", .lttng_live_timer_us = 100000, .undo_note = undo_note, .undo_hold = undo_hold
	};
	unsigned demand = 0;
	for (int c; (c = getopt(argc, argv, "qtcwF:m:n:p:s:")) != -1;) {
		if (c == 'q')
			dump.quiet = true;
		else if (c == 'w')
			demand = NT_WANT_ALLOC_SAMPLES | NT_WANT_LOOKS | NT_WANT_SWITCHES;
		else if (c == 't')
			config.perf_of_tasks = true;
		else if (c == 'c')
			config.perf_switches = true;
		else if (c == 'F')
			config.perf_hz = (unsigned)atoi(optarg);
		else if (c == 'm')
			config.perf_most = (unsigned)atoi(optarg);
		else if (c == 'p')
			config.max_target_cost_pct = (unsigned)atoi(optarg);
		else if (c == 's')
			config.lttng_session = optarg;
		else if (c == 'n')
			setrlimit(RLIMIT_NOFILE, &(struct rlimit){ (rlim_t)atoi(optarg), (rlim_t)atoi(optarg) });
		else
			return usage();
	}
	if (argc - optind < 2)
		return usage();
	const struct nt_source_ops *ops = NULL;
	for (size_t i = 0; nt_sources[i]; i++)
		if (strcmp(nt_sources[i]->name, argv[optind]) == 0)
			ops = nt_sources[i];
	if (strcmp(argv[optind], "perf-waits") == 0)
		ops = &nt_source_perf_waits;
	if (!ops)
		return usage();
	struct nt_error err = { 0 };
	struct nt_target *target;
	if (nt_target_find("/proc", argv[optind + 1], &target, &err) != NT_OK)
		return fail(&err);
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	setlinebuf(stdout);
	dump.details = nt_details_new(stdout);
	signal(SIGINT, interrupt);
	double start = now_s(), own = own_cpu_s();
	ops->probe(target, &config, &probe);
	if (probe.result != NT_PROBE_AVAILABLE) {
		printf("probe: %s\nreason: %s\nfix: %s\n", probe.result == NT_PROBE_ABSENT ? "absent" : "forbidden", probe.reason,
		       probe.fix);
		return 3;
	}
	if (!mkdtemp(runtime_dir)) {
		nt_error_errno(&err, NT_ERR_FAILED, errno, "cannot make the folder %s", runtime_dir);
		return fail(&err);
	}
	config.runtime_dir = runtime_dir;
	struct nt_source *source;
	if (ops->open(&config, &source, &err) != NT_OK || ops->add(source, target, &err) != NT_OK) {
		rmdir(runtime_dir);
		return fail(&err);
	}
	if (ops->want)
		ops->want(source, demand);
	double attached = now_s();
	run(&dump, source, argc - optind > 2 ? atof(argv[optind + 2]) : 5);
	double stopped = now_s();
	struct nt_source_stats stats = { 0 };
	ops->stats(source, &stats);
	if (dump.quiet) {
		sum_up(&dump, stats.foreign_count, attached - start, stopped - attached, own_cpu_s() - own);
		printf("the target has paid ~%" PRIu64 " ns\n", stats.price_ns);
	}
	ops->close(source);
	fprintf(stderr, "close took %.1f ms\n", (now_s() - stopped) * 1e3);
	rmdir(runtime_dir);
	nt_target_free(target);
	nt_details_free(dump.details);
	free(dump.threads);
	return 0;
}
