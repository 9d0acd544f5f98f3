/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/many: several processes at once. */
/*
 * Several processes, watched as far as a list of them needs it: each source that is used is opened once and given all of them, and one model has them all. Who they are is looked for
 * time and again, so that one that begins comes to them, and one that begins in the place of another takes it up.
 */
#ifndef NT_APP_MANY_H
#define NT_APP_MANY_H

#include "app/common/options.h"
#include "app/keeper/keeper.h"
#include "app/loop/loop.h"
#include "nettop/process_row.h"

struct nt_many;

/* Called for every interval, and for each look while nothing is watched: the snapshot has the rows, and what is known of their processes. It is lent: retain it to keep it. */
typedef void nt_many_sink(void *context, struct nt_snapshot *snapshot);

struct nt_many_setup {
	const struct nt_options *options; /* borrowed for its life */
	struct nt_keeper *keeper;         /* borrowed */
	const char *runtime_dir;          /* borrowed: as that of a session */
	nt_many_sink *sink;
	void *sink_context;
};

/* Do the options ask for a list of processes that are watched? So does a name that several bear, which they do not tell. */
bool nt_many_is_asked_for(const struct nt_options *options);

/* What cannot be had of several processes; USAGE with the sentence. */
enum nt_status nt_many_check(const struct nt_options *options, struct nt_error *err);

/* Begins to look. *out is the caller's. */
enum nt_status nt_many_new(const struct nt_many_setup *setup, struct nt_many **out, struct nt_error *err);

/* Lets go of the processes; waits for what would harm one if it were cut off: 1.5 s at most, and mostly nothing. NULL is allowed. */
void nt_many_free(struct nt_many *many);

/* Wake up the loop for what there is to say; once. */
enum nt_status nt_many_watch(struct nt_many *many, struct nt_loop *loop, struct nt_error *err);

/* Look, drain, close intervals. On every wake-up, and at nt_many_next_pump(). What could not be looked at is said in *err. */
enum nt_status nt_many_pump(struct nt_many *many, struct nt_error *err);
nt_time nt_many_next_pump(const struct nt_many *many);

void nt_many_set_interval(struct nt_many *many, nt_time interval_ns);

/* What somebody looks at: enum nt_demand bits. Of these only NT_WANT_CPU_SAMPLES is collected for the list beyond what its headlines take. */
void nt_many_look(struct nt_many *many, unsigned demand);

/* nettop is about to be stopped (Ctrl-Z): what must not be left unread is let go of, until the next pump. */
void nt_many_pause(struct nt_many *many);

/* Nobody looks at the list: let go of the processes, until the next pump. What is known stays. */
void nt_many_rest(struct nt_many *many);

/* All is over: read what there is to its end, 1.5 s at most, and send the last interval, and the summary, to the sink. Nothing while no process was watched. */
void nt_many_finish(struct nt_many *many);

/* Has there been a look? How many processes are there, by the newest. */
bool nt_many_has_looked(const struct nt_many *many);
size_t nt_many_count(const struct nt_many *many);

/* With --check-replay, as nt_session_replay_equal(). */
int nt_many_replay_equal(const struct nt_many *many, size_t *count);

#endif
