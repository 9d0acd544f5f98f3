// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_startup.h"

#include "base/alloc.h"
#include "model/jit/jit_groups.h"
#include "model/jit/jit_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
	METHOD_GENERIC = 2,       /* MethodFlags of the runtime (eventtracebase.h) */
	MODULE_READYTORUN = 0x20, /* ModuleFlags, likewise */
};

void nt_jit_startup_fini(struct nt_jit_startup *startup)
{
	free(startup->items);
	free(startup->rows.items);
	free(startup->rows.causes);
	nt_index_fini(&startup->has_code);
	*startup = (struct nt_jit_startup){ 0 };
}

void nt_jit_startup_module(struct nt_jit_startup *startup, const struct nt_ev_module_load *loaded, bool is_core, nt_time time)
{
	bool known = nt_index_get(&startup->has_code, loaded->module_id) != NT_INDEX_NONE;
	if (is_core && !startup->seen) {
		startup->seen = true;
		startup->begun = time;
		startup->off = !(loaded->flags & MODULE_READYTORUN);
	}
	if (!known && startup->module_count == NT_JIT_STARTUP_MODULES)
		return;
	startup->module_count += !known;
	nt_index_put(&startup->has_code, loaded->module_id, (loaded->flags & MODULE_READYTORUN) != 0);
}

/* The runtime compiles in the background what has code already; what was precompiled gets optimized code that counts, the rest unoptimized code that does. */
static enum nt_jit_cause cause_of(const struct nt_jit_startup *startup, const struct nt_ev_method *method, enum nt_jit_trigger trigger)
{
	enum nt_tier tier = nt_jit_tier(method);
	if (trigger == NT_JIT_BACKGROUND && (tier == NT_TIER_INSTRUMENTED || tier == NT_TIER_INSTRUMENTED_OPT))
		return NT_JIT_CAUSE_INSTRUMENTED;
	if (trigger == NT_JIT_BACKGROUND || tier == NT_TIER_1 || tier == NT_TIER_OSR || tier == NT_TIER_INSTRUMENTED_OPT)
		return NT_JIT_CAUSE_AGAIN;
	if (method->flags & NT_METHOD_DYNAMIC)
		return NT_JIT_CAUSE_DYNAMIC;
	if (trigger == NT_JIT_REJECTED)
		return NT_JIT_CAUSE_REJECTED;
	uint32_t has_code = nt_index_get(&startup->has_code, method->module_id);
	if (has_code == NT_INDEX_NONE)
		return NT_JIT_CAUSE_UNKNOWN;
	if (!has_code)
		return startup->off ? NT_JIT_CAUSE_OFF : NT_JIT_CAUSE_NO_CODE;
	return method->flags & METHOD_GENERIC ? NT_JIT_CAUSE_GENERIC : NT_JIT_CAUSE_NOT_AMONG;
}

uint32_t nt_jit_startup_add(struct nt_jit_startup *startup, const struct nt_ev_method *method, enum nt_jit_trigger trigger,
			    const struct nt_jit_started *of)
{
	if (!nt_jit_startup_takes(startup, of->begun))
		return 0;
	if (startup->count == NT_JIT_STARTUP_METHODS) {
		startup->beyond_count++;
		return 0;
	}
	startup->items = nt_grow(startup->items, &startup->capacity, startup->count + 1, sizeof(*startup->items));
	struct nt_jit_started *item = &startup->items[startup->count++];
	*item = *of;
	item->cause = (uint8_t)cause_of(startup, method, trigger);
	item->fresh = startup->changed = true;
	return (uint32_t)startup->count;
}

void nt_jit_startup_add_cpu(struct nt_jit_startup *startup, uint32_t number, uint64_t cpu_ns)
{
	if (!number)
		return;
	startup->items[number - 1].cpu_ns = nt_u64_of(cpu_ns);
	startup->changed = true;
}

void nt_jit_startup_setting(struct nt_jit_startup *startup, const struct nt_ev_jit_setting *said)
{
	startup->setting = said->off < NT_JIT_OFF_COUNT ? *said : (struct nt_ev_jit_setting){ 0 };
}

/* ---- rows ---- */

static int compare_begins(const void *a, const void *b)
{
	const struct nt_jit_startup_row *x = a, *y = b;
	if (x->at_ns != y->at_ns)
		return x->at_ns < y->at_ns ? -1 : 1;
	return (x->id > y->id) - (x->id < y->id);
}

/* Some are fresh: those are not any more when the next interval ends. */
static void fill_rows(struct nt_jit_startup *startup, const struct nt_jit_group_table *modules, struct nt_jit_startup_rows *out)
{
	startup->changed = false;
	out->items = nt_realloc(out->items, startup->count, sizeof(*out->items));
	out->count = startup->count;
	for (size_t i = 0; i < startup->count; i++) {
		struct nt_jit_started *item = &startup->items[i];
		out->items[i] = (struct nt_jit_startup_row){
			.id = i + 1,
			.name = item->name,
			.module = modules->items[item->module].name,
			.cause = item->cause,
			.tier = item->tier,
			.tid = item->tid,
			.at_ns = item->begun > startup->begun ? item->begun - startup->begun : 0,
			.time_ns = item->ended > item->begun ? item->ended - item->begun : 0,
			.self_ns = item->self_ns,
			.cpu_ns = item->cpu_ns,
			.fresh = item->fresh,
		};
		startup->changed |= item->fresh;
		item->fresh = false;
	}
	qsort(out->items, out->count, sizeof(*out->items), compare_begins);
}

