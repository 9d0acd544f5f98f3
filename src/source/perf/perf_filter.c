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

/* The ids of what runs, as its pid namespace has them, if that is this one. */
static void write_own_ids(struct nt_bpf_builder *b, const struct nt_perf_filter *filter, int info, int label)
{
	nt_bpf_number(b, BPF_REG_1, filter->device, 0);
	nt_bpf_number(b, BPF_REG_2, filter->inode, 0);
	nt_bpf_place(b, BPF_REG_3, BPF_REG_10, info);
	nt_bpf_by_number(b, BPF_MOV, BPF_REG_4, sizeof(struct bpf_pidns_info));
	nt_bpf_helper(b, BPF_FUNC_get_ns_current_pid_tgid);
	nt_bpf_jump_if(b, BPF_JNE, BPF_REG_0, 0, label);
}

void nt_perf_filter_write(struct nt_bpf_builder *b, const struct nt_perf_filter *filter, int info, int label)
{
	write_own_ids(b, filter, info, label);
	nt_bpf_load(b, BPF_W, BPF_REG_1, BPF_REG_10, info + (int)offsetof(struct bpf_pidns_info, tgid));
	nt_bpf_jump_if(b, BPF_JNE, BPF_REG_1, (int32_t)filter->pid, label);
}

static int load_program(const struct nt_bpf_builder *b)
{
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_PERF_EVENT,
		.insns = nt_bpf_pointer(b->program),
		.insn_cnt = (uint32_t)b->count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_filter",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
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
	return load_program(&b);
}

/* Takes the program. */
static bool set(int program, struct nt_perf_list *list)
{
	if (program < 0)
		return false;
	/* What some CPUs filter and others do not is right all the same: it is filtered once more by whoever reads. */
	bool done = nt_perf_list_control(list, PERF_EVENT_IOC_SET_BPF, (unsigned long)program);
	close(program);
	return done;
}

bool nt_perf_filter_set(const struct nt_perf_filter *filter, struct nt_perf_list *list)
{
	return set(load(filter), list);
}

/* ---- several processes ---- */

enum { MEMBERS_MOST = 4096 };

/* The inode of the machine's first pid namespace is a constant of the kernel's (PROC_PID_INIT_INO). */
#define FIRST_NAMESPACE UINT64_C(0xeffffffc)

int nt_perf_members_new(void)
{
	return nt_bpf_map("nettop_members", BPF_MAP_TYPE_HASH, sizeof(uint32_t), sizeof(uint8_t), MEMBERS_MOST, 0);
}

void nt_perf_members_put(int members, uint32_t pid, bool is_one)
{
	const uint8_t yes = 1;
	if (members < 0)
		return;
	union bpf_attr attributes = {
		.map_fd = (uint32_t)members, .key = nt_bpf_pointer(&pid), .value = nt_bpf_pointer(&yes), .flags = BPF_ANY
	};
	if (!is_one)
		attributes.value = attributes.flags = 0;
	nt_bpf_call(is_one ? BPF_MAP_UPDATE_ELEM : BPF_MAP_DELETE_ELEM, &attributes);
}

/* Into R0: its pid as nettop sees it. What is of no namespace of ours, or of one below, is let through: nettop knows whose it is. */
static void write_pid(struct nt_bpf_builder *b, const struct nt_perf_filter *own, int info, int through)
{
	if (own->inode == FIRST_NAMESPACE) {
		nt_bpf_helper(b, BPF_FUNC_get_current_pid_tgid);
		nt_bpf_by_number(b, BPF_RSH, BPF_REG_0, 32);
		return;
	}
	write_own_ids(b, own, info, through);
	nt_bpf_load(b, BPF_W, BPF_REG_0, BPF_REG_10, info + (int)offsetof(struct bpf_pidns_info, tgid));
}

/* return !bpf_map_lookup_elem(&members, &pid) ? 0 : 1; */
static int load_members(int members, const struct nt_perf_filter *own)
{
	enum { OUT, THROUGH, KEY = -8, INFO = KEY - (int)sizeof(struct bpf_pidns_info) };
	struct nt_bpf_builder b = { .count = 0 };
	write_pid(&b, own, INFO, THROUGH);
	nt_bpf_store(&b, BPF_W, BPF_REG_10, KEY, BPF_REG_0);
	nt_bpf_number(&b, BPF_REG_1, (uint64_t)members, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(&b, BPF_REG_2, BPF_REG_10, KEY);
	nt_bpf_helper(&b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(&b, BPF_JEQ, BPF_REG_0, 0, OUT);
	nt_bpf_label(&b, THROUGH);
	nt_bpf_leave(&b, 1);
	nt_bpf_label(&b, OUT);
	nt_bpf_leave(&b, 0);
	nt_bpf_close(&b);
	return load_program(&b);
}

bool nt_perf_filter_set_members(int members, struct nt_perf_list *list)
{
	struct nt_perf_filter own;
	return members >= 0 && nt_perf_filter_of("/proc/self", 0, &own) && set(load_members(members, &own), list);
}
