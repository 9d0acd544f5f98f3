/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What decides how much of the screen there can be: read once, judged afterwards (prerequisites.h) without another look at the world. So a verdict is a
 * function of these numbers and texts alone.
 */
#ifndef NT_TARGET_FACTS_H
#define NT_TARGET_FACTS_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "nettop/status.h"
#include "target/common/objection.h"
#include "target/process/exception_gate.h"
#include "target/process/executable.h"
#include "target/process/target.h"

/* A number of the kernel's that may be negative; or not known, because it could not be read. */
struct nt_fact {
	int64_t value;
	bool known;
};

/* Whose liblttng-ust.so.0 the target has mapped. */
enum nt_ust0 {
	NT_UST0_NONE,
	NT_UST0_GENUINE, /* lttng-ust 2.12 or before */
	NT_UST0_BRIDGE,  /* nettop's own, on top of liblttng-ust.so.1 */
};

struct nt_facts {
	/* nettop */
	uid_t uid;             /* effective */
	char user[64];         /* its name: $USER, after the trial the real one; "" = none */
	uint64_t capabilities; /* effective: 1 << CAP_... */
	bool in_user_namespace; /* which these are of, as in a container of a user's: the kernel's own business takes them in the first one */
	char program[PATH_MAX];
	char bridge_dir[PATH_MAX];       /* where nettop's bridge lies, or would be installed */
	bool bridge_there;               /* it lies there: in the target's file system when there is a target */
	struct nt_fact open_files_max;   /* hard limit; nettop raises its soft limit by itself */
	struct nt_fact locked_bytes_max; /* INT64_MAX = unlimited */

	bool readonly; /* it is asked to change nothing in the target (--readonly): no EventPipe session, no perf map by command */

	/* kernel */
	struct nt_fact perf_event_paranoid, kptr_restrict, perf_event_mlock_kb;
	bool kallsyms_shown; /* /proc/kallsyms has addresses */
	bool perf_filtered;  /* a seccomp filter keeps perf_event_open from us */
	int tracefs_error;   /* errno of opening its folder of events; 0 = readable */
	unsigned cpu_count;  /* online */

	/* what only a trial tells (nt_facts_try) */
	int perf_error;           /* errno of perf_event_open for user code of the target, or of nettop itself; 0 = allowed */
	bool perf_of_cpus;        /* it was tried for CPUs, as several processes are sampled */
	uint64_t perf_ring_bytes; /* that nettop wants for each CPU */
	bool perf_rings_refused;  /* the kernel let nettop lock not even the smallest into memory */
	bool kernel_lookup;       /* the kernel names its functions through BPF */
	bool sessiond_installed, relayd_installed;
	enum nt_status sessiond;       /* NT_OK: one answers; ABSENT, FORBIDDEN */
	uint64_t lttng_rings_bytes;    /* shared memory for the events of all CPUs */
	struct nt_fact shm_free_bytes; /* of /dev/shm, where they lie */
	uint64_t shm_total_bytes;

	/* the target: all below only when it is not NULL */
	const struct nt_target *target; /* borrowed */
	uint64_t thread_count;
	int root_error;       /* errno of entering its root folder, behind which all its files are; 0 = open to us */
	int memory_error;     /* errno of reading its memory, of a runtime with a JIT; 0 = allowed */
	unsigned images_gone; /* files mapped as code that lie no more where they were loaded from */
	int map_files_error;  /* errno of reaching one of those all the same; 0 = possible */
	bool other_pid_namespace;
	bool other_mount_namespace;
	bool namespaces_known;
	bool lttng_reachable;      /* its /run/lttng and /dev/shm are ours */
	char socket_dir[PATH_MAX]; /* where its diagnostics socket should be, as it sees it */
	int socket_error;          /* why that folder, or the socket, cannot be looked at */
	bool socket_exists;

	/* its perf map */
	char perf_map[PATH_MAX]; /* as it sees it */
	int perf_map_error;      /* errno of looking at it; 0 = it is there */
	bool perf_map_stale;     /* one is there, of an earlier process with this number: as if there were none, ENOENT */
	char perf_map_objection[NT_OBJECTION_BYTES]; /* why it is not read though it is there; "" = nothing */

	/* its LTTng libraries */
	bool provider_exists;                 /* libcoreclrtraceptprovider.so lies beside libcoreclr.so */
	char provider_needs[NT_SONAME_BYTES]; /* "liblttng-ust.so.0"; "" = not known */
	enum nt_ust0 ust0;
	bool ust1_mapped; /* liblttng-ust.so.1 */
	struct nt_exception_gate exception_gate;
	char ust0_found[PATH_MAX]; /* the liblttng-ust.so.0 that its library path leads to now, as it sees it; "" = none */
};

/* Everything about nettop and the kernel that lies in /proc, /sys and limits; below the folder `root`, "" except in tests. Never blocks. */
void nt_facts_read_machine(struct nt_facts *facts, const char *root);

/* Everything about `target`, borrowed by *facts. Opens files of the target: whoever must not hang on a dead mount calls it on a thread of its own. */
void nt_facts_read_target(struct nt_facts *facts, const struct nt_target *target);

/* nettop itself: uid, user, capabilities, limits, where it lies. The first part of nt_facts_read_machine(). */
void nt_facts_read_self(struct nt_facts *facts, const char *root);

/* facts->root_error of this target. */
int nt_facts_root_error(const struct nt_target *target);

/* Does nettop have this capability (CAP_... of linux/capability.h)? */
static inline bool nt_facts_capable(const struct nt_facts *facts, int capability)
{
	return facts->capabilities >> capability & 1;
}

#endif
