/* SPDX-License-Identifier: GPL-2.0-only */
/* When a process on the screen has ended: who begins in its place is watched next, and the last screen of the one that ended is kept. */
#ifndef NT_APP_SUCCESSION_H
#define NT_APP_SUCCESSION_H

#include "app/session/session.h"
#include "model/past/past.h"
#include "source/processes/process_watch.h"
#include "ui/act/ui.h"

/* The last screen of a process, whose tables can still be looked at. All owned. */
struct nt_ended_screen {
	struct nt_ui *ui;
	struct nt_session *session; /* without sources: the snapshots of the ui are of its model */
	struct nt_log *log;         /* of the ui */
	struct nt_past *past;       /* what it can go back to */
	char *said;                 /* who that was, and how it ended */
};

/* All zero at first. */
struct nt_succession {
	struct nt_ended_screen before;  /* all zero = there is none yet */
	struct nt_target *next;         /* who has begun in its place, the caller's; NULL = nobody yet */
	struct nt_process_watch *watch; /* owned; NULL = not looked for */
	char pid[16];                   /* of the one on the screen */
	nt_time next_look;
	bool looking;
};

/* Remember the process on the screen by what it is, to know its successor. `loop` wakes up for what is found. */
void nt_succession_begin(struct nt_succession *succession, const struct nt_target *target, struct nt_loop *loop);

/* `ended`: it has; look for its successor. When there is one, `next` is it. */
void nt_succession_go_on(struct nt_succession *succession, bool ended);

/* When to call that at the latest; NT_TIME_UNKNOWN: when the process has ended. */
nt_time nt_succession_next(const struct nt_succession *succession, bool ended);

/* That process is no longer on the screen. */
void nt_succession_end(struct nt_succession *succession);

/* Keep this one in place of the one before; all of it is taken. */
void nt_succession_keep(struct nt_succession *succession, struct nt_ended_screen *screen);

/* The kept one goes. Harmless when there is none, and again. */
void nt_succession_forget(struct nt_succession *succession);

#endif
