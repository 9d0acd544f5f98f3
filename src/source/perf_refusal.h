/* SPDX-License-Identifier: GPL-2.0-only */
/* Why the kernel gives no CPU samples, and the least that would change it: the facts of perf's own message, shorter. */
#ifndef NT_SOURCE_PERF_REFUSAL_H
#define NT_SOURCE_PERF_REFUSAL_H

#include <sys/types.h>

#include "nettop/source.h"

/* `error`: the errno value of perf_event_open(2) on a thread of process `pid` of user `uid`. Fills result, reason and fix of *out. */
void nt_perf_refusal(uint32_t pid, uid_t uid, int error, struct nt_probe *out);

/* The same as an error. Returns the status that fits. */
enum nt_status nt_perf_refusal_error(uint32_t pid, uid_t uid, int error, struct nt_error *err);

/* Rings that may not be locked into memory. */
enum nt_status nt_perf_refusal_rings(size_t ring_bytes, size_t ring_count, struct nt_error *err);

/* What the missing kernel part is owed to: reason and fix for a source that delivers samples of user code only. */
void nt_perf_refusal_kernel_part(struct nt_probe *out);

#endif
