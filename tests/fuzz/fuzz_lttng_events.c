// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: a live session, as babeltrace2 hands it over: channels and event classes of any form, as metadata declare them one after the other, and messages with values. The library is played
 * (babeltrace.h). The events that come of it are the target's, and as many as are counted; their texts are in their batch. What a model makes of such events: fuzz_events.c.
 */
#include "fuzz.h"

#include "babeltrace.h"
#include "decode/clr/clr.h"
#include "source/common/inner_tids.h"
#include "source/lttng/lttng_decode.h"
#include "source/lttng/lttng_form.h"

#include <stdio.h>

enum { PID = 4711, OTHER = 4712, CHANNELS = 3, BATCHES = 4 };

/* A class of one byte may have all members, and an event of it be as short. */
FUZZ_STEPS(1 << 14, 1 << 11)

/* ---- the input ---- */

struct input {
	const uint8_t *data;
	size_t size;
};

static uint64_t number(struct input *input, size_t bytes)
{
	uint64_t value = 0;
	size_t there = bytes < input->size ? bytes : input->size;
	memcpy(&value, input->data, there);
	input->data += there;
	input->size -= there;
	return value;
}

static uint8_t byte(struct input *input)
{
	return (uint8_t)number(input, 1);
}

/* ---- the session ---- */

struct session {
	struct bt_trace trace;
	struct bt_clock_class clock;
	struct bt_stream_class channels[CHANNELS];
	struct bt_stream streams[CHANNELS];
	struct bt_event_class classes[CLASSES];
	unsigned class_count;
	uint64_t cycles;
	struct nt_channel *channel;
	struct nt_lttng_out out;
	struct nt_lttng_watched watched[2]; /* the second is of another container, and has the same pid there */
	uint64_t events, lost;              /* that came */
};

static bt_field_class_type type_of(uint8_t which)
{
	static const bt_field_class_type types[] = {
		BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER,
		BT_FIELD_CLASS_TYPE_SIGNED_INTEGER,
		BT_FIELD_CLASS_TYPE_STRING,
		BT_FIELD_CLASS_TYPE_DYNAMIC_ARRAY_WITH_LENGTH_FIELD,
		BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL,
		BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL,
		BT_FIELD_CLASS_TYPE_UNSIGNED_ENUMERATION,
		BT_FIELD_CLASS_TYPE_SIGNED_ENUMERATION,
		BT_FIELD_CLASS_TYPE_STATIC_ARRAY,
		BT_FIELD_CLASS_TYPE_STRUCTURE,
		BT_FIELD_CLASS_TYPE_BOOL,
		BT_FIELD_CLASS_TYPE_BIT_ARRAY,
		BT_FIELD_CLASS_TYPE_OPTION_WITHOUT_SELECTOR_FIELD,
		BT_FIELD_CLASS_TYPE_VARIANT_WITHOUT_SELECTOR_FIELD,
	};
	return types[which % (sizeof(types) / sizeof(*types))];
}

/* `names`: what members of such a structure may be called; the n-th one by default. */
static void declare_members(struct input *input, const char *(*name_of)(const void *, unsigned), const void *context,
			    struct bt_field_class *out)
{
	out->count = byte(input) % (MEMBERS + 1);
	for (unsigned i = 0; i < out->count; i++) {
		uint8_t which = byte(input), type = byte(input);
		out->members[i].name = name_of(context, which ? which : i);
		out->members[i].type = type_of(type);
		out->members[i].element = type_of(type >> 4);
	}
}

static const char *context_name(const void *context, unsigned which)
{
	static const char *const names[] = { "vpid", "vtid", "pid_ns", "procname" };
	(void)context;
	return names[which % (sizeof(names) / sizeof(*names))];
}

static const char *payload_name(const void *context, unsigned which)
{
	enum { PACKED = 0xff };
	const struct nt_clr_desc *desc = context;
	if (which == PACKED)
		return "__data__";
	return desc && which < desc->field_count ? desc->fields[which].name : "length";
}

static void declare_channel(struct session *session, struct input *input)
{
	enum { CONTEXT = 1, LOST_EVENTS = 2, LOST_PACKETS = 4 };
	uint8_t which = byte(input), has = byte(input);
	struct bt_stream_class *channel = &session->channels[which % CHANNELS];
	if (channel->class_count)
		return;
	channel->has_context = has & CONTEXT;
	channel->lost_events_have_times = has & LOST_EVENTS;
	channel->lost_packets_have_times = has & LOST_PACKETS;
	declare_members(input, context_name, NULL, &channel->context);
}

