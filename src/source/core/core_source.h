/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A core dump as a source of events: who it was, where each of its threads was, what the code there is called. The file is read by a process without rights (core_process.h); nettop opens the files that were mapped, which that one
 * compares with what the core has of them, and the decoder names native code by those that are of the same build.
 */
#ifndef NT_SOURCE_CORE_SOURCE_H
#define NT_SOURCE_CORE_SOURCE_H

#include "nettop/heap_found.h"
#include "nettop/source.h"
#include "source/image/build_id.h"

struct nt_core_dump;

/* What is said beside the threads. Texts are borrowed from the dump, without control characters. */
struct nt_core_about {
	uint32_t pid;
	const char *name;            /* of the executable, as /proc/PID/comm has it */
	const char *runtime;         /* "10.0.12"; NULL = not known */
	int64_t made_unix_ns;        /* when the file was written last */
	uint32_t signal, signal_tid; /* that ended it, and which thread got it; 0 = nobody says */
	const char *exception,
		*message; /* of that thread: type and message of what was thrown in it last, and is not over; NULL = nothing, or not known */
	bool whole;       /* no thread of the runtime's is missing */
	const char *no_managed; /* why nothing is known of managed code: a sentence; NULL = it is known */
	/* With that: the runtime's library, of which the core may lack what the file has. NULL = it is read, or there is none. */
	const char *runtime_file, *runtime_reason;
	struct nt_build_id runtime_id; /* of the core's */
	uint32_t partial;              /* threads whose stack is not whole */
	const char *unread;            /* a file of native code that was needed for that and is not read, and why; NULL = none */
};

struct nt_core_heap_wish {
	/* What the objects refer to, and what keeps them alive, too: memory that may be taken for it; 0 = their types are enough. */
	uint64_t graph_bytes;
};

/*
 * Read the file at `path`. `root`: the folder below which the files are looked for that were mapped; NULL = "/". `heap`: the objects of its heap, too; NULL = not. May take as long as the file is large. USAGE: it is no core dump, or cannot be opened;
 * UNSUPPORTED: of another machine, or of its heap nothing can be known. On success *out is the caller's.
 */
enum nt_status nt_core_dump_open(const char *path, const char *root, const struct nt_core_heap_wish *heap, struct nt_core_dump **out,
				 struct nt_error *err);
void nt_core_dump_free(struct nt_core_dump *dump); /* NULL is allowed */

void nt_core_dump_about(const struct nt_core_dump *dump, struct nt_core_about *out);

/* What was read of its heap, by type, in no order until nt_heap_found_join(), with its static fields, and its graph if that was wished for and could be had; the caller's, once. NULL: it was not asked for. */
struct nt_heap_found *nt_core_dump_take_heap(struct nt_core_dump *dump);

struct nt_core_wish {
	bool native;     /* frames of native code, too; where nothing is known of managed code they are told in any case */
	bool as_moments; /* each stack as a MOMENT besides, of weight 1 */
};

/* All of it, at one time, once: TARGET, THREAD, MAP, CODE, STACK. */
void nt_core_dump_tell(struct nt_core_dump *dump, nt_time time, const struct nt_core_wish *wish);

/* Put a NAME event for each question about a file; returns how many those are. */
size_t nt_core_dump_answer(struct nt_core_dump *dump, nt_time time, const struct nt_question *questions, size_t count);

/* What was told and is not taken yet; NULL = nothing. Give it back when it was applied. */
struct nt_batch *nt_core_dump_take(struct nt_core_dump *dump);
void nt_core_dump_give_back(struct nt_core_dump *dump, struct nt_batch *batch);

#endif
