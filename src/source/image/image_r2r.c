// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_r2r.h"

#include "base/alloc.h"
#include "base/file_name.h"
#include "decode/assembly/r2r_debug.h"
#include "decode/unwind/unwind_codes.h"
#include "decode/unwind/unwind_ops.h"
#include "source/image/image_bundle.h"
#include "source/image/image_window.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An assembly whose code is in a composite image: its own file has the metadata. */
struct component {
	struct nt_image_window *file; /* NULL: not tried yet, or not to be had */
	struct nt_metadata metadata;
	char reason[NT_IMAGE_R2R_REASON]; /* why it is not to be had; "" = it is, or nobody has tried */
};

struct nt_image_r2r {
	struct nt_image_window *file;
	struct nt_r2r r2r;
	struct component *components; /* owned; of a composite image only */
	uint64_t base;                /* where it begins in the file; not 0 in a single-file program, */
	uint64_t bundle;              /* whose list of files is there, once somebody has asked for a component */
};

/* ---- components ---- */

static bool is_component(const struct nt_r2r *r2r, uint32_t number, const struct nt_metadata *md)
{
	uint8_t wanted[16], found[16];
	return nt_r2r_component_mvid(r2r, number, wanted) && nt_metadata_mvid(md, found) && memcmp(wanted, found, sizeof(wanted)) == 0;
}

/* In a single-file program it lies in the same file. */
static struct nt_image_window *open_in_bundle(struct nt_image_r2r *image, const char *name, uint64_t *base, char why[NT_IMAGE_R2R_REASON])
{
	const struct nt_image_place *place = nt_image_window_place(image->file);
	struct nt_bundle_part part;
	char *path = nt_format("%s.dll", name);
	if (!image->bundle)
		image->bundle = nt_image_bundle_header(place);
	bool found = nt_image_bundle_named(nt_image_window(image->file), image->bundle, path, &part);
	free(path);
	snprintf(why, NT_IMAGE_R2R_REASON, "it is not in the single file, or packed");
	if (found)
		*base = part.offset;
	return found ? nt_image_window_new(place, why, NT_IMAGE_R2R_REASON) : NULL;
}

/* Else its file lies beside the composite image. */
static struct nt_image_window *open_beside(const struct nt_image_r2r *image, const char *name, char why[NT_IMAGE_R2R_REASON])
{
	const struct nt_image_place *beside = nt_image_window_place(image->file);
	char *path = nt_format("%.*s%s.dll", (int)(nt_file_base_name(beside->path) - beside->path), beside->path, name);
	const struct nt_image_place place = { .root_dir = beside->root_dir, .path = path, .uid = beside->uid, .opener = beside->opener };
	struct nt_image_window *file = nt_image_window_new(&place, why, NT_IMAGE_R2R_REASON);
	free(path);
	return file;
}

static void open_component(struct nt_image_r2r *image, uint32_t number)
{
	struct component *component = &image->components[number];
	char name[256];
	nt_r2r_component_name(&image->r2r, number, name, sizeof(name));
	if (!name[0] || strchr(name, '/')) {
		snprintf(component->reason, sizeof(component->reason), "a component of %.100s has no name",
			 nt_file_base_name(nt_image_window_place(image->file)->path));
		return;
	}
	struct nt_pe pe;
	char why[NT_IMAGE_R2R_REASON];
	uint64_t base = 0;
	component->file = image->base ? open_in_bundle(image, name, &base, why) : open_beside(image, name, why);
	if (!component->file)
		snprintf(component->reason, sizeof(component->reason), "%.50s.dll, which has its names: %.110s", name, why);
	else if (!nt_pe_read(nt_image_window(component->file), base, &pe) || !nt_metadata_of(&pe, &component->metadata))
		snprintf(component->reason, sizeof(component->reason), "%.100s.dll, which has its names, is broken", name);
	else if (!is_component(&image->r2r, number, &component->metadata))
		snprintf(component->reason, sizeof(component->reason), "%.100s.dll is not the one that was compiled", name);
}

static const struct nt_metadata *component_metadata(void *context, uint32_t number)
{
	struct nt_image_r2r *image = context;
	struct component *component = &image->components[number];
	if (!component->file && !component->reason[0])
		open_component(image, number);
	return component->reason[0] ? NULL : &component->metadata;
}

