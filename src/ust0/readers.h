// SPDX-License-Identifier: MIT
/*
 * Entering and leaving call sites, which is reading under LTTng's RCU: tp_rcu_read_lock_bp() and tp_rcu_read_unlock_bp().
 *
 * LTTng's functions for it look up the thread's reader four times an event, each time by a call. Programs may inline them instead, as says the header that
 * has them (lttng/urcu/static/urcu-ust.h), so what they do is part of the 1-ABI. Inlined here, with the look-up once a thread, they make good for a part of
 * what a record over the bridge costs more than a native one.
 */
#ifndef UST0_READERS_H
#define UST0_READERS_H

// From now on `lock` and `unlock` are called; before, nothing is.
void ust0_readers_call(void (*lock)(void), void (*unlock)(void));

/*
 * From now on nothing is called but for the first event of a thread; `lock` and `unlock` as given must be LTTng's own. Does nothing where this
 * LTTng, tried, does not do what is inlined.
 */
void ust0_readers_inline(void);

#endif
