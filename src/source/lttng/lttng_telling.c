// SPDX-License-Identifier: GPL-2.0-only
#include "source/lttng/lttng_telling.h"

#include "base/alloc.h"
#include "decode/eventpipe/nettrace_told.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEPT_BYTES = 16 << 20, /* that wait for the main thread */
	TEXT_BYTES = 64 << 10, /* of one event: the runtime's own limit */
	ALIGNMENT = 8,
};

enum record_kind { RECORD_EVENT, RECORD_LOST, RECORD_SOME_LOST };

/* Followed by its fields and their texts. A text of a field is its place behind the fields until it is taken. */
struct record {
	uint32_t bytes; /* to the next record */
	uint32_t kind;  /* enum record_kind */
	const struct nt_clr_shape *shape;
	nt_time time;
	uint64_t tid;
	uint64_t count; /* of losses */
	uint32_t field_count, payload_bytes;
	bool cut;
};

struct records {
	char *bytes; /* owned */
	size_t length, capacity;
};

struct nt_lttng_telling {
	struct nt_lttng_chosen chosen;
	bool no_payload;
	/* The worker's. */
	struct nt_lttng_scratch scratch;
	struct nt_nettrace_values values;
	struct nt_told_field fields[NT_NETTRACE_VALUES_MAX];
	struct records texts; /* of the event that is being read */
	/* The main thread's. */
	struct records taken;
	/* Of both. */
	pthread_mutex_t lock;
	struct records waiting;
	struct nt_lttng_telling_state state;
};

struct nt_lttng_telling *nt_lttng_telling_new(const struct nt_lttng_chosen *chosen, bool no_payload)
{
	struct nt_lttng_telling *telling = nt_alloc(sizeof(*telling));
	telling->chosen = *chosen;
	telling->no_payload = no_payload;
	pthread_mutex_init(&telling->lock, NULL);
	return telling;
}

void nt_lttng_telling_free(struct nt_lttng_telling *telling)
{
	if (!telling)
		return;
	pthread_mutex_destroy(&telling->lock);
	free(telling->scratch.bytes);
	free(telling->texts.bytes);
	free(telling->taken.bytes);
	free(telling->waiting.bytes);
	free(telling);
}

const struct nt_lttng_chosen *nt_lttng_telling_chosen(const struct nt_lttng_telling *telling)
{
	return &telling->chosen;
}

bool nt_lttng_telling_wants(const struct nt_lttng_telling *telling, const struct nt_clr_shape *shape)
{
	for (size_t i = 0; i < telling->chosen.count; i++)
		if (telling->chosen.shapes[i] == shape)
			return true;
	return false;
}

/* ---- fields ---- */

static char *add_bytes(struct records *records, size_t length)
{
	records->bytes = nt_grow(records->bytes, &records->capacity, records->length + length, 1);
	char *at = records->bytes + records->length;
	records->length += length;
	return at;
}

/* A field's text, as its place among the texts. */
static void set_text(struct nt_lttng_telling *telling, struct nt_told_field *field, const char *text, size_t length)
{
	field->kind = NT_TOLD_TEXT;
	field->u = telling->texts.length;
	char *at = add_bytes(&telling->texts, length + 1);
	memcpy(at, text, length);
	at[length] = '\0';
}

/* Values of so many bytes of the payload. Texts that they become are kept as their places, too. */
static void set_values(struct nt_lttng_telling *telling, const struct nt_nettrace_value *values, size_t count, size_t bytes,
		       struct nt_told_field *fields)
{
	size_t before = telling->texts.length;
	char *at = add_bytes(&telling->texts, bytes * NT_NETTRACE_TEXT_PER_BYTE + 1);
	telling->texts.length = before + nt_nettrace_told(values, count, fields, at);
	for (size_t i = 0; i < count; i++)
		if (fields[i].kind == NT_TOLD_TEXT)
			fields[i].u = before + (size_t)(fields[i].text - at);
}

/*
 * The packed bytes are those of EventPipe, but for texts that are null, which are not there at all. Then the fields behind them are read at wrong places, and the payload ends too early: of such
 * an event only what stands before its first text is told.
 */
static size_t read_packed(struct nt_lttng_telling *telling, const struct nt_lttng_form *form, const bt_field *payload,
			  struct record *record)
{
	size_t length = 0, count = 0;
	if (nt_lttng_form_packed(form, payload, &telling->scratch, &length) != NT_OK) {
		record->cut = true;
		return 0;
	}
	const struct nt_nettrace_event event = { .payload = telling->scratch.bytes, .payload_length = (uint32_t)length };
	const struct nt_clr_shape *shape = form->shape;
	/* An older version has the first of them. */
	uint32_t expected = form->desc && form->desc->field_count < shape->field_count ? form->desc->field_count : shape->field_count;
	bool whole = nt_nettrace_values_read_nested(&event, shape->fields, expected, &telling->values) == NT_OK;
	while (count < telling->values.count && (whole || telling->values.items[count].value.type != NT_CLR_UTF16))
		count++;
	set_values(telling, telling->values.items, count, length, telling->fields);
	/* What a list or an object has is told no further than the rest. */
	for (size_t i = 0; i < count; i++)
		if (telling->fields[i].inner > count - 1 - i)
			telling->fields[i].inner = (uint32_t)(count - 1 - i);
	record->payload_bytes = (uint32_t)length;
	record->cut = !whole || telling->values.left_bytes || telling->values.passed_over;
	return count;
}

