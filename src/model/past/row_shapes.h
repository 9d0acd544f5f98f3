/* SPDX-License-Identifier: GPL-2.0-only */
/* The shapes of rows and of figures, for snapshot_shape.c; and how they are written down. */
#ifndef NT_MODEL_PAST_ROW_SHAPES_H
#define NT_MODEL_PAST_ROW_SHAPES_H

#include "model/past/shape.h"

#define NT_SIZE_IN(type, member) sizeof(((struct type *)NULL)->member)

#define NT_TEXT(type, member)                                                                                                              \
	{                                                                                                                                  \
		NT_PART_TEXT, offsetof(struct type, member), 1, 0, 0, NULL                                                                 \
	}
#define NT_TEXTS(type, member, times)                                                                                                      \
	{                                                                                                                                  \
		NT_PART_TEXT, offsetof(struct type, member), times, 0, 0, NULL                                                             \
	}
#define NT_ROWS(type, member, number, shape)                                                                                               \
	{                                                                                                                                  \
		NT_PART_ROWS, offsetof(struct type, member), 0, offsetof(struct type, number), NT_SIZE_IN(type, number), shape             \
	}
#define NT_REFS(type, member, number, shape)                                                                                               \
	{                                                                                                                                  \
		NT_PART_REFS, offsetof(struct type, member), 0, offsetof(struct type, number), NT_SIZE_IN(type, number), shape             \
	}
#define NT_ONE(type, member, shape)                                                                                                        \
	{                                                                                                                                  \
		NT_PART_FIXED, offsetof(struct type, member), 1, 0, 0, shape                                                               \
	}
#define NT_FIXED(type, member, times, shape)                                                                                               \
	{                                                                                                                                  \
		NT_PART_FIXED, offsetof(struct type, member), times, 0, 0, shape                                                           \
	}
#define NT_INSIDE(type, member, shape)                                                                                                     \
	{                                                                                                                                  \
		NT_PART_INSIDE, offsetof(struct type, member), 1, 0, 0, shape                                                              \
	}
#define NT_INSIDES(type, member, times, shape)                                                                                             \
	{                                                                                                                                  \
		NT_PART_INSIDE, offsetof(struct type, member), times, 0, 0, shape                                                          \
	}
#define NT_LEFT(type, member)                                                                                                              \
	{                                                                                                                                  \
		NT_PART_LEFT, offsetof(struct type, member), 0, 0, 0, NULL                                                                 \
	}
#define NT_LEFT_COUNTED(type, member, number)                                                                                              \
	{                                                                                                                                  \
		NT_PART_LEFT, offsetof(struct type, member), 0, offsetof(struct type, number), NT_SIZE_IN(type, number), NULL              \
	}

#define NT_PREDICTED(how, type, member, of)                                                                                                \
	{                                                                                                                                  \
		how, offsetof(struct type, member), NT_SIZE_IN(type, member), offsetof(struct type, of)                                    \
	}
#define NT_CELLS(type, member, cell)                                                                                                       \
	{                                                                                                                                  \
		NT_PREDICT_MOVED, offsetof(struct type, member), NT_SIZE_IN(type, member), cell                                            \
	}

#define NT_SHAPE(type, parts)                                                                                                              \
	{                                                                                                                                  \
#type, sizeof(struct type), parts, sizeof(parts) / sizeof((parts)[0]), NULL, 0, false                                      \
	}
#define NT_LOGGED_SHAPE(type, parts)                                                                                                       \
	{                                                                                                                                  \
#type, sizeof(struct type), parts, sizeof(parts) / sizeof((parts)[0]), NULL, 0, true                                       \
	}
#define NT_PREDICTED_SHAPE(type, parts, predictions)                                                                                       \
	{                                                                                                                                  \
#type, sizeof(struct type), parts, sizeof(parts) / sizeof((parts)[0]), predictions,                                        \
			sizeof(predictions) / sizeof((predictions)[0]), false                                                              \
	}
#define NT_PLAIN(type)                                                                                                                     \
	{                                                                                                                                  \
#type, sizeof(struct type), NULL, 0, NULL, 0, false                                                                        \
	}

extern const struct nt_shape nt_why_shape, nt_call_stack_shape, nt_hot_method_shape;

/* What is in the list of each subject. */
extern const struct nt_shape nt_method_row_shape, nt_stack_frame_shape, nt_stack_node_shape, nt_stack_moment_shape,
	nt_instruction_row_shape, nt_gc_row_shape, nt_gc_heap_row_shape, nt_gc_generation_row_shape, nt_request_row_shape,
	nt_single_request_row_shape, nt_request_time_row_shape, nt_exception_row_shape, nt_thrown_row_shape, nt_throw_site_row_shape,
	nt_pool_adjustment_shape, nt_pool_wait_row_shape, nt_lock_row_shape, nt_lock_group_row_shape, nt_wait_row_shape,
	nt_wait_sum_row_shape, nt_told_row_shape, nt_told_stack_shape, nt_told_kind_row_shape, nt_wall_row_shape, nt_io_row_shape,
	nt_alloc_row_shape, nt_thread_row_shape, nt_jit_row_shape, nt_jit_group_row_shape, nt_jit_caller_row_shape,
	nt_jit_startup_row_shape, nt_jit_cause_row_shape, nt_jit_now_shape, nt_counter_row_shape, nt_finding_shape, nt_question_shape,
	nt_difference_row_shape;

#endif
