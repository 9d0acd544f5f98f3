/* SPDX-License-Identifier: GPL-2.0-only */
/* Call stacks as files that other tools read. Each format is a file of its own, stacks_<format>.c. */
#ifndef NT_OUTPUT_STACKS_WRITE_H
#define NT_OUTPUT_STACKS_WRITE_H

#include <stdio.h>

#include "nettop/clock.h"
#include "nettop/stacks.h"

/* What happened in place of samples (nt_stack_frame.what): its name, and what its weights are. Borrowed texts. */
struct nt_stacks_event {
	const char *name;
	const char *unit; /* "count", "nanoseconds", "bytes" */
};

/* Colours of a flame graph that is beside another one. All borrowed. */
struct nt_stacks_legend {
	const char *fill, *text; /* #rrggbb, and what it means */
};
struct nt_stacks_colours {
	const char *const *fills; /* of each node */
	const double *was_pct;    /* of each node: so much of all samples it had in the other one */
	const struct nt_stacks_legend *legend;
	size_t legend_count;
};

/* What is written. */
struct nt_stacks {
	const struct nt_stack_tree *tree; /* borrowed; weights are written as whole samples */
	uint32_t pid;
	const char *process_name;             /* borrowed */
	nt_time t0, t1;                       /* when the samples were taken */
	uint64_t period_ns;                   /* CPU time that a sample stands for; 0 = they are no samples of CPU time */
	const struct nt_stacks_event *events; /* borrowed; NULL = they are samples */
	uint32_t event_count;
	const struct nt_stacks_colours *colours; /* of a flame graph; NULL = by the kind of code */
};

enum nt_stacks_format {
	NT_STACKS_AS_FOLDED,      /* one line a stack, its frames joined by semicolons: flamegraph.pl, speedscope */
	NT_STACKS_AS_FLAMEGRAPH,  /* an SVG that needs nothing else */
	NT_STACKS_AS_SPEEDSCOPE,  /* speedscope's own file format (JSON) */
	NT_STACKS_AS_PPROF,       /* profile.proto, not compressed */
	NT_STACKS_AS_PERF_SCRIPT, /* text as of `perf script`: of a tree with NT_STACKS_TIMED, else it is empty */
	NT_STACKS_AS_COUNT
};

/* How its file is called where several are made: "svg". */
const char *nt_stacks_format_ending(enum nt_stacks_format format);

/* As in `-f NAME`. */
const char *nt_stacks_format_name(enum nt_stacks_format format);

/* The format of that name; NT_STACKS_AS_COUNT = there is none. */
enum nt_stacks_format nt_stacks_format_of(const char *name);

/* Not text: a terminal should not get it. */
bool nt_stacks_format_is_binary(enum nt_stacks_format format);

/*
 * Write all stacks in `format`. The same stacks give the same bytes. Texts of the target are made safe for the format. Whether everything could be written
 * is what ferror(out) says.
 */
void nt_stacks_write(FILE *out, enum nt_stacks_format format, const struct nt_stacks *stacks);

/*
 * The nodes of a tree of weighted samples with whole ones: what is cut off one is added to the next, so that sums stay. The caller's: free() it. They refer
 * to the tree's frames.
 */
struct nt_stack_node *nt_stacks_whole_nodes(const struct nt_stack_tree *tree);

#endif
