// SPDX-License-Identifier: GPL-2.0-only
/* Room source/procfs: what the kernel counts. */
/*
 * procfs: what /proc says about the target, at the end of each interval and once a second: CPU time and memory of the process, state and CPU time of
 * its threads, and its end. Always available; the first frame stands on it. Intervals do not wait for it: its values are readings, not events in time.
 */
#include "nettop/source.h"

#include "base/alloc.h"
#include "base/wait_status.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/outbox.h"
#include "source/common/sources.h"
#include "source/procfs/procfs_cause.h"
#include "source/procfs/procfs_cpu.h"
#include "source/procfs/procfs_end.h"
#include "source/procfs/procfs_threads.h"
#include "target/needs/lttng_delivers.h"
#include "target/needs/prerequisites.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	STAT_BYTES = 1024,
	REST_MOST_MS = 1000, /* between two readings, in intervals that are longer */
	IDLE_FACTOR = 400,   /* a reading rests for this many times what it cost: 0.25 % of a CPU */
	STEP_US = 1000,      /* threads per tick, in time */
	FIRST_STEP_US = 20000,
};

struct procfs {
	struct nt_source base;
	const struct nt_source_config *config;
	struct nt_outbox box;
	const struct nt_target *target; /* borrowed; NULL = none, or ended */
	int dir_fd, stat_fd;            /* owned; of /proc/PID */
	bool has_clock;
	clockid_t cpu_clock; /* of the process; exact, in ns */
	struct nt_procfs_cpu cpu;
	struct nt_ev_proc values;          /* as last read */
	struct nt_procfs_threads *threads; /* owned */
	struct nt_procfs_cause cause;
	nt_time next_allowed; /* the process may be read again: see IDLE_FACTOR */
	nt_time next_due;
	bool stopped;
};

static struct procfs *self(struct nt_source *source)
{
	return (struct procfs *)source;
}

static void procfs_probe(const struct nt_target *target, const struct nt_source_config *config, struct nt_probe *out)
{
	(void)target;
	(void)config;
	*out = (struct nt_probe){ .result = NT_PROBE_AVAILABLE };
}

static enum nt_status procfs_open(const struct nt_source_config *config, struct nt_source **out, struct nt_error *err)
{
	(void)err;
	struct procfs *p = nt_alloc(sizeof(*p));
	p->base.ops = &nt_source_procfs;
	p->config = config;
	p->dir_fd = p->stat_fd = -1;
	nt_outbox_init(&p->box, NT_SOURCE_PROCFS);
	*out = &p->base;
	return NT_OK;
}

/* What the target's start leaves out, as `nettop doctor` says it. */
static void state_prerequisite(struct procfs *p, enum nt_prerequisite_id id, nt_str *reason, nt_str *fix)
{
	const struct nt_facts facts = { .target = p->target };
	struct nt_probe probe;
	if (!p->target->is_dotnet || !nt_prerequisite_refuses(id, &facts, &probe))
		return;
	*reason = nt_outbox_str(&p->box, probe.reason);
	*fix = nt_outbox_str(&p->box, probe.fix);
}

static void state_left_out(struct procfs *p, unsigned want, nt_str *reason, nt_str *fix)
{
	struct nt_probe probe;
	if (!nt_target_lttng_refuses(p->target, want, &probe))
		return;
	*reason = nt_outbox_str(&p->box, probe.reason);
	*fix = nt_outbox_str(&p->box, probe.fix);
}

