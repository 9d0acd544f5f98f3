/* SPDX-License-Identifier: GPL-2.0-only */
/* The perf map that a runtime writes at this moment: it holds it open exactly as long as it is switched on. May block on a strange file system. */
#ifndef NT_TARGET_PERF_MAP_FILE_H
#define NT_TARGET_PERF_MAP_FILE_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "target/process/target.h"

struct nt_perf_map_file {
	dev_t device;
	ino_t inode;
};

enum { NT_PERF_MAP_NAME_BYTES = 32 };

/* "perf-NSPID.map". Returns buf. */
const char *nt_perf_map_name(uint32_t ns_pid, char buf[NT_PERF_MAP_NAME_BYTES]);

/* NT_OK: *out is what it has open. NT_END: no perf map is open, so it is off. FORBIDDEN, GONE, FAILED. */
enum nt_status nt_perf_map_find(const struct nt_target *target, struct nt_perf_map_file *out, struct nt_error *err);

/*
 * Was this file, under the target's name, last written before the target began, which does not have it open? Then another process that had the same number wrote it,
 * and its addresses mean nothing here. proc_dir: "/proc/PID". started_at_ns: CLOCK_REALTIME.
 */
bool nt_perf_map_is_stale(const char *proc_dir, int64_t started_at_ns, const struct stat *map);

/*
 * Remove `name` from the folder if it is this regular file of this user's and no other that has taken its place. A child does it that has this user's rights and no
 * others (`uid` and `gid`; it does nothing else), because the folder is the target's: as root we would do there what it has arranged for us. It is given half a second.
 * NT_OK: it has removed it. NT_END: it is not there. Errors: FAILED; TIMEOUT: the file system does not answer, and the child ends when it does.
 */
enum nt_status nt_perf_map_remove(int folder_fd, const char *name, const struct nt_perf_map_file *file, uid_t uid, gid_t gid);

#endif
