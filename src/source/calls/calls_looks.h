/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where calls came from: what the programs tell of those that they looked at, until somebody says what their sums are on. Stacks are walked as those of waits are (stack_program.h), with rules that are learnt from the stacks themselves: the first few of a place may be cut.
 */
#ifndef NT_SOURCE_CALLS_LOOKS_H
#define NT_SOURCE_CALLS_LOOKS_H

#include "nettop/source.h"
#include "source/calls/calls_maps.h"
#include "source/common/bpf_ring.h"
#include "target/process/target.h"

enum { NT_CALLS_LOOKS_KEPT = 4 * NT_CALLS_LOOKS };

/* One that is not told yet. */
struct nt_calls_looked {
	struct nt_calls_look look;
	uint32_t count; /* frames */
	uint32_t next;  /* another one of the same sum; NT_INDEX_NONE = none */
	unsigned turns; /* that it has waited */
	bool told;
};

struct nt_calls_looks {
	struct nt_bpf_ring ring;
	struct nt_switch_rules *rules; /* owned; NULL = stacks are as frame pointers cut them */
	struct nt_switch_maps *maps;   /* owned; NULL = the kernel does not tell where code is mapped; then there are no rules */
	struct nt_calls_looked *items; /* owned; in the order of time */
	size_t count, capacity, fresh; /* fresh: of them, those that are new in this turn begin there */
};

/* `target` and `config` are borrowed for the call. False, with errno: the ring cannot be mapped; *looks is to be freed all the same. */
bool nt_calls_looks_init(struct nt_calls_looks *looks, const struct nt_target *target, const struct nt_source_config *config,
			 const struct nt_calls_programs *programs);
void nt_calls_looks_fini(struct nt_calls_looks *looks); /* all zero is allowed */

/* A turn begins: take what came. Beyond NT_CALLS_LOOKS_KEPT it is as if nobody had looked. */
void nt_calls_looks_read(struct nt_calls_looks *looks);

/* It ends: forget those that were told, and those that nobody has named for long. */
void nt_calls_looks_end(struct nt_calls_looks *looks);

/* Add what is used for it beside this thread. */
void nt_calls_looks_cost(const struct nt_calls_looks *looks, struct nt_source_stats *out);

#endif
