// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_attr.h"

#include "base/file.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_list.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <time.h>

enum {
	STACK_USUAL = 127, /* the kernel's own default */
	LEAF_BYTES = 1 << 10,
	HYBRID_BYTES = 16 << 10,
	RECORD_REST_BYTES = 2 << 10, /* of a sample besides the copy of the stack */
};

static unsigned long sysctl_number(const char *path, unsigned long absent)
{
	char *text;
	size_t length;
	if (nt_file_read(AT_FDCWD, path, 64, &text, &length) != 0)
		return absent;
	unsigned long n = strtoul(text, NULL, 10);
	free(text);
	return n ? n : absent;
}

unsigned nt_perf_dump_bytes(enum nt_call_graph call_graph)
{
#ifdef __x86_64__
	static const unsigned wanted[] = { [NT_CALL_GRAPH_LEAF] = LEAF_BYTES, [NT_CALL_GRAPH_HYBRID] = HYBRID_BYTES };
	/* A libperf of the system may not give us long records: then chains are mended as far as short ones allow. */
	return nt_perf_list_reads(wanted[call_graph] + RECORD_REST_BYTES) ? wanted[call_graph] : LEAF_BYTES;
#else
	(void)call_graph;
	return 0;
#endif
}

/* An event that counts nothing and samples nothing. The trailer of its records is that of all others; what the kernel does is none of its business. */
static void no_samples(struct perf_event_attr *attr)
{
	attr->type = PERF_TYPE_SOFTWARE;
	attr->config = PERF_COUNT_SW_DUMMY;
	attr->freq = 0;
	attr->sample_freq = 0;
	attr->sample_max_stack = 0;
	attr->sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU;
	attr->exclude_kernel = 1;
}

static void only_records(struct perf_event_attr *attr, bool read_lost)
{
	*attr = (struct perf_event_attr){ .size = sizeof(*attr),
					  .sample_id_all = 1,
					  .use_clockid = 1,
					  .clockid = CLOCK_MONOTONIC,
					  .read_format = read_lost ? PERF_FORMAT_LOST : 0 };
	no_samples(attr);
}

void nt_perf_attr_init_maps(struct perf_event_attr *attr, bool read_lost)
{
	only_records(attr, read_lost);
	attr->mmap = attr->mmap2 = 1;
}

void nt_perf_attr_init_switches(struct perf_event_attr *attr, bool read_lost)
{
	only_records(attr, read_lost);
	attr->context_switch = 1;
}

void nt_perf_attr_init(struct perf_event_attr *attr, const struct nt_perf_features *features)
{
	*attr = (struct perf_event_attr){
		.size = sizeof(*attr),
		.type = features->hardware ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE,
		.config = features->hardware ? PERF_COUNT_HW_CPU_CYCLES : PERF_COUNT_SW_CPU_CLOCK,
		.freq = 1,
		.sample_freq = features->hz,
		.sample_type = NT_PERF_SAMPLE_TYPE,
		.sample_id_all = 1,
		.sample_max_stack = (uint16_t)features->stack_max,
		.exclude_kernel = features->user_only,
		.disabled = features->of_cpus, /* until the filter is set */
		.exclude_idle = features->of_cpus,
		.inherit = !features->of_cpus,
		.inherit_thread = !features->of_cpus && features->inherit_thread,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
	};
	if (features->switches) {
		no_samples(attr);
		attr->context_switch = 1;
	}
	if (features->dump_bytes) {
		attr->sample_type |= NT_PERF_SAMPLE_STACK;
		attr->sample_regs_user = NT_PERF_REGS_MASK;
		attr->sample_stack_user = features->dump_bytes;
	}
	if (features->read_lost)
		attr->read_format |= PERF_FORMAT_LOST;
	if (features->of_cpus)
		attr->read_format |= PERF_FORMAT_ID; /* for nt_perf_list_control() */
	if (features->hardware)
		attr->read_format |= PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
}

/* Give up the wish that `error` most likely speaks of; false when there is none left. */
static bool wish_less(struct nt_perf_features *wish, int error)
{
	switch (error) {
	case EACCES:
	case EPERM:
		if (wish->user_only)
			return false;
		wish->user_only = true;
		return true;
	case EINVAL:
		if (wish->read_lost)
			wish->read_lost = false;
		else if (wish->inherit_thread)
			wish->inherit_thread = false;
		else if (wish->hardware)
			wish->hardware = false;
		else
			return false;
		return true;
	case ENOENT:
	case ENODEV:
	case EOPNOTSUPP:
	case EBUSY:
		/* No such counter here (most virtual machines), not on every CPU, or taken. */
		if (!wish->hardware)
			return false;
		wish->hardware = false;
		return true;
	default:
		return false;
	}
}

/* An idle CPU does not count cycles, so their rate there is not that of the clock; and nothing is inherited. */
static int try_cpus(struct nt_perf_features *features)
{
	features->of_cpus = true;
	features->hardware = features->inherit_thread = false;
	for (;;) {
		struct perf_event_attr attr;
		nt_perf_attr_init(&attr, features);
		int error = nt_perf_list_try(&attr, 0);
		if (!error || error != EINVAL || !features->read_lost)
			return error;
		features->read_lost = false;
	}
}

static int try_tasks(uint32_t tid, struct nt_perf_features *features)
{
	for (;;) {
		struct perf_event_attr attr;
		nt_perf_attr_init(&attr, features);
		int error = nt_perf_list_try(&attr, tid);
		if (!error || !wish_less(features, error))
			return error;
	}
}

/* As many frames as the kernel permits; a libperf of the system may not give us records that have them. */
static unsigned stack_limit(unsigned long permitted)
{
	unsigned most = nt_perf_list_reads(NT_PERF_STACK_MAX * sizeof(uint64_t) + RECORD_REST_BYTES) ? NT_PERF_STACK_MAX : STACK_USUAL;
	return permitted < most ? (unsigned)permitted : most;
}

int nt_perf_features_try(uint32_t tid, const struct nt_perf_wish *wish, struct nt_perf_features *out)
{
	unsigned long hz_max = sysctl_number("/proc/sys/kernel/perf_event_max_sample_rate", wish->hz);
	unsigned long stack_max = sysctl_number("/proc/sys/kernel/perf_event_max_stack", STACK_USUAL);
	const struct nt_perf_features best = {
		.hz = wish->hz < hz_max ? wish->hz : (unsigned)hz_max,
		.hardware = !wish->switches,
		.inherit_thread = true,
		.read_lost = true,
		.stack_max = stack_limit(stack_max),
		.several = wish->several,
		.switches = wish->switches,
	};
	*out = best;
	bool tries_cpus = !wish->of_tasks && !wish->switches;
	int error = tries_cpus ? try_cpus(out) : EOPNOTSUPP;
	if (error && !wish->several) {
		*out = best;
		error = try_tasks(tid, out);
	}
	out->dump_bytes = wish->dump_bytes;
	return error;
}
