/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/contract: the process without rights that reads the runtime's data in the target's memory. */
/*
 * What nettop and its reader (contract_reader.h) say to each other: packets of one socket, each of records, one behind the other. nettop says OPEN once, with the descriptors, and then LOOK and NAME as
 * often as it likes; the reader answers each: STATE; THREAD for each thread and END; NAMED for each address, and before that of code that may be freed another one; TYPED for each type; IL_MAP for each address of which the IL was asked; COPIED for each stack; RULED for each address; POOLED; ALLOCATED; STATIC for each address where a static field of that module lies, and END; of a core dump see below. nettop believes nothing of it: a record is within bounds, or there is none.
 */
#ifndef NT_SOURCE_READER_WIRE_H
#define NT_SOURCE_READER_WIRE_H

#include "decode/unwind/frame_rule.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum nt_reader_what {
	NT_READER_OPEN = 1,
	NT_READER_LOOK,
	NT_READER_STATE,
	NT_READER_THREAD,
	NT_READER_END,
	NT_READER_NAME,
	NT_READER_NAMED,
	NT_READER_TYPE,
	NT_READER_TYPED,
	NT_READER_POOL,
	NT_READER_POOLED,
	NT_READER_IL,
	NT_READER_IL_MAP,
	NT_READER_COPY,
	NT_READER_COPIED,
	NT_READER_RULE,
	NT_READER_RULED,
	NT_READER_ALLOC,
	NT_READER_ALLOCATED,
	NT_READER_STATICS,
	NT_READER_STATIC,
	/* Of a core dump (source/core): */
	NT_READER_CORE,
	NT_READER_FILE,
	NT_READER_IMAGE,
	NT_READER_FITS,
	NT_READER_RUNTIME,
	NT_READER_STACK,
	NT_READER_PERSON,
	NT_READER_HEAP,
	NT_READER_HEAPED,
	NT_READER_OBJECTS,
	NT_READER_NODES,
	NT_READER_EDGES,
	NT_READER_ROOTS,
	NT_READER_PAIRS,
	NT_READER_FIELD,
	NT_READER_ROOTED
};

enum {
	NT_READER_PACKET = 64 << 10, /* bytes, at most */
	NT_READER_THREADS = 8192,    /* that one LOOK asks for, at most */
	NT_READER_FRAMES = 256,      /* of one thread; what is further out is missing */
	NT_READER_REASON = 160,
	NT_READER_NAMES = 256,           /* that one NAME asks for, at most */
	NT_READER_NAME_MAX = 4096,       /* bytes of a name */
	NT_READER_TYPE_MAX = 1024,       /* bytes of a type's name */
	NT_READER_CODE_MAX = 1 << 26,    /* bytes of a method's code */
	NT_READER_WORKERS = 32767,       /* of a thread pool: the runtime's own limit */
	NT_READER_IL_MOST = 7168,        /* entries of the map of a method: what has more is not told */
	NT_READER_COPY_BYTES = 32 << 10, /* of a stack, at most */
	NT_READER_ALLOCATED_MAX = 4000,  /* threads of an ALLOCATED */
	NT_READER_THREAD_NAME = 256,     /* bytes of a thread's name, and of an exception's message, at most */
	NT_READER_MESSAGE = 4096,
	NT_READER_NODES_MAX = 2000,       /* objects of a NODES, and */
	NT_READER_WORDS_MAX = 8000,       /* words of an EDGES, ROOTS or PAIRS */
	NT_READER_OBJECT_TYPES = 1 << 18, /* types of objects that are told apart */
	NT_READER_STATICS_MAX = 1 << 16,  /* static fields of a core that are told */
	NT_READER_STACK_MOST = 384,       /* frames of a STACK, native and managed; what is further out is missing */
};

/* With two descriptors: the target's memory, for reading, or a socket of whoever lends it (memory_lender.h); and its list of mappings. */
struct nt_reader_open {
	uint32_t what;
	uint32_t lent;  /* 1: the first one is that socket */
	uint32_t major; /* version of the runtime, for what it does not describe; 0 = not known */
};

