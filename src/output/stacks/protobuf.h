/* SPDX-License-Identifier: GPL-2.0-only */
/* The wire format of protocol buffers, as far as writing needs it: https://protobuf.dev/programming-guides/encoding. Inside src/output/ only. */
#ifndef NT_OUTPUT_PROTOBUF_H
#define NT_OUTPUT_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>

/* A message as it grows. All zero is an empty one; setting `length` to 0 makes it one again. */
struct nt_protobuf {
	uint8_t *bytes; /* owned */
	size_t length, capacity;
};

void nt_protobuf_fini(struct nt_protobuf *message);

/* A number without a field: an element of a packed list. */
void nt_protobuf_add_varint(struct nt_protobuf *message, uint64_t value);

/* A field that is a number; 0 is its default and is left out. */
void nt_protobuf_add_number(struct nt_protobuf *message, unsigned field, uint64_t value);

/* A field of eight bytes: fixed64, sfixed64, double. 0 is written, too, since in a oneof it is not the default. */
void nt_protobuf_add_fixed64(struct nt_protobuf *message, unsigned field, uint64_t value);
void nt_protobuf_add_double(struct nt_protobuf *message, unsigned field, double value);

/* A field that is text, bytes, another message or a packed list. */
void nt_protobuf_add_bytes(struct nt_protobuf *message, unsigned field, const void *bytes, size_t length);
void nt_protobuf_add_message(struct nt_protobuf *message, unsigned field, const struct nt_protobuf *part);

#endif
