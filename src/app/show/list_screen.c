// SPDX-License-Identifier: GPL-2.0-only
#include "app/show/list_screen.h"

#include "app/settings/settings_file.h"
#include "base/alloc.h"
#include "model/process/process_list.h"
#include "source/processes/process_watch.h"

#include <stdio.h>
#include <stdlib.h>

/* When the second frame is due: shares of CPU need two looks, and a whole interval is long for somebody who waits. */
enum { SECOND_FRAME_MS = 250 };

struct nt_list_screen {
	const struct nt_options *options;
	struct nt_ui *ui;               /* owned */
	struct nt_process_watch *watch; /* owned; NULL: */
	struct nt_many *many;           /* owned: the processes are watched */
	struct nt_frame *frame;         /* borrowed, while it is shown */
	struct nt_snapshot *snapshot;   /* of the last look; NULL before the first */
	nt_time interval_ns, next_look;
	bool looking;
	uint64_t frames;
};

static void take_snapshot(void *context, struct nt_snapshot *snapshot)
{
	struct nt_list_screen *list = context;
	list->frames++;
	list->frame->effects |= nt_ui_snapshot(list->ui, snapshot, nt_clock_now());
}

static enum nt_status begin_looking(struct nt_list_screen *list, const struct nt_many_setup *many, struct nt_error *err)
{
	if (!many)
		return nt_process_watch_new("/proc", (unsigned)list->options->perf_hz, list->options->readonly, NULL, &list->watch, err);
	struct nt_many_setup setup = *many;
	setup.sink = take_snapshot;
	setup.sink_context = list;
	return nt_many_new(&setup, &list->many, err);
}

enum nt_status nt_list_screen_new(const struct nt_options *options, const struct nt_many_setup *many, struct nt_list_screen **out,
				  struct nt_error *err)
{
	const struct nt_ui_config config = { .list = true,
					     .watched = many,
					     .sorts = options->sorts,
					     .settings = nt_settings_file_chosen(options->settings),
					     .interval_ns = options->delay_ns,
					     .realtime_offset_ns = nt_clock_realtime_offset() };
	struct nt_list_screen *list = nt_alloc(sizeof(*list));
	list->options = options;
	list->interval_ns = options->delay_ns;
	enum nt_status status = begin_looking(list, many, err);
	if (status != NT_OK) {
		free(list);
		return status;
	}
	list->ui = nt_ui_new(&config);
	*out = list;
	return NT_OK;
}

void nt_list_screen_free(struct nt_list_screen *list)
{
	if (!list)
		return;
	nt_process_watch_free(list->watch);
	nt_ui_free(list->ui); /* it has snapshots */
	nt_snapshot_release(list->snapshot);
	nt_many_free(list->many);
	free(list);
}

/* ---- looks ---- */

static void ask(struct nt_list_screen *list, nt_time now)
{
	if (list->looking || now < list->next_look)
		return;
	bool first = !list->snapshot && list->interval_ns > SECOND_FRAME_MS * NT_NS_PER_MS;
	list->next_look = now + (first ? SECOND_FRAME_MS * NT_NS_PER_MS : list->interval_ns);
	list->looking = true;
	nt_process_watch_ask(list->watch);
}

static void take(struct nt_list_screen *list, struct nt_frame *frame)
{
	struct nt_process_scan_result result;
	struct nt_error err;
	char text[NT_ERROR_TEXT];
	enum nt_status status = nt_process_watch_take(list->watch, &result, &err);
	if (status == NT_AGAIN)
		return;
	list->looking = false;
	if (status != NT_OK) {
		nt_frame_message(frame, nt_error_text(&err, text, sizeof(text)));
		return;
	}
	const struct nt_process_look look = { .at = result.at, .rows = result.rows, .count = result.count };
	struct nt_snapshot *next = nt_process_list_next(list->snapshot, &look);
	nt_snapshot_release(list->snapshot);
	list->snapshot = next;
	list->frames++;
	frame->effects |= nt_ui_snapshot(list->ui, next, nt_clock_now());
}

