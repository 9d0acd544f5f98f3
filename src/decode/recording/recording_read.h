/* SPDX-License-Identifier: GPL-2.0-only */
/* What a frame of a recording unpacks to (recording_form.h), record by record: the inputs of the model, in their order. */
#ifndef NT_DECODE_RECORDING_READ_H
#define NT_DECODE_RECORDING_READ_H

#include "base/event_fields.h"
#include "decode/common/reader.h"
#include "decode/recording/recording_form.h"
#include "nettop/model.h"

/* Of a record. */
struct nt_recording_input {
	enum nt_recorded what;
	struct nt_model_config settings; /* SETTINGS */
	int64_t realtime_offset_ns;      /* likewise: what to add to a time to get that of the wall */
	struct nt_batch *batch;          /* BATCH: borrowed until the next record; it may be changed */
	struct nt_tick tick;             /* TICK */
	const char *note;                /* NOTE: without control characters; borrowed until the next record */
};

struct nt_recording_read {
	struct nt_event_field_places places;
	struct nt_recorded_before before;
	struct nt_batch *batch; /* owned */
	uint64_t unknown_records, unknown_kinds, unknown_fields,
		unknown_by; /* what a later nettop has written, left out; `by`: batches of a source */
	nt_time now;        /* of the newest tick */
	char note[NT_RECORDING_NOTE_BYTES];
};

void nt_recording_read_init(struct nt_recording_read *read);
void nt_recording_read_fini(struct nt_recording_read *read);

/* What comes is the first record of a frame. */
void nt_recording_read_frame(struct nt_recording_read *read);

/*
 * The next record of what the frame has unpacked to. NT_END: there is none any more; NT_ERR_MALFORMED, with a sentence: it is none that a nettop writes, and nothing of it is given out. What the batch takes is bounded by
 * the bytes, some 60 times of them.
 */
enum nt_status nt_recording_read_next(struct nt_recording_read *read, struct nt_reader *bytes, struct nt_recording_input *out,
				      struct nt_error *err);

#endif
