// SPDX-License-Identifier: GPL-2.0-only
/* Address + time -> key. The order of the tables is that of resolver.h. */
#include "symbol/resolver.h"

#include "base/file_name.h"
#include "symbol/resolve_steps.h"

#include <stdio.h>
#include <string.h>

/* ---- images ---- */

/* A text for one place. Bounded in number: then `general`. */
static const char *place_text(struct nt_resolver *resolver, const char *text, const char *general)
{
	if (resolver->images.place_names >= NT_PLACE_NAME_LIMIT)
		return general;
	size_t before = nt_texts_bytes(resolver->names->texts);
	const char *name = nt_texts_intern(resolver->names->texts, text, strlen(text));
	resolver->images.place_names += nt_texts_bytes(resolver->names->texts) != before;
	return name;
}

/* `libfoo.so+0x1234`, as long as the question is open. */
static const char *place_name(struct nt_resolver *resolver, const struct nt_image *image, uint64_t offset)
{
	enum { BASE_MOST = 200 };
	static const char hex[] = "0123456789abcdef";
	char text[BASE_MOST + sizeof("+0x") + 2 * sizeof(offset)], *at = text;
	size_t length = strnlen(image->base, BASE_MOST);
	int shift = offset ? (63 - __builtin_clzll(offset)) & ~3 : 0;
	/* Without snprintf(), which takes longer than all else of a place: a first look has thousands. */
	memcpy(at, image->base, length);
	at += length;
	memcpy(at, "+0x", 3);
	for (at += 3; shift >= 0; shift -= 4)
		*at++ = hex[offset >> shift & 15];
	*at = '\0';
	return place_text(resolver, text, image->base);
}

static void take_answer(struct nt_resolver *resolver, const struct nt_image *image, const struct nt_range *answer, struct nt_resolved *out)
{
	if (nt_answer_kind(answer->c) == NT_CODE_R2R && answer->a && nt_answer_naming(answer->c) == NT_NAMING_NAMED) {
		nt_resolve_managed(resolver, answer->a, NT_CODE_R2R, image->base, out);
		return;
	}
	const char *name = nt_names_keep(resolver->names, answer->a);
	struct nt_unnamed why = { .naming = nt_answer_naming(answer->c), .text = nt_names_keep(resolver->names, answer->b) };
	if (!name && nt_naming_entry(why.naming)->class != NT_NAMING_CLASS_REASON)
		why.naming = NT_NAMING_NO_ANSWER;
	out->key = nt_resolve_key(resolver, nt_answer_kind(answer->c), name ? name : image->base, image->base, why);
}

/* What holds for [offset - before, offset + after) of the file, holds for as much around the address. */
static void limit_to_place(struct nt_resolved *out, uint64_t address, uint64_t before, uint64_t after)
{
	if (address - out->extent.low > before)
		out->extent.low = address - before;
	if (out->extent.high - address > after)
		out->extent.high = address + after;
}

/* Is it an image that could not be read, and that may have precompiled methods? */
static bool may_be_listed(const struct nt_image *image, enum nt_naming naming)
{
	switch (naming) {
	case NT_NAMING_OTHER_NAMESPACE:
	case NT_NAMING_IMAGE_REPLACED:
	case NT_NAMING_IMAGE_DELETED:
	case NT_NAMING_IMAGE_UNREADABLE:
	case NT_NAMING_IMAGE_UNKNOWN:
	case NT_NAMING_R2R_UNNAMED:
	case NT_NAMING_NO_ANSWER:
	case NT_NAMING_NOBODY_TO_ASK:
		return !nt_file_library_end(image->base); /* else it is native */
	default:
		return false;
	}
}

/* Of a place that its image does not name. */
static bool resolve_listed_place(struct nt_resolver *resolver, const struct nt_image *image, enum nt_naming naming,
				 const struct nt_hit *hit, struct nt_resolved *out)
{
	if (!hit || !may_be_listed(image, naming))
		return false;
	out->provisional = !nt_resolve_listed(resolver, hit, &resolver->listed.image_needs, out);
	return !out->provisional;
}

/* `hit`: NULL in the kernel, where the place is the address. */
static void resolve_place(struct nt_resolver *resolver, uint32_t index, const struct nt_place *place, const struct nt_hit *hit,
			  struct nt_resolved *out)
{
	const struct nt_image *image = &resolver->images.items[index];
	struct nt_range_hit answer = nt_images_find(&resolver->images, index, place->offset);
	limit_to_place(out, hit ? hit->address : place->offset, place->offset - answer.extent.low, answer.extent.high - place->offset);
	if (answer.found) {
		if (answer.range.a || !resolve_listed_place(resolver, image, nt_answer_naming(answer.range.c), hit, out))
			take_answer(resolver, image, &answer.range, out);
		return;
	}
	if (!resolver->answering && resolve_listed_place(resolver, image, NT_NAMING_NOBODY_TO_ASK, hit, out))
		return;
	out->provisional = true;
	if (!resolver->answering) {
		out->key = nt_resolve_key(resolver, NT_CODE_UNKNOWN, image->base, image->base,
					  (struct nt_unnamed){ .naming = NT_NAMING_NOBODY_TO_ASK });
		return;
	}
	out->key = nt_resolve_key(resolver, NT_CODE_UNKNOWN, place_name(resolver, image, place->offset), image->base,
				  (struct nt_unnamed){ .naming = NT_NAMING_PENDING });
	if (place->weight)
		nt_images_want(&resolver->images, index, place);
}

