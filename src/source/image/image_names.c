// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_names.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "decode/names/aot_symbol.h"
#include "source/image/image_bundles.h"
#include "source/image/image_precompiled.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Images kept, and what their tables may take together; beyond that the one that was asked for longest ago is dropped. */
enum { IMAGES_MAX = 256, IMAGES_MAX_BYTES = 64 << 20, PAGE_BYTES = 4096 };

struct entry {
	char *path;
	uint64_t inode;
	uint64_t asked; /* number of the last question for it */
	unsigned rests; /* since then */
	struct nt_image_symbols image;
};

struct nt_image_names {
	struct entry *entries;
	size_t entry_count, entry_capacity;
	uint64_t question_count;
	bool read; /* an image, since the last rest */
	struct nt_image_precompiled *r2r;
	struct nt_image_bundles *bundles;
	char text[NT_IMAGE_ANSWER_TEXT]; /* of the last answer */
};

struct nt_image_names *nt_image_names_new(void)
{
	struct nt_image_names *names = nt_alloc(sizeof(*names));
	names->r2r = nt_image_precompiled_new();
	names->bundles = nt_image_bundles_new();
	return names;
}

static void drop_entry(struct nt_image_names *names, size_t index)
{
	free(names->entries[index].path);
	nt_image_symbols_fini(&names->entries[index].image);
	names->entries[index] = names->entries[--names->entry_count];
}

void nt_image_names_free(struct nt_image_names *names)
{
	if (!names)
		return;
	while (names->entry_count)
		drop_entry(names, 0);
	free(names->entries);
	nt_image_precompiled_free(names->r2r);
	nt_image_bundles_free(names->bundles);
	free(names);
}

bool nt_image_names_rest(struct nt_image_names *names)
{
	bool freed = nt_image_precompiled_rest(names->r2r) || names->read;
	names->read = false;
	for (size_t i = names->entry_count; i-- > 0;) {
		if (++names->entries[i].rests <= NT_IMAGE_RESTS_MAX)
			continue;
		drop_entry(names, i);
		freed = true;
	}
	return freed;
}

/* ---- one answer ---- */

enum nt_code_kind nt_image_kind(const char *image)
{
	static const char *const runtime[] = { "libcoreclr",  "libclrjit",      "libclrgc",   "libclretwrc",  "libSystem.",
					       "libhostfxr.", "libhostpolicy.", "libmscorda", "libmscordbi.", "libnethost." };
	const char *name = nt_file_base_name(image);
	for (size_t i = 0; i < sizeof(runtime) / sizeof(*runtime); i++)
		if (strncmp(name, runtime[i], strlen(runtime[i])) == 0)
			return NT_CODE_RUNTIME;
	return NT_CODE_NATIVE;
}

/* What is called by its symbol only: the part of that which is certain. */
static const char *put_symbol(const char *symbol, char text[NT_IMAGE_ANSWER_TEXT])
{
	struct nt_text_out out = { .buf = text, .size = NT_IMAGE_ANSWER_TEXT };
	nt_aot_symbol_put((struct nt_slice){ symbol, strlen(symbol) }, &out);
	text[out.length] = '\0';
	return text;
}

struct nt_image_answer nt_image_answer_of(struct nt_image_symbols *image, const char *path, uint64_t offset,
					  char text[NT_IMAGE_ANSWER_TEXT])
{
	if (image->form == NT_IMAGE_UNREADABLE)
		return (struct nt_image_answer){
			.start = 0, .end = UINT64_MAX, .kind = NT_CODE_UNKNOWN, .reason = image->reason, .naming = image->naming
		};
	if (image->form != NT_IMAGE_ELF)
		return (struct nt_image_answer){ .start = 0,
						 .end = image->file_size > offset ? image->file_size : offset + 1,
						 .kind = NT_CODE_UNKNOWN,
						 .reason = image->reason,
						 .naming = image->naming };
	struct nt_image_function function;
	if (!nt_image_symbols_find(image, offset, &function)) {
		snprintf(text, NT_IMAGE_ANSWER_TEXT, "in no executable part of %s", nt_file_base_name(path));
		uint64_t page = offset & ~(uint64_t)(PAGE_BYTES - 1);
		return (struct nt_image_answer){
			.start = page, .end = page + PAGE_BYTES, .kind = NT_CODE_UNKNOWN, .reason = text, .naming = NT_NAMING_R2R_UNNAMED
		};
	}
	struct nt_image_answer answer = { .start = function.start,
					  .end = function.end,
					  .kind = function.managed       ? NT_CODE_R2R
						  : image->holds_runtime ? NT_CODE_RUNTIME
									 : nt_image_kind(path),
					  .name = function.name,
					  .naming = NT_NAMING_NAMED };
	if (function.bounded) {
		snprintf(text, NT_IMAGE_ANSWER_TEXT, "%s!0x%" PRIx64, nt_file_base_name(path), function.start_address);
		answer.name = text;
		answer.naming = NT_NAMING_BOUNDED;
	} else if (function.managed && function.name && !function.method) {
		answer.name = put_symbol(function.name, text);
	} else if (!function.name && image->reason[0]) {
		answer.reason = image->reason;
		answer.naming = image->naming;
	} else if (!function.name) {
		snprintf(text, NT_IMAGE_ANSWER_TEXT,
			 image->exports_only ? "stripped: %s names only its exports" : "no function of %s covers this place",
			 nt_file_base_name(path));
		answer.reason = text;
		answer.naming = image->exports_only ? NT_NAMING_STRIPPED : NT_NAMING_NO_FUNCTION;
	}
	return answer;
}

