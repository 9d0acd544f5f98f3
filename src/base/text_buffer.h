/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Text that grows: what is written many thousand times a second, without a stream and its formats. Not NUL-terminated.
 *
 *	struct nt_text_buffer out = { 0 };
 *	nt_text_put(&out, "count=");
 *	nt_text_put_unsigned(&out, 12);
 *	fwrite(out.bytes, 1, out.length, stdout);
 *	nt_text_buffer_fini(&out);
 */
#ifndef NT_BASE_TEXT_BUFFER_H
#define NT_BASE_TEXT_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"

/* All zero is an empty one. */
struct nt_text_buffer {
	char *bytes; /* owned */
	size_t length, capacity;
};

void nt_text_buffer_fini(struct nt_text_buffer *buffer);

/* Room for so many bytes at its end, of which the caller writes some and adds them to `length`. */
static inline char *nt_text_buffer_room(struct nt_text_buffer *buffer, size_t bytes)
{
	buffer->bytes = nt_grow(buffer->bytes, &buffer->capacity, buffer->length + bytes, 1);
	return buffer->bytes + buffer->length;
}

/* What is in it as a text of its own, which is the caller's; the buffer is empty then. */
char *nt_text_buffer_take(struct nt_text_buffer *buffer);

static inline void nt_text_put_bytes(struct nt_text_buffer *buffer, const char *bytes, size_t length)
{
	memcpy(nt_text_buffer_room(buffer, length + 1), bytes, length);
	buffer->length += length;
}

static inline void nt_text_put(struct nt_text_buffer *buffer, const char *text)
{
	nt_text_put_bytes(buffer, text, strlen(text));
}

static inline void nt_text_put_char(struct nt_text_buffer *buffer, char byte)
{
	*nt_text_buffer_room(buffer, 1) = byte;
	buffer->length++;
}

void nt_text_put_unsigned(struct nt_text_buffer *buffer, uint64_t value);
void nt_text_put_signed(struct nt_text_buffer *buffer, int64_t value);
void nt_text_put_hex(struct nt_text_buffer *buffer, uint64_t value); /* with 0x */

/* So many digits at least, with zeros before. */
void nt_text_put_digits(struct nt_text_buffer *buffer, uint64_t value, unsigned digits);

/* As printf's %g, for people. */
void nt_text_put_real(struct nt_text_buffer *buffer, double value);

/* As JSON has it: whoever reads it gets this same number. It has to be finite. */
void nt_text_put_exact(struct nt_text_buffer *buffer, double value);

/* The bytes of a number, the least significant ones first. */
#define NT_TEXT_PUT_BYTES_OF(name_, type_)                                                                                                 \
	static inline void nt_text_put_##name_(struct nt_text_buffer *buffer, type_ value)                                                 \
	{                                                                                                                                  \
		nt_text_put_bytes(buffer, (const char *)&value, sizeof(value)); /* nettop runs on little-endian machines only */           \
	}
NT_TEXT_PUT_BYTES_OF(u16, uint16_t)
NT_TEXT_PUT_BYTES_OF(u32, uint32_t)
NT_TEXT_PUT_BYTES_OF(u64, uint64_t)
#undef NT_TEXT_PUT_BYTES_OF

/* A number in 7 bits a byte, the least significant ones first: what nt_reader_varuint() reads. */
void nt_text_put_varint(struct nt_text_buffer *buffer, uint64_t value);

/* UTF-8 as UTF-16LE, with a NUL at its end; what is no UTF-8, and a NUL within it, becomes U+FFFD. */
void nt_text_put_utf16(struct nt_text_buffer *buffer, const char *text, size_t length);

/* Escaped as nt_text_escape() does it. */
void nt_text_put_escaped(struct nt_text_buffer *buffer, const char *text, size_t length);

/* The same as a string of JSON, with its quotes. */
void nt_text_put_json(struct nt_text_buffer *buffer, const char *text);

#endif
