/* SPDX-License-Identifier: GPL-2.0-only */
/* Another process's memory: may it be read? */
#ifndef NT_BASE_PROCESS_MEMORY_H
#define NT_BASE_PROCESS_MEMORY_H

#include <sys/types.h>

/*
 * Tries to read a byte of the first mapping of process `pid` by process_vm_readv(2), which takes less than opening /proc/PID/mem (CAP_DAC_OVERRIDE as well, when that is another user's). proc_dir: "/proc/PID". Returns 0, or an errno value: EPERM and EACCES
 * when it may not, ESRCH when there is no such process or none with memory.
 */
int nt_process_memory_error(const char *proc_dir, pid_t pid);

#endif
