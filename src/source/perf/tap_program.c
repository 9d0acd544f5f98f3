// SPDX-License-Identifier: GPL-2.0-only
/*
 * In C:
 *
 *	if (bpf_get_ns_current_pid_tgid(device, inode, &info, sizeof(info)) != 0 || info.tgid != pid)
 *		return others;
 *	shared = bpf_map_lookup_elem(&map, &zero);
 *	if (!shared || __sync_fetch_and_add(&shared->hits, 1) & shared->mask)
 *		return others;
 *	return 1;                                                      of a software event, which tells it by itself
 *	bpf_probe_read_user(&zero, sizeof(zero), context->sp);         of a probe
 *	bpf_perf_event_output(context, &rings, BPF_F_CURRENT_CPU, &zero, sizeof(zero));   of the others; what finds no room is
 *	return others;                                                 counted and not told
 *
 * `others` is 1 at a tracepoint: 0 would keep it from everybody else who listens there.
 */
#include "source/perf/tap_program.h"

#include "nettop/status.h"
#include "source/common/bpf_build.h"
#include "source/common/bpf_call.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#ifdef __x86_64__
enum { REGS_SP = 152 }; /* of struct pt_regs */
#else
enum { REGS_SP = 0 }; /* the caller is in a register there, and frames are records of both */
#endif

enum { R0, R1, R2, R3, R4, R5, CONTEXT, SHARED, FRAME = 10 };
enum { INFO = -8, ZERO = -16 }; /* on the program's own stack */

/* Labels. */
enum { OUT };

static void count(struct nt_bpf_builder *b, int map)
{
	nt_bpf_store_number(b, BPF_DW, FRAME, ZERO, 0);
	nt_bpf_number(b, R1, (uint64_t)map, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, ZERO);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
	nt_bpf_by_register(b, BPF_MOV, SHARED, R0);
	nt_bpf_by_number(b, BPF_MOV, R1, 1);
	nt_bpf_add(b, (struct bpf_insn){ .code = BPF_STX | BPF_ATOMIC | BPF_DW, /* what it was before is in R1 then */
					 .dst_reg = SHARED,
					 .src_reg = R1,
					 .off = offsetof(struct nt_tap_shared, hits),
					 .imm = BPF_ADD | BPF_FETCH });
	nt_bpf_load(b, BPF_DW, R2, SHARED, offsetof(struct nt_tap_shared, mask));
	nt_bpf_by_register(b, BPF_AND, R1, R2);
	nt_bpf_jump_if(b, BPF_JNE, R1, 0, OUT);
}

/* What lies on top of the stack: at a function's first instruction the address that it returns to. */
static void fetch_caller(struct nt_bpf_builder *b)
{
	nt_bpf_place(b, R1, FRAME, ZERO);
	nt_bpf_by_number(b, BPF_MOV, R2, 8);
	nt_bpf_load(b, BPF_DW, R3, CONTEXT, REGS_SP);
	nt_bpf_helper(b, BPF_FUNC_probe_read_user); /* 0 when it cannot be read */
}

static void tell(struct nt_bpf_builder *b, int rings)
{
	nt_bpf_by_register(b, BPF_MOV, R1, CONTEXT);
	nt_bpf_number(b, R2, (uint64_t)rings, BPF_PSEUDO_MAP_FD);
	nt_bpf_number(b, R3, BPF_F_CURRENT_CPU, 0);
	nt_bpf_place(b, R4, FRAME, ZERO);
	nt_bpf_by_number(b, BPF_MOV, R5, 8);
	nt_bpf_helper(b, BPF_FUNC_perf_event_output);
}

/* Of Linux 6.6, later than the headers may be: BPF_TRACE_UPROBE_MULTI, and its part of union bpf_attr for BPF_LINK_CREATE. */
enum { ATTACH_PROBES = 48, PROBES_RETURN = 1 };
struct link_create_probes {
	uint32_t program, unused, attach_type, flags;
	uint64_t path, offsets, ref_ctr_offsets, cookies;
	uint32_t count, probe_flags, pid, padding;
};

