/* SPDX-License-Identifier: GPL-2.0-only */
/* Room decode/core: core dumps. */
/*
 * A core dump in the form of ELF (System V ABI, "Core Files"; core(5)), of x86-64: what memory of the process it has, which files were mapped, and of each thread its registers. The kernel, createdump of .NET and gdb write them. Pure: somebody
 * else reads the file. Each number in it is outside input: what is kept is within the file, sorted and disjoint.
 */
#ifndef NT_DECODE_CORE_FILE_H
#define NT_DECODE_CORE_FILE_H

#include "decode/common/window.h"
#include "decode/unwind/frame_rule.h"

#include <sys/types.h>

/* What more is not believed. A process has 65530 mappings unless somebody allows more. */
enum {
	NT_CORE_SEGMENTS_MAX = 1 << 20,
	NT_CORE_THREADS_MAX = 1 << 15,
	NT_CORE_MAPPINGS_MAX = 1 << 18,
	NT_CORE_PATH_MAX = 4096,
	NT_CORE_WORDS = 15
};

enum nt_core_result {
	NT_CORE_READ,
	NT_CORE_NO_ELF,    /* it is no ELF file */
	NT_CORE_NO_CORE,   /* it is an ELF file of another sort */
	NT_CORE_OF_OTHERS, /* of another machine than x86-64: of 32 bits, of arm64 */
	NT_CORE_CUT,       /* it ends before what it says that it has */
	NT_CORE_BROKEN,    /* what it says of itself cannot be */
	NT_CORE_RESULTS
};

/* Memory that is in the file. */
struct nt_core_segment {
	uint64_t start, end; /* addresses */
	uint64_t offset;     /* in the file, of `start` */
};

/* A file that was mapped, or a part of one. */
struct nt_core_mapping {
	uint64_t start, end;
	uint64_t offset; /* in that file, bytes */
	char *path;      /* owned; any bytes without NUL */
};

struct nt_core_thread {
	uint32_t tid;    /* as the process numbered it */
	uint32_t signal; /* that ended it, or 0 */
	int64_t call;    /* the system call that it was in, -1 = none */
	struct nt_frame_regs regs;
	uint64_t words[NT_CORE_WORDS]; /* all registers that may have an address, but for the stack pointer, in no order */
};

struct nt_core {
	uint32_t pid;
	char name[17];                    /* of the executable, as in /proc/PID/comm; any bytes; "" = not said */
	char command[81];                 /* the begin of the command line, likewise */
	struct nt_core_segment *segments; /* this and the following: owned; sorted by address, disjoint */
	struct nt_core_mapping *mappings;
	struct nt_core_thread *threads; /* in the order of the file: the one that got the signal is the first that the kernel writes */
	size_t segment_count, segment_capacity, mapping_count, mapping_capacity, thread_count, thread_capacity;
	uint64_t wanted_bytes; /* that the file should have, at least; of NT_CORE_CUT */
};

/* Anything but NT_CORE_READ: *out is empty but for wanted_bytes. End it with nt_core_fini(). */
enum nt_core_result nt_core_read(struct nt_window *file, struct nt_core *out);
void nt_core_fini(struct nt_core *core);

/* Where in the file the `size` bytes at an address are. False: not all of them are in it. */
bool nt_core_find(const struct nt_core *core, uint64_t address, size_t size, uint64_t *offset);

/* The mapping of a file that an address is in; NULL = none. */
const struct nt_core_mapping *nt_core_mapping_at(const struct nt_core *core, uint64_t address);

#endif
