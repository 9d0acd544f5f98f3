/* SPDX-License-Identifier: GPL-2.0-only */
/* Of a trace of somebody else's: which of the runtime's events it could have at all, because they were enabled. LTTng declares no others; what was not recorded is unknown, not 0. */
#ifndef NT_SOURCE_LTTNG_RECORDED_H
#define NT_SOURCE_LTTNG_RECORDED_H

#include "base/interner.h"
#include "nettop/event.h"
#include "source/lttng/lttng_form.h"

/* Bits. */
enum nt_lttng_recorded {
	NT_RECORDED_COLLECTIONS = 1,
	NT_RECORDED_COMPILATIONS = 2,
	NT_RECORDED_POOL = 4,
	NT_RECORDED_LOCKS = 8,
	NT_RECORDED_ALLOCATIONS = 16,
};

/* What the classes of this channel are of; each is looked at. */
unsigned nt_lttng_recorded_of(const bt_stream_class *channel);

/* The name of the process as the event has it, by a context, else as its trace has it. Borrowed; NULL = neither has. */
const char *nt_lttng_procname_of(const struct nt_lttng_form *form, const bt_event *event, const bt_field *context);

/* Who a process is of which nothing is known but its name and what was recorded; the texts are announced in `batch`. */
struct nt_ev_target nt_lttng_recorded_target(unsigned recorded, const char *name, struct nt_interner *interner, struct nt_batch *batch);

#endif
