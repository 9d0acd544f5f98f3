/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of processes over time. It has one input, what a look at the machine found, and no state but the snapshot before: shares of CPU are differences
 * between two looks, and a process that is gone stays for some seconds.
 */
#ifndef NT_MODEL_PROCESS_LIST_H
#define NT_MODEL_PROCESS_LIST_H

#include "nettop/process_row.h"

/*
 * The snapshot of a look at time `at`. `seen` has all but cpu_pct, trend and ended_at; its texts are copied. previous: the snapshot of the look before, NULL
 * = there was none. The result is the caller's, with one reference.
 */
struct nt_snapshot *nt_process_list_next(const struct nt_snapshot *previous, const struct nt_process_row *seen, size_t count, nt_time at);

#endif
