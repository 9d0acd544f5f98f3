// SPDX-License-Identifier: GPL-2.0-only
#include "decode/perf_data/perf_data_facts.h"

#include "decode/common/reader.h"

#include <string.h>

/* Appends a text, which is padded with NULs, as far as there is room. */
static void take_text(struct nt_reader *reader, char *out, size_t size)
{
	uint32_t length = nt_reader_u32(reader);
	const char *text = (const char *)nt_reader_bytes(reader, length);
	size_t used = strlen(out), left = size - 1 - used, wanted = text ? strnlen(text, length) : 0;
	if (!wanted)
		return;
	wanted = wanted < left ? wanted : left;
	memcpy(out + used, text, wanted);
	out[used + wanted] = '\0';
}

static void take_only_text(struct nt_reader *reader, char *out, size_t size)
{
	out[0] = '\0';
	take_text(reader, out, size);
}

static void take_command(struct nt_reader *reader, char *out, size_t size)
{
	uint32_t count = nt_reader_u32(reader);
	out[0] = '\0';
	for (uint32_t i = 0; i < count && !reader->bad; i++) {
		size_t used = strlen(out);
		if (i && used + 1 < size)
			memcpy(out + used, " ", 2);
		take_text(reader, out, size);
	}
}

static void take_clock(struct nt_reader *reader, struct nt_perf_data_facts *facts)
{
	uint32_t version = nt_reader_u32(reader);
	nt_reader_u32(reader); /* which clock: the events say it */
	uint64_t wall = nt_reader_u64(reader), clock = nt_reader_u64(reader);
	if (reader->bad || version != 1)
		return;
	facts->has_clock = true;
	facts->wall_ns = wall;
	facts->clock_ns = clock;
}

void nt_perf_data_facts_take(struct nt_perf_data_facts *facts, unsigned feature, const uint8_t *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	switch (feature) {
	case NT_PERF_DATA_HOSTNAME:
		take_only_text(&reader, facts->host, sizeof(facts->host));
		break;
	case NT_PERF_DATA_OSRELEASE:
		take_only_text(&reader, facts->release, sizeof(facts->release));
		break;
	case NT_PERF_DATA_VERSION:
		take_only_text(&reader, facts->perf, sizeof(facts->perf));
		break;
	case NT_PERF_DATA_ARCH:
		take_only_text(&reader, facts->machine, sizeof(facts->machine));
		break;
	case NT_PERF_DATA_NRCPUS:
		nt_reader_u32(&reader); /* those that could be online */
		facts->cpu_count = nt_reader_u32(&reader);
		break;
	case NT_PERF_DATA_CMDLINE:
		take_command(&reader, facts->command, sizeof(facts->command));
		break;
	case NT_PERF_DATA_CLOCK_DATA:
		take_clock(&reader, facts);
		break;
	default:
		break;
	}
}