/* Who the target is, and that it ended; end_text: how, NULL = not known; status: the same as wait(2) gives it. */
static void state_target(struct procfs *p, nt_time now, bool ended, const char *end_text, const int *status)
{
	const struct nt_target *target = p->target;
	struct nt_ev_target said = {
		.start_ticks = target->start_ticks,
		.uptime_ns = now > target->start ? now - target->start : 0,
		.name = nt_outbox_str(&p->box, target->name),
		.runtime = nt_outbox_str(&p->box, target->runtime),
		.command = nt_outbox_str(&p->box, target->command),
		.mode = (uint32_t)target->mode,
		.cpu_count = target->cpu_count,
		.server_gc = target->server_gc,
		.kind = (uint32_t)target->deployment,
		.ended = ended,
		.end_text = nt_outbox_str(&p->box, end_text),
	};
	state_left_out(p, NT_WANT_JIT_EVENTS, &said.jit_reason, &said.jit_fix);
	state_left_out(p, NT_WANT_LOCK_EVENTS, &said.lock_reason, &said.lock_fix);
	state_prerequisite(p, NT_NEEDS_POOL_EVENTS, &said.pool_reason, &said.pool_fix);
	nt_str no_fix;
	state_prerequisite(p, NT_NEEDS_ALLOCATION_SAMPLES, &said.alloc_reason, &no_fix);
	struct nt_event *event = nt_outbox_add(&p->box, NT_EV_TARGET, now, target->pid, 0);
	event->u.target = said;
	if (ended)
		nt_procfs_cause_tell(&p->cause, status, &p->box, event);
}

static uint64_t clock_ns(clockid_t id)
{
	struct timespec ts;
	if (clock_gettime(id, &ts) < 0)
		return 0;
	return (uint64_t)ts.tv_sec * NT_NS_PER_S + (uint64_t)ts.tv_nsec;
}

/* False: there is nothing to be read. */
static bool read_cpu(struct procfs *p, struct nt_procfs_stat *stat)
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

static void state_values(struct procfs *p, nt_time now)
{
	p->values.user_ns = p->cpu.user_ns;
	p->values.kernel_ns = p->cpu.kernel_ns;
	nt_outbox_add(&p->box, NT_EV_PROC, now, p->target->pid, 0)->u.proc = p->values;
}

static void read_proc(struct procfs *p, nt_time now)
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
	state_values(p, now);
}

/* A process that has ended has its CPU time until its parent collects it; its memory and threads are gone, and the last ones stay. */
static void read_last_cpu(struct procfs *p, nt_time now)
{
	struct nt_procfs_stat stat;
	if (read_cpu(p, &stat))
		state_values(p, now);
}

static void detach(struct procfs *p)
{
	nt_procfs_threads_free(p->threads);
	nt_procfs_cause_fini(&p->cause);
	if (p->dir_fd >= 0)
		close(p->dir_fd);
	if (p->stat_fd >= 0)
		close(p->stat_fd);
	p->threads = NULL;
	p->dir_fd = p->stat_fd = -1;
	p->target = NULL;
}

static void state_end(struct procfs *p, nt_time now)
{
	char how[64], sentence[96];
	int status;
	read_last_cpu(p, now);
	bool known = nt_procfs_end(p->target, &status);
	if (known)
		nt_wait_status_text(status, how, sizeof(how));
	snprintf(sentence, sizeof(sentence), "the target has ended%s%s", known ? ": " : "", known ? how : "");
	state_target(p, now, true, known ? how : NULL, known ? &status : NULL);
	nt_outbox_state(&p->box, now, p->target->pid, NT_STATE_ENDED, false, sentence, NULL);
}

/* It was over before there was anything to open: its end is all that there is to say. */
static void state_gone(struct procfs *p, const struct nt_target *target)
{
	p->target = target;
	state_end(p, nt_clock_now());
	detach(p);
	p->stopped = true;
}

