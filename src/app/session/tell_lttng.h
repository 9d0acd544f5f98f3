/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events of the runtime over LTTng one by one, while screen 9 is open: an LTTng session of their own, and what it brings as TOLD events of app/, because the source of the same name has other ones. Of a
 * flood NT_TELL_A_SECOND are told; the others are counted by kind.
 */
#ifndef NT_APP_TELL_LTTNG_H
#define NT_APP_TELL_LTTNG_H

#include "app/session/inputs.h"
#include "nettop/source.h"
#include "source/lttng/lttng_chosen.h"

struct nt_tell_lttng;

/* Nothing is chosen. All are borrowed until nt_tell_lttng_free(). */
struct nt_tell_lttng *nt_tell_lttng_new(const struct nt_target *target, const struct nt_source_config *config, struct nt_inputs *inputs);
void nt_tell_lttng_free(struct nt_tell_lttng *tell); /* NULL is allowed; the session ends */

/* Others are chosen; copied. None: no session. Chosen anew they get another try. */
void nt_tell_lttng_choose(struct nt_tell_lttng *tell, const struct nt_lttng_chosen *chosen);
void nt_tell_lttng_want(struct nt_tell_lttng *tell, bool wanted);

/* Begin, tell, end: as far as that is possible now. */
void nt_tell_lttng_go_on(struct nt_tell_lttng *tell, nt_time now);

/* Nobody reads for a while: the session is let go of at once. The next nt_tell_lttng_go_on() has another one. */
void nt_tell_lttng_pause(struct nt_tell_lttng *tell);

#endif