static int compare_texts(const char *a, const char *b)
{
	return !a || !b ? !a - !b : strcmp(a, b);
}

static int compare_causes(const void *a, const void *b)
{
	const struct nt_jit_cause_row *x = a, *y = b;
	return x->cause != y->cause ? (int)x->cause - (int)y->cause : compare_texts(x->module, y->module);
}

static int compare_times(const void *a, const void *b)
{
	const struct nt_jit_cause_row *x = a, *y = b;
	if (x->self_ns != y->self_ns)
		return x->self_ns > y->self_ns ? -1 : 1;
	return compare_causes(a, b);
}

/* What ran often is compiled again wherever it is, and what is made at run time is of no module. */
static bool is_of_a_module(enum nt_jit_cause cause)
{
	return cause != NT_JIT_CAUSE_AGAIN && cause != NT_JIT_CAUSE_INSTRUMENTED && cause != NT_JIT_CAUSE_DYNAMIC;
}

static void fill_causes(struct nt_jit_startup_rows *out)
{
	out->cause_count = 0;
	out->causes = nt_realloc(out->causes, out->count, sizeof(*out->causes));
	for (size_t i = 0; i < out->count; i++) {
		const struct nt_jit_startup_row *row = &out->items[i];
		out->causes[i] = (struct nt_jit_cause_row){
			.cause = row->cause,
			.module = is_of_a_module(row->cause) ? row->module : NULL,
			.remedy = nt_jit_cause_remedy(row->cause),
			.count = 1,
			.self_ns = row->self_ns,
			.cpu_count = row->cpu_ns.known,
			.cpu_ns = row->cpu_ns.v,
		};
	}
	qsort(out->causes, out->count, sizeof(*out->causes), compare_causes);
	for (size_t i = 0; i < out->count; i++) {
		struct nt_jit_cause_row *last = out->cause_count ? &out->causes[out->cause_count - 1] : NULL;
		if (!last || compare_causes(last, &out->causes[i]) != 0) {
			out->causes[out->cause_count++] = out->causes[i];
			continue;
		}
		last->count++;
		last->self_ns += out->causes[i].self_ns;
		last->cpu_count += out->causes[i].cpu_count;
		last->cpu_ns += out->causes[i].cpu_ns;
	}
	for (size_t i = 0; i < out->cause_count; i++)
		out->causes[i].id = i + 1;
	qsort(out->causes, out->cause_count, sizeof(*out->causes), compare_times);
}

/* What is made at run time is optimized at once, and so is what is compiled once more. */
static bool is_of_the_setting(const struct nt_jit_started *item)
{
	return item->tier == NT_TIER_OPTIMIZED && item->cause != NT_JIT_CAUSE_DYNAMIC && item->cause != NT_JIT_CAUSE_AGAIN;
}

static struct nt_jit_setting_cost cost_of_setting(const struct nt_jit_startup *startup)
{
	struct nt_jit_setting_cost cost = { .off = startup->setting.off, .by_file = startup->setting.by_file };
	if (!nt_jit_setting_name(&cost))
		return cost;
	cost.cpu_ns = nt_u64_of(0);
	cost.of_first = startup->beyond_count ? startup->count : 0;
	for (size_t i = 0; i < startup->count; i++) {
		const struct nt_jit_started *item = &startup->items[i];
		if (!is_of_the_setting(item))
			continue;
		cost.count++;
		cost.self_ns += item->self_ns;
		cost.cpu_ns.known &= item->cpu_ns.known;
		cost.cpu_ns.v += item->cpu_ns.v;
	}
	return cost;
}

void nt_jit_startup_close(struct nt_jit_startup *startup, const struct nt_jit_group_table *modules, struct nt_jit_startup_rows *out)
{
	struct nt_jit_startup_rows *rows = &startup->rows;
	if (startup->changed) {
		fill_rows(startup, modules, rows);
		fill_causes(rows);
	}
	*out = (struct nt_jit_startup_rows){ .seen = startup->seen,
					     .beyond_count = startup->beyond_count,
					     .setting = cost_of_setting(startup) };
	if (!rows->count)
		return;
	out->count = rows->count;
	out->cause_count = rows->cause_count;
	out->items = nt_realloc(NULL, rows->count, sizeof(*out->items));
	out->causes = nt_realloc(NULL, rows->cause_count, sizeof(*out->causes));
	memcpy(out->items, rows->items, rows->count * sizeof(*out->items));
	memcpy(out->causes, rows->causes, rows->cause_count * sizeof(*out->causes));
}

void nt_jit_startup_each_text(const struct nt_jit_startup *startup, nt_text_visit *visit, void *context)
{
	for (size_t i = 0; i < startup->count; i++)
		visit(startup->items[i].name, context);
}
