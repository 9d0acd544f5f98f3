/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Opening files that belong to somebody else (design: Safety): never through a link in the last place, never a device or a FIFO, only when the target's
 * user or root owns them. It is done apart (base/apart.h), and takes up to NT_APART_PATIENCE_MS: run it by a hand (hand.h). What may hang when it is read is handed out as a copy in memory.
 */
#ifndef NT_SOURCE_FOREIGN_FILE_H
#define NT_SOURCE_FOREIGN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "nettop/status.h"
#include "target/common/objection.h"

/* What a refusal was about; the caller words the sentence. */
enum nt_refusal {
	NT_REFUSAL_NONE,
	NT_REFUSAL_NO_ROOT,   /* the target's root cannot be entered: errnum says why (it ended, or permission) */
	NT_REFUSAL_ABSENT,    /* no such file */
	NT_REFUSAL_OBJECTION, /* not a regular file of the right user, or one that hangs: `objection` says what it is */
	NT_REFUSAL_ERRNO,     /* the system said no: errnum */
};

struct nt_foreign_file {
	int fd;           /* -1 when refused; the caller's */
	struct stat stat; /* of the file */
	bool copied;      /* `fd` is a copy of what it had then, in memory */
	enum nt_refusal refusal;
	int errnum;
	char objection[NT_OBJECTION_BYTES]; /* "is a FIFO" */
};

/*
 * Open `path` (absolute, as the target sees it) below `root_dir` ("/proc/PID/root"); links inside the path are resolved within that root. `uid` is
 * the target's user.
 */
struct nt_foreign_file nt_foreign_open(const char *root_dir, const char *path, uid_t uid);

/* A file by its name: as the arguments of nt_foreign_open(). */
struct nt_foreign_name {
	const char *root_dir;
	const char *path;
	uid_t uid;
	bool plain; /* the path is the word of the person who runs nettop: no rights of nettop's own file are used (base/plain_rights.h) */
};

enum { NT_FOREIGN_NAMES_MAX = 16 };

/*
 * Open the first of these (at most NT_FOREIGN_NAMES_MAX) that can be opened: as nt_foreign_open() of one after the other, but most of them in one errand, because an errand costs many times
 * what it takes to see that no such file is there. *opened says which it is. When none can be, the answer is that of the last.
 */
struct nt_foreign_file nt_foreign_open_first(const struct nt_foreign_name *names, size_t count, size_t *opened);

/* Open the file behind a link of the kernel's own, /proc/PID/map_files/START-END; the same conditions hold for what it leads to. */
struct nt_foreign_file nt_foreign_open_mapped(const char *map_file, uid_t uid);

/* pread() until `size` bytes or the end of file; bytes read, or -1 with errno. */
ssize_t nt_foreign_read(int fd, void *buf, size_t size, off_t offset);

#endif
