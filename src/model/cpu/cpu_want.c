// SPDX-License-Identifier: GPL-2.0-only
/* What is to be asked about chains before their samples are settled. */
#include "model/cpu/cpu.h"

/* Frames of which an address says by itself where to look: not the kernel's, and not the innermost one. */
static size_t caller_count(const struct nt_chain *chain)
{
	return chain->count > chain->kernel_count + 1 ? chain->count - chain->kernel_count - 1 : 0;
}

/* How many of those two chains share, from the outermost one on. */
static size_t shared_frames(const struct nt_chain *a, const struct nt_chain *b)
{
	size_t most_a = caller_count(a), most_b = caller_count(b), most = most_a < most_b ? most_a : most_b, shared = 0;
	while (shared < most && a->addresses[a->count - shared - 1] == b->addresses[b->count - shared - 1])
		shared++;
	return shared;
}

/* Those that it does not share with `before`, which was asked about. */
static void want_chain(struct nt_cpu *cpu, const struct nt_chain *chain, const struct nt_chain *before, nt_time time)
{
	size_t count = chain->count - (before ? shared_frames(chain, before) : 0);
	for (size_t i = 0; i < count; i++)
		if (!nt_frames_is_marker(chain->addresses[i]))
			nt_resolver_want(cpu->resolver, nt_frames_address(chain, i), i < chain->kernel_count, time, 1);
}

void nt_cpu_want(struct nt_cpu *cpu)
{
	const struct nt_chain *before = NULL;
	size_t first = cpu->asked_count;
	cpu->asked_count = cpu->sample_count;
	for (size_t i = first; i < cpu->sample_count; i++) {
		const struct nt_chain *chain = cpu->samples[i].chain;
		if (!chain || (chain->frame_count && !chain->reusable && !chain->awaited)) /* one that was resolved before has asked then */
			continue;
		want_chain(cpu, chain, before, cpu->samples[i].time);
		before = chain;
	}
}

void nt_cpu_want_waiting(struct nt_cpu *cpu)
{
	for (size_t i = 0; i < cpu->waiting_count; i++)
		want_chain(cpu, cpu->waiting[i], NULL, cpu->waiting[i]->open_time);
}
