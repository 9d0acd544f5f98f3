// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/replay_screen.h"

#include "app/loop/guard.h"
#include "app/loop/signals.h"
#include "app/show/frame.h"
#include "model/past/past.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

/* Messages end also where nothing moves. */
#define REST_NS NT_NS_PER_S

/* Of what is not shown: for so long keys wait; and so often it is said how far it is. */
#define HURRY_NS (50 * NT_NS_PER_MS)
#define TELL_NS  (500 * NT_NS_PER_MS)

/* Inputs that are taken at once: a recording may have any number of them before the next tick, and keys want an answer. */
enum { STEP_INPUTS = 64 };

struct screen {
	const struct nt_options *options;
	struct nt_replayed *replayed; /* the caller's; another one when it was begun anew */
	struct nt_frame frame;
	struct nt_log *log;       /* owned */
	struct nt_ui *ui;         /* owned */
	struct nt_past *past;     /* owned: what was shown, to go back to */
	struct nt_snapshot *next; /* owned: it is shown when it is due; NULL = still to be read */
	uint64_t frames;          /* shown */
	enum nt_status status;    /* of the last step; not OK: there is nothing more to read */
	struct nt_error *err;     /* borrowed: of an error */

	/* At `since` of our clock the recording was at `at`; from there on it goes `speed` times as fast, unless it stands. */
	nt_time since, at;
	double speed;
	bool stands;
	bool hurries;               /* it stands, but goes on without a pause up to: */
	struct nt_ui_moment wished; /* valid with it */
	nt_time told;               /* how far that is was said then; 0 = not yet */
	nt_time from, to;           /* it is shown from there on, and stands still there; 0, NT_TIME_UNKNOWN: all of it */
};

/* ---- the time of the recording ---- */

/* Bounded, whatever times a recording has. */
static nt_time scaled(nt_time ns, double by)
{
	const double most = 1e18;
	double product = (double)ns * by;
	return (nt_time)(product < most ? product : most);
}

/* Never beyond what is there to be shown: a machine that cannot keep pace has no time to make up for. */
static nt_time position(const struct screen *screen, nt_time now)
{
	nt_time at = screen->at + (screen->stands ? 0 : scaled(now - screen->since, screen->speed));
	return screen->next && at > screen->next->t1 ? screen->next->t1 : at;
}

static nt_time due_at(const struct screen *screen)
{
	nt_time to_come = screen->next->t1 > screen->at ? screen->next->t1 - screen->at : 0;
	return screen->since + scaled(to_come, 1 / screen->speed);
}

/* From now on it goes as the screen says. */
static void keep_pace(struct screen *screen)
{
	nt_time now = nt_clock_now();
	bool stands = nt_ui_is_paused(screen->ui);
	double speed = nt_ui_speed(screen->ui);
	if (stands == screen->stands && speed == screen->speed)
		return;
	screen->at = position(screen, now);
	screen->since = now;
	screen->stands = stands;
	screen->speed = speed;
	screen->hurries &= stands;
}

static bool is_before(const struct screen *screen, const struct nt_snapshot *snapshot)
{
	return snapshot->t1 <= screen->from;
}

static bool is_due(const struct screen *screen)
{
	if (!screen->next)
		return false;
	return !screen->frames || screen->hurries || is_before(screen, screen->next) ||
	       (!screen->stands && nt_clock_now() >= due_at(screen));
}

/* ---- reading on ---- */

static void say(void *context, const char *line)
{
	nt_frame_message(context, line);
}

static void end(struct screen *screen)
{
	char text[2 * NT_ERROR_TEXT];
	bool broken = screen->status < 0;
	if (broken)
		nt_frame_message(&screen->frame, nt_error_text(screen->err, text, sizeof(text)));
	else
		nt_replayed_tell_end(screen->replayed, say, &screen->frame);
	screen->frame.effects |= nt_ui_play_is_over(screen->ui, !broken && nt_replayed_is_whole(screen->replayed));
}

/* The summary at the end is for programs: it is no interval. */
static struct nt_snapshot *take(struct nt_snapshot *snapshot)
{
	if (!snapshot || !snapshot->final)
		return snapshot;
	nt_snapshot_release(snapshot);
	return NULL;
}

static void read_on(struct screen *screen)
{
	struct nt_snapshot *snapshot;
	for (int i = 0; i < STEP_INPUTS && !screen->next && screen->status == NT_OK; i++) {
		screen->status = nt_replayed_step(screen->replayed, &snapshot, screen->err);
		if (screen->status == NT_OK)
			screen->next = take(snapshot);
		else
			end(screen);
	}
}

/* ---- showing ---- */

