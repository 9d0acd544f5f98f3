// SPDX-License-Identifier: GPL-2.0-only
/* Address + time -> key. The order of the tables is that of resolver.h. */
#include "symbol/resolver.h"

#include "base/file_name.h"
#include "symbol/resolver_internal.h"

#include <stdio.h>
#include <string.h>

/* Why code has no name. */
struct unnamed {
	enum nt_naming naming;
	const char *text; /* the table's; NULL = the words of `naming` */
};

static uint32_t key_of(struct nt_resolver *resolver, enum nt_code_kind kind, const char *name, const char *module, struct unnamed why)
{
	const char *words = why.text ? why.text : nt_naming_entry(why.naming)->words;
	struct nt_key key = { .name = name, .module = module, .reason = *words ? words : NULL, .kind = kind, .naming = why.naming };
	return nt_keys_intern(&resolver->keys, &key);
}

/* ---- generated code ---- */

static void limit(struct nt_resolved *out, const struct nt_range_hit *hit)
{
	if (hit->valid_from > out->valid_from)
		out->valid_from = hit->valid_from;
	if (hit->valid_to < out->valid_to)
		out->valid_to = hit->valid_to;
	if (hit->extent.low > out->extent.low)
		out->extent.low = hit->extent.low;
	if (hit->extent.high < out->extent.high)
		out->extent.high = hit->extent.high;
}

/* An address that was sampled. */
struct hit {
	uint64_t address;
	nt_time time;
	uint64_t weight;
};

/* The text of a line. 0: it is still in the file, and asked for (*provisional), or it cannot be had; *why says so. */
static nt_text_ref text_of_line(struct nt_resolver *resolver, const struct nt_range *line, const struct hit *hit, struct unnamed *why,
				bool *provisional)
{
	*why = (struct unnamed){ .naming = NT_NAMING_CODE_UNNAMED };
	if (!line->b)
		return line->a;
	uint32_t image = nt_images_intern(&resolver->images, resolver->map_image, line->b);
	struct nt_range_hit answer = nt_images_find(&resolver->images, image, line->a);
	if (answer.found) {
		why->text = nt_names_keep(resolver->names, answer.range.b);
		return answer.range.a;
	}
	*provisional = true;
	why->naming = resolver->answering ? NT_NAMING_PENDING : NT_NAMING_NOBODY_TO_ASK;
	/* With the address, so that whoever reads the line again can see that it is still the one of this code. */
	const struct nt_place place = { .offset = line->a, .map_start = hit->address, .map_end = hit->address + 1, .weight = hit->weight };
	if (resolver->answering && hit->weight)
		nt_images_want(&resolver->images, image, &place);
	return 0;
}

/*
 * What is shown of a name that the runtime wrote, or would have written: in the perf map, or of precompiled code. `image`: where the
 * code lies, if that is the module of what has no assembly; NULL = it is not.
 */
static void take_managed(struct nt_resolver *resolver, nt_text_ref text, enum nt_code_kind kind, const char *image, struct nt_resolved *out)
{
	const struct nt_line_name *name = nt_lines_name(&resolver->lines, text);
	if (kind == NT_CODE_JIT)
		kind = name->kind; /* a jitdump has precompiled methods, too */
	struct nt_key key = { .name = name->name,
			      .raw_name = name->raw_name,
			      .module = name->module ? name->module : image,
			      .kind = kind,
			      .naming = kind == NT_CODE_STUB ? NT_NAMING_STUB : NT_NAMING_NAMED };
	out->key = nt_keys_intern(&resolver->keys, &key);
	out->tier = name->tier;
	out->reusable = name->module == resolver->dynamic;
}

/* The text of a line, or why it has none. */
struct line_text {
	nt_text_ref ref; /* 0 = none */
	struct unnamed why;
	bool provisional;
};

static struct line_text read_line(struct nt_resolver *resolver, const struct nt_range *line, const struct hit *hit)
{
	struct line_text text = { 0 };
	text.ref = text_of_line(resolver, line, hit, &text.why, &text.provisional);
	return text;
}

/* Has a line that stayed in the file lost its text, because the file is gone? Then it is as if there were no line. */
static bool is_lost(const struct nt_range *line, const struct line_text *text)
{
	return line->b && !text->ref && !text->provisional;
}