/* ---- the image ---- */

/* Why there are no names; NULL = there are. */
static const char *read_image(struct nt_image_r2r *image, uint64_t base)
{
	struct nt_pe pe;
	if (!nt_pe_read(nt_image_window(image->file), base, &pe))
		return "no managed image: %s";
	switch (nt_r2r_read(&pe, &image->r2r)) {
	case NT_R2R_READ:
		return NULL;
	case NT_R2R_IL_ONLY:
		return "no precompiled code in %s";
	case NT_R2R_IN_COMPOSITE:
		return "no code in %s: it is in the composite image beside it";
	case NT_R2R_MACHINE:
		return "precompiled for a processor that is not known here: %s";
	case NT_R2R_BROKEN:
		break;
	}
	return "precompiled code not understood: %s";
}

struct nt_image_r2r *nt_image_r2r_new(const struct nt_image_place *place, uint64_t base, char reason[NT_IMAGE_R2R_REASON])
{
	struct nt_image_window *file = nt_image_window_new(place, reason, NT_IMAGE_R2R_REASON);
	if (!file)
		return NULL;
	struct nt_image_r2r *image = nt_alloc(sizeof(*image));
	image->file = file;
	image->base = base;
	const char *why = read_image(image, base);
	if (why) {
		snprintf(reason, NT_IMAGE_R2R_REASON, why, nt_file_base_name(place->path));
		nt_image_r2r_free(image);
		return NULL;
	}
	if (image->r2r.composite)
		image->components = nt_alloc((image->r2r.component_count + 1) * sizeof(*image->components));
	return image;
}

void nt_image_r2r_free(struct nt_image_r2r *image)
{
	if (!image)
		return;
	for (uint32_t i = 0; image->components && i < image->r2r.component_count; i++)
		nt_image_window_free(image->components[i].file);
	free(image->components);
	nt_r2r_fini(&image->r2r);
	nt_image_window_free(image->file);
	free(image);
}

size_t nt_image_r2r_bytes(const struct nt_image_r2r *image)
{
	size_t components = image->components ? image->r2r.component_count * sizeof(*image->components) : 0;
	return sizeof(*image) + image->r2r.function_count * sizeof(*image->r2r.functions) + components;
}

void nt_image_r2r_rest(struct nt_image_r2r *image)
{
	for (uint32_t i = 0; image->components && i < image->r2r.component_count; i++)
		if (image->components[i].file)
			nt_image_window_rest(image->components[i].file);
	nt_image_window_rest(image->file);
}

/* ---- answers ---- */

/* The range as offsets of the file, as far as it lies in the section of `rva`, which is at `offset`. */
static void set_range(const struct nt_pe *pe, const struct nt_r2r_range *range, uint32_t rva, uint64_t offset,
		      struct nt_image_r2r_answer *out)
{
	const struct nt_pe_section *section = nt_pe_section_of(pe, rva);
	uint32_t begin = range->begin > section->rva ? range->begin : section->rva;
	uint32_t end = range->end < section->rva + section->size ? range->end : section->rva + section->size;
	out->start = offset - (rva - begin);
	out->end = offset + (end - rva);
}

static void set_name(struct nt_image_r2r *image, uint32_t owner, struct nt_image_r2r_answer *out)
{
	const struct nt_r2r_components components = { .of = component_metadata, .context = image };
	enum nt_r2r_naming naming = nt_r2r_name(&image->r2r, owner, &components, &out->name);
	out->what = naming == NT_R2R_NAMED ? NT_IMAGE_R2R_METHOD : NT_IMAGE_R2R_UNNAMED;
	if (naming == NT_R2R_NO_METADATA)
		snprintf(out->reason, sizeof(out->reason), "%s", image->components[out->name.missing_component].reason);
	else if (naming == NT_R2R_UNNAMED)
		snprintf(out->reason, sizeof(out->reason), "the name of this precompiled method cannot be read");
}

