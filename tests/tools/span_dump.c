// SPDX-License-Identifier: GPL-2.0-only
/*
 * When a process was sampled, and the methods of a span: perf and the perf map into a model, whose intervals of a second are kept as a screen keeps them.
 *
 *   span_dump [-n] [-e] [-F HZ] PID_OR_NAME
 *
 * -n: samples are not kept one by one. -e: besides, what the runtime tells over EventPipe, with allocations. One line of JSON for each interval; a line `FROM TO` (ns, CLOCK_MONOTONIC) on standard input is answered with the methods of that span, and what is hottest in its call tree, one `FROM TO AGAINST_FROM AGAINST_TO` with what differs from the other one. The end of standard input ends it.
 */
#include <getopt.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "model/past/past_compare.h"
#include "model/past/past_span.h"
#include "nettop/model.h"
#include "source/all/own_processes.h"
#include "source/common/sources.h"
#include "target/process/target.h"

enum { TICK_MS = 50, BUDGET = 4096, SHOWN = 5, LINE = 128 };

static struct nt_past *past;

static int fail(const struct nt_error *err)
{
	char message[1024];
	fprintf(stderr, "span_dump: %s\n", nt_error_text(err, message, sizeof(message)));
	return 1;
}

static void show_interval(const struct nt_snapshot *s)
{
	const struct nt_interval_samples *samples = &s->processes[0].interval_samples;
	printf("{\"t0\":%" PRIu64 ",\"t1\":%" PRIu64 ",\"past_bytes\":%zu,\"rows\":%u,\"stacks\":%u,\"late\":%u,\"parts\":[", s->t0, s->t1,
	       nt_past_reach(past).bytes, samples->row_count, samples->stack_count, samples->late);
	for (unsigned i = 0; i < NT_INTERVAL_PARTS; i++)
		printf("%s%u", i ? "," : "", samples->parts[i]);
	puts("]}");
}

static void show_path(const struct nt_stack_tree *tree, uint32_t node)
{
	const struct nt_stack_frame *frame = &tree->frames[tree->nodes[node].frame];
	if (tree->nodes[node].parent != NT_STACK_ROOT) {
		show_path(tree, tree->nodes[node].parent);
		putchar(',');
	}
	printf("\"%s\"", frame->name ? frame->name : "");
}

/* How many samples the call tree has, and the path with most of its own. */
static void show_tree(const struct nt_stack_tree *tree)
{
	uint32_t hottest = 0;
	for (uint32_t i = 0; i < tree->node_count; i++)
		hottest = tree->nodes[i].self > tree->nodes[hottest].self ? i : hottest;
	printf(",\"stacks\":%.0f,\"hottest\":[", tree->samples);
	if (tree->node_count)
		show_path(tree, hottest);
	putchar(']');
}

static void show_span(nt_time from, nt_time to)
{
	nt_time began = nt_clock_thread_cpu();
	struct nt_snapshot *s = nt_past_span(past, from, to);
	if (!s) {
		puts("{\"span\":null}");
		return;
	}
	const struct nt_process_snapshot *process = &s->processes[0];
	printf("{\"span\":[%" PRIu64 ",%" PRIu64 "],\"cpu_ns\":%" PRIu64 ",\"samples\":%" PRIu64 ",\"methods\":[", s->t0, s->t1,
	       nt_clock_thread_cpu() - began, process->interval.cpu.samples.v);
	for (size_t i = 0; i < process->method_count && i < SHOWN; i++)
		printf("%s{\"name\":\"%s\",\"self\":%" PRIu64 "}", i ? "," : "", process->methods[i].name,
		       process->methods[i].self_samples);
	putchar(']');
	show_tree(&process->stacks);
	puts("}");
	nt_snapshot_release(s);
}

static void show_difference(nt_time before_from, nt_time before_to, nt_time from, nt_time to)
{
	nt_time began = nt_clock_thread_cpu();
	struct nt_snapshot *s = nt_past_compare(past, before_from, before_to, past, from, to);
	if (!s) {
		puts("{\"difference\":null}");
		return;
	}
	const struct nt_difference *difference = &s->processes[0].difference;
	printf("{\"difference\":[");
	for (size_t i = 0; i < difference->row_count; i++) {
		const struct nt_difference_row *row = &difference->rows[i];
		printf("%s{\"kind\":%d,\"name\":\"%s\",\"before\":%.3f,\"after\":%.3f,\"before_pct\":%.3f,\"after_pct\":%.3f,\"change_"
		       "pct\":%.2f,"
		       "\"error_pct\":%.2f,\"chance\":%g}",
		       i ? "," : "", (int)row->kind, row->name, row->before.v, row->after.v, row->before_pct.v, row->after_pct.v,
		       row->before_count ? row->change_pct : 0, row->before_count ? row->error_pct : 0, row->chance);
	}
	printf("],\"compared\":[");
	for (int kind = 0; kind < NT_DIFFER_KINDS; kind++)
		printf("%s%zu", kind ? "," : "", difference->compared[kind]);
	printf("],\"cpu_ns\":%" PRIu64 ",\"samples\":[%" PRIu64 ",%" PRIu64 "],\"load\":%.3f,\"needs\":%.2f,\"reason\":\"%s\"}\n",
	       nt_clock_thread_cpu() - began, difference->before.samples, difference->after.samples, difference->load, difference->needs.v,
	       difference->reason ? difference->reason : "");
	nt_snapshot_release(s);
}

