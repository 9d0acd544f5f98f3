// SPDX-License-Identifier: GPL-2.0-only
#include "source/calls/calls_program.h"

#include "nettop/status.h"
#include "source/calls/calls_code.h"
#include "source/common/bpf_call.h"
#include "source/perf/stack_program.h"

#include <errno.h>
#include <sys/syscall.h>

static const struct {
	int number, what;
} table[] = {
	{ SYS_openat, (NT_IO_OPEN + 1) | NT_CALLS_SECOND },
	{ SYS_openat2, (NT_IO_OPEN + 1) | NT_CALLS_SECOND },
	{ SYS_read, NT_IO_READ + 1 },
	{ SYS_pread64, NT_IO_READ + 1 },
	{ SYS_readv, NT_IO_READ + 1 },
	{ SYS_preadv, NT_IO_READ + 1 },
	{ SYS_preadv2, NT_IO_READ + 1 },
	{ SYS_recvfrom, NT_IO_READ + 1 },
	{ SYS_recvmsg, NT_IO_READ + 1 },
	{ SYS_write, NT_IO_WRITE + 1 },
	{ SYS_pwrite64, NT_IO_WRITE + 1 },
	{ SYS_writev, NT_IO_WRITE + 1 },
	{ SYS_pwritev, NT_IO_WRITE + 1 },
	{ SYS_pwritev2, NT_IO_WRITE + 1 },
	{ SYS_sendto, NT_IO_WRITE + 1 },
	{ SYS_sendmsg, NT_IO_WRITE + 1 },
	{ SYS_sendfile, NT_IO_WRITE + 1 },
	{ SYS_connect, (NT_IO_CONNECT + 1) | NT_CALLS_SECOND },
	{ SYS_accept, NT_IO_ACCEPT + 1 },
	{ SYS_accept4, NT_IO_ACCEPT + 1 },
	{ SYS_fsync, NT_IO_SYNC + 1 },
	{ SYS_fdatasync, NT_IO_SYNC + 1 },
	{ SYS_socket, NT_CALLS_MAKES },
	{ SYS_dup, NT_CALLS_MAKES },
	{ SYS_eventfd2, NT_CALLS_MAKES },
	{ SYS_epoll_create1, NT_CALLS_MAKES },
	{ SYS_memfd_create, NT_CALLS_MAKES },
	{ SYS_timerfd_create, NT_CALLS_MAKES },
	{ SYS_close, NT_CALLS_CLOSES },
	{ SYS_dup3, NT_CALLS_CLOSES_SECOND },
	{ SYS_close_range, NT_CALLS_EMPTIES },
	{ SYS_execve, NT_CALLS_EMPTIES },
	{ SYS_execveat, NT_CALLS_EMPTIES },
	{ SYS_io_uring_enter, NT_CALLS_EMPTIES },
#ifdef SYS_open
	{ SYS_open, NT_IO_OPEN + 1 },
	{ SYS_creat, NT_IO_OPEN + 1 },
	{ SYS_dup2, NT_CALLS_CLOSES_SECOND },
#endif
};
enum { NUMBERS = 512 };

static const char map_name[] = "nettop_calls";

static int load_program(struct nt_bpf_builder *b)
{
	nt_bpf_close(b);
	union bpf_attr attributes = {
		.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT,
		.insns = nt_bpf_pointer(b->program),
		.insn_cnt = (uint32_t)b->count,
		.license = nt_bpf_pointer("GPL"),
		.prog_name = "nettop_calls",
	};
	return nt_bpf_call(BPF_PROG_LOAD, &attributes);
}

static int set(int map, const void *key, const void *value)
{
	union bpf_attr attributes = { .map_fd = (uint32_t)map, .key = nt_bpf_pointer(key), .value = nt_bpf_pointer(value) };
	return nt_bpf_call(BPF_MAP_UPDATE_ELEM, &attributes);
}

