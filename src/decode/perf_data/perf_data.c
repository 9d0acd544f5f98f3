// SPDX-License-Identifier: GPL-2.0-only
#include "decode/perf_data/perf_data.h"

#include "decode/common/reader.h"

#include <string.h>

enum { RECORD_HEADER = 8, PIPE_HEADER = 16, ATTR_MIN = 64 /* PERF_ATTR_SIZE_VER0 */, ATTR_MAX = 4096, SECTION = 16 };

static const char magic[] = "PERFILE2", magic_swapped[] = "2ELIFREP", magic_old[] = "PERFFILE";

static bool is_magic(const uint8_t *bytes, const char *text)
{
	return memcmp(bytes, text, NT_PERF_DATA_MAGIC_BYTES) == 0;
}

static struct nt_perf_data_section read_section(struct nt_reader *reader)
{
	struct nt_perf_data_section section = { .offset = nt_reader_u64(reader) };
	uint64_t end;
	section.size = nt_reader_u64(reader);
	reader->bad |= __builtin_add_overflow(section.offset, section.size, &end);
	return section;
}

struct nt_perf_data_head nt_perf_data_head_read(const uint8_t *bytes, size_t length)
{
	struct nt_perf_data_head head = { .form = NT_PERF_DATA_NONE };
	if (length < NT_PERF_DATA_MAGIC_BYTES)
		return head;
	if (is_magic(bytes, magic_swapped) || is_magic(bytes, magic_old)) {
		head.form = is_magic(bytes, magic_old) ? NT_PERF_DATA_OLD : NT_PERF_DATA_SWAPPED;
		return head;
	}
	if (!is_magic(bytes, magic))
		return head;
	struct nt_reader reader = nt_reader_of(bytes + NT_PERF_DATA_MAGIC_BYTES, length - NT_PERF_DATA_MAGIC_BYTES);
	uint64_t size = nt_reader_u64(&reader);
	if (!reader.bad && size == PIPE_HEADER) {
		head.form = NT_PERF_DATA_PIPE;
		head.data.offset = PIPE_HEADER;
		return head;
	}
	head.attr_size = nt_reader_u64(&reader);
	head.attrs = read_section(&reader);
	head.data = read_section(&reader);
	read_section(&reader); /* once the names of events */
	head.features = nt_reader_u64(&reader);
	bool can_be = !reader.bad && head.attr_size >= ATTR_MIN + SECTION && head.attr_size <= ATTR_MAX;
	head.form = can_be ? NT_PERF_DATA_FILE : NT_PERF_DATA_BROKEN;
	return head;
}

struct nt_perf_data_step nt_perf_data_step_read(const uint8_t *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	struct nt_perf_data_step step = { .type = nt_reader_u32(&reader) };
	nt_reader_u16(&reader); /* misc */
	uint16_t size = nt_reader_u16(&reader);
	if (reader.bad || size < RECORD_HEADER)
		return step;
	if (step.type == NT_PERF_DATA_TRACING)
		step.payload = ((uint64_t)nt_reader_u32(&reader) + 7) & ~UINT64_C(7);
	else if (step.type == NT_PERF_DATA_AUXTRACE)
		step.payload = nt_reader_u64(&reader);
	if (!reader.bad && !__builtin_add_overflow(step.payload, (uint64_t)size, &step.size))
		return step;
	return (struct nt_perf_data_step){ .type = step.type };
}

bool nt_perf_data_packed(const uint8_t *record, size_t length, size_t *offset, size_t *size)
{
	struct nt_reader reader = nt_reader_of(record, length);
	uint32_t type = nt_reader_u32(&reader);
	nt_reader_u32(&reader);
	if (type != NT_PERF_DATA_COMPRESSED && type != NT_PERF_DATA_COMPRESSED2)
		return false;
	uint64_t said = type == NT_PERF_DATA_COMPRESSED2 ? nt_reader_u64(&reader) : nt_reader_left(&reader);
	if (reader.bad || said > nt_reader_left(&reader))
		return false;
	*offset = length - nt_reader_left(&reader);
	*size = (size_t)said;
	return true;
}
