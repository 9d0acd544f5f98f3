/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Code that ran where no mapping is known: it began between the reading of the mappings and the first word of the kernel about new ones, or that word was lost. So they are to be
 * read again; less and less often where that brings nothing.
 */
#ifndef NT_SYMBOL_UNMAPPED_H
#define NT_SYMBOL_UNMAPPED_H

#include "nettop/source.h"

struct nt_unmapped {
	bool met;  /* since they were asked for last */
	bool open; /* they are asked for, and not read since */
	uint64_t asked_count;
	nt_time next, pause_ns;
};

/* There is a new mapping. */
static inline void nt_unmapped_learned(struct nt_unmapped *unmapped)
{
	unmapped->pause_ns = 0;
}

/* They have been read since that question. */
static inline void nt_unmapped_answered(struct nt_unmapped *unmapped, uint64_t question)
{
	unmapped->open &= question != unmapped->asked_count;
}

/* The next question is the last one: it is due at once. */
static inline void nt_unmapped_hurry(struct nt_unmapped *unmapped)
{
	unmapped->next = 0;
}

/* Append the question for NT_MAPPINGS_IMAGE, if one is due and there is room for it. */
struct nt_question *nt_unmapped_ask(struct nt_unmapped *unmapped, nt_time now, uint32_t pid, size_t max, struct nt_question *questions,
				    size_t *count);

#endif
