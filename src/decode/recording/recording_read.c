// SPDX-License-Identifier: GPL-2.0-only
#include "decode/recording/recording_read.h"

#include "base/alloc.h"
#include "base/text.h"

#include <string.h>

/* More than that no nettop writes: no clock goes beyond some centuries, and the model makes room by the other ones. */
#define TIME_MAX (UINT64_MAX >> 2)
enum { HALF_LIFE_MAX = 100000, HISTORY_MAX = 1 << 20, SITE_FRAMES_MAX = 1 << 12, WATERMARK_MAX_S = 3600 };

void nt_recording_read_init(struct nt_recording_read *read)
{
	*read = (struct nt_recording_read){ .batch = nt_batch_new(NT_SOURCE_APP) };
	nt_event_field_places_init(&read->places);
}

void nt_recording_read_fini(struct nt_recording_read *read)
{
	nt_batch_free(read->batch);
	*read = (struct nt_recording_read){ .batch = NULL };
}

void nt_recording_read_frame(struct nt_recording_read *read)
{
	read->before = (struct nt_recorded_before){ 0 };
}

static uint64_t take_difference(struct nt_reader *in)
{
	return nt_unzigzag(nt_reader_varuint(in));
}

static uint32_t take_u32(struct nt_reader *in)
{
	uint64_t value = nt_reader_varuint(in);
	in->bad |= value > UINT32_MAX;
	return (uint32_t)value;
}

/* How many there are of what takes so many bytes at least. */
static size_t take_count(struct nt_reader *in, size_t least)
{
	uint64_t count = nt_reader_varuint(in);
	in->bad |= count > nt_reader_left(in) / least;
	return in->bad ? 0 : (size_t)count;
}

/* ---- settings and ticks ---- */

/* With it, and without, any time that is taken is one that can be shown. */
static bool offset_is_sane(int64_t offset_ns)
{
	return offset_ns > -(int64_t)(TIME_MAX / 2) && offset_ns < (int64_t)(TIME_MAX / 2);
}

static bool take_settings(struct nt_reader *in, struct nt_recording_input *out)
{
	struct nt_model_config *config = &out->settings;
	uint64_t half_life, history;
	*config = (struct nt_model_config){ .pid = take_u32(in) };
	config->start = nt_reader_varuint(in);
	config->interval_ns = nt_reader_varuint(in);
	config->watermark_ns = nt_reader_varuint(in);
	half_life = nt_reader_varuint(in);
	history = nt_reader_varuint(in);
	config->site_frames = take_u32(in);
	config->text_slack_bytes = nt_reader_varuint(in);
	out->realtime_offset_ns = (int64_t)take_difference(in);
	config->window_half_life = (unsigned)half_life;
	config->history_limit = history;
	return !in->bad && offset_is_sane(out->realtime_offset_ns) && config->start < TIME_MAX &&
	       config->interval_ns >= NT_INTERVAL_MIN_NS && config->interval_ns <= NT_INTERVAL_MAX_NS &&
	       config->watermark_ns <= WATERMARK_MAX_S * NT_NS_PER_S && half_life && half_life <= HALF_LIFE_MAX && history <= HISTORY_MAX &&
	       config->site_frames <= SITE_FRAMES_MAX;
}

static bool take_tick(struct nt_recording_read *read, struct nt_reader *in, struct nt_recording_input *out)
{
	nt_time now = read->before.tick + take_difference(in);
	uint8_t how = nt_reader_u8(in), complete = nt_reader_u8(in);
	if (in->bad || now >= TIME_MAX || now < read->now || how > NT_TICK_FINAL || complete > 1)
		return false;
	read->before.tick = read->now = now;
	out->tick = (struct nt_tick){ .now = now, .how = (enum nt_tick_how)how, .complete = complete };
	return true;
}

/* ---- what a batch has besides events ---- */

static void take_bytes(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 1);
	const uint8_t *bytes = nt_reader_bytes(in, count);
	if (!bytes || !count)
		return;
	batch->bytes = nt_grow(batch->bytes, &batch->byte_capacity, count, 1);
	memcpy(batch->bytes, bytes, count);
	batch->byte_count = count;
}

static void take_addresses(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 1);
	uint64_t before = 0;
	batch->addresses = nt_grow(batch->addresses, &batch->address_capacity, count, sizeof(*batch->addresses));
	for (size_t i = 0; i < count; i++)
		batch->addresses[i] = before += take_difference(in);
	batch->address_count = count;
}

/* Does [offset, offset + length) lie in what has so many? The end is where the next one is expected. */
static bool lies_in(size_t all, uint64_t offset, size_t length, uint64_t *end)
{
	*end = offset + length;
	return offset <= all && length <= all - offset;
}

