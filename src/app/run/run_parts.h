/* SPDX-License-Identifier: GPL-2.0-only */
/* The steps of nt_run(). Inside src/app/run*.c only. */
#ifndef NT_APP_RUN_PARTS_H
#define NT_APP_RUN_PARTS_H

#include "app/loop/loop.h"
#include "app/show/watch.h"
#include "target/launch/follow.h"
#include "target/launch/startup_port.h"

struct nt_run {
	struct nt_options *options;
	const struct nt_show *show;
	struct nt_keeper *keeper;
	struct nt_loop *loop;
	char *runtime_dir; /* owned */
	struct nt_log *log;
	struct nt_child_output *output; /* NULL: no screen, the program writes to our standard error itself */
	char **environment;
	struct nt_child *child;
	struct nt_target *command; /* the child's process before it executes anything */
	struct nt_follow *follow;
	struct nt_session_setup setup;
	struct nt_source_config config;           /* of the early sources */
	struct nt_source *early[NT_SOURCE_COUNT]; /* NULL = none, or the session has it */
	struct nt_startup_port *port;             /* where the program waits for EventPipe; NULL = it does not */
	bool released;                            /* the child executes the command */
	bool told_to_end;
};

/* run_wait.c: what the program has written goes into the log, and through to our own streams while there is no screen. */
void nt_run_read_output(struct nt_run *run);

/* run_wait.c: something that the person should know and that ends nothing. `run` is a struct nt_run. */
void nt_run_say(void *run, const char *sentence);
void nt_run_say_error(struct nt_run *run, const struct nt_error *err);

/*
 * run_wait.c: while there is no screen and no frame. At most `ms`; returns earlier when something happens. False: nettop is to end. Programs that wait at their start and are not ours go on.
 */
bool nt_run_wait(struct nt_run *run, unsigned ms);

/* run_port.c: EventPipe reads before the program goes on, unless LTTng brings all. Without a port nothing is done. */
void nt_run_begin_eventpipe(struct nt_run *run, const struct nt_target *target);

/* run_port.c: nobody waits for nettop any more; who comes to the port from now on is the keeper's. Nothing is done twice, or without a port. */
void nt_run_leave_port(struct nt_run *run);

/* run_start.c: everything until the child waits at its gate. What was made before an error stays. */
enum nt_status nt_run_prepare(struct nt_run *run, struct nt_error *err);

/* run_start.c: tracing begins before the program does. Without LTTng it starts all the same: the session says what is missing. */
void nt_run_await_tracing(struct nt_run *run);

/*
 * run_follow.c: from the start of the command until there is a program to watch, which is the caller's. NT_END: there will be none, or nettop is to
 * end. An error: it cannot be watched.
 */
enum nt_status nt_run_await_program(struct nt_run *run, struct nt_target **out, struct nt_error *err);

#endif
