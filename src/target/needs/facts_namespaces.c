// SPDX-License-Identifier: GPL-2.0-only
/* Does the target live where nettop lives? lttng-ust meets its session daemon through files of the target's own /run/lttng and /dev/shm. */
#include "target/needs/facts_parts.h"

#include "base/alloc.h"
#include "base/file_foreign.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Is its namespace of this kind another one than ours? False in *known: we may not look. */
static bool differs(const struct nt_target *target, const char *kind, bool *known)
{
	char *ours = nt_format("/proc/self/ns/%s", kind), *theirs = nt_format("%s/ns/%s", target->proc_dir, kind);
	struct stat our_stat, their_stat;
	bool seen = stat(ours, &our_stat) == 0 && stat(theirs, &their_stat) == 0;
	bool different = seen && (our_stat.st_ino != their_stat.st_ino || our_stat.st_dev != their_stat.st_dev);
	*known &= seen;
	free(ours);
	free(theirs);
	return different;
}

/* Is a file in this folder of ours the same file for the target? A folder that is not there yet will be made in the one above. */
static bool shares(const struct nt_target *target, const char *folder)
{
	char path[PATH_MAX];
	struct stat ours, theirs;
	snprintf(path, sizeof(path), "%s", folder);
	char *at = path;
	while (stat(at, &ours) < 0 && strcmp(at, "/") != 0)
		at = dirname(at);
	char *inside = nt_format("%s%s", target->root_dir, at);
	bool same = nt_file_stat_foreign(inside, true, &theirs) == 0 && ours.st_dev == theirs.st_dev && ours.st_ino == theirs.st_ino;
	free(inside);
	return same;
}

void nt_facts_read_namespaces(struct nt_facts *facts)
{
	facts->namespaces_known = true;
	facts->other_pid_namespace = differs(facts->target, "pid", &facts->namespaces_known);
	facts->other_mount_namespace = differs(facts->target, "mnt", &facts->namespaces_known);
	facts->lttng_reachable = shares(facts->target, "/run/lttng") && shares(facts->target, "/dev/shm");
}
