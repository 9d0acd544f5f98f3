/* SPDX-License-Identifier: GPL-2.0-only */
/* Room base: helpers that know nothing of .NET: memory, texts, files, threads. */
/*
 * Allocation that never returns NULL: out of memory ends the program with one line (the keeper restores the terminal). A size that comes from
 * outside must be checked against a limit before it gets here.
 */
#ifndef NT_BASE_ALLOC_H
#define NT_BASE_ALLOC_H

#include <stddef.h>

void *nt_alloc(size_t size);                            /* zeroed */
void *nt_realloc(void *old, size_t count, size_t size); /* not zeroed; count * size is checked for overflow */
char *nt_strdup(const char *text);                      /* NULL gives NULL */

/* A new text, the caller's, formatted as by printf(). */
char *nt_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Grow `array` (capacity in *capacity elements of `size` bytes) so that `need` elements fit; doubles. Returns the new array. */
void *nt_grow_larger(void *array, size_t *capacity, size_t need, size_t size);
static inline void *nt_grow(void *array, size_t *capacity, size_t need, size_t size)
{
	return need <= *capacity ? array : nt_grow_larger(array, capacity, need, size);
}

/* A table in which every look is at one place: zeroed, beginning with a line of the cache, and its pages are there. The caller's, for free(). */
enum { NT_CACHE_LINE = 64 };
void *nt_alloc_lines(size_t size);

/* `bytes` at `memory` are written next: have their pages at once, where there are many. One by one each is a fault, which costs more than filling it. */
void nt_touch(void *memory, size_t bytes);

/*
 * The heap grows by so many bytes in what comes next: have their pages at once. They must be fewer than what may be free at the end of the heap, and than what becomes a block of the system's
 * own (mallopt()).
 */
void nt_touch_heap(size_t bytes);

/* After a burst: give back most of the room beyond `used` elements, if it is much and most of the array. `array` as in nt_grow(). Returns the new array. */
void *nt_shrink(void *array, size_t *capacity, size_t used, size_t size);

#endif
