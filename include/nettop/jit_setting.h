/* SPDX-License-Identifier: GPL-2.0-only */
/* A setting that lets a process optimize what it compiles before it first runs: as an event says it, and what it costs a start as a snapshot has it. */
#ifndef NETTOP_JIT_SETTING_H
#define NETTOP_JIT_SETTING_H

#include "nettop/known.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The one that decides: where tiers are switched off, quick compilation is, whatever is said of it. */
enum nt_jit_off {
	NT_JIT_OFF_UNKNOWN,     /* variables or runtimeconfig.json were not read */
	NT_JIT_OFF_NONE,        /* none is switched off */
	NT_JIT_OFF_TIERS,       /* TieredCompilation */
	NT_JIT_OFF_QUICK,       /* TC_QuickJit */
	NT_JIT_OFF_QUICK_LOOPS, /* TC_QuickJitForLoops: of methods with loops */
	NT_JIT_OFF_COUNT
};

struct nt_ev_jit_setting {
	uint32_t off;     /* enum nt_jit_off */
	uint32_t by_file; /* 1: runtimeconfig.json says it; 0: a variable */
};

/* What it costs a start at most: unoptimized code takes time to compile, too. */
struct nt_jit_setting_cost {
	enum nt_jit_off off;
	bool by_file;
	uint64_t of_first; /* of so many compilations alone, the first that ended; 0 = of all of the start */
	/* Those of them that were optimized at once, and would not be by themselves or because they were made at run time; by the clock. */
	uint64_t count, self_ns;
	struct nt_u64 cpu_ns; /* known: of each of them */
};

/* "TieredCompilation=0", of a file "TieredCompilation=false"; NULL: nothing is switched off, or that is not known. */
const char *nt_jit_setting_name(const struct nt_jit_setting_cost *cost);

/* "environment" or "runtimeconfig"; NULL likewise. */
const char *nt_jit_setting_origin(const struct nt_jit_setting_cost *cost);

enum { NT_JIT_SETTING_TEXT = 160 };

/* A sentence that says what it costs; by the CPU time, if `with_cpu` and that is known. Returns `text`. */
const char *nt_jit_setting_sentence(const struct nt_jit_setting_cost *cost, bool with_cpu, char text[NT_JIT_SETTING_TEXT]);

#endif
