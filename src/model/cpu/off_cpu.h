/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Blocked time as call stacks: where threads wait whose switches are told, each wait with its length in ns. Asked for by who keeps the stacks of all (nt_stacks_are_of_all())
 * and has switches told: nothing else does both. Where all time is wanted (NT_STACKS_WALL) the time in which they wait for a CPU is in it, too. Of threads whose switches are not told looks are moments (NT_EV_MOMENT), and count where this does not.
 */
#ifndef NT_MODEL_OFF_CPU_H
#define NT_MODEL_OFF_CPU_H

#include "model/cpu/cpu_kinds.h"

struct nt_off_cpu {
	struct nt_cpu_kinds *kinds; /* borrowed */
	struct nt_threads *threads; /* borrowed */
	struct nt_ids *kept;        /* owned: chains of the threads that waited when the last interval closed; NULL = none */
};

void nt_off_cpu_init(struct nt_off_cpu *off_cpu, struct nt_cpu_kinds *kinds, struct nt_threads *threads);
void nt_off_cpu_fini(struct nt_off_cpu *off_cpu);

/* Does somebody ask for it, if switches are told? */
bool nt_off_cpu_is_wanted(const struct nt_off_cpu *off_cpu);

/* A thread waited for so many ns, up to `time`. `context`: struct nt_off_cpu. As struct nt_waits wants it (model/waits/waits.h). */
void nt_off_cpu_waited(void *context, uint32_t tid, enum nt_time_part part, struct nt_chain *chain, nt_time time, nt_time ns, bool over);

/*
 * The interval closes: chains of threads that go on waiting are kept from now on in a new table, each by nt_off_cpu_keep(). Returns the table of the
 * interval before, owned by the caller, which waits for names as any other that has ended; NULL = there is none.
 */
struct nt_ids *nt_off_cpu_turn(struct nt_off_cpu *off_cpu);
struct nt_chain *nt_off_cpu_keep(void *context, const struct nt_chain *chain);

#endif
