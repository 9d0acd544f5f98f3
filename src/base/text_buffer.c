// SPDX-License-Identifier: GPL-2.0-only
#include "base/text_buffer.h"

#include "base/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { NUMBER_BYTES = 32, ESCAPED_BYTES = 16 /* what a character becomes at most */ };

void nt_text_buffer_fini(struct nt_text_buffer *buffer)
{
	free(buffer->bytes);
	*buffer = (struct nt_text_buffer){ 0 };
}

char *nt_text_buffer_take(struct nt_text_buffer *buffer)
{
	nt_text_put_char(buffer, '\0');
	char *text = buffer->bytes;
	*buffer = (struct nt_text_buffer){ 0 };
	return text;
}

/* The two digits of each number below 100. */
static const char pairs[] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839404142434445464748495051525354"
			    "555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899";

/* Before `at`; no memcpy(), which a checked build makes a call of. Returns where they begin. */
static char *put_pair(char *at, uint64_t value)
{
	at[-2] = pairs[2 * value];
	at[-1] = pairs[2 * value + 1];
	return at - 2;
}

void nt_text_put_digits(struct nt_text_buffer *buffer, uint64_t value, unsigned digits)
{
	/* Written at its end, and copied whole, which takes no loop: the room behind the number is not used. */
	char text[2 * NUMBER_BYTES], *const end = text + NUMBER_BYTES, *at = end;
	for (; value >= 100; value /= 100) /* half the divisions */
		at = put_pair(at, value % 100);
	if (value >= 10)
		at = put_pair(at, value);
	else if (value)
		*--at = (char)('0' + value);
	while (end - at < (ptrdiff_t)digits)
		*--at = '0';
	memcpy(nt_text_buffer_room(buffer, NUMBER_BYTES), at, NUMBER_BYTES);
	buffer->length += (size_t)(end - at);
}

void nt_text_put_varint(struct nt_text_buffer *buffer, uint64_t value)
{
	enum { LONGEST = 10 };
	char *room = nt_text_buffer_room(buffer, LONGEST);
	size_t length = 0;
	for (; value >= 0x80; value >>= 7)
		room[length++] = (char)(value | 0x80);
	room[length++] = (char)value;
	buffer->length += length;
}

static void put_unit(struct nt_text_buffer *buffer, uint32_t unit)
{
	nt_text_put_char(buffer, (char)unit);
	nt_text_put_char(buffer, (char)(unit >> 8));
}

void nt_text_put_utf16(struct nt_text_buffer *buffer, const char *text, size_t length)
{
	enum { REPLACED = 0xfffd, PLANE = 0x10000, HIGH = 0xd800, LOW = 0xdc00, BITS = 10, MASK = (1 << BITS) - 1 };
	for (uint32_t code; length;) {
		size_t used = nt_utf8_decode(text, length, &code);
		code = code ? code : REPLACED; /* it would end there */
		if (code >= PLANE) {
			put_unit(buffer, HIGH | (code - PLANE) >> BITS);
			code = LOW | ((code - PLANE) & MASK);
		}
		put_unit(buffer, code);
		text += used;
		length -= used;
	}
	put_unit(buffer, 0);
}

void nt_text_put_unsigned(struct nt_text_buffer *buffer, uint64_t value)
{
	nt_text_put_digits(buffer, value, 1);
}

