// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_rules.h"

#include "base/alloc.h"
#include "base/index.h"
#include "source/common/bpf_call.h"
#include "source/perf/stack_program.h"
#include "source/unwind/rule_worker.h"

#include <stdlib.h>

enum { WAITING_MAX = 64, KNOWN_MAX = 4096, DROPPED_MAX = 16 };
_Static_assert((int)KNOWN_MAX < (int)NT_STACK_RULES_MAX, "there is room for each rule that is known");

/* What is known of an address. */
enum known { ASKED, BY_RULE, BY_POINTER };

struct wanted {
	uint64_t address; /* the key of its rule */
	bool calls;       /* it is a return address: the code that called lies before it */
};

/* Where rules were dropped, and while which of them may have been used for the code that came after theirs. */
struct dropped {
	uint64_t start, end;
	nt_time from, until;
};

struct nt_switch_rules {
	int map;
	struct wanted learning; /* the worker's */
	struct nt_rule_worker *worker;
	/* Under its lock: */
	struct nt_index known; /* address -> enum known; the program's map has the rules of those that are BY_RULE */
	struct wanted waiting[WAITING_MAX];
	size_t waiting_count;
	/* The main thread's: */
	struct dropped dropped[DROPPED_MAX];
	size_t dropped_count;
};

/* ---- the program's map ---- */

/* Is all that the walk needs of it on the stack, at places that the stack pointer tells? */
static bool is_usable(const struct nt_frame_rule *rule)
{
	int16_t bp = rule->saved[NT_REG_BP];
	return rule->way == NT_FRAME_CFI && rule->cfa_reg == NT_REG_SP && !rule->cfa_is_word_there && rule->cfa_offset > 0 &&
	       rule->saved[NT_REG_PC] == -1 && (bp == NT_SAVED_NOT || (bp < 0 && bp != NT_SAVED_LOST));
}

static void take_out(const struct nt_switch_rules *rules, uint64_t address)
{
	union bpf_attr attributes = { .map_fd = (uint32_t)rules->map, .key = nt_bpf_pointer(&address) };
	nt_bpf_call(BPF_MAP_DELETE_ELEM, &attributes);
}

/* False: the walk has no use for it, or there is no room. */
static bool put(const struct nt_switch_rules *rules, uint64_t address, const struct nt_frame_rule *rule)
{
	if (!is_usable(rule))
		return false;
	struct nt_stack_rule value = { .cfa_offset = (uint32_t)rule->cfa_offset };
	if (rule->saved[NT_REG_BP] != NT_SAVED_NOT)
		value.bp_below = (uint32_t)-rule->saved[NT_REG_BP] * (uint32_t)sizeof(uint64_t);
	union bpf_attr attributes = { .map_fd = (uint32_t)rules->map, .key = nt_bpf_pointer(&address), .value = nt_bpf_pointer(&value) };
	return nt_bpf_call(BPF_MAP_UPDATE_ELEM, &attributes) == 0;
}

/* What is known of [start, end), the rules out of the map. Returns how many rules. */
static size_t forget(struct nt_switch_rules *rules, uint64_t start, uint64_t end, bool rules_only)
{
	size_t count = 0;
	for (size_t i = 0; i < rules->known.size;) {
		struct nt_index_slot slot = rules->known.slots[i];
		if (slot.value == NT_INDEX_NONE || slot.key < start || slot.key >= end || slot.value == ASKED ||
		    (rules_only && slot.value != BY_RULE)) {
			i++;
			continue;
		}
		if (slot.value == BY_RULE) {
			take_out(rules, slot.key);
			count++;
		}
		nt_index_remove(&rules->known, slot.key); /* others may be moved up, to this place */
	}
	return count;
}

/* ---- worker ---- */

static bool take(void *context)
{
	struct nt_switch_rules *rules = context;
	if (!rules->waiting_count)
		return false;
	rules->learning = rules->waiting[--rules->waiting_count];
	return true;
}

static void learn(void *context)
{
	struct nt_switch_rules *rules = context;
	uint64_t address = rules->learning.address, code = address - rules->learning.calls, start, end;
	struct nt_frame_rule rule;
	enum nt_status status = nt_rule_worker_find(rules->worker, code, &start, &end, &rule);
	nt_rule_worker_lock(rules->worker);
	if (status == NT_OK && !nt_rule_worker_is_outdated(rules->worker, code, code + 1))
		nt_index_put(&rules->known, address, put(rules, address, &rule) ? BY_RULE : BY_POINTER);
	else
		nt_index_remove(&rules->known, address); /* asked again with the next stack */
	nt_rule_worker_unlock(rules->worker);
}

