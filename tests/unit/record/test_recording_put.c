// SPDX-License-Identifier: GPL-2.0-only
/* What is written down of batches, ticks and settings is read again as it was; what a later nettop writes is left out; what nobody writes is refused. */
#include "random_batch.h"

#include "decode/recording/recording_read.h"
#include "record/recording_put.h"

enum { ROUNDS = 60 };

struct both {
	struct nt_recording_put put;
	struct nt_recording_read read;
	struct nt_reader bytes;
	struct nt_recording_input input;
	struct nt_error err;
};

static void begin(struct both *both)
{
	*both = (struct both){ .input = { 0 } };
	nt_recording_put_init(&both->put);
	nt_recording_read_init(&both->read);
}

static void end(struct both *both)
{
	nt_recording_put_fini(&both->put);
	nt_recording_read_fini(&both->read);
}

static void turn(struct both *both)
{
	both->bytes = nt_reader_of(both->put.out.bytes, both->put.out.length);
	nt_recording_read_frame(&both->read);
}

static enum nt_status next(struct both *both)
{
	return nt_recording_read_next(&both->read, &both->bytes, &both->input, &both->err);
}

static void batches_come_back_as_they_were(void **state)
{
	(void)state;
	struct both both;
	struct nt_batch *batches[ROUNDS];
	uint64_t seed = 1;
	begin(&both);
	for (size_t i = 0; i < ROUNDS; i++) {
		batches[i] = nt_batch_new(NT_SOURCE_APP);
		random_batch(&seed, batches[i]);
		assert_true(nt_recording_put_batch(&both.put, batches[i]));
	}
	turn(&both);
	for (size_t i = 0; i < ROUNDS; i++) {
		assert_int_equal(next(&both), NT_OK);
		assert_int_equal(both.input.what, NT_RECORDED_BATCH);
		assert_same_batch(batches[i], both.input.batch);
		nt_batch_free(batches[i]);
	}
	assert_int_equal(next(&both), NT_END);
	end(&both);
}

static void notes_come_back_without_what_moves_a_cursor(void **state)
{
	(void)state;
	struct both both;
	char longest[2 * NT_RECORDING_NOTE_BYTES];
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	begin(&both);
	nt_recording_put_note(&both.put, "cut at byte 7\033[2J");
	nt_recording_put_note(&both.put, "");
	nt_recording_put_note(&both.put, longest);
	turn(&both);
	assert_int_equal(next(&both), NT_OK);
	assert_int_equal(both.input.what, NT_RECORDED_NOTE);
	assert_string_equal(both.input.note, "cut at byte 7\\x1b[2J");
	assert_int_equal(next(&both), NT_OK);
	assert_string_equal(both.input.note, "");
	assert_int_equal(next(&both), NT_OK);
	assert_int_equal(strlen(both.input.note), NT_RECORDING_NOTE_BYTES - 1);
	assert_int_equal(next(&both), NT_END);
	end(&both);
}

static void settings_and_ticks_come_back(void **state)
{
	(void)state;
	struct both both;
	const struct nt_model_config config = { .pid = 4711,
						.start = 99 * NT_NS_PER_S,
						.interval_ns = NT_NS_PER_S,
						.watermark_ns = 300,
						.window_half_life = 5,
						.history_limit = 2000,
						.site_frames = 64,
						.text_slack_bytes = SIZE_MAX };
	const struct nt_tick ticks[] = { { .now = 100 * NT_NS_PER_S },
					 { .now = 100 * NT_NS_PER_S, .how = NT_TICK_CLOSE },
					 { .now = 101 * NT_NS_PER_S, .how = NT_TICK_FINAL, .complete = true } };
	begin(&both);
	nt_recording_put_settings(&both.put, &config, -5);
	for (size_t i = 0; i < 3; i++)
		nt_recording_put_tick(&both.put, &ticks[i]);
	turn(&both);
	assert_int_equal(next(&both), NT_OK);
	assert_int_equal(both.input.what, NT_RECORDED_SETTINGS);
	assert_int_equal(both.input.realtime_offset_ns, -5);
	const struct nt_model_config *read = &both.input.settings;
	assert_true(read->pid == 4711 && read->start == config.start && read->interval_ns == config.interval_ns &&
		    read->watermark_ns == 300 && read->window_half_life == 5 && read->history_limit == 2000 && read->site_frames == 64 &&
		    read->text_slack_bytes == SIZE_MAX);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(next(&both), NT_OK);
		assert_int_equal(both.input.what, NT_RECORDED_TICK);
		assert_true(both.input.tick.now == ticks[i].now && both.input.tick.how == ticks[i].how &&
			    both.input.tick.complete == ticks[i].complete);
	}
	end(&both);
}

