// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_rules.h"

#include "base/alloc.h"
#include "base/index.h"
#include "base/thread.h"
#include "source/common/bpf_call.h"
#include "source/perf/stack_program.h"
#include "source/unwind/frame_lookup.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { WAITING_MAX = 64, KNOWN_MAX = 4096 };

/* What is known of an address. */
enum known { ASKED, BY_RULE, BY_POINTER };

struct wanted {
	uint64_t address; /* the key of its rule */
	bool calls;       /* it is a return address: the code that called lies before it */
};

struct nt_switch_rules {
	int map;
	struct nt_frame_lookup *lookup; /* the worker's */
	pthread_t worker;
	_Atomic uint64_t cpu_ns;
	pthread_mutex_t lock; /* of everything below; never held while something is read */
	pthread_cond_t came;
	struct nt_index known; /* address -> enum known */
	size_t known_count;
	struct wanted waiting[WAITING_MAX];
	size_t waiting_count;
	uint64_t changed_from, changed_to; /* what is mapped there has changed since the worker looked; equal: nothing */
	bool stopped;
};

/* ---- worker ---- */

struct turn {
	struct wanted wanted;
	uint64_t changed_from, changed_to;
};

/* False: told to stop. */
static bool take(struct nt_switch_rules *rules, struct turn *out)
{
	pthread_mutex_lock(&rules->lock);
	while (!rules->waiting_count && !rules->stopped)
		pthread_cond_wait(&rules->came, &rules->lock);
	bool some = !rules->stopped;
	if (some) {
		*out = (struct turn){ rules->waiting[--rules->waiting_count], rules->changed_from, rules->changed_to };
		rules->changed_from = rules->changed_to = 0;
	}
	pthread_mutex_unlock(&rules->lock);
	return some;
}

/* Is all that the walk needs of it on the stack, at places that the stack pointer tells? */
static bool is_usable(const struct nt_frame_rule *rule)
{
	int16_t bp = rule->saved[NT_REG_BP];
	return rule->way == NT_FRAME_CFI && rule->cfa_reg == NT_REG_SP && !rule->cfa_is_word_there && rule->cfa_offset > 0 &&
	       rule->saved[NT_REG_PC] == -1 && (bp == NT_SAVED_NOT || (bp < 0 && bp != NT_SAVED_LOST));
}

/* Into the program's map, or out of it. False: there is no room for it. */
static bool put(const struct nt_switch_rules *rules, uint64_t address, const struct nt_frame_rule *rule)
{
	struct nt_stack_rule value = { 0 };
	union bpf_attr attributes = { .map_fd = (uint32_t)rules->map, .key = nt_bpf_pointer(&address), .value = nt_bpf_pointer(&value) };
	if (!is_usable(rule)) {
		nt_bpf_call(BPF_MAP_DELETE_ELEM, &attributes);
		return false;
	}
	value.cfa_offset = (uint32_t)rule->cfa_offset;
	value.bp_below = rule->saved[NT_REG_BP] == NT_SAVED_NOT ? 0 : (uint32_t)-rule->saved[NT_REG_BP] * (uint32_t)sizeof(uint64_t);
	return nt_bpf_call(BPF_MAP_UPDATE_ELEM, &attributes) == 0;
}

static void *work(void *argument)
{
	struct nt_switch_rules *rules = argument;
	for (struct turn turn; take(rules, &turn);) {
		uint64_t address = turn.wanted.address, start, end;
		struct nt_frame_rule rule;
		if (turn.changed_to > turn.changed_from)
			nt_frame_lookup_forget(rules->lookup, turn.changed_from, turn.changed_to);
		enum nt_status status = nt_frame_lookup_find(rules->lookup, address - turn.wanted.calls, &start, &end, &rule);
		if (status == NT_END)
			break;
		bool by_rule = status == NT_OK && put(rules, address, &rule);
		pthread_mutex_lock(&rules->lock);
		if (status == NT_OK)
			nt_index_put(&rules->known, address, by_rule ? BY_RULE : BY_POINTER);
		else
			nt_index_remove(&rules->known, address); /* asked again with the next stack */
		pthread_mutex_unlock(&rules->lock);
		atomic_store_explicit(&rules->cpu_ns, nt_clock_thread_cpu(), memory_order_relaxed);
	}
	return NULL;
}

