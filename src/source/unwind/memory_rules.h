/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules of call chains of precompiled code that lies in no file: the host of a packed single-file program unpacks its assemblies into memory. A reader (source/contract) looks up what their UNWIND_INFO says, where the
 * runtime's own data lead to it. Waits for its answers: for a worker thread.
 */
#ifndef NT_SOURCE_MEMORY_RULES_H
#define NT_SOURCE_MEMORY_RULES_H

#include "decode/unwind/frame_rule.h"
#include "nettop/source.h"

struct nt_memory_rules;

/* `target` is borrowed for the call. NULL: it is no single-file program, so there is no such code. No reader is started yet. */
struct nt_memory_rules *nt_memory_rules_new(const struct nt_target *target);
void nt_memory_rules_free(struct nt_memory_rules *rules); /* NULL is allowed, here and below */

/* As nt_frame_lookup_find(). Of what the runtime does not know, and where its data may not be read, the rule is the frame pointer's. */
enum nt_status nt_memory_rules_find(struct nt_memory_rules *rules, uint64_t address, uint64_t *start, uint64_t *end,
				    struct nt_frame_rule *rule);

/* From any thread: the present and every later find returns NT_END. */
void nt_memory_rules_cancel(struct nt_memory_rules *rules);

/* CPU time of the reader, as of the last answer, ns. From any thread. */
uint64_t nt_memory_rules_cpu_ns(const struct nt_memory_rules *rules);

#endif
