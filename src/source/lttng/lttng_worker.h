/* SPDX-License-Identifier: GPL-2.0-only */
/* The LTTng worker: connects, reads, and connects again when a daemon ended, until it is told to end or the target ended. */
#ifndef NT_SOURCE_LTTNG_WORKER_H
#define NT_SOURCE_LTTNG_WORKER_H

#include "source/lttng/lttng_link.h"

/* Thread function; `link` is a struct nt_lttng_link, of which it owns one share and drops it. */
void *nt_lttng_worker_main(void *link);

#endif
