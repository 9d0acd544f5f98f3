/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers in the kernel's and the runtime's text files. */
#ifndef NT_DECODE_DIGITS_H
#define NT_DECODE_DIGITS_H

#include <stdbool.h>
#include <stdint.h>

static inline int nt_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read 1..16 hexadecimal digits at *at, upper or lower case; *at steps over them. False: none, or more than 64 bits. */
static inline bool nt_hex_read(const char **at, const char *end, uint64_t *value)
{
	const char *p = *at;
	uint64_t sum = 0;
	int digit;
	while (p < end && (digit = nt_hex_digit(*p)) >= 0) {
		if (p - *at == 16)
			return false;
		sum = sum << 4 | (uint64_t)digit;
		p++;
	}
	if (p == *at)
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
