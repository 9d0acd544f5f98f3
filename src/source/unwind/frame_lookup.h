/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the rules of call chains come from: the mappings of the target say which image an address belongs to, and the image how to get from there to the caller.
 * Generated code and the runtime's own libraries keep frame pointers (these are looked up all the same for stacks of threads that wait, which are walked without one at first); so does, for want of anything better, what cannot be read. Precompiled methods may keep none, and have unwind information, in their image or (of a packed single file) in the target's memory. Reads files: for a
 * worker thread.
 */
#ifndef NT_SOURCE_FRAME_LOOKUP_H
#define NT_SOURCE_FRAME_LOOKUP_H

#include "decode/unwind/frame_rule.h"
#include "nettop/source.h"

struct nt_frame_lookup;

/* `target` and `config` are borrowed for the call. */
struct nt_frame_lookup *nt_frame_lookup_new(const struct nt_target *target, const struct nt_source_config *config);
void nt_frame_lookup_free(struct nt_frame_lookup *lookup);

/* Something else is mapped in [start, end) than before. */
void nt_frame_lookup_forget(struct nt_frame_lookup *lookup, uint64_t start, uint64_t end);

/* The rule of the code at `address`, which holds in [*start, *end). NT_AGAIN: not known now, ask later; NT_END: it was cancelled. */
enum nt_status nt_frame_lookup_find(struct nt_frame_lookup *lookup, uint64_t address, uint64_t *start, uint64_t *end,
				    struct nt_frame_rule *rule);

/* From any thread: the present and every later call returns NT_END. */
void nt_frame_lookup_cancel(struct nt_frame_lookup *lookup);

/* CPU time of the threads that read for it, ns. From any thread. */
uint64_t nt_frame_lookup_cpu_ns(struct nt_frame_lookup *lookup);

/* The same of the process that does (decoder.h). */
uint64_t nt_frame_lookup_helper_cpu_ns(const struct nt_frame_lookup *lookup);
uint64_t nt_frame_lookup_helper_bytes(const struct nt_frame_lookup *lookup);

#endif
