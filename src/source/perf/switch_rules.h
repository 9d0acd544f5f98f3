/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The rules by which the walk of stack_program.h gets out of code without frame pointers: of the places where threads wait, and of those that they have called that from. They are found in the
 * stacks that come, looked up by a worker (call frame information, frame_lookup.h), and put into the map of the program: the first few stacks of a place are cut, the others whole.
 */
#ifndef NT_SOURCE_SWITCH_RULES_H
#define NT_SOURCE_SWITCH_RULES_H

#include "nettop/source.h"

struct nt_switch_rules;

/* map: as of struct nt_stack_program, borrowed for its life. `target` and `config` are borrowed for the call. Starts the worker. NULL: it cannot be had here; stacks are
 * then cut as frame pointers cut them. So they are where the library that reads call frame information is missing, which only the process that reads images would load. */
struct nt_switch_rules *nt_switch_rules_new(const struct nt_target *target, const struct nt_source_config *config, int map);

/* Does not wait for a file that hangs. NULL is allowed, here and below. */
void nt_switch_rules_free(struct nt_switch_rules *rules);

/* A stack as the walk made it at `time`, leaf first: have looked up what it lacks. Stacks come in order of time. Returns how many of its frames hold: a rule that was dropped may have led to the others. */
unsigned nt_switch_rules_see(struct nt_switch_rules *rules, nt_time time, const uint64_t *stack, unsigned count);

/*
 * Other code is in [start, end) since `time`: the rules of what was there are dropped, before this returns. generated: it is no file's, so frame pointers hold in it still where they did, and nothing is
 * asked anew with each page that the memory of generated code grows by.
 */
void nt_switch_rules_mapped(struct nt_switch_rules *rules, nt_time time, uint64_t start, uint64_t end, bool generated);

/* Add what its threads, and the process that reads images for it, have used. */
void nt_switch_rules_cost(struct nt_switch_rules *rules, struct nt_source_stats *out);

#endif
