// SPDX-License-Identifier: GPL-2.0-only
#include "decode/perf_data/perf_data_events.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

#include <stdlib.h>
#include <string.h>

enum { RECORD_HEADER = 8, ATTR_MIN = PERF_ATTR_SIZE_VER0, SIZE_AT = 4 };

void nt_perf_data_events_fini(struct nt_perf_data_events *events)
{
	free(events->items);
	nt_index_fini(&events->of_id);
	*events = (struct nt_perf_data_events){ 0 };
}

/* ---- attributes ---- */

bool nt_perf_data_events_add(struct nt_perf_data_events *events, const uint8_t *attr_bytes, size_t length, const uint8_t *ids,
			     size_t id_bytes)
{
	struct perf_event_attr attr = { 0 };
	size_t id_count = id_bytes / sizeof(uint64_t);
	if (length < ATTR_MIN || events->count == NT_PERF_DATA_EVENTS_MAX || id_count > NT_PERF_DATA_IDS_MAX - events->id_count)
		return false;
	memcpy(&attr, attr_bytes, length < sizeof(attr) ? length : sizeof(attr));
	for (size_t i = 0; i < id_count; i++) {
		uint64_t id;
		memcpy(&id, ids + i * sizeof(id), sizeof(id));
		nt_index_put(&events->of_id, id, (uint32_t)events->count);
	}
	events->id_count += id_count;
	events->items = nt_grow(events->items, &events->capacity, events->count + 1, sizeof(*events->items));
	events->items[events->count++] = (struct nt_perf_data_event){
		.form = { .sample_type = attr.sample_type,
			  .read_format = attr.read_format,
			  .branch_type = attr.branch_sample_type,
			  .user_regs = attr.sample_regs_user,
			  .trailers = attr.sample_id_all },
		.type = attr.type,
		.config = attr.config,
		.period = attr.sample_period,
		.clock = attr.use_clockid ? attr.clockid : -1,
		.by_frequency = attr.freq,
		.user_only = attr.exclude_kernel,
		.user_chain_left_out = attr.exclude_callchain_user,
	};
	return true;
}

bool nt_perf_data_events_add_record(struct nt_perf_data_events *events, const uint8_t *record, size_t length)
{
	uint32_t size;
	if (length < RECORD_HEADER + ATTR_MIN)
		return false;
	memcpy(&size, record + RECORD_HEADER + SIZE_AT, sizeof(size));
	if (size < ATTR_MIN || size > length - RECORD_HEADER)
		return false;
	const uint8_t *ids = record + RECORD_HEADER + size;
	return nt_perf_data_events_add(events, record + RECORD_HEADER, size, ids, length - RECORD_HEADER - size);
}

void nt_perf_data_events_name(struct nt_perf_data_events *events, const uint8_t *desc, size_t length)
{
	struct nt_reader reader = nt_reader_of(desc, length);
	uint32_t count = nt_reader_u32(&reader), attr_size = nt_reader_u32(&reader);
	for (uint32_t i = 0; i < count && i < events->count && !reader.bad; i++) {
		nt_reader_bytes(&reader, attr_size);
		uint32_t ids = nt_reader_u32(&reader), text_size = nt_reader_u32(&reader);
		const char *text = (const char *)nt_reader_bytes(&reader, text_size);
		if (!text)
			return;
		char *name = events->items[i].name;
		size_t name_length = strnlen(text, text_size);
		name_length = name_length < NT_PERF_DATA_EVENT_NAME ? name_length : NT_PERF_DATA_EVENT_NAME - 1;
		memcpy(name, text, name_length);
		name[name_length] = '\0';
		nt_reader_bytes(&reader, (size_t)ids * sizeof(uint64_t));
	}
}

/* Of a hybrid processor the upper half says which sort of core it is of (PERF_PMU_TYPE_SHIFT). */
static bool counts_cycles(const struct nt_perf_data_event *event)
{
	uint32_t what = (uint32_t)event->config;
	return event->type == PERF_TYPE_HARDWARE && (what == PERF_COUNT_HW_CPU_CYCLES || what == PERF_COUNT_HW_REF_CPU_CYCLES);
}

static bool counts_time(const struct nt_perf_data_event *event)
{
	return event->type == PERF_TYPE_SOFTWARE && (event->config == PERF_COUNT_SW_CPU_CLOCK || event->config == PERF_COUNT_SW_TASK_CLOCK);
}

/* The kernel chooses the number of cycles so that the samples are as many as was asked for, whatever the clock of the CPU does. */
uint64_t nt_perf_data_event_weight_ns(const struct nt_perf_data_event *event, uint64_t period)
{
	if (counts_time(event) && period)
		return period;
	if (event->by_frequency && event->period && (counts_time(event) || counts_cycles(event)))
		return NT_NS_PER_S / event->period;
	return counts_time(event) ? event->period : 0;
}

/* ---- records ---- */

/* It is the first word of a sample, and the last of all others. */
static uint64_t identifier_of(const struct nt_perf_form *form, const struct perf_event_header *header, const uint8_t *bytes)
{
	uint64_t id = 0;
	bool is_sample = header->type == PERF_RECORD_SAMPLE;
	if (header->size >= RECORD_HEADER + sizeof(id) && (is_sample || form->trailers))
		memcpy(&id, bytes + (is_sample ? RECORD_HEADER : header->size - sizeof(id)), sizeof(id));
	return id;
}

static const struct nt_perf_data_event *event_of(const struct nt_perf_data_events *events, uint64_t id)
{
	uint32_t place = id ? nt_index_get(&events->of_id, id) : NT_INDEX_NONE;
	return place == NT_INDEX_NONE ? NULL : &events->items[place];
}

/* Where there are several events each says of which it is: by a word at a known place, or all of them have the same form. */
enum nt_status nt_perf_data_parse(const struct nt_perf_data_events *events, const uint8_t *bytes, size_t length, struct nt_perf_record *out,
				  const struct nt_perf_data_event **event)
{
	struct perf_event_header header;
	if (!events->count || length < RECORD_HEADER)
		return NT_ERR_MALFORMED;
	memcpy(&header, bytes, sizeof(header));
	if (header.size < RECORD_HEADER || header.size > length)
		return NT_ERR_MALFORMED;
	*event = &events->items[0];
	if (events->count == 1)
		return nt_perf_record_parse_as(bytes, length, &(*event)->form, out);
	bool by_identifier = (*event)->form.sample_type & PERF_SAMPLE_IDENTIFIER;
	enum nt_status status = by_identifier ? NT_OK : nt_perf_record_parse_as(bytes, length, &(*event)->form, out);
	uint64_t id = by_identifier ? identifier_of(&(*event)->form, &header, bytes) : out->id;
	const struct nt_perf_data_event *found = event_of(events, id);
	if (status != NT_OK || (!found && header.type == PERF_RECORD_SAMPLE))
		return NT_ERR_MALFORMED;
	*event = found ? found : *event;
	return by_identifier ? nt_perf_record_parse_as(bytes, length, &(*event)->form, out) : NT_OK;
}
