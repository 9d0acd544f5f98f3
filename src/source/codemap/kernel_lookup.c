// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/kernel_lookup.h"

#include "base/alloc.h"
#include "decode/kernel/kallsyms.h"
#include "source/common/bpf_call.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* What the program and we share. The kernel's longest answer is KSYM_SYMBOL_LEN: name, offset, size, module. */
struct exchange {
	uint64_t address;
	char text[640];
};

struct nt_kernel_lookup {
	int format_fd;   /* map: the format of bpf_snprintf(), which must not change */
	int exchange_fd; /* map: struct exchange */
	int program_fd;
	struct exchange *exchange; /* the map's memory */
};

/* A map of one value. */
static int make_map(size_t value_bytes, unsigned flags)
{
	return nt_bpf_map("nettop_ksym", BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), (uint32_t)value_bytes, 1, flags);
}

/* "%pS": the kernel's own way to write a place in its code. */
static int make_format(void)
{
	static const char format[8] = "%pS";
	const uint32_t key = 0;
	int fd = make_map(sizeof(format), BPF_F_RDONLY_PROG);
	union bpf_attr value = { .map_fd = (uint32_t)fd, .key = nt_bpf_pointer(&key), .value = nt_bpf_pointer(format) };
	union bpf_attr freeze = { .map_fd = (uint32_t)fd };
	if (fd >= 0 && (nt_bpf_call(BPF_MAP_UPDATE_ELEM, &value) < 0 || nt_bpf_call(BPF_MAP_FREEZE, &freeze) < 0)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* bpf_snprintf(exchange->text, sizeof(exchange->text), format, &exchange->address, sizeof(exchange->address)) */
static int make_program(int format_fd, int exchange_fd)
{
	enum { R0, R1, R2, R3, R4, R5 };
#define LOAD_VALUE(reg, fd, offset)                                                                                                        \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (reg), .src_reg = BPF_PSEUDO_MAP_VALUE, .imm = (fd) },                             \
	{                                                                                                                                  \
		.imm = (int)(offset)                                                                                                       \
	}
#define LOAD_NUMBER(reg, number)                                                                                                           \
	{                                                                                                                                  \
		.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = (reg), .imm = (int)(number)                                                \
	}
	const struct bpf_insn program[] = {
		LOAD_VALUE(R1, exchange_fd, offsetof(struct exchange, text)),
		LOAD_NUMBER(R2, sizeof(((struct exchange *)NULL)->text)),
		LOAD_VALUE(R3, format_fd, 0),
		LOAD_VALUE(R4, exchange_fd, offsetof(struct exchange, address)),
		LOAD_NUMBER(R5, sizeof(uint64_t)),
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_snprintf },
		LOAD_NUMBER(R0, 0),
		{ .code = BPF_JMP | BPF_EXIT },
	};
#undef LOAD_VALUE
#undef LOAD_NUMBER
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_SYSCALL,
		.prog_flags = BPF_F_SLEEPABLE,
		.insns = nt_bpf_pointer(program),
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_ksym",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

/* The descriptors are closed in exec: the kernel makes them so. */
static bool prepare(struct nt_kernel_lookup *lookup)
{
	lookup->format_fd = make_format();
	if (lookup->format_fd < 0)
		return false;
	lookup->exchange_fd = make_map(sizeof(struct exchange), BPF_F_MMAPABLE);
	if (lookup->exchange_fd < 0)
		return false;
	lookup->program_fd = make_program(lookup->format_fd, lookup->exchange_fd);
	if (lookup->program_fd < 0)
		return false;
	void *memory = mmap(NULL, sizeof(struct exchange), PROT_READ | PROT_WRITE, MAP_SHARED, lookup->exchange_fd, 0);
	if (memory == MAP_FAILED)
		return false;
	lookup->exchange = memory;
	return true;
}

struct nt_kernel_lookup *nt_kernel_lookup_new(void)
{
	struct nt_kernel_lookup *lookup = nt_alloc(sizeof(*lookup));
	*lookup = (struct nt_kernel_lookup){ .format_fd = -1, .exchange_fd = -1, .program_fd = -1 };
	if (prepare(lookup))
		return lookup;
	nt_kernel_lookup_free(lookup);
	return NULL;
}

void nt_kernel_lookup_free(struct nt_kernel_lookup *lookup)
{
	if (!lookup)
		return;
	if (lookup->exchange)
		munmap(lookup->exchange, sizeof(struct exchange));
	const int fds[] = { lookup->program_fd, lookup->exchange_fd, lookup->format_fd };
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	free(lookup);
}

enum nt_status nt_kernel_lookup_find(struct nt_kernel_lookup *lookup, uint64_t address, struct nt_kernel_function *out)
{
	union bpf_attr attributes = { .test.prog_fd = (uint32_t)lookup->program_fd };
	struct nt_kernel_place place;
	lookup->exchange->address = address;
	lookup->exchange->text[0] = '\0';
	if (nt_bpf_call(BPF_PROG_TEST_RUN, &attributes) < 0)
		return NT_ERR_FAILED;
	const char *text = lookup->exchange->text;
	if (!nt_kernel_place_parse(text, strnlen(text, sizeof(lookup->exchange->text)), &place) || place.offset > address ||
	    place.offset >= place.size || place.name_length >= sizeof(out->name))
		return NT_ERR_ABSENT;
	out->start = address - place.offset;
	if (__builtin_add_overflow(out->start, place.size, &out->end))
		return NT_ERR_ABSENT;
	memcpy(out->name, place.name, place.name_length);
	out->name[place.name_length] = '\0';
	return NT_OK;
}
