/* SPDX-License-Identifier: GPL-2.0-only */
/* Two reports, before and after a change, line by line by their names. */
#ifndef NT_OUTPUT_JIT_COMPARE_H
#define NT_OUTPUT_JIT_COMPARE_H

#include "output/jit/jit_report.h"

/* A name that one of them has, or both. Borrowed from the reports; NULL = it is not in that one. */
struct nt_jit_pair {
	const struct nt_jit_line *before, *after;
};

/* Are times compared by the CPU time that compiling took, because both know all of it? Else they are by the clock. */
bool nt_jit_compared_by_cpu(const struct nt_jit_report *before, const struct nt_jit_report *after);

/* Has each of them lines of the section? Not one that was written before reports had it. */
bool nt_jit_section_is_compared(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section);

/* The pairs of a section, the greatest change of time first. The caller's (free); *count may be 0. */
struct nt_jit_pair *nt_jit_pairs(const struct nt_jit_report *before, const struct nt_jit_report *after, enum nt_jit_section section,
				 bool by_cpu, size_t *count);

/* Is a difference one that the runs of each have among themselves? Of single runs nobody knows. */
enum nt_jit_verdict { NT_JIT_NOT_KNOWN, NT_JIT_WITHIN_SPREAD, NT_JIT_BEYOND_SPREAD };
bool nt_jit_spread_is_known(const struct nt_jit_report *before, const struct nt_jit_report *after);
enum nt_jit_verdict nt_jit_total_verdict(const struct nt_jit_report *before, const struct nt_jit_report *after,
					 const struct nt_jit_total *total);

/* Of the times of a pair; `known`: nt_jit_spread_is_known(). */
enum nt_jit_verdict nt_jit_pair_verdict(const struct nt_jit_pair *pair, bool by_cpu, bool known);

/* Old and new as cells, each not known where a part of it is not. */
struct nt_cell nt_jit_whole_cell(const struct nt_jit_totals *totals, const struct nt_jit_total *total);

/* After minus before; what is not there is 0. */
int64_t nt_jit_pair_count(const struct nt_jit_pair *pair);
int64_t nt_jit_pair_ns(const struct nt_jit_pair *pair, bool by_cpu);

/* Old, new and difference of each figure and line; methods that changed most, that appeared, that vanished. Write errors stay in the stream. */
void nt_jit_compare_write(const struct nt_jit_report *before, const struct nt_jit_report *after, FILE *out);

/* jit_compare_json.c: the same with all lines, as one object without line feed. Owned by the caller (free). */
char *nt_jit_compare_json(const struct nt_jit_report *before, const struct nt_jit_report *after);

#endif
