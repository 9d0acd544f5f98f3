/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What every full screen has: the terminal, which stays taken when one screen follows another, and for each of them what it waits on, what it shows, and the
 * effects of keys and signals that are the same everywhere.
 */
#ifndef NT_APP_FRAME_H
#define NT_APP_FRAME_H

#include "app/child/child.h"
#include "app/common/options.h"
#include "app/keeper/keeper.h"
#include "app/loop/loop.h"
#include "app/session/tape.h"
#include "app/settings/settings_file.h"
#include "ui/act/ui.h"
#include "ui/terminal/term.h"

struct nt_frame {
	struct nt_keeper *keeper;          /* borrowed: gives the terminal back if nettop dies */
	struct nt_child *child;            /* borrowed: the program that signals are for as long as it runs; NULL = none */
	struct nt_term *term;              /* owned; NULL = not taken */
	struct nt_loop *loop;              /* owned, of this screen */
	struct nt_settings_file *settings; /* borrowed from the options: what is chosen */
	struct nt_ui *ui;                  /* borrowed from this screen */
	struct nt_past *past;              /* likewise: what that ui can go back to; NULL = nothing is kept */
	struct nt_tape *tape;              /* likewise: what is written down of its session; NULL = there is none */
	struct nt_past *past_of_ended;     /* likewise, of the process before this one; NULL = there was none */
	const struct nt_target *target;    /* likewise: whom that ui is about; NULL = several, or one that is gone */
	struct nt_grid grid;
	int64_t realtime_offset_ns;
	bool entered, told; /* told: what could not be taken of the settings */
	bool unsent;        /* of a slow line: not all of the grid is on the screen yet */
	unsigned effects;   /* enum nt_ui_effect bits that are still to be done */
};

/* All zero but keeper and child before. Takes the terminal. The frame must be left in any case. */
enum nt_status nt_frame_enter(struct nt_frame *frame, const struct nt_options *options, struct nt_error *err);

/* Gives it back. Harmless when it was not taken, and again. */
void nt_frame_leave(struct nt_frame *frame);

/* A screen begins: its loop, with the terminal watched, and its ui, its past and its target (both NULL: none), which are borrowed. End it in any case. */
enum nt_status nt_frame_begin(struct nt_frame *frame, struct nt_ui *ui, struct nt_past *past, const struct nt_target *target,
			      struct nt_error *err);
void nt_frame_end(struct nt_frame *frame);

/* Another ui of the same screen is shown from now on; borrowed, and its past and target likewise. */
void nt_frame_show(struct nt_frame *frame, struct nt_ui *ui, struct nt_past *past, const struct nt_target *target);

/* Tell the ui what is written down of its process. */
void nt_frame_show_tape(struct nt_frame *frame, const struct nt_tape *tape, struct nt_ui *ui);

/* Take signals, hang-up and keys as far as `wake` (of nt_loop_wait()) tells of them: afterwards `effects` has what they ask for. */
void nt_frame_take_input(struct nt_frame *frame, unsigned wake);

/* Carry out what is the same on every screen, and draw. What stays in `effects` is the screen's. */
void nt_frame_carry_out(struct nt_frame *frame);

/* What is chosen so far, for the screen that begins. Borrowed. */
const struct nt_settings *nt_frame_settings(const struct nt_frame *frame);

/* Once: the first thing that could not be taken of the settings. All of it stands before the shell's next prompt. */
void nt_frame_tell_problems(struct nt_frame *frame);

/* The time at which to wake up, if it is to be at `wake_at` at the latest. */
nt_time nt_frame_wake_at(const struct nt_frame *frame, nt_time wake_at);

/* Say something in the context line. */
void nt_frame_message(struct nt_frame *frame, const char *text);

#endif
