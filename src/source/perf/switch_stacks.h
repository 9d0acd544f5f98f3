/* SPDX-License-Identifier: GPL-2.0-only */
/* The stack with which each thread of a process left a CPU last, as the batches number it: who leaves it there again a moment later is told of without one (NT_SWITCH_OFF_AGAIN). */
#ifndef NT_SOURCE_SWITCH_STACKS_H
#define NT_SOURCE_SWITCH_STACKS_H

#include "nettop/clock.h"
#include "nettop/event.h"

struct nt_switch_stacks;

struct nt_switch_stacks *nt_switch_stacks_new(void);
void nt_switch_stacks_free(struct nt_switch_stacks *stacks); /* NULL is allowed */

/* It leaves at `time`. stack: of this epoch of the batches; 0 = it has none. Two threads of several thousand may have one place: then the earlier is forgotten. */
void nt_switch_stacks_set(struct nt_switch_stacks *stacks, uint32_t tid, nt_time time, uint32_t epoch, nt_stack stack);

/* 0 = not known, or it was numbered in another epoch. */
nt_stack nt_switch_stacks_of(const struct nt_switch_stacks *stacks, uint32_t tid, uint32_t epoch);

/* Records up to `until` are missing: the last of any thread may be among them. What is told of before that, and only now, is not the last either. */
void nt_switch_stacks_forget(struct nt_switch_stacks *stacks, nt_time until);

#endif