static enum nt_status procfs_add(struct nt_source *source, const struct nt_target *target, struct nt_error *err)
{
	struct procfs *p = self(source);
	nt_assert(!p->target); /* several processes come with a later issue */
	p->dir_fd = open(target->proc_dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	p->stat_fd = p->dir_fd < 0 ? -1 : openat(p->dir_fd, "stat", O_RDONLY | O_CLOEXEC);
	enum nt_status status = NT_OK;
	if (p->stat_fd < 0)
		status = nt_error_errno(err, NT_ERR_GONE, errno, "cannot open %s/stat", target->proc_dir);
	if (status == NT_OK)
		status = nt_procfs_threads_new(p->dir_fd, target->pid, &p->threads, err);
	if (status != NT_OK && !nt_target_alive(target)) {
		state_gone(p, target);
		return NT_OK;
	}
	if (status != NT_OK) {
		detach(p);
		return status;
	}
	p->target = target;
	/* A pidfd says that the pid is that of a live process here, not of a copied /proc. */
	p->has_clock = target->pidfd >= 0 && clock_getcpuclockid((pid_t)target->pid, &p->cpu_clock) == 0;
	nt_time now = nt_clock_now();
	nt_outbox_state(&p->box, now, target->pid, NT_STATE_DELIVERING, false, NULL, NULL);
	nt_procfs_cause_init(&p->cause, target);
	state_target(p, now, false, NULL, NULL);
	nt_procfs_threads_step(p->threads, &p->box, FIRST_STEP_US * NT_NS_PER_US, true);
	read_proc(p, now);
	return NT_OK;
}

static void procfs_remove(struct nt_source *source, uint32_t pid)
{
	struct procfs *p = self(source);
	if (p->target && p->target->pid == pid)
		detach(p);
}

static int procfs_fd(struct nt_source *source)
{
	(void)source;
	return -1;
}

/* The kernel adds up all threads for these values: dear with thousands of them. */
static void read_proc_if_allowed(struct procfs *p, nt_time now)
{
	if (now < p->next_allowed)
		return;
	nt_time start = nt_clock_now();
	read_proc(p, start);
	p->next_allowed = now + (nt_clock_now() - start) * IDLE_FACTOR;
}

static void procfs_on_tick(struct nt_source *source, nt_time now, bool closing)
{
	struct procfs *p = self(source);
	if (!p->target || p->stopped)
		return;
	if (!nt_target_alive(p->target)) {
		state_end(p, now);
		detach(p);
		p->stopped = true;
		return;
	}
	bool due = closing || now >= p->next_due;
	nt_procfs_threads_step(p->threads, &p->box, STEP_US * NT_NS_PER_US, due);
	if (!due)
		return;
	read_proc_if_allowed(p, now);
	nt_procfs_cause_go_on(&p->cause);
	p->next_due = now + REST_MOST_MS * NT_NS_PER_MS;
}

static enum nt_status procfs_drain(struct nt_source *source, unsigned budget, struct nt_batch **take, struct nt_error *err)
{
	(void)budget; /* bounded by the time budget of a tick */
	(void)err;
	struct procfs *p = self(source);
	*take = nt_outbox_take(&p->box);
	return *take ? NT_OK : p->stopped ? NT_END : NT_AGAIN;
}

static void procfs_give_back(struct nt_source *source, struct nt_batch *batch)
{
	nt_outbox_give_back(&self(source)->box, batch);
}

static void procfs_stats(struct nt_source *source, struct nt_source_stats *out)
{
	*out = self(source)->box.stats;
}

/* One last reading, so that totals reach up to the end. */
static void procfs_stop(struct nt_source *source)
{
	struct procfs *p = self(source);
	if (p->target && !p->stopped && nt_target_alive(p->target))
		read_proc(p, nt_clock_now());
	p->stopped = true;
}

static void procfs_close(struct nt_source *source)
{
	struct procfs *p = self(source);
	detach(p);
	nt_outbox_fini(&p->box);
	free(p);
}

const struct nt_source_ops nt_source_procfs = {
	.name = "procfs",
	.id = NT_SOURCE_PROCFS,
	.probe = procfs_probe,
	.open = procfs_open,
	.add = procfs_add,
	.remove = procfs_remove,
	.fd = procfs_fd,
	.drain = procfs_drain,
	.give_back = procfs_give_back,
	.on_tick = procfs_on_tick,
	.stats = procfs_stats,
	.stop = procfs_stop,
	.close = procfs_close,
};
