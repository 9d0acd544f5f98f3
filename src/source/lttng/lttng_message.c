// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_message.h"

nt_time nt_lttng_time_of(const bt_clock_snapshot *snapshot)
{
	uint64_t frequency = nt_bt.clock_class_get_frequency(nt_bt.clock_snapshot_borrow_clock_class_const(snapshot));
	uint64_t cycles = nt_bt.clock_snapshot_get_value(snapshot);
	return frequency == NT_NS_PER_S ? cycles : (nt_time)((unsigned __int128)cycles * NT_NS_PER_S / frequency);
}

int64_t nt_lttng_realtime_offset(const bt_clock_class *clock)
{
	uint64_t frequency = nt_bt.clock_class_get_frequency(clock), cycles;
	int64_t seconds;
	nt_bt.clock_class_get_offset(clock, &seconds, &cycles);
	__int128 offset = (__int128)seconds * (int64_t)NT_NS_PER_S + (__int128)((unsigned __int128)cycles * NT_NS_PER_S / frequency);
	return offset > INT64_MAX || offset < INT64_MIN ? 0 : (int64_t)offset;
}

static bool has_type(const bt_value *value, bt_value_type type)
{
	return bt_value_type_is(nt_bt.value_get_type(value), type);
}

static const bt_value *said(const bt_stream *stream, const char *name)
{
	return nt_bt.trace_borrow_environment_entry_value_by_name_const(nt_bt.stream_borrow_trace_const(stream), name);
}

bool nt_lttng_trace_vpid(const bt_stream *stream, uint64_t *vpid)
{
	const bt_value *value = said(stream, "vpid");
	if (!value)
		return false;
	if (has_type(value, BT_VALUE_TYPE_SIGNED_INTEGER))
		*vpid = (uint64_t)nt_bt.value_integer_signed_get(value);
	else if (has_type(value, BT_VALUE_TYPE_UNSIGNED_INTEGER))
		*vpid = nt_bt.value_integer_unsigned_get(value);
	else
		return false;
	return true;
}

const char *nt_lttng_trace_text(const bt_stream *stream, const char *name)
{
	const bt_value *value = said(stream, name);
	return value && has_type(value, BT_VALUE_TYPE_STRING) ? nt_bt.value_string_get(value) : NULL;
}

bool nt_lttng_vpid_of(const struct nt_lttng_form *form, const bt_event *event, const bt_field *context, uint64_t *vpid)
{
	return nt_lttng_member_integer(context, form->vpid, vpid) || nt_lttng_trace_vpid(nt_bt.event_borrow_stream_const(event), vpid);
}