/* By hand, as the form says: an event of an unknown kind with all sorts of fields, a known one with an unknown field, an unknown record, a batch of an unknown source. */
static void what_is_later_is_left_out_and_counted(void **state)
{
	(void)state;
	static const uint8_t records[] = {
		0x7e,
		3,
		'n',
		'e',
		'w', /* a record of type 126 */
		NT_RECORDED_BATCH,
		10,
		99, /* a batch of source 99, with nothing in it */
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
	};
	static const uint8_t known[] = { NT_RECORDED_BATCH,
					 60,
					 NT_SOURCE_PERF,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 0,
					 2,
					 0xf9,
					 0x01,
					 0,
					 2, /* kind 0xf9, at time 1 */
					 1 << 2 | NT_RECORDED_NUMBER,
					 0x80,
					 1,
					 2 << 2 | NT_RECORDED_EIGHT,
					 1,
					 2,
					 3,
					 4,
					 5,
					 6,
					 7,
					 8,
					 3 << 2 | NT_RECORDED_LIST,
					 2,
					 5,
					 6,
					 0,
					 NT_EV_SAMPLE,
					 NT_RECORDED_TID,
					 2,
					 7, /* at time 2 */
					 1 << 2 | NT_RECORDED_NUMBER,
					 42,
					 31 << 2 | NT_RECORDED_LIST,
					 1,
					 9,
					 4 << 2 | NT_RECORDED_NUMBER,
					 3,
					 0,
					 'a',
					 'n',
					 'd',
					 ' ',
					 'w',
					 'h',
					 'a',
					 't',
					 ' ',
					 'i',
					 's',
					 ' ',
					 'a',
					 'd' };
	struct both both;
	begin(&both);
	nt_text_put_bytes(&both.put.out, (const char *)records, sizeof(records));
	nt_text_put_bytes(&both.put.out, (const char *)known, sizeof(known));
	both.put.out.bytes[sizeof(records) + 1] = sizeof(known) - 2;
	turn(&both);
	assert_int_equal(next(&both), NT_OK);
	assert_int_equal(both.input.batch->source, NT_SOURCE_PERF);
	assert_int_equal(both.input.batch->event_count, 1);
	const struct nt_event *sample = &both.input.batch->events[0];
	assert_true(sample->kind == NT_EV_SAMPLE && sample->time == 2 && sample->tid == 7 && sample->u.sample.weight_ns == 42 &&
		    sample->u.sample.besides == 3);
	assert_int_equal(next(&both), NT_END);
	assert_int_equal(both.read.unknown_records, 1);
	assert_int_equal(both.read.unknown_by, 1);
	assert_int_equal(both.read.unknown_kinds, 1);
	assert_int_equal(both.read.unknown_fields, 1);
	end(&both);
}

/* Each byte of a recorded batch as each of some others: it is read or refused, and whatever is given out lies in the batch. */
static void whatever_is_read_lies_within(void **state)
{
	(void)state;
	struct both both;
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_APP);
	uint64_t seed = 7;
	size_t refused = 0, read = 0;
	begin(&both);
	random_batch(&seed, batch);
	assert_true(nt_recording_put_batch(&both.put, batch));
	for (size_t i = 0; i < both.put.out.length; i++) {
		static const char others[] = { 0, 1, 0x7f, (char)0x80, (char)0xff };
		char before = both.put.out.bytes[i];
		for (size_t n = 0; n < sizeof(others); n++) {
			both.put.out.bytes[i] = others[n];
			turn(&both);
			enum nt_status status = next(&both);
			refused += status < 0;
			read += status == NT_OK;
			const struct nt_batch *got = both.input.batch;
			for (size_t s = 0; status == NT_OK && s < got->str_count; s++)
				assert_true(got->strs[s].offset <= got->byte_count &&
					    got->strs[s].length <= got->byte_count - got->strs[s].offset);
			for (size_t s = 0; status == NT_OK && s < got->stack_count; s++)
				assert_true(got->stacks[s].offset <= got->address_count &&
					    got->stacks[s].count <= got->address_count - got->stacks[s].offset);
		}
		both.put.out.bytes[i] = before;
	}
	assert_true(refused && read);
	nt_batch_free(batch);
	end(&both);
}

