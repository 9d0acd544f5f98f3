// SPDX-License-Identifier: GPL-2.0-only
/*
 * How nettop's own CPU time grows with the number of CPUs that a target keeps busy, and with the samples of other processes: the perf source attaches to a process
 * and its samples are recorded; then they are replayed to it, as often as so many CPUs would have made them. What they go through is nettop's own, from the records to
 * the snapshot of each second; only nt_perf_list_read(), and nt_perf_list_control(), which sets the rate, are ours (the linker puts them in its place).
 *
 *   bench_growth PID RECORD_SECONDS SECONDS CPUS:FOREIGN_PCT...
 *
 * Prints `recorded` when it needs the process no more, and a JSON object for each CPUS:FOREIGN_PCT: samples that were replayed per second, those that arrived in the
 * model, cpu_ns_per_s of the thread without what the replaying itself costs, the rate that was asked for at the end.
 */
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "nettop/model.h"
#include "nettop/source.h"
#include "source/common/sources.h"
#include "source/perf/perf_list.h"
#include "target/process/target.h"

enum {
	HZ = 999,
	LOOK_MS = 250, /* as src/app/session/session.c looks, unless the source asks for more */
	BUDGET = 4096,
	WARM_UP_MS = 3000, /* not measured: what a stack costs when it is seen for the first time, and until the rate fits */
	RECORDED_MAX = 16384,
	CPUS_MAX = 1024,
	/* In a sample of NT_PERF_SAMPLE_TYPE. */
	AT_PID = 16,
	AT_TID = 20,
	AT_TIME = 24,
	AT_CPU = 32,
	TIDS_APART = 1 << 22, /* more than a kernel gives */
};

typedef bool put_function(void *context, const uint8_t *bytes, size_t length);

uint64_t __real_nt_perf_list_read(struct nt_perf_list *list, put_function *put, void *context);
uint64_t __wrap_nt_perf_list_read(struct nt_perf_list *list, put_function *put, void *context);
bool __real_nt_perf_list_control(struct nt_perf_list *list, unsigned long request, unsigned long argument) __attribute__((weak));
bool __wrap_nt_perf_list_control(struct nt_perf_list *list, unsigned long request, unsigned long argument);

/* A record as the kernel wrote it. */
struct record {
	uint8_t *bytes;
	uint16_t length;
};

/* The wrapped functions are given nothing of ours: their state is here. */
static struct {
	uint32_t pid;
	struct record records[RECORDED_MAX]; /* samples of the target */
	size_t record_count;
	bool replaying;
	unsigned cpu_count, foreign_pct;
	uint64_t period_ns;
	struct nt_perf_list *list; /* the first one, which the replayed samples come from */
	nt_time told[CPUS_MAX];    /* until when each CPU's samples were replayed */
	uint64_t sample_count, own_count;
	uint64_t spent_ns; /* by replaying */
	put_function *put;
	void *put_context;
	uint8_t buffer[UINT16_MAX];
} world;

