/* SPDX-License-Identifier: GPL-2.0-only */
/* From a perf record to neutral events. */
#ifndef NT_SOURCE_PERF_EVENTS_H
#define NT_SOURCE_PERF_EVENTS_H

#include "decode/kernel/perf_record.h"
#include "source/common/outbox.h"

/* Each adds one event to the box, for the target `pid`. The record is of the kind that the name says. `times`: for so many samples one stands.
 * `stack_max`: a chain of so many frames was cut there. */
void nt_perf_add_sample(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record, uint64_t weight_ns, unsigned times,
			unsigned stack_max);
void nt_perf_add_map(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record);    /* nothing when it is not executable */
void nt_perf_add_thread(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record); /* COMM, FORK, EXIT */
void nt_perf_add_switch(struct nt_outbox *box, uint32_t pid, const struct nt_perf_record *record); /* SWITCH, EXIT: its last one */
void nt_perf_add_lost(struct nt_outbox *box, uint32_t pid, nt_time time, uint64_t count);

#endif
