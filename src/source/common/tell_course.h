/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The course of telling events that somebody has chosen one by one, whatever session brings them: it begins while they are wanted, ends when they are not or when others are chosen, and is
 * not tried again where it was refused. Of a flood NT_TELL_A_SECOND are told. It decides, and does nothing: what a session is its owner knows. One thread.
 */
#ifndef NT_SOURCE_TELL_COURSE_H
#define NT_SOURCE_TELL_COURSE_H

#include "nettop/clock.h"
#include "nettop/status.h"

#include <stdbool.h>

enum { NT_TELL_A_SECOND = 2000 };

/* All zero: nothing is wanted. */
struct nt_tell_course {
	bool wanted;
	bool refused; /* what is chosen cannot be had: it has been said why */
	bool on;      /* it has been said that all is told */
	nt_time ends; /* the session was asked to end, and is closed at that time; 0 = not */
	double room;  /* so many may be told now */
	nt_time room_at;
};

/* Asked for anew they get another try. */
void nt_tell_course_want(struct nt_tell_course *course, bool wanted);

/* Before a look at what has come: there is room for more. */
void nt_tell_course_make_room(struct nt_tell_course *course, nt_time now);

/* May one more be told? Takes the room for it. */
bool nt_tell_course_takes(struct nt_tell_course *course);

/* What to do after a look that ended with `status`; `began`: the session has. */
enum nt_tell_news { NT_TELL_NO_NEWS, NT_TELL_NOW_ON, NT_TELL_OVER };
enum nt_tell_news nt_tell_course_news(struct nt_tell_course *course, enum nt_status status, bool began, nt_time now);

/* The session is closed. */
void nt_tell_course_closed(struct nt_tell_course *course);

/* What to do now: `open`: there is a session; `changed`: of others than are chosen now; `any`: something is chosen. */
enum nt_tell_turn { NT_TELL_STAY, NT_TELL_STOP, NT_TELL_BEGIN };
enum nt_tell_turn nt_tell_course_turn(struct nt_tell_course *course, bool open, bool changed, bool any, nt_time now);

#endif
