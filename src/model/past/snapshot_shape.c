// SPDX-License-Identifier: GPL-2.0-only
/* The shapes of a snapshot, of what is in it for each process, and of the figures. */
#include "model/past/row_shapes.h"

#include "nettop/process_row.h"
#include "nettop/snapshot.h"

static const struct nt_part source_row_parts[] = { NT_TEXT(nt_source_row, reason), NT_TEXT(nt_source_row, fix) };
static const struct nt_shape source_row = NT_SHAPE(nt_source_row, source_row_parts);

static const struct nt_part target_end_parts[] = { NT_TEXT(nt_target_end, overflow), NT_TEXT(nt_target_end, exception),
						   NT_TEXT(nt_target_end, message), NT_TEXT(nt_target_end, stack),
						   NT_TEXT(nt_target_end, reason) };
static const struct nt_shape target_end = NT_SHAPE(nt_target_end, target_end_parts);

static const struct nt_part target_info_parts[] = { NT_TEXT(nt_target_info, name), NT_TEXT(nt_target_info, runtime),
						    NT_TEXT(nt_target_info, command), NT_TEXT(nt_target_info, end_text),
						    NT_INSIDE(nt_target_info, end, &target_end) };
static const struct nt_shape target_info = NT_SHAPE(nt_target_info, target_info_parts);

static const struct nt_part cpu_figures_parts[] = { NT_TEXT(nt_cpu_figures, hottest_name), NT_INSIDE(nt_cpu_figures, why, &nt_why_shape) };
static const struct nt_shape cpu_figures = NT_SHAPE(nt_cpu_figures, cpu_figures_parts);

static const struct nt_part thread_figures_parts[] = { NT_INSIDE(nt_thread_figures, why, &nt_why_shape) };
static const struct nt_shape thread_figures = NT_SHAPE(nt_thread_figures, thread_figures_parts);

static const struct nt_part gc_figures_parts[] = { NT_INSIDE(nt_gc_figures, why, &nt_why_shape),
						   NT_INSIDE(nt_gc_figures, alloc_why, &nt_why_shape),
						   NT_INSIDE(nt_gc_figures, stack_why, &nt_why_shape) };
static const struct nt_shape gc_figures = NT_SHAPE(nt_gc_figures, gc_figures_parts);

static const struct nt_part jit_figures_parts[] = { NT_INSIDE(nt_jit_figures, why, &nt_why_shape),
						    NT_INSIDE(nt_jit_figures, caller_why, &nt_why_shape) };
static const struct nt_shape jit_figures = NT_SHAPE(nt_jit_figures, jit_figures_parts);

static const struct nt_part pool_item_figures_parts[] = { NT_INSIDE(nt_pool_item_figures, why, &nt_why_shape) };
static const struct nt_shape pool_item_figures = NT_SHAPE(nt_pool_item_figures, pool_item_figures_parts);

static const struct nt_part pool_figures_parts[] = { NT_TEXT(nt_pool_figures, reason), NT_INSIDE(nt_pool_figures, why, &nt_why_shape),
						     NT_INSIDE(nt_pool_figures, items, &pool_item_figures) };
static const struct nt_shape pool_figures = NT_SHAPE(nt_pool_figures, pool_figures_parts);

static const struct nt_part exception_figures_parts[] = { NT_TEXT(nt_exception_figures, top_type),
							  NT_INSIDE(nt_exception_figures, why, &nt_why_shape),
							  NT_INSIDE(nt_exception_figures, stack_why, &nt_why_shape) };
static const struct nt_shape exception_figures = NT_SHAPE(nt_exception_figures, exception_figures_parts);

static const struct nt_part lock_figures_parts[] = { NT_INSIDE(nt_lock_figures, why, &nt_why_shape),
						     NT_INSIDE(nt_lock_figures, stack_why, &nt_why_shape) };
static const struct nt_shape lock_figures = NT_SHAPE(nt_lock_figures, lock_figures_parts);

static const struct nt_part wait_figures_parts[] = { NT_TEXT(nt_wait_figures, method), NT_TEXT(nt_wait_figures, less),
						     NT_INSIDE(nt_wait_figures, less_why, &nt_why_shape),
						     NT_INSIDE(nt_wait_figures, why, &nt_why_shape) };
static const struct nt_shape wait_figures = NT_SHAPE(nt_wait_figures, wait_figures_parts);

static const struct nt_part io_figures_parts[] = { NT_INSIDE(nt_io_figures, why, &nt_why_shape),
						   NT_INSIDE(nt_io_figures, open_why, &nt_why_shape),
						   NT_INSIDE(nt_io_figures, calls_why, &nt_why_shape),
						   NT_INSIDE(nt_io_figures, calls_lack, &nt_why_shape) };
