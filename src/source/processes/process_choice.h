/* SPDX-License-Identifier: GPL-2.0-only */
/* Which processes a list is of: named ones, those of a control group, their children. A process that ends is taken up again by who begins in its place. */
#ifndef NT_SOURCE_PROCESS_CHOICE_H
#define NT_SOURCE_PROCESS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: every .NET process. Texts are borrowed for the life of whoever has the choice. */
struct nt_process_choice {
	const char *named;  /* pids and names with commas between them; NULL = whatever it is called */
	const char *cgroup; /* of this control group and those below it: its path in the hierarchy, or its folder; NULL = of any */
	bool children;      /* and what these have started, however far down */
};

/* Does it name this pid? */
bool nt_process_choice_has_pid(const struct nt_process_choice *choice, uint32_t pid);

/* Does it name it, by the name of the kernel or that of its command line? */
bool nt_process_choice_has_name(const struct nt_process_choice *choice, const char *comm, const char *name);

/* Are all that it names pids? Who was not there when the list began is not meant then. */
bool nt_process_choice_is_of_pids(const struct nt_process_choice *choice);

/* Is a process with this text in /proc/PID/cgroup, whose lines end with \n, in the group? Paths of version 1 and 2 alike (cgroups(7)). */
bool nt_process_choice_has_cgroup(const struct nt_process_choice *choice, const char *cgroup_text);

#endif
