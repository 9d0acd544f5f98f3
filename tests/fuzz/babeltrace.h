/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * libbabeltrace2 as a fuzz target plays it, as far as decoding messages asks it. It holds nettop to what the library demands and does not look at itself: a value is asked for by its own type, a
 * member or an element by a number that there is, a message for what its type has. Its types are known by name only elsewhere; here they have what is asked for.
 */
#ifndef NT_TESTS_FUZZ_BABELTRACE_H
#define NT_TESTS_FUZZ_BABELTRACE_H

#include "source/lttng/babeltrace.h"

#include <stdbool.h>
#include <string.h>

enum { CLASSES = 8, MEMBERS = 24, TEXT_MAX = 64 };

/* ---- types ---- */

struct bt_clock_class {
	uint64_t frequency;
};

struct bt_clock_snapshot {
	const struct bt_clock_class *class;
	uint64_t cycles;
};

struct bt_field_class_structure_member {
	const char *name;
	bt_field_class_type type, element; /* element: of an array */
};

struct bt_field_class {
	unsigned count;
	struct bt_field_class_structure_member members[MEMBERS];
};

struct bt_event_class {
	bool has_name, has_payload;
	char name[TEXT_MAX];
	const struct bt_stream_class *channel;
	struct bt_field_class payload;
	unsigned refs;
};

struct bt_stream_class {
	bool has_context, lost_events_have_times, lost_packets_have_times;
	struct bt_field_class context;
	const struct bt_event_class *classes[CLASSES];
	unsigned class_count;
};

struct bt_value {
	bt_value_type type;
	uint64_t integer;
};

struct bt_trace {
	bool has_vpid;
	struct bt_value vpid;
};

struct bt_stream {
	const struct bt_stream_class *class;
	const struct bt_trace *trace;
};

struct bt_packet {
	const struct bt_stream *stream;
};

struct bt_field {
	bt_field_class_type type;
	uint64_t integer; /* of an integer; the length of an array */
	double real;
	char text[TEXT_MAX];         /* of a string */
	size_t length;               /* of that */
	const uint8_t *bytes;        /* an array's elements, each of a byte; borrowed from the input */
	bt_field_class_type element; /* their type */
	unsigned count;              /* of a structure's members */
	struct bt_field *members;
};

struct bt_event {
	const struct bt_event_class *class;
	const struct bt_stream *stream;
	struct bt_field context, payload;
};

struct bt_message {
	bt_message_type type;
	const struct bt_event *event;
	const struct bt_stream *stream;
	struct bt_packet packet;
	struct bt_clock_snapshot begin, end;
	bool counted;
	uint64_t count;
};

/* ---- functions ---- */

static uint64_t clock_class_get_frequency(const bt_clock_class *class)
{
	return class->frequency;
}

static const bt_clock_class *clock_snapshot_borrow_clock_class(const bt_clock_snapshot *snapshot)
{
	return snapshot->class;
}

static uint64_t clock_snapshot_get_value(const bt_clock_snapshot *snapshot)
{
	return snapshot->cycles;
}

static const bt_event_class *event_borrow_class(const bt_event *event)
{
	return event->class;
}

static const bt_field *event_borrow_common_context(const bt_event *event)
{
	return event->class->channel->has_context ? &event->context : NULL;
}

static const bt_field *event_borrow_payload(const bt_event *event)
{
	return event->class->has_payload ? &event->payload : NULL;
}

static const bt_stream *event_borrow_stream(const bt_event *event)
{
	return event->stream;
}

static const bt_field_class *event_class_borrow_payload(const bt_event_class *class)
{
	return class->has_payload ? &class->payload : NULL;
}

static const bt_stream_class *event_class_borrow_stream_class(const bt_event_class *class)
{
	return class->channel;
}

static const char *event_class_get_name(const bt_event_class *class)
{
	return class->has_name ? class->name : NULL;
}

static void event_class_get_ref(const bt_event_class *class)
{
	((bt_event_class *)(uintptr_t) class)->refs++;
}

static void event_class_put_ref(const bt_event_class *class)
{
	FUZZ_CHECK(class->refs > 0);
	((bt_event_class *)(uintptr_t) class)->refs--;
}

static uint64_t structure_class_count(const bt_field_class *class)
{
	return class->count;
}

static const bt_field_class_structure_member *structure_class_member(const bt_field_class *class, uint64_t index)
{
	FUZZ_CHECK(index < class->count);
	return &class->members[index];
}

static const char *structure_member_name(const bt_field_class_structure_member *member)
{
	return member->name;
}

static bt_field_class_type field_type(const bt_field *field)
{
	return field->type;
}

static uint64_t array_length(const bt_field *field)
{
	FUZZ_CHECK(bt_field_class_type_is(field->type, BT_FIELD_CLASS_TYPE_ARRAY));
	return field->integer;
}

