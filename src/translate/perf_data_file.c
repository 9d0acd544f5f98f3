// SPDX-License-Identifier: GPL-2.0-only
#include "translate/perf_data_file.h"

#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

enum {
	READ_BYTES = 256 << 10,
	RECORD_MAX = 1 << 16, /* as its header can say */
	UNPACK_BYTES = 1 << 20,
	SECTION = 16,
	SECTION_MAX = 64 << 20, /* what describes the records: more is not believed */
	FEATURE_AT = 8,
};

/* Bytes that are taken from the front and added at the end. */
struct pile {
	uint8_t *bytes; /* owned */
	size_t from, to, capacity;
};

struct nt_perf_data_reading {
	int fd; /* borrowed */
	uint64_t file_bytes;
	uint64_t at, data_end; /* the next byte that comes to `raw`, and where the last record ends */
	bool is_pipe;
	struct pile raw, unpacked;
	ZSTD_DStream *unpacker; /* owned; NULL = nothing was packed so far */
	const uint8_t *packed;  /* in raw: what is still to be unpacked */
	size_t packed_bytes;
};

/* ---- bytes ---- */

static size_t left(const struct pile *pile)
{
	return pile->to - pile->from;
}

/* Room for `size` bytes at its end. */
static uint8_t *make_room(struct pile *pile, size_t size)
{
	if (pile->from) {
		memmove(pile->bytes, pile->bytes + pile->from, left(pile));
		pile->to -= pile->from;
		pile->from = 0;
	}
	pile->bytes = nt_grow(pile->bytes, &pile->capacity, pile->to + size, 1);
	return pile->bytes + pile->to;
}

/* False: it is not there, or cannot be read. */
static bool read_at(int fd, uint64_t offset, uint8_t *out, size_t size)
{
	for (size_t done = 0; done < size;) {
		ssize_t got = pread(fd, out + done, size - done, (off_t)(offset + done));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return false;
		done += (size_t)got;
	}
	return true;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* Are `wanted` bytes of records there? More are read if need be. */
static bool have(struct nt_perf_data_reading *reading, size_t wanted)
{
	struct pile *raw = &reading->raw;
	if (left(raw) >= wanted)
		return true;
	size_t more = (size_t)smaller(READ_BYTES, reading->data_end - reading->at);
	if (!more)
		return false;
	uint8_t *out = make_room(raw, more);
	if (!read_at(reading->fd, reading->at, out, more))
		return false;
	reading->at += more;
	raw->to += more;
	return left(raw) >= wanted;
}

/* A section, which the caller frees; NULL: it is not there, or larger than it can be. */
static uint8_t *read_section(const struct nt_perf_data_reading *reading, const struct nt_perf_data_section *section)
{
	if (section->size > SECTION_MAX || section->offset > reading->file_bytes || section->size > reading->file_bytes - section->offset)
		return NULL;
	uint8_t *bytes = nt_realloc(NULL, section->size + 1, 1);
	if (read_at(reading->fd, section->offset, bytes, (size_t)section->size))
		return bytes;
	free(bytes);
	return NULL;
}

static struct nt_perf_data_section section_at(const uint8_t *bytes)
{
	struct nt_perf_data_section section;
	memcpy(&section.offset, bytes, sizeof(section.offset));
	memcpy(&section.size, bytes + sizeof(section.offset), sizeof(section.size));
	return section;
}

/* ---- what describes the records ---- */

static bool read_attr(struct nt_perf_data_file *file, const uint8_t *entry, size_t size)
{
	const struct nt_perf_data_section section = section_at(entry + size - SECTION);
	uint8_t *ids = read_section(file->reading, &section);
	bool good = ids && nt_perf_data_events_add(&file->events, entry, size - SECTION, ids, (size_t)section.size);
	free(ids);
	return good;
}

static bool read_attrs(struct nt_perf_data_file *file, const struct nt_perf_data_head *head)
{
	uint8_t *entries = read_section(file->reading, &head->attrs);
	bool good = entries && head->attrs.size >= head->attr_size;
	for (uint64_t at = 0; good && at + head->attr_size <= head->attrs.size; at += head->attr_size)
		good = read_attr(file, entries + at, (size_t)head->attr_size);
	free(entries);
	return good;
}

static void take_feature(struct nt_perf_data_file *file, unsigned feature, const uint8_t *bytes, size_t length)
{
	if (feature == NT_PERF_DATA_EVENT_DESC)
		nt_perf_data_events_name(&file->events, bytes, length);
	else
		nt_perf_data_facts_take(&file->facts, feature, bytes, length);
}

/* Behind the records there is a table of sections, one for each bit that is set. What is not there says nothing. */
static void read_features(struct nt_perf_data_file *file, const struct nt_perf_data_head *head)
{
	uint64_t table = head->data.offset + head->data.size;
	for (unsigned feature = 0; feature < NT_PERF_DATA_FEATURES; feature++) {
		uint8_t entry[SECTION];
		if (!(head->features & UINT64_C(1) << feature))
			continue;
		file->facts_missing |= !read_at(file->reading->fd, table, entry, sizeof(entry));
		if (file->facts_missing)
			return;
		table += sizeof(entry);
		const struct nt_perf_data_section section = section_at(entry);
		uint8_t *bytes = read_section(file->reading, &section);
		file->facts_missing |= !bytes;
		if (bytes)
			take_feature(file, feature, bytes, (size_t)section.size);
		free(bytes);
	}
}

static enum nt_status read_sections(struct nt_perf_data_file *file, const struct nt_perf_data_head *head, struct nt_error *err)
{
	struct nt_perf_data_reading *reading = file->reading;
	if (head->features & UINT64_C(1) << NT_PERF_DATA_DIR_FORMAT)
		return nt_error_set(err, NT_ERR_UNSUPPORTED,
				    "its records are in other files of its folder (perf record --threads), which are not read");
	if (head->data.offset > reading->file_bytes)
		return nt_error_set(err, NT_ERR_MALFORMED, "it is cut before its first record");
	file->was_killed = !head->data.size;
	reading->at = head->data.offset;
	reading->data_end = file->was_killed ? reading->file_bytes : smaller(head->data.offset + head->data.size, reading->file_bytes);
	if (!file->was_killed && reading->data_end < head->data.offset + head->data.size)
		file->end = NT_PERF_DATA_CUT;
	if (!read_attrs(file, head))
		return nt_error_set(err, NT_ERR_MALFORMED, "what it says of its events cannot be");
	if (!file->was_killed)
		read_features(file, head);
	return NT_OK;
}

static enum nt_status judge(const struct nt_perf_data_head *head, struct nt_error *err)
{
	switch (head->form) {
	case NT_PERF_DATA_FILE:
	case NT_PERF_DATA_PIPE:
		return NT_OK;
	case NT_PERF_DATA_SWAPPED:
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "it is of a machine with another order of bytes");
	case NT_PERF_DATA_OLD:
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "it is of perf before Linux 2.6.37");
	case NT_PERF_DATA_NONE:
	case NT_PERF_DATA_BROKEN:
		break;
	}
	return nt_error_set(err, NT_ERR_MALFORMED, "its header cannot be");
}