/* ---- main thread ---- */

struct nt_switch_rules *nt_switch_rules_new(const struct nt_target *target, const struct nt_source_config *config, int map)
{
	static const struct nt_rule_worker_ops ops = { .take = take, .learn = learn };
	if (map < 0)
		return NULL;
	struct nt_switch_rules *rules = nt_alloc(sizeof(*rules));
	rules->map = map;
	int failed;
	rules->worker = nt_rule_worker_new(target, config, &ops, rules, &failed);
	if (!failed)
		return rules;
	free(rules);
	return NULL;
}

void nt_switch_rules_free(struct nt_switch_rules *rules)
{
	if (!rules)
		return;
	nt_rule_worker_free(rules->worker);
	nt_index_fini(&rules->known);
	free(rules);
}

static void ask(struct nt_switch_rules *rules, uint64_t address, bool calls)
{
	if (rules->waiting_count == WAITING_MAX)
		return; /* the next stack asks */
	if (rules->known.used >= KNOWN_MAX)
		forget(rules, 0, UINT64_MAX, false);
	nt_index_put(&rules->known, address, ASKED);
	rules->waiting[rules->waiting_count++] = (struct wanted){ address, calls };
	nt_rule_worker_wake(rules->worker);
}

/* May the rule that led from here to the next frame have been one of other code? */
static bool was_dropped(const struct nt_switch_rules *rules, nt_time time, uint64_t address)
{
	for (size_t i = 0; i < rules->dropped_count; i++) {
		const struct dropped *dropped = &rules->dropped[i];
		if (dropped->start <= address && address < dropped->end && dropped->from <= time && time <= dropped->until)
			return true;
	}
	return false;
}

/* Stacks come in the order of time. */
static unsigned believed(struct nt_switch_rules *rules, nt_time time, const uint64_t *stack, unsigned count)
{
	size_t kept = 0;
	for (size_t i = 0; i < rules->dropped_count; i++)
		if (rules->dropped[i].until >= time)
			rules->dropped[kept++] = rules->dropped[i];
	rules->dropped_count = kept;
	for (unsigned i = 0; kept && i < count && i < NT_STACK_LOOKUPS; i++)
		if (was_dropped(rules, time, stack[i]))
			return i + 1;
	return count;
}

unsigned nt_switch_rules_see(struct nt_switch_rules *rules, nt_time time, const uint64_t *stack, unsigned count)
{
	if (!rules)
		return count;
	count = believed(rules, time, stack, count);
	nt_rule_worker_lock(rules->worker);
	for (unsigned i = 0; i < count && i < NT_STACK_LOOKUPS; i++) {
		/* Those that come after one without its rule are frames, too, though others may be missing between them. */
		if (nt_index_get(&rules->known, stack[i]) == NT_INDEX_NONE)
			ask(rules, stack[i], i != 0);
	}
	nt_rule_worker_unlock(rules->worker);
	return count;
}

static void note_dropped(struct nt_switch_rules *rules, uint64_t start, uint64_t end, nt_time from)
{
	struct dropped *last = &rules->dropped[DROPPED_MAX - 1];
	if (rules->dropped_count < DROPPED_MAX) {
		rules->dropped[rules->dropped_count++] = (struct dropped){ start, end, from, nt_clock_now() };
		return;
	}
	last->start = last->start < start ? last->start : start;
	last->end = last->end > end ? last->end : end;
	last->from = last->from < from ? last->from : from;
	last->until = nt_clock_now();
}

void nt_switch_rules_mapped(struct nt_switch_rules *rules, nt_time time, uint64_t start, uint64_t end, bool generated)
{
	if (!rules)
		return;
	nt_rule_worker_lock(rules->worker);
	size_t count = forget(rules, start, end, generated);
	nt_rule_worker_mapped(rules->worker, start, end);
	nt_rule_worker_unlock(rules->worker);
	if (count)
		note_dropped(rules, start, end, time);
}

void nt_switch_rules_cost(struct nt_switch_rules *rules, struct nt_source_stats *out)
{
	if (rules)
		nt_rule_worker_cost(rules->worker, out);
}
