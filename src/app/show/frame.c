// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/frame.h"

#include "app/common/print.h"
#include "app/show/report_settings.h"
#include "app/show/view_file.h"
#include "model/past/past_compare.h"
#include "model/past/past_span.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Of a slow line: how long it saves for the next piece. */
#define UNSENT_NS (200 * NT_NS_PER_MS)

static void resize(struct nt_frame *frame)
{
	int width, height;
	nt_term_size(frame->term, &width, &height);
	nt_ui_resize(frame->ui, width, height);
	frame->effects |= NT_UI_REDRAW;
}

enum nt_status nt_frame_enter(struct nt_frame *frame, const struct nt_options *options, struct nt_error *err)
{
	const struct nt_term_config config = { .in = stdin,
					       .out = nt_print_raw(),
					       .theme = options->theme,
					       .mouse = options->mouse,
					       .slow = options->slow,
					       .ascii = options->ascii };
	frame->realtime_offset_ns = nt_clock_realtime_offset();
	nt_grid_init(&frame->grid, 1, 1);
	frame->entered = true;
	frame->settings = options->settings;
	nt_keeper_note(frame->keeper, "terminal", "-");
	return nt_term_enter(&config, &frame->term, err);
}

void nt_frame_leave(struct nt_frame *frame)
{
	if (!frame->entered)
		return;
	frame->entered = false;
	nt_term_leave(frame->term);
	frame->term = NULL;
	nt_keeper_note(frame->keeper, "-terminal", "-");
	nt_grid_fini(&frame->grid);
}

const struct nt_settings *nt_frame_settings(const struct nt_frame *frame)
{
	return nt_settings_file_chosen(frame->settings);
}

enum nt_status nt_frame_begin(struct nt_frame *frame, struct nt_ui *ui, struct nt_past *past, const struct nt_target *target,
			      struct nt_error *err)
{
	enum nt_status status = nt_loop_new(&frame->loop, err);
	if (status != NT_OK)
		return status;
	frame->ui = ui;
	frame->past = past;
	frame->target = target;
	frame->effects = NT_UI_REPAINT;
	resize(frame);
	nt_loop_watch_terminal(frame->loop, STDIN_FILENO, NULL);
	return NT_OK;
}

void nt_frame_show(struct nt_frame *frame, struct nt_ui *ui, struct nt_past *past, const struct nt_target *target)
{
	frame->ui = ui;
	frame->past = past;
	frame->target = target;
	frame->effects |= NT_UI_REPAINT;
	resize(frame);
}

void nt_frame_end(struct nt_frame *frame)
{
	if (frame->ui)
		nt_ui_settings(frame->ui, nt_settings_file_chosen(frame->settings));
	nt_loop_free(frame->loop);
	frame->ui = NULL;
	frame->past = frame->past_of_ended = NULL;
	frame->tape = NULL;
	frame->target = NULL;
	frame->loop = NULL;
}

void nt_frame_message(struct nt_frame *frame, const char *text)
{
	nt_ui_message(frame->ui, nt_clock_now(), text);
	frame->effects |= NT_UI_REDRAW;
}

void nt_frame_tell_problems(struct nt_frame *frame)
{
	const char *problems = nt_settings_file_problems(frame->settings);
	char first[2 * NT_ERROR_TEXT];
	if (!*problems || frame->told)
		return;
	frame->told = true;
	snprintf(first, sizeof(first), "%.*s", (int)strcspn(problems, "\n"), problems);
	nt_frame_message(frame, first);
}

void nt_frame_show_tape(struct nt_frame *frame, const struct nt_tape *tape, struct nt_ui *ui)
{
	bool records = nt_tape_records(tape);
	const struct nt_ui_tape shown = { .records = records,
					  .bytes = records ? nt_recorder_said(tape->recorder).bytes : 0,
					  .kept_ns = tape->reach_ns ? nt_flight_reach(tape->flight) : 0 };
	nt_ui_tape(ui, &shown);
	frame->effects |= NT_UI_REDRAW;
}

/* ---- input ---- */

/* SIGUSR2, as perf record has it. */
static void write_kept(struct nt_frame *frame)
{
	char said[NT_TAPE_SAID];
	if (frame->tape)
		nt_tape_write_somewhere(frame->tape, said);
	nt_frame_message(frame, frame->tape ? said : "Nothing is kept of this");
}

