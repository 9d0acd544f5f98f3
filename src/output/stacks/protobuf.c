// SPDX-License-Identifier: GPL-2.0-only
#include "output/stacks/protobuf.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

enum wire_type { WIRE_VARINT = 0, WIRE_64_BITS = 1, WIRE_LENGTH = 2 };

void nt_protobuf_fini(struct nt_protobuf *message)
{
	free(message->bytes);
	*message = (struct nt_protobuf){ 0 };
}

void nt_protobuf_add_varint(struct nt_protobuf *message, uint64_t value)
{
	enum { LONGEST = 10 };
	message->bytes = nt_grow(message->bytes, &message->capacity, message->length + LONGEST, 1);
	for (; value >= 0x80; value >>= 7)
		message->bytes[message->length++] = (uint8_t)(value | 0x80);
	message->bytes[message->length++] = (uint8_t)value;
}

static void add_key(struct nt_protobuf *message, unsigned field, enum wire_type type)
{
	nt_protobuf_add_varint(message, field << 3 | type);
}

void nt_protobuf_add_number(struct nt_protobuf *message, unsigned field, uint64_t value)
{
	if (!value)
		return;
	add_key(message, field, WIRE_VARINT);
	nt_protobuf_add_varint(message, value);
}

void nt_protobuf_add_fixed64(struct nt_protobuf *message, unsigned field, uint64_t value)
{
	add_key(message, field, WIRE_64_BITS);
	message->bytes = nt_grow(message->bytes, &message->capacity, message->length + sizeof(value), 1);
	for (unsigned i = 0; i < sizeof(value); i++)
		message->bytes[message->length++] = (uint8_t)(value >> 8 * i);
}

void nt_protobuf_add_double(struct nt_protobuf *message, unsigned field, double value)
{
	uint64_t bits;
	memcpy(&bits, &value, sizeof(bits));
	nt_protobuf_add_fixed64(message, field, bits);
}

void nt_protobuf_add_bytes(struct nt_protobuf *message, unsigned field, const void *bytes, size_t length)
{
	add_key(message, field, WIRE_LENGTH);
	nt_protobuf_add_varint(message, length);
	if (!length)
		return;
	message->bytes = nt_grow(message->bytes, &message->capacity, message->length + length, 1);
	memcpy(message->bytes + message->length, bytes, length);
	message->length += length;
}

void nt_protobuf_add_message(struct nt_protobuf *message, unsigned field, const struct nt_protobuf *part)
{
	nt_protobuf_add_bytes(message, field, part->bytes, part->length);
}
