/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows of the shop's process, for fixture.c: the pictures of screens 3 and 4. */
#ifndef NT_TESTS_GOLDEN_FIXTURE_ROWS_H
#define NT_TESTS_GOLDEN_FIXTURE_ROWS_H

#include "nettop/snapshot.h"

/* Heights from 1 to 8, NT_TREND_CELLS of them; blank = not known. */
struct nt_trend fixture_trend(const char *heights);

/* Rows are allocated as the snapshot's. */
void fixture_add_jit(struct nt_process_snapshot *process, nt_time t1);
void fixture_add_threads(struct nt_process_snapshot *process);

#endif
