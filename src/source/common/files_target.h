/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files worker knows of the target: its own copy, because struct nt_target is the main thread's. Immutable while the worker runs. */
#ifndef NT_SOURCE_FILES_TARGET_H
#define NT_SOURCE_FILES_TARGET_H

#include "nettop/deployment.h"
#include "nettop/source.h"

#include <sys/types.h>

/* An open or a read that takes longer is given up (design: Threads and waiting). */
#define NT_FILES_TIMEOUT_NS (2 * NT_NS_PER_S)

struct nt_files_target {
	uint32_t pid;
	uint64_t start_ticks;  /* with pid the identity */
	int64_t started_at_ns; /* CLOCK_REALTIME */
	uid_t uid;
	char *proc_root; /* "/proc" */
	char *proc_dir;  /* "/proc/PID" */
	char *root_dir;  /* "/proc/PID/root" */
	char *image_dir; /* where paths of its mappings begin: "/" if its files are ours, because that outlives the target; else as root_dir */
	char *map_path;  /* "/tmp/perf-NSPID.map", as the target sees it, or "/tmp/jit-NSPID.dump" */
	bool is_jitdump; /* the second of them */
	bool perf_map_enabled;
	enum nt_deployment deployment;
	bool readonly;            /* nothing may be changed in the target */
	bool perf_map_switchable; /* it could be switched on by command */
	bool perf_map_set;        /* nettop has set it at its start */
	bool perf_map_later;      /* it is starting: not yet */
};

void nt_files_target_init(struct nt_files_target *copy, const struct nt_target *target, const struct nt_source_config *config);
void nt_files_target_fini(struct nt_files_target *copy);

#endif
