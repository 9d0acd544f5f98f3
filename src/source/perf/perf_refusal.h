/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel gives no CPU samples, and the least that would change it, in the words of the prerequisites. */
#ifndef NT_SOURCE_PERF_REFUSAL_H
#define NT_SOURCE_PERF_REFUSAL_H

#include <sys/types.h>

#include "nettop/source.h"

struct nt_perf_attach;

/*
 * `error`: the errno value of perf_event_open(2) on a thread of process `pid` of user `uid`. `thread_count`: of the process, when it has
 * more than we may open events for; else 0. Returns the status that fits; NT_ERR_UNSUPPORTED: that will not change while nettop runs.
 */
enum nt_status nt_perf_refusal_error(uint32_t pid, uid_t uid, int error, size_t thread_count, struct nt_error *err);

/* The same of several processes, of which only events of CPUs are of use. */
enum nt_status nt_perf_refusal_several(int error, struct nt_error *err);

/* Samples are of threads, since CPUs were refused: what would let nettop sample these is the fix of *out, if something would. */
void nt_perf_refusal_cpus(struct nt_probe *out);

/* EPERM for even the smallest rings; `wanted_bytes`: of a ring as large as it should be. */
enum nt_status nt_perf_refusal_rings(size_t wanted_bytes, struct nt_error *err);

/* What of the samples is otherwise than was wished, as the kernel had it; false, and `out` as it was: nothing is. */
bool nt_perf_refusal_part(const struct nt_perf_attach *attach, unsigned wanted_hz, struct nt_probe *out);

#endif
