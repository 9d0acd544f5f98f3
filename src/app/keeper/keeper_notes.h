/* SPDX-License-Identifier: GPL-2.0-only */
/* nettop's own list of what the keeper has to know, each note with its descriptor: should the keeper be killed, the next one is told the same. No locks: the caller's. */
#ifndef NT_APP_KEEPER_NOTES_H
#define NT_APP_KEEPER_NOTES_H

#include <stdbool.h>
#include <stddef.h>

struct nt_keeper_kept {
	char *verb, *argument; /* owned */
	int fd;                /* a duplicate, owned; -1 = none came with it */
};

struct nt_keeper_notes {
	struct nt_keeper_kept *items;
	size_t count, room;
};

/* `fd` -1 = none; it stays the caller's. A verb that begins with "-" takes the newest note of the same verb and argument back. */
void nt_keeper_notes_apply(struct nt_keeper_notes *notes, const char *verb, const char *argument, int fd);

/* How many are in force of this verb. */
size_t nt_keeper_notes_count(const struct nt_keeper_notes *notes, const char *verb);

/* Say them all, in their order, to a keeper that knows nothing. False: it does not take them. */
bool nt_keeper_notes_tell(const struct nt_keeper_notes *notes, int socket);

void nt_keeper_notes_fini(struct nt_keeper_notes *notes);

#endif
