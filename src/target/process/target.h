/* SPDX-License-Identifier: GPL-2.0-only */
/* Room target/process: who is watched: identity, runtime, deployment, what it was started with. */
/*
 * The process that is watched: identity, runtime, namespaces, and what its environment lets LTTng deliver. Read once at attach from /proc; the
 * only later questions are "is it still the same process" and "has it ended".
 */
#ifndef NT_TARGET_TARGET_H
#define NT_TARGET_TARGET_H

#include <sys/types.h>

#include "nettop/deployment.h"
#include "nettop/event.h"
#include "nettop/status.h"
#include "target/process/environment.h"

struct nt_target {
	uint32_t pid;         /* nettop's pid namespace */
	uint32_t ns_pid;      /* the target's own: last number of NSpid */
	uint64_t start_ticks; /* field 22 of stat; with pid the identity */
	nt_time start;        /* start_ticks as CLOCK_MONOTONIC ns (may precede the boot of this clock by rounding: 0 then) */
	int pidfd;            /* readable when the target ended; -1 when the kernel has none. Owned */
	uid_t uid;
	gid_t gid;
	char *name;        /* for people: entry assembly or command name without path and extension. Owned, escaped */
	char *command;     /* command line, escaped. Owned */
	char *proc_dir;    /* "/proc/PID". Owned */
	char *root_dir;    /* "/proc/PID/root": prefix for every path of the target. Owned */
	char *runtime;     /* "10.0.12"; NULL = not a .NET process or not known. Owned */
	char *runtime_dir; /* folder of libcoreclr.so, as the target sees it; NULL = none. Owned */
	bool is_dotnet;    /* it has the runtime with the JIT, wherever that lies; not so Native AOT */
	enum nt_deployment deployment;
	char *unread; /* why its executable could not be read, if that would have said more; NULL = it was, or need not be. Owned */
	bool closed; /* only with nt_target_see(): nettop may not read it; is_dotnet is by its threads, what else needs its files is not known */
	uint32_t server_gc; /* 0 no, 1 yes, 2 not known: nt_target_server_gc() when it was found */
	uint32_t cpu_count; /* CPUs that it may run on */
	enum nt_target_mode mode;
	char *environment_text; /* NUL-separated, as it was started; NULL = could not be read. Owned */
	size_t environment_length;
	bool environment_readable;
	bool provider_loaded;  /* libcoreclrtraceptprovider.so is mapped */
	char *ust_soname;      /* "liblttng-ust.so.0"; NULL = none mapped. Owned */
	bool perf_map_enabled; /* by environment */
	bool jitdump_only;     /* likewise: a jitdump and no perf map */
	char *perf_map_dir;    /* DOTNET_PerfMapJitDumpPath or "/tmp", as the target sees it. Owned */
};

/*
 * Find a process by pid ("4711") or by a unique name (entry assembly, command name). Errors: ABSENT (nobody), USAGE (several; the sentence
 * lists them), FORBIDDEN. proc_root is "/proc" except in tests. *out is the caller's.
 */
enum nt_status nt_target_find(const char *proc_root, const char *pid_or_name, struct nt_target **out, struct nt_error *err);

/*
 * What can be known of process `pid`, for a list of all: as nt_target_find(), but it is no error that we may not read it. May wait for files of the target.
 */
enum nt_status nt_target_see(const char *proc_root, uint32_t pid, struct nt_target **out, struct nt_error *err);

/* "4711" as a number: false when it is none. 0: it is one that no process has. */
bool nt_target_parse_pid(const char *text, uint32_t *pid);

void nt_target_free(struct nt_target *target); /* NULL is allowed */

/* Does it have a runtime of .NET, with the JIT or without? */
static inline bool nt_target_has_runtime(const struct nt_target *target)
{
	return target->is_dotnet || target->deployment == NT_DEPLOYED_NATIVE_AOT;
}

/* What it was started with; borrows from the target. */
static inline struct nt_environment nt_target_environment(const struct nt_target *target)
{
	return (struct nt_environment){ target->environment_text, target->environment_length };
}

/* From these versions on a runtime describes its data so that call stacks, and names of methods, can be read in its memory. */
enum { NT_RUNTIME_DESCRIBED_MAJOR = 10, NT_RUNTIME_NAMED_MAJOR = 9 };

/*
 * The major version of its runtime. Where that is not known (of a single file) the oldest that is supported, 8, whose requests newer ones understand: then the
 * runtime itself says what it does not know.
 */
unsigned nt_target_runtime_major(const struct nt_target *target);

/*
 * Could its perf map be switched on by command, as far as its start tells? False: it was started with one, or with a jitdump, which a command would write
 * anew; its runtime is older than .NET 8; it is no .NET; its environment is closed to us.
 */
bool nt_target_perf_map_switchable(const struct nt_target *target);

/* When it began as files' times have it, CLOCK_REALTIME ns. */
int64_t nt_target_started_at(const struct nt_target *target);

/*
 * Does it have server GC, by the names of its threads: 0 no, 1 yes, 2 not known, because it has no heap yet. What it was started with does not say it: with one CPU, and a quota or
 * DOTNET_PROCESSOR_COUNT make one of many, the runtime takes workstation GC whatever was asked for. Reads /proc.
 */
uint32_t nt_target_server_gc(const struct nt_target *target);

/* Is the process still the one that was found? False when it ended or its pid was re-used. */
bool nt_target_alive(const struct nt_target *target);

#endif
