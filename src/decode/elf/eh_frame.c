// SPDX-License-Identifier: GPL-2.0-only
#include "decode/elf/eh_frame.h"

#include "base/alloc.h"
#include "decode/common/reader.h"

enum { DATA_MAX = 4 << 20 };

/* How a pointer is written: LSB 5.0 Core, "DWARF Exception Header Encoding". */
enum {
	FORMAT_ABSOLUTE = 0x00, /* as wide as a pointer of the file */
	FORMAT_U16 = 0x02,
	FORMAT_U32 = 0x03,
	FORMAT_U64 = 0x04,
	FORMAT_S16 = 0x0a,
	FORMAT_S32 = 0x0b,
	FORMAT_S64 = 0x0c,
	FORMAT_MASK = 0x0f,
	RELATIVE_TO_NOTHING = 0x00,
	RELATIVE_TO_ITSELF = 0x10,
	RELATIVE_MASK = 0x70,
	INDIRECT = 0x80,
	OMITTED = 0xff,
};

enum { AUGMENTATION_MAX = 16 }; /* "zPLRSB" is as long as they get */

/* What an entry says of all functions that refer to it (CIE). */
struct common {
	const uint8_t *at; /* where it stands; NULL = none read yet */
	bool usable;       /* `encoding` is known */
	uint8_t encoding;  /* of the bounds */
	uint8_t data;      /* of where the language's data lie; OMITTED = functions have none */
};

static uint64_t read_pointer(const struct nt_eh_frame *frame, struct nt_reader *reader, uint8_t encoding)
{
	uint64_t place = frame->vaddr + (uint64_t)(reader->at - frame->bytes);
	uint64_t value = 0;
	switch (encoding & FORMAT_MASK) {
	case FORMAT_ABSOLUTE:
		value = frame->is64 ? nt_reader_u64(reader) : nt_reader_u32(reader);
		break;
	case FORMAT_U16:
		value = nt_reader_u16(reader);
		break;
	case FORMAT_S16:
		value = (uint64_t)(int16_t)nt_reader_u16(reader);
		break;
	case FORMAT_U32:
		value = nt_reader_u32(reader);
		break;
	case FORMAT_S32:
		value = (uint64_t)nt_reader_i32(reader);
		break;
	case FORMAT_U64:
	case FORMAT_S64:
		value = nt_reader_u64(reader);
		break;
	default:
		reader->bad = true;
	}
	if ((encoding & RELATIVE_MASK) == RELATIVE_TO_ITSELF)
		value += place;
	else if ((encoding & RELATIVE_MASK) != RELATIVE_TO_NOTHING)
		reader->bad = true;
	return frame->is64 ? value : (uint32_t)value;
}

/* The letters of an augmentation "z...": R gives the encoding of the bounds, L that of the language's data. An unknown one ends it. */
static bool read_augmentation(const struct nt_eh_frame *frame, struct nt_reader *reader, const char *letters, struct common *out)
{
	bool bounds_known = false;
	for (; *letters; letters++) {
		switch (*letters) {
		case 'R':
			out->encoding = nt_reader_u8(reader);
			bounds_known = true;
			break;
		case 'L':
			out->data = nt_reader_u8(reader);
			break;
		case 'P': {
			uint8_t personality = nt_reader_u8(reader);
			if (personality != OMITTED)
				read_pointer(frame, reader, personality);
			break;
		}
		case 'S': /* signal frame */
		case 'B': /* return addresses are signed with key B */
		case 'G': /* tagged stack memory */
			break;
		default:
			return bounds_known && !reader->bad && !(out->encoding & INDIRECT);
		}
	}
	return !reader->bad && !(out->encoding & INDIRECT); /* without R: FORMAT_ABSOLUTE */
}

static struct common read_common(const struct nt_eh_frame *frame, const uint8_t *at, struct nt_reader entry)
{
	struct common common = { .at = at, .encoding = FORMAT_ABSOLUTE, .data = OMITTED };
	uint8_t version = nt_reader_u8(&entry);
	const char *augmentation = (const char *)entry.at;
	size_t left = nt_reader_left(&entry);
	const uint8_t *end = entry.bad ? NULL : memchr(entry.at, '\0', left < AUGMENTATION_MAX ? left : AUGMENTATION_MAX);
	if (!end || (version != 1 && version != 3))
		return common;
	entry.at = end + 1;
	nt_reader_varuint(&entry); /* code alignment */
	nt_reader_varuint(&entry); /* data alignment: signed, of the same length */
	if (version == 1)
		nt_reader_u8(&entry); /* register of the return address */
	else
		nt_reader_varuint(&entry);
	if (*augmentation == '\0') {
		common.usable = !entry.bad;
	} else if (*augmentation == 'z') {
		nt_reader_varuint(&entry); /* length of what follows */
		common.usable = read_augmentation(frame, &entry, augmentation + 1, &common);
	}
	return common;
}