static const struct nt_shape io_figures = NT_SHAPE(nt_io_figures, io_figures_parts);

static const struct nt_part host_figures_parts[] = { NT_INSIDE(nt_host_figures, why, &nt_why_shape), NT_TEXT(nt_host_figures, other_name),
						     NT_TEXT(nt_host_figures, pressure_of) };
static const struct nt_shape host_figures = NT_SHAPE(nt_host_figures, host_figures_parts);

static const struct nt_part request_figures_parts[] = { NT_TEXT(nt_request_figures, worst),
							NT_TEXT(nt_request_figures, made_worst),
							NT_TEXT(nt_request_figures, closed_peer),
							NT_TEXT(nt_request_figures, database_worst),
							NT_TEXT(nt_request_figures, pool),
							NT_INSIDE(nt_request_figures, why, &nt_why_shape),
							NT_INSIDE(nt_request_figures, single_why, &nt_why_shape),
							NT_INSIDE(nt_request_figures, times_why, &nt_why_shape) };
static const struct nt_shape request_figures = NT_SHAPE(nt_request_figures, request_figures_parts);

static const struct nt_part told_figures_parts[] = { NT_TEXT(nt_told_figures, patterns), NT_INSIDE(nt_told_figures, why, &nt_why_shape) };
static const struct nt_shape told_figures = NT_SHAPE(nt_told_figures, told_figures_parts);

static const struct nt_part figures_parts[] = { NT_INSIDE(nt_figures, cpu, &cpu_figures),
						NT_INSIDE(nt_figures, threads, &thread_figures),
						NT_INSIDE(nt_figures, gc, &gc_figures),
						NT_INSIDE(nt_figures, jit, &jit_figures),
						NT_INSIDE(nt_figures, pool, &pool_figures),
						NT_INSIDE(nt_figures, exceptions, &exception_figures),
						NT_INSIDE(nt_figures, locks, &lock_figures),
						NT_INSIDE(nt_figures, waits, &wait_figures),
						NT_INSIDE(nt_figures, io, &io_figures),
						NT_INSIDE(nt_figures, host, &host_figures),
						NT_INSIDE(nt_figures, requests, &request_figures),
						NT_INSIDE(nt_figures, told, &told_figures) };
static const struct nt_shape figures = NT_SHAPE(nt_figures, figures_parts);

static const struct nt_part pause_part_parts[] = { NT_ROWS(nt_pause_part, hot, hot_count, &nt_hot_method_shape) };
static const struct nt_shape pause_part = NT_SHAPE(nt_pause_part, pause_part_parts);

static const struct nt_part pause_samples_parts[] = { NT_INSIDES(nt_pause_samples, parts, NT_PAUSE_SIDES, &pause_part) };
static const struct nt_shape pause_samples = NT_SHAPE(nt_pause_samples, pause_samples_parts);

static const struct nt_shape sample_frame = { NULL, sizeof(uint64_t), NULL, 0, NULL, 0, false };

static const struct nt_part sample_stack_parts[] = { NT_ROWS(nt_sample_stack, frames, count, &sample_frame) };
static const struct nt_shape sample_stack = NT_SHAPE(nt_sample_stack, sample_stack_parts);

static const struct nt_shape sample_row = NT_PLAIN(nt_sample_row);

static const struct nt_part interval_samples_parts[] = { NT_ROWS(nt_interval_samples, rows, row_count, &sample_row),
							 NT_ROWS(nt_interval_samples, stacks, stack_count, &sample_stack),
							 NT_ROWS(nt_interval_samples, frames, frame_count, &nt_stack_frame_shape),
							 NT_ROWS(nt_interval_samples, threads, thread_count, &nt_stack_frame_shape) };
const struct nt_shape nt_interval_samples_shape = NT_SHAPE(nt_interval_samples, interval_samples_parts);

static const struct nt_part difference_parts[] = { NT_ROWS(nt_difference, rows, row_count, &nt_difference_row_shape),
						   NT_TEXT(nt_difference, reason) };
static const struct nt_shape difference = NT_SHAPE(nt_difference, difference_parts);

static const struct nt_part stack_tree_parts[] = { NT_ROWS(nt_stack_tree, frames, frame_count, &nt_stack_frame_shape),
						   NT_ROWS(nt_stack_tree, nodes, node_count, &nt_stack_node_shape),
						   NT_ROWS(nt_stack_tree, moments, moment_count, &nt_stack_moment_shape) };
static const struct nt_shape stack_tree = NT_SHAPE(nt_stack_tree, stack_tree_parts);

