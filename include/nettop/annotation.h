/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The instructions of one method, and at which of them the samples were. The model gathers it while somebody asks for it (NT_EV_LOOK). A method
 * may have code in several places: compiled again for another tier, for other generic arguments; the one with most samples is told.
 */
#ifndef NETTOP_ANNOTATION_H
#define NETTOP_ANNOTATION_H

#include "nettop/event.h"

/* Code is read up to this length; of longer code the part around its hottest instruction. */
enum { NT_CODE_BYTES_MAX = 1 << 16 };

struct nt_instruction_row {
	uint64_t address; /* in the target; the row's id */
	uint64_t offset;  /* from the begin of the method's code */
	const char *text; /* "mov     rax, qword ptr [rbx + 0x18]" */
	uint64_t samples;
	double pct;         /* of the samples in this piece of code */
	bool marked;        /* many of them */
	uint32_t il_offset; /* of the IL that it was made of; NT_IL_NO_MAPPING = not known, or of none */
	const char *file;   /* path of the source file as the compiler had it; NULL = not known */
	const char *place;  /* "Program.cs:42"; NULL = not known */
	uint32_t line;      /* 0 = not known */
};

/* In the snapshot; all zero while nobody asks. */
struct nt_annotation {
	uint64_t method; /* id of its struct nt_method_row */
	enum nt_tier tier;
	const char *name, *raw_name; /* as in its row; NULL = not known yet: it was not sampled */
	enum nt_code_kind kind;
	uint64_t start, end;      /* addresses of its code in the target; both 0 = not known yet: it was not sampled; or see `reason` */
	uint64_t hottest;         /* address of the instruction with most samples; 0 = none */
	const char *reason;       /* why there are no instructions; NULL = they are there or on the way */
	const char *lines_reason; /* why there are no source lines; NULL = they are there, or on the way */
	uint64_t samples;         /* in this piece of code */
	uint64_t all_samples;     /* of the method, in all its code */
	size_t code_count;        /* pieces of code in which they were */
};

#endif
