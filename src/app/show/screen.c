// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/screen.h"

#include "app/common/exit.h"
#include "app/show/dump_look.h"
#include "app/show/frame.h"
#include "app/show/heap_look.h"
#include "app/show/succession.h"
#include "app/show/trigger_acts.h"
#include "base/alloc.h"
#include "model/past/past.h"
#include "source/eventpipe/eventpipe_counters.h"

#include <stdio.h>
#include <string.h>

/*
 * When frames are due before the first interval is over, which is long for somebody who waits: rates of procfs need two readings, and the names of what runs come within half a second,
 * some of them at once.
 */
static const nt_time early_frames_ns[] = { 120 * NT_NS_PER_MS, 300 * NT_NS_PER_MS, 500 * NT_NS_PER_MS };
static const nt_time heap_step_ns = 10 * NT_NS_PER_MS, dump_step_ns = 100 * NT_NS_PER_MS;
enum { EARLY_FRAMES = sizeof(early_frames_ns) / sizeof(early_frames_ns[0]) };

struct screen {
	struct nt_session_setup *setup;
	struct nt_session *session;
	struct nt_frame *frame;
	struct nt_ui *ui;               /* of this process; the frame may show that of the one before */
	char end_text[NT_ERROR_TEXT];   /* how the target ended; "" = not known */
	struct nt_child *child;         /* as in the setup; NULL = none */
	struct nt_child_output *output; /* likewise */
	bool end_told;                  /* that the child has ended */
	uint64_t frames;                /* intervals shown */
	struct nt_trigger_acts acts;
	struct nt_heap_look heap;
	struct nt_dump_look dump;
	struct nt_past *past; /* owned: what was shown, to go back to */
};

static void mark(void *context, const char *line)
{
	struct screen *screen = context;
	nt_log_add(screen->setup->log, nt_clock_now(), NT_LOG_NETTOP, line, strlen(line));
	nt_frame_message(screen->frame, line);
}

static void take_snapshot(void *context, struct nt_snapshot *snapshot)
{
	struct screen *screen = context;
	const struct nt_target_info *target = &snapshot->processes[0].target;
	nt_frame_show_tape(screen->frame, screen->setup->tape, screen->ui);
	nt_past_add(screen->past, snapshot);
	const struct nt_past_reach reach = nt_past_reach(screen->past);
	nt_ui_past(screen->ui, reach.first, reach.from, reach.exact_from);
	screen->frame->effects |= nt_ui_snapshot(screen->ui, snapshot, nt_clock_now());
	if (target->ended && target->end_text)
		snprintf(screen->end_text, sizeof(screen->end_text), "%s", target->end_text);
	screen->frames++;
	nt_trigger_acts_look(&screen->acts, snapshot, mark, screen);
	if (snapshot->final)
		return;
	nt_trigger_acts_watch(&screen->acts, mark, screen);
}

static void look_at_child(struct screen *screen)
{
	char how[64], text[128];
	if (screen->output && nt_child_output_read(screen->output))
		screen->frame->effects |= nt_ui_logged(screen->frame->ui);
	if (!screen->child || screen->end_told || !nt_child_has_ended(screen->child))
		return;
	screen->end_told = true;
	snprintf(text, sizeof(text), "The program has ended: %s", nt_child_end_text(screen->child, how, sizeof(how)));
	nt_frame_message(screen->frame, text);
}

static void tell_news(struct screen *screen)
{
	const char *news = nt_keeper_news(screen->setup->keeper);
	if (!news)
		return;
	nt_log_add(screen->setup->log, nt_clock_now(), NT_LOG_NETTOP, news, strlen(news));
	nt_frame_message(screen->frame, news);
}

/* How long none come is up to the runtime, which ends a session when it has sent the rest of it. */
static void choose_counters(struct screen *screen)
{
	const char *wished = nt_ui_counters_wished(screen->frame->ui), *problem = nt_counter_names_problem(wished);
	char text[NT_ERROR_TEXT];
	screen->frame->effects &= ~(unsigned)NT_UI_COUNTERS;
	if (problem) {
		snprintf(text, sizeof(text), "Not asked for: the list %s", problem);
		nt_frame_message(screen->frame, text);
		return;
	}
	nt_ui_counters(screen->frame->ui, wished);
	nt_session_choose_counters(screen->session, wished);
	nt_frame_message(screen->frame, "The target is asked anew: for an interval or two no counters come but the runtime's");
}