static void take_strs(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 3);
	uint64_t end = 0, all = 0;
	batch->strs = nt_grow(batch->strs, &batch->str_capacity, count, sizeof(*batch->strs));
	for (size_t i = 0; i < count; i++) {
		struct nt_batch_str *str = &batch->strs[i];
		*str = (struct nt_batch_str){ .id = take_u32(in) };
		str->length = take_u32(in);
		str->offset = end + take_difference(in);
		in->bad |= !lies_in(batch->byte_count, str->offset, str->length, &end);
		in->bad |= (all += str->length) > batch->byte_count; /* none overlaps: what is made of them is bounded by the bytes */
	}
	batch->str_count = count;
}

static void take_stacks(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 4);
	uint64_t end = 0, all = 0;
	batch->stacks = nt_grow(batch->stacks, &batch->stack_capacity, count, sizeof(*batch->stacks));
	for (size_t i = 0; i < count; i++) {
		struct nt_batch_stack *stack = &batch->stacks[i];
		*stack = (struct nt_batch_stack){ .id = take_u32(in) };
		uint64_t frames = nt_reader_varuint(in), of_kernel = nt_reader_varuint(in);
		in->bad |= frames > UINT16_MAX || of_kernel > frames;
		stack->count = (uint16_t)frames;
		stack->kernel_count = (uint16_t)of_kernel;
		stack->offset = end + take_difference(in);
		in->bad |= !lies_in(batch->address_count, stack->offset, stack->count, &end);
		in->bad |= (all += stack->count) > batch->address_count;
	}
	batch->stack_count = count;
}

static void take_lines(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 5);
	uint64_t end = 0, before = 0;
	batch->lines = nt_grow(batch->lines, &batch->line_capacity, count, sizeof(*batch->lines));
	for (size_t i = 0; i < count; i++) {
		struct nt_batch_line *line = &batch->lines[i];
		*line = (struct nt_batch_line){ .start = before += take_difference(in) };
		line->size = take_u32(in);
		uint64_t length = nt_reader_varuint(in), kind = nt_reader_varuint(in), offset = end + take_difference(in);
		in->bad |= length > UINT16_MAX || kind > UINT16_MAX || offset > UINT32_MAX;
		line->length = (uint16_t)length;
		line->kind = (uint16_t)kind;
		line->offset = (uint32_t)offset;
		in->bad |= !lies_in(batch->byte_count, offset, line->length, &end);
	}
	batch->line_count = count;
}

static void take_places(struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 3);
	uint64_t before = 0;
	batch->places = nt_grow(batch->places, &batch->place_capacity, count, sizeof(*batch->places));
	for (size_t i = 0; i < count; i++) {
		struct nt_batch_place *place = &batch->places[i];
		*place = (struct nt_batch_place){ .start = before += take_difference(in) };
		place->size = take_u32(in);
		place->offset = take_u32(in);
	}
	batch->place_count = count;
}

/* ---- events ---- */

static const struct nt_event_field *field_of(const struct nt_event_field_places *places, uint16_t kind, uint64_t number)
{
	const struct nt_event_field *fields = nt_event_fields + places->first[kind];
	for (size_t i = 0; i < places->count[kind]; i++)
		if (fields[i].number == number)
			return &fields[i];
	return NULL;
}

static enum nt_recorded_value value_of(const struct nt_event_field *field)
{
	switch ((enum nt_event_field_type)field->type) {
	case NT_EVENT_FIELD_F64:
		return NT_RECORDED_EIGHT;
	case NT_EVENT_FIELD_U32S:
	case NT_EVENT_FIELD_U64S:
		return NT_RECORDED_LIST;
	default:
		return NT_RECORDED_NUMBER;
	}
}

/* What does not fit is none that a nettop writes. */
static void set(struct nt_event *event, const struct nt_event_field *field, size_t i, uint64_t value, struct nt_reader *in)
{
	size_t width = nt_event_field_width(field);
	in->bad |= (width == 1 && value > 1) || (width == 4 && value > UINT32_MAX);
	if (!in->bad)
		nt_event_field_set(event, field, i, value);
}

static void take_list(struct nt_event *event, const struct nt_event_field *field, struct nt_reader *in)
{
	size_t count = take_count(in, 1);
	in->bad |= count != field->count;
	for (size_t i = 0; !in->bad && i < count; i++)
		set(event, field, i, nt_reader_varuint(in), in);
}

static void take_number(struct nt_event *event, const struct nt_event_field *field, struct nt_reader *in)
{
	uint64_t value = nt_reader_varuint(in);
	set(event, field, 0, field->type == NT_EVENT_FIELD_TIME ? event->time + nt_unzigzag(value) : value, in);
}

static void skip_value(enum nt_recorded_value value, struct nt_reader *in)
{
	if (value == NT_RECORDED_NUMBER)
		nt_reader_varuint(in);
	else if (value == NT_RECORDED_EIGHT)
		nt_reader_bytes(in, sizeof(double));
	else if (value == NT_RECORDED_LIST)
		for (size_t count = take_count(in, 1); count && !in->bad; count--)
			nt_reader_varuint(in);
	else
		in->bad = true;
}

