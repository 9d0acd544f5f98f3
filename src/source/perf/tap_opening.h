/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening taps beside the main thread: files of the target are read for it, and the kernel waits for CPUs. */
#ifndef NT_SOURCE_TAP_OPENING_H
#define NT_SOURCE_TAP_OPENING_H

#include "nettop/source.h"
#include "source/perf/perf_tap.h"
#include "target/process/target.h"

struct nt_taps {
	struct nt_tap *items; /* owned */
	unsigned *what;       /* owned; of each: number among those that were asked for */
	size_t count;
};

void nt_taps_close(struct nt_taps *taps);

struct nt_tap_opening;

/* `config` is borrowed until the end; `target` for the call. */
enum nt_status nt_tap_opening_start(const struct nt_target *target, const struct nt_source_config *config, struct nt_tap_opening **out,
				    struct nt_error *err);

/* NT_AGAIN: not yet. Else *opening is NULL and freed, and it is NT_OK with all taps in *taps, the caller's, or the error of one. */
enum nt_status nt_tap_opening_poll(struct nt_tap_opening **opening, struct nt_taps *taps, struct nt_error *err);

/* Nobody wants the result; returns at once. NULL is allowed. */
void nt_tap_opening_abandon(struct nt_tap_opening *opening);

#endif