/* It is what was wished for: the screen stands still at it. */
static void arrive(struct screen *screen, struct nt_snapshot *snapshot)
{
	screen->hurries = false;
	screen->frame.effects |= nt_ui_go_back(screen->ui, snapshot, nt_clock_now());
}

/* The next one is due so much later than this one was, unless that was not on time: of the begin, after a jump, and when nettop was stopped for a while, which is not made up for. */
static void go_on_from_next(struct screen *screen)
{
	nt_time now = nt_clock_now(), due = due_at(screen);
	bool on_time = screen->frames && !screen->stands && now >= due && now < due + REST_NS;
	screen->since = on_time ? due : now;
	screen->at = screen->next->t1;
}

static void show_next(struct screen *screen)
{
	struct nt_snapshot *snapshot = screen->next;
	bool arrives = screen->hurries && snapshot->sequence >= screen->wished.sequence && snapshot->t1 >= screen->wished.time;
	bool stops = snapshot->t1 >= screen->to;
	nt_past_add(screen->past, snapshot);
	const struct nt_past_reach reach = nt_past_reach(screen->past);
	nt_ui_past(screen->ui, reach.first, reach.from, reach.exact_from);
	unsigned effects = nt_ui_snapshot(screen->ui, snapshot, nt_clock_now());
	if (!screen->hurries && !is_before(screen, snapshot)) /* on the way nothing is drawn */
		screen->frame.effects |= effects;
	go_on_from_next(screen);
	screen->frames += !is_before(screen, snapshot);
	screen->next = NULL;
	if (stops)
		screen->to = NT_TIME_UNKNOWN;
	if (arrives || (stops && !screen->hurries))
		arrive(screen, snapshot);
	nt_snapshot_release(snapshot);
}

/* ---- to another time ---- */

/* Key ] or } at the newest interval that was shown, or a time behind it. */
static void go_further(struct screen *screen)
{
	screen->frame.effects &= ~(unsigned)(NT_UI_FURTHER | NT_UI_ANEW);
	screen->wished = nt_ui_moment_wished(screen->ui);
	screen->hurries = nt_ui_is_paused(screen->ui); /* Space may have come with it */
	screen->told = 0;
}

/* What lies before all that is kept is made again: no other figures than from the begin are exact. What is on the screen stays until then. */
static void begin_anew(struct screen *screen)
{
	const struct nt_replayed_wish wish = { .for_screens = true };
	struct nt_replayed *replayed = NULL;
	char text[2 * NT_ERROR_TEXT];
	struct nt_error err = { 0 };
	go_further(screen);
	if (nt_replayed_open(screen->options->target, &wish, &replayed, &err) != NT_OK) {
		screen->hurries = false;
		nt_frame_message(&screen->frame, nt_error_text(&err, text, sizeof(text)));
		return;
	}
	nt_snapshot_release(screen->next);
	screen->next = NULL;
	nt_ui_play_anew(screen->ui);
	nt_past_free(screen->past);
	screen->past = screen->frame.past = nt_past_new(&(struct nt_past_config){ 0 });
	nt_replayed_free(screen->replayed);
	screen->replayed = replayed;
	screen->status = NT_OK;
}

/* Who has it go far sees how far it is. */
static void tell_way(struct screen *screen, const struct nt_snapshot *snapshot)
{
	nt_time now = nt_clock_now();
	char text[64];
	if (screen->told && now < screen->told + TELL_NS)
		return;
	if (screen->told) {
		snprintf(text, sizeof(text), "Replaying: %" PRIu64 " s of it so far", (snapshot->t1 - snapshot->start) / NT_NS_PER_S);
		nt_frame_message(&screen->frame, text);
	}
	screen->told = now;
}

/* There is no interval that would be far enough: the last one is. */
static void stop_at_the_end(struct screen *screen)
{
	uint64_t sequence = nt_past_reach(screen->past).last;
	struct nt_snapshot *last = sequence >= screen->wished.sequence ? nt_past_get(screen->past, sequence) : NULL;
	if (last)
		arrive(screen, last);
	screen->hurries = false;
	screen->from = 0;
	nt_snapshot_release(last);
	nt_frame_message(&screen->frame, "The recording goes no further");
}

/* Somebody may have wished for another time since. */
static bool is_wished_still(const struct screen *screen)
{
	const struct nt_ui_moment now = nt_ui_moment_wished(screen->ui), *then = &screen->wished;
	return now.sequence == then->sequence && now.time == then->time && now.to == then->to;
}

/* Is what comes next on the way to what is wanted? */
static bool skips(const struct screen *screen)
{
	return screen->hurries || (screen->from && !screen->frames && (!screen->next || is_before(screen, screen->next)));
}

