// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/perf_record.h"

#include "decode/common/reader.h"

#include <string.h>

enum { HEADER_BYTES = 8 };

#ifndef PERF_RECORD_MISC_COMM_EXEC
#define PERF_RECORD_MISC_COMM_EXEC (1 << 13)
#endif
#ifndef PERF_RECORD_MISC_MMAP_BUILD_ID
#define PERF_RECORD_MISC_MMAP_BUILD_ID (1 << 14)
#endif

enum { PROTECTION_EXEC = 4 }; /* PROT_EXEC of the target's kernel, the same on every architecture that .NET runs on */

const struct nt_perf_form nt_perf_own_form = { .sample_type = NT_PERF_SAMPLE_TYPE | NT_PERF_SAMPLE_STACK,
					       .user_regs = NT_PERF_REGS_MASK,
					       .trailers = true };

/* `count` items of `size` bytes; NULL when they do not fit. */
static const uint8_t *take_items(struct nt_reader *reader, uint64_t count, size_t size)
{
	reader->bad |= count > nt_reader_left(reader) / size;
	return nt_reader_bytes(reader, reader->bad ? 0 : (size_t)count * size);
}

/* The rest as a text up to its NUL (it is padded with more). */
static const char *take_text(struct nt_reader *reader, size_t *length)
{
	const char *text = (const char *)reader->at;
	*length = strnlen(text, nt_reader_left(reader));
	nt_reader_bytes(reader, nt_reader_left(reader));
	return text;
}

static size_t bits(uint64_t mask)
{
	return (size_t)__builtin_popcountll(mask);
}

/* ---- samples ---- */

enum { ABI_64 = 2 /* PERF_SAMPLE_REGS_ABI_64 */, BRANCH_BYTES = 24 };

/* What the event has counted, or each of its group. */
static void pass_counts(struct nt_reader *reader, uint64_t read_format)
{
	uint64_t count = read_format & PERF_FORMAT_GROUP ? nt_reader_u64(reader) : 1;
	take_items(reader, bits(read_format & (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)), sizeof(uint64_t));
	take_items(reader, count, (1 + bits(read_format & (PERF_FORMAT_ID | PERF_FORMAT_LOST))) * sizeof(uint64_t));
}

static void pass_branches(struct nt_reader *reader, uint64_t branch_type)
{
	uint64_t count = nt_reader_u64(reader);
	if (branch_type & PERF_SAMPLE_BRANCH_HW_INDEX)
		nt_reader_u64(reader);
	take_items(reader, count, BRANCH_BYTES);
	if (branch_type & NT_PERF_BRANCH_COUNTERS)
		take_items(reader, count, sizeof(uint64_t));
}

static void read_chain(struct nt_reader *reader, struct nt_perf_record *out)
{
	uint64_t count = nt_reader_u64(reader);
	out->sample.chain = take_items(reader, count, sizeof(uint64_t));
	out->sample.chain_count = reader->bad ? 0 : (uint32_t)count;
}

static void read_stack(struct nt_reader *reader, const struct nt_perf_form *form, struct nt_perf_record *out)
{
	uint64_t abi = form->sample_type & PERF_SAMPLE_REGS_USER ? nt_reader_u64(reader) : 0;
	const uint8_t *regs = abi ? take_items(reader, bits(form->user_regs), sizeof(uint64_t)) : NULL;
	uint64_t size = form->sample_type & PERF_SAMPLE_STACK_USER ? nt_reader_u64(reader) : 0;
	if (!size)
		return;
	const uint8_t *stack = take_items(reader, size, 1);
	uint64_t filled = nt_reader_u64(reader);
	if (reader->bad || abi != ABI_64 || !filled)
		return;
	out->sample.user_regs = regs;
	out->sample.stack = stack;
	out->sample.stack_bytes = (uint32_t)(filled < size ? filled : size);
}

