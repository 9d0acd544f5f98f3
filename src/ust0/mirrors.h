// SPDX-License-Identifier: MIT
/*
 * Call sites that cannot be aliased (callsites.h): liblttng-ust-tracepoint.so.1 switches a structure of ours, which is then copied to the call site.
 *
 * When to copy: that library switches call sites, waits until no thread is in one any more, and frees the old probes. So just before each such wait
 * every mirror is copied (grace.c): late enough to see the change, early enough that no call site goes on using what will be freed.
 */
#ifndef UST0_MIRRORS_H
#define UST0_MIRRORS_H

#include "ust0.h"
#include "ust1.h"

// A tracepoint for `site`, to be registered in its place; provider and event are kept. NULL when out of memory.
struct ust1_tracepoint *ust0_mirror_new(struct ust0_tracepoint *site, const char *provider, const char *event);

// Copies every mirror to its call site. Any thread.
void ust0_mirrors_copy(void);

/*
 * For when nobody says when to copy: only `state`, not the probes, which might be freed behind our back. Enough for a call site whose state is
 * asked but which is never fired, as GCStart of .NET. Any thread, also in a signal handler.
 */
void ust0_mirrors_copy_states(void);

#endif
