/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * kill(2) for one process or one group. A pid that went wrong on its way (0, -1, what atoi() made of a text) means everybody to the kernel: here it is refused. The one place in nettop
 * where a process is sent something by its number (`make lint`).
 */
#ifndef NT_BASE_SIGNAL_TO_H
#define NT_BASE_SIGNAL_TO_H

#include <stdbool.h>
#include <sys/types.h>

/* A child of ours that has not been waited for, or ourselves: nobody else's number stays its own. Signal 0: whether it is there. False: errno; EINVAL for a pid below 2 that is not ours. */
bool nt_signal_process(pid_t pid, int signal);

/* The group that this process leads, likewise. */
bool nt_signal_group(pid_t leader, int signal);

#endif
