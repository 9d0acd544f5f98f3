/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/eventpipe: the runtime's events over the diagnostics port. */
/* What app/ may ask of the EventPipe source beyond struct nt_source_ops. */
#ifndef NT_SOURCE_EVENTPIPE_H
#define NT_SOURCE_EVENTPIPE_H

#include "nettop/source.h"

/* Has it asked for its sessions and not got them all yet? As long as this is so, what the target does is missed. Goes on with on_tick(). */
bool nt_eventpipe_is_starting(struct nt_source *source);

#endif
