/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A BPF program that runs where something happens: it lets the target's pass alone, counts each, and tells of one in so many, with the call stack, in the ring of the CPU. It and its maps
 * are gone with the last descriptor, however nettop ends.
 */
#ifndef NT_SOURCE_TAP_PROGRAM_H
#define NT_SOURCE_TAP_PROGRAM_H

#include "source/perf/perf_filter.h"

#include <stddef.h>

enum nt_tap_kind {
	NT_TAP_SOFTWARE,   /* attached to the event whose own ring it is */
	NT_TAP_TRACEPOINT, /* others who use it are not kept from it */
	NT_TAP_PROBE,
};

/* What nettop and the program share: a page of memory. */
struct nt_tap_shared {
	uint64_t hits; /* how often it happened in the target */
	uint64_t mask; /* told is one in mask + 1, a power of two */
};

struct nt_tap_program {
	int map, rings, program;      /* owned; -1 = none */
	struct nt_tap_shared *shared; /* owned mapping */
};

/* *out is the caller's. `cpus`: one above the highest number. Returns 0 or an errno value; EPERM: it takes CAP_BPF and CAP_PERFMON. */
int nt_tap_program_load(enum nt_tap_kind kind, const struct nt_perf_filter *process, unsigned cpus, struct nt_tap_program *out);
void nt_tap_program_free(struct nt_tap_program *program);

/* Where it writes to on that CPU: an event of PERF_COUNT_SW_BPF_OUTPUT there. Not of NT_TAP_SOFTWARE. Returns 0 or an errno value. */
int nt_tap_program_ring(struct nt_tap_program *program, unsigned cpu, int fd);

/* A function of a file, in the memory of one process. */
struct nt_tap_probe {
	const char *path; /* of the file, as we see it */
	uint64_t offset;  /* in it */
	uint32_t pid;
	bool at_return;
};

/*
 * Put the program there (Linux 6.6). *link is the caller's descriptor: with it the probe goes. No other process that has mapped the file is stopped by it, and it is in no list of tracefs.
 * Returns 0 or an errno value.
 */
int nt_tap_program_probe(const struct nt_tap_program *program, const struct nt_tap_probe *probe, int *link);

#endif
