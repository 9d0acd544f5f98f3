/* SPDX-License-Identifier: GPL-2.0-only */
/* The inputs of the model as records of a recording: what decode/recording/recording_read.h reads. */
#ifndef NT_RECORD_RECORDING_PUT_H
#define NT_RECORD_RECORDING_PUT_H

#include "base/event_fields.h"
#include "base/text_buffer.h"
#include "decode/recording/recording_form.h"
#include "nettop/model.h"

struct nt_recording_put {
	struct nt_event_field_places places;
	struct nt_recorded_before before;
	struct nt_text_buffer out;    /* the records of the frame so far; the owner empties it when the frame is over, and says so */
	struct nt_text_buffer record; /* one that is being written */
};

void nt_recording_put_init(struct nt_recording_put *put);
void nt_recording_put_fini(struct nt_recording_put *put);

/* A new frame begins: `out` is empty. */
void nt_recording_put_frame(struct nt_recording_put *put);

/* Each appends one record to `out`. A batch of more than NT_RECORDING_EVENTS_MAX events, or of more bytes than a frame may have, cannot be read again: false, and nothing is appended. */
void nt_recording_put_settings(struct nt_recording_put *put, const struct nt_model_config *config, int64_t realtime_offset_ns);
void nt_recording_put_tick(struct nt_recording_put *put, const struct nt_tick *tick);
void nt_recording_put_note(struct nt_recording_put *put, const char *note);
bool nt_recording_put_batch(struct nt_recording_put *put, const struct nt_batch *batch);

#endif
