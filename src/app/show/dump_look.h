/* SPDX-License-Identifier: GPL-2.0-only */
/* A dump on the screen (key D): which one, what it would do, how far it is. */
#ifndef NT_APP_DUMP_LOOK_H
#define NT_APP_DUMP_LOOK_H

#include "app/session/session.h"
#include "app/show/dump_work.h"
#include "app/show/frame.h"

/* All zero but `setup` and `frame`. */
struct nt_dump_look {
	const struct nt_session_setup *setup; /* borrowed */
	struct nt_frame *frame;               /* borrowed */
	struct nt_dump_work work;
	bool watched;
	nt_time told; /* when its progress was said last */
};

/* Carry out what the screen asks for: enum nt_ui_effect bits of dumps, which are taken. */
void nt_dump_look_carry_out(struct nt_dump_look *look);

/* Go on with one that is being written; then it wants to be called again within a quarter of a second: true. */
bool nt_dump_look_go_on(struct nt_dump_look *look);

/* Gives up one that is not over: createdump goes on to its end, and what it writes is gone then. */
void nt_dump_look_fini(struct nt_dump_look *look);

#endif