/* `count` tids follow, as the target numbers them; 0 = all threads. */
struct nt_reader_look {
	uint32_t what, count;
};

/* `count` addresses of generated code follow, 8 bytes each. IL is like that; so is RULE, and TYPE, with types (MethodTables) in their place, and COPY, with stack pointers. */
struct nt_reader_name {
	uint32_t what, count;
};

/* `count` addresses follow, 8 bytes each: which of them are static fields of the types of this module? */
struct nt_reader_statics {
	uint32_t what, count;
	uint64_t module; /* as the runtime numbers them */
};

/* Which parts of the runtime's description are there. */
struct nt_reader_state {
	uint32_t what;
	uint32_t threads, stacks, names; /* 0 or 1 */
	char reason[NT_READER_REASON];   /* why not all are */
};

enum nt_reader_how {
	NT_READER_RUNS,    /* in managed code, or it has changed meanwhile */
	NT_READER_WHOLE,   /* all frames are there */
	NT_READER_PARTIAL, /* callers are missing */
	NT_READER_HOW_COUNT
};

/* `count` addresses follow: where each frame's callee returns to, innermost first; behind them `type_length` bytes of a type's name, as of what is TYPED. */
struct nt_reader_thread {
	uint32_t what;
	uint32_t tid; /* as the target numbers it */
	uint32_t managed_id, state;
	uint32_t how; /* enum nt_reader_how */
	uint32_t count;
	uint32_t owner; /* of a thread that waits for a lock: who holds it, as the target numbers threads; 0 = nobody, or it is not known */
	uint64_t object;            /* and whose monitor, or which System.Threading.Lock; 0 = not known */
	uint64_t sp, frame_pointer; /* of the innermost frame; 0 = there is none */
	uint32_t type_length, unused;
};

struct nt_reader_end {
	uint32_t what;
	uint32_t whole; /* 0: threads are missing, the list could not be read to its end */
};

enum nt_reader_naming {
	NT_READER_NAME_TOLD,
	NT_READER_NAME_NONE, /* what says its name cannot be read */
	NT_READER_NAME_STUB, /* of no method: the runtime has a stub there, or nothing that it compiled */
	NT_READER_NAME_NOW, /* what is there now, of code that may be freed: its name, or none where that cannot be read. PASSING follows */
	NT_READER_NAME_PASSING, /* code that may be freed: what is there by now says nothing of what was */
	NT_READER_NAME_LATER,   /* asked for too much at once, or the list of code could not be read to its end: ask again */
	NT_READER_NAMING_COUNT
};

/*
 * `length` bytes of its name follow when it is TOLD or NOW (of NOW there may be none): as a perf map has it, with tier; UTF-8 without control characters. Of what is TYPED it is TOLD, NONE or LATER, and the name that of the type
 * with the types around it; of a STATIC it is TOLD, and the name that of such a type, a dot, and the field's.
 */
struct nt_reader_named {
	uint32_t what;
	uint32_t naming;      /* enum nt_reader_naming */
	uint64_t address;     /* that was asked for */
	uint64_t start, size; /* TOLD, NOW: of the method's code; PASSING: of code that is all like that; else, and of types, 0, 0 */
	uint32_t length, unused;
};

/* What is asked of the thread pool: nothing more is said. */
struct nt_reader_pool {
	uint32_t what, unused;
};

/* The thread pool as it is now. */
struct nt_reader_pooled {
	uint32_t what;
	uint32_t known;                   /* 0: there is none yet, or it cannot be read; then all else is 0 */
	uint32_t working, existing, goal; /* workers: that have work, that there are, that it aims at */
	uint32_t min, max;
	uint32_t queued_known;
	uint64_t queued; /* work items that no worker has taken yet */
};

/* What is asked of the threads' allocations: nothing more is said. */
struct nt_reader_alloc {
	uint32_t what, unused;
};

