/* SPDX-License-Identifier: GPL-2.0-only */
/* A window over a fuzz target's input. */
#ifndef NT_TESTS_FUZZ_WINDOW_H
#define NT_TESTS_FUZZ_WINDOW_H

#include "decode/common/window.h"

#include <string.h>

struct fuzz_bytes {
	const uint8_t *data;
	size_t size;
};

static inline bool fuzz_read(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct fuzz_bytes *bytes = context;
	if (offset > bytes->size || size > bytes->size - offset)
		return false;
	memcpy(buf, bytes->data + offset, size);
	return true;
}

static inline struct nt_window *fuzz_window(struct fuzz_bytes *bytes)
{
	const struct nt_window_source source = { .read = fuzz_read, .context = bytes, .size = bytes->size };
	return nt_window_new(&source);
}

#endif
