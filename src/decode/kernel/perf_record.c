// SPDX-License-Identifier: GPL-2.0-only
#include "decode/kernel/perf_record.h"

#include <string.h>

/* The sample_id that ends every record but samples: pid, tid (u32), time (u64), cpu, reserved (u32). */
enum { HEADER_BYTES = 8, TRAILER_BYTES = 24 };

#ifndef PERF_RECORD_MISC_COMM_EXEC
#define PERF_RECORD_MISC_COMM_EXEC (1 << 13)
#endif

enum { PROTECTION_EXEC = 4 }; /* PROT_EXEC of the target's kernel, the same on every architecture that .NET runs on */

/* What is left of a record. Reading past the end gives 0 and sets `short_of`. */
struct cursor {
	const uint8_t *at;
	size_t left;
	bool short_of;
};

static const uint8_t *take(struct cursor *cursor, size_t bytes)
{
	if (bytes > cursor->left) {
		cursor->short_of = true;
		cursor->left = 0;
		return NULL;
	}
	const uint8_t *at = cursor->at;
	cursor->at += bytes;
	cursor->left -= bytes;
	return at;
}

static uint32_t take_u32(struct cursor *cursor)
{
	uint32_t value = 0;
	const uint8_t *at = take(cursor, sizeof(value));
	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

static uint64_t take_u64(struct cursor *cursor)
{
	uint64_t value = 0;
	const uint8_t *at = take(cursor, sizeof(value));
	if (at)
		memcpy(&value, at, sizeof(value));
	return value;
}

/* The rest as a text up to its NUL (it is padded with more). */
static const char *take_text(struct cursor *cursor, size_t *length)
{
	const char *text = (const char *)cursor->at;
	*length = strnlen(text, cursor->left);
	take(cursor, cursor->left);
	return text;
}

enum { ABI_64 = 2 /* PERF_SAMPLE_REGS_ABI_64 */ };

/* Behind the chain, when it was asked for. */
static void read_stack(struct cursor *cursor, struct nt_perf_record *out)
{
	uint64_t abi = take_u64(cursor);
	const uint8_t *regs = abi ? take(cursor, NT_PERF_REGS_COUNT * sizeof(uint64_t)) : NULL;
	uint64_t size = take_u64(cursor);
	if (!size)
		return;
	if (size > cursor->left) {
		cursor->short_of = true;
		return;
	}
	const uint8_t *stack = take(cursor, (size_t)size);
	uint64_t filled = take_u64(cursor);
	if (cursor->short_of || abi != ABI_64 || !filled)
		return;
	out->sample.user_regs = regs;
	out->sample.stack = stack;
	out->sample.stack_bytes = (uint32_t)(filled < size ? filled : size);
}

static void read_sample(struct cursor *cursor, unsigned mode, struct nt_perf_record *out)
{
	out->sample.ip = take_u64(cursor);
	out->pid = take_u32(cursor);
	out->tid = take_u32(cursor);
	out->time = take_u64(cursor);
	out->sample.cpu = take_u32(cursor);
	take_u32(cursor);
	out->sample.period = take_u64(cursor);
	out->sample.in_kernel = mode == PERF_RECORD_MISC_KERNEL;
	uint64_t count = take_u64(cursor);
	if (count > cursor->left / sizeof(uint64_t)) {
		cursor->short_of = true;
		return;
	}
	out->sample.chain_count = (uint32_t)count;
	out->sample.chain = take(cursor, (size_t)count * sizeof(uint64_t));
	if (cursor->left)
		read_stack(cursor, out);
}

static void read_map(struct cursor *cursor, struct nt_perf_record *out)
{
	out->pid = take_u32(cursor);
	out->tid = take_u32(cursor);
	out->map.start = take_u64(cursor);
	out->map.length = take_u64(cursor);
	out->map.file_offset = take_u64(cursor);
	take_u64(cursor); /* device */
	out->map.inode = take_u64(cursor);
	take_u64(cursor); /* inode generation */
	out->map.exec = take_u32(cursor) & PROTECTION_EXEC;
	take_u32(cursor); /* flags */
	out->map.name = take_text(cursor, &out->map.name_length);
}

static void read_body(struct cursor *cursor, const struct perf_event_header *header, struct nt_perf_record *out)
{
	switch (out->kind) {
	case NT_PERF_MAP:
		read_map(cursor, out);
		break;
	case NT_PERF_COMM:
		out->pid = take_u32(cursor);
		out->tid = take_u32(cursor);
		out->comm.exec = header->misc & PERF_RECORD_MISC_COMM_EXEC;
		out->comm.name = take_text(cursor, &out->comm.name_length);
		break;
	case NT_PERF_FORK:
	case NT_PERF_EXIT:
		out->pid = take_u32(cursor);
		out->fork.parent_pid = take_u32(cursor);
		out->tid = take_u32(cursor);
		out->fork.parent_tid = take_u32(cursor);
		take_u64(cursor); /* the same time as in the trailer */
		break;
	case NT_PERF_LOST:
		if (header->type == PERF_RECORD_LOST)
			take_u64(cursor); /* id of the event */
		out->lost.count = take_u64(cursor);
		break;
	case NT_PERF_SWITCH:
		out->switched.on = !(header->misc & PERF_RECORD_MISC_SWITCH_OUT);
		out->switched.preempted = !out->switched.on && header->misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT;
		if (header->type == PERF_RECORD_SWITCH_CPU_WIDE)
			take(cursor, 2 * sizeof(uint32_t)); /* the thread before it, or behind it */
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

enum nt_status nt_perf_record_parse(const uint8_t *bytes, size_t length, struct nt_perf_record *out)
{
	struct perf_event_header header;
	*out = (struct nt_perf_record){ .time = NT_TIME_UNKNOWN };
	if (!read_header(bytes, length, &header))
		return NT_ERR_MALFORMED;
	out->kind = kind_of(header.type);
	if (out->kind == NT_PERF_OTHER)
		return NT_OK;
	struct cursor body = { bytes + HEADER_BYTES, header.size - HEADER_BYTES, false };
	if (out->kind == NT_PERF_SAMPLE) {
		read_sample(&body, header.misc & PERF_RECORD_MISC_CPUMODE_MASK, out);
		return body.short_of ? NT_ERR_MALFORMED : NT_OK;
	}
	if (body.left < TRAILER_BYTES)
		return NT_ERR_MALFORMED;
	body.left -= TRAILER_BYTES;
	struct cursor trailer = { body.at + body.left, TRAILER_BYTES, false };
	out->pid = take_u32(&trailer);
	out->tid = take_u32(&trailer);
	out->time = take_u64(&trailer);
	read_body(&body, &header, out);
	return body.short_of ? NT_ERR_MALFORMED : NT_OK;
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
