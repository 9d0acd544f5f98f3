/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The start of a process in order: what is compiled in its first seconds, and why it was not there precompiled. Only of a process whose first event was seen: the runtime
 * says of each module whether it has precompiled code (ReadyToRun) when it loads it, its core library first, and of nothing that was loaded before somebody
 * asked. Bounded in time and number; what is beyond is not in it, and that is said.
 */
#ifndef NT_MODEL_JIT_STARTUP_H
#define NT_MODEL_JIT_STARTUP_H

#include "base/index.h"
#include "base/texts.h"
#include "nettop/snapshot.h"

enum {
	NT_JIT_STARTUP_METHODS = 1 << 12, /* compilations that are kept */
	NT_JIT_STARTUP_MODULES = 1 << 12, /* modules of which it is known whether they have precompiled code */
};

/* A compilation of the start. */
struct nt_jit_started {
	const char *name; /* the table's; NULL = not said */
	nt_time begun, ended;
	uint64_t self_ns; /* without those within it */
	struct nt_u64 cpu_ns;
	uint32_t tid, module; /* place of its group */
	uint8_t tier, cause;
	bool fresh;
};

struct nt_jit_startup {
	bool seen;                    /* the runtime loaded its core library before our eyes, */
	nt_time begun;                /* at this time; */
	bool off;                     /* it has no precompiled code that could be used */
	struct nt_index has_code;     /* module id -> 1: it has precompiled code, 0: it has none */
	size_t module_count;          /* in there */
	struct nt_jit_started *items; /* owned; in the order in which they ended */
	size_t count, capacity;
	struct nt_ev_jit_setting setting; /* as last said */
	uint64_t beyond_count;            /* began in time, and there was no room */
	struct nt_jit_startup_rows rows;  /* owned, as last made: most of a process's life nothing is added */
	bool changed;                     /* they are not as what is above */
};

void nt_jit_startup_fini(struct nt_jit_startup *startup);

/* A module is loaded. `is_core`: the runtime's core library, which it loads first. */
void nt_jit_startup_module(struct nt_jit_startup *startup, const struct nt_ev_module_load *loaded, bool is_core, nt_time time);

/* Does one that began at this time belong to the start? */
static inline bool nt_jit_startup_takes(const struct nt_jit_startup *startup, nt_time begun)
{
	return startup->seen && begun <= startup->begun + NT_JIT_STARTUP_MS * NT_NS_PER_MS;
}

/* A compilation that ended; `of` without its cause. Returns its number from 1 on; 0 = it is not of the start. */
uint32_t nt_jit_startup_add(struct nt_jit_startup *startup, const struct nt_ev_method *method, enum nt_jit_trigger trigger,
			    const struct nt_jit_started *of);

/* The CPU time of the one with this number (0: of none). */
void nt_jit_startup_add_cpu(struct nt_jit_startup *startup, uint32_t number, uint64_t cpu_ns);

/* With which setting it was started. One that is out of range is not known. */
void nt_jit_startup_setting(struct nt_jit_startup *startup, const struct nt_ev_jit_setting *said);

struct nt_jit_group_table;

/* The interval ends: rows in order of their begin, and what they come to by cause and module. */
void nt_jit_startup_close(struct nt_jit_startup *startup, const struct nt_jit_group_table *modules, struct nt_jit_startup_rows *out);

void nt_jit_startup_each_text(const struct nt_jit_startup *startup, nt_text_visit *visit, void *context);

#endif