static int load(enum nt_tap_kind kind, const struct nt_perf_filter *process, const struct nt_tap_program *made)
{
	static const enum bpf_prog_type types[] = { [NT_TAP_SOFTWARE] = BPF_PROG_TYPE_PERF_EVENT,
						    [NT_TAP_TRACEPOINT] = BPF_PROG_TYPE_TRACEPOINT,
						    [NT_TAP_PROBE] = BPF_PROG_TYPE_KPROBE };
	struct nt_bpf_builder b = { .count = 0 };
	nt_bpf_by_register(&b, BPF_MOV, CONTEXT, R1);
	nt_perf_filter_write(&b, process, INFO, OUT);
	count(&b, made->map);
	if (kind == NT_TAP_SOFTWARE)
		nt_bpf_leave(&b, 1);
	if (kind == NT_TAP_PROBE && REGS_SP != 0)
		fetch_caller(&b);
	if (kind != NT_TAP_SOFTWARE)
		tell(&b, made->rings);
	nt_bpf_label(&b, OUT);
	nt_bpf_leave(&b, kind == NT_TAP_TRACEPOINT);
	nt_bpf_close(&b);
	union bpf_attr attributes = {
		.prog_type = types[kind],
		.insns = nt_bpf_pointer(b.program),
		.insn_cnt = (uint32_t)b.count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_tap",
		.expected_attach_type = kind == NT_TAP_PROBE ? ATTACH_PROBES : 0,
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

static const char map_name[] = "nettop_tap";

static bool make(enum nt_tap_kind kind, const struct nt_perf_filter *process, unsigned cpus, struct nt_tap_program *out)
{
	out->map = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, sizeof(uint32_t), sizeof(struct nt_tap_shared), 1, BPF_F_MMAPABLE);
	if (out->map < 0)
		return false;
	void *shared = mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_WRITE, MAP_SHARED, out->map, 0);
	if (shared == MAP_FAILED)
		return false;
	out->shared = shared;
	if (kind != NT_TAP_SOFTWARE &&
	    (out->rings = nt_bpf_map(map_name, BPF_MAP_TYPE_PERF_EVENT_ARRAY, sizeof(uint32_t), sizeof(uint32_t), cpus, 0)) < 0)
		return false;
	out->program = load(kind, process, out);
	return out->program >= 0;
}

int nt_tap_program_load(enum nt_tap_kind kind, const struct nt_perf_filter *process, unsigned cpus, struct nt_tap_program *out)
{
	*out = (struct nt_tap_program){ .map = -1, .rings = -1, .program = -1 };
	if (make(kind, process, cpus, out))
		return 0;
	int error = errno;
	nt_tap_program_free(out);
	return error;
}

static void close_if_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

void nt_tap_program_free(struct nt_tap_program *program)
{
	if (program->shared)
		munmap(program->shared, (size_t)sysconf(_SC_PAGESIZE));
	close_if_open(program->map);
	close_if_open(program->rings);
	close_if_open(program->program);
	*program = (struct nt_tap_program){ .map = -1, .rings = -1, .program = -1 };
}

int nt_tap_program_ring(struct nt_tap_program *program, unsigned cpu, int fd)
{
	uint32_t key = cpu, value = (uint32_t)fd;
	union bpf_attr attributes = { .map_fd = (uint32_t)program->rings, .key = nt_bpf_pointer(&key), .value = nt_bpf_pointer(&value) };
	return nt_bpf_call(BPF_MAP_UPDATE_ELEM, &attributes) < 0 ? errno : 0;
}

int nt_tap_program_probe(const struct nt_tap_program *program, const struct nt_tap_probe *probe, int *link)
{
	const struct link_create_probes attributes = { .program = (uint32_t)program->program,
						       .attach_type = ATTACH_PROBES,
						       .path = nt_bpf_pointer(probe->path),
						       .offsets = nt_bpf_pointer(&probe->offset),
						       .count = 1,
						       .probe_flags = probe->at_return ? PROBES_RETURN : 0,
						       .pid = probe->pid };
	*link = (int)syscall(SYS_bpf, BPF_LINK_CREATE, &attributes, sizeof(attributes));
	return *link < 0 ? errno : 0;
}
