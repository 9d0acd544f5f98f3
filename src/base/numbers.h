/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Numbers for people: `digits` significant digits (3 unless there is no room), `.` in every locale, no thousands separators. What is shown with
 * all digits is nt_format_*() in nettop/column.h.
 */
#ifndef NT_BASE_NUMBERS_H
#define NT_BASE_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "nettop/clock.h"

enum { NT_NUMBER_DIGITS = 3 };

void nt_number_bytes(uint64_t bytes, int digits, char *buf, size_t size); /* steps of 1024: 2.31G */
void nt_number_whole(uint64_t count, int digits, char *buf, size_t size); /* of things, steps of 1000: 3, 412, 1.24k */
void nt_number_count(double count, int digits, char *buf, size_t size);   /* a mean or a rate: 3.0, 412, 1.24k */
void nt_number_real(double value, int digits, char *buf,
		    size_t size); /* of any size and sign: -3, 0.0123, 412, 1.24k; "" when not finite */

/* A minute or longer, as the two largest units: 9m12s, 3d02h. Returns buf. */
const char *nt_number_long_duration(nt_time ns, char *buf, size_t size);

#endif
