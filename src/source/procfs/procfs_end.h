/* SPDX-License-Identifier: GPL-2.0-only */
/* How the target ended, as far as the kernel tells. */
#ifndef NT_SOURCE_PROCFS_END_H
#define NT_SOURCE_PROCFS_END_H

#include "target/process/target.h"

/* Of a target that has ended, as wait(2) would say it. False: that is not known, which without root is usual for other users' processes. */
bool nt_procfs_end(const struct nt_target *target, int *wait_status);

#endif
