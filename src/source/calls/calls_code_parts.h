/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files share that write the programs of calls_code.h: registers, places on the program's stack, labels. */
#ifndef NT_SOURCE_CALLS_CODE_PARTS_H
#define NT_SOURCE_CALLS_CODE_PARTS_H

#include "source/calls/calls_code.h"

#include <stddef.h>

enum { R0, R1, R2, R3, R4, R5, CONTEXT, SHARED, THREAD, SUM, FRAME = 10, ROOM = SUM };

/* On the program's own stack. */
enum {
	INFO = -8,
	NUMBER = INFO - 8,
	KEY = NUMBER - 8, /* of the thread */
	ARGUMENTS = KEY - 24,
	CALL = ARGUMENTS - (int)sizeof(struct nt_calls_begun),
	SUM_KEY = CALL - (int)sizeof(struct nt_calls_key),
	RESULT = SUM_KEY - 8,
	NS = RESULT - 8,
	TARGET = NS - 8,
	WEIGHT = TARGET - 8,
	IP = WEIGHT - 8,
	SP = IP - 8,
	PAIR = SP - 16,
};

#define IN_CALL(member) (CALL + (int)offsetof(struct nt_calls_begun, member))
#define IN_KEY(member)  (SUM_KEY + (int)offsetof(struct nt_calls_key, member))

/* Labels. */
enum {
	OUT,
	MINE,
	NO_FD,
	HAS_FD,
	CLOSING,
	SECOND_FD,
	SAME_FD,
	FILLED,
	EMPTIED,
	PLACE,
	NO_PLACE,
	PATH,
	ADDRESS,
	SHORT,
	ACCEPTED,
	MADE,
	NAME,
	NAMED,
	UNNAMED,
	GIVE,
	COUNT,
	BY_NAME,
	KEYED,
	ADD,
	BUCKET,
	FAILED,
	AGAIN,
	STEPS,
	LOOK,
	SAME_TURN,
	CHOSEN,
	WALKED,
	OF_WALK
};

/* R0: the one element of a map; leaves the program where there is none, which the kernel wants to be asked. */
static inline void nt_calls_code_only(struct nt_bpf_builder *b, int map)
{
	nt_bpf_store_number(b, BPF_DW, FRAME, NUMBER, 0);
	nt_bpf_number(b, R1, (uint64_t)map, BPF_PSEUDO_MAP_FD);
	nt_bpf_place(b, R2, FRAME, NUMBER);
	nt_bpf_helper(b, BPF_FUNC_map_lookup_elem);
	nt_bpf_jump_if(b, BPF_JEQ, R0, 0, OUT);
}

/* The call that SUM counts, whose key is there: if it is one to look at, tell where it came from. Takes the other registers. */
void nt_calls_write_look(struct nt_bpf_builder *b, const struct nt_calls_programs *maps);

#endif
