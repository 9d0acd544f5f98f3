/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Attaching and detaching beside the main thread: each takes a system call per thread and CPU, and on a machine with hundreds of runnable threads, which is
 * where nettop is needed, that is a second or more.
 */
#ifndef NT_SOURCE_PERF_OPENING_H
#define NT_SOURCE_PERF_OPENING_H

#include "source/perf/perf_attach.h"
#include "target/process/target.h"

struct nt_perf_opening;

/*
 * What can be had for this target: the best features, by trying on one of its threads. Returns 0 or an errno value. Quick: for probe().
 */
int nt_perf_opening_try(uint32_t pid, const char *proc_dir, const struct nt_perf_wish *wish, struct nt_perf_features *out);

/* Start to attach. `target` and `wish` are borrowed only for the call. */
enum nt_status nt_perf_opening_start(const struct nt_target *target, const struct nt_perf_wish *wish, struct nt_perf_opening **out,
				     struct nt_error *err);

/*
 * Ask for the result. NT_AGAIN: not yet. Otherwise *opening is freed and NULL, and it is NT_OK with *attach, the caller's, or an error.
 */
enum nt_status nt_perf_opening_poll(struct nt_perf_opening **opening, struct nt_perf_attach **attach, struct nt_error *err);

/* Nobody wants the result any more; returns at once. NULL is allowed. */
void nt_perf_opening_abandon(struct nt_perf_opening *opening);

/* Detach; waits at most wait_ms and lets the rest happen by itself. NULL is allowed. */
void nt_perf_attach_close(struct nt_perf_attach *attach, unsigned wait_ms);

#endif
