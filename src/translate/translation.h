/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every translator tells alike: settings first, which sources there are not and why, batches as they are filled, a tick at the end of each second of the file's own time, the end.
 */
#ifndef NT_TRANSLATE_TRANSLATION_H
#define NT_TRANSLATE_TRANSLATION_H

#include "record/recorder.h"
#include "source/common/outbox.h"

struct nt_translation {
	struct nt_recorder *recorder; /* borrowed */
	uint32_t pid;                 /* of the process that is told of */
	nt_time start, tick;          /* of the first interval, and the end of the open one */
	unsigned ticks_left;
};

/* A file has as many intervals as a person could look at: three days of seconds. What its times say beyond that is no time. */
enum { NT_TRANSLATION_TICKS_MAX = 1 << 18 };

/* Before this no clock begins that counts from the start of a machine or from 1970. */
#define NT_TRANSLATION_START_MAX (UINT64_C(1) << 61)

/*
 * `start`, before NT_TRANSLATION_START_MAX: when the first interval begins, on the file's own clock. `realtime_offset_ns`: what to add to a time to get that of the wall; 0 = not known.
 */
void nt_translation_begin(struct nt_translation *translation, struct nt_recorder *recorder, uint32_t pid, nt_time start,
			  int64_t realtime_offset_ns);

/* There is no such source in the file, and why: one sentence. */
void nt_translation_absent(const struct nt_translation *translation, enum nt_source_id source, const char *reason);

/* Hand over what a box has collected. */
void nt_translation_send(const struct nt_translation *translation, struct nt_outbox *box);

/* Has the open interval ended by `time`? Then what has come before is to be sent, and nt_translation_tick() closes it; again, until this is false. */
bool nt_translation_is_due(const struct nt_translation *translation, nt_time time);

/* After this nothing is told of. */
nt_time nt_translation_last(const struct nt_translation *translation);

/* Close the open interval. False: there have been too many, and nothing more is to be told. */
bool nt_translation_tick(struct nt_translation *translation);

/* Nothing happened at `end` or later. `complete`: the file was read to its orderly end. */
void nt_translation_end(struct nt_translation *translation, nt_time end, bool complete);

#endif