/* Valid until the next one is asked for. */
static const bt_field *array_element(const bt_field *field, uint64_t index)
{
	static bt_field element;
	FUZZ_CHECK(index < array_length(field));
	element = (bt_field){ .type = field->element, .integer = field->bytes[index] };
	return &element;
}

static int64_t integer_signed(const bt_field *field)
{
	FUZZ_CHECK(bt_field_class_type_is(field->type, BT_FIELD_CLASS_TYPE_SIGNED_INTEGER));
	return (int64_t)field->integer;
}

static uint64_t integer_unsigned(const bt_field *field)
{
	FUZZ_CHECK(bt_field_class_type_is(field->type, BT_FIELD_CLASS_TYPE_UNSIGNED_INTEGER));
	return field->integer;
}

static float real_single(const bt_field *field)
{
	FUZZ_CHECK(field->type == BT_FIELD_CLASS_TYPE_SINGLE_PRECISION_REAL);
	return (float)field->real;
}

static double real_double(const bt_field *field)
{
	FUZZ_CHECK(field->type == BT_FIELD_CLASS_TYPE_DOUBLE_PRECISION_REAL);
	return field->real;
}

static const char *string_value(const bt_field *field)
{
	FUZZ_CHECK(field->type == BT_FIELD_CLASS_TYPE_STRING);
	return field->text;
}

static uint64_t string_length(const bt_field *field)
{
	FUZZ_CHECK(field->type == BT_FIELD_CLASS_TYPE_STRING);
	return field->length;
}

static const bt_field *structure_member(const bt_field *field, uint64_t index)
{
	FUZZ_CHECK(field->type == BT_FIELD_CLASS_TYPE_STRUCTURE && index < field->count);
	return &field->members[index];
}

static const bt_message *of_type(const bt_message *message, bt_message_type type)
{
	FUZZ_CHECK(message->type == type);
	return message;
}

static bt_message_type message_type(const bt_message *message)
{
	return message->type;
}

static const bt_event *message_event(const bt_message *message)
{
	return of_type(message, BT_MESSAGE_TYPE_EVENT)->event;
}

static const bt_clock_snapshot *message_event_time(const bt_message *message)
{
	return &of_type(message, BT_MESSAGE_TYPE_EVENT)->begin;
}

static const bt_clock_snapshot *lost_events_begin(const bt_message *message)
{
	FUZZ_CHECK(message->stream->class->lost_events_have_times);
	return &of_type(message, BT_MESSAGE_TYPE_DISCARDED_EVENTS)->begin;
}

static const bt_clock_snapshot *lost_events_end(const bt_message *message)
{
	FUZZ_CHECK(message->stream->class->lost_events_have_times);
	return &of_type(message, BT_MESSAGE_TYPE_DISCARDED_EVENTS)->end;
}

static const bt_stream *lost_events_stream(const bt_message *message)
{
	return of_type(message, BT_MESSAGE_TYPE_DISCARDED_EVENTS)->stream;
}

static bt_property_availability lost_events_count(const bt_message *message, uint64_t *count)
{
	*count = of_type(message, BT_MESSAGE_TYPE_DISCARDED_EVENTS)->count;
	return message->counted ? BT_PROPERTY_AVAILABILITY_AVAILABLE : BT_PROPERTY_AVAILABILITY_NOT_AVAILABLE;
}

static const bt_clock_snapshot *lost_packets_begin(const bt_message *message)
{
	FUZZ_CHECK(message->stream->class->lost_packets_have_times);
	return &of_type(message, BT_MESSAGE_TYPE_DISCARDED_PACKETS)->begin;
}

static const bt_clock_snapshot *lost_packets_end(const bt_message *message)
{
	FUZZ_CHECK(message->stream->class->lost_packets_have_times);
	return &of_type(message, BT_MESSAGE_TYPE_DISCARDED_PACKETS)->end;
}

static const bt_stream *lost_packets_stream(const bt_message *message)
{
	return of_type(message, BT_MESSAGE_TYPE_DISCARDED_PACKETS)->stream;
}

static const bt_clock_snapshot *inactivity_time(const bt_message *message)
{
	return &of_type(message, BT_MESSAGE_TYPE_MESSAGE_ITERATOR_INACTIVITY)->begin;
}

static const bt_packet *packet_beginning(const bt_message *message)
{
	return &of_type(message, BT_MESSAGE_TYPE_PACKET_BEGINNING)->packet;
}

static const bt_stream *stream_beginning(const bt_message *message)
{
	return of_type(message, BT_MESSAGE_TYPE_STREAM_BEGINNING)->stream;
}

static const bt_stream *packet_stream(const bt_packet *packet)
{
	return packet->stream;
}

