// SPDX-License-Identifier: GPL-2.0-only
#include "decode/codemap/jitdump.h"

#include "decode/common/reader.h"
#include "decode/names/method_name.h"

#include <string.h>

#define MAGIC UINT32_C(0x4A695444) /* "JiTD" on a big-endian machine */

enum { FILE_HEADER = 40, FILE_HEADER_MAX = 4096, RECORD_HEADER = 16, CODE_LOAD = 0, ARCH_TIMESTAMP = 1 };

static size_t lose(struct nt_jitdump_parser *parser, size_t length)
{
	parser->bad_count++;
	parser->lost = true;
	return length;
}

/* Each of these returns the bytes consumed; 0: they are not all there yet. What a record has beyond is left to parser->skip. */

static size_t take_file_header(struct nt_jitdump_parser *parser, const char *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	if (length < FILE_HEADER)
		return 0;
	uint32_t magic = nt_reader_u32(&reader), version = nt_reader_u32(&reader), size = nt_reader_u32(&reader);
	nt_reader_bytes(&reader, 3 * sizeof(uint32_t) + sizeof(uint64_t)); /* machine, padding, pid, time */
	uint64_t flags = nt_reader_u64(&reader);
	if (magic != MAGIC || version != 1 || size < FILE_HEADER || size > FILE_HEADER_MAX)
		return lose(parser, length);
	parser->begun = true;
	parser->foreign_timestamps = flags & ARCH_TIMESTAMP;
	parser->skip = size - FILE_HEADER;
	return FILE_HEADER;
}

/* The load in [record, record + size), of which `there` bytes are there, up to its name's NUL at least. False: it cannot be. */
static bool read_load(const char *record, uint64_t size, size_t name_length, struct nt_batch_line *line)
{
	struct nt_reader reader = nt_reader_of(record, NT_JITDUMP_NAME_AT);
	nt_reader_bytes(&reader, RECORD_HEADER + 2 * sizeof(uint32_t) + sizeof(uint64_t)); /* pid, tid, address before relocation */
	uint64_t start = nt_reader_u64(&reader), code_size = nt_reader_u64(&reader), past;
	const struct nt_slice name = { record + NT_JITDUMP_NAME_AT, name_length };
	*line = (struct nt_batch_line){ .start = start,
					.size = (uint32_t)code_size,
					.length = (uint16_t)nt_method_name_cut(name).length,
					.kind = nt_perfmap_is_stub(name) ? NT_CODE_STUB : NT_CODE_JIT };
	return name_length && code_size && code_size <= UINT32_MAX && code_size <= size - NT_JITDUMP_NAME_AT - name_length - 1 &&
	       !__builtin_add_overflow(start, code_size, &past);
}

static size_t take_load(struct nt_jitdump_parser *parser, const char *record, uint64_t size, size_t there, nt_time time, size_t at,
			struct nt_jitdump_lines *out)
{
	const uint64_t most = NT_JITDUMP_NAME_AT + NT_PERFMAP_LINE_MAX, name_end = size < most ? size : most;
	size_t reach = there < name_end ? there : (size_t)name_end;
	const char *name = record + NT_JITDUMP_NAME_AT;
	const char *nul = reach > NT_JITDUMP_NAME_AT ? memchr(name, '\0', reach - NT_JITDUMP_NAME_AT) : NULL;
	if (!nul && reach < name_end)
		return 0;
	size_t used = nul ? (size_t)(nul + 1 - record) : reach;
	parser->skip = size - used;
	struct nt_batch_line *line = &out->lines.items[out->lines.count];
	bool good = nul && read_load(record, size, (size_t)(nul - name), line);
	line->offset = (uint32_t)(at + NT_JITDUMP_NAME_AT);
	out->times[out->lines.count] = parser->foreign_timestamps ? 0 : time;
	out->lines.count += good;
	parser->line_count += good;
	parser->bad_count += !good;
	return used;
}

static size_t take_record(struct nt_jitdump_parser *parser, const char *bytes, size_t length, size_t at, struct nt_jitdump_lines *out)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	if (length < RECORD_HEADER)
		return 0;
	uint32_t id = nt_reader_u32(&reader), size = nt_reader_u32(&reader);
	nt_time time = nt_reader_u64(&reader);
	if (size < RECORD_HEADER)
		return lose(parser, length);
	if (id == CODE_LOAD)
		return take_load(parser, bytes, size, length, time, at, out);
	parser->skip = size - RECORD_HEADER;
	return RECORD_HEADER;
}

size_t nt_jitdump_parse(struct nt_jitdump_parser *parser, const char *bytes, size_t length, struct nt_jitdump_lines *out)
{
	size_t at = 0;
	out->lines.count = 0;
	while (at < length && out->lines.count < NT_PERFMAP_LINES) {
		size_t left = length - at, used;
		if (parser->lost)
			return length;
		if (parser->skip) {
			used = parser->skip < left ? (size_t)parser->skip : left;
			parser->skip -= used;
		} else if (parser->begun) {
			used = take_record(parser, bytes + at, left, at, out);
		} else {
			used = take_file_header(parser, bytes, left);
		}
		if (!used)
			break;
		at += used;
	}
	return at;
}
