/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of nt_target_find(), each in a file of its own. Inside src/target/ only. */
#ifndef NT_TARGET_PARTS_H
#define NT_TARGET_PARTS_H

#include "target/process/target.h"

/*
 * identity.c: a target with everything that stat, status and cmdline say; its pidfd is open where the kernel has one.
 * Errors: ABSENT (no such process), GONE (a zombie), USAGE (a thread), FORBIDDEN (hidepid).
 */
enum nt_status nt_target_read_identity(const char *proc_root, uint32_t pid, struct nt_target **out, struct nt_error *err);

/* runtime.c: is_dotnet, runtime, runtime_dir, provider_loaded, ust_soname. FORBIDDEN when another user's maps are closed to us. */
enum nt_status nt_target_read_runtime(struct nt_target *target, struct nt_error *err);

/* runtime.c: does it have a thread of the runtime's? Threads' names are all that a process says of itself to every user. */
bool nt_target_has_runtime_thread(const struct nt_target *target);

/* mode.c: mode, perf_map_*, server_gc (when it is off) from the NUL-separated text of /proc/PID/environ. */
void nt_target_apply_environment(struct nt_target *target, const char *environment, size_t length);

/*
 * What a command line calls the program: the entry assembly after `dotnet`, else argv[0], without folder and .dll/.exe. `cmdline` is
 * NUL-separated. The result is unescaped, NUL-terminated and owned by the caller; NULL when the command line is empty.
 */
char *nt_target_program_name(const char *cmdline, size_t length);

#endif