static void choose_events(struct screen *screen)
{
	struct nt_events_choice choice;
	struct nt_error err = { 0 };
	char text[2 * NT_ERROR_TEXT];
	screen->frame->effects &= ~(unsigned)NT_UI_EVENTS;
	if (nt_events_choice_parse(nt_ui_events_wish(screen->frame->ui), &choice, &err) == NT_OK)
		nt_session_choose_events(screen->session, &choice);
	else
		nt_frame_message(screen->frame, nt_error_text(&err, text, sizeof(text)));
}

/* ---- the process before this one ---- */

static bool has_successor(const struct screen *screen)
{
	return screen->setup->succession && screen->setup->succession->next;
}

/* Key Y. */
static void turn_over(struct screen *screen)
{
	struct nt_ui *before = screen->setup->succession ? screen->setup->succession->before.ui : NULL;
	bool is_busy = screen->heap.walk || nt_dump_work_goes_on(&screen->dump.work);
	screen->frame->effects &= ~(unsigned)NT_UI_BEFORE;
	if (!before || is_busy) {
		nt_frame_message(screen->frame, is_busy ? "Not while the heap is looked at, or a dump written"
							: "No process was watched before this one, in whose place it would have begun");
		return;
	}
	bool back = screen->frame->ui == before;
	screen->frame->tape = back ? screen->setup->tape : NULL;
	nt_frame_show(screen->frame, back ? screen->ui : before, back ? screen->past : screen->setup->succession->before.past,
		      back ? screen->setup->target : NULL);
	bool kept = back && nt_ui_take_kept(screen->ui, before);
	nt_frame_message(screen->frame, kept   ? "The span that was kept of the one before is what = compares with here (m)"
					: back ? screen->setup->succession->before.said
					       : "The last screen of the one before: Y goes back");
}

/* Of what cannot be asked for any more nothing is. */
static void carry_out_of_the_one_before(struct screen *screen)
{
	screen->frame->effects &= NT_UI_REDRAW | NT_UI_REPAINT | NT_UI_QUIT | NT_UI_SUSPEND | NT_UI_INTERRUPT | NT_UI_LIST;
	if (screen->frame->effects & NT_UI_SUSPEND)
		nt_session_pause(screen->session);
	nt_frame_carry_out(screen->frame);
}

/* All that is wanted of it is looking at it. */
static void keep(struct screen *screen)
{
	const struct nt_target *target = screen->setup->target;
	struct nt_ended_screen ended = {
		.ui = screen->ui,
		.session = screen->session,
		.log = screen->setup->log,
		.past = screen->past,
		.said = nt_format("%u %s has ended%s%s; this one took its place. Y: its last screen", target->pid, target->name,
				  *screen->end_text ? ": " : "", screen->end_text),
	};
	nt_session_close_sources(screen->session);
	nt_succession_keep(screen->setup->succession, &ended);
	screen->setup->log = NULL;
	screen->session = NULL;
	screen->past = NULL;
	screen->ui = NULL;
}

static void carry_out(struct screen *screen)
{
	if (screen->frame->effects & NT_UI_BEFORE)
		turn_over(screen);
	if (screen->frame->ui != screen->ui) {
		carry_out_of_the_one_before(screen);
		return;
	}
	if (screen->frame->effects & NT_UI_COUNTERS)
		choose_counters(screen);
	if (screen->frame->effects & NT_UI_INTERVAL) {
		screen->frame->effects &= ~(unsigned)NT_UI_INTERVAL;
		nt_session_set_interval(screen->session, nt_ui_interval(screen->frame->ui));
	}
	if (screen->frame->effects & NT_UI_EVENTS)
		choose_events(screen);
	/* Nobody reads what the sources bring while we stand still. */
	if (screen->frame->effects & NT_UI_SUSPEND)
		nt_session_pause(screen->session);
	nt_heap_look_carry_out(&screen->heap);
	nt_dump_look_carry_out(&screen->dump);
	nt_frame_carry_out(screen->frame);
}

