/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of a babeltrace2 graph as neutral events: which process, which thread, which event of the runtime, its fields. One decoder lives as
 * long as one graph, in the worker thread.
 */
#ifndef NT_SOURCE_LTTNG_DECODE_H
#define NT_SOURCE_LTTNG_DECODE_H

#include <stdbool.h>

#include "source/lttng/lttng_out.h"

struct bt_message; /* babeltrace2 */
struct nt_lttng_decoder;

struct bt_event;
struct bt_field;
struct nt_lttng_form;

struct nt_lttng_newcomer {
	uint32_t vpid;
	uint64_t pid_ns;
	const struct nt_lttng_form *form;
	const struct bt_event *event;
	const struct bt_field *context; /* may be NULL */
	nt_time time;
};

/* Whose events are wanted. */
struct nt_lttng_wanted {
	const struct nt_lttng_watched_list *list;        /* borrowed; one without a vpid is the first process that is_target() agrees to, */
	bool (*is_target)(void *context, uint32_t vpid); /* which notes it in the list */
	/*
	 * NULL, or: a process of which an event of the runtime came and that is not in the list. It is put into the list, or not (NULL). `pid_ns`: 0 = not known. What is returned holds until the next call.
	 */
	const struct nt_lttng_watched *(*admit)(void *context, const struct nt_lttng_newcomer *newcomer);
	void *context;
	int64_t shift_ns; /* what is added to the trace's times to get nettop's: of another host's clock; 0 = it is the same */
};

/* `out` is borrowed for the decoder's life. */
struct nt_lttng_decoder *nt_lttng_decoder_new(const struct nt_lttng_wanted *wanted, struct nt_lttng_out *out);
void nt_lttng_decoder_free(struct nt_lttng_decoder *decoder); /* NULL is allowed */

/* Append what the message says to out->batch, which must have room (nt_lttng_out_room()). */
void nt_lttng_decode(struct nt_lttng_decoder *decoder, const struct bt_message *message);

/* Events came that say neither by a context nor by their trace to which process they belong: the session lacks the context vpid. */
bool nt_lttng_decoder_lacks_vpid(const struct nt_lttng_decoder *decoder);

/* The trace of the target, or of all processes of its user, declares exceptions: a rule has, or had, them enabled (lttng_declared.h). */
bool nt_lttng_decoder_has_exceptions(const struct nt_lttng_decoder *decoder);

#endif
