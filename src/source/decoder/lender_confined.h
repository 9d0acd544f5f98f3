/* SPDX-License-Identifier: GPL-2.0-only */
/* The lender gives up whatever it does not need to read the memory of one process. */
#ifndef NT_SOURCE_LENDER_CONFINED_H
#define NT_SOURCE_LENDER_CONFINED_H

#include <stdbool.h>
#include <sys/types.h>

/*
 * CAP_SYS_PTRACE alone stays, and of system calls read() and write() of what is open, ppoll(), and process_vm_readv() of `pid`: any other one kills, and so does that one for another process. Root becomes nobody. False: that
 * is not to be had here; then nothing may be lent. Built with a sanitizer, which needs more, it is left its system calls.
 */
bool nt_lender_confine(pid_t pid);

#endif
