// SPDX-License-Identifier: GPL-2.0-only
/* Input: an image file of the target. Its symbols, bounds, linkage tables, build id, frame rules and bundle are read as of a mapped file; the places found must follow on each other. */
#include "fuzz.h"

#include "file.h"
#include "source/image/cfi_image.h"
#include "source/image/image_bundle.h"
#include "source/image/image_symbols.h"
#include "target/common/elf_open.h"
#include "target/common/needed.h"

enum { PLACES = 64 };

static void see_functions(struct nt_image_symbols *image, uint64_t from)
{
	struct nt_image_function function;
	for (unsigned i = 0; i < PLACES && nt_image_symbols_find(image, from, &function); i++) {
		FUZZ_CHECK(function.start <= from && from < function.end);
		FUZZ_CHECK(!function.name || *function.name);
		from = function.end;
	}
}

static void see_rules(struct nt_cfi_image *cfi, const struct nt_image_symbols *image)
{
	struct nt_frame_rule rule;
	uint64_t start, end;
	for (size_t i = 0; i < image->segment_count; i++) {
		const struct nt_elf_segment *segment = &image->segments[i];
		for (uint64_t at = 0; at < PLACES && at < segment->file_size; at += 5)
			if (nt_cfi_image_rule(cfi, segment->offset + at, &start, &end, &rule))
				FUZZ_CHECK(start <= segment->offset + at && segment->offset + at < end);
	}
}

static void see(const struct nt_image_place *place)
{
	struct nt_image_symbols image;
	struct nt_image_bundle bundle;
	nt_image_symbols_load(&image, place);
	FUZZ_CHECK(image.form == NT_IMAGE_ELF || image.form == NT_IMAGE_PE || *image.reason);
	for (size_t i = 0; i < image.segment_count; i++)
		see_functions(&image, image.segments[i].offset);
	struct nt_error err = { 0 };
	FUZZ_CHECK(nt_cfi_prepare(&err));
	struct nt_cfi_image *cfi = nt_cfi_image_load(place);
	if (cfi)
		see_rules(cfi, &image);
	nt_cfi_image_free(cfi);
	nt_image_symbols_fini(&image);
	nt_image_bundle_read(&bundle, place);
	for (size_t i = 0; i < bundle.count && i < PLACES; i++)
		FUZZ_CHECK(!bundle.assemblies[i].length || nt_image_bundle_at(&bundle, bundle.assemblies[i].offset));
	nt_image_bundle_fini(&bundle);
}

/* The file is looked at through windows of many pages. */
FUZZ_STEPS(1 << 20, 1 << 10)

size_t fuzz_cut_step(size_t size)
{
	return size / 256 + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct stat stat;
	const char *root = fuzz_file("image", data, size, &stat);
	const struct nt_image_place place = { .root_dir = root, .path = "/image", .inode = (uint64_t)stat.st_ino, .uid = getuid() };
	see(&place);
	char *copy = malloc(size + 1), name[64];
	memcpy(copy, data, size);
	Elf *elf = nt_elf_open_memory(copy, size, NT_ELF_DYNAMIC);
	nt_elf_needs(elf, "lib", name, sizeof(name));
	elf_end(elf);
	free(copy);
	return 0;
}