/* In the order of perf_event_open(2); what is behind the stack nobody reads. */
static void read_sample(struct nt_reader *reader, const struct nt_perf_form *form, unsigned mode, struct nt_perf_record *out)
{
	const uint64_t has = form->sample_type;
	out->sample.in_kernel = mode == PERF_RECORD_MISC_KERNEL;
	out->id = has & PERF_SAMPLE_IDENTIFIER ? nt_reader_u64(reader) : 0;
	out->sample.ip = has & PERF_SAMPLE_IP ? nt_reader_u64(reader) : 0;
	if (has & PERF_SAMPLE_TID) {
		out->pid = nt_reader_u32(reader);
		out->tid = nt_reader_u32(reader);
	}
	out->time = has & PERF_SAMPLE_TIME ? nt_reader_u64(reader) : NT_TIME_UNKNOWN;
	take_items(reader, bits(has & PERF_SAMPLE_ADDR), sizeof(uint64_t));
	if (has & PERF_SAMPLE_ID)
		out->id = nt_reader_u64(reader);
	take_items(reader, bits(has & PERF_SAMPLE_STREAM_ID), sizeof(uint64_t));
	if (has & PERF_SAMPLE_CPU) {
		out->sample.cpu = nt_reader_u32(reader);
		nt_reader_u32(reader);
	}
	out->sample.period = has & PERF_SAMPLE_PERIOD ? nt_reader_u64(reader) : 0;
	if (has & PERF_SAMPLE_READ)
		pass_counts(reader, form->read_format);
	if (has & PERF_SAMPLE_CALLCHAIN)
		read_chain(reader, out);
	if (has & PERF_SAMPLE_RAW)
		take_items(reader, nt_reader_u32(reader), 1);
	if (has & PERF_SAMPLE_BRANCH_STACK)
		pass_branches(reader, form->branch_type);
	if (nt_reader_left(reader))
		read_stack(reader, form, out);
}

/* ---- other records ---- */

static void read_map(struct nt_reader *reader, const struct perf_event_header *header, struct nt_perf_record *out)
{
	enum { ID_HEAD = 4 };
	out->pid = nt_reader_u32(reader);
	out->tid = nt_reader_u32(reader);
	out->map.start = nt_reader_u64(reader);
	out->map.length = nt_reader_u64(reader);
	out->map.file_offset = nt_reader_u64(reader);
	if (header->type == PERF_RECORD_MMAP) {
		out->map.exec = !(header->misc & PERF_RECORD_MISC_MMAP_DATA);
		out->map.name = take_text(reader, &out->map.name_length);
		return;
	}
	/* Device, inode and its generation; or the build id of the file. */
	const uint8_t *file = take_items(reader, ID_HEAD + NT_PERF_BUILD_ID_MAX, 1);
	if (file && header->misc & PERF_RECORD_MISC_MMAP_BUILD_ID) {
		out->map.build_id = file + ID_HEAD;
		out->map.build_id_length = file[0] < NT_PERF_BUILD_ID_MAX ? file[0] : NT_PERF_BUILD_ID_MAX;
	} else if (file) {
		memcpy(&out->map.inode, file + sizeof(uint64_t), sizeof(out->map.inode));
	}
	out->map.exec = nt_reader_u32(reader) & PROTECTION_EXEC;
	nt_reader_u32(reader); /* flags */
	out->map.name = take_text(reader, &out->map.name_length);
}

static void read_body(struct nt_reader *reader, const struct perf_event_header *header, struct nt_perf_record *out)
{
	switch (out->kind) {
	case NT_PERF_MAP:
		read_map(reader, header, out);
		break;
	case NT_PERF_COMM:
		out->pid = nt_reader_u32(reader);
		out->tid = nt_reader_u32(reader);
		out->comm.exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
		out->comm.name = take_text(reader, &out->comm.name_length);
		break;
	case NT_PERF_FORK:
	case NT_PERF_EXIT:
		out->pid = nt_reader_u32(reader);
		out->fork.parent_pid = nt_reader_u32(reader);
		out->tid = nt_reader_u32(reader);
		out->fork.parent_tid = nt_reader_u32(reader);
		nt_reader_u64(reader); /* the same time as in the trailer */
		break;
	case NT_PERF_LOST:
		if (header->type == PERF_RECORD_LOST)
			nt_reader_u64(reader); /* id of the event */
		out->lost.count = nt_reader_u64(reader);
		break;
	case NT_PERF_SWITCH:
		out->switched.on = !(header->misc & PERF_RECORD_MISC_SWITCH_OUT);
		out->switched.preempted = !out->switched.on && header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		if (header->type == PERF_RECORD_SWITCH_CPU_WIDE)
			take_items(reader, 2, sizeof(uint32_t)); /* the thread before it, or behind it */
		break;
	default:
		break;
	}
}