/* `count` of struct nt_reader_thread_allocated follow: of threads beyond that many nothing is told. */
struct nt_reader_allocated {
	uint32_t what, count;
};

struct nt_reader_thread_allocated {
	uint32_t tid, unused; /* as the target numbers it */
	uint64_t bytes;       /* since it began */
};

enum nt_reader_il_how {
	NT_READER_IL_TOLD,
	NT_READER_IL_NONE, /* there is none, or it cannot be read */
	NT_READER_IL_HOW_COUNT
};

/* Which IL the code around an address was made of: `count` IL offsets follow, 4 bytes each, then as many offsets in the code. */
struct nt_reader_il_map {
	uint32_t what;
	uint32_t how;         /* enum nt_reader_il_how */
	uint64_t address;     /* that was asked for */
	uint64_t start, size; /* TOLD: of the method's code; else 0, 0 */
	uint32_t count, unused;
};

/* `length` bytes follow: what lies at the address and above it, as far as that can be read. */
struct nt_reader_copied {
	uint32_t what;
	uint32_t length;
	uint64_t address; /* that was asked for */
};

/* How to get from the precompiled code at an address to its caller: a struct nt_frame_rule of NT_FRAME_CFI. */
struct nt_reader_ruled {
	uint32_t what;
	uint32_t known;      /* 0: nothing says that, and what follows the range is 0 */
	uint64_t address;    /* that was asked for */
	uint64_t start, end; /* addresses: it holds there; 0, 0: for the address alone */
	uint32_t cfa_reg, cfa_is_word_there;
	int32_t cfa_offset, unused;
	int16_t saved[NT_REG_COUNT];
};

/*
 * Of a core dump nettop says OPEN with the file alone; the answer is a CORE, and of one that can be read a FILE for each mapping of a file, and END. Then IMAGE for files that nettop has opened, each answered by FITS; RUNTIME, when there
 * are no more of them, answered by STATE; and LOOK, answered by a NAMED for each method that is on a stack, a STACK for each thread, and END.
 */
struct nt_reader_core {
	uint32_t what;
	uint32_t result;                                /* enum nt_core_result */
	uint32_t pid, thread_count, signal, signal_tid; /* which signal ended it, and which thread got that; 0 = none did */
	uint64_t wanted_bytes;                          /* of a file that is cut: so many it should have, at least */
	char name[16];                                  /* of the executable, as /proc/PID/comm has it */
};

/* `path_length` bytes follow. FILEs are in the order of addresses. */
struct nt_reader_file {
	uint32_t what, path_length;
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* in the file */
	uint32_t id_length;  /* of its build id, where the core has that; 0 = not known */
	uint8_t id[64];
	uint32_t unused;
};

/* With two descriptors of a file, for reading: the one that was mapped as FILE `number` says, if its build id is that. */
struct nt_reader_image {
	uint32_t what, number;
};

enum nt_reader_fit {
	NT_READER_FITS_WELL,
	NT_READER_FITS_NOT,     /* it is another build */
	NT_READER_FITS_UNKNOWN, /* one of both has no build id, or the core does not have the begin of that mapping */
	NT_READER_FIT_COUNT
};

struct nt_reader_fits {
	uint32_t what, number;
	uint32_t fit; /* enum nt_reader_fit */
};

struct nt_reader_runtime {
	uint32_t what;
	uint32_t major; /* as in OPEN */
};

/* A thread of a core: `count` addresses follow, innermost first. */
struct nt_reader_stack {
	uint32_t what;
	uint32_t tid, managed_id; /* managed_id 0 = it is no managed thread, or nobody knows */
	uint32_t state;
	uint32_t count;
	uint32_t whole, managed_whole;             /* 0: frames are missing; those of managed code are */
	int64_t call;                              /* the system call that it was in; -1 = none */
	uint8_t managed[NT_READER_STACK_MOST / 8]; /* a bit for each frame, from the lowest on: it is managed code */
};

