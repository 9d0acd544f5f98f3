/* SPDX-License-Identifier: GPL-2.0-only */
/* What is not known is not known: numbers that say so, and why. */
#ifndef NETTOP_KNOWN_H
#define NETTOP_KNOWN_H

#include <stdbool.h>
#include <stdint.h>

/* A number that may be unknown. */
struct nt_u64 {
	uint64_t v;
	bool known;
};
struct nt_f64 {
	double v;
	bool known;
};

#define NT_KNOWN(value)                                                                                                                    \
	{                                                                                                                                  \
		.v = (value), .known = true                                                                                                \
	}
static inline struct nt_u64 nt_u64_of(uint64_t v)
{
	return (struct nt_u64)NT_KNOWN(v);
}
static inline struct nt_u64 nt_u64_if(bool known, uint64_t v)
{
	return (struct nt_u64){ .known = known, .v = known ? v : 0 };
}
static inline struct nt_f64 nt_f64_of(double v)
{
	return (struct nt_f64)NT_KNOWN(v);
}

/* Why a figure (a tile, a panel) has no value: the sentence and the fix, both NULL when it has one. */
struct nt_why {
	const char *reason;
	const char *fix;
};

#endif
