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

void nt_perf_filter_write(struct nt_bpf_builder *b, const struct nt_perf_filter *filter, int info, int label)
{
	nt_bpf_number(b, BPF_REG_1, filter->device, 0);
	nt_bpf_number(b, BPF_REG_2, filter->inode, 0);
	nt_bpf_place(b, BPF_REG_3, BPF_REG_10, info);
	nt_bpf_by_number(b, BPF_MOV, BPF_REG_4, sizeof(struct bpf_pidns_info));
	nt_bpf_helper(b, BPF_FUNC_get_ns_current_pid_tgid);
	nt_bpf_jump_if(b, BPF_JNE, BPF_REG_0, 0, label);
	nt_bpf_load(b, BPF_W, BPF_REG_1, BPF_REG_10, info + (int)offsetof(struct bpf_pidns_info, tgid));
	nt_bpf_jump_if(b, BPF_JNE, BPF_REG_1, (int32_t)filter->pid, label);
}

/*
 * struct bpf_pidns_info info;
 * return bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) == 0 && info.tgid == pid;
 */
static int load(const struct nt_perf_filter *filter)
{
	enum { OUT };
	struct nt_bpf_builder b = { .count = 0 };
	nt_perf_filter_write(&b, filter, -(int)sizeof(struct bpf_pidns_info), OUT);
	nt_bpf_leave(&b, 1);
	nt_bpf_label(&b, OUT);
	nt_bpf_leave(&b, 0);
	nt_bpf_close(&b);
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = nt_bpf_pointer(b.program),
		.insn_cnt = (uint32_t)b.count,
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
