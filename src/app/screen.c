// SPDX-License-Identifier: GPL-2.0-only
#include "app/screen.h"

#include "app/exit.h"
#include "app/loop.h"
#include "app/view_file.h"
#include "ui/term.h"
#include "ui/ui.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

/* When the second frame is due: procfs rates need two readings, and a whole interval is long for somebody who waits. */
enum { SECOND_FRAME_MS = 120 };

struct screen {
	struct nt_session_setup *setup;
	struct nt_session *session;
	struct nt_loop *loop;
	struct nt_term *term;
	struct nt_ui *ui;
	struct nt_grid grid;
	int64_t realtime_offset_ns;
	struct nt_child *child;         /* as in the setup; NULL = none */
	struct nt_child_output *output; /* likewise */
	bool end_told;                  /* that the child has ended */
	uint64_t frames;                /* intervals shown */
	unsigned effects;               /* what is still to be done */
};

static void take_snapshot(void *context, struct nt_snapshot *snapshot)
{
	struct screen *screen = context;
	screen->effects |= nt_ui_snapshot(screen->ui, snapshot, nt_clock_now());
	screen->frames++;
}

static void resize(struct screen *screen)
{
	int width, height;
	nt_term_size(screen->term, &width, &height);
	nt_ui_resize(screen->ui, width, height);
	screen->effects |= NT_UI_REDRAW;
}

static void draw(struct screen *screen)
{
	if (screen->effects & NT_UI_REPAINT)
		nt_term_repaint(screen->term);
	if (screen->effects & (NT_UI_REDRAW | NT_UI_REPAINT)) {
		nt_ui_render(screen->ui, &screen->grid);
		nt_term_blit(screen->term, &screen->grid);
	}
	screen->effects &= ~(unsigned)(NT_UI_REDRAW | NT_UI_REPAINT);
}

/* Ctrl-Z: give the terminal back and stop, like any program; measuring goes on when we are continued. */
static void suspend(struct screen *screen)
{
	nt_session_pause(screen->session);
	nt_term_suspend(screen->term);
	nt_child_stop_with_us(screen->child);
	nt_term_resume(screen->term);
	resize(screen);
	screen->effects |= NT_UI_REPAINT;
}

/* Signals that end the program set NT_UI_QUIT. */
static void take_signals(struct screen *screen)
{
	for (int sig; (sig = nt_loop_signal(screen->loop));) {
		switch (sig) {
		case SIGWINCH:
			resize(screen);
			break;
		case SIGTSTP:
			screen->effects |= NT_UI_SUSPEND;
			break;
		case SIGCONT:
			screen->effects |= NT_UI_REPAINT;
			break;
		default:
			if (!nt_child_interrupt(screen->child, sig))
				screen->effects |= NT_UI_QUIT;
		}
	}
}

/* Ctrl-C is for the program that nettop started, as it would be without nettop. */
static void interrupt(struct screen *screen)
{
	if (nt_child_interrupt(screen->child, SIGINT)) {
		nt_ui_message(screen->ui, nt_clock_now(), "Told the program to end (SIGINT); Ctrl-C again ends nettop, too");
		screen->effects |= NT_UI_REDRAW;
	} else {
		screen->effects |= NT_UI_QUIT;
	}
}

static void look_at_child(struct screen *screen)
{
	char how[64], text[128];
	if (screen->output && nt_child_output_read(screen->output))
		screen->effects |= nt_ui_logged(screen->ui);
	if (!screen->child || screen->end_told || !nt_child_has_ended(screen->child))
		return;
	screen->end_told = true;
	snprintf(text, sizeof(text), "The program has ended: %s", nt_child_end_text(screen->child, how, sizeof(how)));
	nt_ui_message(screen->ui, nt_clock_now(), text);
	screen->effects |= NT_UI_REDRAW;
}

/* P: the outcome is told in the context line. */
static void write_view(struct screen *screen)
{
	struct nt_listing listing;
	struct nt_error err;
	char name[NT_VIEW_FILE_NAME], text[NT_ERROR_TEXT];
	nt_ui_listing(screen->ui, &listing);
	if (nt_view_file_write(&listing, screen->realtime_offset_ns, name, &err) == NT_OK)
		snprintf(text, sizeof(text), "Wrote ./%s", name);
	else
		nt_error_text(&err, text, sizeof(text));
	nt_listing_fini(&listing);
	nt_ui_message(screen->ui, nt_clock_now(), text);
	screen->effects |= NT_UI_REDRAW;
}

static void take_keys(struct screen *screen)
{
	for (nt_key key; (key = nt_term_key(screen->term)) != NT_KEY_NONE;) {
		unsigned effects = nt_ui_handle(screen->ui, key, nt_clock_now());
		/* Before the next key changes what is on the screen. */
		if (effects & NT_UI_WRITE)
			write_view(screen);
		screen->effects |= effects & ~(unsigned)NT_UI_WRITE;
	}
}

