/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a tap is put: the number of a tracepoint, the file and the offset of a function. */
#ifndef NT_SOURCE_TAP_PLACE_H
#define NT_SOURCE_TAP_PLACE_H

#include "source/perf/perf_tap.h"

/* By its file in tracefs. */
enum nt_status nt_tap_tracepoint(const struct nt_moment_asked *asked, uint64_t *id, struct nt_error *err);

/*
 * Of a file that the target has mapped, by its name or its path. *image is the caller's. The file is opened and judged as any of a target's (image_file.h); where the function lies in it a
 * decoder says, which has no rights (source/decoder).
 */
enum nt_status nt_tap_function(const struct nt_moment_asked *asked, const struct nt_tap_target *target, int *image, uint64_t *offset,
			       struct nt_error *err);

#endif
