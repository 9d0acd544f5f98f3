// SPDX-License-Identifier: GPL-2.0-only
#include "source/procfs/procfs_process.h"

#include "base/alloc.h"
#include "base/wait_status.h"
#include "decode/kernel/procfs_text.h"
#include "source/procfs/procfs_calls.h"
#include "source/procfs/procfs_cause.h"
#include "source/procfs/procfs_cpu.h"
#include "source/procfs/procfs_end.h"
#include "source/procfs/procfs_host.h"
#include "source/procfs/procfs_io.h"
#include "source/procfs/procfs_threads.h"
#include "target/needs/lttng_delivers.h"
#include "target/needs/prerequisites.h"
#include "target/process/cgroup_path.h"
#include "target/process/gc_asked.h"
#include "target/process/jit_asked.h"
#include "target/process/runtime_config_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	STATUS_BYTES = 4096, /* what is beyond, in a process of hundreds of groups, is not known */
	REST_MOST_MS = 1000, /* between two readings, in intervals that are longer */
	IDLE_FACTOR = 400,   /* a reading rests for this many times what it cost: 0.25 % of a CPU */
	FIRST_STEP_US = 20000,
	LACKS_PCT = 5,        /* of the time between two readings its threads waited for a CPU, all together: */
	LACKS_FOR_MS = 10000, /* it is asked who has them, for so long */
	GC_ASKED_MOST = 60,   /* one that has just been started has no heap yet */
};

struct nt_procfs_process {
	struct nt_outbox *box;                 /* borrowed */
	const struct nt_target *target;        /* borrowed */
	const struct nt_source_config *config; /* borrowed */
	int dir_fd, stat_fd, status_fd, io_fd; /* owned; of /proc/PID. Of the last two -1: there is none */
	bool has_clock;
	clockid_t cpu_clock; /* of the process; exact, in ns */
	struct nt_procfs_cpu cpu;
	struct nt_ev_proc values;          /* as last read */
	uint32_t server_gc, gc_asked;      /* as last told; how often its threads were asked for it */
	struct nt_procfs_threads *threads; /* owned */
	struct nt_procfs_cause cause;
	struct nt_procfs_io io;
	struct nt_procfs_calls calls;
	struct nt_procfs_host host;
	struct {
		nt_time time;
		uint64_t ns;
	} waited;             /* for a CPU, when it was read last */
	nt_time lacks_until;  /* it has lacked CPUs lately */
	nt_time next_allowed; /* the process may be read again: see IDLE_FACTOR */
	nt_time next_due;
};

/* What the target's start leaves out, as `nettop doctor` says it. */
static void state_prerequisite(struct nt_procfs_process *p, enum nt_prerequisite_id id, nt_str *reason, nt_str *fix)
{
	const struct nt_facts facts = { .target = p->target };
	struct nt_probe probe;
	if (!p->target->is_dotnet || !nt_prerequisite_refuses(id, &facts, &probe))
		return;
	*reason = nt_outbox_str(p->box, probe.reason);
	*fix = nt_outbox_str(p->box, probe.fix);
}

static void state_left_out(struct nt_procfs_process *p, unsigned want, nt_str *reason, nt_str *fix)
{
	struct nt_probe probe;
	if (!nt_target_lttng_refuses(p->target, want, &probe))
		return;
	*reason = nt_outbox_str(p->box, probe.reason);
	*fix = nt_outbox_str(p->box, probe.fix);
}

