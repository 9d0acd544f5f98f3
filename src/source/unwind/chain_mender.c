// SPDX-License-Identifier: GPL-2.0-only
#include "source/unwind/chain_mender.h"

#include "base/alloc.h"
#include "base/thread.h"
#include "decode/unwind/stack_walk.h"
#include "source/image/cfi_image.h"
#include "source/unwind/frame_lookup.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum {
	WAITING_MAX = 16, /* stacks that wait for the worker; more come soon enough */
	LEARN_MAX = 256,  /* rules that one stack may need */
	CHANGED_MAX = 64, /* new mappings between two looks of the worker; more are taken for a new address space */
};

/* A stack without all its rules. */
struct waiting {
	uint64_t missing; /* the first rule */
	struct nt_frame_regs regs;
	uint8_t *bytes; /* owned */
	size_t size, capacity;
};

struct span {
	uint64_t start, end;
};

/* What was mapped anew. */
struct changes {
	struct span spans[CHANGED_MAX];
	size_t count;
};

struct nt_chain_mender {
	bool far;
	struct nt_frame_lookup *lookup; /* the worker's */
	pthread_t worker;
	_Atomic uint64_t cpu_ns;
	pthread_mutex_t lock; /* of everything below; never held while something is read */
	pthread_cond_t came;
	struct nt_frame_rules rules;
	struct waiting waiting[WAITING_MAX];
	size_t waiting_count;
	struct changes changes; /* since the worker looked */
	bool stopped;
};

/* ---- worker ---- */

static void note_cpu(struct nt_chain_mender *mender)
{
	atomic_store_explicit(&mender->cpu_ns, nt_clock_thread_cpu(), memory_order_relaxed);
}

/* The newest stack, in exchange for the buffer of the one before: newer ones show what runs now. False: told to stop. */
static bool take(struct nt_chain_mender *mender, struct waiting *out, struct changes *changes)
{
	pthread_mutex_lock(&mender->lock);
	while (!mender->waiting_count && !mender->stopped)
		pthread_cond_wait(&mender->came, &mender->lock);
	bool some = !mender->stopped;
	if (some) {
		struct waiting *last = &mender->waiting[--mender->waiting_count], spare = *out;
		*out = *last;
		*last = spare;
		*changes = mender->changes;
		mender->changes.count = 0;
	}
	pthread_mutex_unlock(&mender->lock);
	return some;
}

/* Look up what is missing until the stack can be walked. False: cancelled. */
static bool learn(struct nt_chain_mender *mender, const struct waiting *stack)
{
	const struct nt_stack_sample sample = { .regs = stack->regs, .dump = { stack->bytes, stack->size, stack->regs.value[NT_REG_SP] } };
	for (unsigned i = 0; i < LEARN_MAX; i++) {
		struct nt_stack_walk walk;
		pthread_mutex_lock(&mender->lock);
		nt_stack_walk(&mender->rules, &sample, mender->far, &walk);
		pthread_mutex_unlock(&mender->lock);
		if (!walk.missing)
			return true;
		uint64_t start, end;
		struct nt_frame_rule rule;
		enum nt_status status = nt_frame_lookup_find(mender->lookup, walk.missing, &start, &end, &rule);
		if (status != NT_OK)
			return status == NT_AGAIN;
		pthread_mutex_lock(&mender->lock);
		nt_frame_rules_add(&mender->rules, walk.missing, start, end, &rule);
		pthread_mutex_unlock(&mender->lock);
	}
	return true;
}

static void *work(void *argument)
{
	struct nt_chain_mender *mender = argument;
	struct waiting stack = { 0 };
	for (struct changes changes; take(mender, &stack, &changes); note_cpu(mender)) {
		for (size_t i = 0; i < changes.count; i++)
			nt_frame_lookup_forget(mender->lookup, changes.spans[i].start, changes.spans[i].end);
		if (!learn(mender, &stack))
			break;
	}
	free(stack.bytes);
	return NULL;
}

/* ---- main thread ---- */

static void dispose(struct nt_chain_mender *mender)
{
	nt_frame_lookup_free(mender->lookup);
	nt_frame_rules_fini(&mender->rules);
	for (size_t i = 0; i < WAITING_MAX; i++)
		free(mender->waiting[i].bytes);
	pthread_cond_destroy(&mender->came);
	pthread_mutex_destroy(&mender->lock);
	free(mender);
}

enum nt_status nt_chain_mender_new(const struct nt_target *target, const struct nt_source_config *config, bool far,
				   struct nt_chain_mender **out, struct nt_error *err)
{
	if (!nt_cfi_prepare(err)) /* the decoder reads by it; here is who can say that it is missing */
		return NT_ERR_ABSENT;
	struct nt_chain_mender *mender = nt_alloc(sizeof(*mender));
	mender->far = far;
	mender->lookup = nt_frame_lookup_new(target, config);
	pthread_mutex_init(&mender->lock, NULL);
	pthread_cond_init(&mender->came, NULL);
	int failed = nt_thread_start(&mender->worker, 0, work, mender);
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
	pthread_mutex_lock(&mender->lock);
	mender->stopped = true;
	pthread_cond_signal(&mender->came);
	pthread_mutex_unlock(&mender->lock);
	nt_frame_lookup_cancel(mender->lookup);
	pthread_join(mender->worker, NULL);
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
	pthread_cond_signal(&mender->came);
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
	pthread_mutex_lock(&mender->lock);
	nt_stack_walk(&mender->rules, &sample, mender->far, &walk);
	if (walk.missing)
		post(mender, &sample, walk.missing);
	pthread_mutex_unlock(&mender->lock);
	return nt_perf_replace_chain(bytes, record, first, walk.frames, walk.count, out);
}

void nt_chain_mender_mapped(struct nt_chain_mender *mender, uint64_t start, uint64_t end)
{
	pthread_mutex_lock(&mender->lock);
	nt_frame_rules_forget(&mender->rules, start, end);
	if (mender->changes.count == CHANGED_MAX)
		mender->changes = (struct changes){ .spans = { { 0, UINT64_MAX } }, .count = 1 };
	else
		mender->changes.spans[mender->changes.count++] = (struct span){ start, end };
	pthread_mutex_unlock(&mender->lock);
}

uint64_t nt_chain_mender_cpu_ns(struct nt_chain_mender *mender)
{
	return atomic_load_explicit(&mender->cpu_ns, memory_order_relaxed) + nt_frame_lookup_cpu_ns(mender->lookup);
}

uint64_t nt_chain_mender_helper_cpu_ns(const struct nt_chain_mender *mender)
{
	return nt_frame_lookup_helper_cpu_ns(mender->lookup);
}

uint64_t nt_chain_mender_helper_bytes(const struct nt_chain_mender *mender)
{
	return nt_frame_lookup_helper_bytes(mender->lookup);
}