static void take_line(struct nt_resolver *resolver, const struct line_text *text, enum nt_code_kind kind, struct nt_resolved *out)
{
	if (text->provisional)
		out->provisional = true;
	if (text->ref)
		take_managed(resolver, text->ref, kind, NULL, out);
	else
		out->key = key_of(resolver, kind, kind == NT_CODE_STUB ? "[runtime stub]" : "[jit code]", NULL, text->why);
}

static void take_load(struct nt_resolver *resolver, const struct nt_range *load, struct nt_resolved *out)
{
	const char *name = nt_names_keep(resolver->names, load->a);
	const struct unnamed why = { .naming = name ? NT_NAMING_NAMED : NT_NAMING_CODE_UNNAMED };
	out->key = key_of(resolver, NT_CODE_JIT, name ? name : "[jit code]", NULL, why);
	out->tier = load->c;
}

/* Is the method of a METHOD_LOAD the one that the perf map calls so? A line that is still to be read: not that we know. */
static bool same_method(struct nt_resolver *resolver, const struct nt_range *load, const struct nt_range *line, const struct hit *hit)
{
	struct unnamed why;
	bool provisional;
	nt_text_ref raw = text_of_line(resolver, line, hit, &why, &provisional);
	size_t length;
	const char *text = nt_heap_get(resolver->names->heap, load->a, &length);
	const char *name = raw ? nt_lines_name(&resolver->lines, raw)->name : "";
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

/*
 * Is a METHOD_LOAD newer than the line that the map has for this address, and its name another one? Then the address was re-used and the map's line is of
 * the method before.
 */
static bool is_newer(struct nt_resolver *resolver, const struct nt_range *line, const struct nt_range *load, const struct hit *hit)
{
	return load->from <= hit->time && load->from > line->from && !same_method(resolver, load, line, hit);
}

/* What the map says of a method once it has caught up with its METHOD_LOAD: the fuller entry. False when it has not. */
static bool line_of_load(struct nt_resolver *resolver, const struct nt_range *load, const struct hit *hit, struct nt_range *line)
{
	struct nt_range_hit latest = nt_ranges_find(&resolver->methods, hit->address, NT_TIME_UNKNOWN - 1);
	*line = latest.range;
	return latest.found && same_method(resolver, load, line, hit);
}

/* What no other table names. Code that is not in the list either, and that a newer one might have, is noted in `needed` (NULL = it would not). */
static bool resolve_listed(struct nt_resolver *resolver, const struct hit *hit, bool *needed, struct nt_resolved *out)
{
	struct nt_range_hit listed = nt_ranges_find(&resolver->listed.methods, hit->address, hit->time);
	limit(out, &listed);
	if (listed.found)
		take_managed(resolver, listed.range.a, NT_CODE_JIT, NULL, out);
	else if (needed && hit->weight)
		nt_listed_want(&resolver->listed, hit->address, needed);
	return listed.found;
}

/*
 * What the runtime's own data say of generated code that neither the perf map nor an event names. False: nothing, or not yet (*open: it is asked for). An answer holds for ever, as code that may be
 * freed is given none.
 */
static bool resolve_read(struct nt_resolver *resolver, const struct hit *hit, bool *open, struct nt_resolved *out)
{
	if (!resolver->reads_data)
		return false;
	struct nt_range_hit answer = nt_images_find(&resolver->images, resolver->data_image, hit->address);
	limit(out, &answer);
	*open = !answer.found;
	if (*open && hit->weight)
		nt_images_want(&resolver->images, resolver->data_image,
			       &(struct nt_place){ .offset = hit->address, .weight = hit->weight });
	if (!answer.found || !answer.range.a)
		return false;
	take_managed(resolver, answer.range.a, NT_CODE_JIT, NULL, out);
	return true;
}

/* Of a method whose line was lost with the file: what the runtime's events or its list say of it. */
static bool resolve_lost(struct nt_resolver *resolver, const struct nt_range_hit *load, const struct hit *hit, struct nt_resolved *out)
{
	if (load->found)
		take_load(resolver, &load->range, out);
	return load->found || resolve_listed(resolver, hit, &resolver->listed.code_needs, out);
}

static bool resolve_code(struct nt_resolver *resolver, const struct hit *hit, struct nt_resolved *out)
{
	struct nt_range_hit line = nt_ranges_find(&resolver->methods, hit->address, hit->time);
	struct nt_range_hit load = nt_ranges_find(&resolver->loads, hit->address, hit->time);
	struct nt_range_hit stub = { 0 };
	limit(out, &line);
	limit(out, &load);
	bool reused = line.found && load.found && is_newer(resolver, &line.range, &load.range, hit);
	if (reused)
		line.found = line_of_load(resolver, &load.range, hit, &line.range);
	if (!line.found && !reused) {
		stub = nt_ranges_find(&resolver->stubs, hit->address, hit->time);
		limit(out, &stub);
	}
	struct line_text text = { 0 };
	if (line.found || stub.found)
		text = read_line(resolver, line.found ? &line.range : &stub.range, hit);
	bool lost = line.found && is_lost(&line.range, &text);
	if (lost && resolve_lost(resolver, &load, hit, out)) {
		out->mapped = true;
		return true;
	}
	out->provisional = lost;
	if (line.found) {
		take_line(resolver, &text, NT_CODE_JIT, out);
	} else if (stub.found) {
		take_line(resolver, &text, NT_CODE_STUB, out);
	} else if (load.found) {
		bool lacks_map = nt_resolver_lacks_map(resolver), open = false;
		if (!lacks_map || !resolve_read(resolver, hit, &open, out))
			take_load(resolver, &load.range, out);
		out->provisional = open || !lacks_map; /* what tells more, the module for one, is on its way */
	} else {
		return false;
	}
	out->mapped = true;
	return true;
}

/* Generated code that is in no table. */
static struct unnamed why_no_line(const struct nt_resolver *resolver, nt_time time)
{
	struct unnamed why = { .naming = resolver->any_code ? NT_NAMING_NO_LINE : NT_NAMING_PERF_MAP_OFF, .text = resolver->map.reason };
	if (resolver->map.reason && resolver->map.naming != NT_NAMING_NAMED)
		why.naming = resolver->map.naming;
	else if (time < resolver->map_since)
		why.naming = NT_NAMING_PERF_MAP_LATE;
	return why;
}

/*
 * Code of the runtime's own that nobody has recorded, as whoever reads the target's memory knows it. False: it is none, or not known to be one; *why says what is
 * known of that.
 */
static bool resolve_stub(struct nt_resolver *resolver, const struct nt_range *map, const struct hit *hit, struct unnamed *why,
			 struct nt_resolved *out)
{
	uint32_t image = nt_images_intern(&resolver->images, resolver->stub_image, 0);
	struct nt_range_hit answer = nt_images_find(&resolver->images, image, hit->address);
	if (!answer.found) {
		const struct nt_place place = {
			.offset = hit->address, .map_start = map->start, .map_end = map->end, .weight = hit->weight
		};
		if (resolver->answering && hit->weight)
			nt_images_want(&resolver->images, image, &place);
		return false;
	}
	limit(out, &answer);
	const char *name = nt_names_keep(resolver->names, answer.range.a), *reason = nt_names_keep(resolver->names, answer.range.b);
	if (name)
		out->key = key_of(resolver, NT_CODE_STUB, name, NULL, (struct unnamed){ .naming = NT_NAMING_STUB });
	else if (reason && !why->text)
		why->text = reason;
	return name != NULL;
}

/* `map`: the memory that it lies in. */
static void resolve_unnamed_code(struct nt_resolver *resolver, const struct nt_range *map, const struct hit *hit, struct nt_resolved *out)
{
	struct unnamed why = why_no_line(resolver, hit->time);
	if (!resolver->any_code) {
		/* Most of it is methods: their machine code says nothing. */
		out->provisional = true;
		out->key = key_of(resolver, NT_CODE_UNKNOWN, "[jit code]", NULL, why);
		return;
	}
	if (resolve_stub(resolver, map, hit, &why, out))
		return;
	out->provisional = true;
	/* What is no stub was a method that the map came too late for; the answer changes when it comes. */
	bool late = why.naming == NT_NAMING_PERF_MAP_LATE;
	if (late && resolver->map_since < out->valid_to)
		out->valid_to = resolver->map_since;
	else if (!late && resolver->map_since > out->valid_from)
		out->valid_from = resolver->map_since;
	out->key = late ? key_of(resolver, NT_CODE_UNKNOWN, "[jit code]", NULL, why)
			: key_of(resolver, NT_CODE_STUB, "[runtime stub]", NULL, why);
}

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
		take_managed(resolver, answer->a, NT_CODE_R2R, image->base, out);
		return;
	}
	const char *name = nt_names_keep(resolver->names, answer->a);
	struct unnamed why = { .naming = nt_answer_naming(answer->c), .text = nt_names_keep(resolver->names, answer->b) };
	if (!name && nt_naming_entry(why.naming)->class != NT_NAMING_CLASS_REASON)
		why.naming = NT_NAMING_NO_ANSWER;
	out->key = key_of(resolver, nt_answer_kind(answer->c), name ? name : image->base, image->base, why);
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
static bool resolve_listed_place(struct nt_resolver *resolver, const struct nt_image *image, enum nt_naming naming, const struct hit *hit,
				 struct nt_resolved *out)
{
	if (!hit || !may_be_listed(image, naming))
		return false;
	out->provisional = !resolve_listed(resolver, hit, &resolver->listed.image_needs, out);
	return !out->provisional;
}