/* Else it is memory in which the runtime generates code. */
static bool is_image(const struct nt_range *map)
{
	uint32_t flags = nt_map_flags_of(map);
	return !(flags & NT_MAP_JIT) && flags & (NT_MAP_FILE | NT_MAP_VDSO);
}

static void resolve_mapping(struct nt_resolver *resolver, const struct nt_range *map, const struct nt_hit *hit, struct nt_resolved *out)
{
	out->mapped = true;
	if (!is_image(map)) {
		nt_resolve_jitted(resolver, map, hit, out);
		return;
	}
	struct nt_place place = {
		.offset = nt_map_file_offset(map, hit->address), .map_start = map->start, .map_end = map->end, .weight = hit->weight
	};
	resolve_place(resolver, map->a, &place, hit, out);
}

static void resolve_kernel(struct nt_resolver *resolver, uint64_t address, uint64_t weight, struct nt_resolved *out)
{
	const struct nt_place place = { .offset = address, .weight = weight };
	out->mapped = true;
	resolve_place(resolver, NT_IMAGE_KERNEL, &place, NULL, out);
}

static void resolve_user(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out)
{
	if (nt_resolve_code(resolver, hit, out))
		return;
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, hit->address, hit->time);
	nt_resolve_limit(out, &map);
	if (map.found) {
		resolve_mapping(resolver, &map.range, hit, out);
		return;
	}
	bool maps_known = nt_ranges_count(&resolver->maps) != 0;
	out->mapped = !maps_known;
	if (!maps_known && nt_resolve_listed(resolver, hit, NULL, out))
		return;
	out->provisional = true;
	out->key = nt_resolve_key(resolver, NT_CODE_UNKNOWN, "[no mapping]", NULL,
				  (struct nt_unnamed){ .naming = maps_known ? NT_NAMING_NO_MAPPING : NT_NAMING_MAPPINGS_UNKNOWN });
}

/* Asking makes its questions weigh more; where nobody answers any, it has said all that it can, until something changes. */
static bool stays_provisional(const struct nt_resolver *resolver, const struct nt_resolved *found, uint64_t weight)
{
	return !resolver->answering && !resolver->reads_data && !found->awaited && weight;
}

struct nt_resolved nt_resolver_resolve(struct nt_resolver *resolver, uint64_t address, bool kernel, nt_time time, uint64_t weight)
{
	const struct nt_recent_answer *recent = nt_recent_find(&resolver->recent, address, kernel, time);
	if (recent)
		return nt_recent_resolved(recent);
	struct nt_resolved out = { .valid_to = NT_TIME_UNKNOWN, .extent = NT_EXTENT_ALL };
	if (kernel)
		resolve_kernel(resolver, address, weight, &out);
	else
		resolve_user(resolver, &(struct nt_hit){ .address = address, .time = time, .weight = weight }, &out);
	/* What holds for one moment is not remembered. */
	if (out.valid_to - out.valid_from > 1 && (!out.provisional || stays_provisional(resolver, &out, weight))) {
		resolver->recent_provisional |= out.provisional;
		nt_recent_put(&resolver->recent, address, kernel, &out);
	}
	return out;
}

static bool want(struct nt_resolver *resolver, const struct nt_hit *hit, bool kernel)
{
	if (kernel)
		return nt_resolve_want_place(resolver, NT_IMAGE_KERNEL,
					     &(struct nt_place){ .offset = hit->address, .weight = hit->weight });
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, hit->address, hit->time);
	bool found, asked = nt_resolve_want_code(resolver, hit, &found);
	if (found || !map.found)
		return asked;
	if (!is_image(&map.range))
		return nt_resolve_want_read(resolver, hit);
	const struct nt_place place = { .offset = nt_map_file_offset(&map.range, hit->address),
					.map_start = map.range.start,
					.map_end = map.range.end,
					.weight = hit->weight };
	return nt_resolve_want_place(resolver, map.range.a, &place);
}

void nt_resolver_want(struct nt_resolver *resolver, uint64_t address, bool kernel, nt_time time, uint64_t weight)
{
	const struct nt_hit hit = { .address = address, .time = time, .weight = weight };
	uint64_t *nothing = &resolver->nothing_wanted[nt_hash_number(address) & (NT_NOTHING_WANTED - 1)];
	if (!resolver->answering || *nothing == address || nt_recent_find(&resolver->recent, address, kernel, time))
		return;
	if (!want(resolver, &hit, kernel)) /* the same frames come again and again, and to find that out takes four searches */
		*nothing = address;
}

const char *nt_resolver_place(struct nt_resolver *resolver, uint64_t address, nt_time time)
{
	char text[256];
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, address, time);
	if (!map.found || !is_image(&map.range)) {
		snprintf(text, sizeof(text), "[0x%llx]", (unsigned long long)address);
		return place_text(resolver, text, "[code]");
	}
	const char *base = resolver->images.items[map.range.a].base;
	snprintf(text, sizeof(text), "[%.200s+0x%llx]", base, (unsigned long long)nt_map_file_offset(&map.range, address));
	return place_text(resolver, text, base);
}

uint32_t nt_resolver_no_chain(struct nt_resolver *resolver)
{
	return nt_resolve_key(resolver, NT_CODE_UNKNOWN, "[no call chain]", NULL, (struct nt_unnamed){ .naming = NT_NAMING_NO_CHAIN });
}
