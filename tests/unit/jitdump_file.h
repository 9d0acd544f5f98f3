/* SPDX-License-Identifier: GPL-2.0-only */
/* A jitdump written by hand, for tests. */
#ifndef TEST_JITDUMP_FILE_H
#define TEST_JITDUMP_FILE_H

#include <assert.h>
#include <stdint.h>
#include <string.h>

struct jitdump_file {
	char bytes[64 << 10];
	size_t length;
};

static inline void jitdump_put(struct jitdump_file *file, const void *bytes, size_t length)
{
	assert(file->length + length <= sizeof(file->bytes));
	memcpy(file->bytes + file->length, bytes, length);
	file->length += length;
}

static inline void jitdump_put_u32(struct jitdump_file *file, uint32_t value)
{
	jitdump_put(file, &value, sizeof(value));
}

static inline void jitdump_put_u64(struct jitdump_file *file, uint64_t value)
{
	jitdump_put(file, &value, sizeof(value));
}

static inline void jitdump_begin(struct jitdump_file *file)
{
	const uint32_t header[] = { 0x4A695444, 1, 40, 62, 0, 7, 1000, 0, 0, 0 };
	jitdump_put(file, header, sizeof(header));
}

/* A record of any sort with `length` bytes behind its header. */
static inline void jitdump_record(struct jitdump_file *file, uint32_t id, uint32_t length)
{
	jitdump_put_u32(file, id);
	jitdump_put_u32(file, 16 + length);
	jitdump_put_u64(file, 0);
	while (length--)
		jitdump_put(file, "\xcc", 1);
}

/* JIT_CODE_LOAD of `size` bytes of code. */
static inline void jitdump_load(struct jitdump_file *file, const char *name, uint64_t start, uint32_t size, uint64_t time)
{
	jitdump_put_u32(file, 0);
	jitdump_put_u32(file, 56 + (uint32_t)strlen(name) + 1 + size);
	jitdump_put_u64(file, time);
	jitdump_put_u32(file, 7);
	jitdump_put_u32(file, 7);
	jitdump_put_u64(file, start);
	jitdump_put_u64(file, start);
	jitdump_put_u64(file, size);
	jitdump_put_u64(file, 1);
	jitdump_put(file, name, strlen(name) + 1);
	while (size--)
		jitdump_put(file, "\xcc", 1);
}

#endif
