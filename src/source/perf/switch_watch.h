/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * When the threads of one process leave a CPU, are woken and come back, each time, while somebody looks: the records of switch_program.h become SWITCH and WAKE events. A round of which records are missing is not told at all, because a wait would be taken for another one: it is counted as lost, and not covered.
 */
#ifndef NT_SOURCE_SWITCH_WATCH_H
#define NT_SOURCE_SWITCH_WATCH_H

#include "decode/kernel/perf_record.h"
#include "source/common/outbox.h"
#include "source/perf/perf_attach.h"
#include "source/perf/perf_queue.h"
#include "target/process/target.h"

enum { NT_SWITCH_LIST = UINT32_MAX, NT_SWITCH_ROUND_MS = 40 };

struct nt_switch_watch;

/* From now on. `target` is borrowed, `config` for the call. max_cost_pct: of the target's CPU time. `alone`: nobody else tells of mappings (nt_switch_watch_mapped()): it hears of them itself. An error: it cannot be had here, the sentence says why. */
enum nt_status nt_switch_watch_new(const struct nt_target *target, const struct nt_source_config *config, unsigned max_cost_pct, bool alone,
				   struct nt_switch_watch **out, struct nt_error *err);
/*
 * Where that is refused: by the kernel's records of switches (switch_times.h), without places and wakers. The same otherwise; an error's sentence is of no use beside that of the refusal.
 */
enum nt_status nt_switch_watch_new_timed(const struct nt_target *target, unsigned max_cost_pct, struct nt_switch_watch **out);
/* The same by events of its threads, which have been opened for that: takes `attach`. `share`: of max_cost_pct, as in struct nt_perf_duty. */
struct nt_switch_watch *nt_switch_watch_new_of_tasks(const struct nt_target *target, struct nt_perf_attach *attach, unsigned max_cost_pct,
						     double share);

/* Are all threads' switches told? NT_AGAIN: not yet; NT_ERR_FAILED: they never will be. */
enum nt_status nt_switch_watch_whole(const struct nt_switch_watch *watch);
bool nt_switch_watch_is_timed(const struct nt_switch_watch *watch); /* is it such? */
void nt_switch_watch_free(struct nt_switch_watch *watch);           /* NULL is allowed */

/* Put what there is into the queue, as of NT_SWITCH_LIST. Returns how many records are missing since the call before; nothing is put then. */
uint64_t nt_switch_watch_read(struct nt_switch_watch *watch, struct nt_perf_queue *queue);

/* One of those records becomes an event. */
void nt_switch_watch_tell(struct nt_switch_watch *watch, struct nt_outbox *box, uint32_t pid, const uint8_t *bytes, size_t length);

/* Does it cost the target more than it may? Looks about once a second. Says so as reason and fix. */
bool nt_switch_watch_is_too_dear(struct nt_switch_watch *watch, nt_time now, struct nt_probe *out);

/* Code was mapped: a NT_PERF_MAP, before the records of its round are told. */
void nt_switch_watch_mapped(struct nt_switch_watch *watch, const struct nt_perf_record *record);

/* Add what is used for it beside this thread. NULL is allowed. */
void nt_switch_watch_cost(const struct nt_switch_watch *watch, struct nt_source_stats *out);

/* What it has cost the target so far, an estimate. */
uint64_t nt_switch_watch_paid_ns(const struct nt_switch_watch *watch);

#endif
