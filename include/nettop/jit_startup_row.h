/* SPDX-License-Identifier: GPL-2.0-only */
/* What a snapshot has of a process's start: what was compiled in its first seconds, in order, and why. */
#ifndef NETTOP_JIT_STARTUP_ROW_H
#define NETTOP_JIT_STARTUP_ROW_H

#include <stdbool.h>
#include <stddef.h>

#include "nettop/event.h"
#include "nettop/jit_setting.h"

enum { NT_JIT_STARTUP_MS = 10000 }; /* what begins later after the core library was loaded is not of the start */

/* Why a method was compiled at the start, though its code could have been there. */
enum nt_jit_cause {
	NT_JIT_CAUSE_UNKNOWN,      /* the runtime has not said whether its module has precompiled code */
	NT_JIT_CAUSE_OFF,          /* not even the core library has any: a setting forbids the runtime to use it */
	NT_JIT_CAUSE_NO_CODE,      /* its module has none */
	NT_JIT_CAUSE_GENERIC,      /* its module has some, and none for these type arguments */
	NT_JIT_CAUSE_NOT_AMONG,    /* its module has some, and none of this method */
	NT_JIT_CAUSE_REJECTED,     /* its module has some of it, which the runtime did not take */
	NT_JIT_CAUSE_DYNAMIC,      /* it was made at run time */
	NT_JIT_CAUSE_INSTRUMENTED, /* in the background, once more, so as to count what it does (TieredPGO) */
	NT_JIT_CAUSE_AGAIN,        /* it had code, which ran often or for long */
	NT_JIT_CAUSE_COUNT
};

/* A compilation of the start. */
struct nt_jit_startup_row {
	uint64_t id;
	const char *name, *module; /* NULL = not known */
	enum nt_jit_cause cause;
	enum nt_tier tier;
	uint32_t tid;
	uint64_t at_ns;   /* it began so long after the runtime loaded its core library */
	uint64_t time_ns; /* by the clock, with what was compiled within it */
	uint64_t self_ns; /* by the clock, without that */
	struct nt_u64 cpu_ns;
	bool fresh; /* ended in the interval */
};

/* Those that have cause and module in common. */
struct nt_jit_cause_row {
	uint64_t id;
	enum nt_jit_cause cause;
	const char *module; /* NULL = not known, or of causes that are not a module's: all of them */
	const char *remedy; /* what would have spared it, at most all of it; NULL = nobody knows anything. A constant */
	uint64_t count, self_ns;
	uint64_t cpu_count, cpu_ns; /* of so many the CPU time is known */
};

struct nt_jit_startup_rows {
	bool seen;                        /* the start was; else there are no rows */
	struct nt_jit_startup_row *items; /* owned; in order of their begin */
	size_t count;
	uint64_t beyond_count;           /* more of the start, which have no rows */
	struct nt_jit_cause_row *causes; /* owned; longest first */
	size_t cause_count;
	struct nt_jit_setting_cost setting;
};

/* For JSON and screen: "r2r off" "no r2r" "generic" "not in r2r" "r2r reject" "dynamic" "instr" "again". NULL for NT_JIT_CAUSE_UNKNOWN. */
const char *nt_jit_cause_name(enum nt_jit_cause cause);

/* What would have spared it; NULL = nobody knows anything. */
const char *nt_jit_cause_remedy(enum nt_jit_cause cause);

#endif
