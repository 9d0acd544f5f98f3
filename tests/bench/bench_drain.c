// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a CPU sample costs on its way from the kernel's ring into a batch: runs the perf source alone on a process and measures only its calls.
 *
 *   bench_drain PID HZ SECONDS
 *
 * Prints one JSON object: samples, lost, cpu_ns (of the calls), ns_per_sample.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "nettop/source.h"
#include "source/common/sources.h"
#include "target/process/target.h"

/* As src/app/session/session.c asks for them. */
enum { TICK_MS = 50, BUDGET = 4096 };

struct sums {
	uint64_t sample_count, lost_count, cpu_ns;
};

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static uint64_t thread_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

static void count(struct sums *sums, const struct nt_batch *batch)
{
	for (size_t i = 0; i < batch->event_count; i++) {
		if (batch->events[i].kind == NT_EV_SAMPLE)
			sums->sample_count++;
		else if (batch->events[i].kind == NT_EV_LOST)
			sums->lost_count += batch->events[i].u.lost.count;
	}
}

/* Counting is not measured. */
static void drain(struct sums *sums, struct nt_source *source)
{
	enum nt_status status;
	do {
		struct nt_batch *batch = NULL;
		uint64_t before_ns = thread_cpu_ns();
		status = source->ops->drain(source, BUDGET, &batch, NULL);
		sums->cpu_ns += thread_cpu_ns() - before_ns;
		if (status == NT_OK) {
			count(sums, batch);
			source->ops->give_back(source, batch);
		}
	} while (status == NT_OK);
}

static int run(const struct nt_target *target, const struct nt_source_config *config, double seconds, struct nt_error *err)
{
	struct nt_source *source;
	if (nt_source_perf.open(config, &source, err) != NT_OK)
		return 1;
	if (source->ops->add(source, target, err) != NT_OK) {
		source->ops->close(source);
		return 1;
	}
	struct sums sums = { 0 };
	nt_time end = nt_clock_now() + (nt_time)(seconds * (double)NT_NS_PER_S);
	while (nt_clock_now() < end) {
		nanosleep(&(struct timespec){ .tv_nsec = (long)(TICK_MS * NT_NS_PER_MS) }, NULL);
		drain(&sums, source);
	}
	source->ops->close(source);
	printf("{\"samples\": %" PRIu64 ", \"lost\": %" PRIu64 ", \"cpu_ns\": %" PRIu64 ", \"ns_per_sample\": %.1f}\n", sums.sample_count,
	       sums.lost_count, sums.cpu_ns, sums.sample_count ? (double)sums.cpu_ns / (double)sums.sample_count : 0.0);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fputs("usage: bench_drain PID HZ SECONDS\n", stderr);
		return 2;
	}
	struct nt_source_config config = { .perf_hz = (unsigned)atoi(argv[2]), .proc_root = "/proc", .undo_note = undo_note };
	struct nt_error err = { 0 };
	struct nt_target *target = NULL;
	int status = 1;
	if (nt_target_find("/proc", argv[1], &target, &err) == NT_OK)
		status = run(target, &config, atof(argv[3]), &err);
	if (status) {
		char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
		fprintf(stderr, "bench_drain: %s\n", nt_error_text(&err, text, sizeof(text)));
	}
	nt_target_free(target);
	return status;
}