void nt_image_r2r_find(struct nt_image_r2r *image, uint64_t offset, struct nt_image_r2r_answer *out)
{
	const struct nt_pe *pe = &image->r2r.pe;
	uint32_t rva;
	struct nt_r2r_range range;
	out->reason[0] = '\0';
	if (!nt_pe_rva(pe, offset, &rva)) {
		out->what = NT_IMAGE_R2R_NO_CODE;
		snprintf(out->reason, sizeof(out->reason), "a place in no section of the image");
		out->start = offset;
		out->end = offset + 1;
		return;
	}
	out->what = NT_IMAGE_R2R_THUNK;
	if (nt_r2r_find(&image->r2r, rva, &range))
		set_name(image, range.owner, out);
	set_range(pe, &range, rva, offset, out);
}

bool nt_image_r2r_next(struct nt_image_r2r *image, uint32_t *number, struct nt_image_r2r_answer *out)
{
	struct nt_r2r_range range;
	uint64_t offset;
	do
		if (!nt_r2r_next(&image->r2r, number, &range))
			return false;
	while (range.end <= range.begin || !nt_pe_offset(&image->r2r.pe, range.begin, range.end - range.begin, &offset));
	out->reason[0] = '\0';
	out->start = offset;
	out->end = offset + (range.end - range.begin);
	set_name(image, range.owner, out);
	return true;
}

/* ---- the IL of code ---- */

bool nt_image_r2r_il(struct nt_image_r2r *image, uint64_t offset, struct nt_image_il *out)
{
	struct nt_image_r2r_answer extent;
	struct nt_r2r_range range;
	struct nt_il_map map;
	uint32_t rva;
	*out = (struct nt_image_il){ 0 };
	if (!nt_pe_rva(&image->r2r.pe, offset, &rva) || !nt_r2r_find(&image->r2r, rva, &range))
		return false;
	set_range(&image->r2r.pe, &range, rva, offset, &extent);
	uint32_t *il = nt_realloc(NULL, NT_IL_MAP_MAX, sizeof(*il)), *native = nt_realloc(NULL, NT_IL_MAP_MAX, sizeof(*native));
	bool found = nt_r2r_il_map(&image->r2r, range.function, il, native, &map);
	if (found) {
		out->places = nt_realloc(NULL, map.count, sizeof(*out->places));
		out->count = nt_il_map_places(&map, extent.start, (uint32_t)(extent.end - extent.start), out->places);
		out->start = extent.start;
		out->end = extent.end;
	}
	free(il);
	free(native);
	return found;
}

/* ---- rules of call chains ---- */

static bool undo_all(const struct nt_pe *pe, uint32_t info, uint32_t offset, struct nt_unwind_codes *codes)
{
	for (unsigned i = 0; i < NT_UNWIND_INFO_CHAIN_MAX; i++) {
		uint32_t left = nt_pe_left(pe, info), size = left < NT_UNWIND_INFO_MAX ? left : NT_UNWIND_INFO_MAX;
		const uint8_t *bytes = size ? nt_pe_at(pe, info, size) : NULL;
		if (!bytes || !nt_unwind_codes_undo(codes, bytes, size, offset, &info))
			return false;
		if (!info)
			return true;
		offset = UINT32_MAX;
	}
	return false;
}

bool nt_image_r2r_rule(struct nt_image_r2r *image, uint64_t offset, uint64_t *start, uint64_t *end, struct nt_frame_rule *rule)
{
	const struct nt_pe *pe = &image->r2r.pe;
	struct nt_r2r_unwind function;
	struct nt_image_r2r_answer extent;
	uint32_t rva;
	if (!nt_pe_rva(pe, offset, &rva) || !nt_r2r_unwind(&image->r2r, rva, &function))
		return false;
	struct nt_unwind_codes codes = nt_unwind_codes_begin();
	if (!undo_all(pe, function.info, rva - function.begin, &codes) || !nt_unwind_codes_rule(&codes, rule))
		return false;
	uint32_t bytes = function.end - function.begin;
	const struct nt_r2r_range range = { .begin = function.begin + codes.holds_from,
					    .end = function.begin + (codes.holds_to < bytes ? codes.holds_to : bytes) };
	set_range(pe, &range, rva, offset, &extent);
	*start = extent.start;
	*end = extent.end;
	return true;
}