/* Of a managed thread that has a name, or an exception; told after its STACK. Behind it as many bytes of its name, of the exception's type (as of what is TYPED) and of its message. */
struct nt_reader_person {
	uint32_t what, tid;
	uint32_t name_length, type_length, message_length, unused;
};

/*
 * What is asked of the heap of a core, behind LOOK. With `references`: NODES and EDGES, in any number. Then HEAPED, and of a heap that could be read an OBJECTS for each type of which there are any; with `references` ROOTS and PAIRS; then a
 * FIELD for each static field that has an object, ROOTED, and END.
 */
struct nt_reader_heap {
	uint32_t what, references; /* 0 or 1 */
};

struct nt_reader_heaped {
	uint32_t what;
	uint32_t result;               /* enum nt_contract_heap_result */
	uint64_t read_bytes, of_bytes; /* of its regions: gone through, in all */
};

/* All objects of a type; `length` bytes of its name follow, as of what is TYPED, 0 = it is not known. */
struct nt_reader_objects {
	uint32_t what, length;
	uint64_t type; /* MethodTable */
	uint64_t count, bytes;
	uint32_t number, unused; /* as nodes call it, below NT_READER_OBJECT_TYPES */
};

enum nt_reader_root { NT_READER_ROOT_STACK, NT_READER_ROOT_FINALIZER, NT_READER_ROOT_HANDLE, NT_READER_ROOT_THREAD, NT_READER_ROOT_KINDS };

/*
 * `count` follow: of NODES a struct nt_reader_node each; else addresses, 8 bytes each. EDGES: what objects refer to, in the order of the objects, each of which has the next `references` of them; ROOTS: objects, or what looks like one;
 * PAIRS: two each, of which the second one lives as long as the first.
 */
struct nt_reader_list {
	uint32_t what, count;
	uint32_t kind, unused; /* of ROOTS: enum nt_reader_root */
};

struct nt_reader_node {
	uint64_t address, bytes;
	uint32_t type, references;
};

/* A static field; as many bytes of the name of its type and of its own follow. */
struct nt_reader_field {
	uint32_t what, owner_length, name_length, unused; /* owner_length 0 = not known */
	uint64_t place, object;                           /* where it lies, what it has */
	uint64_t type, bytes;                             /* of that object */
};

/* Was all found: what keeps objects alive (0 when it was not asked for), and static fields? */
struct nt_reader_rooted {
	uint32_t what;
	uint32_t roots_whole, statics_whole;
};

/* One record, whichever it is. */
struct nt_reader_record {
	uint32_t what;
	struct nt_reader_state state;
	struct nt_reader_thread thread;
	struct nt_reader_end end;
	struct nt_reader_named named;
	struct nt_reader_pooled pooled;
	struct nt_reader_il_map il_map;
	struct nt_reader_copied copied;
	struct nt_reader_ruled ruled;
	struct nt_reader_allocated allocated;
	struct nt_reader_core core;
	struct nt_reader_file file;
	struct nt_reader_fits fits;
	struct nt_reader_stack stack;
	struct nt_reader_person person;
	struct nt_reader_heaped heaped;
	struct nt_reader_objects objects;
	struct nt_reader_list list;
	struct nt_reader_field field;
	struct nt_reader_rooted rooted;
	const uint8_t *
		bytes; /* of a list: what follows, borrowed likewise; of what is copied, and of threads' allocations: borrowed from the packet, not aligned */
	const uint8_t *offsets; /* of an IL map: borrowed from the packet, 4 bytes each, not aligned */
	const uint8_t *frames;  /* of a thread, of a stack: borrowed from the packet, 8 bytes each, not aligned */
	const char *
		name; /* of what is named or typed, of objects; of a thread its `type`, of a file its path, of a field both names, of a person all texts: borrowed from the packet, no NUL */
};

/* The first record of `length` bytes; returns how many of them it has. 0: there is none, or none that a reader of ours sends. */
size_t nt_reader_take(const uint8_t *packet, size_t length, struct nt_reader_record *out);

#endif
