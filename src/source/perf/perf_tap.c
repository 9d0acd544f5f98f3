// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_tap.h"

#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "source/common/bpf_refused.h"
#include "source/common/tids.h"
#include "source/perf/tap_place.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum {
	RING_LEAST = 16 << 10,
	TASKS_MAX = 4096, /* descriptors of one tap */
	STACK = 127,      /* the kernel's own limit, unless somebody has raised it */
};

static unsigned cpu_limit(void)
{
	long count = sysconf(_SC_NPROCESSORS_CONF);
	return count > 0 ? (unsigned)count : 1;
}

/* Of what tells with stacks. */
static void tells(struct perf_event_attr *attr, const struct nt_tap *tap)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = tap->asked->sort == NT_MOMENT_SOFTWARE ? tap->asked->software : PERF_COUNT_SW_BPF_OUTPUT,
		.sample_period = tap->period_ns ? tap->period_ns : 1,
		.sample_type = NT_PERF_SAMPLE_TYPE | (nt_tap_is_probe(tap) ? PERF_SAMPLE_RAW : 0), /* tap_return.h */
		.sample_id_all = 1,
		.sample_max_stack = STACK,
		.disabled = tap->asked->sort == NT_MOMENT_SOFTWARE, /* until its program is set */
		.exclude_idle = tap->period_ns != 0,
		.watermark = 1,
		.wakeup_watermark = UINT32_MAX, /* nobody waits for it */
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
	};
}

/* With as large a ring as may be locked. */
static int open_ring(struct nt_tap *tap, struct perf_event_attr *attr, int tid, int cpu, size_t *bytes)
{
	struct nt_perf_ring ring;
	bool at_ring;
	int error;
	while ((error = nt_perf_ring_open(&ring, attr, tid, cpu, *bytes, &at_ring)) == EPERM && at_ring && *bytes > RING_LEAST)
		*bytes /= 2;
	if (!error)
		tap->rings[tap->ring_count++] = ring;
	return error;
}

static void close_rings(struct nt_tap *tap)
{
	while (tap->ring_count)
		nt_perf_ring_close(&tap->rings[--tap->ring_count]);
	free(tap->rings);
	tap->rings = NULL;
}

/* ---- by events of CPUs ---- */

static int set_program(struct nt_tap *tap, int fd)
{
	return ioctl(fd, PERF_EVENT_IOC_SET_BPF, tap->program.program) < 0 ? errno : 0;
}

static int open_cpu(struct nt_tap *tap, int cpu, size_t *bytes)
{
	struct perf_event_attr attr;
	tells(&attr, tap);
	int error = open_ring(tap, &attr, -1, cpu, bytes);
	if (error)
		return error == ENODEV ? 0 : error; /* that CPU is switched off */
	int fd = tap->rings[tap->ring_count - 1].fd;
	if (tap->asked->sort != NT_MOMENT_SOFTWARE)
		return nt_tap_program_ring(&tap->program, (unsigned)cpu, fd);
	error = set_program(tap, fd);
	return error ? error : ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) < 0 ? errno : 0;
}

static int open_cpus(struct nt_tap *tap, enum nt_tap_kind kind, const struct nt_tap_target *target, size_t bytes)
{
	struct nt_perf_filter process;
	if (!nt_perf_filter_of(target->proc_dir, target->ns_pid, &process))
		return EACCES;
	int error = nt_tap_program_load(kind, &process, cpu_limit(), &tap->program);
	if (error)
		return error;
	tap->rings = nt_alloc(cpu_limit() * sizeof(*tap->rings));
	for (unsigned cpu = 0; !error && cpu < cpu_limit(); cpu++)
		error = open_cpu(tap, (int)cpu, &bytes);
	if (!error && !tap->ring_count)
		error = ENODEV;
	if (error) {
		close_rings(tap);
		nt_tap_program_free(&tap->program);
	}
	return error;
}

/* ---- by events of threads, each on each CPU: inherited by later threads, and all of a CPU write to one ring ---- */

