/* SPDX-License-Identifier: GPL-2.0-only */
/* All precompiled methods that a process has mapped, for a map of its code. Reads files of others, and as many as there are: it may take a second. */
#ifndef NT_SOURCE_R2R_MAPPED_H
#define NT_SOURCE_R2R_MAPPED_H

#include <stdint.h>
#include <sys/types.h>

struct nt_r2r_process {
	const char *proc_dir; /* "/proc/PID" */
	const char *root_dir; /* "/proc/PID/root" */
	uid_t uid;
};

struct nt_r2r_mapped {
	uint64_t address, size;
	const char *name; /* `RET [Assembly] Type::Method(ARGS)`, as the perf map would have it without tier; NUL-terminated */
};

typedef void nt_r2r_mapped_visit(void *context, const struct nt_r2r_mapped *method);

/* Visit them image by image, in the order of addresses in each. Methods whose name cannot be read are left out. Returns how many were visited. */
size_t nt_r2r_mapped_each(const struct nt_r2r_process *process, nt_r2r_mapped_visit *visit, void *context);

#endif
