// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_recorded.h"

#include "base/text.h"
#include "source/lttng/lttng_message.h"

#include <string.h>

static unsigned recorded_by(enum nt_event_kind kind)
{
	switch (kind) {
	case NT_EV_GC_END:
		return NT_RECORDED_COLLECTIONS;
	case NT_EV_METHOD_LOAD:
		return NT_RECORDED_COMPILATIONS;
	case NT_EV_POOL_WORKERS:
	case NT_EV_POOL_ADJUST:
		return NT_RECORDED_POOL;
	case NT_EV_CONTENTION_STOP:
		return NT_RECORDED_LOCKS;
	case NT_EV_ALLOC_SAMPLED:
		return NT_RECORDED_ALLOCATIONS;
	default:
		return 0;
	}
}

unsigned nt_lttng_recorded_of(const bt_stream_class *channel)
{
	unsigned recorded = 0;
	uint64_t count = nt_bt.stream_class_get_event_class_count(channel);
	for (uint64_t i = 0; i < count; i++) {
		const char *name = nt_bt.event_class_get_name(nt_bt.stream_class_borrow_event_class_by_index_const(channel, i));
		const struct nt_clr_desc *desc = name ? nt_clr_by_lttng_name(name) : NULL;
		recorded |= desc ? recorded_by(desc->kind) : 0;
	}
	return recorded;
}

const char *nt_lttng_procname_of(const struct nt_lttng_form *form, const bt_event *event, const bt_field *context)
{
	if (!context || form->procname < 0)
		return nt_lttng_trace_text(nt_bt.event_borrow_stream_const(event), "procname");
	const bt_field *field = nt_bt.field_structure_borrow_member_field_by_index_const(context, (uint64_t)form->procname);
	return bt_field_class_type_is(nt_bt.field_get_class_type(field), BT_FIELD_CLASS_TYPE_STRING) ? nt_bt.field_string_get_value(field)
												     : NULL;
}

struct nt_ev_target nt_lttng_recorded_target(unsigned recorded, const char *name, struct nt_interner *interner, struct nt_batch *batch)
{
	static const struct {
		unsigned recorded;
		size_t reason;
		const char *text;
	} lacks[] = {
		{ NT_RECORDED_COMPILATIONS, offsetof(struct nt_ev_target, jit_reason),
		  "compilations were not recorded (DotNETRuntime:MethodLoadVerbose*)" },
		{ NT_RECORDED_POOL, offsetof(struct nt_ev_target, pool_reason),
		  "the thread pool was not recorded (DotNETRuntime:ThreadPool*)" },
		{ NT_RECORDED_ALLOCATIONS, offsetof(struct nt_ev_target, alloc_reason),
		  "samples of allocations were not recorded (DotNETRuntime:AllocationSampled)" },
		{ NT_RECORDED_LOCKS, offsetof(struct nt_ev_target, lock_reason),
		  "waits for locks were not recorded (DotNETRuntime:Contention*)" },
	};
	static const char locks[] = "LTTng does not tell of waits for a System.Threading.Lock, which .NET 9 and later have";
	struct nt_ev_target said = { .server_gc = 2,
				     .name = nt_interner_cstr(interner, batch, name),
				     .lock_reason = nt_interner_cstr(interner, batch, locks) };
	for (size_t i = 0; i < sizeof(lacks) / sizeof(lacks[0]); i++)
		if (!(recorded & lacks[i].recorded))
			*(nt_str *)((char *)&said + lacks[i].reason) = nt_interner_cstr(interner, batch, lacks[i].text);
	return said;
}
