// SPDX-License-Identifier: GPL-2.0-only
#include "app/session/replayed.h"

#include "app/session/inputs.h"
#include "base/alloc.h"
#include "output/frame/time_text.h"
#include "record/recording_file.h"
#include "translate/open_file.h"

#include <inttypes.h>
#include <stdlib.h>

/* Of a recording: what its writer says of it. */
enum { NOTES_MOST = 16 };

/* What belongs to the last interval of a part, names and what comes late, has come when so much of the time after it is over. */
#define SETTLE_NS (2 * NT_NS_PER_S)

struct nt_replayed {
	struct nt_recording_file *file; /* owned */
	struct nt_inputs inputs;        /* valid when it has begun */
	struct nt_model_config settings;
	int64_t realtime_offset_ns;
	struct nt_replayed_wish wish;
	struct nt_recording_part part;
	nt_time now;             /* of the newest tick */
	bool begun;              /* its settings have been read */
	bool summed;             /* there has been the summary */
	struct nt_error damage;  /* of the recording, told after the summary; its status is NT_OK as long as there is none */
	bool left;               /* before the end of the recording: nobody knows how it ends */
	char *notes[NOTES_MOST]; /* owned */
	size_t note_count;       /* also of those for which there was no room */
};

/* ---- what a screen's model is told at its begin ---- */

static struct nt_event *wish(struct nt_replayed *replayed, enum nt_event_kind kind)
{
	return nt_inputs_begin(&replayed->inputs, NT_SOURCE_APP, kind, replayed->settings.start, replayed->settings.pid);
}

static void wish_for_stacks(struct nt_replayed *replayed, enum nt_stacks_wanted wanted)
{
	wish(replayed, NT_EV_KEEP_STACKS)->u.keep_stacks.wanted = wanted;
	nt_inputs_send(&replayed->inputs);
}

static void wish_for_screens(struct nt_replayed *replayed)
{
	wish(replayed, NT_EV_KEEP_SAMPLES)->u.keep_samples.wanted = 1;
	nt_inputs_send(&replayed->inputs);
	wish_for_stacks(replayed, NT_STACKS_WINDOW);
	wish(replayed, NT_EV_TELL)->u.tell.what = NT_TELL_ANYWAY;
	nt_inputs_send(&replayed->inputs);
}

/* ---- the part that is wanted ---- */

static bool is_named(const struct nt_when *when)
{
	return when && when->sort != NT_WHEN_NEVER;
}

/* In the begin of an interval things are read that only grow. */
static nt_time begin_of_interval(const struct nt_model_config *settings, nt_time time)
{
	return settings->start + (time - settings->start) / settings->interval_ns * settings->interval_ns;
}

static enum nt_status choose_part(struct nt_replayed *replayed, struct nt_error *err)
{
	const struct nt_replayed_wish *wish = &replayed->wish;
	struct nt_model_config *settings = &replayed->settings;
	struct nt_recording_part *part = &replayed->part;
	*part = (struct nt_recording_part){ .to = NT_TIME_UNKNOWN,
					    .own_wishes = wish->for_screens || wish->summary,
					    .without = wish->without,
					    .goes_on = wish->for_screens };
	if (is_named(wish->to))
		part->to = nt_when_in(wish->to, settings->start, replayed->realtime_offset_ns);
	if (is_named(wish->from))
		part->from = begin_of_interval(settings, nt_when_in(wish->from, settings->start, replayed->realtime_offset_ns));
	if (part->to <= (part->from ? part->from : settings->start))
		return nt_error_set(err, NT_ERR_USAGE, "that part of the recording has no time: --to is not behind its begin, or --from");
	settings->start = part->from ? part->from : settings->start;
	return NT_OK;
}

static enum nt_status begin(struct nt_replayed *replayed, const struct nt_recording_input *input, struct nt_error *err)
{
	const struct nt_replayed_wish *wanted = &replayed->wish;
	replayed->settings = input->settings;
	replayed->realtime_offset_ns = input->realtime_offset_ns;
	enum nt_status status = choose_part(replayed, err);
	if (status != NT_OK)
		return status;
	nt_inputs_init(&replayed->inputs, &replayed->settings, false, NULL);
	replayed->begun = true;
	nt_model_show_events(replayed->inputs.model, wanted->see, wanted->see_context);
	if (wanted->for_screens)
		wish_for_screens(replayed);
	if (wanted->stacks != NT_STACKS_NONE)
		wish_for_stacks(replayed, wanted->stacks);
	if (replayed->part.to != NT_TIME_UNKNOWN) {
		wish(replayed, NT_EV_END)->time = replayed->part.to;
		nt_inputs_send(&replayed->inputs);
	}
	return NT_OK;
}

/* ---- its life ---- */

/* The settings come first, so that it is known whom it is about before there is any snapshot. */
enum nt_status nt_replayed_open(const char *path, const struct nt_replayed_wish *wish, struct nt_replayed **out, struct nt_error *err)
{
	struct nt_replayed *replayed = nt_alloc(sizeof(*replayed));
	struct nt_snapshot *none;
	*replayed = (struct nt_replayed){ .wish = *wish };
	enum nt_status status = nt_open_file(path, &wish->open, &replayed->file, err);
	if (status == NT_OK)
		status = nt_replayed_step(replayed, &none, err);
	if (status < 0) {
		nt_replayed_free(replayed);
		return status;
	}
	*out = replayed;
	return NT_OK;
}

