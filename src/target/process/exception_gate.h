/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Whether asking a target for its exceptions could end it. The runtime fires ExceptionThrown over LTTng, too, while any EventPipe session has the keyword of
 * exceptions; if an LTTng session, anybody's, has that event enabled, the first exception without a message ends the target (doc/EVENTS.md). nettop's bridge does
 * not pass the event's call site on; LTTng's own libraries, and older bridges, do.
 */
#ifndef NT_TARGET_EXCEPTION_GATE_H
#define NT_TARGET_EXCEPTION_GATE_H

#include "target/process/target.h"

enum nt_exception_gate_state {
	NT_GATE_UNKNOWN,  /* not looked at, or its mappings are closed to us */
	NT_GATE_HARMLESS, /* no LTTng in it, or the bridge */
	NT_GATE_HARMFUL,
};

enum { NT_GATE_PATH_BYTES = 512 };

struct nt_exception_gate {
	enum nt_exception_gate_state state;
	bool bridge;                   /* the bridge is why it is harmless, or an older one why it is not */
	char path[NT_GATE_PATH_BYTES]; /* the library that call sites are registered with, as the target sees it; "" = none */
};

/*
 * Looks at the mappings and at one file of the target, which may hang. Not before its diagnostics port is there: its libraries are loaded by then, for good.
 */
void nt_exception_gate_read(const struct nt_target *target, struct nt_exception_gate *out);

/* Is this file's content the bridge's half for call sites, one that withholds those of exceptions? */
bool nt_exception_gate_withholds(const char *bytes, size_t length);

#endif