/* What was said before there was a screen is covered by it. */
static void tell_notices(struct screen *screen)
{
	const struct nt_log *log = screen->setup->log;
	bool any = false;
	for (size_t i = 0; log && i < nt_log_count(log) && !any; i++)
		any = nt_log_line(log, i).kind == NT_LOG_NETTOP;
	if (any)
		nt_frame_message(screen->frame, "There are notices: L shows them");
}

static void watch_descriptors(struct screen *screen)
{
	nt_session_watch(screen->session, screen->frame->loop);
	if (screen->output)
		nt_loop_watch(screen->frame->loop, nt_child_output_fd(screen->output), NULL);
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
	return (wanted && screen->frames >= wanted) || nt_clock_now() >= end || screen->acts.ends;
}

/* O, or q where the process was opened from the list. */
static bool goes_to_the_list(struct screen *screen)
{
	if (screen->frame->effects & NT_UI_LIST && screen->child) {
		screen->frame->effects &= ~(unsigned)NT_UI_LIST;
		nt_frame_message(screen->frame, "The program that nettop has started ends with nettop: there is no list beside it");
		nt_frame_carry_out(screen->frame);
	}
	return screen->frame->effects & NT_UI_LIST;
}

/* The one after `shown` of them, 0 = there is none: the next is that of an interval. */
static nt_time next_early_frame(const struct screen *screen, nt_time start, unsigned shown)
{
	bool due = shown == 0 || (shown < EARLY_FRAMES && early_frames_ns[shown] < screen->setup->options->delay_ns);
	return due ? start + early_frames_ns[shown] : 0;
}

static void run(struct screen *screen)
{
	unsigned shown = 0;
	nt_time start = nt_clock_now(), duration = screen->setup->options->duration_ns;
	nt_time end = duration ? start + duration : NT_TIME_UNKNOWN;
	nt_time early_frame = next_early_frame(screen, start, shown);
	first_frame(screen);
	nt_session_open_sources(screen->session);
	watch_descriptors(screen);
	while (!(screen->frame->effects & NT_UI_QUIT) && !goes_to_the_list(screen) && !enough(screen, end) && !has_successor(screen)) {
		struct nt_succession *succession = screen->setup->succession;
		nt_time wake_at = nt_session_next_pump(screen->session);
		if (early_frame && early_frame < wake_at)
			wake_at = early_frame;
		if (screen->heap.walk && nt_clock_now() + heap_step_ns < wake_at)
			wake_at = nt_clock_now() + heap_step_ns;
		if (nt_dump_work_goes_on(&screen->dump.work) && nt_clock_now() + dump_step_ns < wake_at)
			wake_at = nt_clock_now() + dump_step_ns;
		nt_time seek_at = succession ? nt_succession_next(succession, nt_session_target_ended(screen->session)) : NT_TIME_UNKNOWN;
		wake_at = seek_at < wake_at ? seek_at : wake_at;
		nt_loop_wake_at(screen->frame->loop, nt_frame_wake_at(screen->frame, wake_at < end ? wake_at : end));
		unsigned wake = nt_loop_wait(screen->frame->loop);
		nt_session_pump(screen->session);
		if (succession)
			nt_succession_go_on(succession, nt_session_target_ended(screen->session));
		nt_heap_look_go_on(&screen->heap);
		nt_dump_look_go_on(&screen->dump);
		look_at_child(screen);
		tell_news(screen);
		nt_tape_tell(screen->setup->tape, false, mark, screen);
		if (early_frame && nt_clock_now() >= early_frame) {
			nt_session_close_interval(screen->session);
			screen->frames = 0; /* -n counts whole intervals */
			early_frame = next_early_frame(screen, start, ++shown);
		}
		nt_frame_take_input(screen->frame, wake);
		nt_session_look(screen->session, nt_ui_demand(screen->ui));
		nt_session_annotate(screen->session, nt_ui_annotated(screen->ui));
		carry_out(screen);
	}
}

