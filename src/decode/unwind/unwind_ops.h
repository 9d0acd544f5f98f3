/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What an UNWIND_INFO of x86-64 says ("x64 exception handling", with the runtime's additions for Unix): which operations a function's prolog has done, the last one first. Pure; the bytes are
 * outside input.
 */
#ifndef NT_DECODE_UNWIND_OPS_H
#define NT_DECODE_UNWIND_OPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decode/unwind/frame_rule.h"

enum { NT_UNWIND_INFO_HEAD = 4, NT_UNWIND_INFO_MAX = NT_UNWIND_INFO_HEAD + 256 * 2 + 12, NT_UNWIND_INFO_CHAIN_MAX = 8 };

/* One UNWIND_INFO. */
struct nt_unwind_ops {
	const uint8_t *codes; /* borrowed from the bytes that were read */
	unsigned count;       /* of codes: an operation takes one to three */
	uint8_t frame;        /* the frame pointer, as enum nt_frame_reg; NT_REG_COUNT = none that a caller needs */
	uint32_t frame_bytes; /* how far below it the stack pointer was when it was set */
	bool chained;         /* another one goes on */
	uint32_t next;        /* where that is (RVA) */
};

enum nt_unwind_op_kind {
	NT_UNWIND_PUSH,      /* of `reg` */
	NT_UNWIND_ALLOC,     /* of `bytes` of the stack */
	NT_UNWIND_SET_FRAME, /* `reg` was set to `bytes` above the stack pointer */
	NT_UNWIND_SAVE,      /* of `reg`, `bytes` above the stack pointer */
	NT_UNWIND_VECTOR,    /* of a vector register: no caller needs it */
};

struct nt_unwind_op {
	enum nt_unwind_op_kind kind;
	uint8_t end; /* where its instruction ends: offset in the function's code */
	uint8_t reg; /* enum nt_frame_reg; NT_REG_COUNT = one that no caller needs of its callee */
	uint64_t bytes;
};

/* How many bytes the UNWIND_INFO has that begins with these NT_UNWIND_INFO_HEAD bytes, at most NT_UNWIND_INFO_MAX; 0: its version is not known. */
size_t nt_unwind_ops_size(const uint8_t *head);

/* Read one from bytes[0..size), which may be more than it has. False: it is cut short, or of a version that is not known. */
bool nt_unwind_ops_read(const uint8_t *bytes, size_t size, struct nt_unwind_ops *out);

/* The operation whose codes begin at *place, which is less than `count`; *place is then that of the next one. False: there is no such operation, or it is cut short. */
bool nt_unwind_ops_next(const struct nt_unwind_ops *ops, unsigned *place, struct nt_unwind_op *out);

#endif
