// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: one byte class (bit 0: 64), the address of the section, the segment's address, offset and size as u64; the rest is the section. Every function found must lie in
 * the segment, and functions and gaps must follow on each other. The functions' data are looked for in the section itself.
 */
#include "fuzz.h"

#include "decode/assembly/aot_parts.h"

#include <string.h>

static void see_parts(const struct nt_eh_frame *frame)
{
	struct nt_eh_data_list functions = { 0 };
	struct nt_aot_parts parts;
	nt_eh_frame_read_data(frame, &functions);
	nt_aot_parts_read(&functions, &(struct nt_aot_blob){ frame->bytes, frame->size, frame->vaddr }, &parts);
	FUZZ_CHECK(parts.count <= functions.count);
	for (size_t i = 0; i < parts.count; i++)
		FUZZ_CHECK(!i || parts.items[i - 1].start <= parts.items[i].start);
	free(parts.items);
	free(functions.items);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint64_t words[4];
	if (size < 1 + sizeof(words))
		return 0;
	memcpy(words, data + 1, sizeof(words));
	const struct nt_elf_segment segment = { .vaddr = words[1], .offset = words[2], .file_size = words[3] };
	const struct nt_eh_frame frame = { .is64 = data[0] & 1,
					   .bytes = data + 1 + sizeof(words),
					   .size = size - 1 - sizeof(words),
					   .vaddr = words[0],
					   .segments = &segment,
					   .segment_count = 1 };
	struct nt_bounds bounds = { 0 };
	size_t added = nt_eh_frame_read(&frame, &bounds), walked = 0;
	nt_bounds_finish(&bounds);
	FUZZ_CHECK(bounds.count <= added);
	for (uint64_t place = 0, start, end; place != UINT64_MAX; place = end) {
		bool found = nt_bounds_find(&bounds, place, &start, &end);
		FUZZ_CHECK(start == place && end > place);
		FUZZ_CHECK(!found || nt_elf_segment_at(&segment, 1, start));
		walked += found;
	}
	FUZZ_CHECK(walked == bounds.count);
	nt_bounds_fini(&bounds);
	see_parts(&frame);
	return 0;
}