static void declare_class(struct session *session, struct input *input)
{
	enum { NAMED = 0xf0, PAYLOAD = 0xe0 };
	uint8_t which = byte(input), has = byte(input);
	const struct nt_clr_desc *desc = nt_clr_at_index(number(input, 2));
	if (session->class_count == CLASSES)
		return;
	struct bt_event_class *class = &session->classes[session->class_count++];
	struct bt_stream_class *channel = &session->channels[which % CHANNELS];
	class->channel = channel;
	class->has_name = has < NAMED;
	class->has_payload = has < PAYLOAD;
	snprintf(class->name, sizeof(class->name), NT_CLR_LTTNG_PROVIDER ":%s", desc ? desc->name : "Unheard");
	declare_members(input, payload_name, desc, &class->payload);
	channel->classes[channel->class_count++] = class;
}

static void set_text(struct input *input, struct bt_field *field)
{
	size_t length = byte(input) % sizeof(field->text);
	length = length < input->size ? length : input->size;
	memcpy(field->text, input->data, length);
	field->length = strlen(field->text);
	input->data += length;
	input->size -= length;
}

/* Of so many elements as there are bytes; or of more than any payload has, of which none may be looked at. */
static void set_array(struct input *input, struct bt_field *field)
{
	uint64_t length = number(input, 2);
	field->bytes = input->data;
	field->integer = length < UINT16_MAX ? length : UINT64_MAX;
	if (length < UINT16_MAX && length > input->size)
		field->integer = input->size;
	size_t used = length < UINT16_MAX ? (size_t)field->integer : 0;
	input->data += used;
	input->size -= used;
}

static void set_members(struct input *input, const struct bt_field_class *class, struct bt_field *members, struct bt_field *out)
{
	*out = (struct bt_field){ .type = BT_FIELD_CLASS_TYPE_STRUCTURE, .count = class->count, .members = members };
	for (unsigned i = 0; i < class->count; i++) {
		struct bt_field *field = &members[i];
		*field = (struct bt_field){ .type = class->members[i].type, .element = class->members[i].element };
		if (field->type == BT_FIELD_CLASS_TYPE_STRING)
			set_text(input, field);
		else if (bt_field_class_type_is(field->type, BT_FIELD_CLASS_TYPE_ARRAY))
			set_array(input, field);
		else if (bt_field_class_type_is(field->type, BT_FIELD_CLASS_TYPE_REAL)) {
			uint64_t bits = number(input, sizeof(bits));
			memcpy(&field->real, &bits, sizeof(bits));
			if (field->type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL && !(field->real > -3e38 && field->real < 3e38))
				field->real = 1;
		} else {
			uint8_t width = byte(input);
			field->integer = number(input, width % 9);
		}
	}
}

/* ---- nettop's side ---- */

static bool is_target(void *context, uint32_t vpid)
{
	struct session *session = context;
	if (vpid != PID)
		return false;
	session->watched[0].pid = session->watched[0].vpid = PID;
	return true;
}

/* Whoever is new has told an event of the runtime. One number is known to it, as that of the first process; the list stays as it is. */
static const struct nt_lttng_watched *admit(void *context, const struct nt_lttng_newcomer *newcomer)
{
	struct session *session = context;
	FUZZ_CHECK(newcomer->form->desc && newcomer->vpid);
	return newcomer->vpid == OTHER && session->watched[0].pid ? &session->watched[0] : NULL;
}

static void see(struct session *session, const struct nt_event *event)
{
	FUZZ_CHECK(event->pid == PID || event->pid == OTHER || event->kind == NT_EV_LOST);
	if (event->kind == NT_EV_LOST && event->pid == OTHER)
		return; /* both are told */
	if (event->kind == NT_EV_LOST)
		session->lost += event->u.lost.count_known ? event->u.lost.count : 0;
	else if (event->kind != NT_EV_IDLE)
		session->events++;
}

static void take(struct session *session)
{
	for (struct nt_batch *batch; (batch = nt_channel_take_full(session->channel));) {
		for (size_t i = 0; i < batch->event_count; i++)
			see(session, &batch->events[i]);
		for (size_t i = 0; i < batch->str_count; i++)
			FUZZ_CHECK(batch->strs[i].offset <= batch->byte_count &&
				   batch->strs[i].length <= batch->byte_count - batch->strs[i].offset);
		nt_channel_give_back(session->channel, batch);
	}
}

static void hear(struct session *session, struct nt_lttng_decoder *decoder, const bt_message *message)
{
	if (!nt_lttng_out_room(&session->out))
		take(session);
	FUZZ_CHECK(nt_lttng_out_room(&session->out));
	nt_lttng_decode(decoder, message);
}

