/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording in the place of a session: a model, told what the one was told that was recorded. No source, no clock. */
#ifndef NT_APP_REPLAYED_H
#define NT_APP_REPLAYED_H

#include "base/when.h"
#include "nettop/model.h"
#include "record/recording_part.h"
#include "translate/open_file.h"

struct nt_replayed;

/* What is wanted of it. All zero: the snapshots that there were, and no others. */
struct nt_replayed_wish {
	/* Its model keeps besides what screens ask of one: samples and call stacks of each interval, and events one by one. That is wished once, before all else, so what somebody looks at changes no snapshot. */
	bool for_screens;
	/* One final snapshot, of this part: what a nettop would have had that came at its begin and left at its end. There is one also where the recording has none, and before the error of one that is damaged. The begin is that of the interval in which `from` lies. */
	bool summary;
	const struct nt_when *from, *to; /* NULL, or never: its begin, its end */
	enum nt_stacks_wanted stacks;    /* which it has; what is not to be in it is left out of what is replayed, too */
	enum nt_recording_without without;
	void (*see)(void *context, const struct nt_shown_event *shown); /* each event that counts is shown to it; NULL = to nobody */
	void *see_context;
	struct nt_open_wish open; /* of a file of another tool; its texts are borrowed for the opening */
};

/* Open the recording, *out is the caller's. Errors: those of nt_open_file(), and of its first record; USAGE, when the part has no time. */
enum nt_status nt_replayed_open(const char *path, const struct nt_replayed_wish *wish, struct nt_replayed **out, struct nt_error *err);

/* Its snapshots must have been released before. NULL is allowed. */
void nt_replayed_free(struct nt_replayed *replayed);

/* How the model was set up; NULL: the recording has nothing in it. Borrowed. */
const struct nt_model_config *nt_replayed_settings(const struct nt_replayed *replayed);

/* What to add to a time of it to get that of the wall, in ns; of an empty one 0. */
int64_t nt_replayed_realtime_offset(const struct nt_replayed *replayed);

/* Take one input. *out: the snapshot that it made, the caller's reference, or NULL. NT_END, and errors: as nt_recording_file_next(). */
enum nt_status nt_replayed_step(struct nt_replayed *replayed, struct nt_snapshot **out, struct nt_error *err);

/* After NT_END: was the recording ended by who wrote it? */
bool nt_replayed_is_whole(const struct nt_replayed *replayed);

/* After NT_END: `say` is given a line for each thing that snapshots do not show: what was left out, and how far a recording goes that was not ended. */
void nt_replayed_tell_end(const struct nt_replayed *replayed, void (*say)(void *context, const char *line), void *context);

#endif
