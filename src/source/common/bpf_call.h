/* SPDX-License-Identifier: GPL-2.0-only */
/* bpf(2), which the C library does not have. Our programs are a dozen instructions each: a library to load them would cost more memory than it saves lines. */
#ifndef NT_SOURCE_BPF_CALL_H
#define NT_SOURCE_BPF_CALL_H

#include <linux/bpf.h>
#include <stdint.h>
#include <stdio.h>
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

/* `name`: of at most 15 characters, for whoever lists the maps of this machine. A descriptor, the caller's; or -1 with errno. */
static inline int nt_bpf_map(const char *name, enum bpf_map_type type, uint32_t key_bytes, uint32_t value_bytes, uint32_t count,
			     uint32_t flags)
{
	union bpf_attr attributes = {
		.map_type = type, .key_size = key_bytes, .value_size = value_bytes, .max_entries = count, .map_flags = flags
	};
	snprintf(attributes.map_name, sizeof(attributes.map_name), "%s", name);
	return nt_bpf_call(BPF_MAP_CREATE, &attributes);
}

/* To a raw tracepoint. A descriptor, the caller's, with which it ends; or -1 with errno. */
static inline int nt_bpf_attach(int program, const char *tracepoint)
{
	union bpf_attr attributes = { .raw_tracepoint = { .name = nt_bpf_pointer(tracepoint), .prog_fd = (uint32_t)program } };
	return nt_bpf_call(BPF_RAW_TRACEPOINT_OPEN, &attributes);
}

#endif
