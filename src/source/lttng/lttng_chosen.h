/* SPDX-License-Identifier: GPL-2.0-only */
/* Events of the runtime that somebody has chosen by name, as rules of an LTTng session: only those that do no harm (decode/eventpipe/clr_over_lttng.h). */
#ifndef NT_SOURCE_LTTNG_CHOSEN_H
#define NT_SOURCE_LTTNG_CHOSEN_H

#include "base/text_buffer.h"
#include "decode/eventpipe/clr_over_lttng.h"
#include "nettop/status.h"

enum { NT_LTTNG_CHOSEN_MAX = 256, NT_LTTNG_RULE_BYTES = 128 };

/* Each once. All zero is none. */
struct nt_lttng_chosen {
	const struct nt_clr_shape *shapes[NT_LTTNG_CHOSEN_MAX];
	size_t count;
	const struct nt_clr_shape *left_out[NT_LTTNG_CHOSEN_MAX];
	size_t left_out_count;
};

/* "lttng/GC*" is a pattern over LTTng. */
bool nt_lttng_is_chosen(const char *text);

/* Add what such a pattern names. USAGE: the runtime has no such event. FORBIDDEN: none of those that it names may be enabled, and why. */
enum nt_status nt_lttng_chosen_add(struct nt_lttng_chosen *chosen, const char *text, struct nt_error *err);

/* A sentence with those that were named and are left out, and why; "" when none is. */
void nt_lttng_chosen_put_left_out(const struct nt_lttng_chosen *chosen, struct nt_text_buffer *out);

/*
 * The index-th rule to enable, `DotNETRuntime:GCStart_V1`; false past the end. All versions of an event: a rule that no tracepoint has does nothing. The first is GCStart without a version: the
 * runtime reads its state to decide about the other events of collections, and never fires it.
 */
bool nt_lttng_chosen_rule(const struct nt_lttng_chosen *chosen, size_t index, char rule[NT_LTTNG_RULE_BYTES]);

#endif
