/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The names of our LTTng sessions: nettop-<pid namespace>-<pid>-<start ticks>-<n>-<secret>. The name says who made a session, so that a later nettop can tell a left-over
 * (owner dead) from a session in use. Nobody can guess it: our relay takes sessions from every user of the host, and one that was there before ours under its name would be
 * read in its place.
 */
#ifndef NT_SOURCE_LTTNG_NAME_H
#define NT_SOURCE_LTTNG_NAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who made a session. */
struct nt_lttng_owner {
	uint64_t pid_ns;      /* inode of its pid namespace: pids mean something only inside one */
	uint32_t pid;         /* in that namespace */
	uint64_t start_ticks; /* field 22 of its stat: pids are used again */
};

enum { NT_LTTNG_NAME_BYTES = 96 };

/* Write the name of the owner's number-th session. `secret`: nt_secret(). */
void nt_lttng_name_make(const struct nt_lttng_owner *owner, unsigned number, uint64_t secret, char name[NT_LTTNG_NAME_BYTES]);

/* False when `name` is not one that nt_lttng_name_make() writes. */
bool nt_lttng_name_parse(const char *name, struct nt_lttng_owner *owner, unsigned *number);

#endif