/* `hit`: NULL in the kernel, where the place is the address. */
static void resolve_place(struct nt_resolver *resolver, uint32_t index, const struct nt_place *place, const struct hit *hit,
			  struct nt_resolved *out)
{
	const struct nt_image *image = &resolver->images.items[index];
	struct nt_range_hit answer = nt_images_find(&resolver->images, index, place->offset);
	if (answer.found) {
		limit_to_place(out, hit ? hit->address : place->offset, place->offset - answer.extent.low,
			       answer.extent.high - place->offset);
		if (answer.range.a || !resolve_listed_place(resolver, image, nt_answer_naming(answer.range.c), hit, out))
			take_answer(resolver, image, &answer.range, out);
		return;
	}
	if (!resolver->answering && resolve_listed_place(resolver, image, NT_NAMING_NOBODY_TO_ASK, hit, out))
		return;
	out->provisional = true;
	if (!resolver->answering) {
		out->key =
			key_of(resolver, NT_CODE_UNKNOWN, image->base, image->base, (struct unnamed){ .naming = NT_NAMING_NOBODY_TO_ASK });
		return;
	}
	out->key = key_of(resolver, NT_CODE_UNKNOWN, place_name(resolver, image, place->offset), image->base,
			  (struct unnamed){ .naming = NT_NAMING_PENDING });
	if (place->weight)
		nt_images_want(&resolver->images, index, place);
}

