/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in the kernel's and the runtime's text files. */
#ifndef NT_DECODE_DIGITS_H
#define NT_DECODE_DIGITS_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Value + 1 of a hexadecimal digit, upper or lower case; 0 = none. */
static const unsigned char nt_hex_digits[256] = {
	['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11,
	['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

static inline int nt_hex_digit(char c)
{
	return nt_hex_digits[(unsigned char)c] - 1; /* -1 = none */
}

/* The same byte in all eight places. */
#define NT_EIGHT(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Are eight characters hexadecimal digits, all of them? */
static inline bool nt_hex_all(uint64_t eight)
{
	/* The highest bit of each byte tells: adding to seven bits carries into the eighth from a bound on, and never further. */
	uint64_t seven = eight & NT_EIGHT(0x7f), lower = seven | NT_EIGHT(0x20);
	uint64_t decimal = (seven + NT_EIGHT(0x80 - '0')) & ~(seven + NT_EIGHT(0x7f - '9'));
	uint64_t letter = (lower + NT_EIGHT(0x80 - 'a')) & ~(lower + NT_EIGHT(0x7f - 'f'));
	return ((decimal | letter) & ~eight & NT_EIGHT(0x80)) == NT_EIGHT(0x80);
}

/* The value of eight hexadecimal digits, the first in the highest byte. */
static inline uint32_t nt_hex_value(uint64_t eight)
{
	uint64_t nibbles = (eight & NT_EIGHT(0x0f)) + 9 * (eight >> 6 & NT_EIGHT(1));
	nibbles = (nibbles | nibbles >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	nibbles = (nibbles | nibbles >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (uint32_t)(nibbles | nibbles >> 16);
}

/* Read 1..16 hexadecimal digits at *at; *at steps over them. False: none, or more than 64 bits. */
static inline bool nt_hex_read(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at, *stop = end - p > 16 ? p + 16 : end;
	uint64_t sum = 0, eight;
	if (stop - p >= (long)sizeof(eight) && nt_hex_digit(p[7]) >= 0) { /* an address, mostly: half a million of them are read at once */
		memcpy(&eight, p, sizeof(eight));
		if (nt_hex_all(eight)) {
			sum = nt_hex_value(be64toh(eight));
			p += sizeof(eight);
		}
	}
	for (unsigned digit; p < stop && (digit = nt_hex_digits[(unsigned char)*p]) != 0; p++)
		sum = (sum << 4) + digit - 1;
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
