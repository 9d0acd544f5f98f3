/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One row per compiled method, by its display name. Programs that make methods without end (expression trees: lambda_method1, lambda_method2 ...)
 * get one row for all that differ in a final number only, so what is shown is what makes them. Bounded: beyond the limit everything new is one
 * row, "(other methods)".
 */
#ifndef NT_MODEL_JIT_ROWS_H
#define NT_MODEL_JIT_ROWS_H

#include "base/index.h"
#include "model/jit/jit_modules.h"
#include "nettop/snapshot.h"
#include "symbol/resolver.h"

enum {
	NT_JIT_METHODS = 1 << 15, /* rows */
	NT_JIT_SHOWN = 1000,      /* rows in a snapshot, but for the last one */
};

/* MethodFlags of the runtime (eventtracebase.h). */
enum { NT_METHOD_DYNAMIC = 1, NT_METHOD_JITTED = 8, NT_METHOD_PROFILER_REJECTED = 0x20, NT_METHOD_R2R_REJECTED = 0x40 };

/* A compilation that ended. */
struct nt_jit_compilation {
	const struct nt_ev_method *method;
	nt_text_ref name;
	nt_time duration_ns;
	uint32_t il_bytes;
	enum nt_jit_trigger trigger;
	uint32_t module, namespace; /* places of their groups */
};

static inline enum nt_tier nt_jit_tier(const struct nt_ev_method *method)
{
	return method->tier < NT_TIER_COUNT ? (enum nt_tier)method->tier : NT_TIER_UNKNOWN;
}

struct nt_jit_method {
	const char *name; /* the table's; NULL = it was never shown: most methods never are, and their names have a second copy only then */
	uint64_t address; /* of the newest code */
	uint64_t count_all, time_all_ns, max_ns, rejected_all;
	uint64_t time_ns; /* in the interval of the number `counted`, */
	uint32_t count;   /* and so is this */
	uint32_t counted;
	uint64_t cpu_count_all, cpu_all_ns;
	uint32_t born; /* number of its first interval */
	nt_text_ref text;
	uint32_t il_bytes, native_bytes;
	uint8_t tier, trigger;
	uint32_t module; /* of the newest: place of its group; NT_INDEX_NONE = of several */
	uint32_t next;   /* of the same hash */
};

struct nt_jit_rows {
	struct nt_jit_method *items; /* owned; in order of appearance: the row id is the index + 1 */
	size_t count, capacity;
	struct nt_index by_name; /* hash of the name -> first of its chain */
	uint32_t other;          /* index + 1 of "(other methods)"; 0 = there is none */
	uint32_t interval;       /* number of the open interval, from 0 */
	uint64_t least_ns;       /* rows with less were not among those shown last; times never shrink */
};

void nt_jit_rows_init(struct nt_jit_rows *rows);
void nt_jit_rows_fini(struct nt_jit_rows *rows);

/* Returns the row's index, which stays. */
uint32_t nt_jit_rows_add(struct nt_jit_rows *rows, const struct nt_jit_compilation *compilation, const struct nt_names *names);

/* The CPU time of one compilation of a row has become known. */
void nt_jit_rows_add_cpu(struct nt_jit_rows *rows, uint32_t row, uint64_t cpu_ns);

/*
 * Write those that took longest (all with `final`), longest first, and start the next interval. Names that modules have not got yet are asked of the
 * resolver.
 */
void nt_jit_rows_close(struct nt_jit_rows *rows, struct nt_jit_group_table *modules, struct nt_resolver *resolver,
		       const struct nt_names *names, bool final, struct nt_process_snapshot *process);

/* Every reference to a text of the heap. */
void nt_jit_rows_each_ref(struct nt_jit_rows *rows, nt_ref_visit *visit, void *context);

#endif
