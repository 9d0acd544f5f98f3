/* SPDX-License-Identifier: GPL-2.0-only */
/* Room app/keeper: the process that puts things right. */
/*
 * The keeper: a second, small process that puts things right when nettop dies in a way that leaves it no time (SIGKILL, crash, out of memory).
 *
 * It is forked before curses starts and lives in a session of its own. It holds one end of a socket and a list of what must be undone. nettop notes
 * each thing when it makes it, and takes the note back when it has undone it itself. When the socket closes, the keeper undoes what is still on
 * the list and ends. It has no model, parses nothing of the target's and prints nothing.
 *
 * It keeps the rights that nettop gives up (rights.h), so it also does, by a child each, what nettop asks for and has no right to: deeds in a target's place (target/common/deed.h), signals to the program that nettop has started,
 * and starting LTTng's daemons.
 *
 * There are two of them. The other one, the spare, was forked by the keeper before it knew of anything and does nothing but wait. When the keeper ends, the spare is told all notes that
 * are in force, takes its place, and forks another spare. So whoever would leave nettop's work behind has to kill both in the same moment.
 *
 * Verbs (argument):
 *   terminal -               restore the terminal's modes as they were at nt_keeper_start(), leave the alternate screen
 *   lttng-session NAME       destroy this LTTng session
 *   kill-child PID:START     end this process if its start time (field 22 of stat) is still START
 *   hang-up-group PID:START  this process stands still, because we stopped its process group: SIGHUP to all of that, and let it go on
 *   sessiond PID:START       end this session daemon, likewise, if no session is left in it
 *   remove-dir PATH          remove this folder and all in it, if it is ours and its name begins with "nettop-"
 *   perf-map WHAT            switch off and remove the perf map that nettop has switched on, unless others watch the target: nt_perf_map_undo_text(); comes with
 *                            the folder that it is in
 *   startup-port PATH        answer the .NET programs that wait at this socket, until nobody can come any more: keeper_port.h
 *   lent-port DEED           remove what a port was lent by (deed.h); comes with the folder that it is in
 *   dump-room DEED           remove where a dump is written, likewise
 * A verb with "-" before it takes the note of the same verb and argument back.
 */
#ifndef NT_APP_KEEPER_H
#define NT_APP_KEEPER_H

#include <stdbool.h>
#include <sys/types.h>

#include "nettop/status.h"

struct nt_keeper;

/*
 * Fork it. Must be called before threads exist and before the terminal is changed. terminal_fd: the terminal that "terminal" restores, -1 =
 * none; only its modes now are remembered, the descriptor stays the caller's.
 */
enum nt_status nt_keeper_start(int terminal_fd, struct nt_keeper **out, struct nt_error *err);

/* Note, or take back ("-verb"). Callable from any thread: one message under PIPE_BUF. Signature fits nt_source_config.undo_note. */
void nt_keeper_note(void *keeper, const char *verb, const char *argument);

/*
 * The same with a duplicate of `fd`, which it keeps until the note is taken back. Such notes are of a target each: of one verb there may be NT_KEEPER_HELD_MAX (keeper_verbs.h). False: there
 * are so many, and nothing was noted. Signature fits nt_source_config.undo_hold.
 */
bool nt_keeper_hold(void *keeper, const char *verb, const char *argument, int fd);

/*
 * A stream of the target's that must not be left unread (EventPipe): the keeper gets a duplicate, and shuts the connection down when nettop is gone, or has
 * read nothing for a second while data waits: stopped, starved, hanging. nettop then sees its end. Signatures fit nt_source_config.stream_*.
 */
void nt_keeper_stream(void *keeper, int fd);
void nt_keeper_stream_read(void *keeper);
void nt_keeper_stream_done(void *keeper, int fd);

/* A startup port, of whose listener the keeper gets a duplicate; noted. nettop serves it until nt_keeper_port_yield(), from then on the keeper does. */
void nt_keeper_port(struct nt_keeper *keeper, const char *path, int listener);
void nt_keeper_port_yield(struct nt_keeper *keeper);

/*
 * Send a signal to the group of this child of ours ("PID:START"), which may have become another user: we have no right to any more. True: it was asked for; it is not waited for, and notes
 * that come later are later. From any thread.
 */
bool nt_keeper_signal(const struct nt_keeper *keeper, const char *process, int signal);

/* Who it is now; another one when it was replaced. */
pid_t nt_keeper_pid(const struct nt_keeper *keeper);

/* Readable when nt_keeper_mend() has something to do: the keeper or its spare has ended. That puts another one in its place. For one thread, whichever. */
int nt_keeper_fd(const struct nt_keeper *keeper);
void nt_keeper_mend(struct nt_keeper *keeper);

/* What has happened to it since the last call, one sentence, static; NULL = nothing. To be called once an interval. */
const char *nt_keeper_news(struct nt_keeper *keeper);

/* nettop is about to end by itself, from any thread: as if it had died, but the terminal comes first, for which the keeper has 50 ms: the rest waits for our end. It is still the caller's. */
void nt_keeper_let_go(struct nt_keeper *keeper);

/* Orderly end: the keeper sees the closed socket, undoes what is left (nothing, when all went well) and is waited for, at most 0.2 s;
 * with more to do it goes on by itself. */
void nt_keeper_end(struct nt_keeper *keeper);

#endif
