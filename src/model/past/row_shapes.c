// SPDX-License-Identifier: GPL-2.0-only
#include "model/past/row_shapes.h"

#include "nettop/process_row.h"
#include "nettop/snapshot.h"

static const struct nt_shape tier_samples = { NULL, sizeof(uint32_t), NULL, 0, NULL, 0, false };

static const struct nt_part why_parts[] = { NT_TEXT(nt_why, reason), NT_TEXT(nt_why, fix) };
const struct nt_shape nt_why_shape = NT_SHAPE(nt_why, why_parts);

static const struct nt_part call_frame_parts[] = { NT_TEXT(nt_call_frame, name), NT_TEXT(nt_call_frame, module) };
static const struct nt_shape call_frame = NT_SHAPE(nt_call_frame, call_frame_parts);

static const struct nt_part call_stack_parts[] = { NT_ROWS(nt_call_stack, frames, count, &call_frame) };
const struct nt_shape nt_call_stack_shape = NT_SHAPE(nt_call_stack, call_stack_parts);

static const struct nt_part hot_method_parts[] = { NT_TEXT(nt_hot_method, name) };
const struct nt_shape nt_hot_method_shape = NT_SHAPE(nt_hot_method, hot_method_parts);

static const struct nt_shape trend = NT_PLAIN(nt_trend);

static const struct nt_shape method_weight = NT_PLAIN(nt_method_weight);

static const struct nt_part method_row_parts[] = { NT_TEXT(nt_method_row, name),
						   NT_TEXT(nt_method_row, raw_name),
						   NT_TEXT(nt_method_row, module),
						   NT_TEXT(nt_method_row, reason),
						   NT_TEXT(nt_method_row, thread),
						   NT_TEXT(nt_method_row, caller),
						   NT_ONE(nt_method_row, trend, &trend),
						   NT_FIXED(nt_method_row, tier_samples, NT_TIER_COUNT, &tier_samples),
						   NT_FIXED(nt_method_row, weights, NT_SAMPLE_KINDS, &method_weight) };
static const struct nt_prediction method_row_predictions[] = {
	NT_PREDICTED(NT_PREDICT_SUM, nt_method_row, self_samples_all, self_samples),
	NT_PREDICTED(NT_PREDICT_SUM, nt_method_row, total_samples_all, total_samples),
	NT_PREDICTED(NT_PREDICT_WINDOW, nt_method_row, window_self, self_samples),
	NT_PREDICTED(NT_PREDICT_WINDOW, nt_method_row, window_total, total_samples),
	NT_PREDICTED(NT_PREDICT_SHARE, nt_method_row, self_pct, self_samples),
	NT_PREDICTED(NT_PREDICT_SHARE, nt_method_row, total_pct, total_samples),
	NT_PREDICTED(NT_PREDICT_PART, nt_method_row, window_self_pct, window_self),
	NT_PREDICTED(NT_PREDICT_PART, nt_method_row, window_total_pct, window_total),
	NT_PREDICTED(NT_PREDICT_SHARE, nt_method_row, all_self_pct, self_samples_all),
	NT_PREDICTED(NT_PREDICT_SHARE, nt_method_row, all_total_pct, total_samples_all),
};
const struct nt_shape nt_method_row_shape = NT_PREDICTED_SHAPE(nt_method_row, method_row_parts, method_row_predictions);

static const struct nt_part stack_frame_parts[] = { NT_TEXT(nt_stack_frame, name), NT_TEXT(nt_stack_frame, raw_name),
						    NT_TEXT(nt_stack_frame, module), NT_TEXT(nt_stack_frame, reason) };
const struct nt_shape nt_stack_frame_shape = NT_SHAPE(nt_stack_frame, stack_frame_parts);

const struct nt_shape nt_stack_node_shape = NT_PLAIN(nt_stack_node);

const struct nt_shape nt_stack_moment_shape = NT_PLAIN(nt_stack_moment);

