/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Samples by what they are for: the sums of all purposes are the samples, in the interval, in the window and since attach.
 *
 * What a sample is for is said by its leaf; code of the runtime and of libraries that the runtime calls by the thread besides, and whether it was in a pause. Who was
 * at the leaf when a chain has no callers (--call-graph leaf) is not known: a worker that spins is then in the kernel or the runtime.
 */
#ifndef NT_MODEL_PURPOSES_H
#define NT_MODEL_PURPOSES_H

#include "model/common/pause.h"
#include "model/cpu/frames.h"
#include "nettop/purpose.h"
#include "nettop/snapshot.h"

struct nt_purposes {
	uint64_t interval[NT_PURPOSE_COUNT], all[NT_PURPOSE_COUNT];
	double window[NT_PURPOSE_COUNT];
};

/* What a chain is for as far as its code says it; the runtime's own code is for what its thread does. */
enum nt_code_purpose {
	NT_CODE_OF_RUNTIME = NT_PURPOSE_COUNT, /* else an enum nt_purpose */
};

/* What one piece of code is for; as below. Pure. */
unsigned nt_purpose_of_key(const struct nt_key *key);

/* The number of enum nt_purpose, or NT_CODE_OF_RUNTIME, of the frames of a chain, leaf first; of none NT_PURPOSE_UNKNOWN. Pure. */
unsigned nt_purpose_of_code(const struct nt_resolver *resolver, const nt_frame *frames, size_t count);

/* Depends what such code is for on who runs it? Pure. */
bool nt_purpose_is_said_by_thread(unsigned code);

/* What a sample of such code is for. `role` of its thread; pauses: NULL = not known. Pure. */
enum nt_purpose nt_purpose_of_sample(unsigned code, enum nt_role role, nt_time time, const struct nt_pauses *pauses);

void nt_purposes_add(struct nt_purposes *purposes, enum nt_purpose purpose, unsigned samples);

/*
 * Code has got its name: `samples` of closed intervals, with `weight` in the window, that were counted when it was for `from` go to `to`. What the thread had a say in
 * stays.
 */
void nt_purposes_move(struct nt_purposes *purposes, unsigned from, unsigned to, uint64_t samples, double weight);

/* One interval passed: everything in the window weighs less. */
void nt_purposes_decay(struct nt_purposes *purposes, double decay);

/* Fill the figures of the interval, of the whole time and of the window, as far as the numbers of samples are known there, and start the next interval. */
void nt_purposes_close(struct nt_purposes *purposes, struct nt_process_snapshot *process);

#endif
