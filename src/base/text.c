// SPDX-License-Identifier: GPL-2.0-only
#include "base/text.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { REPLACEMENT = 0xfffd };

static bool is_tail(unsigned char byte)
{
	return (byte & 0xc0) == 0x80;
}

size_t nt_utf8_decode(const char *text, size_t length, uint32_t *code)
{
	static const uint32_t least[5] = { 0, 0, 0x80, 0x800, 0x10000 };
	const unsigned char *p = (const unsigned char *)text;
	*code = REPLACEMENT;
	if (p[0] < 0x80) {
		*code = p[0];
		return 1;
	}
	size_t need = p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : 0;
	if (!need || need > length)
		return 1;
	uint32_t value = p[0] & (0x7fu >> need);
	for (size_t i = 1; i < need; i++) {
		if (!is_tail(p[i]))
			return 1;
		value = value << 6 | (p[i] & 0x3fu);
	}
	if (value < least[need] || value > 0x10ffff || (value >= 0xd800 && value < 0xe000))
		return 1;
	*code = value;
	return need;
}

size_t nt_utf8_cut(const char *text, size_t length, size_t limit)
{
	if (length <= limit)
		return length;
	size_t end = limit;
	while (end && ((unsigned char)text[end] & 0xc0) == 0x80)
		end--;
	return end;
}

size_t nt_utf8_encode(uint32_t code, char out[4])
{
	if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
		code = REPLACEMENT;
	if (code < 0x80) {
		out[0] = (char)code;
		return 1;
	}
	if (code < 0x800) {
		out[0] = (char)(0xc0 | code >> 6);
		out[1] = (char)(0x80 | (code & 0x3f));
		return 2;
	}
	if (code < 0x10000) {
		out[0] = (char)(0xe0 | code >> 12);
		out[1] = (char)(0x80 | (code >> 6 & 0x3f));
		out[2] = (char)(0x80 | (code & 0x3f));
		return 3;
	}
	out[0] = (char)(0xf0 | code >> 18);
	out[1] = (char)(0x80 | (code >> 12 & 0x3f));
	out[2] = (char)(0x80 | (code >> 6 & 0x3f));
	out[3] = (char)(0x80 | (code & 0x3f));
	return 4;
}

bool nt_text_is_control(uint32_t code)
{
	static const struct {
		uint32_t first, last;
	} controls[] = { { 0, 0x1f },        { 0x7f, 0x9f },     { 0x61c, 0x61c },  { 0x200e, 0x200f },
			 { 0x2028, 0x202e }, { 0x2066, 0x206f }, { 0xfeff, 0xfeff } };
	if (code >= ' ' && code < 0x7f)
		return false; /* nearly all */
	for (size_t i = 0; i < sizeof(controls) / sizeof(*controls); i++)
		if (code >= controls[i].first && code <= controls[i].last)
			return true;
	return false;
}

/* Eight bytes at a time: each has its high bit set when it is no printable ASCII. */
static uint64_t not_plain(const char *text)
{
	static const uint64_t ones = UINT64_C(0x0101010101010101), high = ones << 7;
	uint64_t bytes;
	memcpy(&bytes, text, sizeof(bytes));
	uint64_t low_bits = bytes & ~high;
	/* 0x60 more carries into the high bit from ' ' on; one more does for DEL. */
	return (bytes | ~(low_bits + 0x60 * ones) | (low_bits + ones)) & high;
}

size_t nt_text_plain_length(const char *text, size_t length)
{
	enum { AT_A_TIME = sizeof(uint64_t) };
	size_t plain = 0;
	while (length - plain >= AT_A_TIME && !not_plain(text + plain))
		plain += AT_A_TIME;
	/* The rest of a text that is all plain: its last eight bytes, of which some were looked at. */
	if (length - plain < AT_A_TIME && length >= AT_A_TIME && !not_plain(text + length - AT_A_TIME))
		return length;
	while (plain < length && text[plain] >= ' ' && text[plain] < 0x7f)
		plain++;
	return plain;
}

size_t nt_text_escape(const char *text, size_t length, char *buf, size_t size)
{
	size_t used = 0;
	while (length) {
		size_t plain = nt_text_plain_length(text, length < size - used - 1 ? length : size - used - 1);
		memcpy(buf + used, text, plain);
		used += plain;
		text += plain;
		length -= plain;
		if (!length)
			break;
		uint32_t code;
		size_t taken = nt_utf8_decode(text, length, &code);
		char piece[16];
		size_t n;
		if (nt_text_is_control(code))
			n = (size_t)snprintf(piece, sizeof(piece), code < 0x100 ? "\\x%02x" : "\\u{%04x}", (unsigned)code);
		else
			n = nt_utf8_encode(code, piece);
		if (used + n >= size)
			break;
		memcpy(buf + used, piece, n);
		used += n;
		text += taken;
		length -= taken;
	}
	buf[used] = '\0';
	return used;
}

char *nt_text_escaped(const char *text, size_t length)
{
	enum { LONGEST = 4 }; /* of what a byte becomes: \xNN */
	size_t size = length * LONGEST + 1;
	char *escaped = nt_alloc(size);
	nt_text_escape(text, length, escaped, size);
	return escaped;
}

void nt_text_print(FILE *out, const char *text)
{
	char *escaped = text ? nt_text_escaped(text, strlen(text)) : NULL;
	if (escaped)
		fputs(escaped, out);
	free(escaped);
}