static enum nt_perf_kind kind_of(uint32_t type)
{
	switch (type) {
	case PERF_RECORD_SAMPLE:
		return NT_PERF_SAMPLE;
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return NT_PERF_MAP;
	case PERF_RECORD_COMM:
		return NT_PERF_COMM;
	case PERF_RECORD_FORK:
		return NT_PERF_FORK;
	case PERF_RECORD_EXIT:
		return NT_PERF_EXIT;
	case PERF_RECORD_LOST:
	case PERF_RECORD_LOST_SAMPLES:
		return NT_PERF_LOST;
	case PERF_RECORD_SWITCH:
	case PERF_RECORD_SWITCH_CPU_WIDE:
		return NT_PERF_SWITCH;
	default:
		return NT_PERF_OTHER;
	}
}

static bool read_header(const uint8_t *bytes, size_t length, struct perf_event_header *header)
{
	if (length < HEADER_BYTES)
		return false;
	memcpy(header, bytes, HEADER_BYTES);
	return header->size >= HEADER_BYTES && header->size <= length;
}

bool nt_perf_record_is_sample_of_other(const uint8_t *bytes, size_t length, uint32_t pid)
{
	enum { PID_AT = HEADER_BYTES + 8 }; /* behind the instruction pointer */
	struct perf_event_header header;
	uint32_t sampled;
	if (!read_header(bytes, length, &header) || header.type != PERF_RECORD_SAMPLE || header.size < PID_AT + sizeof(sampled))
		return false;
	memcpy(&sampled, bytes + PID_AT, sizeof(sampled));
	return sampled != pid;
}

/* The sample_id that ends every record but samples. */
static bool take_trailer(struct nt_reader *body, const struct nt_perf_form *form, struct nt_perf_record *out)
{
	const uint64_t has = form->sample_type;
	size_t size = sizeof(uint64_t) * bits(has & NT_PERF_TRAILER_TYPE);
	if (nt_reader_left(body) < size)
		return false;
	body->end -= size;
	struct nt_reader trailer = nt_reader_of(body->end, size);
	if (has & PERF_SAMPLE_TID) {
		out->pid = nt_reader_u32(&trailer);
		out->tid = nt_reader_u32(&trailer);
	}
	if (has & PERF_SAMPLE_TIME)
		out->time = nt_reader_u64(&trailer);
	if (has & PERF_SAMPLE_ID)
		out->id = nt_reader_u64(&trailer);
	take_items(&trailer, bits(has & (PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU)), sizeof(uint64_t));
	if (has & PERF_SAMPLE_IDENTIFIER)
		out->id = nt_reader_u64(&trailer);
	return true;
}

enum nt_status nt_perf_record_parse_as(const uint8_t *bytes, size_t length, const struct nt_perf_form *form, struct nt_perf_record *out)
{
	struct perf_event_header header;
	*out = (struct nt_perf_record){ .time = NT_TIME_UNKNOWN };
	if (!read_header(bytes, length, &header))
		return NT_ERR_MALFORMED;
	out->kind = kind_of(header.type);
	if (out->kind == NT_PERF_OTHER)
		return NT_OK;
	struct nt_reader body = nt_reader_of(bytes + HEADER_BYTES, header.size - HEADER_BYTES);
	if (out->kind == NT_PERF_SAMPLE)
		read_sample(&body, form, header.misc & PERF_RECORD_MISC_CPUMODE_MASK, out);
	else if (form->trailers && !take_trailer(&body, form, out))
		return NT_ERR_MALFORMED;
	else
		read_body(&body, &header, out);
	return body.bad ? NT_ERR_MALFORMED : NT_OK;
}

