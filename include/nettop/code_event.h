/* SPDX-License-Identifier: GPL-2.0-only */
/* Payloads of events that say which code lies where, what it is called and what it was made of: the files worker's answers, for most. */
#ifndef NETTOP_CODE_EVENT_H
#define NETTOP_CODE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "nettop/clock.h"
#include "nettop/naming.h"

typedef uint32_t nt_str;   /* id of an announced text; 0 = none */
typedef uint32_t nt_stack; /* id of an announced call chain; 0 = none */

enum nt_map_flag { NT_MAP_FILE = 1, NT_MAP_JIT = 2 /* anonymous, memfd:doublemapper */, NT_MAP_VDSO = 4, NT_MAP_DELETED = 8 };

struct nt_ev_map {
	uint64_t start, length; /* address range */
	uint64_t file_offset;   /* of `start` within the image */
	uint64_t inode;         /* 0 = none */
	nt_str image;           /* path as the target sees it, without " (deleted)" */
	uint32_t flags;         /* enum nt_map_flag */
};

enum nt_code_kind {
	NT_CODE_JIT,
	NT_CODE_STUB,
	NT_CODE_R2R,
	NT_CODE_RUNTIME,
	NT_CODE_NATIVE,
	NT_CODE_KERNEL,
	NT_CODE_UNKNOWN,
	NT_CODE_KIND_COUNT
};

/* Tiers with the runtime's own values (MethodFlags bits 7..9). */
enum nt_tier {
	NT_TIER_UNKNOWN = 0,
	NT_TIER_MINOPT = 1,
	NT_TIER_OPTIMIZED = 2,
	NT_TIER_0 = 3,
	NT_TIER_1 = 4,
	NT_TIER_OSR = 5,
	NT_TIER_INSTRUMENTED = 6,
	NT_TIER_INSTRUMENTED_OPT = 7,
	NT_TIER_COUNT = 8
};

/*
 * Half a million lines in one go are normal, and few of them are ever shown: no event, no id and no display name for each, and after the first
 * megabytes of a map no text either. Such a name is a question: what is in the image NT_MAP_IMAGE, inode `map`, at the line's offset? The answer,
 * a NAME event, has it as the runtime wrote it.
 */
struct nt_ev_code {
	nt_time from;          /* the ranges have these names from here on; 0 = since ever */
	uint32_t first, count; /* [first .. first+count) of the batch's lines or places, in the order of the map: a later one replaces */
	uint32_t listed; /* 1: of the runtime's own list (a rundown), in the perf map's form: it names what nothing else does. Lines only */
	uint32_t map;    /* 0: lines. Else places: their texts are in the map file of this number, which no other file of the epoch has */
	uint32_t kind;   /* of the places: enum nt_code_kind, JIT or STUB */
};

#define NT_MAP_IMAGE "[perf map]"

/* A question for the image NT_MAPPINGS_IMAGE is one for the mappings: code ran where none is known. What is new of them comes as MAP events, and then a NAME of that image that ends where
 * it starts, at the question's offset: they have been read since that was asked. */
#define NT_MAPPINGS_IMAGE "[mappings]"

struct nt_ev_code_end {
	uint64_t start, size;
};

struct nt_ev_name {
	uint64_t inode;      /* of the image; 0 = kernel, vdso */
	uint64_t start, end; /* file offsets (kernel: addresses) to which the answer applies */
	nt_str image;        /* as in the MAP event; "[kernel]", "[vdso]", NT_MAP_IMAGE, NT_STUB_IMAGE are images too */
	nt_str name;         /* 0: there is no name, `naming` says why; NT_MAP_IMAGE and kind R2R: as the runtime writes it */
	nt_str reason;       /* why, more precisely than the words of `naming`; 0 = they are enough */
	uint32_t kind;       /* enum nt_code_kind */
	uint32_t naming;     /* enum nt_naming */
	/*
	 * Of code that may be freed: it was there from the one to the other, nobody knows about earlier and later. Of what is no method's by the runtime's data: `from` = when it was looked. Else 0, 0.
	 */
	nt_time from, until;
};