void nt_text_put_signed(struct nt_text_buffer *buffer, int64_t value)
{
	if (value < 0)
		nt_text_put_char(buffer, '-');
	nt_text_put_unsigned(buffer, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

void nt_text_put_hex(struct nt_text_buffer *buffer, uint64_t value)
{
	char text[NUMBER_BYTES], *at = text + sizeof(text);
	for (unsigned i = 0; value || !i; i++, value >>= 4)
		*--at = "0123456789abcdef"[value & 15];
	nt_text_put_bytes(buffer, "0x", 2);
	nt_text_put_bytes(buffer, at, (size_t)(text + sizeof(text) - at));
}

/* `whole` by `unit`, which is ten to the power of `decimals`. */
static void put_decimal(struct nt_text_buffer *buffer, bool negative, uint64_t whole, unsigned decimals, uint64_t unit)
{
	if (negative)
		nt_text_put_char(buffer, '-');
	nt_text_put_unsigned(buffer, whole / unit);
	if (decimals) {
		nt_text_put_char(buffer, '.');
		nt_text_put_digits(buffer, whole % unit, decimals);
	}
}

/*
 * Most reals that programs write have few digits, and printing one as if it had all is dear. A whole number, divided by a power of ten, that gives the very same real is how it is written. False: it
 * is not such a one.
 */
static bool put_short(struct nt_text_buffer *buffer, double value)
{
	static const double below = 1e15; /* there each whole number is a real */
	enum { DECIMALS_MAX = 6 };
	double scale = 1, scaled = value;
	unsigned decimals = 0;
	if (value == 0)
		return false;
	while (fabs(scaled) < below && scaled != (double)(int64_t)scaled && decimals < DECIMALS_MAX) {
		decimals++;
		scale *= 10;
		scaled = value * scale;
	}
	if (!(fabs(scaled) < below) || scaled != (double)(int64_t)scaled || scaled / scale != value)
		return false;
	uint64_t whole = (uint64_t)fabs(scaled), unit = (uint64_t)scale;
	put_decimal(buffer, value < 0, whole, decimals, unit);
	return true;
}

/* Six digits, without the zeros at the end, where %g needs no exponent. False: it would, or may lie in the middle between two of them. */
static bool put_six_digits(struct nt_text_buffer *buffer, double value)
{
	static const double most = 999999, least = 1e-4, middle = 0.5, near = 1e-3;
	double magnitude = fabs(value), scale = 1;
	unsigned decimals = 0;
	if (!(magnitude >= least && magnitude < most))
		return false;
	for (; magnitude * scale < 1e5; scale *= 10)
		decimals++;
	uint64_t whole = (uint64_t)(magnitude * scale), unit = (uint64_t)scale;
	double part = magnitude * scale - (double)whole;
	/* Without decimals the part is what it is; multiplied, it may have come to lie on the other side. */
	if (decimals && fabs(part - middle) < near)
		return false;
	bool is_even = whole % 2 == 0;
	for (whole += part > middle || (part == middle && !is_even); decimals && whole % 10 == 0; decimals--, unit /= 10)
		whole /= 10;
	put_decimal(buffer, value < 0, whole, decimals, unit);
	return true;
}

void nt_text_put_real(struct nt_text_buffer *buffer, double value)
{
	if (!put_six_digits(buffer, value))
		buffer->length += (size_t)snprintf(nt_text_buffer_room(buffer, NUMBER_BYTES), NUMBER_BYTES, "%g", value);
}

void nt_text_put_exact(struct nt_text_buffer *buffer, double value)
{
	size_t begin = buffer->length;
	if (!put_short(buffer, value))
		buffer->length += (size_t)snprintf(nt_text_buffer_room(buffer, NUMBER_BYTES), NUMBER_BYTES, "%.17g", value);
	/* A reader that tells apart the two kinds of numbers gets a real. */
	for (size_t i = begin; i < buffer->length; i++)
		if (strchr(".e", buffer->bytes[i]))
			return;
	nt_text_put_bytes(buffer, ".0", 2);
}

/* Bytes at the begin of a text that stand for themselves. */
static size_t plain_bytes(const char *text, size_t length, bool json)
{
	size_t plain = nt_text_plain_length(text, length);
	if (!json)
		return plain;
	const char *quote = memchr(text, '"', plain), *slash;
	plain = quote ? (size_t)(quote - text) : plain;
	slash = memchr(text, '\\', plain);
	return slash ? (size_t)(slash - text) : plain;
}

static void put_escaped(struct nt_text_buffer *buffer, const char *text, size_t length, bool json)
{
	while (length) {
		size_t plain = plain_bytes(text, length, json);
		nt_text_put_bytes(buffer, text, plain);
		text += plain;
		length -= plain;
		if (!length)
			break;
		uint32_t code;
		size_t taken = nt_utf8_decode(text, length, &code);
		if (json && (code == '"' || code == '\\' || nt_text_is_control(code)))
			nt_text_put_char(buffer, '\\');
		char *room = nt_text_buffer_room(buffer, ESCAPED_BYTES);
		if (code < ' ')
			nt_text_put_bytes(buffer, (const char[]){ '\\', 'x', (char)('0' + (code >> 4)), "0123456789abcdef"[code & 15] }, 4);
		else if (nt_text_is_control(code))
			buffer->length += nt_text_escape(text, taken, room, ESCAPED_BYTES);
		else
			buffer->length += nt_utf8_encode(code, room);
		text += taken;
		length -= taken;
	}
}

void nt_text_put_escaped(struct nt_text_buffer *buffer, const char *text, size_t length)
{
	put_escaped(buffer, text, length, false);
}

void nt_text_put_json(struct nt_text_buffer *buffer, const char *text)
{
	nt_text_put_char(buffer, '"');
	put_escaped(buffer, text, strlen(text), true);
	nt_text_put_char(buffer, '"');
}