static void carry_out(struct screen *screen)
{
	if (screen->effects & NT_UI_SUSPEND) {
		screen->effects &= ~(unsigned)NT_UI_SUSPEND;
		suspend(screen);
	}
	if (screen->effects & NT_UI_INTERRUPT) {
		screen->effects &= ~(unsigned)NT_UI_INTERRUPT;
		interrupt(screen);
	}
	if (screen->effects & NT_UI_INTERVAL) {
		screen->effects &= ~(unsigned)NT_UI_INTERVAL;
		nt_session_set_interval(screen->session, nt_ui_interval(screen->ui));
	}
	draw(screen);
}

/* What was said before there was a screen is covered by it. */
static void tell_notices(struct screen *screen)
{
	const struct nt_log *log = screen->setup->log;
	bool any = false;
	for (size_t i = 0; log && i < nt_log_count(log) && !any; i++)
		any = nt_log_line(log, i).kind == NT_LOG_NETTOP;
	if (any)
		nt_ui_message(screen->ui, nt_clock_now(), "There are notices: L shows them");
}

static void watch_descriptors(struct screen *screen)
{
	nt_session_watch(screen->session, screen->loop);
	nt_loop_watch(screen->loop, STDIN_FILENO, NULL);
	if (screen->output)
		nt_loop_watch(screen->loop, nt_child_output_fd(screen->output), NULL);
}

/* Identity and procfs values are on the screen before the slower sources are opened. */
static void first_frame(struct screen *screen)
{
	nt_session_close_interval(screen->session);
	carry_out(screen);
}

static bool enough(const struct screen *screen, nt_time end)
{
	uint64_t wanted = screen->setup->options->interval_count;
	return (wanted && screen->frames >= wanted) || nt_clock_now() >= end;
}

static void run(struct screen *screen)
{
	nt_time start = nt_clock_now(), duration = screen->setup->options->duration_ns;
	nt_time end = duration ? start + duration : NT_TIME_UNKNOWN;
	nt_time second_frame = start + SECOND_FRAME_MS * NT_NS_PER_MS;
	first_frame(screen);
	nt_session_open_sources(screen->session);
	watch_descriptors(screen);
	while (!(screen->effects & NT_UI_QUIT) && !enough(screen, end)) {
		nt_time wake_at = nt_session_next_pump(screen->session);
		if (second_frame && second_frame < wake_at)
			wake_at = second_frame;
		nt_loop_wake_at(screen->loop, wake_at < end ? wake_at : end);
		unsigned wake = nt_loop_wait(screen->loop);
		nt_session_pump(screen->session);
		look_at_child(screen);
		if (second_frame && nt_clock_now() >= second_frame) {
			nt_session_close_interval(screen->session);
			screen->frames = 0; /* -n counts whole intervals */
			second_frame = 0;
		}
		if (wake & NT_WAKE_SIGNAL)
			take_signals(screen);
		if (wake & NT_WAKE_HANGUP)
			screen->effects |= NT_UI_QUIT;
		if (wake != NT_WAKE_TIMER)
			take_keys(screen);
		screen->effects |= nt_ui_tick(screen->ui, nt_clock_now());
		carry_out(screen);
	}
}

static enum nt_status enter(struct screen *screen, struct nt_error *err)
{
	const struct nt_options *options = screen->setup->options;
	const struct nt_term_config config = { .in = stdin, .out = stdout, .ascii = options->ascii };
	nt_keeper_note(screen->setup->keeper, "terminal", "-");
	return nt_term_enter(&config, &screen->term, err);
}

static void leave(struct screen *screen)
{
	nt_term_leave(screen->term);
	nt_keeper_note(screen->setup->keeper, "-terminal", "-");
}

int nt_screen_run(struct nt_session_setup *setup, struct nt_error *err)
{
	struct screen screen = {
		.setup = setup, .child = setup->child, .output = setup->output, .realtime_offset_ns = nt_clock_realtime_offset()
	};
	const struct nt_ui_config config = {
		.pid = setup->target->pid,
		.name = setup->target->name,
		.interval_ns = setup->options->delay_ns,
		.realtime_offset_ns = screen.realtime_offset_ns,
		.perf_hz = (unsigned)setup->options->perf_hz,
		.log = setup->log,
	};
	enum nt_status status = nt_loop_new(&screen.loop, err);
	if (status == NT_OK)
		status = enter(&screen, err);
	if (status == NT_OK) {
		screen.ui = nt_ui_new(&config);
		nt_grid_init(&screen.grid, 1, 1);
		resize(&screen);
		setup->sink = take_snapshot;
		setup->sink_context = &screen;
		screen.session = nt_session_new(setup);
		tell_notices(&screen);
		run(&screen);
	}
	/* The person gets the terminal back first; closing the sources may take a moment. */
	leave(&screen);
	nt_session_free(screen.session);
	nt_ui_free(screen.ui);
	nt_grid_fini(&screen.grid);
	nt_loop_free(screen.loop);
	return nt_exit_of(status);
}
