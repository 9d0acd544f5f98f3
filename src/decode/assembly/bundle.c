// SPDX-License-Identifier: GPL-2.0-only
#include "decode/assembly/bundle.h"

#include "decode/common/reader.h"

#include <endian.h>
#include <string.h>

/* SHA-256 of ".net core bundle". */
static const uint8_t signature[] = { 0x8b, 0x12, 0x02, 0xb9, 0x6a, 0x61, 0x20, 0x38, 0x72, 0x7b, 0x93, 0x02, 0x14, 0xd7, 0xa0, 0x32,
				     0x13, 0xf5, 0xb9, 0xe6, 0xef, 0xae, 0x33, 0x18, 0xee, 0x3b, 0x2d, 0xce, 0x24, 0xb3, 0x6a, 0xae };

enum {
	FIXED_BYTES = 12, /* major and minor version, number of files */
	LEAST_MAJOR = 2,
	/* That are looked at: in zeros, which take no room on a disk, a file could have any number; the largest programs have some thousands. */
	FILES_MAX = 1 << 16,
};

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

/* ---- the list of files ---- */

enum {
	WITH_COMPRESSION = 6,     /* first version that says how long a file is when it is packed */
	PLACES_BYTES = 4 * 8 + 8, /* of deps.json and runtimeconfig.json, and flags */
	ENTRY_BYTES = 3 * 8 + 1,
	PATH_PREFIX_BYTES = 2, /* a length of 7 bits a byte; no path is longer than these say */
	PATH_MAX_BYTES = 1 << 14,
};

/* Where the text behind a length ends that stands at `at`, and how long it is; 0 = it is broken. */
static uint64_t behind_text(struct nt_window *window, uint64_t at, uint64_t *letters)
{
	const uint8_t *bytes = nt_window_at(window, at, PATH_PREFIX_BYTES);
	if (!bytes)
		return 0;
	struct nt_reader reader = nt_reader_of(bytes, PATH_PREFIX_BYTES);
	uint64_t length = nt_reader_varuint(&reader);
	*letters = length;
	return reader.bad || length >= PATH_MAX_BYTES ? 0 : at + (PATH_PREFIX_BYTES - nt_reader_left(&reader)) + length;
}

bool nt_bundle_files(struct nt_window *window, uint64_t header, struct nt_bundle_files *files)
{
	const uint8_t *bytes = header ? nt_window_at(window, header, FIXED_BYTES) : NULL;
	if (!bytes || read_u32(bytes) < LEAST_MAJOR)
		return false;
	uint32_t count = read_u32(bytes + 2 * sizeof(uint32_t));
	*files = (struct nt_bundle_files){ .window = window, .major = read_u32(bytes), .left = count < FILES_MAX ? count : FILES_MAX };
	uint64_t letters, behind_id = behind_text(window, header + FIXED_BYTES, &letters);
	files->at = behind_id + PLACES_BYTES;
	return behind_id;
}

static void read_name(struct nt_bundle_files *files, uint64_t end, uint64_t letters, char name[NT_BUNDLE_NAME])
{
	const uint8_t *bytes = letters && letters < NT_BUNDLE_NAME ? nt_window_at(files->window, end - letters, (size_t)letters) : NULL;
	if (bytes)
		memcpy(name, bytes, (size_t)letters);
	name[bytes ? letters : 0] = '\0';
}

bool nt_bundle_files_next(struct nt_bundle_files *files, struct nt_bundle_file *file)
{
	size_t size = ENTRY_BYTES - (files->major < WITH_COMPRESSION ? sizeof(uint64_t) : 0);
	const uint8_t *bytes = files->left ? nt_window_at(files->window, files->at, size) : NULL;
	if (!bytes)
		return false;
	struct nt_reader reader = nt_reader_of(bytes, size);
	file->part.offset = nt_reader_u64(&reader);
	file->part.length = nt_reader_u64(&reader);
	uint64_t packed = files->major < WITH_COMPRESSION ? 0 : nt_reader_u64(&reader);
	file->compressed = packed;
	file->type = nt_reader_u8(&reader);
	if (packed)
		file->part.length = packed;
	uint64_t letters;
	files->at = behind_text(files->window, files->at + size, &letters);
	files->left = files->at ? files->left - 1 : 0;
	file->name[0] = '\0';
	if (files->at)
		read_name(files, files->at, letters, file->name);
	uint64_t end = nt_window_size(files->window);
	return file->part.offset <= end && file->part.length <= end - file->part.offset;
}
