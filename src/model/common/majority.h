/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of many texts came most often, in the room of one (Boyer and Moore): right when it came more often than all others together, else one of the frequent ones.
 */
#ifndef NT_MODEL_MAJORITY_H
#define NT_MODEL_MAJORITY_H

#include <stdint.h>

struct nt_majority {
	const char *text; /* the table's; NULL = none came */
	uint32_t lead;
};

/* `text`: the table's; NULL = it is not known this time. */
static inline void nt_majority_vote(struct nt_majority *majority, const char *text)
{
	if (!text)
		return;
	if (!majority->lead)
		majority->text = text;
	if (majority->text != text)
		majority->lead--;
	else if (majority->lead < UINT32_MAX)
		majority->lead++;
}

#endif
