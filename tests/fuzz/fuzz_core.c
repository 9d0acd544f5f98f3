// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: a core dump. What is kept of it is sorted, disjoint and within the file. The same bytes are read as the head of an image, and as an image whose data are wanted.
 */
#include "fuzz.h"

#include "decode/core/core_file.h"
#include "decode/core/image_data.h"
#include "decode/core/image_head.h"
#include "window.h"

static void see_core(struct nt_window *window, size_t size)
{
	struct nt_core core;
	uint64_t offset;
	if (nt_core_read(window, &core) != NT_CORE_READ) {
		FUZZ_CHECK(!core.segments && !core.mappings && !core.threads);
		return;
	}
	FUZZ_CHECK(core.thread_count > 0 && core.thread_count <= NT_CORE_THREADS_MAX);
	for (size_t i = 0; i < core.segment_count; i++) {
		const struct nt_core_segment *segment = &core.segments[i];
		FUZZ_CHECK(segment->start < segment->end && (!i || segment->start >= core.segments[i - 1].end));
		FUZZ_CHECK(segment->offset <= size && segment->end - segment->start <= size - segment->offset);
		FUZZ_CHECK(nt_core_find(&core, segment->end - 1, 1, &offset) && offset < size);
	}
	for (size_t i = 0; i < core.mapping_count; i++) {
		const struct nt_core_mapping *mapping = &core.mappings[i];
		FUZZ_CHECK(mapping->start < mapping->end && (!i || mapping->start >= core.mappings[i - 1].end));
		FUZZ_CHECK(nt_core_mapping_at(&core, mapping->end - 1) == mapping);
	}
	nt_core_fini(&core);
}

static void see_image(struct nt_window *window, const uint8_t *data, size_t size)
{
	uint8_t page[NT_IMAGE_HEAD_BYTES] = { 0 };
	struct nt_image_head head;
	memcpy(page, data, size < sizeof(page) ? size : sizeof(page));
	if (nt_image_head_read(page, &head)) {
		FUZZ_CHECK(head.is_elf != head.is_pe && head.id_length <= NT_IMAGE_ID_MAX && head.part_count <= NT_IMAGE_PARTS_MAX);
		FUZZ_CHECK(nt_image_head_match(page, page) != NT_IMAGE_OTHER);
	}
	for (uint64_t at = 0; at < 2; at++)
		nt_image_data_page(window, 0, at * NT_IMAGE_DATA_PAGE, page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_bytes bytes = { data, size };
	struct nt_window *window = fuzz_window(&bytes);
	see_core(window, size);
	see_image(window, data, size);
	nt_window_free(window);
	return 0;
}