/* Else it is memory in which the runtime generates code. */
static bool is_image(const struct nt_range *map)
{
	uint32_t flags = nt_map_flags_of(map);
	return !(flags & NT_MAP_JIT) && flags & (NT_MAP_FILE | NT_MAP_VDSO);
}

/* Generated code without a line and without an event. */
static void resolve_jitted(struct nt_resolver *resolver, const struct nt_range *map, const struct hit *hit, struct nt_resolved *out)
{
	bool open = false;
	/* A list of all methods costs the target something: what may still be told for nothing is no need. */
	if (resolve_read(resolver, hit, &open, out) || resolve_listed(resolver, hit, open ? NULL : &resolver->listed.code_needs, out))
		out->provisional = !nt_resolver_lacks_map(resolver); /* the map's line, of what may be there by now, is on its way */
	else
		resolve_unnamed_code(resolver, map, hit, out);
	out->provisional |= open;
}

static void resolve_mapping(struct nt_resolver *resolver, const struct nt_range *map, const struct hit *hit, struct nt_resolved *out)
{
	out->mapped = true;
	if (!is_image(map)) {
		resolve_jitted(resolver, map, hit, out);
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

static void resolve_user(struct nt_resolver *resolver, const struct hit *hit, struct nt_resolved *out)
{
	if (resolve_code(resolver, hit, out))
		return;
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, hit->address, hit->time);
	limit(out, &map);
	if (map.found) {
		resolve_mapping(resolver, &map.range, hit, out);
		return;
	}
	bool maps_known = nt_ranges_count(&resolver->maps) != 0;
	out->provisional = true;
	out->mapped = !maps_known;
	out->key = key_of(resolver, NT_CODE_UNKNOWN, "[no mapping]", NULL,
			  (struct unnamed){ .naming = maps_known ? NT_NAMING_NO_MAPPING : NT_NAMING_MAPPINGS_UNKNOWN });
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
		resolve_user(resolver, &(struct hit){ .address = address, .time = time, .weight = weight }, &out);
	/* What is provisional is not remembered: asking makes its questions weigh more. */
	if (!out.provisional)
		nt_recent_put(&resolver->recent, address, kernel, &out);
	return out;
}

/* These return whether there is something to ask about. */
static bool want_place(struct nt_resolver *resolver, uint32_t image, const struct nt_place *place)
{
	if (nt_images_find(&resolver->images, image, place->offset).found)
		return false;
	nt_images_want(&resolver->images, image, place);
	return true;
}

static bool want_read(struct nt_resolver *resolver, const struct hit *hit)
{
	const struct nt_place place = { .offset = hit->address, .weight = hit->weight };
	return resolver->reads_data && want_place(resolver, resolver->data_image, &place);
}

/* A line of the perf map may still have to be read; what an event named needs nothing. *found: it is in one of them. */
static bool want_code(struct nt_resolver *resolver, const struct hit *hit, bool *found)
{
	const struct nt_ranges *const tables[] = { &resolver->methods, &resolver->stubs, &resolver->loads };
	*found = false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !*found; i++) {
		struct nt_range_hit line = nt_ranges_find(tables[i], hit->address, hit->time);
		*found = line.found;
		if (line.found && tables[i] != &resolver->loads)
			return read_line(resolver, &line.range, hit).provisional;
		if (line.found)
			return nt_resolver_lacks_map(resolver) && want_read(resolver, hit);
	}
	return false;
}