/* ---- the screen ---- */

/* Enter: NULL when the process cannot be watched, which is said then; another one that has its pid by now is not meant. */
static struct nt_target *open_chosen(const struct nt_list_screen *list, struct nt_frame *frame)
{
	const struct nt_process_row *row = nt_ui_chosen_process(list->ui);
	struct nt_target *target = NULL;
	struct nt_error err = { 0 };
	char pid[16], text[NT_ERROR_TEXT];
	snprintf(pid, sizeof(pid), "%u", row ? row->pid : 0);
	if (nt_target_find("/proc", pid, &target, &err) != NT_OK) {
		nt_frame_message(frame, nt_error_text(&err, text, sizeof(text)));
	} else if (target->start_ticks != row->start_ticks) {
		nt_target_free(target);
		target = NULL;
		nt_frame_message(frame, "This process has ended, and another one has its pid");
	}
	return target;
}

static struct nt_target *carry_out(struct nt_list_screen *list, struct nt_frame *frame)
{
	struct nt_target *target = NULL;
	if (frame->effects & NT_UI_INTERVAL) {
		list->interval_ns = nt_ui_interval(list->ui);
		list->next_look = 0;
		if (list->many)
			nt_many_set_interval(list->many, list->interval_ns);
	}
	if (frame->effects & NT_UI_SUSPEND && list->many)
		nt_many_pause(list->many);
	if (frame->effects & NT_UI_OPEN)
		target = open_chosen(list, frame);
	frame->effects &= ~(unsigned)(NT_UI_INTERVAL | NT_UI_OPEN);
	if (!target)
		nt_frame_carry_out(frame);
	return target;
}

/* What is watched, or who is there, anew. Returns when to come back at the latest. */
static nt_time go_on(struct nt_list_screen *list, struct nt_frame *frame)
{
	if (!list->many) {
		ask(list, nt_clock_now());
		return list->looking ? nt_clock_now() + list->interval_ns : list->next_look;
	}
	struct nt_error err = { 0 };
	char text[NT_ERROR_TEXT];
	nt_many_look(list->many, nt_ui_demand(list->ui));
	if (nt_many_pump(list->many, &err) != NT_OK)
		nt_frame_message(frame, nt_error_text(&err, text, sizeof(text)));
	return nt_many_next_pump(list->many);
}

static struct nt_target *run(struct nt_list_screen *list, struct nt_frame *frame)
{
	uint64_t wanted = list->options->interval_count;
	nt_time duration = list->options->duration_ns, end = duration ? nt_clock_now() + duration : NT_TIME_UNKNOWN;
	struct nt_target *target = carry_out(list, frame);
	while (!target && !(frame->effects & NT_UI_QUIT) && !(wanted && list->frames > wanted) && nt_clock_now() < end) {
		nt_time wake_at = go_on(list, frame);
		nt_frame_carry_out(frame);
		nt_loop_wake_at(frame->loop, nt_frame_wake_at(frame, wake_at < end ? wake_at : end));
		unsigned wake = nt_loop_wait(frame->loop);
		if (!list->many)
			take(list, frame);
		nt_frame_take_input(frame, wake);
		target = carry_out(list, frame);
	}
	return target;
}

enum nt_status nt_list_screen_run(struct nt_list_screen *list, struct nt_frame *frame, struct nt_target **out, struct nt_error *err)
{
	*out = NULL;
	enum nt_status status = nt_frame_begin(frame, list->ui, NULL, NULL, err);
	list->frame = frame;
	if (status == NT_OK)
		status = list->many ? nt_many_watch(list->many, frame->loop, err)
				    : nt_loop_watch(frame->loop, nt_process_watch_fd(list->watch), err);
	list->next_look = 0;
	if (status == NT_OK)
		nt_frame_tell_problems(frame);
	if (status == NT_OK)
		*out = run(list, frame);
	if (list->many)
		nt_many_rest(list->many);
	nt_frame_end(frame);
	return status;
}