/*
 * Generated code that has no line may be a stub of the runtime, which its machine code tells: a question for what is in this image, inode 0, at its address. It may be
 * read in [map_start, map_end).
 */
#define NT_STUB_IMAGE "[stubs]"

/*
 * Generated code that nothing else names is a question for what is in this image, inode 0, at its address. Whoever reads the runtime's own data answers: the name as a perf map has it, for the whole of
 * the method's code; without a name, and with the kind STUB, for code that is no method's. Of code that may be freed (naming PASSING) an answer is for the time from one question to a later one, both of which found the same method there.
 */
#define NT_RUNTIME_IMAGE "[runtime data]"

/*
 * What the type at an offset is called, the runtime's own number of it (its MethodTable): a question for the image NT_TYPES_IMAGE, inode 0. Whoever reads the runtime's own data answers, with the whole name as the runtime
 * writes it, types around it included: System.Collections.Generic.List`1+Enumerator[System.Int32]. No name: it cannot be read.
 */
#define NT_TYPES_IMAGE "[runtime types]"

/* A question for the image NT_CODE_IMAGE is one for the code in [map_start, map_end). */
#define NT_CODE_IMAGE "[code]"

struct nt_ev_assembly {
	uint64_t start;        /* of the code that was asked for */
	uint32_t first, count; /* [first .. first+count) of the batch's lines: an instruction each, by address */
	nt_str reason;         /* why there are none: one sentence; else 0 */
};

/* A question for the image NT_LINES_IMAGE is one for the source lines of its method, whose code is around map_start. */
#define NT_LINES_IMAGE "[lines]"

struct nt_ev_source_lines {
	uint64_t asked; /* map_start of the question */
	/*
	 * [first .. first+count) of the batch's lines, by IL offset: from `start` in the method's IL on it is line `size` of the file that `offset` and `length` name;
	 * size 0: of no line.
	 */
	uint32_t first, count;
	nt_str reason; /* why there are none: one sentence; else 0 */
};

/*
 * A question for the image NT_METHODS_IMAGE is one for all methods that the runtime has: there is code that nothing else names. The answer is many CODE events
 * with `listed`, and this one behind them.
 */
#define NT_METHODS_IMAGE "[methods]"

struct nt_ev_rundown {
	nt_time took_ns;       /* from the request to the end of the list */
	uint64_t stream_bytes; /* that the target wrote for it */
	uint32_t method_count;
	uint32_t left_out; /* methods for which there was no more room */
	nt_str reason;     /* why there is no list, or only a part of it: one sentence; else 0 */
};

/*
 * A question for the image NT_IL_MAP_IMAGE is one for the IL that the code around map_start was made of: of a method that the JIT compiled. Whoever can ask the
 * runtime (EventPipe) answers, some 100 ms later; nobody does when that is forbidden or cannot be had.
 */
#define NT_IL_MAP_IMAGE "[il map]"

/* The same, asked of whoever reads the runtime's own data, which costs the target nothing; `offset` is map_start. An answer that has `failed` says that it is not there to be read. */
#define NT_RUNTIME_IL_IMAGE "[runtime il]"

/* Offsets in IL that stand for something else (ICorDebugInfo::MappingTypes). */
#define NT_IL_NO_MAPPING UINT32_C(0xffffffff)
#define NT_IL_PROLOG     UINT32_C(0xfffffffe)
#define NT_IL_EPILOG     UINT32_C(0xfffffffd)

struct nt_ev_il_map {
	uint64_t asked;       /* map_start of the question */
	uint64_t start, size; /* of the code; size 0: the runtime lists no such code, `reason` says more */
	uint64_t method_id;   /* the runtime's */
	uint32_t first,
		count;  /* [first .. first+count) of the batch's places, by address and disjoint: start and size of code, IL offset */
	uint32_t token; /* MethodDef (0x06......) in the metadata of `module`; 0 = it has none: a dynamic method */
	nt_str module;  /* path of the file with its IL; 0 = not told */
	nt_str reason;  /* why there is no map: one sentence; else 0 */
	bool failed;    /* nobody said: the runtime may when it is asked (again) */
};

#endif