/* `event` NULL: its kind is not known. */
static void take_fields(struct nt_recording_read *read, struct nt_event *event, struct nt_reader *in)
{
	for (uint64_t tag; (tag = nt_reader_varuint(in)) && !in->bad;) {
		enum nt_recorded_value value = (enum nt_recorded_value)(tag & 3);
		const struct nt_event_field *field = event ? field_of(&read->places, event->kind, tag >> 2) : NULL;
		if (!field) {
			read->unknown_fields += event != NULL;
			skip_value(value, in);
		} else if (value != value_of(field)) {
			in->bad = true;
		} else if (value == NT_RECORDED_LIST) {
			take_list(event, field, in);
		} else if (value == NT_RECORDED_EIGHT) {
			const uint8_t *bytes = nt_reader_bytes(in, sizeof(double));
			if (bytes)
				memcpy((char *)event + field->offset, bytes, sizeof(double));
		} else {
			take_number(event, field, in);
		}
	}
}

static void take_event(struct nt_recording_read *read, struct nt_batch *batch, struct nt_reader *in)
{
	struct nt_recorded_before *before = &read->before;
	uint64_t kind = nt_reader_varuint(in);
	uint8_t says = nt_reader_u8(in);
	before->time += take_difference(in);
	uint8_t version = says & NT_RECORDED_VERSION ? nt_reader_u8(in) : 0;
	before->pid = says & NT_RECORDED_PID ? take_u32(in) : before->pid;
	before->tid = says & NT_RECORDED_TID ? take_u32(in) : before->tid;
	nt_stack stack = says & NT_RECORDED_STACK ? take_u32(in) : 0;
	if (in->bad)
		return;
	struct nt_event *event = NULL;
	if (kind <= UINT16_MAX && nt_event_kind_exists((unsigned)kind)) {
		event = nt_batch_add(batch, (enum nt_event_kind)kind, before->time, before->pid, before->tid);
		event->beside = says & NT_RECORDED_BESIDE;
		event->version = version;
		event->stack = stack;
	} else {
		read->unknown_kinds++;
	}
	take_fields(read, event, in);
}

static void take_events(struct nt_recording_read *read, struct nt_batch *batch, struct nt_reader *in)
{
	size_t count = take_count(in, 4);
	in->bad |= count > NT_RECORDING_EVENTS_MAX;
	for (size_t i = 0; !in->bad && i < count; i++)
		take_event(read, batch, in);
}

/* False also for one of a source that is not known: `*known`. */
static bool take_batch(struct nt_recording_read *read, struct nt_reader *in, bool *known)
{
	struct nt_batch *batch = read->batch;
	nt_batch_reset(batch);
	uint64_t source = nt_reader_varuint(in);
	*known = source < NT_SOURCE_COUNT;
	batch->source = *known ? (enum nt_source_id)source : NT_SOURCE_COUNT;
	batch->pid = take_u32(in);
	batch->epoch = take_u32(in);
	take_bytes(batch, in);
	take_addresses(batch, in);
	take_strs(batch, in);
	take_stacks(batch, in);
	take_lines(batch, in);
	take_places(batch, in);
	take_events(read, batch, in);
	return !in->bad;
}

/* ---- records ---- */

static void take_note(struct nt_recording_read *read, struct nt_reader *in, struct nt_recording_input *out)
{
	size_t length = nt_reader_left(in);
	nt_text_escape((const char *)nt_reader_bytes(in, length), length, read->note, sizeof(read->note));
	out->note = read->note;
}

static bool take_record(struct nt_recording_read *read, uint8_t type, struct nt_reader *in, struct nt_recording_input *out, bool *known)
{
	*known = true;
	out->what = (enum nt_recorded)type;
	out->batch = read->batch;
	switch (type) {
	case NT_RECORDED_SETTINGS:
		return take_settings(in, out);
	case NT_RECORDED_TICK:
		return take_tick(read, in, out);
	case NT_RECORDED_BATCH:
		if (!take_batch(read, in, known))
			return false;
		read->unknown_by += !*known;
		return true;
	case NT_RECORDED_NOTE:
		take_note(read, in, out);
		return true;
	default:
		*known = false;
		read->unknown_records++;
		return true;
	}
}

enum nt_status nt_recording_read_next(struct nt_recording_read *read, struct nt_reader *bytes, struct nt_recording_input *out,
				      struct nt_error *err)
{
	while (nt_reader_left(bytes)) {
		uint8_t type = nt_reader_u8(bytes);
		uint64_t length = nt_reader_varuint(bytes);
		const uint8_t *at = length <= nt_reader_left(bytes) ? nt_reader_bytes(bytes, (size_t)length) : NULL;
		struct nt_reader in = nt_reader_of(at, at ? (size_t)length : 0);
		bool known;
		if (!at || !take_record(read, type, &in, out, &known))
			return nt_error_set(err, NT_ERR_MALFORMED, "a record of type %u is not as nettop writes it", type);
		if (known)
			return NT_OK;
	}
	return NT_END;
}
