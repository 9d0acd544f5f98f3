/* SPDX-License-Identifier: GPL-2.0-only */
/* Who else might connect to what listens on 127.0.0.1. */
#ifndef NT_TARGET_OTHER_USERS_H
#define NT_TARGET_OTHER_USERS_H

#include <stdbool.h>

/*
 * Has this host people who are not us? An account of a person (uid 1000 up, not nobody's, with a shell that lets in) in ROOT/etc/passwd, or a process of such a uid in ROOT/proc, as a
 * directory service or a container's user namespace brings one: neither ours nor that of who called sudo. Accounts of services are not counted: what can be made to talk for somebody
 * else is not known. One small file and one look at /proc; `root` is "" but for tests.
 */
bool nt_host_has_other_users(const char *root);

#endif
