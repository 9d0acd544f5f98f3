// SPDX-License-Identifier: GPL-2.0-only
#include "source/runtime/native_stacks.h"

#include "base/alloc.h"
#include "source/unwind/rule_worker.h"

#include <stdlib.h>
#include <string.h>

/* Rules that one stack may lack; frames of a result: those of the walk, or as many managed ones behind them. */
enum { LEARN_MAX = 2 * NT_WAIT_WALK_MAX, FRAMES_MAX = 512 };

struct job {
	uint64_t number;
	struct nt_native_stack stack;
	uint8_t *bytes;    /* owned: its copy, */
	uint64_t *managed; /* and its managed frames */
};

struct nt_native_stacks {
	struct nt_rule_worker *worker;
	/* The worker's: */
	struct nt_frame_rules rules;
	struct job walked;
	/* Under its lock: */
	struct job waiting[NT_NATIVE_STACKS_WAITING];
	size_t waiting_count, waiting_first; /* in the order in which they came */
	struct nt_native_result results[NT_NATIVE_STACKS_WAITING];
	size_t result_count;
	/* The main thread's: */
	uint64_t numbers;
};

static void *duplicate(const void *bytes, size_t size)
{
	void *copy = nt_alloc(size + 1);
	if (size)
		memcpy(copy, bytes, size);
	return copy;
}

static void drop(struct job *job)
{
	free(job->bytes);
	free(job->managed);
	*job = (struct job){ 0 };
}

/* ---- worker ---- */

static bool take(void *context)
{
	struct nt_native_stacks *stacks = context;
	if (!stacks->waiting_count || stacks->result_count == NT_NATIVE_STACKS_WAITING)
		return false;
	stacks->walked = stacks->waiting[stacks->waiting_first];
	stacks->waiting_first = (stacks->waiting_first + 1) % NT_NATIVE_STACKS_WAITING;
	stacks->waiting_count--;
	return true;
}

/* With all rules that it needs. NT_AGAIN: one of them is not to be had now. */
static enum nt_status walk(struct nt_native_stacks *stacks, const struct nt_native_stack *stack, struct nt_wait_walk *out)
{
	for (unsigned i = 0; i < LEARN_MAX; i++) {
		uint64_t start, end;
		struct nt_frame_rule rule;
		nt_wait_walk(&stacks->rules, stack->pc, stack->dump.start, &stack->dump, &stack->anchor, out);
		enum nt_status status = out->missing ? nt_rule_worker_find(stacks->worker, out->missing, &start, &end, &rule) : NT_OK;
		if (!out->missing || status != NT_OK)
			return status;
		nt_frame_rules_add(&stacks->rules, out->missing, start, end, &rule);
	}
	return NT_OK;
}

static void learn(void *context)
{
	struct nt_native_stacks *stacks = context;
	const struct nt_native_stack *stack = &stacks->walked.stack;
	struct nt_native_result result = { .number = stacks->walked.number };
	struct nt_wait_walk way;
	uint64_t frames[FRAMES_MAX];
	result.later = walk(stacks, stack, &way) != NT_OK;
	if (!result.later) {
		result.count = nt_wait_walk_merge(&way, stack->managed, stack->managed_count, frames, FRAMES_MAX, &result.whole);
		result.frames = duplicate(frames, result.count * sizeof(*frames));
	}
	drop(&stacks->walked);
	nt_rule_worker_lock(stacks->worker);
	stacks->results[stacks->result_count++] = result;
	nt_rule_worker_unlock(stacks->worker);
}

/* ---- main thread ---- */

struct nt_native_stacks *nt_native_stacks_new(const struct nt_target *target, const struct nt_source_config *config)
{
	static const struct nt_rule_worker_ops ops = { .take = take, .learn = learn };
	struct nt_native_stacks *stacks = nt_alloc(sizeof(*stacks));
	int failed;
	stacks->worker = nt_rule_worker_new(target, config, &ops, stacks, &failed);
	if (stacks->worker)
		return stacks;
	free(stacks);
	return NULL;
}

void nt_native_stacks_free(struct nt_native_stacks *stacks)
{
	if (!stacks)
		return;
	nt_rule_worker_free(stacks->worker);
	for (size_t i = 0; i < stacks->waiting_count; i++)
		drop(&stacks->waiting[(stacks->waiting_first + i) % NT_NATIVE_STACKS_WAITING]);
	for (size_t i = 0; i < stacks->result_count; i++)
		free(stacks->results[i].frames);
	nt_frame_rules_fini(&stacks->rules);
	free(stacks);
}

uint64_t nt_native_stacks_give(struct nt_native_stacks *stacks, const struct nt_native_stack *stack)
{
	uint64_t number = 0;
	nt_rule_worker_lock(stacks->worker);
	if (stacks->waiting_count < NT_NATIVE_STACKS_WAITING) {
		struct job *job = &stacks->waiting[(stacks->waiting_first + stacks->waiting_count++) % NT_NATIVE_STACKS_WAITING];
		*job = (struct job){ .number = ++stacks->numbers, .stack = *stack };
		job->stack.dump.bytes = job->bytes = duplicate(stack->dump.bytes, stack->dump.size);
		job->stack.managed = job->managed = duplicate(stack->managed, stack->managed_count * sizeof(*stack->managed));
		number = job->number;
		nt_rule_worker_wake(stacks->worker);
	}
	nt_rule_worker_unlock(stacks->worker);
	return number;
}

bool nt_native_stacks_take(struct nt_native_stacks *stacks, struct nt_native_result *out)
{
	nt_rule_worker_lock(stacks->worker);
	bool some = stacks->result_count != 0;
	if (some) {
		*out = stacks->results[--stacks->result_count];
		nt_rule_worker_wake(stacks->worker);
	}
	nt_rule_worker_unlock(stacks->worker);
	return some;
}

void nt_native_stacks_cost(struct nt_native_stacks *stacks, struct nt_source_stats *out)
{
	nt_rule_worker_cost(stacks->worker, out);
}
