/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The settings of the collector: what it was asked for, and what the runtime says that it has. As events say it, as a snapshot has it, and in the words of screen, JSON and report
 * (src/output/columns/gc_setting_rows.c).
 */
#ifndef NETTOP_GC_SETTINGS_H
#define NETTOP_GC_SETTINGS_H

#include "nettop/known.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nt_gc_setting {
#define SETTING(name_, key_, title_, unit_, variable_, property_, help_) NT_GC_SETTING_##name_,
#include "nettop/gc_settings.def"
	NT_GC_SETTING_COUNT,
	NT_GC_SETTINGS_READ = NT_GC_SETTING_COUNT /* of an event: all that its origin says has been told */
};

/* How a value is shown: on or off, a number, bytes rounded or to the last, a share. */
enum nt_gc_unit { NT_GC_UNIT_SWITCH, NT_GC_UNIT_COUNT, NT_GC_UNIT_BYTES, NT_GC_UNIT_EXACT, NT_GC_UNIT_PERCENT };

/* Who says so. */
enum nt_gc_origin {
	NT_GC_BY_NOBODY,
	NT_GC_BY_ENVIRONMENT, /* variables of its start */
	NT_GC_BY_FILE,        /* runtimeconfig.json */
	NT_GC_BY_RUNTIME,     /* it has it */
	NT_GC_BY_DEFAULT,     /* neither variable nor file says it: what the runtime takes then */
	NT_GC_ORIGIN_COUNT
};

struct nt_ev_gc_setting {
	uint64_t value;
	uint32_t setting; /* enum nt_gc_setting */
	uint32_t origin;  /* enum nt_gc_origin */
};

/* All that has been said. */
struct nt_gc_settings {
	struct nt_u64 asked[NT_GC_SETTING_COUNT];
	uint8_t asked_by[NT_GC_SETTING_COUNT];   /* enum nt_gc_origin; a variable wins over the file */
	struct nt_u64 told[NT_GC_SETTING_COUNT]; /* by the runtime; a hard limit of 0 is none */
	bool read[NT_GC_ORIGIN_COUNT];           /* what that origin says is known */
};

/* ---- in words ---- */

struct nt_process_snapshot; /* nettop/snapshot.h */

struct nt_gc_setting_row {
	const char *key, *title, *help;
	enum nt_gc_unit unit;
	struct nt_u64 value;        /* not known: nobody says it */
	enum nt_gc_origin origin;   /* of the value; NT_GC_BY_NOBODY: there is none */
	struct nt_u64 asked;        /* not known: it was not asked for, or that is not known */
	enum nt_gc_origin asked_by; /* of that */
};

/* The settings of the collector of a process, all of them in their order. */
void nt_gc_setting_rows(const struct nt_process_snapshot *process, struct nt_gc_setting_row rows[NT_GC_SETTING_COUNT]);

/* 10 of 10.0.1; 0 = not known. */
unsigned nt_gc_runtime_major(const struct nt_process_snapshot *process);

/* "environment", "runtimeconfig", "runtime", "default"; NULL for nobody. */
const char *nt_gc_origin_name(enum nt_gc_origin origin);

enum { NT_GC_SETTING_TEXT = 160 };

/* "on", "384 MB", "none"; "" when it is not known. Returns `text`. */
const char *nt_gc_setting_value(const struct nt_gc_setting_row *row, char *text, size_t size);

/*
 * CPUs that the runtime counts: those that it was told to (DOTNET_PROCESSOR_COUNT), else those that it may run on, at most its quota rounded up. Not known where its variables are not.
 */
struct nt_u64 nt_gc_processors(const struct nt_process_snapshot *process);

/* CPUs that it may have at the same time: those that it may run on, at most its quota rounded up. */
struct nt_u64 nt_gc_cpus(const struct nt_process_snapshot *process);

/* The memory limit of its control groups, which is what the runtime takes for the memory of the machine; not known: there is none that can be seen. */
struct nt_u64 nt_gc_container_bytes(const struct nt_process_snapshot *process);

/* ---- what is odd about them ---- */

enum { NT_GC_ODDITIES = 12 };

struct nt_gc_oddity {
	const char *key; /* the rule's name in JSON: constant */
	char text[NT_GC_SETTING_TEXT];
};

/* What is odd, in the order of the rules; returns how many. Nothing: no rule holds, or what it looks at is not known. */
size_t nt_gc_oddities(const struct nt_process_snapshot *process, struct nt_gc_oddity oddities[NT_GC_ODDITIES]);

#endif
