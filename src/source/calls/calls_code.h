/* SPDX-License-Identifier: GPL-2.0-only */
/* The two programs of calls_program.h, instruction by instruction; and what only they and whoever loads them have to know. */
#ifndef NT_SOURCE_CALLS_CODE_H
#define NT_SOURCE_CALLS_CODE_H

#include "source/calls/calls_maps.h"
#include "source/perf/perf_filter.h"

/* What a system call is here: one of enum nt_io_call and 1, or: */
enum nt_calls_what {
	NT_CALLS_MAKES = NT_IO_CALL_COUNT + 1,
	NT_CALLS_CLOSES,
	NT_CALLS_CLOSES_SECOND,
	NT_CALLS_EMPTIES,     /* gives back descriptors that are not known */
	NT_CALLS_SECOND = 256 /* the address is the second argument */
};

/* A call that has begun. */
struct nt_calls_begun {
	uint64_t start; /* 0 = none */
	struct nt_calls_fd of;
	int32_t fd;
	uint32_t what;
	uint64_t address;
	uint64_t length;
};

/* Of each CPU. */
struct nt_calls_room {
	struct nt_calls_name name;
	struct nt_calls_sum zero; /* never written */
	struct nt_calls_look look;
	uint64_t beyond; /* the kernel believes that a stack may be a word longer */
};

/* Write the program at sys_enter, and that at sys_exit. `maps` are there, but for the programs. */
void nt_calls_write_enter(struct nt_bpf_builder *b, const struct nt_calls_programs *maps, const struct nt_perf_filter *process);
void nt_calls_write_leave(struct nt_bpf_builder *b, const struct nt_calls_programs *maps);

#endif