static const bt_stream_class *stream_class(const bt_stream *stream)
{
	return stream->class;
}

static const bt_trace *stream_trace(const bt_stream *stream)
{
	return stream->trace;
}

static const bt_event_class *channel_class(const bt_stream_class *channel, uint64_t index)
{
	FUZZ_CHECK(index < channel->class_count);
	return channel->classes[index];
}

static const bt_field_class *channel_context(const bt_stream_class *channel)
{
	return channel->has_context ? &channel->context : NULL;
}

static uint64_t channel_class_count(const bt_stream_class *channel)
{
	return channel->class_count;
}

static bt_bool lost_events_have_times(const bt_stream_class *channel)
{
	return channel->lost_events_have_times;
}

static bt_bool lost_packets_have_times(const bt_stream_class *channel)
{
	return channel->lost_packets_have_times;
}

static const bt_value *trace_environment(const bt_trace *trace, const char *name)
{
	return trace->has_vpid && strcmp(name, "vpid") == 0 ? &trace->vpid : NULL;
}

static bt_value_type value_type(const bt_value *value)
{
	return value->type;
}

static int64_t value_signed(const bt_value *value)
{
	FUZZ_CHECK(value->type == BT_VALUE_TYPE_SIGNED_INTEGER);
	return (int64_t)value->integer;
}

static uint64_t value_unsigned(const bt_value *value)
{
	FUZZ_CHECK(value->type == BT_VALUE_TYPE_UNSIGNED_INTEGER);
	return value->integer;
}

/* Nothing of what connects to a session and reads it. */
static const struct nt_babeltrace played = {
	.clock_class_get_frequency = clock_class_get_frequency,
	.clock_snapshot_borrow_clock_class_const = clock_snapshot_borrow_clock_class,
	.clock_snapshot_get_value = clock_snapshot_get_value,
	.event_borrow_class_const = event_borrow_class,
	.event_borrow_common_context_field_const = event_borrow_common_context,
	.event_borrow_payload_field_const = event_borrow_payload,
	.event_borrow_stream_const = event_borrow_stream,
	.event_class_borrow_payload_field_class_const = event_class_borrow_payload,
	.event_class_borrow_stream_class_const = event_class_borrow_stream_class,
	.event_class_get_name = event_class_get_name,
	.event_class_get_ref = event_class_get_ref,
	.event_class_put_ref = event_class_put_ref,
	.field_array_borrow_element_field_by_index_const = array_element,
	.field_array_get_length = array_length,
	.field_class_structure_borrow_member_by_index_const = structure_class_member,
	.field_class_structure_get_member_count = structure_class_count,
	.field_class_structure_member_get_name = structure_member_name,
	.field_get_class_type = field_type,
	.field_integer_signed_get_value = integer_signed,
	.field_integer_unsigned_get_value = integer_unsigned,
	.field_real_double_precision_get_value = real_double,
	.field_real_single_precision_get_value = real_single,
	.field_string_get_length = string_length,
	.field_string_get_value = string_value,
	.field_structure_borrow_member_field_by_index_const = structure_member,
	.message_discarded_events_borrow_beginning_default_clock_snapshot_const = lost_events_begin,
	.message_discarded_events_borrow_end_default_clock_snapshot_const = lost_events_end,
	.message_discarded_events_borrow_stream_const = lost_events_stream,
	.message_discarded_events_get_count = lost_events_count,
	.message_discarded_packets_borrow_beginning_default_clock_snapshot_const = lost_packets_begin,
	.message_discarded_packets_borrow_end_default_clock_snapshot_const = lost_packets_end,
	.message_discarded_packets_borrow_stream_const = lost_packets_stream,
	.message_event_borrow_default_clock_snapshot_const = message_event_time,
	.message_event_borrow_event_const = message_event,
	.message_get_type = message_type,
	.message_message_iterator_inactivity_borrow_clock_snapshot_const = inactivity_time,
	.message_packet_beginning_borrow_packet_const = packet_beginning,
	.message_stream_beginning_borrow_stream_const = stream_beginning,
	.packet_borrow_stream_const = packet_stream,
	.stream_borrow_class_const = stream_class,
	.stream_borrow_trace_const = stream_trace,
	.stream_class_borrow_event_class_by_index_const = channel_class,
	.stream_class_borrow_event_common_context_field_class_const = channel_context,
	.stream_class_discarded_events_have_default_clock_snapshots = lost_events_have_times,
	.stream_class_discarded_packets_have_default_clock_snapshots = lost_packets_have_times,
	.stream_class_get_event_class_count = channel_class_count,
	.trace_borrow_environment_entry_value_by_name_const = trace_environment,
	.value_get_type = value_type,
	.value_integer_signed_get = value_signed,
	.value_integer_unsigned_get = value_unsigned,
};

#endif
