// SPDX-License-Identifier: GPL-2.0-only
#include "output/columns/details_fields.h"

#include <stddef.h>

static const char *state_name(uint32_t value)
{
	return nt_source_state_name((enum nt_source_state)value);
}

static const char *code_kind_name(uint32_t value)
{
	return nt_code_kind_name((enum nt_code_kind)value);
}

static const char *tier_name(uint32_t value)
{
	return nt_tier_name((enum nt_tier)value);
}

static const char *mode_name(uint32_t value)
{
	return nt_target_mode_name((enum nt_target_mode)value);
}

static const char *counter_kind_name(uint32_t value)
{
	return nt_counter_kind_name((enum nt_counter_kind)value);
}

static const char *io_kind_name(uint32_t value)
{
	return nt_io_kind_name((enum nt_io_kind)value);
}

static const char *io_call_name(uint32_t value)
{
	return nt_io_call_name((enum nt_io_call)value);
}

static const char *naming_key(uint32_t value)
{
	return nt_naming_entry(value)->key;
}

#define AT(member, field) offsetof(struct nt_event, u.member.field)
/* The offset, and a check of the C type: a field of another type does not compile. */
#define TYPED(member, field, ctype) (AT(member, field) + _Generic(((struct nt_event *)0)->u.member.field, ctype : 0))
#define FIELD(KIND, member, field, ctype, TYPE)                                                                                            \
	{                                                                                                                                  \
		NT_EV_##KIND, NT_DETAILS_##TYPE, TYPED(member, field, ctype), #field, NULL                                                 \
	}
#define U32(KIND, member, field)   FIELD(KIND, member, field, uint32_t, U32)
#define U64(KIND, member, field)   FIELD(KIND, member, field, uint64_t, U64)
#define HEX(KIND, member, field)   FIELD(KIND, member, field, uint64_t, HEX)
#define F64(KIND, member, field)   FIELD(KIND, member, field, double, F64)
#define TIME(KIND, member, field)  FIELD(KIND, member, field, nt_time, TIME)
#define CHAR(KIND, member, field)  FIELD(KIND, member, field, uint32_t, CHAR)
#define STR(KIND, member, field)   FIELD(KIND, member, field, nt_str, STR)
#define STACK(KIND, member, field) FIELD(KIND, member, field, nt_stack, STACK)
#define U64S(KIND, member, field)  FIELD(KIND, member, field, uint64_t *, U64S)
#define NAME(KIND, member, field, function)                                                                                                \
	{                                                                                                                                  \
		NT_EV_##KIND, NT_DETAILS_NAME, TYPED(member, field, uint32_t), #field, function                                            \
	}