static size_t read_members(struct nt_lttng_telling *telling, const struct nt_lttng_form *form, const bt_field *payload,
			   struct record *record)
{
	size_t count = 0;
	for (uint64_t i = 0; i < form->member_count && count < NT_NETTRACE_VALUES_MAX; i++) {
		if (form->told_of[i] < 0) {
			record->cut = true; /* a name that the table does not have */
			continue;
		}
		const struct nt_nettrace_field *shape = &form->shape->fields[form->told_of[i]];
		const bt_field *member = nt_bt.field_structure_borrow_member_field_by_index_const(payload, i);
		struct nt_nettrace_value value = { .name = shape->name, .type = shape->type, .value = { .type = NT_CLR_NONE } };
		struct nt_told_field *field = &telling->fields[count];
		nt_lttng_value_of(member, &value.value);
		*field = (struct nt_told_field){ .name = shape->name };
		if (value.value.type == NT_CLR_INTEGER || value.value.type == NT_CLR_REAL) {
			set_values(telling, &value, 1, sizeof(uint64_t), field);
			record->payload_bytes += sizeof(uint64_t);
		} else if (value.value.type == NT_CLR_UTF8 && value.value.length <= TEXT_BYTES) {
			set_text(telling, field, (const char *)value.value.u.bytes, value.value.length);
			record->payload_bytes += value.value.length + 1;
		} else {
			record->cut = true;
			continue;
		}
		count++;
	}
	return count;
}

/* ---- records ---- */

static void add_record(struct nt_lttng_telling *telling, struct record *record)
{
	size_t fields = record->field_count * sizeof(struct nt_told_field);
	size_t length = sizeof(*record) + fields + telling->texts.length;
	length = (length + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
	record->bytes = (uint32_t)length;
	pthread_mutex_lock(&telling->lock);
	char *at = add_bytes(&telling->waiting, length);
	memcpy(at, record, sizeof(*record));
	if (fields)
		memcpy(at + sizeof(*record), telling->fields, fields);
	if (telling->texts.length)
		memcpy(at + sizeof(*record) + fields, telling->texts.bytes, telling->texts.length);
	pthread_mutex_unlock(&telling->lock);
	telling->texts.length = 0;
}

bool nt_lttng_telling_has_room(struct nt_lttng_telling *telling)
{
	pthread_mutex_lock(&telling->lock);
	bool has_room = telling->waiting.length < KEPT_BYTES;
	pthread_mutex_unlock(&telling->lock);
	return has_room;
}

void nt_lttng_telling_add(struct nt_lttng_telling *telling, const struct nt_lttng_form *form, const bt_event *event, nt_time time,
			  uint64_t vtid)
{
	struct record record = { .kind = RECORD_EVENT, .shape = form->shape, .time = time, .tid = vtid };
	const bt_field *payload = nt_bt.event_borrow_payload_field_const(event);
	if (payload && !telling->no_payload)
		record.field_count = (uint32_t)(form->packed >= 0 ? read_packed(telling, form, payload, &record)
								  : read_members(telling, form, payload, &record));
	add_record(telling, &record);
}

void nt_lttng_telling_lost(struct nt_lttng_telling *telling, const struct nt_ev_lost *lost, nt_time until)
{
	struct record record = { .kind = lost->count_known ? RECORD_LOST : RECORD_SOME_LOST, .time = until, .count = lost->count };
	add_record(telling, &record);
}

void nt_lttng_telling_state(struct nt_lttng_telling *telling, enum nt_source_state state, const char *reason, const char *fix)
{
	pthread_mutex_lock(&telling->lock);
	telling->state.state = state;
	telling->state.began |= state == NT_STATE_DELIVERING;
	snprintf(telling->state.reason, sizeof(telling->state.reason), "%s", reason ? reason : "");
	snprintf(telling->state.fix, sizeof(telling->state.fix), "%s", fix ? fix : "");
	pthread_mutex_unlock(&telling->lock);
}

void nt_lttng_telling_look(struct nt_lttng_telling *telling, struct nt_lttng_telling_state *out)
{
	pthread_mutex_lock(&telling->lock);
	*out = telling->state;
	pthread_mutex_unlock(&telling->lock);
}

static void tell(const struct record *record, struct nt_told_field *fields, const struct nt_lttng_told_sink *sink)
{
	const char *texts = (const char *)(fields + record->field_count);
	for (uint32_t i = 0; i < record->field_count; i++)
		if (fields[i].kind == NT_TOLD_TEXT)
			fields[i].text = texts + fields[i].u;
	const struct nt_told_event told = { .provider = NT_CLR_LTTNG_PROVIDER,
					    .name = record->shape->name,
					    .id = record->shape->id,
					    .time = record->time,
					    .tid = record->tid,
					    .payload_bytes = record->payload_bytes,
					    .fields = fields,
					    .field_count = record->field_count,
					    .plain_names = true,
					    .cut = record->cut };
	sink->event(sink->context, &told);
}

void nt_lttng_telling_take(struct nt_lttng_telling *telling, const struct nt_lttng_told_sink *sink)
{
	pthread_mutex_lock(&telling->lock);
	const struct records taken = telling->waiting;
	telling->waiting = telling->taken;
	telling->waiting.length = 0;
	pthread_mutex_unlock(&telling->lock);
	telling->taken = taken;
	for (size_t at = 0; at < taken.length;) {
		/* Aligned: nt_grow() gives memory of malloc(), and records are multiples of the alignment. */
		struct record *record = (void *)(taken.bytes + at);
		if (record->kind == RECORD_EVENT)
			tell(record, (void *)(record + 1), sink);
		else if (record->kind == RECORD_LOST)
			sink->lost(sink->context, record->count, record->time);
		else
			sink->some_lost(sink->context, record->time);
		at += record->bytes;
	}
}
