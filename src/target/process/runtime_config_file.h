/* SPDX-License-Identifier: GPL-2.0-only */
/* Which runtimeconfig.json a process was started with, and what is said there. */
#ifndef NT_TARGET_RUNTIME_CONFIG_FILE_H
#define NT_TARGET_RUNTIME_CONFIG_FILE_H

#include "target/process/runtime_config.h"
#include "target/process/target.h"

/*
 * The path of the file that the host of a program reads, as the program sees it, from its command line (its arguments, each with its NUL), the folder it was
 * started in and its executable. The caller's; NULL = there is nothing that names one.
 */
char *nt_runtime_config_path(const char *cmdline, size_t length, const char *folder, const char *executable);

/* What is said in that of a process; false: it is not known. May wait for the target's files, and for who reads them (target/process/executable.h). */
bool nt_runtime_config_of(const struct nt_target *target, char said[NT_RUNTIME_CONFIG_BYTES]);

#endif