/* With --check-replay. Batch mode says it in its summary. */
static void tell_replay(const struct nt_session *session)
{
	size_t count;
	int equal = session ? nt_session_replay_equal(session, &count) : -1;
	if (equal >= 0)
		fprintf(stderr, "nettop: replay_equal: %s (%zu snapshots)\n", equal ? "true" : "false", count);
}

/* Where the terminal was given back, below what stands there. */
static void tell_at_end(void *context, const char *line)
{
	struct screen *screen = context;
	if (screen->frame->entered)
		mark(screen, line);
	else
		fprintf(stderr, "nettop: %s\n", line);
}

/* Whoever goes back to the list keeps the terminal; else the person gets it back first. Closing the sources may take a moment. */
static void end(struct screen *screen)
{
	bool quits = screen->frame->effects & NT_UI_QUIT, to_next = has_successor(screen) && !quits;
	if (to_next || (screen->frame->effects & NT_UI_LIST && !quits)) {
		nt_frame_message(screen->frame, to_next ? "It has begun anew ..." : "Leaving this process ...");
		nt_frame_carry_out(screen->frame);
	} else {
		nt_frame_leave(screen->frame);
		tell_replay(screen->session);
	}
	nt_heap_look_fini(&screen->heap);
	nt_dump_look_fini(&screen->dump);
	if (screen->session)
		nt_session_take_leave(screen->session);
	nt_tape_end(screen->setup->tape, tell_at_end, screen);
	if (screen->setup->succession)
		nt_succession_end(screen->setup->succession);
	if (to_next && screen->session)
		keep(screen);
	nt_session_free(screen->session);
	nt_past_free(screen->past);
}

int nt_screen_run(struct nt_session_setup *setup, struct nt_frame *frame, struct nt_error *err)
{
	struct screen screen = { .setup = setup,
				 .frame = frame,
				 .child = setup->child,
				 .output = setup->output,
				 .acts = nt_trigger_acts_of(setup->options, setup->tape),
				 .heap = { .setup = setup, .frame = frame },
				 .dump = { .setup = setup, .frame = frame },
				 .past = nt_past_new(&(struct nt_past_config){ 0 }) };
	const struct nt_ui_config config = {
		.from_list = setup->from_list,
		.pid = setup->target->pid,
		.name = setup->target->name,
		.interval_ns = setup->options->delay_ns,
		.realtime_offset_ns = frame->realtime_offset_ns,
		.perf_hz = (unsigned)setup->options->perf_hz,
		.always = nt_session_always(setup),
		.counters = setup->options->counters,
		.sorts = setup->options->sorts,
		.settings = nt_frame_settings(frame),
		.events = setup->options->event_choice,
		.log = setup->log,
		.sampling = nt_session_samples_wall(setup),
		.wall = setup->options->want_wall && !nt_session_samples_wall(setup),
	};
	screen.ui = nt_ui_new(&config);
	enum nt_status status = nt_frame_begin(frame, screen.ui, screen.past, setup->target, err);
	if (status == NT_OK) {
		if (setup->succession)
			nt_succession_begin(setup->succession, setup->target, frame->loop);
		frame->tape = setup->tape;
		nt_tape_keep(setup->tape);
		frame->past_of_ended = setup->succession ? setup->succession->before.past : NULL;
		setup->sink = take_snapshot;
		setup->sink_context = &screen;
		screen.session = nt_session_new(setup);
		nt_session_keep_samples(screen.session);
		tell_notices(&screen);
		nt_frame_tell_problems(frame);
		if (setup->succession && setup->succession->before.said)
			nt_frame_message(frame, setup->succession->before.said);
		run(&screen);
	}
	end(&screen);
	nt_frame_end(frame);
	if (screen.ui)
		nt_ui_free(screen.ui);
	return status == NT_OK && screen.acts.ends ? NT_EXIT_CONDITION : nt_exit_of(status);
}