/* Signals that end the program set NT_UI_QUIT. */
static void take_signals(struct nt_frame *frame)
{
	for (int sig; (sig = nt_loop_signal(frame->loop));) {
		switch (sig) {
		case SIGWINCH:
			resize(frame);
			break;
		case SIGTSTP:
			frame->effects |= NT_UI_SUSPEND;
			break;
		case SIGCONT:
			frame->effects |= NT_UI_REPAINT;
			break;
		case SIGUSR2:
			write_kept(frame);
			break;
		default:
			if (!nt_child_interrupt(frame->child, sig))
				frame->effects |= NT_UI_QUIT;
		}
	}
}

/* Key w. What becomes of a recording is told when it is known. */
static void write_recording(struct nt_frame *frame, const struct nt_file_wish *wish)
{
	char name[NT_VIEW_FILE_NAME], text[2 * NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	enum nt_status status = NT_ERR_USAGE;
	if (!frame->tape) {
		nt_frame_message(frame, "This process has ended: nothing of it is kept but what is shown");
		return;
	}
	if (wish->file == NT_FILE_NO_RECORDING) {
		bool records = nt_tape_records(frame->tape);
		nt_frame_message(frame, nt_tape_stop(frame->tape) ? "The recording ends here"
					: records                 ? "Another file is still being written: the recording goes on"
								  : "The recording has ended already");
		nt_frame_show_tape(frame, frame->tape, frame->ui);
		return;
	}
	for (int number = 1; status == NT_ERR_USAGE && number <= (wish->suggested ? NT_VIEW_FILE_NUMBERS : 1); number++) {
		nt_view_file_name(wish->name, number, name);
		err = (struct nt_error){ 0 };
		status = wish->file == NT_FILE_RECORDING ? nt_tape_record(frame->tape, name, 0, &err)
							 : nt_tape_write(frame->tape, name, &err);
	}
	if (status == NT_OK)
		snprintf(text, sizeof(text), "%s %s%s%s", wish->file == NT_FILE_RECORDING ? "Recording into" : "Writing",
			 strchr(name, '/') ? "" : "./", name, wish->file == NT_FILE_RECORDING ? ": w ends it" : "");
	else
		nt_error_text(&err, text, sizeof(text));
	nt_frame_show_tape(frame, frame->tape, frame->ui);
	nt_frame_message(frame, text);
}

/* Key w: the outcome is told in the context line. */
static void write_file(struct nt_frame *frame)
{
	const struct nt_file_wish wish = nt_ui_file_wish(frame->ui);
	if (nt_file_is_recording(wish.file)) {
		write_recording(frame, &wish);
		return;
	}
	struct nt_listing listing;
	struct nt_error err;
	char name[NT_VIEW_FILE_NAME], text[NT_ERROR_TEXT];
	struct nt_jit_report *started_with = nt_file_is_report(wish.file) ? nt_report_settings(frame->target) : NULL;
	nt_ui_listing(frame->ui, &listing);
	if (nt_view_file_write(&listing, frame->realtime_offset_ns, started_with, &wish, name, &err) == NT_OK)
		snprintf(text, sizeof(text), "Wrote %s%s", strchr(name, '/') ? "" : "./", name);
	else
		nt_error_text(&err, text, sizeof(text));
	nt_listing_fini(&listing);
	nt_jit_report_free(started_with);
	nt_frame_message(frame, text);
}

/* Key W. */
static void save(struct nt_frame *frame)
{
	struct nt_error err = { 0 };
	char text[NT_ERROR_TEXT];
	nt_ui_settings(frame->ui, nt_settings_file_chosen(frame->settings));
	if (nt_settings_file_save(frame->settings, &err) == NT_OK)
		snprintf(text, sizeof(text), "Wrote %s", nt_settings_file_path(frame->settings));
	else
		nt_error_text(&err, text, sizeof(text));
	nt_frame_message(frame, text);
}

static struct nt_snapshot *snapshot_of(const struct nt_frame *frame, const struct nt_ui_moment *wished)
{
	struct nt_past *past = frame->past, *against = wished->against_ended ? frame->past_of_ended : past;
	if (wished->against_to && against)
		return nt_past_compare(against, wished->against_from, wished->against_to, past, wished->from, wished->to);
	if (wished->to)
		return nt_past_span(past, wished->from, wished->to);
	uint64_t sequence = wished->time ? nt_past_at(past, wished->time) : 0;
	struct nt_snapshot *snapshot = nt_past_get(past, sequence > wished->sequence ? sequence : wished->sequence);
	if (snapshot && wished->calls)
		nt_past_add_stacks(past, snapshot);
	return snapshot;
}

/* Keys [ ] { } and what is chosen on the screen of time. */
static void go_back(struct nt_frame *frame)
{
	const struct nt_ui_moment wished = nt_ui_moment_wished(frame->ui);
	struct nt_snapshot *snapshot = frame->past ? snapshot_of(frame, &wished) : NULL;
	if (snapshot)
		frame->effects |= nt_ui_go_back(frame->ui, snapshot, nt_clock_now());
	else
		nt_frame_message(frame, frame->past && nt_past_reach(frame->past).crowded
						? "Nothing older is kept: there was no room for a quarter of an hour"
						: "Nothing older is kept");
	nt_snapshot_release(snapshot);
}

static void take_keys(struct nt_frame *frame)
{
	for (nt_key key; (key = nt_term_key(frame->term)) != NT_KEY_NONE;) {
		unsigned effects = nt_ui_handle(frame->ui, key, nt_clock_now());
		/* Before the next key changes what is on the screen. */
		if (effects & NT_UI_WRITE)
			write_file(frame);
		if (effects & NT_UI_SAVE)
			save(frame);
		if (effects & NT_UI_MOMENT)
			go_back(frame);
		frame->effects |= effects & ~(unsigned)(NT_UI_WRITE | NT_UI_SAVE | NT_UI_MOMENT);
	}
}

void nt_frame_take_input(struct nt_frame *frame, unsigned wake)
{
	if (wake & NT_WAKE_SIGNAL)
		take_signals(frame);
	if (wake & NT_WAKE_HANGUP)
		frame->effects |= NT_UI_QUIT;
	if (wake != NT_WAKE_TIMER)
		take_keys(frame);
	frame->effects |= nt_ui_tick(frame->ui, nt_clock_now());
}

nt_time nt_frame_wake_at(const struct nt_frame *frame, nt_time wake_at)
{
	nt_time soon = frame->unsent ? nt_clock_now() + UNSENT_NS : NT_TIME_UNKNOWN;
	return soon < wake_at ? soon : wake_at;
}

/* ---- effects ---- */

/* Ctrl-Z: give the terminal back and stop, like any program; measuring goes on when we are continued. */
static void suspend(struct nt_frame *frame)
{
	nt_term_suspend(frame->term);
	nt_child_stop_with_us(frame->child);
	nt_term_resume(frame->term);
	resize(frame);
	frame->effects |= NT_UI_REPAINT;
}

/* Ctrl-C is for the program that nettop started, as it would be without nettop. */
static void interrupt(struct nt_frame *frame)
{
	if (nt_child_interrupt(frame->child, SIGINT))
		nt_frame_message(frame, "Told the program to end (SIGINT); Ctrl-C again ends nettop, too");
	else
		frame->effects |= NT_UI_QUIT;
}

static void draw(struct nt_frame *frame)
{
	if (frame->effects & NT_UI_REPAINT)
		nt_term_repaint(frame->term);
	if (frame->effects & (NT_UI_REDRAW | NT_UI_REPAINT)) {
		nt_ui_render(frame->ui, &frame->grid);
		frame->unsent = true;
	}
	if (frame->unsent)
		frame->unsent = !nt_term_blit(frame->term, &frame->grid);
	frame->effects &= ~(unsigned)(NT_UI_REDRAW | NT_UI_REPAINT);
}

void nt_frame_carry_out(struct nt_frame *frame)
{
	if (frame->effects & NT_UI_SUSPEND) {
		frame->effects &= ~(unsigned)NT_UI_SUSPEND;
		suspend(frame);
	}
	if (frame->effects & NT_UI_THEME) {
		frame->effects &= ~(unsigned)NT_UI_THEME;
		nt_ui_settings(frame->ui, nt_settings_file_chosen(frame->settings));
		nt_term_set_theme(frame->term, nt_frame_settings(frame)->theme);
		frame->effects |= NT_UI_REDRAW;
	}
	if (frame->effects & NT_UI_INTERRUPT) {
		frame->effects &= ~(unsigned)NT_UI_INTERRUPT;
		interrupt(frame);
	}
	draw(frame);
}
