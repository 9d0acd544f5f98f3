/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of the runtime over LTTng, one by one, for who asked for them by name: a session of their own (lttng_chosen.h), read by the source's worker, told on the caller's thread. */
#ifndef NT_SOURCE_LTTNG_TAP_H
#define NT_SOURCE_LTTNG_TAP_H

#include "nettop/source.h"
#include "source/lttng/lttng_telling.h"

struct nt_lttng_tap;

/* `target` and `config` are borrowed, `chosen` and `sink` copied. Errors are those of the source. On success *out is the caller's, to be given to nt_lttng_tap_close(). */
enum nt_status nt_lttng_tap_open(const struct nt_target *target, const struct nt_source_config *config,
				 const struct nt_lttng_chosen *chosen, const struct nt_lttng_told_sink *sink, struct nt_lttng_tap **out,
				 struct nt_error *err);

/* Tell what came, with calls of the sink. NT_AGAIN: come again when nt_lttng_tap_fd() is readable, and after some ms. NT_END: it, or the process, has ended. ABSENT, FORBIDDEN: it cannot be had, and why. */
enum nt_status nt_lttng_tap_advance(struct nt_lttng_tap *tap, nt_time now, struct nt_error *err);

/* Is it there, so that whatever happens from now on is told? */
bool nt_lttng_tap_began(const struct nt_lttng_tap *tap);

/* What the source says of itself: why it has not begun yet, or what else is to be known. "" = nothing. Borrowed until the next nt_lttng_tap_advance(). */
const char *nt_lttng_tap_says(const struct nt_lttng_tap *tap);

void nt_lttng_tap_stop(struct nt_lttng_tap *tap); /* what was told until now comes still */
int nt_lttng_tap_fd(const struct nt_lttng_tap *tap);
uint64_t nt_lttng_tap_came(const struct nt_lttng_tap *tap);
uint64_t nt_lttng_tap_lost(const struct nt_lttng_tap *tap); /* of those that were counted */
uint64_t nt_lttng_tap_price_ns(const struct nt_lttng_tap *tap);

void nt_lttng_tap_close(struct nt_lttng_tap *tap); /* NULL is allowed */

#endif
