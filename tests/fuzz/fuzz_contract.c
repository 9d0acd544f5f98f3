// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: lies about a runtime that is made up (tests/unit/decode/made_runtime.h). With an odd first byte the rest is the text of its description; else each ten bytes are a place and the word that is
 * there. All is read of it that the reader reads, with so few pages that the work is bounded by them alone.
 */
#include "fuzz.h"

#include "../unit/decode/made_runtime.h"
#include "../unit/decode/read_all.h"

enum { PAGES = 100, LIE_BYTES = 10 };

/* It is made up, described and read once for an input of no bytes; what a lie adds is bounded by the steps that may be taken. */
FUZZ_STEPS(1 << 20, 256)

/* It takes long to make it up. */
size_t fuzz_cut_step(size_t size)
{
	return size < 1024 ? LIE_BYTES : size / 64;
}

static void describe(struct made_runtime *made, const uint8_t *text, size_t size)
{
	size_t length = size < made->text_length ? size : made->text_length;
	memset(made->bytes + made->text, ' ', made->text_length);
	memcpy(made->bytes + made->text, text, length);
}

static void lie(struct made_runtime *made, const uint8_t *lies, size_t size)
{
	for (; size >= LIE_BYTES; lies += LIE_BYTES, size -= LIE_BYTES) {
		size_t place = 2 * ((size_t)lies[0] | (size_t)lies[1] << 8) % (MADE_BYTES - 8); /* words lie at even ones */
		memcpy(made->bytes + place, lies + 2, 8);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct made_runtime truth, made;
	static struct read_all all;
	if (!truth.used)
		made_runtime_fill(&truth);
	made = truth;
	if (size && data[0] & 1)
		describe(&made, data + 1, size - 1);
	else if (size)
		lie(&made, data + 1, size - 1);
	FUZZ_CHECK(read_all(&all, made_read_page, &made, PAGES, MADE_BASE));
	FUZZ_CHECK(size || (all.whole && all.stack.count == MADE_FRAMES && all.pool.queued == MADE_QUEUED));
	read_all_fini(&all);
	return 0;
}
