/* SPDX-License-Identifier: GPL-2.0-only */
/* What a snapshot has of compilations: rows of methods, of what they have in common, and of those that go on. */
#ifndef NETTOP_JIT_ROW_H
#define NETTOP_JIT_ROW_H

#include <stdbool.h>

#include "nettop/event.h"

/* Why a method was compiled. */
enum nt_jit_trigger {
	NT_JIT_FOREGROUND, /* a thread wanted to run it */
	NT_JIT_BACKGROUND, /* tiered compilation, on its own thread */
	NT_JIT_REJECTED,   /* a thread wanted to run it, and the runtime did not take the precompiled code */
	NT_JIT_TRIGGER_COUNT
};

/* What some compilations came to. */
struct nt_jit_sums {
	uint64_t count;
	uint64_t time_ns; /* wall time, those nested in others counted in both, as JitInfo counts it */
	uint64_t il_bytes, native_bytes;
	uint64_t cpu_count, cpu_ns; /* of so many the CPU time is known, those nested in others counted in the inner one */
};

static inline void nt_jit_sums_add(struct nt_jit_sums *sums, const struct nt_jit_sums *more)
{
	sums->count += more->count;
	sums->time_ns += more->time_ns;
	sums->il_bytes += more->il_bytes;
	sums->native_bytes += more->native_bytes;
	sums->cpu_count += more->cpu_count;
	sums->cpu_ns += more->cpu_ns;
}

/* The same compilations, told apart in so many ways. */
enum nt_jit_grouping { NT_JIT_BY_MODULE, NT_JIT_BY_NAMESPACE, NT_JIT_BY_TIER, NT_JIT_BY_TRIGGER, NT_JIT_GROUPINGS };

/* Compilations that have something in common. */
struct nt_jit_group_row {
	uint64_t id; /* among those of its grouping */
	/* Module or namespace: "(dynamic)" for methods made at run time, "(global)" for types in no namespace; tier or trigger. NULL = not known. */
	const char *name;
	struct nt_jit_sums now, all; /* in the interval, since attach */
	bool fresh;                  /* first interval of the row */
};

/* A method that was compiled since attach. Dynamic methods whose names differ in a final number only are one row. */
struct nt_jit_row {
	uint64_t id;
	const char *name;
	const char *module;                 /* "(dynamic)" for dynamic methods; NULL = not known */
	enum nt_tier tier;                  /* of the newest compilation */
	enum nt_jit_trigger trigger;        /* likewise */
	uint64_t count, count_all;          /* compilations in the interval, since attach */
	uint64_t time_ns, time_all_ns;      /* spent on them */
	uint64_t max_ns;                    /* longest since attach */
	uint64_t rejected_all;              /* of count_all, with the trigger NT_JIT_REJECTED */
	uint64_t cpu_count_all, cpu_all_ns; /* as in struct nt_jit_sums */
	uint64_t il_bytes;                  /* of the newest compilation; 0 where the runtime does not say it (dynamic methods) */
	uint64_t native_bytes;              /* likewise */
	bool fresh;                         /* first interval of the row */
	bool marked;                        /* a finding is about it */
};

/*
 * Compilations that one place of the program causes in one way: by the call stacks of the threads that compile, told while somebody asks for them. Texts and stack are
 * the snapshot's.
 */
struct nt_jit_caller_row {
	uint64_t id;
	const char *site;     /* the program's method that is nearest, else the framework's; "(tiered compilation)"; NULL = not told */
	const char *via;      /* what of the framework it called for that; NULL = nothing: it called for the first time what was compiled */
	const char *compiled; /* the last method that was; NULL = not said */
	uint64_t count, count_all;                 /* in the interval, since attach */
	uint64_t time_ns, time_all_ns, max_ns;     /* by the clock */
	const struct nt_call_stack *compiled_from; /* the newest stack; NULL = not known */
	bool fresh;                                /* first interval of the row */
};

/* A compilation that goes on at the interval's end. Its tier is not known before it ends. */
struct nt_jit_now {
	const char *name; /* NULL = not said */
	uint32_t tid;
	nt_time since;
	enum nt_jit_trigger trigger; /* FOREGROUND or BACKGROUND */
};

/* A stable lower-case name for JSON and configuration. Never NULL; "?" for a value out of range. */
const char *nt_jit_trigger_name(enum nt_jit_trigger trigger); /* foreground background r2r reject */

#endif