static const struct nt_part annotation_parts[] = { NT_TEXT(nt_annotation, name), NT_TEXT(nt_annotation, raw_name),
						   NT_TEXT(nt_annotation, reason), NT_TEXT(nt_annotation, lines_reason) };
static const struct nt_shape annotation = NT_SHAPE(nt_annotation, annotation_parts);

static const struct nt_part rundown_parts[] = { NT_TEXT(nt_rundown, reason) };
static const struct nt_shape rundown = NT_SHAPE(nt_rundown, rundown_parts);

static const struct nt_part told_parts[] = { NT_TEXT(nt_told, patterns),
					     NT_TEXT(nt_told, note),
					     NT_REFS(nt_told, rows, row_count, &nt_told_row_shape),
					     NT_LEFT_COUNTED(nt_told, blocks, block_count),
					     NT_ROWS(nt_told, stacks, stack_count, &nt_told_stack_shape),
					     NT_ROWS(nt_told, kinds, kind_count, &nt_told_kind_row_shape) };
static const struct nt_shape told = NT_SHAPE(nt_told, told_parts);

static const struct nt_part alloc_sampling_parts[] = { NT_INSIDE(nt_alloc_sampling, why, &nt_why_shape),
						       NT_INSIDE(nt_alloc_sampling, stack_why, &nt_why_shape) };
static const struct nt_shape alloc_sampling = NT_SHAPE(nt_alloc_sampling, alloc_sampling_parts);

static const struct nt_part jit_startup_rows_parts[] = { NT_ROWS(nt_jit_startup_rows, items, count, &nt_jit_startup_row_shape),
							 NT_ROWS(nt_jit_startup_rows, causes, cause_count, &nt_jit_cause_row_shape) };
static const struct nt_shape jit_startup_rows = NT_SHAPE(nt_jit_startup_rows, jit_startup_rows_parts);

