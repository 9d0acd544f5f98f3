// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_attach.h"

#include "base/alloc.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_filter.h"
#include "source/perf/perf_refusal.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

enum {
	RING_MS = 750,               /* of the largest samples */
	OPEN_MS = 5000,              /* for so long threads that end are waited for */
	PAUSE_MOST_MS = 64,          /* between two attempts, doubling */
	EXTRA_RINGS_BYTES = 2 << 20, /* all rings of one further list */
	SWITCHES_PER_S = 20000,      /* of a CPU: there are programs with more; that they are lost is told */
	SWITCH_BYTES = 2 * 32,       /* off and on */
	LOOK_EVERY_MS = 100,
	CLEAN_LOOKS = 5, /* then nobody is left out any more */
	LOOKS_MAX = 100,
};

static size_t power_of_two_up(size_t n)
{
	size_t power = 4096;
	while (power < n)
		power *= 2;
	return power;
}

static size_t power_of_two_down(size_t n)
{
	size_t power = power_of_two_up(n);
	return power > n && power > 4096 ? power / 2 : power;
}

/*
 * What a CPU can write in a second. A sample: header, ip, pid, tid, time, cpu, period, count, two markers, then the frames; then the kind and the values of the
 * registers, and the stack between its two sizes.
 */
static size_t bytes_per_s(const struct nt_perf_features *features)
{
	if (features->switches)
		return SWITCHES_PER_S * SWITCH_BYTES;
	size_t dump = features->dump_bytes ? 8 * (NT_PERF_REGS_COUNT + 3) + (size_t)features->dump_bytes : 0;
	return features->hz * (72 + 8 * (size_t)features->stack_max + dump);
}

size_t nt_perf_ring_bytes(const struct nt_perf_features *features, size_t cpu_count)
{
	size_t wanted = power_of_two_up(bytes_per_s(features) * RING_MS / 1000);
	/* Further lists get their share first. */
	size_t allowed = power_of_two_down((NT_PERF_RINGS_BYTES - (NT_PERF_LISTS_MAX - 1) * (size_t)EXTRA_RINGS_BYTES) / cpu_count);
	return wanted < allowed ? wanted : allowed;
}

/* Let this process open `need` descriptors and some more; false when it may not. */
static bool allow_descriptors(size_t need)
{
	struct rlimit limit;
	rlim_t wanted = need + NT_PERF_DESCRIPTORS_SPARE;
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
		return true;
	limit.rlim_cur = wanted;
	if (limit.rlim_max < wanted)
		limit.rlim_max = wanted; /* root may */
	return setrlimit(RLIMIT_NOFILE, &limit) == 0;
}

/* Open with rings as large as the kernel lets us lock. Returns 0 or an errno value; *ring_bytes is what was used or last tried. */
static int open_list(const struct nt_perf_attach *attach, const struct nt_tids *tids, size_t *ring_bytes, bool *at_rings,
		     struct nt_perf_list **out)
{
	struct perf_event_attr attr;
	nt_perf_attr_init(&attr, &attach->features);
	for (;;) {
		int error = nt_perf_list_open(&attr, tids ? tids->tids : NULL, tids ? tids->count : 0, *ring_bytes, at_rings, out);
		bool smaller = *at_rings && (error == EPERM || error == ENOMEM) && *ring_bytes > NT_PERF_RING_LEAST_BYTES;
		if (!smaller)
			return error;
		*ring_bytes /= 2;
	}
}

/*
 * All threads of now. Listing and opening race with threads that end: one dead tid fails the whole, so the next attempt takes those that are still
 * there. One that is ending is still listed but not to be had any more: that can take many attempts when hundreds end, so they are given time. Those
 * born meanwhile are left to nt_perf_attach_settle().
 */
static int open_threads(struct nt_perf_attach *attach, bool *at_rings)
{
	struct nt_tids now = { 0 };
	nt_time deadline = nt_clock_now() + OPEN_MS * NT_NS_PER_MS;
	int error = ESRCH;
	for (int pause_ms = 1; attach->covered.count; pause_ms = pause_ms < PAUSE_MOST_MS ? 2 * pause_ms : PAUSE_MOST_MS) {
		error = open_list(attach, &attach->covered, &attach->ring_bytes, at_rings, &attach->lists[0]);
		if (error != ESRCH || nt_clock_now() >= deadline)
			break;
		poll(NULL, 0, pause_ms);
		if (nt_tids_list(&now, attach->target.proc_dir) != 0)
			break;
		nt_tids_intersect(&attach->covered, &now);
	}
	nt_tids_fini(&now);
	return error;
}

/* They count from now on; where several processes are chosen, not before the caller has done so. */
static int open_cpus(struct nt_perf_attach *attach, bool *at_rings)
{
	allow_descriptors(attach->cpu_count);
	int error = open_list(attach, NULL, &attach->ring_bytes, at_rings, &attach->lists[0]);
	if (error)
		return error;
	if (attach->features.several)
		return 0;
	struct nt_perf_filter filter;
	attach->filtered =
		nt_perf_filter_of(attach->target.proc_dir, attach->target.ns_pid, &filter) && nt_perf_filter_set(&filter, attach->lists[0]);
	nt_perf_list_enable(attach->lists[0], true);
	return 0;
}

