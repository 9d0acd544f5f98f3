/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A nettrace file, version 4, as .NET writes it itself and TraceEvent, PerfView and dotnet-trace read it (NetTraceFormat_v5.md of PerfView; decode/eventpipe/nettrace.h reads it). Its clock is ours: ns of
 * CLOCK_MONOTONIC. Events are given in the order of their times, over all threads, and each says so in the file: a reader has nothing to sort, and to keep. What an event of some kind has as payload is the caller's.
 */
#ifndef NT_OUTPUT_NETTRACE_FILE_H
#define NT_OUTPUT_NETTRACE_FILE_H

#include "nettop/clock.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct nt_nettrace_writer;

/* What the file begins with. */
struct nt_nettrace_begin {
	nt_time time;               /* when it begins; no event is older */
	int64_t realtime_offset_ns; /* what to add to a time to get that of the wall; the file has whole ms of that */
	uint32_t pid, cpu_count;
	uint32_t sampling_ns; /* the distance of samples of one CPU; 0 = there are none */
};

/* A kind of events. Texts are UTF-8. */
struct nt_nettrace_kind {
	const char *provider;
	const char *name; /* "" where readers know it by its number */
	uint32_t id, version, level;
	uint64_t keywords;
};

struct nt_nettrace_told {
	nt_time time;
	uint32_t kind;             /* as nt_nettrace_writer_kind() has given it */
	uint32_t tid;              /* 0 = of no thread */
	const uint64_t *addresses; /* its call stack, leaf first; borrowed for the call */
	uint32_t address_count;    /* 0 = it has none */
	const void *payload;       /* borrowed for the call */
	uint32_t payload_length;   /* at most NT_NETTRACE_PAYLOAD_MAX */
};

/* As in the runtime. */
enum { NT_NETTRACE_PAYLOAD_MAX = 64 << 10 };

/* `out` is borrowed; whether everything could be written is what ferror(out) says. */
struct nt_nettrace_writer *nt_nettrace_writer_new(FILE *out, const struct nt_nettrace_begin *begin);

/* The number of a new kind, from 1. */
uint32_t nt_nettrace_writer_kind(struct nt_nettrace_writer *writer, const struct nt_nettrace_kind *kind);

void nt_nettrace_writer_event(struct nt_nettrace_writer *writer, const struct nt_nettrace_told *event);

/* So many events are missing before the next one: readers count them as lost. */
void nt_nettrace_writer_lost(struct nt_nettrace_writer *writer, uint64_t count);

/* Write what is left, and the end. `writer` is gone. */
void nt_nettrace_writer_end(struct nt_nettrace_writer *writer);

#endif
