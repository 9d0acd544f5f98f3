/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in the kernel's and the runtime's text files. */
#ifndef NT_DECODE_DIGITS_H
#define NT_DECODE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

/* Value + 1 of a hexadecimal digit, upper or lower case; 0 = none. */
static const unsigned char nt_hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11,
	['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static inline int nt_hex_digit(char c)
{
	return nt_hex_digits[(unsigned char)c] - 1; /* -1 = none */
}

/* Read 1..16 hexadecimal digits at *at; *at steps over them. False: none, or more than 64 bits. */
static inline bool nt_hex_read(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at, *stop = end - p > 16 ? p + 16 : end;
	uint64_t sum = 0;
	for (int digit; p < stop && (digit = nt_hex_digit(*p)) >= 0; p++)
		sum = sum << 4 | (unsigned)digit;
	if (p == *at || (p < end && nt_hex_digit(*p) >= 0))
		return false;
	*at = p;
	*value = sum;
	return true;
}

/* The same for decimal digits. */
static inline bool nt_decimal_read(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at;
	uint64_t sum = 0;
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		if (__builtin_mul_overflow(sum, (uint64_t)10, &sum) || __builtin_add_overflow(sum, (uint64_t)(*p - '0'), &sum))
			return false;
	if (p == *at)
		return false;
	*at = p;
	*value = sum;
	return true;
}

#endif