static enum nt_status open_first(struct nt_perf_attach *attach, struct nt_error *err)
{
	const struct nt_perf_target *target = &attach->target;
	int error = nt_tids_list(&attach->covered, target->proc_dir);
	if (error)
		return nt_perf_refusal_error(target->pid, target->uid, error, 0, err);
	attach->thread_count = attach->covered.count;
	attach->cpu_count = nt_perf_list_cpu_count();
	size_t descriptors = attach->thread_count * attach->cpu_count;
	attach->ring_bytes = nt_perf_ring_bytes(&attach->features, attach->cpu_count);
	bool at_rings = false;
	if (attach->features.of_cpus)
		error = open_cpus(attach, &at_rings);
	else if (descriptors <= NT_PERF_DESCRIPTORS_MAX && allow_descriptors(descriptors))
		error = open_threads(attach, &at_rings);
	else
		error = EMFILE;
	if (!error)
		return NT_OK;
	if (at_rings && error == EPERM)
		return nt_perf_refusal_rings(nt_perf_ring_bytes(&attach->features, attach->cpu_count), err);
	/* So many descriptors are only needed where events of CPUs are not allowed. */
	bool too_many = !attach->features.of_cpus && (error == EMFILE || error == ENFILE);
	return nt_perf_refusal_error(target->pid, target->uid, too_many ? EACCES : error, too_many ? attach->thread_count : 0, err);
}

enum nt_status nt_perf_attach_new(const struct nt_perf_target *target, const struct nt_perf_features *features, struct nt_perf_attach **out,
				  struct nt_error *err)
{
	struct nt_perf_attach *attach = nt_alloc(sizeof(*attach));
	attach->target = *target;
	attach->target.proc_dir = nt_strdup(target->proc_dir);
	attach->features = *features;
	enum nt_status status = open_first(attach, err);
	if (status != NT_OK) {
		nt_perf_attach_free(attach);
		return status;
	}
	attach->list_count = 1;
	attach->paused = attach->features.several;
	attach->settled = attach->features.of_cpus;
	*out = attach;
	return NT_OK;
}

nt_time nt_perf_attach_rest(const struct nt_perf_attach *attach)
{
	return attach->ring_bytes * NT_NS_PER_S / bytes_per_s(&attach->features) * 2 / 3;
}

void nt_perf_attach_free(struct nt_perf_attach *attach)
{
	if (!attach)
		return;
	for (unsigned i = 0; i < attach->list_count; i++)
		nt_perf_list_free(attach->lists[i]);
	nt_perf_owners_fini(&attach->owners);
	nt_tids_fini(&attach->covered);
	nt_tids_fini(&attach->missing);
	free(attach->target.proc_dir);
	free(attach);
}

void nt_perf_attach_pause(struct nt_perf_attach *attach, bool paused)
{
	attach->paused = paused;
	for (unsigned i = 0; i < attach->list_count; i++)
		nt_perf_list_enable(attach->lists[i], !paused);
}

void nt_perf_attach_born(struct nt_perf_attach *attach, pid_t parent, pid_t tid)
{
	if (attach->list_count > 1)
		nt_perf_owners_born(&attach->owners, parent, tid);
	if (!attach->settled)
		nt_tids_insert(&attach->covered, tid);
}

void nt_perf_attach_ended(struct nt_perf_attach *attach, pid_t tid)
{
	nt_perf_owners_ended(&attach->owners, tid);
	if (!attach->settled)
		nt_tids_remove(&attach->covered, tid);
}

/* A further list for the threads that were missing twice: those that only flash by are not worth one. */
static void cover(struct nt_perf_attach *attach, const struct nt_tids *tids)
{
	if (attach->list_count == NT_PERF_LISTS_MAX || !allow_descriptors((attach->thread_count + tids->count) * attach->cpu_count))
		return;
	size_t ring_bytes = power_of_two_down(EXTRA_RINGS_BYTES / attach->cpu_count);
	bool at_rings;
	struct nt_perf_list *list;
	if (open_list(attach, tids, &ring_bytes, &at_rings, &list) != 0)
		return; /* one of them ended: the next look shows the rest */
	if (attach->paused)
		nt_perf_list_enable(list, false);
	unsigned number = attach->list_count++;
	attach->lists[number] = list;
	attach->thread_count += tids->count;
	nt_time from = nt_clock_now();
	for (size_t i = 0; i < tids->count; i++) {
		nt_perf_owners_set(&attach->owners, tids->tids[i], number, from);
		nt_tids_insert(&attach->covered, tids->tids[i]);
	}
}

void nt_perf_attach_settle(struct nt_perf_attach *attach, nt_time now)
{
	if (attach->settled || now < attach->next_look)
		return;
	attach->next_look = now + LOOK_EVERY_MS * NT_NS_PER_MS;
	struct nt_tids listed = { 0 }, missing = { 0 };
	nt_tids_list(&listed, attach->target.proc_dir);
	for (size_t i = 0; i < listed.count; i++)
		if (!nt_tids_contains(&attach->covered, listed.tids[i]))
			nt_tids_insert(&missing, listed.tids[i]);
	nt_tids_fini(&listed);
	nt_tids_intersect(&attach->missing, &missing);
	if (attach->missing.count)
		cover(attach, &attach->missing);
	nt_tids_fini(&attach->missing);
	attach->missing = missing;
	attach->clean_looks = missing.count ? 0 : attach->clean_looks + 1;
	attach->settled = attach->clean_looks == CLEAN_LOOKS || ++attach->looks == LOOKS_MAX;
	attach->left_out = attach->settled && attach->clean_looks < CLEAN_LOOKS;
	if (attach->settled) {
		nt_tids_fini(&attach->covered);
		nt_tids_fini(&attach->missing);
	}
}
