/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/calls: calls of the system, counted in the kernel. */
/*
 * BPF programs at the raw tracepoints sys_enter and sys_exit: they add up calls of one process that read, write, open, connect, accept and sync, by what they are on, and how long they took. Nothing is told call
 * by call: the sums lie in a map, and are read now and then. A descriptor is called by what the program itself named when it was made: the path that it opened, the address that it connected to, the listener that
 * accepted it; one that was there before, or came in another way, by its number and how often that was given away. They and their maps are gone with the last descriptor, however nettop ends.
 *
 * Not seen: io_uring, recvmmsg() and sendmmsg(), copy_file_range(), splice(), what is read and written through mappings.
 */
#ifndef NT_SOURCE_CALLS_PROGRAM_H
#define NT_SOURCE_CALLS_PROGRAM_H

#include "source/calls/calls_maps.h"
#include "source/perf/perf_filter.h"

/* They are attached when this returns 0. Else an errno value: EPERM or EACCES, it takes CAP_BPF and CAP_PERFMON. *out is the caller's, nothing is open then. */
int nt_calls_programs_load(const struct nt_perf_filter *process, struct nt_calls_programs *out);
void nt_calls_programs_free(struct nt_calls_programs *programs);

/* Threads have ended whose place is still taken: make room. */
void nt_calls_programs_make_room(const struct nt_calls_programs *programs);

#endif
