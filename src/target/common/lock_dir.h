/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The folder in which nettops leave word for each other, as lock files (flock(), which ends with its process): never in the file system of a target, and where
 * nobody but this user can write. root's is /run/nettop; a user's $XDG_RUNTIME_DIR/nettop, else /run/user/UID/nettop; where none of them can be had
 * (a container without /run), /dev/shm/nettop-UID.
 */
#ifndef NT_TARGET_LOCK_DIR_H
#define NT_TARGET_LOCK_DIR_H

#include <sys/types.h>

#include "nettop/status.h"

/* This user's, made if it is not there. FORBIDDEN, FAILED: there is none that is ours alone; the sentence tells of the first. *fd is the caller's. */
enum nt_status nt_lock_dir_open(int *fd, struct nt_error *err);

/* `base`/`name` as such a folder: made if it is not there, this user's, and nobody else may write to it. */
enum nt_status nt_lock_dir_open_at(const char *base, const char *name, int *fd, struct nt_error *err);

enum nt_lock_state {
	NT_LOCK_FREE,
	NT_LOCK_SHARED, /* held together with others, or so that others could join */
	NT_LOCK_ALONE,
};

/*
 * The state of the lock file `name` in the folder of user `uid`, whose files need not be readable for us: by the kernel's list of locks. FREE as well when nothing can
 * be known. A user's folder is looked for where it usually is, because his $XDG_RUNTIME_DIR is not ours.
 */
enum nt_lock_state nt_lock_dir_state(uid_t uid, const char *name);

/* The same for a file that `file_fd` and `name` lead to, as fstatat() has it; it must be the user's. */
enum nt_lock_state nt_lock_state_at(int dir_fd, uid_t uid, const char *name);

#endif
