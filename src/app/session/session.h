/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/session: sources, model and demand of one watching. */
/*
 * One watching of one target: the open sources, the model they feed, and the demand that goes back. Screen and batch mode both sit on this; they
 * wait on the descriptors and call nt_session_pump().
 */
#ifndef NT_APP_SESSION_H
#define NT_APP_SESSION_H

#include "app/child/child.h"
#include "app/child/child_output.h"
#include "app/common/events_choice.h"
#include "app/common/options.h"
#include "app/keeper/keeper.h"
#include "app/loop/loop.h"
#include "app/session/tape.h"
#include "nettop/model.h"
#include "nettop/source.h"
#include "target/process/target.h"

struct nt_session;
struct nt_succession; /* app/show/succession.h */

/* Called for every snapshot as it is made. The snapshot is lent: retain it to keep it. */
typedef void nt_session_sink(void *context, struct nt_snapshot *snapshot);

struct nt_session_setup {
	const struct nt_options *options;   /* borrowed for the session's life */
	const struct nt_target *target;     /* borrowed, likewise */
	struct nt_keeper *keeper;           /* borrowed */
	const char *runtime_dir;            /* borrowed: folder for the relay */
	struct nt_child *child;             /* borrowed: the program that nettop started; NULL = it watches one that was there */
	struct nt_child_output *output;     /* borrowed: what it writes, while the screen is taken; NULL = none */
	struct nt_log *log;                 /* borrowed: for the screen; NULL = none */
	struct nt_succession *succession;   /* borrowed: who begins in the place of the target is watched next; NULL = nobody is */
	bool from_list;                     /* the person came from the list of processes, and may go back */
	nt_time since;                      /* when that program began: the first interval begins there. 0 = now */
	struct nt_source **early;           /* borrowed, by enum nt_source_id: sources that are open already; NULL when used, or none */
	bool perf_map_set;                  /* of a program that was started: nettop has told it to write a perf map */
	bool perf_map_later;                /* of a program that was started: it is given time before it is told to write one */
	bool perf_map_never;                /* none is switched on: names come from the runtime's own data */
	bool compilations_only;             /* nothing else is looked at */
	enum nt_stacks_wanted stacks;       /* kept from the start */
	const struct nt_told_ear *told_ear; /* borrowed; NULL = nobody */
	struct nt_tape *tape;               /* borrowed: what is written down of what enters the model; NULL = nothing */
	nt_session_sink *sink;
	void *sink_context;
};

/* What the sources of such a session are told. Borrows from the setup. */
struct nt_source_config nt_session_config(const struct nt_session_setup *setup);

/* Opens procfs at once, so that a first frame can be drawn before the slower sources are opened. */
struct nt_session *nt_session_new(const struct nt_session_setup *setup);

/* Open the other sources. One that cannot work says why in the snapshot; nothing here fails as a whole. */
void nt_session_open_sources(struct nt_session *session);

/* Wake up the loop for what the sources have to say; what cannot be watched is drained on the timer. Once, after nt_session_open_sources(). */
void nt_session_watch(struct nt_session *session, struct nt_loop *loop);

/* Drain all sources within their budgets, answer questions, state own cost, close intervals. Call on every wake-up and at nt_session_next_pump(). */
void nt_session_pump(struct nt_session *session);

/* Close the open interval now and send its snapshot to the sink: the first frames of the screen. */
void nt_session_close_interval(struct nt_session *session);

/* When to pump at the latest. Valid after a pump or a closed interval, until the next. */
nt_time nt_session_next_pump(const struct nt_session *session);

void nt_session_set_interval(struct nt_session *session, nt_time interval_ns);

/* From now on the target is asked for these counters: nt_source_config.counters. Copied. */
void nt_session_choose_counters(struct nt_session *session, const char *counters);

/* Is wall time asked for, and the runtime's own sampler all that can tell it? That is so where the runtime cannot be read from outside. */
bool nt_session_samples_wall(const struct nt_session_setup *setup);

/* What is collected whatever is on the screen: enum nt_demand bits. */
unsigned nt_session_always(const struct nt_session_setup *setup);

/* What is on the screen needs these enum nt_demand bits, from now on. */
void nt_session_look(struct nt_session *session, unsigned demand);

/* Other events are told one by one, as long as NT_WANT_TOLD is looked at. None: those that the sources bring anyway. */
void nt_session_choose_events(struct nt_session *session, const struct nt_events_choice *choice);

/* The code of this method is on the screen: id of its struct nt_method_row; 0 = of none. */
void nt_session_annotate(struct nt_session *session, uint64_t method);

/* Somebody will go back to intervals that are over: their samples are kept one by one from now on (nettop/interval_samples.h). */
void nt_session_keep_samples(struct nt_session *session);

/* nettop is about to be stopped (Ctrl-Z): what must not be left unread is let go of, until the next pump. */
void nt_session_pause(struct nt_session *session);

/* True once the target's end was seen. */
bool nt_session_target_ended(const struct nt_session *session);

/*
 * Stop all sources, read them to their end (at most 2 s) and send the final snapshot to the sink. `complete` of that snapshot says whether
 * all ended in time, and none has missed what came last.
 */
void nt_session_finish(struct nt_session *session);

/*
 * Nobody wants to read the end: let go of what is in the target, as far as that is soon done. What is not is done by the keeper after nt_session_free(). Waits for what would harm the
 * target if it were cut off: 1.5 s at most, and mostly nothing.
 */
void nt_session_take_leave(struct nt_session *session);

/*
 * EventPipe is about to be closed, and nobody wants what it still has: a runtime that would lock itself up for good if its sessions were closed in this moment is waited for, until `deadline`, and what
 * comes is thrown away.
 */
void nt_session_await_runtimes(struct nt_source *eventpipe, nt_time deadline);

/*
 * With --check-replay: make all snapshots again, *count of them, from what the model was told so far, and compare. 1 = all are equal, 0 = not; -1 = not asked for.
 */
int nt_session_replay_equal(const struct nt_session *session, size_t *count);

/* Nothing comes any more: the sources are closed. What the model has made lasts until nt_session_free(). */
void nt_session_close_sources(struct nt_session *session);

void nt_session_free(struct nt_session *session); /* closes the sources */

#endif
