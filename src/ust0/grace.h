// SPDX-License-Identifier: MIT
/*
 * The moments before LTTng waits for threads to leave their call sites ("grace periods" of its RCU).
 *
 * liblttng-ust-tracepoint.so.1 calls lttng_ust_urcu_synchronize_rcu() of liblttng-ust-common.so.1 after it has switched call sites and before it frees the
 * probes that they had. The bridge defines a function of that name that copies the mirrors and then goes on to LTTng's. It is found first because the bridge is
 * loaded, into the global scope, before liblttng-ust-tracepoint.so.1 is; whether that is so in this process is tried, not assumed.
 */
#ifndef UST0_GRACE_H
#define UST0_GRACE_H

#include <stdbool.h>

// Waits until no thread is in a call site that was switched off before.
void ust0_grace_wait(void);

// How often a grace period was announced to the bridge.
unsigned long ust0_grace_count(void);

#endif