static void hear_event(struct session *session, struct nt_lttng_decoder *decoder, struct input *input, struct bt_message *message)
{
	static struct bt_field context[MEMBERS], payload[MEMBERS];
	uint8_t which = byte(input);
	if (!session->class_count)
		return;
	const struct bt_event_class *class = &session->classes[which % session->class_count];
	struct bt_event event = { .class = class, .stream = &session->streams[class->channel - session->channels] };
	set_members(input, &class->channel->context, context, &event.context);
	set_members(input, &class->payload, payload, &event.payload);
	message->event = &event;
	hear(session, decoder, message);
}

static void step(struct session *session, struct nt_lttng_decoder *decoder, struct input *input)
{
	enum { EVENT, CHANNEL, CLASS, FLUSHED, MESSAGES };
	static const bt_message_type types[] = { BT_MESSAGE_TYPE_DISCARDED_EVENTS,           BT_MESSAGE_TYPE_DISCARDED_PACKETS,
						 BT_MESSAGE_TYPE_STREAM_BEGINNING,           BT_MESSAGE_TYPE_STREAM_END,
						 BT_MESSAGE_TYPE_PACKET_BEGINNING,           BT_MESSAGE_TYPE_PACKET_END,
						 BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY };
	uint8_t what = byte(input) % (MESSAGES + sizeof(types) / sizeof(*types));
	struct bt_message message = { .type = BT_MESSAGE_TYPE_EVENT };
	if (what == CHANNEL) {
		declare_channel(session, input);
	} else if (what == CLASS) {
		declare_class(session, input);
	} else if (what == FLUSHED) {
		nt_lttng_out_flush(&session->out);
	} else {
		uint8_t far = byte(input);
		message.begin = (struct bt_clock_snapshot){ &session->clock, session->cycles };
		session->cycles += number(input, far % 9);
		message.end = (struct bt_clock_snapshot){ &session->clock, session->cycles };
		if (what == EVENT) {
			hear_event(session, decoder, input, &message);
			return;
		}
		message.type = types[what - MESSAGES];
		message.stream = &session->streams[far % CHANNELS];
		message.packet.stream = message.stream;
		message.counted = far & 0x80;
		message.count = message.end.cycles - message.begin.cycles;
		hear(session, decoder, &message);
	}
}

static void begin(struct session *session, struct input *input)
{
	static const bt_value_type types[] = { BT_VALUE_TYPE_SIGNED_INTEGER, BT_VALUE_TYPE_UNSIGNED_INTEGER, BT_VALUE_TYPE_STRING };
	uint8_t vpid = byte(input);
	session->trace.has_vpid = vpid & 1;
	session->trace.vpid = (struct bt_value){ types[(vpid >> 1) % 3], vpid & 0x80 ? PID : number(input, 8) };
	session->clock.frequency = vpid & 0x40 ? number(input, 8) | 1 : NT_NS_PER_S;
	session->cycles = 1000 * NT_NS_PER_S;
	for (size_t i = 0; i < CHANNELS; i++)
		session->streams[i] = (struct bt_stream){ &session->channels[i], &session->trace };
	session->channel = nt_channel_new(NT_SOURCE_LTTNG, BATCHES);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct session session;
	struct input input = { data, size };
	nt_bt = played;
	memset(&session, 0, sizeof(session));
	begin(&session, &input);
	uint8_t known = byte(&input);
	struct nt_inner_tids *tids = nt_inner_tids_new("/proc/self", true);
	uint32_t pid = known & 1 ? PID : 0;
	session.watched[0] = (struct nt_lttng_watched){ .pid = pid, .vpid = pid, .pid_ns = known & 2 ? PID : 0, .tids = tids };
	session.watched[1] = (struct nt_lttng_watched){ .pid = OTHER, .vpid = PID, .pid_ns = OTHER, .tids = tids };
	const struct nt_lttng_watched_list list = { .items = session.watched, .count = known & 1 && known & 4 ? 2 : 1 };
	const struct nt_lttng_wanted wanted = {
		.list = &list,
		.is_target = is_target,
		.admit = known & 8 ? admit : NULL,
		.context = &session,
		.shift_ns = known & 16 ? (int64_t)NT_NS_PER_S : 0, /* the played clock begins later than that */
	};
	nt_lttng_out_init(&session.out, session.channel, &list);
	struct nt_lttng_decoder *decoder = nt_lttng_decoder_new(&wanted, &session.out);
	while (input.size)
		step(&session, decoder, &input);
	nt_lttng_out_flush(&session.out);
	take(&session);
	FUZZ_CHECK(session.events == session.out.counters.event_count && session.lost == session.out.counters.lost_count);

	nt_lttng_decoder_free(decoder);
	for (unsigned i = 0; i < session.class_count; i++)
		FUZZ_CHECK(session.classes[i].refs == 0);
	nt_inner_tids_free(tids);
	nt_lttng_out_fini(&session.out);
	nt_channel_free(session.channel);
	return 0;
}