/* ---- main thread ---- */

static void dispose(struct nt_switch_rules *rules)
{
	nt_frame_lookup_free(rules->lookup);
	nt_index_fini(&rules->known);
	pthread_cond_destroy(&rules->came);
	pthread_mutex_destroy(&rules->lock);
	free(rules);
}

struct nt_switch_rules *nt_switch_rules_new(const struct nt_target *target, const struct nt_source_config *config, int map)
{
	if (map < 0)
		return NULL;
	struct nt_switch_rules *rules = nt_alloc(sizeof(*rules));
	rules->map = map;
	rules->lookup = nt_frame_lookup_new(target, config);
	pthread_mutex_init(&rules->lock, NULL);
	pthread_cond_init(&rules->came, NULL);
	if (nt_thread_start(&rules->worker, 0, work, rules) != 0) {
		dispose(rules);
		return NULL;
	}
	return rules;
}

void nt_switch_rules_free(struct nt_switch_rules *rules)
{
	if (!rules)
		return;
	pthread_mutex_lock(&rules->lock);
	rules->stopped = true;
	pthread_cond_signal(&rules->came);
	pthread_mutex_unlock(&rules->lock);
	nt_frame_lookup_cancel(rules->lookup);
	pthread_join(rules->worker, NULL);
	dispose(rules);
}

static void forget_known(struct nt_switch_rules *rules)
{
	nt_index_fini(&rules->known);
	rules->known_count = rules->waiting_count = 0;
}

static void ask(struct nt_switch_rules *rules, uint64_t address, bool calls)
{
	if (rules->waiting_count == WAITING_MAX)
		return; /* the next stack asks */
	if (rules->known_count++ == KNOWN_MAX)
		forget_known(rules);
	nt_index_put(&rules->known, address, ASKED);
	rules->waiting[rules->waiting_count++] = (struct wanted){ address, calls };
	pthread_cond_signal(&rules->came);
}

void nt_switch_rules_see(struct nt_switch_rules *rules, const uint64_t *stack, unsigned count)
{
	if (!rules)
		return;
	pthread_mutex_lock(&rules->lock);
	for (unsigned i = 0; i < count && i < NT_STACK_RULE_STEPS; i++) {
		uint32_t known = nt_index_get(&rules->known, stack[i]);
		if (known == BY_RULE)
			continue;
		if (known == NT_INDEX_NONE)
			ask(rules, stack[i], i != 0);
		break; /* what comes after may be wrong */
	}
	pthread_mutex_unlock(&rules->lock);
}

void nt_switch_rules_mapped(struct nt_switch_rules *rules, uint64_t start, uint64_t end)
{
	if (!rules)
		return;
	pthread_mutex_lock(&rules->lock);
	bool any = rules->changed_to > rules->changed_from;
	rules->changed_from = any && rules->changed_from < start ? rules->changed_from : start;
	rules->changed_to = any && rules->changed_to > end ? rules->changed_to : end;
	pthread_mutex_unlock(&rules->lock);
}

void nt_switch_rules_cost(struct nt_switch_rules *rules, struct nt_source_stats *out)
{
	if (!rules)
		return;
	out->cpu_ns += atomic_load_explicit(&rules->cpu_ns, memory_order_relaxed) + nt_frame_lookup_cpu_ns(rules->lookup);
	out->helper_cpu_ns += nt_frame_lookup_helper_cpu_ns(rules->lookup);
	out->helper_bytes += nt_frame_lookup_helper_bytes(rules->lookup);
}
