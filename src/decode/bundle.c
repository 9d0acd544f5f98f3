// SPDX-License-Identifier: GPL-2.0-only
#include "decode/bundle.h"

#include <endian.h>
#include <string.h>

/* SHA-256 of ".net core bundle". */
static const uint8_t signature[] = { 0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93, 0x02, 0x14, 0xd7, 0xa0, 0x32,
				     0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae, 0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae };

enum { FIXED_BYTES = 12 /* major and minor version, number of files */, LEAST_MAJOR = 2 };

static uint64_t read_u64(const uint8_t *bytes)
{
	uint64_t value;
	memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

static uint32_t read_u32(const uint8_t *bytes)
{
	uint32_t value;
	memcpy(&value, bytes, sizeof(value));
	return le32toh(value);
}

uint64_t nt_bundle_find(const uint8_t *data, size_t length)
{
	const uint8_t *at = memmem(data, length, signature, sizeof(signature));
	return at && (size_t)(at - data) >= sizeof(uint64_t) ? read_u64(at - sizeof(uint64_t)) : 0;
}

bool nt_bundle_config(const uint8_t *header, size_t length, struct nt_bundle_part *out)
{
	/* Then an id, its length before it in one byte (it has twelve letters), then offset and length of deps.json and of runtimeconfig.json. */
	if (length <= FIXED_BYTES || read_u32(header) < LEAST_MAJOR || header[FIXED_BYTES] > 127)
		return false;
	size_t at = (size_t)FIXED_BYTES + 1 + header[FIXED_BYTES] + 2 * sizeof(uint64_t);
	if (length < at + 2 * sizeof(uint64_t))
		return false;
	*out = (struct nt_bundle_part){ read_u64(header + at), read_u64(header + at + sizeof(uint64_t)) };
	return out->offset && out->length;
}
