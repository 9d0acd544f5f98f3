/* SPDX-License-Identifier: GPL-2.0-only */
/* `nettop [-p PID]`, and what `nettop run` has in common with it once its program is there. */
#ifndef NT_APP_WATCH_H
#define NT_APP_WATCH_H

#include "app/many/many.h"
#include "app/session/session.h"

/* What is done with a session that is set up, from opening it to its end. Returns the exit status: TARGET_ENDED if the target ended first. */
struct nt_show {
	int (*run)(void *context, struct nt_session_setup *setup, struct nt_error *err);
	void *context;
	bool compilations_only; /* nothing else is looked at */
};

/* The screen or the frames, as the options say. The terminal is given back on every way out (a crash: by the keeper). */
extern const struct nt_show nt_show_as_asked;

/* The process that the options name, without a screen. Returns the exit status. */
int nt_watch_with(const struct nt_options *options, const struct nt_show *show, struct nt_error *err);

/* The processes that the options name, without a screen: `run` is given the setup, in which the sink is its own to fill in. Returns the exit status. */
int nt_watch_several(const struct nt_options *options, int (*run)(struct nt_many_setup *setup, struct nt_error *err), struct nt_error *err);

/*
 * Watch the process that the options name, until the person or the target ends it. Without one, the list of processes: as a screen, from which one is
 * opened, or as text. Returns the exit status.
 */
int nt_watch_run(struct nt_options *options, struct nt_error *err);

/* A full screen needs a terminal that can move its cursor; anything else gets text frames, and is told. */
void nt_watch_choose_output(struct nt_options *options);

/* A folder for the relay, known to the keeper. *path is the caller's. */
enum nt_status nt_watch_make_dir(struct nt_keeper *keeper, char **path, struct nt_error *err);
void nt_watch_remove_dir(struct nt_keeper *keeper, char *path); /* and frees it; NULL is allowed */

#endif
