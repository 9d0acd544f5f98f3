/* SPDX-License-Identifier: GPL-2.0-only */
/* What the executable of a process gives away: a runtime that is linked into it leaves no library among the mappings. */
#ifndef NT_TARGET_EXECUTABLE_H
#define NT_TARGET_EXECUTABLE_H

#include <libelf.h>

#include "target/target.h"

/*
 * NT_DEPLOYED_SINGLE_FILE or NT_DEPLOYED_NATIVE_AOT; NT_DEPLOYED_UNKNOWN when the executable has no runtime, or cannot be read. Opens a file that may lie on
 * a file system that hangs. *config: the runtimeconfig.json of a single file, NUL-terminated and the caller's; NULL when there is none.
 */
enum nt_deployment nt_executable_read(const struct nt_target *target, char **config, size_t *config_length);

/* Where the header of the bundle behind a single file's host lies in the file; 0 = there is none. */
uint64_t nt_executable_bundle(Elf *elf);

#endif
