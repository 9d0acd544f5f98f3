/* SPDX-License-Identifier: GPL-2.0-only */
/* Rows by lock and by owner, told what is known of threads: who has a lock, what he is called and where he is, and what it is that is locked. */
#ifndef NT_MODEL_LOCK_OWNERS_H
#define NT_MODEL_LOCK_OWNERS_H

#include "model/locks/lock_waits.h"

/*
 * The threads of `process` and what they wait for are filled, and so are its rows by lock and by owner. The type of what is locked is that of the object that a
 * thread was seen to wait for, from outside, while by the runtime's events it waited for that lock; it is kept.
 */
void nt_lock_owners_fill(struct nt_lock_waits *waits, nt_time t1, struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

#endif