enum nt_status nt_perf_data_file_begin(struct nt_perf_data_file *file, int fd, struct nt_error *err)
{
	uint8_t begin[NT_PERF_DATA_HEAD_MAX] = { 0 };
	struct stat stat;
	*file = (struct nt_perf_data_file){ .reading = nt_alloc(sizeof(*file->reading)) };
	struct nt_perf_data_reading *reading = file->reading;
	if (fstat(fd, &stat) != 0)
		return nt_error_errno(err, NT_ERR_FAILED, errno, "its size is not to be had");
	*reading = (struct nt_perf_data_reading){ .fd = fd, .file_bytes = (uint64_t)stat.st_size };
	size_t length = (size_t)smaller(sizeof(begin), reading->file_bytes);
	if (!read_at(fd, 0, begin, length))
		return nt_error_errno(err, NT_ERR_FAILED, errno, "it cannot be read");
	const struct nt_perf_data_head head = nt_perf_data_head_read(begin, length);
	enum nt_status status = judge(&head, err);
	if (status != NT_OK || head.form == NT_PERF_DATA_FILE)
		return status == NT_OK ? read_sections(file, &head, err) : status;
	reading->is_pipe = true;
	reading->at = head.data.offset;
	reading->data_end = reading->file_bytes;
	return NT_OK;
}

void nt_perf_data_file_end(struct nt_perf_data_file *file)
{
	struct nt_perf_data_reading *reading = file->reading;
	if (reading) {
		free(reading->raw.bytes);
		free(reading->unpacked.bytes);
		ZSTD_freeDStream(reading->unpacker);
	}
	free(reading);
	nt_perf_data_events_fini(&file->events);
	*file = (struct nt_perf_data_file){ 0 };
}

/* ---- records ---- */

static bool stop(struct nt_perf_data_file *file, enum nt_perf_data_end end)
{
	file->end = end > file->end ? end : file->end;
	file->end_at = file->reading->at - left(&file->reading->raw);
	return false;
}

