// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_filter.h"

#include "source/common/bpf_call.h"

#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

bool nt_perf_filter_of(const char *proc_dir, uint32_t ns_pid, struct nt_perf_filter *out)
{
	char path[4096];
	struct stat file;
	snprintf(path, sizeof(path), "%s/ns/pid", proc_dir);
	if (stat(path, &file) < 0)
		return false;
	/* The kernel's own way to put a device into a number (MINORBITS). */
	*out = (struct nt_perf_filter){ .device = (uint64_t)major(file.st_dev) << 20 | minor(file.st_dev),
					.inode = file.st_ino,
					.pid = ns_pid };
	return true;
}

/*
 * struct bpf_pidns_info info;
 * return bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) == 0 && info.tgid == pid;
 */
static int load(const struct nt_perf_filter *filter)
{
	enum { R0, R1, R2, R3, R4, FRAME = 10, INFO = -(int)sizeof(struct bpf_pidns_info) };
#define LOAD_NUMBER(reg, number)                                                                                                           \
	{ .code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = (reg), .imm = (int32_t)(number) },                                                 \
	{                                                                                                                                  \
		.imm = (int32_t)((uint64_t)(number) >> 32)                                                                                 \
	}
	const struct bpf_insn program[] = {
		LOAD_NUMBER(R1, filter->device),
		LOAD_NUMBER(R2, filter->inode),
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = R3, .src_reg = FRAME },
		{ .code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = R3, .imm = INFO },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = R4, .imm = sizeof(struct bpf_pidns_info) },
		{ .code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_get_ns_current_pid_tgid },
		/* R1 = 0; it is another namespace: return 0 */
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = R1, .imm = 0 },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = R0, .off = 3, .imm = 0 },
		{ .code = BPF_LDX | BPF_MEM | BPF_W,
		  .dst_reg = R2,
		  .src_reg = FRAME,
		  .off = INFO + (int)offsetof(struct bpf_pidns_info, tgid) },
		{ .code = BPF_JMP | BPF_JNE | BPF_K, .dst_reg = R2, .off = 1, .imm = (int32_t)filter->pid },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = R1, .imm = 1 },
		{ .code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = R0, .src_reg = R1 },
		{ .code = BPF_JMP | BPF_EXIT },
	};
#undef LOAD_NUMBER
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = nt_bpf_pointer(program),
		.insn_cnt = sizeof(program) / sizeof(program[0]),
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_filter",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

bool nt_perf_filter_set(const struct nt_perf_filter *filter, struct nt_perf_list *list)
{
	int program = load(filter);
	if (program < 0)
		return false;
	/* What some CPUs filter and others do not is right all the same: it is filtered once more by whoever reads. */
	bool set = nt_perf_list_control(list, PERF_EVENT_IOC_SET_BPF, (unsigned long)program);
	close(program);
	return set;
}
