// SPDX-License-Identifier: GPL-2.0-only
#include "emit.h"

#include <stdio.h>
#include <stdlib.h>

enum { JIT_NS = 200000 };

static const char *tier_name(enum tier tier)
{
	switch (tier) {
	case TIER_OPTIMIZED:
		return "Optimized";
	case TIER_0:
		return "QuickJitted";
	case TIER_1:
		return "OptimizedTier1";
	case TIER_OSR:
		return "OptimizedTier1OSR";
	}
	return "";
}

static struct method *add_method(struct code_heap *code)
{
	if (code->method_count == code->method_capacity) {
		code->method_capacity = code->method_capacity ? code->method_capacity * 2 : 256;
		code->methods = realloc(code->methods, code->method_capacity * sizeof(*code->methods));
		if (!code->methods)
			abort();
	}
	return &code->methods[code->method_count++];
}

/* What a JIT does as far as others can see: time passes on this thread's CPU. */
static void work_for(uint64_t ns)
{
	for (uint64_t end = fake_now_ns() + ns; fake_now_ns() < end;)
		;
}

loop_function fake_jit(struct fake *fake, const struct source *source, enum tier tier)
{
	struct method *method = add_method(&fake->code);
	*method = (struct method){ .id = 0x7f1000000000 + 16 * fake->code.next_id++, .flags = source->flags | 8 | (uint32_t)tier << 7 };
	snprintf(method->type, sizeof(method->type), "%s", source->type);
	snprintf(method->name, sizeof(method->name), "%s", source->name);
	snprintf(method->signature, sizeof(method->signature), "%s", source->event_signature);
	method->rejit_id = tier == TIER_1 || tier == TIER_OSR ? fake->code.next_id : 0;

	uint64_t started = fake_now_ns();
	if (fake->gates.logging)
		emit_jitting_started(method, source->il_bytes);
	method->start = fake_code_add_loop(fake, &method->size);
	work_for(JIT_NS);
	if (fake->gates.logging)
		emit_method_load(method);
	fake->counters.jit_ns += fake_now_ns() - started;
	fake->counters.method_count++;
	fake->counters.il_bytes += source->il_bytes;

	char name[512];
	snprintf(name, sizeof(name), "%s %s::%s(%s)[%s]", source->perf_map_prefix, source->type, source->name, source->perf_map_args,
		 tier_name(tier));
	fake_perf_map_add(fake, method->start, method->size, name);
	return (loop_function)method->start;
}

void fake_compile(struct fake *fake, enum fake_code_kind kind, long count)
{
	for (long i = 0; i < count; i++) {
		char name[64], type[128];
		unsigned number = ++fake->code.lambda_count;
		struct source source = { .il_bytes = 9 };
		if (kind == FAKE_GENERIC) {
			snprintf(type, sizeof(type), "Workload.Generic`1[Workload.Value%u]", number);
			source = (struct source){ type, "Run", "instance int32  (!0)", "instance int32 [fakeclr]", "!0", 2, 23 };
		} else {
			snprintf(name, sizeof(name), kind == FAKE_EXPRESSION ? "lambda_method%u" : "Dynamic%u", number);
			source = (struct source){
				"dynamicClass", name, "int32  (int32)", "int32 [Anonymously Hosted DynamicMethods Assembly]", "int32", 1, 9
			};
		}
		fake_jit(fake, &source, kind == FAKE_GENERIC ? TIER_0 : TIER_OPTIMIZED)(1);
	}
}

void fake_jit_unload_all(struct fake *fake)
{
	for (size_t i = 0; i < fake->code.method_count; i++)
		if (fake->gates.logging)
			emit_method_unload(&fake->code.methods[i]);
	free(fake->code.methods);
	fake->code.methods = NULL;
	fake->code.method_count = 0;
}