/* clang-format off */
const struct nt_details_field nt_details_fields[] = {
	NAME(SOURCE_STATE, source_state, state, state_name),
	STR(SOURCE_STATE, source_state, reason),
	STR(SOURCE_STATE, source_state, fix),
	NAME(SOURCE_STATE, source_state, naming, naming_key),
	U32(SOURCE_STATE, source_state, open),
	U32(SOURCE_STATE, source_state, withheld),
	U32(SOURCE_STATE, source_state, postpones),
	U32(SOURCE_STATE, source_state, rate_hz),
	U32(SOURCE_STATE, source_state, brings),
	U32(SOURCE_STATE, source_state, no_switches),
	STR(SOURCE_STATE, source_state, no_switches_reason),
	STR(SOURCE_STATE, source_state, no_switches_fix),
	U32(COVER, cover, what),
	U32(COVER, cover, covered),
	U32(SWITCH, switched, on),
	U32(SWITCH, switched, preempted),
	U32(SWITCH, switched, partial),
	STACK(SWITCH, switched, stack),
	U32(WAKE, wake, waker_tid),
	U32(WAKE, wake, interrupt),
	U64(LOST, lost, count),
	U32(LOST, lost, count_known),
	U32(LOST, lost, what),
	TIME(LOST, lost, from),
	U64(SAMPLE, sample, weight_ns),
	STACK(SAMPLE, sample, stack),
	U32(SAMPLE, sample, cpu),
	U32(SAMPLE, sample, besides),
	U32(SAMPLE, sample, cut),
	U32(WALL_SAMPLE, wall_sample, managed),
	U64(MOMENT, moment, weight),
	U32(MOMENT, moment, count),
	U32(MOMENT, moment, what),
	U32(MOMENT, moment, cut),
	U64(THREAD, thread, start_ticks),
	STR(THREAD, thread, name),
	U32(THREAD, thread, op),
	U64(PROC, proc, user_ns),
	U64(PROC, proc, kernel_ns),
	U64(PROC, proc, rss_bytes),
	U32(PROC, proc, thread_count),
	U32(PROC, proc, running_count),
	U32(PROC, proc, pool_count),
	U32(PROC, proc, pool_known),
	U64(PROC, proc, waited_ns),
	U32(PROC, proc, waited_known),
	U64(THREAD_STAT, thread_stat, user_ns),
	U64(THREAD_STAT, thread_stat, kernel_ns),
	U64(THREAD_STAT, thread_stat, start_ticks),
	STR(THREAD_STAT, thread_stat, name),
	CHAR(THREAD_STAT, thread_stat, state),
	U64(IO, io, read_count),
	U64(IO, io, write_count),
	U64(IO, io, read_bytes),
	U64(IO, io, write_bytes),
	U64(IO, io, disk_read_bytes),
	U64(IO, io, disk_write_bytes),
	U32(IO, io, known),
	STR(DESCRIPTOR, descriptor, what),
	NAME(DESCRIPTOR, descriptor, kind, io_kind_name),
	U32(DESCRIPTOR, descriptor, ways),
	U32(DESCRIPTOR, descriptor, open_count),
	U32(DESCRIPTOR, descriptor, opened_count),
	U32(DESCRIPTOR, descriptor, blocked_count),
	U32(DESCRIPTOR, descriptor, blocked_tid),
	TIME(DESCRIPTOR, descriptor, blocked_since),
	U64(DESCRIPTORS, descriptors, hidden_count),
	U32(DESCRIPTORS, descriptors, hidden_known),
	U64(DESCRIPTORS, descriptors, threads_count),
	U32(DESCRIPTORS, descriptors, threads_hidden),
	STR(DESCRIPTORS, descriptors, reason),
	STR(CALLS, calls, what),
	NAME(CALLS, calls, kind, io_kind_name),
	NAME(CALLS, calls, call, io_call_name),
	U64(CALLS, calls, count),
	U64(CALLS, calls, bytes),
	U64(CALLS, calls, ns),
	U32(CALLS, calls, error_count),
	U32(CALLS, calls, again_count),
	TIME(CALLS_TOLD, calls_told, from),
	U32(CALLS_TOLD, calls_told, told),
	U64(CALLS_TOLD, calls_told, unnamed_count),
	U64(CALLS_TOLD, calls_told, lost_count),
	STR(CALLS_TOLD, calls_told, reason),
	STR(CALLS_TOLD, calls_told, fix),
	U64(FILE, file, bytes),
	U64(SELF, self, self_ns),
	U64(SELF, self, daemons_ns),
	U64(SELF, self, rss_bytes),
	U64(SELF, self, target_ns),
	U32(SELF, self, daemons_known),
	U32(SELF, self, target_known),
	U64(TARGET, target, start_ticks),
	U64(TARGET, target, uptime_ns),
	STR(TARGET, target, name),
	STR(TARGET, target, runtime),
	STR(TARGET, target, command),
	NAME(TARGET, target, mode, mode_name),
	U32(TARGET, target, cpu_count),
	U32(TARGET, target, server_gc),
	U32(TARGET, target, kind),
	U32(TARGET, target, ended),
	STR(TARGET, target, end_text),
	U32(TARGET, target, end_how),
	U32(TARGET, target, end_number),
	U32(TARGET, target, end_frames),
	STR(TARGET, target, exception),
	STR(TARGET, target, message),
	STR(TARGET, target, stack),
	STR(TARGET, target, end_reason),
	STR(TARGET, target, jit_reason),
	STR(TARGET, target, jit_fix),
	STR(TARGET, target, lock_reason),
	STR(TARGET, target, lock_fix),
	STR(TARGET, target, pool_reason),
	STR(TARGET, target, pool_fix),
	STR(TARGET, target, alloc_reason),
	HEX(MAP, map, start),
	U64(MAP, map, length),
	HEX(MAP, map, file_offset),
	HEX(MAP, map, inode),
	STR(MAP, map, image),
	U32(MAP, map, flags),
	TIME(CODE, code, from),
	U32(CODE, code, first),
	U32(CODE, code, count),
	U32(CODE, code, listed),
	U32(CODE, code, map),
	NAME(CODE, code, kind, code_kind_name),
	HEX(CODE_END, code_end, start),
	U64(CODE_END, code_end, size),
	HEX(NAME, name, inode),
	HEX(NAME, name, start),
	HEX(NAME, name, end),
	STR(NAME, name, image),
	STR(NAME, name, name),
	STR(NAME, name, reason),
	NAME(NAME, name, kind, code_kind_name),
	NAME(NAME, name, naming, naming_key),
	TIME(NAME, name, from),
	TIME(NAME, name, until),
	HEX(IL_MAP, il_map, asked),
	HEX(IL_MAP, il_map, start),
	U64(IL_MAP, il_map, size),
	HEX(IL_MAP, il_map, method_id),
	U32(IL_MAP, il_map, first),
	U32(IL_MAP, il_map, count),
	U32(IL_MAP, il_map, token),
	STR(IL_MAP, il_map, module),
	STR(IL_MAP, il_map, reason),
	TIME(RUNDOWN, rundown, took_ns),
	U64(RUNDOWN, rundown, stream_bytes),
	U32(RUNDOWN, rundown, method_count),
	U32(RUNDOWN, rundown, left_out),
	STR(RUNDOWN, rundown, reason),
	STR(COUNTER, counter, provider),
	STR(COUNTER, counter, name),
	STR(COUNTER, counter, display_name),
	STR(COUNTER, counter, unit),
	STR(COUNTER, counter, tags),
	NAME(COUNTER, counter, kind, counter_kind_name),
	U32(COUNTER, counter, known),
	U32(COUNTER, counter, instrument),
	U64(COUNTER, counter, period_ns),
	F64(COUNTER, counter, value),
	F64(COUNTER, counter, change),
	F64(COUNTER, counter, least),
	F64(COUNTER, counter, greatest),
	F64(COUNTER, counter, p50),
	F64(COUNTER, counter, p95),
	F64(COUNTER, counter, p99),
	U32(GC_START, gc_start, number),
	U32(GC_START, gc_start, generation),
	U32(GC_START, gc_start, reason),
	U32(GC_START, gc_start, type),
	U32(GC_END, gc_end, number),
	U32(GC_END, gc_end, generation),
	U64S(GC_HEAP_STATS, gc_heap_stats, size_bytes),
	U64S(GC_HEAP_STATS, gc_heap_stats, promoted_bytes),
	U64(GC_HEAP_STATS, gc_heap_stats, finalization_promoted_bytes),
	U64(GC_HEAP_STATS, gc_heap_stats, finalization_promoted_count),
	U32(GC_HEAP_STATS, gc_heap_stats, pinned_count),
	U32(GC_HEAP_STATS, gc_heap_stats, sink_block_count),
	U32(GC_HEAP_STATS, gc_heap_stats, handle_count),
	U32(GC_HEAP_STATS, gc_heap_stats, poh_known),
	U32(GC_SUSPEND_BEGIN, gc_suspend_begin, reason),
	U32(GC_SUSPEND_BEGIN, gc_suspend_begin, count),
	U32(GC_TRIGGERED, gc_triggered, reason),
	U64(GC_GLOBAL_HISTORY, gc_global_history, final_youngest_desired_bytes),
	U32(GC_GLOBAL_HISTORY, gc_global_history, heap_count),
	U32(GC_GLOBAL_HISTORY, gc_global_history, condemned_generation),
	U32(GC_GLOBAL_HISTORY, gc_global_history, gen0_reduction_count),
	U32(GC_GLOBAL_HISTORY, gc_global_history, reason),
	U32(GC_GLOBAL_HISTORY, gc_global_history, mechanisms),
	U32(GC_GLOBAL_HISTORY, gc_global_history, pause_mode),
	U32(GC_GLOBAL_HISTORY, gc_global_history, memory_pressure_pct),
	U32(GC_HEAP_HISTORY, gc_heap_history, heap_index),
	U32(GC_HEAP_HISTORY, gc_heap_history, generation_count),
	U64(GC_HEAP_HISTORY, gc_heap_history, before_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, after_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, before_gross_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, after_gross_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, free_list_after_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, free_obj_after_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, loh_after_bytes),
	U64(GC_HEAP_HISTORY, gc_heap_history, poh_after_bytes),
	U64(GC_MARK, gc_mark, bytes),
	U32(GC_MARK, gc_mark, heap_index),
	U32(GC_MARK, gc_mark, type),
	U32(GC_FINALIZERS_END, finalizers_end, count),
	U64(ALLOC_SAMPLED, alloc, object_bytes),
	U64(ALLOC_SAMPLED, alloc, amount_bytes),
	HEX(ALLOC_SAMPLED, alloc, type_id),
	STR(ALLOC_SAMPLED, alloc, type_name),
	U32(ALLOC_SAMPLED, alloc, alloc_kind),
	U64(ALLOC_TICK, alloc, object_bytes),
	U64(ALLOC_TICK, alloc, amount_bytes),
	HEX(ALLOC_TICK, alloc, type_id),
	STR(ALLOC_TICK, alloc, type_name),
	U32(ALLOC_TICK, alloc, alloc_kind),
	HEX(JIT_START, jit_start, method_id),
	HEX(JIT_START, jit_start, module_id),
	U32(JIT_START, jit_start, il_bytes),
	U32(JIT_START, jit_start, token),
	STR(JIT_START, jit_start, name),
	HEX(METHOD_LOAD, method, method_id),
	HEX(METHOD_LOAD, method, module_id),
	HEX(METHOD_LOAD, method, start),
	U64(METHOD_LOAD, method, size),
	HEX(METHOD_LOAD, method, rejit_id),
	U32(METHOD_LOAD, method, flags),
	NAME(METHOD_LOAD, method, tier, tier_name),
	STR(METHOD_LOAD, method, name),
	HEX(METHOD_UNLOAD, method, method_id),
	HEX(METHOD_UNLOAD, method, module_id),
	HEX(METHOD_UNLOAD, method, start),
	U64(METHOD_UNLOAD, method, size),
	HEX(METHOD_UNLOAD, method, rejit_id),
	U32(METHOD_UNLOAD, method, flags),
	NAME(METHOD_UNLOAD, method, tier, tier_name),
	STR(METHOD_UNLOAD, method, name),
	HEX(MODULE_LOAD, module_load, module_id),
	STR(MODULE_LOAD, module_load, path),
	U32(TIERING, tiering, op),
	U32(TIERING, tiering, method_count),
	U32(TIERING, tiering, jitted_count),
	U32(TIERING, tiering, flags),
	U32(POOL_WORKERS, pool_workers, active_count),
	U32(POOL_WORKERS, pool_workers, retired_count),
	U32(POOL_WORKERS, pool_workers, op),
	F64(POOL_ADJUST, pool_adjust, throughput),
	U32(POOL_ADJUST, pool_adjust, goal_count),
	U32(POOL_ADJUST, pool_adjust, reason),
	F64(POOL_SAMPLE, pool_sample, throughput),
	U32(POOL_MINMAX, pool_minmax, min_count),
	U32(POOL_MINMAX, pool_minmax, max_count),
	U64(POOL_COUNTS, pool_counts, queued_count),
	U32(POOL_COUNTS, pool_counts, working_count),
	U32(POOL_COUNTS, pool_counts, existing_count),
	U32(POOL_COUNTS, pool_counts, goal_count),
	U32(POOL_COUNTS, pool_counts, min_count),
	U32(POOL_COUNTS, pool_counts, max_count),
	U32(POOL_COUNTS, pool_counts, queued_known),
	HEX(CONTENTION_START, contention, lock_id),
	HEX(CONTENTION_START, contention, object_id),
	HEX(CONTENTION_START, contention, owner_id),
	U64(CONTENTION_START, contention, duration_ns),
	U32(CONTENTION_START, contention, flags),
	U32(CONTENTION_START, contention, duration_known),
	HEX(CONTENTION_STOP, contention, lock_id),
	HEX(CONTENTION_STOP, contention, object_id),
	HEX(CONTENTION_STOP, contention, owner_id),
	U64(CONTENTION_STOP, contention, duration_ns),
	U32(CONTENTION_STOP, contention, flags),
	U32(CONTENTION_STOP, contention, duration_known),
	HEX(EXCEPTION_THROWN, exception, eip),
	STR(EXCEPTION_THROWN, exception, type),
	STR(EXCEPTION_THROWN, exception, message),
	U32(EXCEPTION_THROWN, exception, hresult),
	U32(EXCEPTION_THROWN, exception, flags),
	HEX(EXCEPTION_CATCH, exception_catch, entry_eip),
	HEX(EXCEPTION_CATCH, exception_catch, method_id),
	STR(EXCEPTION_CATCH, exception_catch, method),
	HEX(CLR_THREAD_CREATED, clr_thread, managed_id),
	U32(CLR_THREAD_CREATED, clr_thread, flags),
	U32(CLR_THREAD_CREATED, clr_thread, index),
	U32(CLR_THREAD_CREATED, clr_thread, os_tid),
	HEX(CLR_THREAD_ENDED, clr_thread, managed_id),
	U32(CLR_THREAD_ENDED, clr_thread, flags),
	U32(CLR_THREAD_ENDED, clr_thread, index),
	U32(CLR_THREAD_ENDED, clr_thread, os_tid),
	STR(CLR_UNKNOWN, clr_unknown, name),
};
/* clang-format on */

const size_t nt_details_field_count = sizeof(nt_details_fields) / sizeof(nt_details_fields[0]);
