/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples in pauses and outside (nettop/pause_samples.h): how many, and the hottest methods of each side, in fixed memory. */
#ifndef NT_MODEL_PAUSE_SIDES_H
#define NT_MODEL_PAUSE_SIDES_H

#include "base/texts.h"
#include "model/common/hot.h"
#include "model/common/pause.h"
#include "model/common/span.h"

/* All zero is an empty one. */
struct nt_pause_sides {
	struct {
		struct nt_hot *hot; /* owned; NULL = none */
		uint64_t interval, all;
		double window;
	} of[NT_PAUSE_SIDES];
	bool told, ever_told;   /* of this interval; of one so far */
	nt_time known_from;     /* pauses that ended before are no longer known */
	struct nt_pauses *near; /* owned: those that samples of this interval may lie in */
};

void nt_pause_sides_fini(struct nt_pause_sides *sides);

/* An interval is about to be counted. `told`: pauses were told for all of it, and nothing was lost. What was sampled before `oldest` is not asked for. */
void nt_pause_sides_begin(struct nt_pause_sides *sides, const struct nt_pauses *pauses, bool told, nt_time oldest);

/* On which side a sample of this time was taken. */
enum nt_pause_side nt_pause_side_of(const struct nt_pause_sides *sides, nt_time time);

/* So many samples of this side were taken in `method`. */
void nt_pause_sides_add(struct nt_pause_sides *sides, enum nt_pause_side side, const struct nt_key *method, unsigned count);

/* Fill the snapshot and start the next interval. Before the renames of this one are cleared. */
void nt_pause_sides_close(struct nt_pause_sides *sides, const struct nt_hot_renames *renames, const struct nt_span *span,
			  struct nt_snapshot *snapshot, struct nt_process_snapshot *process);

void nt_pause_sides_each_text(const struct nt_pause_sides *sides, nt_text_visit *visit, void *context);

#endif
