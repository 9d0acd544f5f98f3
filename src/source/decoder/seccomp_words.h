/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The words of which the filters of our processes without rights are made (seccomp(2)): which system calls they may make. Whatever is not allowed ends the process.
 */
#ifndef NT_SOURCE_SECCOMP_WORDS_H
#define NT_SOURCE_SECCOMP_WORDS_H

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define NT_SECCOMP_MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NT_SECCOMP_MACHINE AUDIT_ARCH_AARCH64
#else
#error "which system calls are there?"
#endif

/* Sanitizers make calls of their own: a filter would end them. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
static const bool nt_seccomp_sanitized = true;
#else
static const bool nt_seccomp_sanitized = false;
#endif

#define NT_SECCOMP_LOAD(member) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, member))
/* The lower half of an argument (both machines are little-endian): what is asked of these has no upper one. */
#define NT_SECCOMP_LOAD_ARGUMENT(number) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 8 * (number))
/* Go on with the next word if the loaded one is that, else over so many. */
#define NT_SECCOMP_IF(value, over) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, over)
#define NT_SECCOMP_ALLOWED         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NT_SECCOMP_KILLED          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS)
#define NT_SECCOMP_ALLOW(call)     NT_SECCOMP_IF(SYS_##call, 1), NT_SECCOMP_ALLOWED

/* fstat() of the libc: only with AT_EMPTY_PATH, which is of a descriptor. The number of the call is loaded before, and not behind it: if it is this call, it ends here. */
#define NT_SECCOMP_ALLOW_FSTAT                                                                                                             \
	NT_SECCOMP_IF(SYS_newfstatat, 4), NT_SECCOMP_LOAD_ARGUMENT(3), NT_SECCOMP_IF(AT_EMPTY_PATH, 1), NT_SECCOMP_ALLOWED,                \
		NT_SECCOMP_KILLED
/* Memory, but none that could be executed. */
#define NT_SECCOMP_ALLOW_MEMORY                                                                                                            \
	NT_SECCOMP_IF(SYS_mmap, 3), NT_SECCOMP_LOAD_ARGUMENT(2), BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),                    \
		NT_SECCOMP_ALLOWED, NT_SECCOMP_KILLED

/* The begin of each filter: calls of another machine's numbers are none of ours. Then the number of the call is loaded; x32's calls have numbers of their own. */
#define NT_SECCOMP_BEGIN                                                                                                                   \
	NT_SECCOMP_LOAD(arch), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NT_SECCOMP_MACHINE, 1, 0), NT_SECCOMP_KILLED, NT_SECCOMP_LOAD(nr)

#endif
