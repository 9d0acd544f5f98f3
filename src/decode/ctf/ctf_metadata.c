// SPDX-License-Identifier: GPL-2.0-only
#include "decode/ctf/ctf_metadata.h"

#include "decode/common/reader.h"

#define MAGIC UINT32_C(0x75d11d57)

enum { UUID_BYTES = 16, HEADER_BYTES = 37, BITS = 8 };

/* Little-endian, or of a machine of the other order. */
static bool is_magic(uint32_t word)
{
	return word == MAGIC || word == __builtin_bswap32(MAGIC);
}

/* The size of the packet that begins here; 0 = there is none, or not all of it. */
static size_t packet_size(const uint8_t *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	uint32_t magic = nt_reader_u32(&reader);
	nt_reader_bytes(&reader, UUID_BYTES);
	nt_reader_u32(&reader); /* the checksum, which LTTng leaves 0 */
	uint32_t content_bits = nt_reader_u32(&reader), packet_bits = nt_reader_u32(&reader);
	if (length < HEADER_BYTES || !is_magic(magic))
		return 0;
	if (magic != MAGIC) {
		content_bits = __builtin_bswap32(content_bits);
		packet_bits = __builtin_bswap32(packet_bits);
	}
	bool fits = packet_bits % BITS == 0 && content_bits % BITS == 0 && content_bits >= HEADER_BYTES * BITS &&
		    content_bits <= packet_bits && packet_bits / BITS <= length;
	return fits ? packet_bits / BITS : 0;
}

struct nt_ctf_metadata nt_ctf_metadata_look(const uint8_t *bytes, size_t length)
{
	struct nt_reader reader = nt_reader_of(bytes, length);
	if (!is_magic(nt_reader_u32(&reader)))
		return (struct nt_ctf_metadata){ .is_text = true, .whole_size = length };
	struct nt_ctf_metadata found = { .packets = 0 };
	for (size_t size; (size = packet_size(bytes + found.whole_size, length - found.whole_size)) > 0; found.packets++)
		found.whole_size += size;
	return found;
}
