/* SPDX-License-Identifier: GPL-2.0-only */
/* What `nettop threads` writes: what each thread of a process does, once. Threads that do the same are said once, with how many they are. */
#ifndef NT_OUTPUT_THREADS_WRITE_H
#define NT_OUTPUT_THREADS_WRITE_H

#include <stdio.h>

#include "nettop/snapshot.h"

/* Of a core dump: what is told of it besides. Borrowed. */
struct nt_threads_core {
	const char *path;
	uint32_t signal, signal_tid;     /* 0 = nobody says that one ended it */
	const char *exception, *message; /* of that thread; NULL = none, or not known */
	const char *no_managed;          /* why nothing is known of managed code; NULL = it is */
};

/*
 * For people: a heading, then each group with the threads that are in it, what they wait for and its stack, innermost frame first; the frame that people look for has
 * a mark. `realtime_offset_ns`: nt_clock_realtime_offset(), for the time. `core`: NULL = of a process that lives. Write errors stay in the stream (ferror).
 */
void nt_threads_write_text(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, const struct nt_threads_core *core);

/* The same of one process, without its name and the time. */
void nt_threads_write_groups(FILE *out, const struct nt_process_snapshot *process);

/* The same as one JSON object, a line. */
void nt_threads_write_json(FILE *out, const struct nt_snapshot *snapshot, int64_t realtime_offset_ns, const struct nt_threads_core *core);

#endif
