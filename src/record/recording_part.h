/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A part of a recording, as somebody who came at its begin would have been told it: what happened before does not count, but what was known then is known. A model that begins at `from` is given all
 * batches of the recording, each of which has gone through nt_recording_part_cut().
 */
#ifndef NT_RECORD_RECORDING_PART_H
#define NT_RECORD_RECORDING_PART_H

#include "nettop/event.h"

/* What a summary of stacks is not of, though it was recorded: a tree has samples or waits. */
enum nt_recording_without { NT_WITHOUT_NOTHING, NT_WITHOUT_WAITS, NT_WITHOUT_SAMPLES };

struct nt_recording_part {
	nt_time from;    /* 0 = its begin */
	nt_time to;      /* NT_TIME_UNKNOWN = its end; the model is told of another one with NT_EV_END */
	bool own_wishes; /* what the model keeps is for who reads to say, not for who recorded */
	enum nt_recording_without without;
	bool goes_on; /* that whoever recorded stopped its sources then is left out: to a person who looks at the last interval they are what they were in it */
	nt_time stopped; /* it did since then: 0 = not yet. All zero at the begin */
};

/* Leaves out of the batch what the part does not have; names of code that came before it are given the time of its begin. */
void nt_recording_part_cut(struct nt_recording_part *part, struct nt_batch *batch);

#endif
