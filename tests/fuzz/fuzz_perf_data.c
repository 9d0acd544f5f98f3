// SPDX-License-Identifier: GPL-2.0-only
/* Input: a perf.data, of a file or of a pipe, whose records are not packed. */
#include "fuzz.h"

#include "decode/perf_data/perf_data.h"
#include "decode/perf_data/perf_data_events.h"
#include "decode/perf_data/perf_data_facts.h"

#include <string.h>

enum { SECTION = 16 };

static void check_ends(const char *text, size_t size)
{
	FUZZ_CHECK(memchr(text, '\0', size));
}

static void check_facts(const struct nt_perf_data_facts *facts)
{
	check_ends(facts->host, sizeof(facts->host));
	check_ends(facts->release, sizeof(facts->release));
	check_ends(facts->perf, sizeof(facts->perf));
	check_ends(facts->machine, sizeof(facts->machine));
	check_ends(facts->command, sizeof(facts->command));
}

static void read_record(struct nt_perf_data_events *events, struct nt_perf_data_facts *facts, uint32_t type, const uint8_t *at, size_t size)
{
	const struct nt_perf_data_event *event;
	struct nt_perf_record record;
	size_t offset, packed;
	uint64_t value;
	if (type == NT_PERF_DATA_ATTR) {
		nt_perf_data_events_add_record(events, at, size);
	} else if (type == NT_PERF_DATA_FEATURE && size >= SECTION) {
		uint64_t feature;
		memcpy(&feature, at + 8, sizeof(feature));
		nt_perf_data_facts_take(facts, (unsigned)feature, at + SECTION, size - SECTION);
		nt_perf_data_events_name(events, at + SECTION, size - SECTION);
	} else if (nt_perf_data_packed(at, size, &offset, &packed)) {
		FUZZ_CHECK(offset <= size && packed <= size - offset);
	} else if (nt_perf_data_parse(events, at, size, &record, &event) == NT_OK && record.kind == NT_PERF_SAMPLE) {
		FUZZ_CHECK(event >= events->items && event < events->items + events->count);
		const uint8_t *chain = record.sample.chain;
		FUZZ_CHECK(!record.sample.chain_count ||
			   (chain >= at && record.sample.chain_count <= (size_t)(at + size - chain) / sizeof(uint64_t)));
		FUZZ_CHECK(!record.sample.stack || record.sample.stack_bytes <= (size_t)(at + size - record.sample.stack));
		nt_perf_user_reg(&event->form, &record, 8, &value);
	}
}

static void read_attrs(struct nt_perf_data_events *events, const struct nt_perf_data_head *head, const uint8_t *data, size_t size)
{
	for (uint64_t at = head->attrs.offset; at < size && head->attr_size <= size - at && at < head->attrs.offset + head->attrs.size;
	     at += head->attr_size)
		nt_perf_data_events_add(events, data + at, head->attr_size - SECTION, data + at, SECTION);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_perf_data_events events = { 0 };
	struct nt_perf_data_facts facts = { 0 };
	struct nt_perf_data_head head = nt_perf_data_head_read(data, size);
	if (head.form == NT_PERF_DATA_FILE)
		read_attrs(&events, &head, data, size);
	for (uint64_t at = head.data.offset; (head.form == NT_PERF_DATA_FILE || head.form == NT_PERF_DATA_PIPE) && at < size;) {
		struct nt_perf_data_step step = nt_perf_data_step_read(data + at, size - at);
		if (!step.size || step.size > size - at)
			break;
		read_record(&events, &facts, step.type, data + at, step.size - step.payload);
		at += step.size;
	}
	check_facts(&facts);
	nt_perf_data_events_fini(&events);
	return 0;
}