/* What is not shown needs no look at the keys between each two of it. */
static void hurry(struct screen *screen)
{
	nt_time until = nt_clock_now() + HURRY_NS;
	while (skips(screen) && screen->status == NT_OK && nt_clock_now() < until) {
		if (!screen->next)
			read_on(screen);
		else {
			tell_way(screen, screen->next);
			show_next(screen);
		}
	}
}

static void play(struct screen *screen)
{
	keep_pace(screen);
	if (screen->frame.effects & NT_UI_ANEW)
		begin_anew(screen);
	else if (screen->frame.effects & NT_UI_FURTHER)
		go_further(screen);
	screen->hurries = screen->hurries && is_wished_still(screen);
	hurry(screen);
	read_on(screen);
	if (is_due(screen))
		show_next(screen);
	else if (skips(screen) && screen->status != NT_OK)
		stop_at_the_end(screen);
}

static nt_time wake_at(const struct screen *screen)
{
	nt_time now = nt_clock_now(), rest = now + REST_NS;
	if (skips(screen) || (!screen->next && screen->status == NT_OK))
		return screen->status == NT_OK ? now : rest;
	return !screen->next || screen->stands || due_at(screen) > rest ? rest : due_at(screen);
}

static void run(struct screen *screen)
{
	struct nt_frame *frame = &screen->frame;
	uint64_t wanted = screen->options->interval_count;
	while (!(frame->effects & NT_UI_QUIT) && !(wanted && screen->frames >= wanted)) {
		play(screen);
		nt_frame_carry_out(frame);
		nt_loop_wake_at(frame->loop, nt_frame_wake_at(frame, wake_at(screen)));
		nt_frame_take_input(frame, nt_loop_wait(frame->loop));
	}
}

static struct nt_ui *new_ui(const struct screen *screen)
{
	const struct nt_model_config *settings = nt_replayed_settings(screen->replayed);
	const struct nt_ui_config config = {
		.recording = true,
		.speed = (double)screen->options->speed,
		.pid = settings->pid,
		.interval_ns = settings->interval_ns,
		.realtime_offset_ns = screen->frame.realtime_offset_ns,
		.said_ahead_ns = nt_clock_realtime_offset() - screen->frame.realtime_offset_ns,
		.sorts = screen->options->sorts,
		.settings = nt_frame_settings(&screen->frame),
		.log = screen->log,
	};
	return nt_ui_new(&config);
}

enum nt_status nt_replay_screen_begin(struct nt_keeper **keeper, struct nt_error *err)
{
	nt_signals_block();
	enum nt_status status = nt_keeper_start(STDIN_FILENO, keeper, err);
	return status == NT_OK ? nt_guard_start(*keeper, 0, err) : status;
}

void nt_replay_screen_end(struct nt_keeper *keeper)
{
	nt_guard_stop();
	nt_keeper_end(keeper);
}

static void choose_part(struct screen *screen)
{
	const struct nt_options *options = screen->options;
	nt_time start = nt_replayed_settings(screen->replayed)->start;
	int64_t offset = nt_replayed_realtime_offset(screen->replayed);
	screen->from = options->from.sort == NT_WHEN_NEVER ? 0 : nt_when_in(&options->from, start, offset);
	screen->to = options->to.sort == NT_WHEN_NEVER ? NT_TIME_UNKNOWN : nt_when_in(&options->to, start, offset);
}

enum nt_status nt_replay_screen_run(const struct nt_options *options, struct nt_replayed **replayed, struct nt_keeper *keeper,
				    struct nt_error *err)
{
	struct screen screen = {
		.options = options, .replayed = *replayed, .frame = { .keeper = keeper }, .err = err, .speed = (double)options->speed
	};
	enum nt_status status = nt_frame_enter(&screen.frame, options, err);
	screen.frame.realtime_offset_ns = nt_replayed_realtime_offset(screen.replayed);
	choose_part(&screen);
	screen.log = nt_log_new();
	screen.past = nt_past_new(&(struct nt_past_config){ 0 });
	screen.ui = new_ui(&screen);
	if (status == NT_OK)
		status = nt_frame_begin(&screen.frame, screen.ui, screen.past, NULL, err);
	if (status == NT_OK) {
		nt_frame_tell_problems(&screen.frame);
		run(&screen);
	}
	nt_frame_leave(&screen.frame);
	nt_frame_end(&screen.frame);
	nt_ui_free(screen.ui);
	nt_snapshot_release(screen.next);
	nt_past_free(screen.past);
	nt_log_free(screen.log);
	*replayed = screen.replayed;
	return screen.status < 0 ? screen.status : status;
}
