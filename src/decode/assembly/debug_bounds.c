// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/debug_bounds.h"

#include "decode/common/reader.h"

enum {
	HEAD_BYTES = 32,     /* more than the integers before the bounds take */
	SOURCE_BITS = 2,     /* what an entry says of the stack: of no use here */
	ENTRY_BITS_MAX = 56, /* so that an entry and what is left of a byte fit into 64 */
};

#define HAS_INSTRUMENTED_BOUNDS UINT32_C(0xffffffff)
#define IL_BIAS                 UINT32_C(0xfffffffd) /* -3: what stands for no IL is told as 0 to 2 */

/* ---- integers in nibbles: three bits each, the highest first; the fourth says that more follow ---- */

struct nibbles {
	struct nt_reader reader;
	uint8_t byte;
	bool half; /* the upper half of `byte` is next */
};

static uint32_t next_nibble(struct nibbles *nibbles)
{
	nibbles->half = !nibbles->half;
	if (!nibbles->half)
		return nibbles->byte >> 4;
	nibbles->byte = nt_reader_u8(&nibbles->reader);
	return nibbles->byte & 0xf;
}

static uint32_t next_integer(struct nibbles *nibbles)
{
	enum { NIBBLES_MAX = 11 }; /* of 32 bits */
	uint32_t value = 0;
	for (unsigned i = 0; i < NIBBLES_MAX; i++) {
		uint32_t nibble = next_nibble(nibbles);
		value = value << 3 | (nibble & 7);
		if (!(nibble & 8))
			return value;
	}
	nibbles->reader.bad = true;
	return 0;
}

/* The bytes of the bounds: [*at, *end). */
static bool find_bounds(struct nt_window *window, uint64_t *at, uint64_t *end)
{
	size_t size = *end - *at < HEAD_BYTES ? (size_t)(*end - *at) : HEAD_BYTES;
	const uint8_t *bytes = nt_window_at(window, *at, size);
	if (!bytes)
		return false;
	struct nibbles nibbles = { .reader = nt_reader_of(bytes, size) };
	uint32_t length = next_integer(&nibbles);
	if (length == HAS_INSTRUMENTED_BOUNDS) {
		length = next_integer(&nibbles);
		next_integer(&nibbles);
	}
	next_integer(&nibbles); /* of what is said of variables */
	*at += size - nt_reader_left(&nibbles.reader);
	if (nibbles.reader.bad || length > *end - *at)
		return false;
	*end = *at + length;
	return true;
}

/* ---- the bounds ---- */

/* They may be longer than a window shows at once: read in pieces. */
struct source {
	struct nt_window *window;
	uint64_t at, end;
	const uint8_t *bytes; /* of the piece */
	size_t next, size;
};

static bool next_byte(struct source *source, uint8_t *out)
{
	if (source->next == source->size) {
		source->next = 0;
		source->size = source->end - source->at < NT_WINDOW_MAX ? (size_t)(source->end - source->at) : NT_WINDOW_MAX;
		source->bytes = source->size ? nt_window_at(source->window, source->at, source->size) : NULL;
		source->at += source->size;
	}
	if (!source->bytes)
		return false;
	*out = source->bytes[source->next++];
	return true;
}

/* An entry: two bits of no use here, the difference to the native offset before, the IL offset. */
static bool read_packed(struct source *source, unsigned native_bits, unsigned il_bits, struct nt_il_map *out, uint32_t *il,
			uint32_t *native)
{
	unsigned entry_bits = SOURCE_BITS + native_bits + il_bits, have = 0;
	uint64_t bits = 0;
	uint32_t offset = 0;
	for (uint32_t i = 0; i < out->count; i++) {
		for (uint8_t byte; have < entry_bits; have += 8) {
			if (!next_byte(source, &byte))
				return false;
			bits |= (uint64_t)byte << have;
		}
		uint64_t entry = bits >> SOURCE_BITS;
		offset += (uint32_t)(entry & ((UINT64_C(1) << native_bits) - 1));
		native[i] = offset;
		il[i] = (uint32_t)(entry >> native_bits & ((UINT64_C(1) << il_bits) - 1)) + IL_BIAS;
		bits >>= entry_bits;
		have -= entry_bits;
	}
	return true;
}

/* The form before: the same in nibbles. */
static bool read_nibbles(struct nibbles *nibbles, struct nt_il_map *out, uint32_t *il, uint32_t *native)
{
	uint32_t offset = 0;
	for (uint32_t i = 0; i < out->count; i++) {
		offset += next_integer(nibbles);
		native[i] = offset;
		il[i] = next_integer(nibbles) + IL_BIAS;
		next_integer(nibbles);
	}
	return !nibbles->reader.bad;
}

bool nt_debug_bounds_read(struct nt_window *window, uint64_t at, uint64_t end, bool packed, uint32_t *il, uint32_t *native,
			  struct nt_il_map *out)
{
	struct source source = { .window = window, .at = at, .end = end };
	*out = (struct nt_il_map){ .il_offsets = (const uint8_t *)il, .native_offsets = (const uint8_t *)native };
	if (!find_bounds(window, &source.at, &source.end))
		return false;
	/* Of the old form what fits into a piece: few methods have more. */
	size_t size = source.end - source.at < NT_WINDOW_MAX ? (size_t)(source.end - source.at) : NT_WINDOW_MAX;
	const uint8_t *bytes = nt_window_at(window, source.at, size);
	if (!bytes)
		return false;
	struct nibbles nibbles = { .reader = nt_reader_of(bytes, size) };
	out->count = next_integer(&nibbles);
	if (nibbles.reader.bad || out->count > NT_IL_MAP_MAX)
		return false;
	if (!packed)
		return read_nibbles(&nibbles, out, il, native);
	uint32_t native_bits = next_integer(&nibbles), il_bits = next_integer(&nibbles);
	if (nibbles.reader.bad || native_bits >= 32 || il_bits >= 32 || SOURCE_BITS + native_bits + 1 + il_bits + 1 > ENTRY_BITS_MAX)
		return false;
	source.at += size - nt_reader_left(&nibbles.reader);
	return read_packed(&source, native_bits + 1, il_bits + 1, out, il, native);
}
