/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * nettop whose file has rights (capabilities(7)) that the person who runs it has not: the kernel says so (AT_SECURE), and the loader does without LD_PRELOAD and the like. The libraries do not all ask; what the environment
 * would have them load, read or write is taken out of it here. Files that the person names: base/plain_rights.h.
 */
#ifndef NT_APP_ELEVATED_H
#define NT_APP_ELEVATED_H

#include "nettop/status.h"

/* First of all, while there is one thread. FORBIDDEN: the file has the set-user-ID or set-group-ID bit, for which nettop is not made: files that the person names would be opened as another user's or group's. */
enum nt_status nt_elevated_begin(char *const *argv, struct nt_error *err);

/* For a program of the person's that nettop starts, which has none of those rights: the environment as nettop was given it. Borrowed, for ever; as `environ`. */
char **nt_elevated_environment(void);

#endif
