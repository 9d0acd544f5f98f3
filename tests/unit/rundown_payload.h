/* SPDX-License-Identifier: GPL-2.0-only */
/* Payloads of a rundown as the runtime writes them. */
#ifndef NT_TESTS_RUNDOWN_PAYLOAD_H
#define NT_TESTS_RUNDOWN_PAYLOAD_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { PAYLOAD_MAX = 1024 };

struct payload {
	uint8_t bytes[PAYLOAD_MAX];
	size_t length;
};

static inline void payload_put(struct payload *payload, const void *bytes, size_t length)
{
	memcpy(payload->bytes + payload->length, bytes, length);
	payload->length += length;
}

static inline void payload_u64(struct payload *payload, uint64_t value)
{
	payload_put(payload, &value, sizeof(value));
}

static inline void payload_u32(struct payload *payload, uint32_t value)
{
	payload_put(payload, &value, sizeof(value));
}

/* ASCII to UTF-16LE with its NUL. */
static inline void payload_text(struct payload *payload, const char *text)
{
	for (size_t i = 0; i <= strlen(text); i++)
		payload_put(payload, (const uint8_t[]){ (uint8_t)text[i], 0 }, 2);
}

/* MethodDCEndVerbose_V1; flags: 8 = compiled by the JIT, bits 7..9 the tier. */
static inline struct payload payload_method(uint64_t id, uint64_t module, uint64_t start, uint32_t size, uint32_t token, uint32_t flags,
					    const char *type, const char *name, const char *signature)
{
	struct payload payload = { .length = 0 };
	payload_u64(&payload, id);
	payload_u64(&payload, module);
	payload_u64(&payload, start);
	payload_u32(&payload, size);
	payload_u32(&payload, token);
	payload_u32(&payload, flags);
	payload_text(&payload, type);
	payload_text(&payload, name);
	payload_text(&payload, signature);
	payload_put(&payload, "\t\0", 2);
	return payload;
}

/* ModuleDCEnd_V1. */
static inline struct payload payload_module(uint64_t id, const char *path)
{
	struct payload payload = { .length = 0 };
	payload_u64(&payload, id);
	payload_u64(&payload, 0x7f00);
	payload_u32(&payload, 8);
	payload_u32(&payload, 0);
	payload_text(&payload, path);
	payload_text(&payload, "");
	payload_put(&payload, "\t\0", 2);
	return payload;
}

/* GCSettings; bits: 1 = concurrent. */
static inline struct payload payload_gc_settings(uint64_t hard_limit, uint64_t loh_threshold, uint64_t gen0_size, uint32_t bits)
{
	struct payload payload = { .length = 0 };
	payload_u64(&payload, hard_limit);
	payload_u64(&payload, loh_threshold);
	payload_u64(&payload, 0);
	payload_u64(&payload, gen0_size);
	payload_u64(&payload, 0);
	payload_u32(&payload, 0);
	payload_u32(&payload, bits);
	payload_put(&payload, "\t\0", 2);
	return payload;
}

#endif
