/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Compilations that nobody looks at are asked for where somebody will want to know them later: of a program that nettop has started, and of one that compiles a lot. What they cost it is bounded by
 * --max-target-cost, as what is asked for is not: over it they end until somebody looks.
 */
#ifndef NT_APP_UNASKED_H
#define NT_APP_UNASKED_H

#include "app/session/session_internal.h"

/* May EventPipe be asked for them now, although nobody looks? Main thread. */
bool nt_session_asks_unasked(struct nt_session *session, nt_time now);

#endif