/* False: nobody asks any more. */
static bool answer(void)
{
	char line[LINE];
	uint64_t from, to, before_from, before_to;
	struct pollfd input = { .fd = STDIN_FILENO, .events = POLLIN };
	if (poll(&input, 1, TICK_MS) <= 0)
		return true;
	if (!fgets(line, sizeof(line), stdin))
		return false;
	int count = sscanf(line, "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64, &from, &to, &before_from, &before_to);
	if (count == 4)
		show_difference(before_from, before_to, from, to);
	else if (count == 2)
		show_span(from, to);
	return true;
}

static bool drain(struct nt_model *model, struct nt_source *source)
{
	for (;;) {
		struct nt_batch *batch = NULL;
		struct nt_error err = { 0 };
		enum nt_status status = source->ops->drain(source, BUDGET, &batch, &err);
		if (status != NT_OK)
			return status == NT_AGAIN;
		nt_model_apply(model, batch);
		source->ops->give_back(source, batch);
	}
}

static void pass(struct nt_model *model)
{
	struct nt_snapshot *s;
	while ((s = nt_model_tick(model, nt_clock_now()))) {
		nt_past_add(past, s);
		show_interval(s);
		nt_snapshot_release(s);
	}
}

static void run(struct nt_model *model, struct nt_source **sources, size_t count)
{
	while (answer()) {
		for (size_t i = 0; i < count; i++) {
			if (sources[i]->ops->on_tick)
				sources[i]->ops->on_tick(sources[i], nt_clock_now(), true);
			drain(model, sources[i]);
		}
		pass(model);
	}
}

static void keep_samples(struct nt_model *model, uint32_t pid)
{
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	nt_batch_add(batch, NT_EV_KEEP_SAMPLES, nt_clock_now(), pid, 0)->u.keep_samples.wanted = 1;
	nt_model_apply(model, batch);
	nt_batch_free(batch);
}

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static bool undo_hold(void *context, const char *verb, const char *argument, int fd)
{
	(void)fd;
	undo_note(context, verb, argument);
	return true;
}

static enum nt_status open_source(const struct nt_source_ops *ops, const struct nt_source_config *config, const struct nt_target *target,
				  struct nt_source **source, struct nt_error *err)
{
	struct nt_probe probe = { .result = NT_PROBE_AVAILABLE };
	ops->probe(target, config, &probe);
	enum nt_status status = ops->open(config, source, err);
	return status == NT_OK ? ops->add(*source, target, err) : status;
}

int main(int argc, char **argv)
{
	int exit_status;
	if (nt_own_process_served(argc, argv, &exit_status))
		return exit_status;
	char runtime_dir[] = "/tmp/span_dump.XXXXXX";
	struct nt_source_config config = { .perf_hz = 99, .proc_root = "/proc", .undo_note = undo_note, .undo_hold = undo_hold };
	bool keep = true, events = false;
	for (int c; (c = getopt(argc, argv, "neF:")) != -1;) {
		if (c == 'n')
			keep = false;
		else if (c == 'e')
			events = true;
		else if (c == 'F')
			config.perf_hz = (unsigned)atoi(optarg);
		else
			return 2;
	}
	struct nt_error err = { 0 };
	struct nt_target *target;
	struct nt_source *sources[3];
	size_t source_count = 2;
	if (optind + 1 != argc || !mkdtemp(runtime_dir))
		return 2;
	config.runtime_dir = runtime_dir;
	setlinebuf(stdout);
	setvbuf(stdin, NULL, _IONBF, 0); /* poll() must see what there is */
	if (nt_target_find("/proc", argv[optind], &target, &err) != NT_OK)
		return fail(&err);
	if (open_source(&nt_source_perf, &config, target, &sources[0], &err) != NT_OK ||
	    open_source(&nt_source_codemap, &config, target, &sources[1], &err) != NT_OK)
		return fail(&err);
	if (events) {
		if (open_source(&nt_source_eventpipe, &config, target, &sources[source_count], &err) != NT_OK)
			return fail(&err);
		nt_source_eventpipe.want(sources[source_count++],
					 NT_WANT_RUNTIME_EVENTS | NT_WANT_EXCEPTIONS | NT_WANT_ALLOC_SAMPLES | NT_WANT_REQUESTS);
	}
	struct nt_model_config model_config;
	nt_model_config_init(&model_config);
	model_config.pid = target->pid;
	model_config.start = nt_clock_now();
	struct nt_model *model = nt_model_new(&model_config);
	past = nt_past_new(&(struct nt_past_config){ 0 });
	if (keep)
		keep_samples(model, target->pid);
	run(model, sources, source_count);
	for (size_t i = 0; i < source_count; i++)
		sources[i]->ops->close(sources[i]);
	nt_past_free(past);
	nt_model_free(model);
	nt_target_free(target);
	rmdir(runtime_dir);
	return 0;
}
