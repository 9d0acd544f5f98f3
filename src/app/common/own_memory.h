/* SPDX-License-Identifier: GPL-2.0-only */
/* nettop's own heap: kept as small as what lies in it. */
#ifndef NT_APP_OWN_MEMORY_H
#define NT_APP_OWN_MEMORY_H

#include "nettop/clock.h"

#include <stdbool.h>

/* Before any thread is made. */
void nt_own_memory_keep_small(void);

/* When nettop is about to watch, and what it keeps apart from itself is forked: the pages that a session needs, at once. */
void nt_own_memory_begin(void);

/* Once nettop watches, a trace among what it reads or not: what an interval takes is to be had again by the next one. */
void nt_own_memory_keep_ready(bool traced);

/* Give the system the pages of the heap that nothing lies in, if it is time for that. For the end of each interval; one thread. */
void nt_own_memory_give_back(nt_time now);

#endif