static const struct nt_part instruction_row_parts[] = { NT_TEXT(nt_instruction_row, text), NT_TEXT(nt_instruction_row, file),
							NT_TEXT(nt_instruction_row, place) };
const struct nt_shape nt_instruction_row_shape = NT_SHAPE(nt_instruction_row, instruction_row_parts);

static const struct nt_part gc_row_parts[] = { NT_TEXT(nt_gc_row, asked_by), NT_ONE(nt_gc_row, asked_from, &nt_call_stack_shape) };
const struct nt_shape nt_gc_row_shape = NT_LOGGED_SHAPE(nt_gc_row, gc_row_parts);

const struct nt_shape nt_gc_heap_row_shape = NT_PLAIN(nt_gc_heap_row);

static const struct nt_part gc_generation_row_parts[] = { NT_TEXT(nt_gc_generation_row, name) };
const struct nt_shape nt_gc_generation_row_shape = NT_SHAPE(nt_gc_generation_row, gc_generation_row_parts);

static const struct nt_part request_row_parts[] = { NT_TEXT(nt_request_row, method), NT_TEXT(nt_request_row, status),
						    NT_TEXT(nt_request_row, route), NT_TEXT(nt_request_row, error) };
const struct nt_shape nt_request_row_shape = NT_SHAPE(nt_request_row, request_row_parts);

static const struct nt_part single_request_row_parts[] = { NT_TEXT(nt_single_request_row, method), NT_TEXT(nt_single_request_row, path),
							   NT_TEXT(nt_single_request_row, route),  NT_TEXT(nt_single_request_row, awaits),
							   NT_TEXT(nt_single_request_row, trace),  NT_TEXT(nt_single_request_row, span) };
const struct nt_shape nt_single_request_row_shape = NT_SHAPE(nt_single_request_row, single_request_row_parts);

static const struct nt_part request_time_row_parts[] = { NT_TEXT(nt_request_time_row, method), NT_TEXT(nt_request_time_row, route),
							 NT_TEXT(nt_request_time_row, awaited) };
const struct nt_shape nt_request_time_row_shape = NT_SHAPE(nt_request_time_row, request_time_row_parts);

static const struct nt_part exception_row_parts[] = { NT_TEXT(nt_exception_row, type), NT_TEXT(nt_exception_row, message),
						      NT_TEXT(nt_exception_row, thrown_at),
						      NT_ONE(nt_exception_row, thrown_from, &nt_call_stack_shape) };
const struct nt_shape nt_exception_row_shape = NT_SHAPE(nt_exception_row, exception_row_parts);

static const struct nt_part thrown_row_parts[] = { NT_TEXT(nt_thrown_row, thread),
						   NT_TEXT(nt_thrown_row, type),
						   NT_TEXT(nt_thrown_row, message),
						   NT_TEXT(nt_thrown_row, thrown_at),
						   NT_ONE(nt_thrown_row, thrown_from, &nt_call_stack_shape),
						   NT_TEXT(nt_thrown_row, caught_at) };
const struct nt_shape nt_thrown_row_shape = NT_SHAPE(nt_thrown_row, thrown_row_parts);

static const struct nt_part throw_site_row_parts[] = { NT_TEXT(nt_throw_site_row, site),
						       NT_ONE(nt_throw_site_row, thrown_from, &nt_call_stack_shape),
						       NT_TEXT(nt_throw_site_row, type) };
const struct nt_shape nt_throw_site_row_shape = NT_SHAPE(nt_throw_site_row, throw_site_row_parts);

static const struct nt_part pool_adjustment_parts[] = { NT_TEXT(nt_pool_adjustment, reason) };
const struct nt_shape nt_pool_adjustment_shape = NT_SHAPE(nt_pool_adjustment, pool_adjustment_parts);

const struct nt_shape nt_pool_wait_row_shape = NT_PLAIN(nt_pool_wait_row);

static const struct nt_part lock_row_parts[] = { NT_TEXT(nt_lock_row, site), NT_ONE(nt_lock_row, waited_from, &nt_call_stack_shape),
						 NT_TEXT(nt_lock_row, owner_name) };
