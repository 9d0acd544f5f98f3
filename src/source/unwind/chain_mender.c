// SPDX-License-Identifier: GPL-2.0-only
#include "source/unwind/chain_mender.h"

#include "base/alloc.h"
#include "decode/unwind/stack_walk.h"
#include "source/image/cfi_image.h"
#include "source/unwind/rule_worker.h"

#include <stdlib.h>
#include <string.h>

enum {
	WAITING_MAX = 16, /* stacks that wait for the worker; more come soon enough */
	LEARN_MAX = 256,  /* rules that one stack may need */
};

/* A stack without all its rules. */
struct waiting {
	uint64_t missing; /* the first rule */
	struct nt_frame_regs regs;
	uint8_t *bytes; /* owned */
	size_t size, capacity;
};

struct nt_chain_mender {
	bool far;
	struct waiting learning; /* the worker's: the stack that it learns for */
	struct nt_rule_worker *worker;
	/* Under its lock: */
	struct nt_frame_rules rules;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
};

/* ---- worker ---- */

/* The newest stack, in exchange for the buffer of the one before: newer ones show what runs now. */
static bool take(void *context)
{
	struct nt_chain_mender *mender = context;
	if (!mender->waiting_count)
		return false;
	struct waiting *last = &mender->waiting[--mender->waiting_count], spare = mender->learning;
	mender->learning = *last;
	*last = spare;
	return true;
}

/* Look up what is missing until the stack can be walked. */
static void learn(void *context)
{
	struct nt_chain_mender *mender = context;
	const struct waiting *stack = &mender->learning;
	const struct nt_stack_sample sample = { .regs = stack->regs, .dump = { stack->bytes, stack->size, stack->regs.value[NT_REG_SP] } };
	for (unsigned i = 0; i < LEARN_MAX; i++) {
		struct nt_stack_walk walk;
		nt_rule_worker_lock(mender->worker);
		nt_stack_walk(&mender->rules, &sample, mender->far, &walk);
		nt_rule_worker_unlock(mender->worker);
		uint64_t start, end;
		struct nt_frame_rule rule;
		if (!walk.missing || nt_rule_worker_find(mender->worker, walk.missing, &start, &end, &rule) != NT_OK)
			return;
		nt_rule_worker_lock(mender->worker);
		bool outdated = nt_rule_worker_is_outdated(mender->worker, start, end);
		if (!outdated)
			nt_frame_rules_add(&mender->rules, walk.missing, start, end, &rule);
		nt_rule_worker_unlock(mender->worker);
		if (outdated)
			return; /* the next stack asks */
	}
}

/* ---- main thread ---- */

static void dispose(struct nt_chain_mender *mender)
{
	nt_frame_rules_fini(&mender->rules);
	for (size_t i = 0; i < WAITING_MAX; i++)
		free(mender->waiting[i].bytes);
	free(mender->learning.bytes);
	free(mender);
}

enum nt_status nt_chain_mender_new(const struct nt_target *target, const struct nt_source_config *config, bool far,
				   struct nt_chain_mender **out, struct nt_error *err)
{
	static const struct nt_rule_worker_ops ops = { .take = take, .learn = learn };
	if (!nt_cfi_prepare(err)) /* the decoder reads by it; here is who can say that it is missing */
		return NT_ERR_ABSENT;
	struct nt_chain_mender *mender = nt_alloc(sizeof(*mender));
	mender->far = far;
	int failed;
	mender->worker = nt_rule_worker_new(target, config, &ops, mender, &failed);
	if (failed) {
		dispose(mender);
		return nt_error_errno(err, NT_ERR_FAILED, failed, "no thread for reading call frame information");
	}
	*out = mender;
	return NT_OK;
}

void nt_chain_mender_free(struct nt_chain_mender *mender)
{
	if (!mender)
		return;
	nt_rule_worker_free(mender->worker);
	dispose(mender);
}

/* Have the rules of this stack looked up, unless many or others with the same want wait already. */
static void post(struct nt_chain_mender *mender, const struct nt_stack_sample *sample, uint64_t missing)
{
	if (mender->waiting_count == WAITING_MAX)
		return;
	for (size_t i = 0; i < mender->waiting_count; i++)
		if (mender->waiting[i].missing == missing)
			return;
	struct waiting *stack = &mender->waiting[mender->waiting_count++];
	stack->missing = missing;
	stack->regs = sample->regs;
	stack->bytes = nt_grow(stack->bytes, &stack->capacity, sample->dump.size, 1);
	stack->size = sample->dump.size;
	memcpy(stack->bytes, sample->dump.bytes, sample->dump.size);
	nt_rule_worker_wake(mender->worker);
}

/* False: the sample has no stack, or it is not the one that its chain begins with. */
static bool read_stack(const struct nt_perf_record *record, struct nt_stack_sample *sample, uint32_t *first)
{
	if (!record->sample.stack)
		return false;
	*sample = (struct nt_stack_sample){ .regs.known = NT_REGS_ALL };
	memcpy(sample->regs.value, record->sample.user_regs, sizeof(sample->regs.value));
	sample->dump = (struct nt_stack_dump){ record->sample.stack, record->sample.stack_bytes, sample->regs.value[NT_REG_SP] };
	sample->chain_count = nt_perf_user_part(record, first);
	sample->chain = record->sample.chain + *first * sizeof(uint64_t);
	uint64_t leaf;
	if (!sample->chain_count)
		return false;
	memcpy(&leaf, sample->chain, sizeof(leaf));
	return leaf == sample->regs.value[NT_REG_PC];
}

size_t nt_chain_mender_mend(struct nt_chain_mender *mender, const uint8_t *bytes, const struct nt_perf_record *record,
			    uint8_t out[NT_PERF_REPLACED_MAX])
{
	struct nt_stack_sample sample;
	uint32_t first;
	if (!read_stack(record, &sample, &first))
		return nt_perf_replace_chain(bytes, record, record->sample.chain_count, NULL, 0, out);
	struct nt_stack_walk walk;
	nt_rule_worker_lock(mender->worker);
	nt_stack_walk(&mender->rules, &sample, mender->far, &walk);
	if (walk.missing)
		post(mender, &sample, walk.missing);
	nt_rule_worker_unlock(mender->worker);
	return nt_perf_replace_chain(bytes, record, first, walk.frames, walk.count, out);
}

void nt_chain_mender_mapped(struct nt_chain_mender *mender, uint64_t start, uint64_t end)
{
	nt_rule_worker_lock(mender->worker);
	nt_frame_rules_forget(&mender->rules, start, end);
	nt_rule_worker_mapped(mender->worker, start, end);
	nt_rule_worker_unlock(mender->worker);
}

void nt_chain_mender_cost(struct nt_chain_mender *mender, struct nt_source_stats *out)
{
	if (mender)
		nt_rule_worker_cost(mender->worker, out);
}
