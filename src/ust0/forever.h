// SPDX-License-Identifier: MIT
#ifndef UST0_FOREVER_H
#define UST0_FOREVER_H

#include <stddef.h>

/*
 * Zeroed memory that is never given back: what LTTng, its readers and the stubs keep pointers to. Not malloc(): it may be called in a signal handler, or in the
 * program's own allocator. Aligned for any pointer or number. NULL when there is none.
 */
void *ust0_forever(size_t size);

#endif