/* The bytes of the next entry behind its length. False at the end of the section or of what can be read. */
static bool next_entry(struct nt_reader *section, const uint8_t **at, struct nt_reader *entry)
{
	enum { LENGTH_FOLLOWS = 0xffffffff };
	*at = section->at;
	uint64_t length = nt_reader_u32(section);
	if (length == (uint32_t)LENGTH_FOLLOWS)
		length = nt_reader_u64(section);
	if (!length || length > nt_reader_left(section))
		return false;
	*entry = nt_reader_of(section->at, (size_t)length);
	section->at += length;
	return !section->bad;
}

/* Those before an entry that refers to them have been read, but not kept: nearly all functions of a library share one or two. */
static bool find_common(const struct nt_eh_frame *frame, const uint8_t *at, struct common *common)
{
	if (common->at == at)
		return common->usable;
	struct nt_reader section = nt_reader_of(at, (size_t)(frame->bytes + frame->size - at)), entry;
	const uint8_t *start;
	*common = (struct common){ .at = at, .data = OMITTED };
	if (next_entry(&section, &start, &entry) && nt_reader_u32(&entry) == 0)
		*common = read_common(frame, at, entry);
	return common->usable;
}

static bool add_function(const struct nt_eh_frame *frame, struct nt_reader *entry, uint8_t encoding, struct nt_bounds *out)
{
	uint64_t start = read_pointer(frame, entry, encoding);
	uint64_t size = read_pointer(frame, entry, encoding & FORMAT_MASK);
	const struct nt_elf_segment *segment = nt_elf_segment_of(frame->segments, frame->segment_count, start);
	if (entry->bad || !size || !segment)
		return false;
	uint64_t within = start - segment->vaddr, room = segment->file_size - within;
	if (segment->offset > UINT64_MAX - within)
		return false;
	nt_bounds_add(out, segment->offset + within, size < room ? size : room);
	return true;
}

/* The next function: what is behind its place of the common part. False: there is none. */
static bool next_function(const struct nt_eh_frame *frame, struct nt_reader *section, struct common *common, struct nt_reader *entry)
{
	const uint8_t *at;
	while (next_entry(section, &at, entry)) {
		/* How far before this word the common part stands; 0: this is one. */
		const uint8_t *place = entry->at;
		uint32_t back = nt_reader_u32(entry);
		if (!entry->bad && back && back <= (size_t)(place - frame->bytes) && find_common(frame, place - back, common))
			return true;
	}
	return false;
}

size_t nt_eh_frame_read(const struct nt_eh_frame *frame, struct nt_bounds *out)
{
	struct nt_reader section = nt_reader_of(frame->bytes, frame->size), entry;
	struct common common = { 0 };
	size_t added = 0;
	while (next_function(frame, &section, &common, &entry))
		added += add_function(frame, &entry, common.encoding, out);
	return added;
}

void nt_eh_frame_read_data(const struct nt_eh_frame *frame, struct nt_eh_data_list *out)
{
	struct nt_reader section = nt_reader_of(frame->bytes, frame->size), entry;
	struct common common = { 0 };
	while (out->count < DATA_MAX && next_function(frame, &section, &common, &entry)) {
		if (common.data == OMITTED || common.data & INDIRECT)
			continue;
		struct nt_eh_data function = { .start = read_pointer(frame, &entry, common.encoding) };
		read_pointer(frame, &entry, common.encoding & FORMAT_MASK);
		nt_reader_varuint(&entry); /* length of what follows */
		const uint8_t *at = entry.at;
		uint64_t written = read_pointer(frame, &entry, common.data & FORMAT_MASK);
		entry.at = entry.bad ? entry.at : at;
		function.data = read_pointer(frame, &entry, common.data);
		if (entry.bad || !written) /* 0 as it is written: none */
			continue;
		out->items = nt_grow(out->items, &out->capacity, out->count + 1, sizeof(*out->items));
		out->items[out->count++] = function;
	}
}
