// SPDX-License-Identifier: GPL-2.0-only
/* What is being compiled at the end of an interval: on each thread the newest start without an end. */
#include "model/jit/jit.h"

#include "base/alloc.h"

#include <stdlib.h>

/*
 * A compilation that fails has a start and no end; it ends here with the next one of its thread, or after this time: no method takes that long.
 */
static const nt_time failed_after_ns = 10 * NT_NS_PER_S;
enum { NOW_LIMIT = 64 };

static int compare_now(const void *a, const void *b)
{
	const struct nt_jit_now *x = a, *y = b;
	if (x->since != y->since)
		return x->since < y->since ? -1 : 1;
	return x->tid < y->tid ? -1 : x->tid > y->tid;
}

void nt_jit_fill_now(const struct nt_jit *jit, const struct nt_span *span, const struct nt_threads *threads, const struct nt_names *names,
		     struct nt_process_snapshot *process)
{
	struct nt_jit_now *now = nt_realloc(NULL, jit->thread_count, sizeof(*now));
	size_t count = 0;
	for (size_t i = 0; i < jit->thread_count; i++) {
		const struct nt_jit_thread *thread = &jit->threads[i];
		nt_time since = thread->open[thread->depth - 1].time;
		uint32_t tid = (uint32_t)thread->key;
		if (since >= span->t1 || since + failed_after_ns < span->t1 || !nt_threads_living(threads, tid))
			continue;
		now[count++] = (struct nt_jit_now){
			.name = nt_names_keep(names, thread->open[thread->depth - 1].name),
			.tid = tid,
			.since = since,
			.trigger = thread->key == jit->background_key ? NT_JIT_BACKGROUND : NT_JIT_FOREGROUND,
		};
	}
	if (count)
		qsort(now, count, sizeof(*now), compare_now);
	process->jit_now = now;
	process->jit_now_count = count < NOW_LIMIT ? count : NOW_LIMIT;
}