/* A few bytes that say that there is very much. */
static void numbers_that_cannot_be_are_refused(void **state)
{
	(void)state;
	static const uint8_t many[] = { 0xff, 0xff, 0xff, 0xff, 0x0f };
	struct both both;
	for (size_t place = 3; place < 10; place++) {
		uint8_t record[2 + 10 + sizeof(many)] = { NT_RECORDED_BATCH, sizeof(record) - 2 };
		memcpy(record + 2 + place, many, sizeof(many));
		begin(&both);
		nt_text_put_bytes(&both.put.out, (const char *)record, sizeof(record));
		turn(&both);
		assert_int_equal(next(&both), NT_ERR_MALFORMED);
		assert_true(both.read.batch->event_capacity < 100 && both.read.batch->line_capacity < 100 &&
			    both.read.batch->byte_capacity < 100);
		end(&both);
	}
}

/* No nettop writes the same bytes for two texts, or the same addresses for two stacks: who does makes much of little. */
static void what_overlaps_is_refused(void **state)
{
	(void)state;
	static const uint64_t addresses[] = { 1, 2, 3 };
	for (int of_stacks = 0; of_stacks < 2; of_stacks++) {
		struct both both;
		struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
		begin(&both);
		for (uint32_t id = 1; id < 3; id++) {
			nt_batch_announce_str(batch, id, "text", 4);
			nt_batch_announce_stack(batch, id, addresses, 0, 3);
		}
		assert_true(nt_recording_put_batch(&both.put, batch));
		turn(&both);
		assert_int_equal(next(&both), NT_OK);
		if (of_stacks)
			batch->stacks[1].offset = batch->stacks[0].offset, batch->address_count = 3;
		else
			batch->strs[1].offset = batch->strs[0].offset, batch->byte_count = 4;
		both.put.out.length = 0;
		assert_true(nt_recording_put_batch(&both.put, batch));
		turn(&both);
		assert_int_equal(next(&both), NT_ERR_MALFORMED);
		nt_batch_free(batch);
		end(&both);
	}
}

static void a_clock_that_cannot_be_is_refused(void **state)
{
	(void)state;
	static const int64_t offsets[] = { INT64_MAX, INT64_MIN, INT64_MAX / 2 };
	const struct nt_model_config config = {
		.pid = 1, .start = 1, .interval_ns = NT_NS_PER_S, .window_half_life = 5, .history_limit = 9
	};
	struct both usual;
	begin(&usual);
	nt_recording_put_settings(&usual.put, &config, -5);
	turn(&usual);
	assert_int_equal(next(&usual), NT_OK);
	end(&usual);
	for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		struct both both;
		begin(&both);
		nt_recording_put_settings(&both.put, &config, offsets[i]);
		turn(&both);
		assert_int_equal(next(&both), NT_ERR_MALFORMED);
		end(&both);
	}
}

static void what_is_too_much_for_a_frame_is_not_begun(void **state)
{
	(void)state;
	struct both both;
	struct nt_batch *batch = nt_batch_new(NT_SOURCE_PERF);
	begin(&both);
	for (size_t i = 0; i <= NT_RECORDING_EVENTS_MAX; i++)
		nt_batch_add(batch, NT_EV_SAMPLE, i, 1, 1);
	assert_false(nt_recording_put_batch(&both.put, batch));
	assert_int_equal(both.put.out.length, 0);
	nt_batch_take_back(batch);
	assert_true(nt_recording_put_batch(&both.put, batch));
	turn(&both);
	assert_int_equal(next(&both), NT_OK);
	assert_int_equal(both.input.batch->event_count, NT_RECORDING_EVENTS_MAX);
	nt_batch_free(batch);
	end(&both);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(batches_come_back_as_they_were),
		cmocka_unit_test(notes_come_back_without_what_moves_a_cursor),
		cmocka_unit_test(settings_and_ticks_come_back),
		cmocka_unit_test(what_is_later_is_left_out_and_counted),
		cmocka_unit_test(whatever_is_read_lies_within),
		cmocka_unit_test(numbers_that_cannot_be_are_refused),
		cmocka_unit_test(what_overlaps_is_refused),
		cmocka_unit_test(a_clock_that_cannot_be_is_refused),
		cmocka_unit_test(what_is_too_much_for_a_frame_is_not_begun),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