static bool make_maps(struct nt_calls_programs *out)
{
	return (out->shared = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, sizeof(struct nt_calls_shared), 1, BPF_F_MMAPABLE)) >= 0 &&
	       (out->fds = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, sizeof(struct nt_calls_place), NT_CALLS_FDS, BPF_F_MMAPABLE)) >= 0 &&
	       (out->table = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, 4, NUMBERS, 0)) >= 0 &&
	       (out->names = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, sizeof(struct nt_calls_name), 4, NT_CALLS_NAMES, 0)) >= 0 &&
	       (out->sums = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, sizeof(struct nt_calls_key), sizeof(struct nt_calls_sum), NT_CALLS_SUMS,
				       0)) >= 0 &&
	       (out->threads = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, 8, sizeof(struct nt_calls_begun), NT_CALLS_THREADS, 0)) >= 0 &&
	       (out->seen = nt_bpf_map(map_name, BPF_MAP_TYPE_ARRAY, 4, sizeof(struct nt_calls_seen), NT_CALLS_CPUS, BPF_F_MMAPABLE)) >=
		       0 &&
	       (out->rooms = nt_bpf_map(map_name, BPF_MAP_TYPE_PERCPU_ARRAY, 4, sizeof(struct nt_calls_room), 1, 0)) >= 0 &&
	       (out->ring = nt_bpf_map(map_name, BPF_MAP_TYPE_RINGBUF, 0, 0, NT_CALLS_RING_BYTES, 0)) >= 0;
}

static bool fill_maps(const struct nt_calls_programs *made)
{
	static const struct nt_calls_sum nothing;
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		nt_assert(table[i].number < NUMBERS);
		if (set(made->table, &table[i].number, &table[i].what) < 0)
			return false;
	}
	for (uint32_t call = 0; call < NT_IO_CALL_COUNT; call++) {
		const struct nt_calls_key others = { .fd = -1, .call = call };
		if (set(made->sums, &others, &nothing) < 0)
			return false;
	}
	return true;
}

/* `walks`: with a walk of its own up the stacks. */
static bool load_all(const struct nt_perf_filter *process, bool walks, struct nt_calls_programs *out)
{
	struct nt_bpf_builder enter = { .count = 0 }, leave = { .count = 0 };
	if (!make_maps(out) || !fill_maps(out))
		return false;
	if (walks && (out->rules = nt_bpf_map(map_name, BPF_MAP_TYPE_HASH, sizeof(uint64_t), sizeof(struct nt_stack_rule),
					      NT_STACK_RULES_MAX, 0)) < 0)
		return false;
	nt_calls_write_enter(&enter, out, process);
	nt_calls_write_leave(&leave, out);
	return (out->enter = load_program(&enter)) >= 0 && (out->leave = load_program(&leave)) >= 0 &&
	       (out->on_leave = nt_bpf_attach(out->leave, "sys_exit")) >= 0 &&
	       (out->on_enter = nt_bpf_attach(out->enter, "sys_enter")) >= 0;
}

static const struct nt_calls_programs none = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };

#ifdef __x86_64__
enum { OWN_WALK = 1 };
#else
enum { OWN_WALK = 0 };
#endif

int nt_calls_programs_load(const struct nt_perf_filter *process, struct nt_calls_programs *out)
{
	int error = ENOSYS;
	for (int walks = OWN_WALK; walks >= 0; walks--) { /* a kernel before 5.15 takes no walk of our own */
		*out = none;
		if (load_all(process, walks, out))
			return 0;
		error = errno;
		nt_calls_programs_free(out);
	}
	return error;
}

void nt_calls_programs_free(struct nt_calls_programs *programs)
{
	const int fds[] = { programs->on_enter, programs->on_leave, programs->enter, programs->leave, programs->shared,
			    programs->fds,      programs->table,    programs->names, programs->sums,  programs->seen,
			    programs->threads,  programs->rooms,    programs->ring,  programs->rules };
	for (size_t i = 0; i < sizeof(fds) / sizeof(*fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	*programs = none;
}

void nt_calls_programs_make_room(const struct nt_calls_programs *programs)
{
	uint64_t keys[2] = { 0 };
	bool first = true;
	for (unsigned i = 0; i < NT_CALLS_THREADS; i++, first = false) {
		struct nt_calls_begun call;
		union bpf_attr next = { .map_fd = (uint32_t)programs->threads,
					.key = first ? 0 : nt_bpf_pointer(&keys[i % 2]),
					.next_key = nt_bpf_pointer(&keys[(i + 1) % 2]) };
		if (nt_bpf_call(BPF_MAP_GET_NEXT_KEY, &next) < 0)
			return;
		/* The one before it: the walk goes on from a key that is there. */
		union bpf_attr at = { .map_fd = (uint32_t)programs->threads,
				      .key = nt_bpf_pointer(&keys[i % 2]),
				      .value = nt_bpf_pointer(&call) };
		if (!first && nt_bpf_call(BPF_MAP_LOOKUP_ELEM, &at) == 0 && !call.start)
			nt_bpf_call(BPF_MAP_DELETE_ELEM, &at);
	}
}