static int open_on(struct nt_tap *tap, const struct nt_tids *tids, int cpu, bool user_only, size_t *bytes)
{
	struct perf_event_attr attr;
	size_t first = tap->ring_count;
	tells(&attr, tap);
	attr.inherit = 1;
	attr.disabled = 0;
	attr.exclude_idle = 0;
	attr.exclude_kernel = user_only;
	for (size_t i = 0; i < tids->count; i++) {
		size_t none = 0;
		int error = open_ring(tap, &attr, tids->tids[i], cpu, tap->ring_count == first ? bytes : &none);
		if (error == ESRCH)
			continue; /* it has just ended */
		if (error)
			return error == ENODEV ? 0 : error;
		if (tap->ring_count > first + 1 &&
		    ioctl(tap->rings[tap->ring_count - 1].fd, PERF_EVENT_IOC_SET_OUTPUT, tap->rings[first].fd) < 0)
			return errno;
	}
	return 0;
}

static int open_tasks_so(struct nt_tap *tap, const struct nt_tids *tids, bool user_only, size_t bytes)
{
	int error = 0;
	tap->rings = nt_alloc(tids->count * cpu_limit() * sizeof(*tap->rings));
	for (unsigned cpu = 0; !error && cpu < cpu_limit(); cpu++)
		error = open_on(tap, tids, (int)cpu, user_only, &bytes);
	if (error)
		close_rings(tap);
	return error;
}

static int open_tasks(struct nt_tap *tap, const struct nt_tap_target *target, size_t bytes)
{
	struct nt_tids tids = { 0 };
	int error = nt_tids_list(&tids, target->proc_dir);
	if (!error && (!tids.count || tids.count * cpu_limit() > TASKS_MAX))
		error = tids.count ? EMFILE : ESRCH;
	if (!error)
		error = open_tasks_so(tap, &tids, false, bytes);
	if (error == EACCES || error == EPERM)
		error = open_tasks_so(tap, &tids, true, bytes);
	nt_tids_fini(&tids);
	tap->of_tasks = !error;
	return error;
}

/* ---- hooks ---- */

static int open_hook(struct nt_tap *tap)
{
	bool at_ring;
	if (tap->asked->sort != NT_MOMENT_TRACEPOINT)
		return nt_tap_program_probe(&tap->program, &tap->probe, &tap->hook.fd);
	/* On any CPU: the program runs on all. */
	int error = nt_perf_ring_open(&tap->hook, &tap->hook_attr, -1, 0, 0, &at_ring);
	if (error)
		return error;
	error = set_program(tap, tap->hook.fd);
	if (!error && ioctl(tap->hook.fd, PERF_EVENT_IOC_ENABLE, 0) < 0)
		error = errno;
	if (error)
		nt_perf_ring_close(&tap->hook);
	return error;
}

static enum nt_status plan_tracepoint(struct nt_tap *tap, struct nt_error *err)
{
	uint64_t id;
	enum nt_status status = nt_tap_tracepoint(tap->asked, &id, err);
	tap->hook_attr =
		(struct perf_event_attr){ .size = sizeof(tap->hook_attr), .type = PERF_TYPE_TRACEPOINT, .config = id, .disabled = 1 };
	return status;
}

static enum nt_status plan_probe(struct nt_tap *tap, const struct nt_tap_target *target, struct nt_error *err)
{
	uint64_t offset;
	enum nt_status status = nt_tap_function(tap->asked, target, &tap->image, &offset, err);
	if (status != NT_OK)
		return status;
	/* No other file than the one that was read, wherever its path leads by now. */
	snprintf(tap->image_path, sizeof(tap->image_path), "/proc/self/fd/%d", tap->image);
	tap->probe = (struct nt_tap_probe){
		.path = tap->image_path, .offset = offset, .pid = target->pid, .at_return = tap->asked->sort == NT_MOMENT_RETURN
	};
	return NT_OK;
}

/* ---- all of it ---- */

