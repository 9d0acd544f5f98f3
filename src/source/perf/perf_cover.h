/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the perf source says of the time in which it samples: from when on the target's threads are attached, for which parts of it by turns (--max-target-cost), and
 * that nobody sampled what the rings had no room for while nettop itself stood still.
 */
#ifndef NT_SOURCE_PERF_COVER_H
#define NT_SOURCE_PERF_COVER_H

#include "source/common/outbox.h"

/* All zero is a beginning. */
struct nt_perf_cover {
	bool covers;     /* said so */
	nt_time read_at; /* the rings were, last; 0 = never */
	nt_time since;   /* before that they were, when nettop stood still in between; 0 = it did not */
};

/* Samples are taken from now on, or no more. Says so when that is new. */
void nt_perf_cover_say(struct nt_perf_cover *cover, struct nt_outbox *box, uint32_t pid, nt_time now, bool covered);

/* The rings are read. */
void nt_perf_cover_reads(struct nt_perf_cover *cover, nt_time now);

/*
 * What the rings had was told, and there was no room for more while nettop stood still. Which of them was full when, nobody says: they have room for `room_ns` at
 * full rate, and what lies between that and this reading was not all sampled.
 */
void nt_perf_cover_overflowed(struct nt_perf_cover *cover, struct nt_outbox *box, uint32_t pid, nt_time room_ns);

#endif
