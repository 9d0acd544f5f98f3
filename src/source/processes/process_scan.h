/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/processes: all .NET processes. */
/*
 * Every .NET process that /proc shows, of all namespaces below ours and of all users. What costs much or may hang is read of a process once and then now and
 * then; what changes with every look is one small file of the kernel's.
 */
#ifndef NT_SOURCE_PROCESS_SCAN_H
#define NT_SOURCE_PROCESS_SCAN_H

#include "nettop/process_row.h"
#include "source/processes/process_choice.h"

struct nt_process_scan;

/*
 * proc_root: "/proc" except in tests; perf_hz: the rate of CPU samples that a trial asks the kernel for, 0 = no trial. readonly: nothing may be changed in the
 * targets, so some sources would not deliver. choice: copied, its texts are borrowed; NULL = all. The caller's.
 */
struct nt_process_scan *nt_process_scan_new(const char *proc_root, unsigned perf_hz, bool readonly, const struct nt_process_choice *choice);
void nt_process_scan_free(struct nt_process_scan *scan); /* NULL is allowed */

/* What a look found. */
struct nt_process_scan_result {
	nt_time at;
	const struct nt_process_row *rows; /* borrowed until the next look, with their texts; in no order */
	size_t count;
	struct nt_u64 busy_ns,
		all_ns; /* CPU time: in which CPUs worked since boot, for whomever; of all that are on, from whenever. In ticks of 10 ms */
};

/*
 * Look. Waits for at most a second for each process whose files do not answer, and does not ask such a one again. FAILED: /proc cannot be listed. One caller
 * at a time.
 */
enum nt_status nt_process_scan_look(struct nt_process_scan *scan, struct nt_process_scan_result *out, struct nt_error *err);

/* From any thread: a look ends soon, and with NT_END. */
void nt_process_scan_cancel(struct nt_process_scan *scan);

#endif