/*
 * Several units at a time: nearly all texts are ASCII, and the runtime's events are full of texts. A word holds four units, which every machine can do; a
 * vector eight.
 */
enum { UNITS_PER_WORD = 4, UNITS_PER_VECTOR = 8 };

static uint64_t read_units(const uint8_t *units)
{
	uint64_t word;
	memcpy(&word, units, sizeof(word));
	return word;
}

/* Index of the first byte of the first unit that is 0, from bytes[*from] on, as far as vectors fit: *from is where they end. SIZE_MAX = none. */
static size_t find_zero_by_vectors(const uint8_t *bytes, size_t length, size_t *from)
{
#ifdef __SSE2__
	for (; *from + sizeof(__m128i) <= length; *from += sizeof(__m128i)) {
		__m128i units = _mm_loadu_si128((const __m128i_u *)(bytes + *from));
		unsigned zeros = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi16(units, _mm_setzero_si128()));
		if (zeros)
			return *from + (size_t)__builtin_ctz(zeros);
	}
#else
	(void)bytes, (void)length, (void)from;
#endif
	return SIZE_MAX;
}

bool nt_text_next_line(const char **at, const char **line, size_t *length)
{
	if (!*at || !**at)
		return false;
	*line = *at;
	*length = strcspn(*at, "\n");
	*at += *length + ((*at)[*length] == '\n');
	return true;
}

size_t nt_utf16_length(const uint8_t *bytes, size_t length)
{
	const uint64_t ones = UINT64_C(0x0001000100010001), tops = ones << 15;
	size_t i = 0, found = find_zero_by_vectors(bytes, length, &i);
	if (found != SIZE_MAX)
		return found;
	for (; i + sizeof(uint64_t) <= length; i += sizeof(uint64_t)) {
		uint64_t word = read_units(bytes + i), zeros = (word - ones) & ~word & tops;
		if (zeros)
			return i + (size_t)__builtin_ctzll(zeros) / 16 *
					   2; /* the lowest one is right; above it a borrow may have made one up */
	}
	for (; i + 2 <= length; i += 2)
		if (!bytes[i] && !bytes[i + 1])
			return i;
	return SIZE_MAX;
}

static bool put_ascii_word(const uint8_t *units, char *buf)
{
	uint64_t word = read_units(units);
	if (word & UINT64_C(0xff80ff80ff80ff80))
		return false;
	word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
	uint32_t four = (uint32_t)(word | word >> 16);
	memcpy(buf, &four, sizeof(four));
	return true;
}

static bool put_ascii_vector(const uint8_t *units, char *buf)
{
#ifdef __SSE2__
	__m128i eight = _mm_loadu_si128((const __m128i_u *)units);
	__m128i above = _mm_and_si128(eight, _mm_set1_epi16((short)0xff80));
	if (_mm_movemask_epi8(_mm_cmpeq_epi16(above, _mm_setzero_si128())) != 0xffff)
		return false;
	_mm_storeu_si64(buf, _mm_packus_epi16(eight, eight));
	return true;
#else
	return put_ascii_word(units, buf) && put_ascii_word(units + 2 * UNITS_PER_WORD, buf + UNITS_PER_WORD);
#endif
}

/* As many as are ASCII and fit; returns how many. */
static size_t copy_ascii(const uint8_t *units, size_t unit_count, char *buf, size_t size)
{
	size_t limit = unit_count < size ? unit_count : size - 1, i = 0;
	for (; i + UNITS_PER_VECTOR <= limit; i += UNITS_PER_VECTOR)
		if (!put_ascii_vector(units + 2 * i, buf + i))
			return i;
	/* What is left is less: together with some of what is there already. */
	if (limit >= UNITS_PER_VECTOR && put_ascii_vector(units + 2 * (limit - UNITS_PER_VECTOR), buf + limit - UNITS_PER_VECTOR))
		return limit;
	for (; i + UNITS_PER_WORD <= limit; i += UNITS_PER_WORD)
		if (!put_ascii_word(units + 2 * i, buf + i))
			return i;
	return i;
}

size_t nt_utf16_to_utf8(const uint8_t *units, size_t unit_count, char *buf, size_t size)
{
	size_t first = copy_ascii(units, unit_count, buf, size), used = first;
	for (size_t i = first; i < unit_count; i++) {
		uint32_t code = units[2 * i] | (uint32_t)units[2 * i + 1] << 8;
		if (code >= 0xd800 && code < 0xdc00 && i + 1 < unit_count) {
			uint32_t low = units[2 * i + 2] | (uint32_t)units[2 * i + 3] << 8;
			if (low >= 0xdc00 && low < 0xe000) {
				code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
				i++;
			}
		}
		char piece[4];
		size_t n = nt_utf8_encode(code, piece);
		if (used + n >= size)
			break;
		memcpy(buf + used, piece, n);
		used += n;
	}
	buf[used] = '\0';
	return used;
}

int nt_text_width(uint32_t code)
{
	if (code < 0x300)
		return 1;
	int width = wcwidth((wchar_t)code);
	return width < 0 ? 1 : width;
}

int nt_text_cells(const char *text)
{
	int cells = 0;
	for (size_t left = strlen(text); left;) {
		uint32_t code;
		size_t length = nt_utf8_decode(text, left, &code);
		cells += nt_text_width(code);
		text += length;
		left -= length;
	}
	return cells;
}
