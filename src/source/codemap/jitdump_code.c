// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/jitdump_code.h"

#include "decode/codemap/jitdump.h"
#include "source/common/foreign_file.h"

/* A load whose name is at `name_at` of the file. The last one that had begun at the time wanted; one that began later if there is none: its record may be late. */
static void consider(const struct nt_jitdump_wanted *wanted, const struct nt_batch_line *load, nt_time time, uint64_t name_at,
		     struct nt_jitdump_code *out)
{
	uint64_t end = load->start + load->size;
	if (load->start >= wanted->end || wanted->start >= end)
		return;
	if (time > wanted->time && out->length) {
		out->replaced = true;
		return;
	}
	bool covers = load->start <= wanted->start && wanted->end <= end;
	out->length = covers ? (size_t)(wanted->end - wanted->start) : 0;
	out->offset = name_at + load->length + 1 + (wanted->start - load->start);
}

/* The loads in bytes[0..length), which begin at `at` of the file. Returns the bytes consumed. */
static size_t consider_all(struct nt_jitdump_parser *parser, const char *bytes, size_t length, uint64_t at,
			   const struct nt_jitdump_wanted *wanted, struct nt_jitdump_code *out)
{
	struct nt_jitdump_lines loads;
	size_t used = 0;
	do {
		size_t before = used;
		used += nt_jitdump_parse(parser, bytes + used, length - used, &loads);
		for (size_t i = 0; i < loads.lines.count; i++) {
			const struct nt_batch_line *load = &loads.lines.items[i];
			consider(wanted, load, loads.times[i], at + before + load->offset, out);
		}
	} while (loads.lines.count == NT_PERFMAP_LINES);
	return used;
}

void nt_jitdump_code_find(int fd, uint64_t size, const struct nt_jitdump_wanted *wanted, char *buffer, nt_time until,
			  struct nt_jitdump_code *out)
{
	struct nt_jitdump_parser parser = { 0 };
	uint64_t at = 0;
	*out = (struct nt_jitdump_code){ 0 };
	while (at < size && wanted->start < wanted->end && !parser.lost) {
		ssize_t got = nt_foreign_read(fd, buffer, NT_JITDUMP_CODE_BUFFER, (off_t)at);
		if (got < 0 || nt_clock_now() > until) {
			out->length = 0; /* what follows may be newer */
			return;
		}
		size_t used = consider_all(&parser, buffer, (size_t)got, at, wanted, out);
		if (!used)
			break; /* a record that is being written */
		at += used + parser.skip;
		parser.skip = 0;
	}
	if (out->length && (out->offset > size || out->length > size - out->offset))
		out->length = 0; /* its bytes are not all there */
}