/* Unpacks a piece. False: it is no stream of zstd. */
static bool unpack(struct nt_perf_data_reading *reading)
{
	if (!reading->unpacker) {
		reading->unpacker = ZSTD_createDStream();
		nt_assert(reading->unpacker);
	}
	ZSTD_inBuffer in = { reading->packed, reading->packed_bytes, 0 };
	ZSTD_outBuffer out = { make_room(&reading->unpacked, UNPACK_BYTES), UNPACK_BYTES, 0 };
	size_t status = ZSTD_decompressStream(reading->unpacker, &out, &in);
	reading->unpacked.to += out.pos;
	reading->packed += in.pos;
	reading->packed_bytes -= in.pos;
	return !ZSTD_isError(status) && (in.pos || out.pos || !reading->packed_bytes);
}

/* The record at the front of a pile, which is taken away when it is all there. 0: it is not; *damaged: it cannot be. */
static size_t take_record(struct pile *pile, struct nt_perf_data_step *step, const uint8_t **bytes, bool *damaged)
{
	size_t there = left(pile);
	uint16_t size = 0;
	if (there < sizeof(struct perf_event_header))
		return 0;
	memcpy(&size, pile->bytes + pile->from + 6, sizeof(size));
	if (size > there)
		return 0;
	*step = nt_perf_data_step_read(pile->bytes + pile->from, size);
	*damaged = !step->size;
	if (*damaged)
		return 0;
	*bytes = pile->bytes + pile->from;
	pile->from += size;
	return size;
}

/* What is packed in the file is unpacked piece by piece; a record may begin in one and end in another. */
static size_t next_unpacked(struct nt_perf_data_file *file, struct nt_perf_data_step *step, const uint8_t **bytes, bool *damaged)
{
	struct nt_perf_data_reading *reading = file->reading;
	size_t size;
	while (!(size = take_record(&reading->unpacked, step, bytes, damaged)) && !*damaged && reading->packed_bytes)
		*damaged = !unpack(reading);
	*damaged |= size && (step->payload || nt_perf_data_packed(*bytes, size, &(size_t){ 0 }, &(size_t){ 0 }));
	return *damaged ? 0 : size;
}

/* Nobody reads it. */
static bool pass_payload(struct nt_perf_data_reading *reading, uint64_t payload)
{
	uint64_t there = smaller(payload, left(&reading->raw)), beyond = payload - there;
	reading->raw.from += (size_t)there;
	if (beyond > reading->data_end - reading->at)
		return false;
	reading->at += beyond;
	return true;
}

/* What the records of a pipe say of the others. */
static void learn(struct nt_perf_data_file *file, uint32_t type, const uint8_t *bytes, size_t size)
{
	uint64_t feature;
	if (type == NT_PERF_DATA_ATTR) {
		nt_perf_data_events_add_record(&file->events, bytes, size);
	} else if (type == NT_PERF_DATA_FEATURE && size >= SECTION) {
		memcpy(&feature, bytes + FEATURE_AT, sizeof(feature));
		if (feature < NT_PERF_DATA_FEATURES)
			take_feature(file, (unsigned)feature, bytes + SECTION, size - SECTION);
	}
}

bool nt_perf_data_file_next(struct nt_perf_data_file *file, const uint8_t **bytes, size_t *length, uint32_t *type)
{
	struct nt_perf_data_reading *reading = file->reading;
	struct nt_perf_data_step step = { 0 };
	for (;;) {
		bool damaged = false;
		size_t offset, size = next_unpacked(file, &step, bytes, &damaged);
		if (damaged)
			return stop(file, NT_PERF_DATA_DAMAGED);
		if (!size) {
			have(reading, RECORD_MAX);
			size = take_record(&reading->raw, &step, bytes, &damaged);
			if (!size)
				return stop(file, damaged               ? NT_PERF_DATA_DAMAGED
						  : left(&reading->raw) ? NT_PERF_DATA_CUT
									: NT_PERF_DATA_WHOLE);
			if (step.payload && !pass_payload(reading, step.payload))
				return stop(file, NT_PERF_DATA_CUT);
			if (nt_perf_data_packed(*bytes, size, &offset, &reading->packed_bytes)) {
				reading->packed = *bytes + offset;
				continue;
			}
			if (step.type == NT_PERF_DATA_COMPRESSED || step.type == NT_PERF_DATA_COMPRESSED2)
				return stop(file, NT_PERF_DATA_DAMAGED);
		}
		if (reading->is_pipe)
			learn(file, step.type, *bytes, size);
		*length = size;
		*type = step.type;
		return true;
	}
}
