/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Sorting many elements by a number that each has: linear, where qsort() calls a function some twenty times for each of a thousand. Places in a file or in memory differ in two or three
 * of their bytes only, and the others cost nothing.
 */
#ifndef NT_BASE_RADIX_SORT_H
#define NT_BASE_RADIX_SORT_H

#include <stddef.h>
#include <stdint.h>

/*
 * Sort `count` elements of `size` bytes (a multiple of 8) at `*items`, by the number in their first 8 bytes from bit `low` on; those in which that is equal keep their order. *items was had from nt_realloc() and may be another block
 * of `count` elements afterwards; the caller's.
 */
void nt_radix_sort(void **items, size_t count, size_t size, unsigned low);

#endif
