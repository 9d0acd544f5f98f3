/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control groups of a process, as folders: its own and those above it, in whichever version counts what is asked for. Format: cgroups(7). A group that lies
 * beside our own in a container cannot be seen from here.
 */
#ifndef NT_TARGET_CGROUP_PATH_H
#define NT_TARGET_CGROUP_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Where control groups are mounted; tests have their own. */
#define NT_CGROUP_ROOT "/sys/fs/cgroup"

struct nt_cgroup {
	char *folder; /* owned; NULL = none */
	size_t root;  /* so many bytes of it are the hierarchy's root */
	bool v2;
};

/* Of version 2 there may be two places: alone, or beside version 1. */
enum { NT_CGROUPS = 3 };

/*
 * The groups of a process that may limit or count by this controller of version 1 (`memory`, `cpu`), or by version 2, which has no controllers in that text.
 * cgroup_text: of /proc/PID/cgroup. Returns how many; the caller frees each with nt_cgroup_fini().
 */
size_t nt_cgroups_of(const char *cgroup_text, const char *cgroup_root, const char *controller, struct nt_cgroup out[NT_CGROUPS]);
void nt_cgroup_fini(struct nt_cgroup *group);

/* Go to the group above. False: there is none, it is the root. */
bool nt_cgroup_up(struct nt_cgroup *group);

/* The text of one of its files, NUL-terminated, the caller's; NULL: it has none. */
char *nt_cgroup_read(const struct nt_cgroup *group, const char *name, size_t *length);

#endif