enum nt_status nt_perf_record_parse(const uint8_t *bytes, size_t length, struct nt_perf_record *out)
{
	return nt_perf_record_parse_as(bytes, length, &nt_perf_own_form, out);
}

bool nt_perf_user_reg(const struct nt_perf_form *form, const struct nt_perf_record *sample, unsigned number, uint64_t *value)
{
	uint64_t bit = UINT64_C(1) << number;
	if (!sample->sample.user_regs || !(form->user_regs & bit))
		return false;
	memcpy(value, sample->sample.user_regs + bits(form->user_regs & (bit - 1)) * sizeof(*value), sizeof(*value));
	return true;
}

enum part { PART_KERNEL, PART_USER, PART_FOREIGN /* of a guest or a hypervisor: not our target's */ };

static enum part part_of_marker(uint64_t marker)
{
	if (marker == (uint64_t)PERF_CONTEXT_KERNEL)
		return PART_KERNEL;
	return marker == (uint64_t)PERF_CONTEXT_USER ? PART_USER : PART_FOREIGN;
}

/* Append the addresses of one part. */
static unsigned collect(const struct nt_perf_record *sample, enum part wanted, uint64_t *addresses, unsigned used, unsigned max)
{
	enum part part = sample->sample.in_kernel ? PART_KERNEL : PART_USER;
	for (uint32_t i = 0; i < sample->sample.chain_count && used < max; i++) {
		uint64_t address;
		memcpy(&address, sample->sample.chain + i * sizeof(address), sizeof(address));
		if (address >= (uint64_t)PERF_CONTEXT_MAX)
			part = part_of_marker(address);
		else if (part == wanted)
			addresses[used++] = address;
	}
	return used;
}

unsigned nt_perf_chain(const struct nt_perf_record *sample, uint64_t *addresses, unsigned max, unsigned *kernel_count)
{
	*kernel_count = collect(sample, PART_KERNEL, addresses, 0, max);
	unsigned count = collect(sample, PART_USER, addresses, *kernel_count, max);
	if (!count && max) {
		addresses[0] = sample->sample.ip;
		*kernel_count = sample->sample.in_kernel;
		count = 1;
	}
	return count;
}

static uint64_t chain_word(const struct nt_perf_record *sample, uint32_t number)
{
	uint64_t word;
	memcpy(&word, sample->sample.chain + number * sizeof(word), sizeof(word));
	return word;
}

unsigned nt_perf_user_part(const struct nt_perf_record *sample, uint32_t *first)
{
	uint32_t at = sample->sample.chain_count;
	while (at && chain_word(sample, at - 1) < (uint64_t)PERF_CONTEXT_MAX)
		at--;
	*first = at;
	return at && chain_word(sample, at - 1) == (uint64_t)PERF_CONTEXT_USER ? sample->sample.chain_count - at : 0;
}

size_t nt_perf_replace_chain(const uint8_t *bytes, const struct nt_perf_record *sample, uint32_t first, const uint64_t *frames,
			     unsigned count, uint8_t out[NT_PERF_REPLACED_MAX])
{
	uint64_t total = (uint64_t)first + count;
	size_t kept = (size_t)(sample->sample.chain - bytes) + first * sizeof(uint64_t);
	size_t length = kept + count * sizeof(uint64_t);
	if (length > NT_PERF_REPLACED_MAX)
		return 0;
	struct perf_event_header header;
	memcpy(out, bytes, kept);
	memcpy(&header, bytes, sizeof(header));
	header.size = (uint16_t)length;
	memcpy(out, &header, sizeof(header));
	memcpy(out + (sample->sample.chain - bytes) - sizeof(total), &total, sizeof(total));
	if (count)
		memcpy(out + kept, frames, count * sizeof(*frames));
	return length;
}