const struct nt_shape nt_lock_row_shape = NT_SHAPE(nt_lock_row, lock_row_parts);

static const struct nt_part lock_group_row_parts[] = {
	NT_TEXT(nt_lock_group_row, type),     NT_TEXT(nt_lock_group_row, owner_name),
	NT_TEXT(nt_lock_group_row, owner_at), NT_ONE(nt_lock_group_row, owner_stack, &nt_call_stack_shape),
	NT_TEXT(nt_lock_group_row, site),     NT_ONE(nt_lock_group_row, waited_from, &nt_call_stack_shape)
};
const struct nt_shape nt_lock_group_row_shape = NT_SHAPE(nt_lock_group_row, lock_group_row_parts);

static const struct nt_part wait_row_parts[] = { NT_TEXT(nt_wait_row, site),
						 NT_TEXT(nt_wait_row, module),
						 NT_TEXT(nt_wait_row, means),
						 NT_TEXT(nt_wait_row, what),
						 NT_ONE(nt_wait_row, waited_from, &nt_call_stack_shape),
						 NT_TEXT(nt_wait_row, waker_name),
						 NT_TEXT(nt_wait_row, waker_at),
						 NT_TEXT(nt_wait_row, holder_name) };
const struct nt_shape nt_wait_row_shape = NT_SHAPE(nt_wait_row, wait_row_parts);

static const struct nt_shape wait_strip = NT_PLAIN(nt_wait_strip);

static const struct nt_part wait_sum_row_parts[] = { NT_TEXT(nt_wait_sum_row, name), NT_TEXT(nt_wait_sum_row, site),
						     NT_ONE(nt_wait_sum_row, strip, &wait_strip) };
const struct nt_shape nt_wait_sum_row_shape = NT_SHAPE(nt_wait_sum_row, wait_sum_row_parts);

static const struct nt_part told_row_parts[] = { NT_TEXT(nt_told_row, event), NT_TEXT(nt_told_row, fields), NT_TEXT(nt_told_row, lines),
						 NT_TEXT(nt_told_row, activity) };
const struct nt_shape nt_told_row_shape = NT_SHAPE(nt_told_row, told_row_parts);

static const struct nt_part told_stack_parts[] = { NT_ONE(nt_told_stack, stack, &nt_call_stack_shape) };
const struct nt_shape nt_told_stack_shape = NT_SHAPE(nt_told_stack, told_stack_parts);

static const struct nt_part told_kind_row_parts[] = { NT_TEXT(nt_told_kind_row, event) };
const struct nt_shape nt_told_kind_row_shape = NT_SHAPE(nt_told_kind_row, told_kind_row_parts);

static const struct nt_part wall_row_parts[] = { NT_TEXT(nt_wall_row, site), NT_TEXT(nt_wall_row, module) };
const struct nt_shape nt_wall_row_shape = NT_SHAPE(nt_wall_row, wall_row_parts);

static const struct nt_part io_caller_parts[] = { NT_TEXT(nt_io_caller, name), NT_TEXT(nt_io_caller, module) };
static const struct nt_shape io_caller = NT_SHAPE(nt_io_caller, io_caller_parts);

static const struct nt_part io_row_parts[] = { NT_TEXT(nt_io_row, what), NT_ROWS(nt_io_row, callers, caller_count, &io_caller) };
const struct nt_shape nt_io_row_shape = NT_SHAPE(nt_io_row, io_row_parts);

static const struct nt_part alloc_row_parts[] = { NT_TEXT(nt_alloc_row, type), NT_TEXT(nt_alloc_row, site),
						  NT_ONE(nt_alloc_row, allocated_from, &nt_call_stack_shape) };
const struct nt_shape nt_alloc_row_shape = NT_SHAPE(nt_alloc_row, alloc_row_parts);

