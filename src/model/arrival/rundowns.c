// SPDX-License-Identifier: GPL-2.0-only
#include "model/arrival/rundowns.h"

#include "base/alloc.h"

#define PATIENCE_NS   (2 * NT_NS_PER_S)  /* for what may still name it at no cost */
#define PAUSE_NS      (30 * NT_NS_PER_S) /* after the first one, doubling up to: */
#define PAUSE_MOST_NS (600 * NT_NS_PER_S)

void nt_rundowns_ended(struct nt_rundowns *rundowns, const struct nt_ev_rundown *said, const char *reason)
{
	rundowns->newest = (struct nt_rundown){ .count = rundowns->newest.count + 1,
						.method_count = said->method_count,
						.left_out = said->left_out,
						.stream_bytes = said->stream_bytes,
						.took_ns = said->took_ns,
						.reason = reason };
}

static void ask(struct nt_rundowns *rundowns, nt_time now, uint32_t pid, struct nt_process_snapshot *process)
{
	nt_time longer = 2 * rundowns->pause_ns;
	rundowns->pause_ns = !longer ? PAUSE_NS : longer < PAUSE_MOST_NS ? longer : PAUSE_MOST_NS;
	rundowns->next = now + rundowns->pause_ns;
	rundowns->needed_since = 0;
	process->questions = nt_realloc(process->questions, process->question_count + 1, sizeof(*process->questions));
	process->questions[process->question_count++] = (struct nt_question){ .pid = pid, .image = NT_METHODS_IMAGE };
}

void nt_rundowns_close(struct nt_rundowns *rundowns, const struct nt_span *span, struct nt_resolver *resolver, uint32_t pid,
		       struct nt_process_snapshot *process)
{
	process->rundown = rundowns->newest;
	if (!nt_resolver_needs_list(resolver)) {
		rundowns->needed_since = 0;
		return;
	}
	if (!rundowns->needed_since)
		rundowns->needed_since = span->t1;
	if (span->final || span->t1 < rundowns->needed_since + PATIENCE_NS || span->t1 < rundowns->next)
		return;
	nt_resolver_list_asked(resolver);
	ask(rundowns, span->t1, pid, process);
}
