/* SPDX-License-Identifier: GPL-2.0-only */
/* What fixtures are made of: an empty snapshot, its sources, rows for screens 3, 4, 5, 6, 7 and c. */
#ifndef NT_TESTS_GOLDEN_FIXTURE_ROWS_H
#define NT_TESTS_GOLDEN_FIXTURE_ROWS_H

#include "nettop/snapshot.h"

/* A snapshot of one process, with no rows and nothing known, so long after the start. */
struct nt_snapshot *fixture_new(nt_time age_ns);

/* The shop, so long after attaching. */
struct nt_snapshot *fixture_shop_at(nt_time age_ns);

/* Identity and machine of the shop. */
void fixture_shop_target(struct nt_target_info *target);

void fixture_add_source(struct nt_snapshot *snapshot, const struct nt_source_row *row);

/* Heights from 1 to 8, NT_TREND_CELLS of them; blank = not known. The last one is `newest`; where that is 1, which is 0, 8 is. */
struct nt_trend fixture_trend(const char *heights, double newest);

/* So many collections, which no other snapshot has: the first of them; and one of them. */
struct nt_gc_row *fixture_collections(struct nt_process_snapshot *process, size_t count);
void fixture_generations(struct nt_process_snapshot *process); /* their pauses, by generation */
void fixture_gc_heaps(struct nt_process_snapshot *process);    /* of the newest collection */
struct nt_gc_row *fixture_collection(struct nt_process_snapshot *process, size_t index);

/* Rows are allocated as the snapshot's. */
void fixture_add_jit(struct nt_process_snapshot *process, nt_time t1);
void fixture_add_jit_groups(struct nt_process_snapshot *process); /* fixture_jit.c */
void fixture_add_allocations(struct nt_process_snapshot *process);
void fixture_add_allocation_sites(struct nt_process_snapshot *process); /* once it has those by type */
void fixture_add_threads(struct nt_process_snapshot *process);
void fixture_add_askers(struct nt_process_snapshot *process); /* to its collections */
void fixture_add_exceptions(struct nt_process_snapshot *process);
/* fixture_throws.c; the last: nobody has told where, and what became of them. */
void fixture_add_throws(struct nt_snapshot *snapshot);
void fixture_name_throws(struct nt_process_snapshot *process, const char *const *names, size_t count);
void fixture_no_throw_stacks(struct nt_process_snapshot *process);
void fixture_shop_findings(struct nt_process_snapshot *process, nt_time now); /* fixture_findings.c */
void fixture_add_code(struct nt_snapshot *snapshot);
void fixture_add_locks(struct nt_process_snapshot *process);
void fixture_add_lock_groups(struct nt_process_snapshot *process); /* in static storage */
void fixture_add_waits(struct nt_process_snapshot *process);
extern const struct nt_wait_figures fixture_wait_figures;
extern const struct nt_pool_figures fixture_pool_figures;
/* fixture_waits.c */
void fixture_add_wait_groups(struct nt_process_snapshot *process);
void fixture_name_waits(struct nt_process_snapshot *process, const char *const *names, size_t count);

void fixture_add_io(struct nt_process_snapshot *process);
void fixture_add_requests(struct nt_process_snapshot *process);
void fixture_shop_series(struct nt_process_snapshot *process);
void fixture_name_io(struct nt_process_snapshot *process, const char *const *names, size_t count);
void fixture_name_requests(struct nt_process_snapshot *process, const char *const *names, size_t count);
extern const struct nt_io_figures fixture_io_figures;
extern const struct nt_host_figures fixture_host_figures;
extern const struct nt_request_figures fixture_request_figures;
void fixture_add_adjustments(struct nt_process_snapshot *process, nt_time t1);
void fixture_add_pool_waits(struct nt_process_snapshot *process);
void fixture_add_stacks(struct nt_process_snapshot *process); /* in static storage */
/* One path, deeper than a screen, of functions with these names, at most 32; their ids begin at 1. In static storage. */
void fixture_add_deep_stacks(struct nt_process_snapshot *process, const char *const *names, size_t count);
void fixture_add_counters(struct nt_process_snapshot *process, nt_time t1);

/* What the CPU time of the shop is for, and which of its methods are its own; fixture_purposes.c. */
void fixture_purposes(struct nt_process_snapshot *process);

#endif