static const struct nt_part thread_row_parts[] = { NT_TEXT(nt_thread_row, name),
						   NT_TEXT(nt_thread_row, wait_means),
						   NT_TEXT(nt_thread_row, wait_at),
						   NT_TEXT(nt_thread_row, wait_what),
						   NT_ONE(nt_thread_row, wait_from, &nt_call_stack_shape),
						   NT_ROWS(nt_thread_row, hot, hot_count, &nt_hot_method_shape) };
const struct nt_shape nt_thread_row_shape = NT_SHAPE(nt_thread_row, thread_row_parts);

static const struct nt_part jit_row_parts[] = { NT_TEXT(nt_jit_row, name), NT_TEXT(nt_jit_row, module) };
const struct nt_shape nt_jit_row_shape = NT_SHAPE(nt_jit_row, jit_row_parts);

static const struct nt_part jit_group_row_parts[] = { NT_TEXT(nt_jit_group_row, name) };
const struct nt_shape nt_jit_group_row_shape = NT_SHAPE(nt_jit_group_row, jit_group_row_parts);

static const struct nt_part jit_caller_row_parts[] = { NT_TEXT(nt_jit_caller_row, site), NT_TEXT(nt_jit_caller_row, via),
						       NT_TEXT(nt_jit_caller_row, compiled),
						       NT_ONE(nt_jit_caller_row, compiled_from, &nt_call_stack_shape) };
const struct nt_shape nt_jit_caller_row_shape = NT_SHAPE(nt_jit_caller_row, jit_caller_row_parts);

static const struct nt_part jit_startup_row_parts[] = { NT_TEXT(nt_jit_startup_row, name), NT_TEXT(nt_jit_startup_row, module) };
const struct nt_shape nt_jit_startup_row_shape = NT_SHAPE(nt_jit_startup_row, jit_startup_row_parts);

static const struct nt_part jit_cause_row_parts[] = { NT_TEXT(nt_jit_cause_row, module), NT_TEXT(nt_jit_cause_row, remedy) };
const struct nt_shape nt_jit_cause_row_shape = NT_SHAPE(nt_jit_cause_row, jit_cause_row_parts);

static const struct nt_part jit_now_parts[] = { NT_TEXT(nt_jit_now, name) };
const struct nt_shape nt_jit_now_shape = NT_SHAPE(nt_jit_now, jit_now_parts);

static const struct nt_part counter_row_parts[] = { NT_TEXT(nt_counter_row, provider),
						    NT_TEXT(nt_counter_row, name),
						    NT_TEXT(nt_counter_row, display_name),
						    NT_TEXT(nt_counter_row, unit),
						    NT_TEXT(nt_counter_row, tags),
						    NT_TEXT(nt_counter_row, description),
						    NT_TEXT(nt_counter_row, instrument_tags),
						    NT_TEXT(nt_counter_row, meter_tags),
						    NT_TEXT(nt_counter_row, label) };
const struct nt_shape nt_counter_row_shape = NT_SHAPE(nt_counter_row, counter_row_parts);

static const struct nt_part finding_evidence_parts[] = { NT_TEXT(nt_finding_evidence, quantity), NT_TEXT(nt_finding_evidence, unit) };
static const struct nt_shape finding_evidence = NT_SHAPE(nt_finding_evidence, finding_evidence_parts);

static const struct nt_part finding_parts[] = { NT_INSIDES(nt_finding, evidence, NT_FINDING_LIMITS, &finding_evidence),
						NT_TEXT(nt_finding, unit), NT_TEXT(nt_finding, text), NT_TEXT(nt_finding, short_text),
						NT_TEXT(nt_finding, brief_text) };
const struct nt_shape nt_finding_shape = NT_SHAPE(nt_finding, finding_parts);

static const struct nt_part question_parts[] = { NT_TEXT(nt_question, image), NT_TEXT(nt_question, method) };
const struct nt_shape nt_question_shape = NT_SHAPE(nt_question, question_parts);

static const struct nt_part difference_row_parts[] = { NT_TEXT(nt_difference_row, name), NT_TEXT(nt_difference_row, module) };
const struct nt_shape nt_difference_row_shape = NT_SHAPE(nt_difference_row, difference_row_parts);
