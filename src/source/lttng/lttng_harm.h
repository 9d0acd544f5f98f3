/* SPDX-License-Identifier: GPL-2.0-only */
/* What somebody else's session, which nettop was told to read (--session), can do to the target: in words, for who can change it. */
#ifndef NT_SOURCE_LTTNG_HARM_H
#define NT_SOURCE_LTTNG_HARM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { NT_LTTNG_HARM_BYTES = 512 };

struct nt_lttng_harm {
	char reason[NT_LTTNG_HARM_BYTES];
	char fix[NT_LTTNG_HARM_BYTES];
};

/*
 * `session` (a name or a live URL) has exceptions enabled. False: that does not harm process `pid` of user `uid`, because nettop's bridge keeps them from LTTng, or it has no
 * LTTng. Reads /proc/PID and a file of the target, on a thread that is left behind after half a second.
 */
bool nt_lttng_harm_of_exceptions(const char *session, uint32_t pid, uid_t uid, struct nt_lttng_harm *out);

#endif
