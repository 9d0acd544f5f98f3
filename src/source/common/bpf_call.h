/* SPDX-License-Identifier: GPL-2.0-only */
/* bpf(2), which the C library does not have. Our programs are a dozen instructions each: a library to load them would cost more memory than it saves lines. */
#ifndef NT_SOURCE_BPF_CALL_H
#define NT_SOURCE_BPF_CALL_H

#include <linux/bpf.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the system call: a descriptor (closed in exec: the kernel makes them so) or 0, or -1 with errno. */
static inline int nt_bpf_call(enum bpf_cmd command, union bpf_attr *attributes)
{
	return (int)syscall(SYS_bpf, command, attributes, sizeof(*attributes));
}

static inline uint64_t nt_bpf_pointer(const void *address)
{
	return (uintptr_t)address;
}

#endif
