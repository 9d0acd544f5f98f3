// SPDX-License-Identifier: GPL-2.0-only
#include "output/export/zip_file.h"

#include "base/alloc.h"
#include "base/text_buffer.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zlib.h>

enum signature {
	LOCAL = 0x04034b50,
	DESCRIPTOR = 0x08074b50,
	CENTRAL = 0x02014b50,
	END64 = 0x06064b50,
	LOCATOR64 = 0x07064b50,
	END = 0x06054b50
};

enum {
	VERSION_ZIP64 = 45,
	MADE_ON_UNIX = 3 << 8,
	SIZES_FOLLOW = 1 << 3, /* of the flags: they are behind the file, with its checksum */
	STORED = 0,
	EXTRA_ZIP64 = 1,
	REGULAR_FILE = 0100644,
	BUFFER_BYTES = 64 << 10,
};

struct entry {
	const char *name; /* borrowed, static */
	uint64_t offset, length;
	uint32_t crc;
};

struct nt_zip {
	FILE *out; /* borrowed */
	uint64_t offset;
	uint16_t dos_time, dos_date;
	struct entry *entries; /* owned; the last one may be open */
	size_t count, capacity;
};

static void write_bytes(struct nt_zip *zip, const void *bytes, size_t length)
{
	fwrite(bytes, 1, length, zip->out);
	zip->offset += length;
}

static void write_buffer(struct nt_zip *zip, struct nt_text_buffer *buffer)
{
	write_bytes(zip, buffer->bytes, buffer->length);
	nt_text_buffer_fini(buffer);
}

struct nt_zip *nt_zip_new(FILE *out, int64_t unix_s)
{
	enum { FIRST_YEAR = 80 /* since 1900 */, YEARS = 128 };
	struct nt_zip *zip = nt_alloc(sizeof(*zip));
	time_t seconds = (time_t)unix_s;
	struct tm tm;
	/* A recording may say anything: what does not fit is the first time that does. */
	if (!gmtime_r(&seconds, &tm) || tm.tm_year < FIRST_YEAR || tm.tm_year >= FIRST_YEAR + YEARS)
		tm = (struct tm){ .tm_year = FIRST_YEAR, .tm_mday = 1 };
	zip->out = out;
	zip->dos_time = (uint16_t)(tm.tm_hour << 11 | tm.tm_min << 5 | tm.tm_sec / 2);
	zip->dos_date = (uint16_t)((tm.tm_year - FIRST_YEAR) << 9 | (tm.tm_mon + 1) << 5 | tm.tm_mday);
	return zip;
}

/* ---- a file ---- */

/* What the header of a file and its line in the list have in common. */
static void put_how(const struct nt_zip *zip, struct nt_text_buffer *out)
{
	nt_text_put_u16(out, VERSION_ZIP64);
	nt_text_put_u16(out, SIZES_FOLLOW);
	nt_text_put_u16(out, STORED);
	nt_text_put_u16(out, zip->dos_time);
	nt_text_put_u16(out, zip->dos_date);
}

static void put_extra(struct nt_text_buffer *out, const uint64_t *numbers, uint16_t count)
{
	nt_text_put_u16(out, EXTRA_ZIP64);
	nt_text_put_u16(out, (uint16_t)(count * sizeof(*numbers)));
	for (uint16_t i = 0; i < count; i++)
		nt_text_put_u64(out, numbers[i]);
}

static void write_head(struct nt_zip *zip, const struct entry *entry)
{
	static const uint64_t later[2] = { 0 }; /* the length, and that in the archive */
	struct nt_text_buffer out = { 0 };
	nt_text_put_u32(&out, LOCAL);
	put_how(zip, &out);
	nt_text_put_u32(&out, 0);
	nt_text_put_u32(&out, UINT32_MAX);
	nt_text_put_u32(&out, UINT32_MAX);
	nt_text_put_u16(&out, (uint16_t)strlen(entry->name));
	nt_text_put_u16(&out, 4 + sizeof(later));
	nt_text_put(&out, entry->name);
	put_extra(&out, later, 2);
	write_buffer(zip, &out);
}

