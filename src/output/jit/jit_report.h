/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was compiled while nettop watched, as `nettop jit` says it: a table for people (jit_text.c), or a JSON object that a later run is compared
 * with (jit_json.c, jit_compare.h). A report stands alone: its texts are its own.
 */
#ifndef NT_OUTPUT_JIT_REPORT_H
#define NT_OUTPUT_JIT_REPORT_H

#include <stdio.h>

#include "nettop/column.h"
#include "nettop/status.h"

/* The same compilations, told apart in so many ways. */
enum nt_jit_section {
	NT_JIT_TIERS,
	NT_JIT_TRIGGERS,
	NT_JIT_MODULES,
	NT_JIT_NAMESPACES,
	NT_JIT_CAUSES,
	NT_JIT_METHODS,
	NT_JIT_SECTION_COUNT
};

/* What several runs of one program differed by. */
struct nt_jit_spread {
	uint64_t least, most;
};

/* Texts lie in the report's arena. */
struct nt_jit_line {
	const char *name;
	struct nt_jit_sums sums;
	const char *cause, *remedy; /* causes only: of the start, with the module; what would have spared them. NULL = not known */
	/* Methods only, the module of causes as well. Texts: NULL = not known. */
	const char *module, *tier, *trigger; /* of the newest compilation */
	uint64_t max_ns;
	uint64_t rejected_count;                     /* compiled although there was precompiled code */
	struct nt_jit_spread count, time_ns, cpu_ns; /* of a report of several runs only */
};

/* A DOTNET_ or COMPlus_ variable, or a property of the program's runtimeconfig.json (System.…). */
struct nt_jit_setting {
	const char *name, *value;
	bool overruled; /* of the file: the runtime does what a variable says */
};

bool nt_jit_setting_is_of_file(const struct nt_jit_setting *setting);

/* A compilation of the start. */
struct nt_jit_start_line {
	const char *name, *module, *cause, *tier; /* NULL = not known */
	uint64_t at_ns, time_ns, self_ns;         /* since the runtime loaded its core library; struct nt_jit_startup_row */
	struct nt_u64 cpu_ns;
};

struct nt_jit_totals {
	struct nt_u64 method_count, il_bytes, native_bytes, dynamic_count, rejected_count;
	struct nt_u64 time_ns;       /* by the clock: struct nt_jit_sums */
	struct nt_u64 jit_cpu_ns;    /* CPU time of the compiling threads meanwhile, */
	struct nt_u64 jit_cpu_count; /* which is known of so many compilations */
	/* CPU time of the threads that compile in the background, at least: known also where that of compilations is not */
	struct nt_u64 jit_background_cpu_ns;
	struct nt_u64 cpu_ns;  /* CPU time of the process in the same time */
	bool cpu_is_partial;   /* as it was last read, some time before the process ended */
	struct nt_f64 cpu_pct; /* jit_cpu_ns as a share of cpu_ns */
	struct nt_u64 span_ns; /* watched for so long */
};

struct nt_jit_report {
	const char *program, *runtime; /* NULL = not known */
	uint64_t pid;
	bool from_start;        /* since the program's first method; else since nettop attached to it */
	bool complete;          /* read to the end, and nothing was lost */
	const char *end;        /* how the process ended while it was watched: "exit status 0", "killed by SIGSEGV"; NULL = it ran on */
	const char *cpu_reason; /* why the CPU time of compiling is not known; NULL = it is, or nobody says why */
	uint64_t runs;          /* 1; of more of them the figures are medians, each for itself, and the spreads hold */
	struct nt_jit_totals totals, least, most;
	struct nt_jit_line *lines[NT_JIT_SECTION_COUNT]; /* owned; what took longest first */
	size_t counts[NT_JIT_SECTION_COUNT], capacities[NT_JIT_SECTION_COUNT];
	bool start_seen; /* what was compiled at the start is told by its cause, and in order: not in that of several runs */
	struct nt_jit_start_line *start; /* owned; in order */
	size_t start_count, start_capacity;
	uint64_t start_beyond_count;              /* more of the start than that */
	struct nt_jit_setting_cost start_setting; /* of a start that was seen */
	struct nt_jit_setting *settings;          /* owned; in order of their names */
	size_t setting_count, setting_capacity;
	bool settings_known;      /* what it was started with could be read */
	bool file_settings_known; /* and its runtimeconfig.json */
	void *arena;              /* owned */
};