static size_t notes_kept(const struct nt_replayed *replayed)
{
	return replayed->note_count < NOTES_MOST ? replayed->note_count : NOTES_MOST;
}

void nt_replayed_free(struct nt_replayed *replayed)
{
	if (!replayed)
		return;
	if (replayed->begun)
		nt_inputs_fini(&replayed->inputs);
	for (size_t i = 0; i < notes_kept(replayed); i++)
		free(replayed->notes[i]);
	nt_recording_file_free(replayed->file);
	free(replayed);
}

const struct nt_model_config *nt_replayed_settings(const struct nt_replayed *replayed)
{
	return replayed->begun ? &replayed->settings : NULL;
}

int64_t nt_replayed_realtime_offset(const struct nt_replayed *replayed)
{
	return replayed->realtime_offset_ns;
}

/* Nothing more is wanted. `complete`: all that belongs to it has come. */
static enum nt_status sum_up(struct nt_replayed *replayed, bool complete, struct nt_snapshot **out, struct nt_error *err)
{
	const struct nt_tick tick = { .now = replayed->now, .how = NT_TICK_FINAL, .complete = complete };
	replayed->summed = true;
	if (!replayed->now)
		return nt_error_set(err, NT_ERR_USAGE,
				    "the recording ends before its first interval does: there is nothing to be told of it");
	if (replayed->part.from >= replayed->now)
		return nt_error_set(err, NT_ERR_USAGE, "the recording has nothing of that time: it ends before --from");
	*out = nt_inputs_tick(&replayed->inputs, &tick);
	return NT_OK;
}

static enum nt_status take_tick(struct nt_replayed *replayed, const struct nt_tick *tick, struct nt_snapshot **out, struct nt_error *err)
{
	bool is_beyond = replayed->part.to != NT_TIME_UNKNOWN && tick->now >= replayed->part.to + SETTLE_NS;
	replayed->now = tick->now;
	replayed->left = replayed->wish.summary && is_beyond;
	if (replayed->wish.summary && (is_beyond || tick->how == NT_TICK_FINAL))
		return sum_up(replayed, is_beyond || tick->complete, out, err);
	if (tick->now >= replayed->part.from)
		*out = nt_inputs_tick(&replayed->inputs, tick);
	return NT_OK;
}

enum nt_status nt_replayed_step(struct nt_replayed *replayed, struct nt_snapshot **out, struct nt_error *err)
{
	struct nt_recording_input input;
	*out = NULL;
	enum nt_status status = replayed->left ? NT_END : nt_recording_file_next(replayed->file, &input, err);
	if (status != NT_OK && replayed->wish.summary && replayed->begun && !replayed->summed) {
		if (status < 0)
			replayed->damage = *err;
		if (status < 0 && replayed->part.from >= replayed->now) /* there is nothing to sum up: the damage is the reason */
			return status;
		return sum_up(replayed, false, out, err);
	}
	if (replayed->damage.status) {
		*err = replayed->damage;
		return replayed->damage.status;
	}
	if (status != NT_OK || replayed->summed)
		return status;
	switch (input.what) {
	case NT_RECORDED_SETTINGS:
		return begin(replayed, &input, err);
	case NT_RECORDED_BATCH:
		nt_recording_part_cut(&replayed->part, input.batch);
		nt_inputs_batch(&replayed->inputs, input.batch);
		return NT_OK;
	case NT_RECORDED_NOTE:
		if (replayed->note_count++ < NOTES_MOST)
			replayed->notes[replayed->note_count - 1] = nt_strdup(input.note);
		return NT_OK;
	case NT_RECORDED_TICK:
		return take_tick(replayed, &input.tick, out, err);
	}
	return NT_OK;
}

/* ---- its end ---- */

bool nt_replayed_is_whole(const struct nt_replayed *replayed)
{
	return nt_recording_file_end(replayed->file).finished;
}

/* `2026-11-29T20:13:04.250+0000, 312 bytes after it are no whole frame` */
static void put_reach(const struct nt_replayed *replayed, const struct nt_recording_end *end, FILE *out)
{
	fputs("the recording was not ended: it goes up to ", out);
	if (end->last)
		nt_time_print(out, end->last, replayed->realtime_offset_ns);
	else
		fputs("its begin", out);
	if (end->rest_bytes)
		fprintf(out, ", %" PRIu64 " bytes after it are no whole frame", end->rest_bytes);
}

void nt_replayed_tell_end(const struct nt_replayed *replayed, void (*say)(void *context, const char *line), void *context)
{
	const struct nt_recording_end end = nt_recording_file_end(replayed->file);
	char line[256] = "";
	for (size_t i = 0; i < notes_kept(replayed); i++)
		say(context, replayed->notes[i]);
	if (replayed->note_count > NOTES_MOST) {
		snprintf(line, sizeof(line), "and %zu sentences more", replayed->note_count - NOTES_MOST);
		say(context, line);
	}
	if (replayed->left)
		return;
	if (end.unknown) {
		snprintf(line, sizeof(line),
			 "a later nettop has recorded this: %" PRIu64 " things that this one does not know are left out", end.unknown);
		say(context, line);
	}
	FILE *out = end.finished ? NULL : fmemopen(line, sizeof(line), "w");
	if (!out)
		return;
	put_reach(replayed, &end, out);
	fclose(out);
	say(context, line);
}
