// SPDX-License-Identifier: GPL-2.0-only
/*
 * Text as of `perf script -F comm,pid,tid,time,period,event,ip,sym,dso`: a record for each sample, because some readers count records and not their
 * periods. They come in order of time, and one that was taken for several is so many records of one time. There are no addresses.
 */
#include "output/stacks/stacks_parts.h"

#include "nettop/clock.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* One word that the readers do not take for the end of the line. */
static void put_dso(FILE *out, const struct nt_stack_frame *frame)
{
	char safe[NT_STACKS_LABEL];
	nt_stacks_safe(frame->kind == NT_CODE_KERNEL ? "[kernel.kallsyms]"
		       : frame->module               ? frame->module
						     : "[unknown]",
		       '\0', safe, sizeof(safe));
	for (char *at = safe; (at = strpbrk(at, " ()")); at++)
		*at = '_';
	fputs(safe, out);
}

/* Leaf first, without the thread. */
static void put_frames(FILE *out, const struct nt_stacks *stacks, uint32_t node)
{
	const struct nt_stack_tree *tree = stacks->tree;
	char label[NT_STACKS_LABEL];
	for (uint32_t at = node; tree->nodes[at].parent != NT_STACK_ROOT; at = tree->nodes[at].parent) {
		const struct nt_stack_frame *frame = &tree->frames[tree->nodes[at].frame];
		nt_stacks_label(stacks, frame, '\0', label, sizeof(label));
		fprintf(out, "\t%16d %s (", 0, label);
		put_dso(out, frame);
		fputs(")\n", out);
	}
}

/*
 * As perf does: a thread without a name is its number. Readers want two characters at least, and take the first word that is a number for the process:
 * `Pool 3` becomes `Pool_3`.
 */
static void put_command(FILE *out, const struct nt_stack_frame *thread)
{
	char safe[NT_STACKS_LABEL];
	size_t length = nt_stacks_safe(thread->name, '\0', safe, sizeof(safe));
	for (char *at = safe; (at = strchr(at, ' ')); at++)
		if (isdigit((unsigned char)at[1]))
			*at = '_';
	if (length < 2)
		fprintf(out, "%s:%" PRIu32, safe, thread->tid);
	else
		fputs(safe, out);
}

void nt_stacks_write_perf_script(FILE *out, const struct nt_stacks *stacks)
{
	const struct nt_stack_tree *tree = stacks->tree;
	const uint64_t period_ns = stacks->period_ns ? stacks->period_ns : 1;
	uint32_t *threads = nt_stacks_threads(tree);
	for (uint32_t m = 0; m < tree->moment_count; m++) {
		const struct nt_stack_moment *moment = &tree->moments[m];
		const struct nt_stack_frame *thread = &tree->frames[tree->nodes[threads[moment->node]].frame];
		const char *unit = nt_stacks_unit(stacks, thread);
		/* What is counted is a record each time, as a sample is; of bytes and of time it is its period. */
		bool weighs = unit && strcmp(unit, "count") != 0;
		const uint64_t period = weighs ? moment->samples : period_ns;
		for (uint32_t left = weighs ? 1 : moment->samples; left > 0; left--) {
			put_command(out, thread);
			fprintf(out, " %" PRIu32 "/%" PRIu32 " %" PRIu64 ".%09" PRIu64 ": %10" PRIu64 " %s: \n", stacks->pid, thread->tid,
				moment->time / NT_NS_PER_S, moment->time % NT_NS_PER_S, period,
				unit ? stacks->events[thread->what].name : "cpu-clock");
			put_frames(out, stacks, moment->node);
			fputc('\n', out);
		}
	}
	free(threads);
}