/* One figure of the totals, described once for table, JSON and comparison. Which type it has follows from the unit: struct nt_f64 for PCT, else nt_u64. */
struct nt_jit_total {
	const char *key;   /* JSON member */
	const char *title; /* in the table; NULL = not there */
	enum nt_unit unit;
	size_t offset; /* in struct nt_jit_totals */
	bool of_cpu;   /* rests on the CPU time of compiling, of which a part may not be known */
};
extern const struct nt_jit_total nt_jit_totals_table[];
extern const size_t nt_jit_totals_count;

struct nt_cell nt_jit_total_cell(const struct nt_jit_totals *totals, const struct nt_jit_total *total);

/* The CPU time is known of some compilations, and not of all. */
bool nt_jit_totals_are_partial(const struct nt_jit_totals *totals);

/* Is a part of a figure not known, so that it is at least so much? */
bool nt_jit_total_is_partial(const struct nt_jit_totals *totals, const struct nt_jit_total *total);

/* The CPU time of all compilations is known: then lines are told by it, because time by the clock is also that of others. */
bool nt_jit_report_has_cpu(const struct nt_jit_report *report);

/* What a line took, by CPU time or by the clock. */
uint64_t nt_jit_line_ns(const struct nt_jit_line *line, bool by_cpu);

/* Let what took longest come first, and settings be in order of their names. */
void nt_jit_report_sort(struct nt_jit_report *report);

/* JSON member and title of a section: "tiers", "TIER". */
const char *nt_jit_section_key(enum nt_jit_section section);
const char *nt_jit_section_title(enum nt_jit_section section);

/* Did the process end otherwise than well: by a signal, with another exit status than 0, or nobody knows how? Then more might have come. */
bool nt_jit_report_is_cut(const struct nt_jit_report *report);

/*
 * Of the final snapshot. from_start: nettop has started the program. Where compilations could not be seen: FORBIDDEN, with the reason and the fix; GONE when the
 * process ended before. *out is the caller's.
 */
enum nt_status nt_jit_report_of(const struct nt_snapshot *snapshot, bool from_start, struct nt_jit_report **out, struct nt_error *err);
void nt_jit_report_free(struct nt_jit_report *report); /* NULL is allowed */

/* An empty report, and a line more of it; for those who make one. Texts are copied; the line is valid until the next one of its section. */
struct nt_jit_report *nt_jit_report_new(void);
struct nt_jit_line *nt_jit_report_add(struct nt_jit_report *report, enum nt_jit_section section, const char *name);
void nt_jit_report_add_started(struct nt_jit_report *report, const struct nt_jit_startup_row *row);
void nt_jit_report_add_setting(struct nt_jit_report *report, const char *name, const char *value);
void nt_jit_report_add_overruled(struct nt_jit_report *report, const char *name, const char *value); /* a variable says otherwise */
const char *nt_jit_report_text(struct nt_jit_report *report, const char *text);                      /* NULL gives NULL */

/* jit_text.c: the table: totals, sections, the methods that took longest. Write errors stay in the stream. */
void nt_jit_report_write(const struct nt_jit_report *report, FILE *out);

/* jit_text.c: with what the program was started: a line of the report's settings, in words where there are some. Nothing when there are none. */
void nt_jit_write_settings(const struct nt_jit_report *report, const char *label, FILE *out);

/*
 * jit_runs.c: of `count` reports of the same program (2 up) one, in which each figure is the median of the runs, and has its spread. A line that most runs do not
 * have is left out. The caller's.
 */
struct nt_jit_report *nt_jit_report_of_runs(struct nt_jit_report *const *reports, size_t count);

/* jit_start_text.c: what was compiled at the start by its cause, what would have spared it, and in order; or that the start was not seen. */
void nt_jit_write_start(const struct nt_jit_report *report, bool with_cpu, FILE *out);

/* jit_json.c: one object with all lines, without line feed. Owned by the caller (free). */
char *nt_jit_report_json(const struct nt_jit_report *report);

/* Read what nt_jit_report_json() wrote. MALFORMED, ABSENT or FAILED with a sentence that names the file. *out is the caller's. */
enum nt_status nt_jit_report_read(const char *path, struct nt_jit_report **out, struct nt_error *err);

#endif