/* Who the target is, and that it ended; end_text: how, NULL = not known; status: the same as wait(2) gives it. */
static void state_target(struct nt_procfs_process *p, nt_time now, bool ended, const char *end_text, const int *status)
{
	const struct nt_target *target = p->target;
	struct nt_ev_target said = {
		.start_ticks = target->start_ticks,
		.uptime_ns = now > target->start ? now - target->start : 0,
		.name = nt_outbox_str(p->box, target->name),
		.runtime = nt_outbox_str(p->box, target->runtime),
		.command = nt_outbox_str(p->box, target->command),
		.mode = (uint32_t)target->mode,
		.cpu_count = target->cpu_count,
		.server_gc = p->server_gc,
		.kind = (uint32_t)target->deployment,
		.ended = ended,
		.end_text = nt_outbox_str(p->box, end_text),
	};
	state_left_out(p, NT_WANT_JIT_EVENTS, &said.jit_reason, &said.jit_fix);
	state_left_out(p, NT_WANT_LOCK_EVENTS, &said.lock_reason, &said.lock_fix);
	state_prerequisite(p, NT_NEEDS_POOL_EVENTS, &said.pool_reason, &said.pool_fix);
	nt_str no_fix;
	state_prerequisite(p, NT_NEEDS_ALLOCATION_SAMPLES, &said.alloc_reason, &no_fix);
	struct nt_event *event = nt_outbox_add(p->box, NT_EV_TARGET, now, target->pid, 0);
	event->u.target = said;
	if (ended)
		nt_procfs_cause_tell(&p->cause, status, p->box, event);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;
	if (clock_gettime(id, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* False: there is nothing to be read. */
static bool read_cpu(struct nt_procfs_process *p, struct nt_procfs_stat *stat)
{
	char text[STAT_BYTES];
	ssize_t length = pread(p->stat_fd, text, sizeof(text), 0);
	if (length <= 0 || !nt_procfs_stat_parse(text, (size_t)length, stat))
		return false;
	uint64_t tick_ns = NT_NS_PER_S / (uint64_t)sysconf(_SC_CLK_TCK);
	uint64_t kernel_ns = stat->kernel_ticks * tick_ns, total_ns = p->has_clock ? clock_ns(p->cpu_clock) : 0;
	nt_procfs_cpu_update(&p->cpu, total_ns ? total_ns : stat->user_ticks * tick_ns + kernel_ns, kernel_ns);
	return true;
}

static void state_values(struct nt_procfs_process *p, nt_time now)
{
	p->values.user_ns = p->cpu.user_ns;
	p->values.kernel_ns = p->cpu.kernel_ns;
	nt_outbox_add(p->box, NT_EV_PROC, now, p->target->pid, 0)->u.proc = p->values;
}

/* Did its threads wait for CPUs? */
static void note_lack(struct nt_procfs_process *p, nt_time now)
{
	uint64_t waited_ns = p->values.waited_ns;
	if (!p->values.waited_known)
		return;
	bool goes_on = p->waited.time && now > p->waited.time && waited_ns >= p->waited.ns;
	if (goes_on && (waited_ns - p->waited.ns) * 100 > (now - p->waited.time) * LACKS_PCT)
		p->lacks_until = now + LACKS_FOR_MS * NT_NS_PER_MS;
	p->waited.time = now;
	p->waited.ns = waited_ns;
}

/* Counters that the kernel has anyhow. smaps would say more, and walk the page tables of the target for it, under the lock of its memory. */
static void read_memory(const struct nt_procfs_process *p, struct nt_ev_proc *out)
{
	char text[STATUS_BYTES];
	struct nt_procfs_memory memory;
	ssize_t length = p->status_fd < 0 ? -1 : pread(p->status_fd, text, sizeof(text), 0);
	if (length <= 0 || !nt_procfs_memory_parse(text, (size_t)length, &memory))
		return;
	out->rss_bytes = memory.anon_bytes + memory.file_bytes + memory.shared_bytes;
	out->anon_bytes = memory.anon_bytes;
	out->file_bytes = memory.file_bytes;
	out->shared_bytes = memory.shared_bytes;
	out->swap_bytes = memory.swap_bytes;
	out->split_known = true;
}

/* As soon as its threads say it. */
static void ask_server_gc(struct nt_procfs_process *p, nt_time now)
{
	if (p->server_gc != 2 || !p->target->is_dotnet || p->gc_asked++ >= GC_ASKED_MOST)
		return;
	p->server_gc = nt_target_server_gc(p->target);
	if (p->server_gc != 2)
		state_target(p, now, false, NULL, NULL);
}

static void read_proc(struct nt_procfs_process *p, nt_time now)
{
	struct nt_procfs_stat stat;
	if (!read_cpu(p, &stat))
		return;
	struct nt_procfs_counts counts = nt_procfs_threads_counts(p->threads);
	p->values = (struct nt_ev_proc){
		.rss_bytes = stat.rss_pages * (uint64_t)sysconf(_SC_PAGESIZE),
		.thread_count = stat.thread_count,
		.running_count = counts.running_count,
		.pool_count = counts.pool_count,
		.pool_known = counts.known && p->target->is_dotnet,
		.waited_ns = counts.waited_ns,
		.waited_known = counts.known && counts.waited_known,
	};
	read_memory(p, &p->values);
	state_values(p, now);
	note_lack(p, now);
	ask_server_gc(p, now);
	nt_procfs_io_read(&p->io, p->dir_fd, p->io_fd, p->target->pid, p->box, now);
}

/* A process that has ended has its CPU time until its parent collects it; its memory and threads are gone, and the last ones stay. */
static void read_last_cpu(struct nt_procfs_process *p, nt_time now)
{
	struct nt_procfs_stat stat;
	if (read_cpu(p, &stat))
		state_values(p, now);
}

static void state_end(struct nt_procfs_process *p, nt_time now)
{
	char how[64], sentence[96];
	int status;
	read_last_cpu(p, now);
	bool known = nt_procfs_end(p->target, &status);
	if (known)
		nt_wait_status_text(status, how, sizeof(how));
	snprintf(sentence, sizeof(sentence), "the target has ended%s%s", known ? ": " : "", known ? how : "");
	state_target(p, now, true, known ? how : NULL, known ? &status : NULL);
	nt_outbox_state(p->box, now, p->target->pid, NT_STATE_ENDED, false, sentence, NULL);
}

void nt_procfs_process_free(struct nt_procfs_process *p)
{
	if (!p)
		return;
	nt_procfs_threads_free(p->threads);
	nt_procfs_cause_fini(&p->cause);
	nt_procfs_io_fini(&p->io);
	nt_procfs_calls_fini(&p->calls);
	nt_procfs_host_fini(&p->host);
	if (p->dir_fd >= 0)
		close(p->dir_fd);
	if (p->stat_fd >= 0)
		close(p->stat_fd);
	if (p->status_fd >= 0)
		close(p->status_fd);
	if (p->io_fd >= 0)
		close(p->io_fd);
	free(p);
}

static enum nt_status open_process(struct nt_procfs_process *p, struct nt_error *err)
{
	p->dir_fd = open(p->target->proc_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	p->stat_fd = p->dir_fd < 0 ? -1 : openat(p->dir_fd, "stat", O_RDONLY | O_CLOEXEC);
	p->status_fd = p->dir_fd < 0 ? -1 : openat(p->dir_fd, "status", O_RDONLY | O_CLOEXEC);
	p->io_fd = p->dir_fd < 0 ? -1 : openat(p->dir_fd, "io", O_RDONLY | O_CLOEXEC);
	if (p->stat_fd < 0)
		return nt_error_errno(err, NT_ERR_GONE, errno, "cannot open %s/stat", p->target->proc_dir);
	return nt_procfs_threads_new(p->dir_fd, p->target->pid, p->config->several, &p->threads, err);
}

static void state_gc_setting(struct nt_procfs_process *p, nt_time now, enum nt_gc_setting setting, uint64_t value, uint32_t origin)
{
	const struct nt_ev_gc_setting said = { .value = value, .setting = (uint32_t)setting, .origin = origin };
	nt_outbox_add(p->box, NT_EV_GC_SETTING, now, p->target->pid, 0)->u.gc_setting = said;
}

/* With which settings of the collector it was started. */
static void state_gc_asked(struct nt_procfs_process *p, nt_time now, const struct nt_environment *environment, const char *config)
{
	struct nt_gc_settings settings;
	nt_target_gc_asked(environment, config, &settings);
	for (enum nt_gc_setting i = 0; i < NT_GC_SETTING_COUNT; i++)
		if (settings.asked[i].known)
			state_gc_setting(p, now, i, settings.asked[i].v, settings.asked_by[i]);
	for (uint32_t origin = 0; origin < NT_GC_ORIGIN_COUNT; origin++)
		if (settings.read[origin])
			state_gc_setting(p, now, NT_GC_SETTINGS_READ, 0, origin);
}

/* With which settings it was started: once, they do not change. */
static void state_asked(struct nt_procfs_process *p, nt_time now)
{
	const struct nt_environment environment = nt_target_environment(p->target);
	char config[NT_RUNTIME_CONFIG_BYTES];
	if (!p->target->is_dotnet)
		return;
	nt_runtime_config_of(p->target, config);
	state_gc_asked(p, now, &environment, config);
	nt_outbox_add(p->box, NT_EV_JIT_SETTING, now, p->target->pid, 0)->u.jit_setting = nt_target_jit_asked(&environment, config);
}

/* A source begins with its state. A further process is known by its identity only, so that comes before what is said of it. */
static void introduce(struct nt_procfs_process *p, nt_time now, bool first)
{
	if (!first)
		state_target(p, now, false, NULL, NULL);
	nt_outbox_state(p->box, now, p->target->pid, NT_STATE_DELIVERING, false, NULL, NULL);
	if (first)
		state_target(p, now, false, NULL, NULL);
	state_asked(p, now);
}

enum nt_status nt_procfs_process_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_outbox *box,
				     bool first, struct nt_procfs_process **out, struct nt_error *err)
{
	struct nt_procfs_process *p = nt_alloc(sizeof(*p));
	p->target = target;
	p->server_gc = target->server_gc;
	p->config = config;
	p->box = box;
	*out = NULL;
	enum nt_status status = open_process(p, err);
	if (status != NT_OK) {
		bool gone = !nt_target_alive(target);
		if (gone) /* its end is all that there is to say */
			state_end(p, nt_clock_now());
		nt_procfs_process_free(p);
		return gone ? NT_OK : status;
	}
	/* A pidfd says that the pid is that of a live process here, not of a copied /proc. */
	p->has_clock = target->pidfd >= 0 && clock_getcpuclockid((pid_t)target->pid, &p->cpu_clock) == 0;
	nt_procfs_cause_init(&p->cause, target);
	p->host.cgroup_root = NT_CGROUP_ROOT;
	nt_time now = nt_clock_now();
	introduce(p, now, first);
	nt_procfs_threads_step(p->threads, box, FIRST_STEP_US * NT_NS_PER_US, true);
	read_proc(p, now);
	*out = p;
	return NT_OK;
}

uint32_t nt_procfs_process_pid(const struct nt_procfs_process *p)
{
	return p->target->pid;
}

void nt_procfs_process_share(struct nt_procfs_process *p, struct nt_procfs_machine *machine)
{
	p->host.machine = machine;
}

void nt_procfs_process_want(struct nt_procfs_process *p, unsigned demand)
{
	nt_procfs_io_want(&p->io, demand & NT_WANT_DESCRIPTORS);
	nt_procfs_calls_want(&p->calls, demand & NT_WANT_CALLS);
}

/* The kernel adds up all threads for these values: dear with thousands of them. */
static void read_proc_if_allowed(struct nt_procfs_process *p, nt_time now)
{
	if (now < p->next_allowed)
		return;
	uint64_t used_ns = nt_clock_thread_cpu();
	read_proc(p, nt_clock_now());
	p->next_allowed = now + (nt_clock_thread_cpu() - used_ns) * IDLE_FACTOR;
}

static void step_calls(struct nt_procfs_process *p, bool due, bool last)
{
	nt_procfs_calls_step(&p->calls, p->target, p->config, p->dir_fd, p->cpu.user_ns + p->cpu.kernel_ns, due, last, p->box);
}

bool nt_procfs_process_tick(struct nt_procfs_process *p, nt_time now, nt_time step_ns, bool closing)
{
	if (!nt_target_alive(p->target)) {
		step_calls(p, true, true);
		state_end(p, now);
		return false;
	}
	bool due = closing || now >= p->next_due;
	nt_procfs_threads_step(p->threads, p->box, step_ns, due);
	nt_procfs_io_step(&p->io, p->dir_fd, p->target->pid, p->box, step_ns, due);
	/* Who has the CPUs is looked for in all processes: not for each of several, of which the list tells what all others have. */
	bool lacks = now < p->lacks_until && !p->config->several;
	nt_procfs_host_step(&p->host, p->dir_fd, p->target->pid, due, lacks, step_ns, p->box);
	if (!due) {
		step_calls(p, false, false);
		return true;
	}
	read_proc_if_allowed(p, now);
	step_calls(p, true, false);
	nt_procfs_cause_go_on(&p->cause);
	p->next_due = now + REST_MOST_MS * NT_NS_PER_MS;
	return true;
}

void nt_procfs_process_stop(struct nt_procfs_process *p)
{
	if (!nt_target_alive(p->target))
		return;
	read_proc(p, nt_clock_now());
	step_calls(p, true, true);
}

void nt_procfs_process_cost(const struct nt_procfs_process *p, struct nt_source_stats *out)
{
	nt_calls_watch_cost(p->calls.watch, out);
}
