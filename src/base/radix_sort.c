// SPDX-License-Identifier: GPL-2.0-only
#include "base/radix_sort.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { DIGIT_BITS = 8, DIGITS = 1 << DIGIT_BITS };

static uint64_t number_of(const char *item)
{
	uint64_t number;
	memcpy(&number, item, sizeof(number));
	return number;
}

static unsigned digit_of(const char *item, unsigned shift)
{
	return (unsigned)(number_of(item) >> shift) & (DIGITS - 1);
}

/* Inlined for the sizes that there are, so that an element is moved by a few instructions: left to itself, the compiler calls it with the size, and memcpy() for each element. */
static inline __attribute__((always_inline)) void deal(const char *from, char *to, size_t count, size_t size, unsigned shift)
{
	size_t place[DIGITS + 1] = { 0 };
	for (size_t i = 0; i < count; i++)
		place[digit_of(from + i * size, shift) + 1]++;
	for (size_t digit = 1; digit < DIGITS; digit++)
		place[digit] += place[digit - 1];
	for (size_t i = 0; i < count; i++)
		memcpy(to + place[digit_of(from + i * size, shift)]++ * size, from + i * size, size);
}

static void deal_any(const char *from, char *to, size_t count, size_t size, unsigned shift)
{
	switch (size) {
	case 8:
		deal(from, to, count, 8, shift);
		break;
	case 16:
		deal(from, to, count, 16, shift);
		break;
	case 24:
		deal(from, to, count, 24, shift);
		break;
	default:
		deal(from, to, count, size, shift);
		break;
	}
}

/* In which bits from `low` on two of them differ; 0 in *unsorted: they are in order as they are. */
static uint64_t differing_bits(const char *items, size_t count, size_t size, unsigned low, size_t *unsorted)
{
	uint64_t differing = 0, first = number_of(items) >> low << low, before = first;
	*unsorted = 0;
	for (size_t i = 1; i < count; i++) {
		uint64_t number = number_of(items + i * size) >> low << low;
		differing |= number ^ first;
		*unsorted += number < before;
		before = number;
	}
	return differing;
}

void nt_radix_sort(void **items, size_t count, size_t size, unsigned low)
{
	size_t unsorted;
	nt_assert(size >= sizeof(uint64_t) && size % sizeof(uint64_t) == 0 && low < 64);
	uint64_t differing = count ? differing_bits(*items, count, size, low, &unsorted) : 0;
	if (!differing || !unsorted)
		return;
	char *from = *items, *to = nt_realloc(NULL, count, size);
	for (unsigned shift = low; shift < 64; shift += DIGIT_BITS) {
		if (!(differing >> shift & (DIGITS - 1)))
			continue;
		deal_any(from, to, count, size, shift);
		char *sorted = to;
		to = from;
		from = sorted;
	}
	free(to);
	*items = from;
}
