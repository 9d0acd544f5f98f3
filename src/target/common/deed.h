/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What is made or removed in a target's place, and what only that target's user may find out: each a child with the user's ids and no other rights (as_user.h). While nettop watches it has
 * no right to become somebody: then the child is the keeper's, which gets the deed as a line of text and lets nothing else be done than these, with names of these forms.
 *
 * The place is given as a descriptor, which leads into the target's mount namespace whoever uses it: nobody has to enter a namespace.
 */
#ifndef NT_TARGET_DEED_H
#define NT_TARGET_DEED_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum nt_deed_kind {
	NT_DEED_BECOME,     /* nothing: whether there can be such a child. 0 = yes */
	NT_DEED_ENTER,      /* may it write to the socket NAME, a path ending in "/startup"? 0 = yes */
	NT_DEED_REMOVE_MAP, /* remove NAME, "perf-N.map", in the folder fds[0], if it is this file: enum nt_map_removal */
	NT_DEED_LEND, /* make the folder of NAME, "nettop-XXXXXX/startup", in fds[0], and bind the socket fds[1] in it: 0, or errno (at most 100) */
	NT_DEED_TAKE_BACK,  /* remove what LEND has made. 0 = done */
	NT_DEED_MAKE_ROOM,  /* make the folder of NAME, "nettop-XXXXXX/core", in fds[0]: 0, or errno */
	NT_DEED_CLEAR_ROOM, /* remove NAME, and NAME.crashreport.json, and the folder. 0 = done */
	NT_DEED_KINDS
};

enum nt_map_removal { NT_MAP_REMOVED, NT_MAP_REFUSED, NT_MAP_NOT_THERE };

enum { NT_DEED_NAME_BYTES = 112, NT_DEED_TEXT_BYTES = 224, NT_DEED_FDS_MAX = 2 };

struct nt_deed {
	enum nt_deed_kind kind;
	uid_t uid;
	gid_t gid;
	dev_t device; /* of the file to be removed */
	ino_t inode;
	char name[NT_DEED_NAME_BYTES];
	int fds[NT_DEED_FDS_MAX]; /* borrowed, as many as the kind has */
};

/* The verb of a deed among what the keeper is asked for; the answer is an int as nt_deed_do() returns it. */
#define NT_DEED_VERB "deed"

/* Have it done, by the keeper if there is one. Returns what the child answers, or NT_AS_USER_REFUSED or NT_AS_USER_HANGS: at most 0.7 s. From any thread. */
int nt_deed_do(const struct nt_deed *deed);

/* Do it, in a child of ours. */
int nt_deed_carry_out(const struct nt_deed *deed);

/* Do it, in this process, which was made for it: it sends the answer to the socket, and ends. */
_Noreturn void nt_deed_become(const struct nt_deed *deed, int socket);

/* For the keeper: the deed that a text says, with the descriptors that came with it (borrowed). False: it is none. */
bool nt_deed_parse(const char *text, const int *fds, size_t count, struct nt_deed *out);

/* As nt_deed_parse() reads it. Returns buf. */
const char *nt_deed_text(const struct nt_deed *deed, char buf[NT_DEED_TEXT_BYTES]);

#endif
