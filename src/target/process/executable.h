/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the executable of a process gives away: a runtime that is linked into it leaves no library among the mappings. And what two other files of it say: a runtimeconfig.json, a
 * library of the runtime. nettop opens them and judges whose they are; what is in them is read by another process, which has no rights (source/decoder/executable_readers.h).
 */
#ifndef NT_TARGET_EXECUTABLE_H
#define NT_TARGET_EXECUTABLE_H

#include "target/process/framework_version.h"
#include "target/process/runtime_config.h"
#include "target/process/target.h"

enum { NT_EXECUTABLE_REASON_BYTES = 160, NT_SONAME_BYTES = 32 };

struct nt_executable {
	enum nt_deployment
		deployment; /* NT_DEPLOYED_SINGLE_FILE, NT_DEPLOYED_NATIVE_AOT; NT_DEPLOYED_UNKNOWN: it has no runtime, or was not read */
	char runtime[NT_FRAMEWORK_VERSION_BYTES]; /* of a single file, or said by a runtimeconfig.json; "" = not known */
	char config[NT_RUNTIME_CONFIG_BYTES];     /* what that sets (target/process/runtime_config.h); "" = there is none */
	char needs[NT_SONAME_BYTES];              /* the liblttng-ust.so that it needs; "" = none */
	char reason[NT_EXECUTABLE_REASON_BYTES];  /* why it was not read; "" = it was, or cannot be opened */
};

/* Looks at the file behind `fd`, of a process of `uid`, and fills *out. From any thread. */
typedef void nt_executable_reader(int fd, uid_t uid, struct nt_executable *out);

/* Who does that from now on; NULL, as at first: nobody, and no executable is read. Before there are threads. */
void nt_executable_is_read_by(nt_executable_reader *reader);

/* Opens a file that may lie on a file system that hangs. */
void nt_executable_read(const struct nt_target *target, struct nt_executable *out);

/* The same for another file of the target's, by its path in the target's root. False: it cannot be opened. */
bool nt_executable_read_file(const struct nt_target *target, const char *path, struct nt_executable *out);

/* Is that the name of a liblttng-ust.so: with a number and nothing else behind it? */
bool nt_executable_needs_holds(const char *name);

/* ---- in the process without rights ---- */

/* Before it gives up opening files. */
void nt_executable_prepare(void);

/* What is behind `fd`, which stays the caller's: all but the reason. */
void nt_executable_look(int fd, struct nt_executable *out);

/* Where the header of the bundle behind a single file's host lies in the file; 0 = there is none. */
struct Elf;
uint64_t nt_executable_bundle(struct Elf *elf);

/* Is the runtime linked into it, as into a single file's host? */
bool nt_executable_holds_runtime(struct Elf *elf);

#endif