static bool want(struct nt_resolver *resolver, const struct hit *hit, bool kernel)
{
	if (kernel)
		return want_place(resolver, NT_IMAGE_KERNEL, &(struct nt_place){ .offset = hit->address, .weight = hit->weight });
	struct nt_range_hit map = nt_ranges_find(&resolver->maps, hit->address, hit->time);
	bool found, asked = want_code(resolver, hit, &found);
	if (found || !map.found)
		return asked;
	if (!is_image(&map.range))
		return want_read(resolver, hit);
	const struct nt_place place = { .offset = nt_map_file_offset(&map.range, hit->address),
					.map_start = map.range.start,
					.map_end = map.range.end,
					.weight = hit->weight };
	return want_place(resolver, map.range.a, &place);
}

void nt_resolver_want(struct nt_resolver *resolver, uint64_t address, bool kernel, nt_time time, uint64_t weight)
{
	const struct hit hit = { .address = address, .time = time, .weight = weight };
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
	return key_of(resolver, NT_CODE_UNKNOWN, "[no call chain]", NULL, (struct unnamed){ .naming = NT_NAMING_NO_CHAIN });
}

const char *nt_resolver_module(struct nt_resolver *resolver, uint64_t address, const char *name)
{
	struct nt_range_hit line = nt_ranges_find(&resolver->methods, address, NT_TIME_UNKNOWN - 1);
	if (!line.found)
		return NULL;
	const struct hit nobody = { .address = address };
	struct unnamed why;
	bool provisional;
	nt_text_ref text = text_of_line(resolver, &line.range, &nobody, &why, &provisional);
	return text ? nt_lines_module(&resolver->lines, text, name) : NULL;
}

bool nt_resolver_ended(const struct nt_resolver *resolver, uint64_t address, nt_time time)
{
	return !nt_ranges_find(&resolver->methods, address, time).found && !nt_ranges_find(&resolver->stubs, address, time).found &&
	       !nt_ranges_find(&resolver->loads, address, time).found;
}

bool nt_resolver_replaced(const struct nt_resolver *resolver, uint64_t address, nt_time since)
{
	const struct nt_ranges *const tables[] = { &resolver->methods, &resolver->loads };
	bool there = nt_ranges_find(&resolver->stubs, address, NT_TIME_UNKNOWN - 1).found;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct nt_range_hit newest = nt_ranges_find(tables[i], address, NT_TIME_UNKNOWN - 1);
		if (newest.found && newest.range.from > since)
			return true;
		there |= newest.found;
	}
	return !there;
}