/* The stream's write: of a failed one ferror() of the archive's own stream tells. */
static ssize_t on_write(void *cookie, const char *bytes, size_t length)
{
	struct nt_zip *zip = cookie;
	struct entry *entry = &zip->entries[zip->count - 1];
	write_bytes(zip, bytes, length);
	entry->crc = (uint32_t)crc32_z(entry->crc, (const Bytef *)bytes, length);
	entry->length += length;
	return ferror(zip->out) ? 0 : (ssize_t)length;
}

static int on_close(void *cookie)
{
	struct nt_zip *zip = cookie;
	const struct entry *entry = &zip->entries[zip->count - 1];
	struct nt_text_buffer out = { 0 };
	nt_text_put_u32(&out, DESCRIPTOR);
	nt_text_put_u32(&out, entry->crc);
	nt_text_put_u64(&out, entry->length);
	nt_text_put_u64(&out, entry->length);
	write_buffer(zip, &out);
	return 0;
}

FILE *nt_zip_open(struct nt_zip *zip, const char *name)
{
	zip->entries = nt_grow(zip->entries, &zip->capacity, zip->count + 1, sizeof(*zip->entries));
	struct entry *entry = &zip->entries[zip->count++];
	*entry = (struct entry){ .name = name, .offset = zip->offset };
	write_head(zip, entry);
	FILE *stream = fopencookie(zip, "w", (cookie_io_functions_t){ .write = on_write, .close = on_close });
	nt_assert(stream);
	setvbuf(stream, NULL, _IOFBF, BUFFER_BYTES);
	return stream;
}

/* ---- the list ---- */

static void put_line(const struct nt_zip *zip, struct nt_text_buffer *out, const struct entry *entry)
{
	const uint64_t numbers[] = { entry->length, entry->length, entry->offset };
	nt_text_put_u32(out, CENTRAL);
	nt_text_put_u16(out, MADE_ON_UNIX | VERSION_ZIP64);
	put_how(zip, out);
	nt_text_put_u32(out, entry->crc);
	nt_text_put_u32(out, UINT32_MAX);
	nt_text_put_u32(out, UINT32_MAX);
	nt_text_put_u16(out, (uint16_t)strlen(entry->name));
	nt_text_put_u16(out, 4 + sizeof(numbers));
	nt_text_put_u16(out, 0); /* a comment, */
	nt_text_put_u16(out, 0); /* disk, */
	nt_text_put_u16(out, 0); /* attributes within, */
	nt_text_put_u32(out, (uint32_t)REGULAR_FILE << 16);
	nt_text_put_u32(out, UINT32_MAX);
	nt_text_put(out, entry->name);
	put_extra(out, numbers, sizeof(numbers) / sizeof(numbers[0]));
}

void nt_zip_end(struct nt_zip *zip)
{
	enum { END64_BYTES = 44 /* behind its length */ };
	struct nt_text_buffer out = { 0 };
	for (size_t i = 0; i < zip->count; i++)
		put_line(zip, &out, &zip->entries[i]);
	uint64_t list_bytes = out.length;
	nt_text_put_u32(&out, END64);
	nt_text_put_u64(&out, END64_BYTES);
	nt_text_put_u16(&out, MADE_ON_UNIX | VERSION_ZIP64);
	nt_text_put_u16(&out, VERSION_ZIP64);
	nt_text_put_u32(&out, 0);
	nt_text_put_u32(&out, 0);
	nt_text_put_u64(&out, zip->count);
	nt_text_put_u64(&out, zip->count);
	nt_text_put_u64(&out, list_bytes);
	nt_text_put_u64(&out, zip->offset);
	nt_text_put_u32(&out, LOCATOR64);
	nt_text_put_u32(&out, 0);
	nt_text_put_u64(&out, zip->offset + list_bytes);
	nt_text_put_u32(&out, 1); /* disks */
	nt_text_put_u32(&out, END);
	nt_text_put_u32(&out, UINT32_MAX); /* disks, and */
	nt_text_put_u32(&out, UINT32_MAX); /* how many files: as said above */
	nt_text_put_u32(&out, UINT32_MAX);
	nt_text_put_u32(&out, UINT32_MAX);
	nt_text_put_u16(&out, 0);
	write_buffer(zip, &out);
	free(zip->entries);
	free(zip);
}
