/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What somebody asks for by a word (`nettop stacks -e`): something that happens in the target, whose call stacks are wanted.
 *
 *   page-faults                 one of the kernel's software events
 *   sched:sched_switch          a tracepoint of the kernel
 *   u:libc.so.6:malloc          a call of a function of a library or of the program; ur: its return
 *   clr:ExceptionThrown         an event of the runtime
 *   wait                        time that a thread does not run, by looks from outside
 *
 * Nothing is looked up here: a word that is understood need not exist on this machine.
 */
#ifndef NT_SOURCE_MOMENT_H
#define NT_SOURCE_MOMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "nettop/source.h"
#include "nettop/status.h"

enum { NT_MOMENT_WORD = 256 /* bytes, with the NUL */ };

enum nt_moment_sort {
	NT_MOMENT_SOFTWARE,
	NT_MOMENT_TRACEPOINT,
	NT_MOMENT_CALL,
	NT_MOMENT_RETURN,
	NT_MOMENT_RUNTIME,
	NT_MOMENT_WAIT,
};

/* The word for it. */
#define NT_MOMENT_WAIT_WORD "wait"

enum nt_moment_unit { NT_MOMENT_COUNT, NT_MOMENT_NS, NT_MOMENT_BYTES };

/* An event of the runtime that comes with the call stack of who caused it. Static storage. */
struct nt_moment_runtime {
	const char *name; /* as in the runtime's manifest */
	uint32_t id;      /* in the manifest */
	uint32_t level;
	uint64_t keywords;
	unsigned first_major, last_major; /* of .NET, that have it so that it can be asked for */
	enum nt_moment_unit unit;
	const char *about; /* for people */
};

struct nt_moment_asked {
	enum nt_moment_sort sort;
	enum nt_moment_unit unit; /* of nt_ev_moment.weight */
	uint64_t software;        /* PERF_COUNT_SW_ */
	const struct nt_moment_runtime *runtime;
	char word[NT_MOMENT_WORD];   /* as it was written */
	char first[NT_MOMENT_WORD];  /* of a tracepoint its system, of a call the file's name or path */
	char second[NT_MOMENT_WORD]; /* of a tracepoint its name, of a call the function's */
};

/* Understand `length` bytes. USAGE: the sentence names the word, what is wrong and what would be right. */
enum nt_status nt_moment_parse(const char *word, size_t length, struct nt_moment_asked *out, struct nt_error *err);

/* The tables, for lists: number 0 on; NULL = no more. */
const char *nt_moment_software_name(size_t number, const char **about);
const struct nt_moment_runtime *nt_moment_runtime_at(size_t number);

/* Who tells it? */
enum nt_source_id nt_moment_source(const struct nt_moment_asked *asked);

/* Is blocked time asked for, and nothing else? */
bool nt_moments_are_waits(const struct nt_moment_asked *asked, size_t count);

/* Plural, for sentences: "bytes", "ns"; of counts "times". */
const char *nt_moment_unit_name(enum nt_moment_unit unit);

#endif
