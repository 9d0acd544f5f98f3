// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/asked_allocated.h"

#include "nettop/clock.h"

#include <string.h>

/* A quarter less than a second, so that each interval of one has an answer. */
static const nt_time least_ns = 750 * NT_NS_PER_MS, thread_ns = NT_NS_PER_MS;

bool nt_asked_allocated_ask(struct nt_asked_allocated *allocated, struct nt_reader *reader, size_t thread_count, nt_time now)
{
	nt_time period = thread_count * thread_ns > least_ns ? thread_count * thread_ns : least_ns;
	if (allocated->open || (allocated->asked && now < allocated->asked + period))
		return true;
	allocated->open = true;
	allocated->asked = now;
	return nt_reader_alloc(reader);
}

void nt_asked_allocated_take(struct nt_asked_allocated *allocated, const struct nt_reader_record *record, struct nt_inner_tids *tids,
			     uint32_t pid, struct nt_outbox *box)
{
	nt_time now = nt_clock_now();
	if (!allocated->open) /* it was not asked */
		return;
	allocated->open = false;
	for (uint32_t i = 0; i < record->allocated.count; i++) {
		struct nt_reader_thread_allocated row;
		memcpy(&row, record->bytes + i * sizeof(row), sizeof(row));
		uint32_t tid = nt_inner_tids_outer(tids, row.tid, now);
		if (tid)
			nt_outbox_add(box, NT_EV_THREAD_ALLOCATED, now, pid, tid)->u.thread_allocated =
				(struct nt_ev_thread_allocated){ .bytes = row.bytes };
	}
}

void nt_asked_allocated_forget(struct nt_asked_allocated *allocated)
{
	*allocated = (struct nt_asked_allocated){ 0 };
}
