// SPDX-License-Identifier: GPL-2.0-only
/* The records of a round: from the rings into the queue, in order of time, and from there into the outbox. */
#include "source/perf/perf_events.h"
#include "source/perf/perf_watch.h"

/* ---- from the rings into the queue ---- */

/* Of events of CPUs everything comes along, and without inherit_thread child processes do: only what is the target's is kept. */
static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct nt_perf_watch *p = context;
	struct nt_perf_record record;
	if (nt_perf_record_is_sample_of_other(bytes, length, p->target->pid)) {
		p->box->stats.foreign_count++;
		p->arrived++;
		return true;
	}
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK)
		return true;
	if (record.kind == NT_PERF_OTHER || (record.kind != NT_PERF_LOST && record.pid != p->target->pid))
		return true;
	if (record.kind == NT_PERF_SAMPLE) {
		p->arrived++;
		p->walked += record.sample.chain_count;
	}
	/* Copies of the stack are too large to wait in the queue. */
	uint8_t mended[NT_PERF_REPLACED_MAX];
	size_t mended_length = 0;
	if (p->mender && record.kind == NT_PERF_SAMPLE)
		mended_length = nt_chain_mender_mend(p->mender, bytes, &record, mended);
	else if (p->mender && record.kind == NT_PERF_MAP && record.map.exec)
		nt_chain_mender_mapped(p->mender, record.map.start, record.map.start + record.map.length);
	if (p->switched && record.kind == NT_PERF_MAP && record.map.exec)
		nt_switch_watch_mapped(p->switched, &record);
	nt_perf_queue_put(&p->queue, record.time, p->reading, mended_length ? mended : bytes, mended_length ? mended_length : length);
	return record.time <= p->round_until;
}

void nt_perf_round_lost(struct nt_perf_watch *p, nt_time time, uint64_t count)
{
	if (count)
		nt_perf_add_lost(p->box, p->target->pid, time, count);
	p->lost_told += count;
}

void nt_perf_round_read(struct nt_perf_watch *p)
{
	uint64_t unreadable = 0;
	for (p->reading = 0; p->reading < p->attach->list_count; p->reading++)
		unreadable += nt_perf_list_read(p->attach->lists[p->reading], put, p);
	nt_perf_queue_release(&p->queue, p->round_until);
	nt_perf_round_lost(p, p->round_until, unreadable);
}

/* ---- from the queue into the outbox ---- */

/*
 * Of events of CPUs the period is known: the kernel goes on writing the one with which they were opened (Linux 6.18: hw.last_period) after it was changed.
 */
static void tell_sample(struct nt_perf_watch *p, const struct nt_perf_record *record)
{
	unsigned times = nt_perf_rate_times(&p->rate, record->time);
	uint64_t weight_ns =
		p->attach->features.of_cpus ? p->rate.period_ns * times : times * nt_perf_weight_ns(&p->weight, record->sample.period);
	p->told_count++;
	nt_perf_add_sample(p->box, p->target->pid, record, weight_ns, times, p->attach->features.stack_max);
}

static void tell(struct nt_perf_watch *p, const struct nt_perf_queued *queued, const uint8_t *bytes)
{
	struct nt_perf_record record;
	if (queued->list == NT_SWITCH_LIST) {
		if (p->switched)
			nt_switch_watch_tell(p->switched, p->box, p->target->pid, bytes, queued->length);
		return;
	}
	enum nt_status status = nt_perf_record_parse(bytes, queued->length, &record);
	nt_assert(status == NT_OK); /* it was parsed before it was put */
	uint32_t pid = p->target->pid;
	switch (record.kind) {
	case NT_PERF_SAMPLE:
		if (nt_perf_owners_count(&p->attach->owners, (pid_t)record.tid, queued->list, record.time))
			tell_sample(p, &record);
		break;
	case NT_PERF_SWITCH:
		if (nt_perf_owners_count(&p->attach->owners, (pid_t)record.tid, queued->list, record.time))
			nt_perf_add_switch(p->box, pid, &record);
		break;
	case NT_PERF_MAP:
		nt_perf_add_map(p->box, pid, &record);
		break;
	case NT_PERF_FORK:
		nt_perf_attach_born(p->attach, (pid_t)record.fork.parent_tid, (pid_t)record.tid);
		nt_perf_add_thread(p->box, pid, &record);
		break;
	case NT_PERF_EXIT:
		if (p->attach->features.switches)
			nt_perf_add_switch(p->box, pid, &record);
		nt_perf_attach_ended(p->attach, (pid_t)record.tid);
		nt_perf_add_thread(p->box, pid, &record);
		break;
	case NT_PERF_COMM:
		nt_perf_add_thread(p->box, pid, &record);
		break;
	case NT_PERF_LOST:
		nt_perf_round_lost(p, record.time, record.lost.count);
		break;
	default:
		break;
	}
}

bool nt_perf_round_tell(struct nt_perf_watch *p, unsigned budget)
{
	const uint8_t *bytes;
	unsigned part = nt_perf_queue_part(&p->queue, budget);
	for (unsigned told = 0; told < part; told++) {
		const struct nt_perf_queued *queued = nt_perf_queue_take(&p->queue, &bytes);
		if (!queued)
			return false;
		tell(p, queued, bytes);
	}
	return true;
}

/* The kernel writes LOST records only when the next record fits; what was lost last is told by the events' own counts. */
uint64_t nt_perf_round_untold(const struct nt_perf_watch *p)
{
	uint64_t total = 0;
	for (unsigned i = 0; i < p->attach->list_count; i++)
		total += nt_perf_list_lost(p->attach->lists[i]);
	return total > p->lost_told ? total - p->lost_told : 0;
}
