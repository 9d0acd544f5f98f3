/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events that somebody has chosen by name, on their way from the worker to the main thread: as told events (nettop/told_event.h), one behind the other, with names and figures as the runtime's table
 * of shapes has them. Bounded: when the main thread takes none, the worker asks the relay for nothing, and the relay stores or loses them, which is counted.
 */
#ifndef NT_SOURCE_LTTNG_TELLING_H
#define NT_SOURCE_LTTNG_TELLING_H

#include "nettop/event.h"
#include "nettop/told_event.h"
#include "source/lttng/lttng_chosen.h"
#include "source/lttng/lttng_form.h"

struct nt_lttng_telling;

/* What is chosen is copied. `no_payload`: no fields are told. */
struct nt_lttng_telling *nt_lttng_telling_new(const struct nt_lttng_chosen *chosen, bool no_payload);
void nt_lttng_telling_free(struct nt_lttng_telling *telling); /* NULL is allowed */

const struct nt_lttng_chosen *nt_lttng_telling_chosen(const struct nt_lttng_telling *telling);

/* ---- the worker ---- */

/* Is it one that was chosen? Somebody else's session brings others, too. */
bool nt_lttng_telling_wants(const struct nt_lttng_telling *telling, const struct nt_clr_shape *shape);

bool nt_lttng_telling_has_room(struct nt_lttng_telling *telling);
/* An event of a chosen form. */
void nt_lttng_telling_add(struct nt_lttng_telling *telling, const struct nt_lttng_form *form, const bt_event *event, nt_time time,
			  uint64_t vtid);
void nt_lttng_telling_lost(struct nt_lttng_telling *telling, const struct nt_ev_lost *lost, nt_time until);
void nt_lttng_telling_state(struct nt_lttng_telling *telling, enum nt_source_state state, const char *reason, const char *fix);

/* ---- the main thread ---- */

struct nt_lttng_told_sink {
	void *context;
	void (*event)(void *context, const struct nt_told_event *event);
	void (*lost)(void *context, uint64_t count, nt_time time); /* so many before then */
	void (*some_lost)(void *context, nt_time time);            /* nobody knows how many */
};

/* What came since the last call. */
void nt_lttng_telling_take(struct nt_lttng_telling *telling, const struct nt_lttng_told_sink *sink);

/* What the source said of itself last; a reason and a fix "" = none. */
struct nt_lttng_telling_state {
	enum nt_source_state state;
	bool began; /* it has delivered, ever */
	char reason[2 * NT_ERROR_TEXT], fix[NT_ERROR_TEXT];
};
void nt_lttng_telling_look(struct nt_lttng_telling *telling, struct nt_lttng_telling_state *out);

#endif