/* ---- images ---- */

static size_t image_bytes(const struct nt_image_names *names)
{
	size_t bytes = 0;
	for (size_t i = 0; i < names->entry_count; i++)
		bytes += nt_image_symbols_bytes(&names->entries[i].image);
	return bytes;
}

static void make_room(struct nt_image_names *names)
{
	while (names->entry_count > 0 && (names->entry_count >= IMAGES_MAX || image_bytes(names) > IMAGES_MAX_BYTES)) {
		size_t oldest = 0;
		for (size_t i = 1; i < names->entry_count; i++)
			if (names->entries[i].asked < names->entries[oldest].asked)
				oldest = i;
		drop_entry(names, oldest);
	}
}

static struct entry *entry_for(struct nt_image_names *names, const struct nt_image_place *place)
{
	for (size_t i = 0; i < names->entry_count; i++)
		if (names->entries[i].inode == place->inode && strcmp(names->entries[i].path, place->path) == 0)
			return &names->entries[i];
	make_room(names);
	names->entries = nt_grow(names->entries, &names->entry_capacity, names->entry_count + 1, sizeof(*names->entries));
	struct entry *entry = &names->entries[names->entry_count++];
	*entry = (struct entry){ .path = nt_strdup(place->path), .inode = place->inode };
	nt_image_symbols_load(&entry->image, place);
	names->read = true;
	return entry;
}

/* ---- precompiled images ---- */

/* The assembly that the place is in: the file itself, or one that a single-file program carries behind its ELF part. False: it is in none. */
static bool find_assembly(struct nt_image_names *names, const struct nt_image_symbols *image, const struct nt_image_place *place,
			  uint64_t offset, struct nt_bundle_part *assembly)
{
	*assembly = (struct nt_bundle_part){ .length = image->file_size > offset ? image->file_size : offset + 1 };
	if (image->form != NT_IMAGE_ELF || nt_elf_segment_at(image->segments, image->segment_count, offset))
		return image->form == NT_IMAGE_PE;
	const struct nt_bundle_part *part = nt_image_bundles_find(names->bundles, place, offset);
	if (part)
		*assembly = *part;
	return part != NULL;
}

static struct nt_image_answer answer_from_r2r(struct nt_image_names *names, const struct nt_image_place *place, uint64_t offset,
					      const struct nt_bundle_part *assembly)
{
	const struct nt_image_r2r_answer *found =
		nt_image_precompiled_answer(names->r2r, place, offset, assembly->offset, assembly->offset + assembly->length);
	struct nt_image_answer answer = {
		.start = found->start, .end = found->end, .kind = NT_CODE_R2R, .reason = found->reason, .naming = NT_NAMING_R2R_UNNAMED
	};
	switch (found->what) {
	case NT_IMAGE_R2R_METHOD:
		answer.name = found->name.text;
		answer.reason = NULL;
		answer.naming = NT_NAMING_NAMED;
		break;
	case NT_IMAGE_R2R_UNNAMED:
		break;
	case NT_IMAGE_R2R_THUNK:
		answer.kind = NT_CODE_STUB;
		answer.name = "[R2R thunk]";
		answer.reason = NULL;
		answer.naming = NT_NAMING_R2R_THUNK;
		break;
	case NT_IMAGE_R2R_NO_CODE:
		answer.kind = NT_CODE_UNKNOWN;
		break;
	}
	return answer;
}

void nt_image_names_answer(struct nt_image_names *names, const struct nt_image_place *place, uint64_t offset, struct nt_image_answer *out)
{
	struct entry *entry = entry_for(names, place);
	struct nt_bundle_part assembly;
	entry->asked = ++names->question_count;
	entry->rests = 0;
	if (find_assembly(names, &entry->image, place, offset, &assembly))
		*out = answer_from_r2r(names, place, offset, &assembly);
	else
		*out = nt_image_answer_of(&entry->image, entry->path, offset, names->text);
}
