// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_stacks.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1 << 12 }; /* threads of one process have numbers that follow each other */

struct nt_switch_stacks {
	nt_time since; /* what is from before is not known to be anybody's last */
	struct {
		uint32_t tid, epoch;
		nt_stack stack;
	} last[PLACES];
};

struct nt_switch_stacks *nt_switch_stacks_new(void)
{
	return nt_alloc(sizeof(struct nt_switch_stacks));
}

void nt_switch_stacks_free(struct nt_switch_stacks *stacks)
{
	free(stacks);
}

void nt_switch_stacks_set(struct nt_switch_stacks *stacks, uint32_t tid, nt_time time, uint32_t epoch, nt_stack stack)
{
	if (time < stacks->since)
		return;
	stacks->last[tid % PLACES].tid = tid;
	stacks->last[tid % PLACES].epoch = epoch;
	stacks->last[tid % PLACES].stack = stack;
}

nt_stack nt_switch_stacks_of(const struct nt_switch_stacks *stacks, uint32_t tid, uint32_t epoch)
{
	size_t at = tid % PLACES;
	return stacks->last[at].tid == tid && stacks->last[at].epoch == epoch ? stacks->last[at].stack : 0;
}

void nt_switch_stacks_forget(struct nt_switch_stacks *stacks, nt_time until)
{
	memset(stacks->last, 0, sizeof(stacks->last));
	stacks->since = until;
}
