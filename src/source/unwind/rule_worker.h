/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The thread that learns rules of call chains (frame_lookup.h) for whoever walks by them and must not wait for a file: it is woken for what is asked, reads, and hears of what is mapped anew.
 */
#ifndef NT_SOURCE_RULE_WORKER_H
#define NT_SOURCE_RULE_WORKER_H

#include "decode/unwind/frame_rule.h"
#include "nettop/source.h"

struct nt_rule_worker;

/* What is asked, kept by the user under nt_rule_worker_lock(). Called by the thread. */
struct nt_rule_worker_ops {
	/* With the lock: take what is to be learnt next. False: nothing is asked. */
	bool (*take)(void *context);
	/* Without it: learn what was taken, by nt_rule_worker_find(), which ends with NT_END when nobody needs it any more. */
	void (*learn)(void *context);
};

/* `ops` and `context` are borrowed for its life, `target` and `config` for the call. Nothing is taken before nt_rule_worker_wake(). NULL: there is no thread to be had, *failed says why (errno). */
struct nt_rule_worker *nt_rule_worker_new(const struct nt_target *target, const struct nt_source_config *config,
					  const struct nt_rule_worker_ops *ops, void *context, int *failed);

/* Ends the thread, not later than a file that hangs. NULL is allowed. */
void nt_rule_worker_free(struct nt_rule_worker *worker);

/* Never held while something is read. */
void nt_rule_worker_lock(struct nt_rule_worker *worker);
void nt_rule_worker_unlock(struct nt_rule_worker *worker);

/* With the lock: something is asked now. */
void nt_rule_worker_wake(struct nt_rule_worker *worker);

/* With the lock: other code is in [start, end) from now on. */
void nt_rule_worker_mapped(struct nt_rule_worker *worker, uint64_t start, uint64_t end);

/*
 * By the thread, with the lock: has nt_rule_worker_mapped() told of any of [start, end) since what is learnt now was taken? Then what was learnt of it may be of the code that was there before, and
 * is to be asked again.
 */
bool nt_rule_worker_is_outdated(const struct nt_rule_worker *worker, uint64_t start, uint64_t end);

/* By the thread: as nt_frame_lookup_find(). */
enum nt_status nt_rule_worker_find(struct nt_rule_worker *worker, uint64_t address, uint64_t *start, uint64_t *end,
				   struct nt_frame_rule *rule);

/* Add what its threads, and the process that reads images for it, have used. */
void nt_rule_worker_cost(struct nt_rule_worker *worker, struct nt_source_stats *out);

#endif
