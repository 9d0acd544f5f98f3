/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the person who runs nettop may without it. nettop's own file may have rights (capabilities(7)), which are for looking at processes: where the person named a file, or the person's environment leads to one, it is
 * opened, made, replaced and executed without them. Root keeps its own.
 */
#ifndef NT_BASE_PLAIN_RIGHTS_H
#define NT_BASE_PLAIN_RIGHTS_H

#include <stdint.h>

struct nt_plain_rights {
	uint32_t put_off[2]; /* the effective ones, for the end; 0 = there was nothing to put off */
};

/* For the calling thread, until the end; one within another is allowed. Async-signal-safe. */
struct nt_plain_rights nt_plain_rights_begin(void);

/* For good, for the calling thread and those that it makes. What is executed is not hindered from having its own (a helper of ssh's). */
void nt_plain_rights_stay(void);

/* errno stays as it is. */
void nt_plain_rights_end(struct nt_plain_rights before);

#endif
