/* SPDX-License-Identifier: GPL-2.0-only */
/* Room model/whole: the model: events in, snapshots out. */
/* The model: the processes, and the intervals that they share. For src/model/ only. */
#ifndef NT_MODEL_MODEL_STATE_H
#define NT_MODEL_MODEL_STATE_H

#include "model/whole/process_model.h"

/* Processes at a time. Some hundred KB each at least, some MB of one that all sources tell of, and a recording may name any number. */
enum { NT_MODEL_PROCESSES = 256 };

struct nt_model {
	struct nt_model_config config;
	struct nt_shared shared;
	double decay;
	nt_time ticked;    /* time of the last tick; 0 = none yet */
	nt_time patience;  /* until then intervals wait for sources that have to catch up */
	uint64_t sequence; /* of the newest snapshot */

	struct nt_process_model *processes
		[NT_MODEL_PROCESSES]; /* owned; the first is that of the configuration, the others in the order in which they came */
	size_t process_count;
	struct nt_question *questions; /* owned; the answer to the newest NT_EV_ASK */
	size_t question_count;
};

/* model_processes.c: the one that events of this process go to; NULL = there is none. */
struct nt_process_model *nt_model_process(const struct nt_model *model, uint32_t pid);

/* The same for this event. Where it says that another process has that number now, the one before gets no more events, and what is known of it stays as it is. */
struct nt_process_model *nt_model_process_of(struct nt_model *model, const struct nt_event *event);

/* Take in an event that is no direction, and of no process that there is. A TARGET event adds one. */
void nt_model_take(struct nt_model *model, const struct nt_batch *batch, const struct nt_event *event);

/* directions.c: do as this event says, for which nt_event_is_direction() holds. */
void nt_model_obey(struct nt_model *model, const struct nt_event *event);

/* Where an interval ends that should at t1: no later than the end of all, and there, where only a splinter would be left. */
nt_time nt_model_cut_at_end(const struct nt_model *model, nt_time t1);

/* snapshot_make.c: what is known at the end of the interval; starts the next one in every process. The caller owns the reference. */
struct nt_snapshot *nt_model_snapshot(struct nt_model *model, const struct nt_span *span);

#endif
