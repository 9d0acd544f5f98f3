// SPDX-License-Identifier: GPL-2.0-only
/* Input: what a frame of a recording unpacks to, all the way: inputs, model, snapshots, JSON, which must be JSON. What is read and written again is read as the same. */
#include "fuzz.h"

#include "decode/recording/recording_read.h"
#include "record/recording_put.h"
#include "shown.h"

enum { INTERVALS_MOST = 4 };

/* Snapshots are shown; else as fuzz_events.c. */
FUZZ_STEPS(1 << 20, 1 << 12)

size_t fuzz_cut_step(size_t size)
{
	return size / 32 + 1;
}

static void write_again(struct nt_recording_put *put, const struct nt_recording_input *input)
{
	switch (input->what) {
	case NT_RECORDED_SETTINGS:
		nt_recording_put_settings(put, &input->settings, input->realtime_offset_ns);
		break;
	case NT_RECORDED_TICK:
		nt_recording_put_tick(put, &input->tick);
		break;
	case NT_RECORDED_BATCH:
		FUZZ_CHECK(nt_recording_put_batch(put, input->batch));
		break;
	case NT_RECORDED_NOTE:
		nt_recording_put_note(put, input->note);
		break;
	}
}

/* Settings begin a model anew. */
static void play(struct nt_model **model, const struct nt_recording_input *input, unsigned *intervals)
{
	switch (input->what) {
	case NT_RECORDED_SETTINGS:
		nt_model_free(*model);
		*model = nt_model_new(&input->settings);
		break;
	case NT_RECORDED_TICK:
		if (!*model || *intervals == INTERVALS_MOST)
			break;
		struct nt_snapshot *snapshot = nt_model_take_tick(*model, &input->tick);
		*intervals += snapshot != NULL;
		fuzz_check_shown(snapshot);
		break;
	case NT_RECORDED_BATCH:
		if (*model)
			nt_model_apply(*model, input->batch);
		break;
	case NT_RECORDED_NOTE:
		break;
	}
}

static size_t read_all(const void *data, size_t size, struct nt_recording_put *put, struct nt_model **model)
{
	struct nt_recording_read read;
	struct nt_recording_input input;
	struct nt_reader bytes = nt_reader_of(data, size);
	size_t count = 0;
	unsigned intervals = 0;
	nt_recording_read_init(&read);
	for (; nt_recording_read_next(&read, &bytes, &input, NULL) == NT_OK; count++) {
		if (put)
			write_again(put, &input);
		if (model)
			play(model, &input, &intervals);
	}
	nt_recording_read_fini(&read);
	return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_recording_put first, second;
	struct nt_model *model = NULL;
	nt_recording_put_init(&first);
	nt_recording_put_init(&second);
	size_t count = read_all(data, size, &first, &model);
	nt_model_free(model);
	FUZZ_CHECK(read_all(first.out.bytes, first.out.length, &second, NULL) == count);
	FUZZ_CHECK(first.out.length == second.out.length && (!count || memcmp(first.out.bytes, second.out.bytes, first.out.length) == 0));
	nt_recording_put_fini(&first);
	nt_recording_put_fini(&second);
	return 0;
}