static enum nt_status refused(const struct nt_tap *tap, int error, const struct nt_tap_target *target, struct nt_error *err)
{
	const char *word = tap->asked->word;
	if (error == ESRCH)
		return nt_error_set(err, NT_ERR_GONE, "process %u has just ended", target->pid);
	if (nt_tap_is_probe(tap) && error == EINVAL)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "%s: this kernel does not probe functions for BPF programs (Linux 6.6)", word);
	if (error != EACCES && error != EPERM)
		return nt_error_errno(err, NT_ERR_FAILED, error, "%s: the kernel does not tell it", word);
	if (tap->asked->sort != NT_MOMENT_SOFTWARE) {
		char only[NT_ERROR_TEXT];
		snprintf(only, sizeof(only), "%s: it takes", word);
		return nt_bpf_refused(error, only, "CAP_BPF and CAP_PERFMON", "", err);
	}
	nt_error_set(err, NT_ERR_FORBIDDEN, "%s: the kernel tells it to the process's user or to who has CAP_PERFMON", word);
	nt_error_set_fix(err, "run nettop as root");
	return NT_ERR_FORBIDDEN;
}

static enum nt_status open_hooked(struct nt_tap *tap, const struct nt_tap_target *target, size_t ring_bytes, struct nt_error *err)
{
	bool point = tap->asked->sort == NT_MOMENT_TRACEPOINT;
	enum nt_status status = point ? plan_tracepoint(tap, err) : plan_probe(tap, target, err);
	if (status != NT_OK)
		return status;
	int error = open_cpus(tap, point ? NT_TAP_TRACEPOINT : NT_TAP_PROBE, target, ring_bytes);
	if (!error)
		error = open_hook(tap);
	return error ? refused(tap, error, target, err) : NT_OK;
}

enum nt_status nt_tap_open(struct nt_tap *tap, const struct nt_moment_asked *asked, const struct nt_tap_target *target,
			   const struct nt_tap_wish *wish, struct nt_error *err)
{
	*tap = (struct nt_tap){ .asked = asked, .image = -1, .hook = { .fd = -1 }, .program = { .map = -1, .rings = -1, .program = -1 } };
	tap->period_ns = asked->unit == NT_MOMENT_NS ? NT_NS_PER_S / wish->hz : 0;
	nt_perf_rate_init(&tap->rate, wish->hz, 0);
	enum nt_status status;
	if (asked->sort != NT_MOMENT_SOFTWARE) {
		status = open_hooked(tap, target, wish->ring_bytes, err);
	} else {
		int error = open_cpus(tap, NT_TAP_SOFTWARE, target, wish->ring_bytes);
		if (error == EACCES || error == EPERM)
			error = open_tasks(tap, target, wish->ring_bytes);
		status = error ? refused(tap, error, target, err) : NT_OK;
	}
	tap->on = status == NT_OK;
	if (status != NT_OK)
		nt_tap_close(tap);
	return status;
}

void nt_tap_close(struct nt_tap *tap)
{
	nt_perf_ring_close(&tap->hook);
	close_rings(tap);
	nt_tap_program_free(&tap->program);
	if (tap->image >= 0)
		close(tap->image);
	tap->image = -1;
	tap->on = false;
}

int nt_tap_turn(struct nt_tap *tap, bool on)
{
	if (tap->on == on)
		return 0;
	int error = 0;
	if (tap->asked->sort != NT_MOMENT_SOFTWARE && on)
		error = open_hook(tap);
	else if (tap->asked->sort != NT_MOMENT_SOFTWARE)
		nt_perf_ring_close(&tap->hook); /* one that is only disabled still stops the target at each call */
	else
		for (size_t i = 0; i < tap->ring_count; i++)
			ioctl(tap->rings[i].fd, on ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
	if (!error)
		tap->on = on;
	return error;
}

void nt_tap_divide(struct nt_tap *tap, unsigned divisor, nt_time now)
{
	if (!tap->program.shared || divisor == tap->rate.divisor)
		return;
	nt_perf_rate_set(&tap->rate, divisor, now);
	__atomic_store_n(&tap->program.shared->mask, divisor - 1, __ATOMIC_RELAXED);
}

uint64_t nt_tap_hits(const struct nt_tap *tap)
{
	return tap->program.shared ? __atomic_load_n(&tap->program.shared->hits, __ATOMIC_RELAXED) : tap->counted;
}
