/* SPDX-License-Identifier: GPL-2.0-only */
/* How a process that is no child of ours ended, as far as the kernel tells. */
#ifndef NT_SOURCE_PROCFS_END_H
#define NT_SOURCE_PROCFS_END_H

#include <stddef.h>

#include "target/target.h"

/* "exited with code 3", "killed by SIGKILL", or just "ended" when nobody can know. Writes into buf, returns it. */
const char *nt_procfs_end_text(const struct nt_target *target, char *buf, size_t size);

/* The words for a wait(2) status; for nt_procfs_end_text() and its test. */
const char *nt_procfs_wait_text(int wait_status, char *buf, size_t size);

#endif
