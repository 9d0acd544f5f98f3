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

struct nt_replayed {
	struct nt_recording_file *file; /* owned */
	struct nt_inputs inputs;        /* valid when it has begun */
	struct nt_model_config settings;
	int64_t realtime_offset_ns;
	bool for_screens;
	bool begun;              /* its settings have been read */
	char *notes[NOTES_MOST]; /* owned */
	size_t note_count;       /* also of those for which there was no room */
};

/* ---- what a screen's model is told at its begin ---- */

static struct nt_event *wish(struct nt_replayed *replayed, enum nt_event_kind kind)
{
	return nt_inputs_begin(&replayed->inputs, NT_SOURCE_APP, kind, replayed->settings.start, replayed->settings.pid);
}

static void wish_for_screens(struct nt_replayed *replayed)
{
	wish(replayed, NT_EV_KEEP_SAMPLES)->u.keep_samples.wanted = 1;
	nt_inputs_send(&replayed->inputs);
	wish(replayed, NT_EV_KEEP_STACKS)->u.keep_stacks.wanted = NT_STACKS_WINDOW;
	nt_inputs_send(&replayed->inputs);
	wish(replayed, NT_EV_TELL)->u.tell.what = NT_TELL_ANYWAY;
	nt_inputs_send(&replayed->inputs);
}

static void begin(struct nt_replayed *replayed, const struct nt_recording_input *input)
{
	replayed->settings = input->settings;
	replayed->realtime_offset_ns = input->realtime_offset_ns;
	nt_inputs_init(&replayed->inputs, &replayed->settings, false, NULL);
	replayed->begun = true;
	if (replayed->for_screens)
		wish_for_screens(replayed);
}

/* ---- its life ---- */

/* The settings come first, so that it is known whom it is about before there is any snapshot. */
enum nt_status nt_replayed_open(const char *path, bool for_screens, struct nt_replayed **out, struct nt_error *err)
{
	struct nt_replayed *replayed = nt_alloc(sizeof(*replayed));
	struct nt_snapshot *none;
	*replayed = (struct nt_replayed){ .for_screens = for_screens };
	enum nt_status status = nt_open_file(path, &replayed->file, err);
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

enum nt_status nt_replayed_step(struct nt_replayed *replayed, struct nt_snapshot **out, struct nt_error *err)
{
	struct nt_recording_input input;
	*out = NULL;
	enum nt_status status = nt_recording_file_next(replayed->file, &input, err);
	if (status != NT_OK)
		return status;
	switch (input.what) {
	case NT_RECORDED_SETTINGS:
		begin(replayed, &input);
		break;
	case NT_RECORDED_BATCH:
		nt_inputs_batch(&replayed->inputs, input.batch);
		break;
	case NT_RECORDED_NOTE:
		if (replayed->note_count++ < NOTES_MOST)
			replayed->notes[replayed->note_count - 1] = nt_strdup(input.note);
		break;
	case NT_RECORDED_TICK:
		*out = nt_inputs_tick(&replayed->inputs, &input.tick);
		break;
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
