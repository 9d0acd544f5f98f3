// SPDX-License-Identifier: GPL-2.0-only
#include "model/cpu/off_cpu.h"

void nt_off_cpu_init(struct nt_off_cpu *off_cpu, struct nt_cpu_kinds *kinds, struct nt_threads *threads)
{
	*off_cpu = (struct nt_off_cpu){ .kinds = kinds, .threads = threads };
}

void nt_off_cpu_fini(struct nt_off_cpu *off_cpu)
{
	nt_ids_free(off_cpu->kept);
	*off_cpu = (struct nt_off_cpu){ 0 };
}

bool nt_off_cpu_is_wanted(const struct nt_off_cpu *off_cpu)
{
	return nt_stacks_are_of_all(off_cpu->kinds->wanted);
}

void nt_off_cpu_waited(void *context, uint32_t tid, enum nt_time_part part, struct nt_chain *chain, nt_time time, nt_time ns, bool over)
{
	struct nt_off_cpu *off_cpu = context;
	bool all = nt_stacks_are_of_wall(off_cpu->kinds->wanted);
	if (!nt_off_cpu_is_wanted(off_cpu) || (part == NT_TIME_READY && !all))
		return;
	const struct nt_ev_moment moment = { .weight = ns, .what = all ? (uint32_t)part : 0, .count = 1 };
	uint32_t thread = nt_threads_sample(off_cpu->threads, NT_SAMPLES_MOMENTS, tid, time, 1, 0);
	struct nt_cpu *cpu = nt_cpu_kinds_get(off_cpu->kinds, NT_SAMPLES_MOMENTS);
	nt_cpu_moment(cpu, time, &moment, chain, thread);
	cpu->into->happened[moment.what] -= over ? 0 : 1; /* a part of a wait is none */
}

struct nt_ids *nt_off_cpu_turn(struct nt_off_cpu *off_cpu)
{
	struct nt_ids *before = off_cpu->kept;
	off_cpu->kept = nt_ids_new(0);
	return before;
}

struct nt_chain *nt_off_cpu_keep(void *context, const struct nt_chain *chain)
{
	return nt_ids_adopt(((struct nt_off_cpu *)context)->kept, chain);
}
