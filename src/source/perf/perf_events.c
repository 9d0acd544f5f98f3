// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_events.h"

#include "decode/codemap/map_name.h"

void nt_perf_add_sample(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record, uint64_t weight_ns, unsigned times,
			unsigned stack_max)
{
	uint64_t addresses[NT_PERF_STACK_MAX];
	unsigned kernel_count, count = nt_perf_chain(record, addresses, NT_PERF_STACK_MAX, &kernel_count);
	struct nt_ev_sample sample = {
		.weight_ns = weight_ns,
		.stack = nt_interner_stack(box->interner, nt_outbox_batch(box), addresses, kernel_count, count),
		.cpu = record->sample.cpu,
		.besides = times - 1,
		.cut = count >= stack_max,
	};
	nt_outbox_add(box, NT_EV_SAMPLE, record->time, pid, record->tid)->u.sample = sample;
}

void nt_perf_add_map(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record)
{
	if (!record->map.exec)
		return;
	struct nt_map_name name = nt_map_name_read(record->map.name, record->map.name_length);
	struct nt_ev_map map = {
		.start = record->map.start,
		.length = record->map.length,
		.file_offset = record->map.file_offset,
		.inode = record->map.inode,
		.image = nt_interner_str(box->interner, nt_outbox_batch(box), name.image, name.image_length),
		.flags = name.flags,
	};
	nt_outbox_add(box, NT_EV_MAP, record->time, pid, record->tid)->u.map = map;
}

void nt_perf_add_thread(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record)
{
	struct nt_ev_thread thread = { .op = record->kind == NT_PERF_FORK   ? NT_THREAD_SEEN
					     : record->kind == NT_PERF_EXIT ? NT_THREAD_ENDED
									    : NT_THREAD_NAMED };
	if (record->kind == NT_PERF_COMM)
		thread.name = nt_interner_str(box->interner, nt_outbox_batch(box), record->comm.name, record->comm.name_length);
	nt_outbox_add(box, NT_EV_THREAD, record->time, pid, record->tid)->u.thread = thread;
}

void nt_perf_add_switch(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record)
{
	bool on = record->kind == NT_PERF_SWITCH && record->switched.on;
	nt_outbox_add(box, NT_EV_SWITCH, record->time, pid, record->tid)->u.switched = (struct nt_ev_switch){ .on = on };
}

void nt_perf_add_lost(struct nt_outbox *box, uint32_t pid, nt_time time, uint64_t count)
{
	struct nt_ev_lost lost = { .count = count, .count_known = 1, .what = NT_LOST_SAMPLES, .from = NT_TIME_UNKNOWN };
	nt_outbox_lost(box, time, pid, &lost);
}