static const struct nt_part process_snapshot_parts[] = {
	NT_INSIDE(nt_process_snapshot, target, &target_info),
	NT_INSIDE(nt_process_snapshot, interval, &figures),
	NT_INSIDE(nt_process_snapshot, total, &figures),
	NT_INSIDE(nt_process_snapshot, jit_recent, &jit_figures),
	NT_ROWS(nt_process_snapshot, methods, method_count, &nt_method_row_shape),
	NT_INSIDE(nt_process_snapshot, pause_samples, &pause_samples),
	NT_INSIDE(nt_process_snapshot, interval_samples, &nt_interval_samples_shape),
	NT_INSIDE(nt_process_snapshot, difference, &difference),
	NT_INSIDE(nt_process_snapshot, stacks, &stack_tree),
	NT_LEFT_COUNTED(nt_process_snapshot, calls, call_count),
	NT_INSIDE(nt_process_snapshot, annotation, &annotation),
	NT_ROWS(nt_process_snapshot, instructions, instruction_count, &nt_instruction_row_shape),
	NT_INSIDE(nt_process_snapshot, rundown, &rundown),
	NT_REFS(nt_process_snapshot, collections, collection_count, &nt_gc_row_shape),
	NT_LEFT_COUNTED(nt_process_snapshot, collection_blocks, collection_block_count),
	NT_INSIDES(nt_process_snapshot, generations, NT_GC_ROW_GENERATIONS, &nt_gc_generation_row_shape),
	NT_ROWS(nt_process_snapshot, gc_heaps, gc_heap_count, &nt_gc_heap_row_shape),
	NT_ROWS(nt_process_snapshot, requests, request_count, &nt_request_row_shape),
	NT_ROWS(nt_process_snapshot, single_requests, single_request_count, &nt_single_request_row_shape),
	NT_ROWS(nt_process_snapshot, request_times, request_time_count, &nt_request_time_row_shape),
	NT_ROWS(nt_process_snapshot, exceptions, exception_count, &nt_exception_row_shape),
	NT_ROWS(nt_process_snapshot, thrown, thrown_count, &nt_thrown_row_shape),
	NT_ROWS(nt_process_snapshot, throw_sites, throw_site_count, &nt_throw_site_row_shape),
	NT_ROWS(nt_process_snapshot, adjustments, adjustment_count, &nt_pool_adjustment_shape),
	NT_ROWS(nt_process_snapshot, pool_waits, pool_wait_count, &nt_pool_wait_row_shape),
	NT_ROWS(nt_process_snapshot, locks, lock_count, &nt_lock_row_shape),
	NT_ROWS(nt_process_snapshot, lock_objects, lock_object_count, &nt_lock_group_row_shape),
	NT_ROWS(nt_process_snapshot, lock_owners, lock_owner_count, &nt_lock_group_row_shape),
	NT_ROWS(nt_process_snapshot, waits, wait_count, &nt_wait_row_shape),
	NT_ROWS(nt_process_snapshot, wait_reasons, wait_reason_count, &nt_wait_sum_row_shape),
	NT_ROWS(nt_process_snapshot, wait_threads, wait_thread_count, &nt_wait_sum_row_shape),
	NT_INSIDE(nt_process_snapshot, told, &told),
	NT_ROWS(nt_process_snapshot, wall, wall_count, &nt_wall_row_shape),
	NT_ROWS(nt_process_snapshot, io, io_count, &nt_io_row_shape),
	NT_ROWS(nt_process_snapshot, allocations, allocation_count, &nt_alloc_row_shape),
	NT_ROWS(nt_process_snapshot, allocation_sites, allocation_site_count, &nt_alloc_row_shape),
	NT_INSIDE(nt_process_snapshot, alloc_sampling, &alloc_sampling),
	NT_ROWS(nt_process_snapshot, threads, thread_count, &nt_thread_row_shape),
	NT_ROWS(nt_process_snapshot, jit_methods, jit_method_count, &nt_jit_row_shape),
	NT_ROWS(nt_process_snapshot, jit_groups[NT_JIT_BY_MODULE], jit_group_count[NT_JIT_BY_MODULE], &nt_jit_group_row_shape),
	NT_ROWS(nt_process_snapshot, jit_groups[NT_JIT_BY_NAMESPACE], jit_group_count[NT_JIT_BY_NAMESPACE], &nt_jit_group_row_shape),
	NT_ROWS(nt_process_snapshot, jit_groups[NT_JIT_BY_TIER], jit_group_count[NT_JIT_BY_TIER], &nt_jit_group_row_shape),
	NT_ROWS(nt_process_snapshot, jit_groups[NT_JIT_BY_TRIGGER], jit_group_count[NT_JIT_BY_TRIGGER], &nt_jit_group_row_shape),
	NT_ROWS(nt_process_snapshot, jit_callers, jit_caller_count, &nt_jit_caller_row_shape),
	NT_INSIDE(nt_process_snapshot, jit_startup, &jit_startup_rows),
	NT_ROWS(nt_process_snapshot, jit_now, jit_now_count, &nt_jit_now_shape),
	NT_ROWS(nt_process_snapshot, counters, counter_count, &nt_counter_row_shape),
	NT_ROWS(nt_process_snapshot, findings, finding_count, &nt_finding_shape),
	NT_TEXTS(nt_process_snapshot, checked, NT_FINDING_SUBJECTS),
	NT_TEXTS(nt_process_snapshot, unchecked, NT_FINDING_SUBJECTS),
	NT_ROWS(nt_process_snapshot, questions, question_count, &nt_question_shape)
};
static const struct nt_prediction process_snapshot_predictions[] = { NT_CELLS(nt_process_snapshot, series, sizeof(struct nt_f64)) };
static const struct nt_shape process_snapshot =
	NT_PREDICTED_SHAPE(nt_process_snapshot, process_snapshot_parts, process_snapshot_predictions);

static const struct nt_part usable_parts[] = { NT_TEXT(nt_usable, why) };
static const struct nt_shape usable = NT_SHAPE(nt_usable, usable_parts);

static const struct nt_part process_row_parts[] = { NT_TEXT(nt_process_row, name),
						    NT_TEXT(nt_process_row, command),
						    NT_TEXT(nt_process_row, runtime),
						    NT_TEXT(nt_process_row, user),
						    NT_TEXT(nt_process_row, host),
						    NT_TEXT(nt_process_row, session),
						    NT_INSIDES(nt_process_row, usable, NT_LISTED_SOURCES, &usable),
						    NT_TEXT(nt_process_row, last_end_text),
						    NT_ONE(nt_process_row, process, &process_snapshot),
						    NT_ONE(nt_process_row, hottest, &nt_method_row_shape) };
static const struct nt_shape process_row = NT_SHAPE(nt_process_row, process_row_parts);

static const struct nt_part snapshot_parts[] = { NT_INSIDES(nt_snapshot, sources, NT_SOURCE_COUNT, &source_row),
						 NT_ROWS(nt_snapshot, processes, process_count, &process_snapshot),
						 NT_ROWS(nt_snapshot, listed, listed_count, &process_row), NT_LEFT(nt_snapshot, arena),
						 NT_LEFT(nt_snapshot, texts) };
const struct nt_shape nt_snapshot_shape = NT_SHAPE(nt_snapshot, snapshot_parts);
