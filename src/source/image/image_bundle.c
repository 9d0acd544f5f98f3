// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_bundle.h"

#include "base/alloc.h"
#include "source/image/image_window.h"
#include "target/common/elf_open.h"
#include "target/process/executable.h"

#include <libelf.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The largest programs have some hundreds. */
enum { ASSEMBLIES_MAX = 1 << 14 };

uint64_t nt_image_bundle_header(const struct nt_image_place *place)
{
	struct nt_image_refusal refusal;
	uint64_t size, header = 0;
	int fd = nt_image_open(place, &size, &refusal);
	if (fd < 0)
		return 0;
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, NULL);
	if (elf)
		header = nt_executable_bundle(elf);
	elf_end(elf);
	close(fd);
	return header;
}

static void list_assemblies(struct nt_image_bundle *bundle, struct nt_window *window, uint64_t header)
{
	struct nt_bundle_files files;
	size_t capacity = 0;
	if (!nt_bundle_files(window, header, &files))
		return;
	for (struct nt_bundle_file file; bundle->count < ASSEMBLIES_MAX && nt_bundle_files_next(&files, &file);) {
		if (file.type != NT_BUNDLE_ASSEMBLY || file.compressed)
			continue;
		bundle->assemblies = nt_grow(bundle->assemblies, &capacity, bundle->count + 1, sizeof(*bundle->assemblies));
		bundle->assemblies[bundle->count++] = file.part;
	}
}

bool nt_image_bundle_named(struct nt_window *window, uint64_t header, const char *name, struct nt_bundle_part *out)
{
	struct nt_bundle_files files;
	if (!header || !nt_bundle_files(window, header, &files))
		return false;
	for (struct nt_bundle_file file; nt_bundle_files_next(&files, &file);) {
		if (file.type != NT_BUNDLE_ASSEMBLY || file.compressed || strcmp(file.name, name) != 0)
			continue;
		*out = file.part;
		return true;
	}
	return false;
}

void nt_image_bundle_read(struct nt_image_bundle *bundle, const struct nt_image_place *place)
{
	*bundle = (struct nt_image_bundle){ 0 };
	char reason[200];
	uint64_t header = nt_image_bundle_header(place);
	struct nt_image_window *image = header ? nt_image_window_new(place, reason, sizeof(reason)) : NULL;
	if (image)
		list_assemblies(bundle, nt_image_window(image), header);
	nt_image_window_free(image);
}

void nt_image_bundle_fini(struct nt_image_bundle *bundle)
{
	free(bundle->assemblies);
	*bundle = (struct nt_image_bundle){ 0 };
}

const struct nt_bundle_part *nt_image_bundle_at(const struct nt_image_bundle *bundle, uint64_t offset)
{
	for (size_t i = 0; i < bundle->count; i++) {
		const struct nt_bundle_part *part = &bundle->assemblies[i];
		if (offset >= part->offset && offset - part->offset < part->length)
			return part;
	}
	return NULL;
}
