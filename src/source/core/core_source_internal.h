/* SPDX-License-Identifier: GPL-2.0-only */
/* What core_source.c has read and core_tell.c tells of. Inside src/source/core only. */
#ifndef NT_SOURCE_CORE_SOURCE_INTERNAL_H
#define NT_SOURCE_CORE_SOURCE_INTERNAL_H

#include "nettop/heap_found.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"
#include "source/common/outbox.h"
#include "source/contract/contract_reader.h"
#include "source/core/core_source.h"
#include "source/decoder/decoder.h"
#include "source/image/build_id.h"

enum { NT_CORE_TEXT = 512 };

/* A mapping of a file. */
struct nt_core_file {
	uint64_t start, end, offset; /* start first: nt_starts_up_to() */
	char *path;                  /* owned; without control characters */
	size_t of; /* the mapping by which this file is compared with the core's: its first with offset 0; itself, when there is none */
	/* Of that one: */
	bool fits;
	uint64_t inode;
	struct nt_build_id id;
	char reason[NT_CORE_TEXT]; /* why it is not read */
};

struct nt_core_told {
	struct nt_reader_stack said;
	uint64_t *frames;                 /* owned, as the following */
	char *name, *exception, *message; /* without control characters; exception: its type; NULL = not known, or there is none */
};

/* Managed code. */
struct nt_core_name {
	uint64_t start;
	uint32_t size;
	bool precompiled;
	char *text; /* owned; as a perf map has it, without control characters */
};

/* Whose events: the model takes each from the source that usually brings it. */
enum nt_core_box { NT_CORE_OF_PROCFS, NT_CORE_OF_CODEMAP, NT_CORE_OF_RUNTIME, NT_CORE_BOXES };

struct nt_core_dump {
	struct nt_reader reader;
	struct nt_reader_core core;
	int fd; /* owned, until it is handed on; -1 */
	int64_t made_unix_ns;
	struct nt_core_file *files; /* owned, as the following; in the order of addresses */
	struct nt_core_told *threads;
	struct nt_core_name *names;
	size_t file_count, file_capacity, thread_count, thread_capacity, name_count, name_capacity;
	size_t name_bytes;
	char *name, *runtime;           /* owned; runtime: its version, NULL = not known */
	const struct nt_core_file *clr; /* libcoreclr.so; NULL = it was not mapped */
	bool whole;                     /* no thread of the runtime's is missing */
	char no_managed[NT_CORE_TEXT];  /* "" = it is known */
	struct nt_heap_found *heap;     /* owned; NULL = it was not asked for, or could not be read */
	struct nt_outbox boxes[NT_CORE_BOXES];
	struct nt_files_target target; /* who has the files */
	struct nt_hand *hand;
	struct nt_decoder *decoder;
};

/* To the process that reads the core, and from it: the next record, for which it waits. */
enum nt_status nt_core_dump_say(struct nt_core_dump *dump, const void *packet, size_t length, const int *fds, size_t count,
				struct nt_error *err);
enum nt_status nt_core_dump_hear(struct nt_core_dump *dump, struct nt_reader_record *out, struct nt_error *err);

/* It says what it should not. */
enum nt_status nt_core_dump_gone(struct nt_error *err);

/* Behind the threads. UNSUPPORTED: the sentence says what is missing. */
enum nt_status nt_core_dump_read_heap(struct nt_core_dump *dump, uint64_t graph_bytes, struct nt_error *err);

/* The mapping of a file that an address is in; NULL = none. */
const struct nt_core_file *nt_core_dump_file_at(const struct nt_core_dump *dump, uint64_t address);

#endif