static uint64_t thread_cpu_ns(void)
{
	struct timespec ts;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* ---- recording ---- */

static bool is_own_sample(const uint8_t *bytes, size_t length)
{
	struct perf_event_header header;
	uint32_t pid;
	memcpy(&header, bytes, sizeof(header));
	if (header.type != PERF_RECORD_SAMPLE || length < AT_CPU + sizeof(pid))
		return false;
	memcpy(&pid, bytes + AT_PID, sizeof(pid));
	return pid == world.pid;
}

static bool record(void *context, const uint8_t *bytes, size_t length)
{
	(void)context;
	if (is_own_sample(bytes, length) && world.record_count < RECORDED_MAX) {
		struct record *kept = &world.records[world.record_count++];
		kept->bytes = nt_alloc(length);
		kept->length = (uint16_t)length;
		memcpy(kept->bytes, bytes, length);
	}
	return world.put(world.put_context, bytes, length);
}

/* ---- replaying ---- */

static bool drop(void *context, const uint8_t *bytes, size_t length)
{
	(void)context;
	(void)bytes;
	(void)length;
	return true;
}

/* Each CPU's samples in its own order, every thread of the recording once for each CPU. */
static const struct record *make_sample(unsigned cpu, nt_time time)
{
	const struct record *from = &world.records[world.sample_count++ % world.record_count];
	bool own = world.sample_count * 37 % 100 >= world.foreign_pct;
	uint32_t pid = world.pid, tid;
	memcpy(&tid, from->bytes + AT_TID, sizeof(tid));
	if (own) {
		tid += cpu * TIDS_APART;
		world.own_count++;
	} else {
		tid = pid += TIDS_APART;
	}
	memcpy(world.buffer, from->bytes, from->length);
	memcpy(world.buffer + AT_PID, &pid, sizeof(pid));
	memcpy(world.buffer + AT_TID, &tid, sizeof(tid));
	memcpy(world.buffer + AT_TIME, &time, sizeof(time));
	memcpy(world.buffer + AT_CPU, &cpu, sizeof(cpu));
	return from;
}

static void replay_cpu(unsigned cpu, nt_time now, put_function *put, void *context)
{
	for (bool more = true; more && world.told[cpu] + world.period_ns <= now;) {
		world.told[cpu] += world.period_ns;
		const struct record *sample = make_sample(cpu, world.told[cpu]);
		more = put(context, world.buffer, sample->length);
	}
}

/* What making the samples costs is found by making them for nobody. */
static void weigh_replaying(uint64_t count)
{
	uint64_t samples = world.sample_count, own = world.own_count, before_ns = thread_cpu_ns();
	for (uint64_t i = 0; i < count; i++) {
		const struct record *sample = make_sample(0, 0);
		drop(NULL, world.buffer, sample->length);
	}
	/* Twice: these were made besides. */
	world.spent_ns += 2 * (thread_cpu_ns() - before_ns);
	world.sample_count = samples;
	world.own_count = own;
}

uint64_t __wrap_nt_perf_list_read(struct nt_perf_list *list, put_function *put, void *context)
{
	if (!world.list)
		world.list = list;
	world.put = put;
	world.put_context = context;
	if (!world.replaying)
		return __real_nt_perf_list_read(list, record, NULL);
	uint64_t before_ns = thread_cpu_ns();
	__real_nt_perf_list_read(list, drop, NULL);
	world.spent_ns += thread_cpu_ns() - before_ns;
	if (list != world.list)
		return 0;
	uint64_t before = world.sample_count;
	nt_time now = nt_clock_now();
	for (unsigned cpu = 0; cpu < world.cpu_count; cpu++)
		replay_cpu(cpu, now, put, context);
	weigh_replaying(world.sample_count - before);
	return 0;
}

bool __wrap_nt_perf_list_control(struct nt_perf_list *list, unsigned long request, unsigned long argument)
{
	if (request == PERF_EVENT_IOC_PERIOD)
		memcpy(&world.period_ns, (const void *)argument, sizeof(world.period_ns));
	return __real_nt_perf_list_control(list, request, argument);
}

/* ---- nettop's side ---- */

struct looker {
	struct nt_source *source; /* owned */
	struct nt_model *model;   /* owned */
	uint64_t sample_count;    /* that the model was given */
};

static void count(struct looker *looker, const struct nt_batch *batch)
{
	for (size_t i = 0; i < batch->event_count; i++)
		looker->sample_count += batch->events[i].kind == NT_EV_SAMPLE;
}

static void look(struct looker *looker)
{
	const struct nt_source_ops *ops = looker->source->ops;
	if (ops->on_tick)
		ops->on_tick(looker->source, nt_clock_now(), false);
	enum nt_status status;
	do {
		struct nt_batch *batch = NULL;
		status = ops->drain(looker->source, BUDGET, &batch, NULL);
		if (status == NT_OK) {
			count(looker, batch);
			nt_model_apply(looker->model, batch);
			ops->give_back(looker->source, batch);
		}
	} while (status == NT_OK);
	for (struct nt_snapshot *snapshot; (snapshot = nt_model_tick(looker->model, nt_clock_now()));)
		nt_snapshot_release(snapshot);
}

static void look_for(struct looker *looker, nt_time length_ns)
{
	for (nt_time end = nt_clock_now() + length_ns; nt_clock_now() < end;) {
		nt_time rest = looker->source->ops->rest(looker->source);
		rest = rest < LOOK_MS * NT_NS_PER_MS ? rest : LOOK_MS * NT_NS_PER_MS;
		nanosleep(&(struct timespec){ .tv_nsec = (long)rest }, NULL);
		look(looker);
	}
}

static void measure(struct looker *looker, unsigned cpu_count, unsigned foreign_pct, double seconds)
{
	world.cpu_count = cpu_count;
	world.foreign_pct = foreign_pct;
	world.replaying = true;
	for (unsigned cpu = 0; cpu < cpu_count; cpu++)
		world.told[cpu] = nt_clock_now();
	look_for(looker, WARM_UP_MS * NT_NS_PER_MS);
	uint64_t samples = world.sample_count, arrived = looker->sample_count, spent_ns = world.spent_ns, before_ns = thread_cpu_ns();
	nt_time start = nt_clock_now();
	look_for(looker, (nt_time)(seconds * (double)NT_NS_PER_S));
	double length_s = (double)(nt_clock_now() - start) / (double)NT_NS_PER_S;
	double cpu_ns = (double)(thread_cpu_ns() - before_ns) - (double)(world.spent_ns - spent_ns);
	printf("{\"cpus\": %u, \"foreign_pct\": %u, \"samples_per_s\": %.0f, \"arrived_per_s\": %.0f, \"cpu_ns_per_s\": %.0f, \"hz\": "
	       "%" PRIu64 "}\n",
	       cpu_count, foreign_pct, (double)(world.sample_count - samples) / length_s,
	       (double)(looker->sample_count - arrived) / length_s, cpu_ns / length_s, NT_NS_PER_S / world.period_ns);
	fflush(stdout);
}

/* ---- start and end ---- */

static void undo_note(void *context, const char *verb, const char *argument)
{
	(void)context;
	(void)verb;
	(void)argument;
}

static enum nt_status start(struct looker *looker, const struct nt_target *target, const struct nt_source_config *config,
			    struct nt_error *err)
{
	enum nt_status status = nt_source_perf.open(config, &looker->source, err);
	if (status != NT_OK)
		return status;
	status = looker->source->ops->add(looker->source, target, err);
	if (status != NT_OK)
		looker->source->ops->close(looker->source);
	return status;
}

static int run(const struct nt_target *target, char **arguments, struct nt_error *err)
{
	struct nt_source_config config = { .perf_hz = HZ, .proc_root = "/proc", .undo_note = undo_note };
	struct nt_model_config model_config;
	nt_model_config_init(&model_config);
	model_config.pid = world.pid = target->pid;
	model_config.start = nt_clock_now();
	model_config.interval_ns = NT_NS_PER_S;
	struct looker looker = { 0 };
	if (start(&looker, target, &config, err) != NT_OK)
		return 1;
	looker.model = nt_model_new(&model_config);
	world.period_ns = NT_NS_PER_S / HZ;
	look_for(&looker, (nt_time)(atof(arguments[0]) * (double)NT_NS_PER_S));
	int status = world.record_count ? 0 : 1;
	if (status)
		nt_error_set(err, NT_ERR_ABSENT, "no sample of process %u was recorded: it does not work, or perf is refused", target->pid);
	else
		puts("recorded");
	fflush(stdout);
	unsigned cpu_count, foreign_pct;
	for (char **at = &arguments[2]; !status && *at && sscanf(*at, "%u:%u", &cpu_count, &foreign_pct) == 2 && cpu_count <= CPUS_MAX;
	     at++)
		measure(&looker, cpu_count, foreign_pct, atof(arguments[1]));
	looker.source->ops->close(looker.source);
	nt_model_free(looker.model);
	for (size_t i = 0; i < world.record_count; i++)
		free(world.records[i].bytes);
	return status;
}

int main(int argc, char **argv)
{
	if (argc < 5) {
		fputs("usage: bench_growth PID RECORD_SECONDS SECONDS CPUS:FOREIGN_PCT...\n", stderr);
		return 2;
	}
	struct nt_error err = { 0 };
	struct nt_target *target = NULL;
	int status = 1;
	if (nt_target_find("/proc", argv[1], &target, &err) == NT_OK)
		status = run(target, &argv[2], &err);
	if (status) {
		char text[NT_ERROR_CAUSES * NT_ERROR_TEXT];
		fprintf(stderr, "bench_growth: %s\n", nt_error_text(&err, text, sizeof(text)));
	}
	nt_target_free(target);
	return status;
}
