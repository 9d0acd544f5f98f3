// SPDX-License-Identifier: GPL-2.0-only
#include "model/jit/jit_background.h"

#include "model/process/roles.h"

#include <string.h>

/* The place of a thread among those that are known; as many as there are when it is not. */
static uint32_t place_of(const struct nt_jit_background *background, uint32_t tid, uint64_t start_ticks)
{
	uint32_t i = 0;
	while (i < background->count && (background->threads[i].tid != tid || background->threads[i].start_ticks != start_ticks))
		i++;
	return i;
}

/* What one that was there before nettop has used until now was used when nobody looked. One that is older than another may have been here before, and was counted. */
static uint32_t add(struct nt_jit_background *background, uint32_t tid, uint64_t start_ticks, uint64_t cpu_ns)
{
	if (background->count == NT_JIT_BACKGROUND_THREADS)
		memmove(&background->threads[0], &background->threads[1], --background->count * sizeof(background->threads[0]));
	bool is_new = background->seen_all && start_ticks > background->newest_start_ticks;
	background->threads[background->count].tid = tid;
	background->threads[background->count].start_ticks = start_ticks;
	background->threads[background->count].cpu_ns = is_new ? 0 : cpu_ns;
	if (start_ticks > background->newest_start_ticks)
		background->newest_start_ticks = start_ticks;
	return background->count++;
}

void nt_jit_background_read(struct nt_jit_background *background, uint32_t tid, const struct nt_ev_thread_stat *reading, const char *name)
{
	if (!background->first_tid)
		background->first_tid = tid;
	else if (background->first_tid == tid)
		background->seen_all = true;
	if (nt_role_of(name, 0) != NT_ROLE_JIT)
		return;
	uint64_t cpu_ns = reading->user_ns + reading->kernel_ns;
	uint32_t place = place_of(background, tid, reading->start_ticks);
	if (place == background->count)
		place = add(background, tid, reading->start_ticks, cpu_ns);
	uint64_t *before = &background->threads[place].cpu_ns;
	if (cpu_ns <= *before)
		return;
	background->sum_ns += cpu_ns - *before;
	*before = cpu_ns;
}

struct nt_u64 nt_jit_background_cpu_ns(const struct nt_jit_background *background)
{
	return (struct nt_u64){ .known = background->sum_ns > 0, .v = background->sum_ns };
}
