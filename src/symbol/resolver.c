// SPDX-License-Identifier: GPL-2.0-only
#include "symbol/resolver.h"

#include "base/alloc.h"
#include "symbol/resolver_internal.h"

#include <stdlib.h>
#include <string.h>

static bool same_line(const struct nt_range *a, const struct nt_range *b, const void *context)
{
	const struct nt_names *names = context;
	return a->b == b->b && (a->b ? a->a == b->a : nt_heap_same(names->heap, a->a, b->a));
}

static bool same_load(const struct nt_range *a, const struct nt_range *b, const void *context)
{
	const struct nt_names *names = context;
	return a->c == b->c && nt_heap_same(names->heap, a->a, b->a);
}

static bool same_map(const struct nt_range *a, const struct nt_range *b, const void *context)
{
	(void)context;
	return a->a == b->a && a->b == b->b && a->c == b->c;
}

struct nt_resolver *nt_resolver_new(struct nt_names *names)
{
	struct nt_resolver *resolver = nt_alloc(sizeof(*resolver));
	resolver->names = names;
	nt_ranges_init(&resolver->methods, same_line, names);
	nt_ranges_init(&resolver->stubs, same_line, names);
	nt_ranges_init(&resolver->loads, same_load, names);
	resolver->methods.packs = resolver->stubs.packs = resolver->loads.packs = true;
	nt_listed_init(&resolver->listed, same_line, names);
	nt_ranges_init(&resolver->maps, same_map, NULL);
	nt_images_init(&resolver->images, names);
	nt_lines_init(&resolver->lines, names);
	resolver->map_image = nt_texts_intern_cstr(names->texts, NT_MAP_IMAGE);
	resolver->stub_image = nt_texts_intern_cstr(names->texts, NT_STUB_IMAGE);
	resolver->data_image = nt_images_intern(&resolver->images, nt_texts_intern_cstr(names->texts, NT_RUNTIME_IMAGE), 0);
	resolver->dynamic = nt_texts_intern_cstr(names->texts, NT_DYNAMIC_MODULE);
	nt_keys_init(&resolver->keys);
	nt_recent_init(&resolver->recent);
	return resolver;
}

void nt_resolver_free(struct nt_resolver *resolver)
{
	if (!resolver)
		return;
	nt_ranges_fini(&resolver->methods);
	nt_ranges_fini(&resolver->stubs);
	nt_ranges_fini(&resolver->loads);
	nt_listed_fini(&resolver->listed);
	nt_passing_fini(&resolver->passing);
	nt_ranges_fini(&resolver->maps);
	nt_images_fini(&resolver->images);
	nt_keys_fini(&resolver->keys);
	nt_recent_fini(&resolver->recent);
	free(resolver);
}

void nt_resolver_add_map(struct nt_resolver *resolver, const struct nt_ev_map *map, nt_text_ref image, nt_time time)
{
	uint32_t index = nt_images_intern_ref(&resolver->images, image, map->inode);
	uint64_t pages = (map->file_offset - map->start) >> 12;
	uint32_t high = (uint32_t)(pages >> 32) | (map->flags & 15) << 20;
	nt_unmapped_learned(&resolver->unmapped);
	nt_ranges_add_grown(&resolver->maps, map->start, map->length, time, index, (uint32_t)pages, high);
}

static struct nt_ranges *code_of_kind(struct nt_resolver *resolver, enum nt_code_kind kind)
{
	resolver->stale |= !resolver->any_code;
	resolver->any_code = true;
	return kind == NT_CODE_STUB ? &resolver->stubs : &resolver->methods;
}

void nt_resolver_add_code(struct nt_resolver *resolver, const struct nt_batch_line *line, nt_text_ref text, nt_time from)
{
	nt_ranges_add(code_of_kind(resolver, line->kind), line->start, line->size, from, text, 0, 0);
}

void nt_resolver_add_places(struct nt_resolver *resolver, const struct nt_ev_code *code, const struct nt_batch_place *places, size_t count)
{
	struct nt_ranges *ranges = code_of_kind(resolver, code->kind);
	if (!code->from)
		nt_ranges_add_plain(ranges, places, count, code->map);
	else
		for (size_t i = 0; i < count; i++)
			nt_ranges_add(ranges, places[i].start, places[i].size, code->from, places[i].offset, code->map, 0);
}

void nt_resolver_end_code(struct nt_resolver *resolver, const struct nt_ev_code_end *end, nt_time time)
{
	nt_ranges_end(&resolver->methods, end->start, end->size, time);
	nt_ranges_end(&resolver->stubs, end->start, end->size, time);
}

void nt_resolver_add_method(struct nt_resolver *resolver, const struct nt_ev_method *method, nt_text_ref name, nt_time time)
{
	uint32_t tier = method->tier < NT_TIER_COUNT ? method->tier : NT_TIER_UNKNOWN;
	nt_ranges_add(&resolver->loads, method->start, method->size, time, name, 0, tier);
}

void nt_resolver_end_method(struct nt_resolver *resolver, const struct nt_ev_method *method, nt_time time)
{
	nt_ranges_end(&resolver->loads, method->start, method->size, time);
	nt_ranges_end(&resolver->listed.methods, method->start, method->size, time);
}

void nt_resolver_add_listed(struct nt_resolver *resolver, const struct nt_batch_line *line, nt_text_ref text, nt_time from)
{
	nt_ranges_add(&resolver->listed.methods, line->start, line->size, from, text, 0, 0);
}

bool nt_resolver_lacks_map(const struct nt_resolver *resolver)
{
	return !resolver->any_code || (resolver->map.reason && resolver->map.naming != NT_NAMING_NAMED);
}

bool nt_resolver_needs_list(const struct nt_resolver *resolver)
{
	return resolver->listed.image_needs || (resolver->listed.code_needs && nt_resolver_lacks_map(resolver));
}

void nt_resolver_list_asked(struct nt_resolver *resolver)
{
	resolver->listed.code_needs = resolver->listed.image_needs = false;
}

void nt_resolver_add_name(struct nt_resolver *resolver, const struct nt_ev_name *answer, nt_text_ref image, nt_text_ref name,
			  nt_text_ref reason)
{
	size_t length;
	if (answer->start == answer->end) {
		const char *asked = nt_heap_get(resolver->names->heap, image, &length);
		if (length == strlen(NT_MAPPINGS_IMAGE) && memcmp(asked, NT_MAPPINGS_IMAGE, length) == 0)
			nt_unmapped_answered(&resolver->unmapped, answer->start);
	} else if (answer->until) {
		nt_passing_add(&resolver->passing, answer, name);
	} else {
		nt_images_answer(&resolver->images, answer, image, name, reason);
	}
}

/* Something has changed that may give it its final answer. */
static void forget_provisional(struct nt_resolver *resolver)
{
	if (resolver->recent_provisional)
		nt_recent_forget(&resolver->recent);
	resolver->recent_provisional = false;
}

void nt_resolver_set_source(struct nt_resolver *resolver, bool answering, const struct nt_map_fault *map, nt_time time)
{
	bool missing = map->reason && map->naming != NT_NAMING_NAMED;
	/* Its lines come before the word that it is there. */
	resolver->map_awaited |= missing && !resolver->any_code;
	if (resolver->map_awaited && !missing) {
		resolver->map_awaited = false;
		resolver->map_since = time;
	}
	if (resolver->answering != answering)
		forget_provisional(resolver);
	resolver->stale |= resolver->answering != answering || resolver->map.reason != map->reason || resolver->map.naming != map->naming;
	resolver->answering = answering;
	resolver->map = *map;
}

void nt_resolver_set_reads_data(struct nt_resolver *resolver, bool reads)
{
	if (resolver->reads_data != reads)
		forget_provisional(resolver);
	resolver->stale |= resolver->reads_data != reads;
	resolver->reads_data = reads;
}

bool nt_resolver_reads_data(const struct nt_resolver *resolver)
{
	return resolver->reads_data;
}

/* What a table is about to learn: other code keeps its name, however much is compiled. */
static void forget_recent(struct nt_resolver *resolver, const struct nt_ranges *ranges)
{
	if (nt_plain_has_new(&ranges->plain) || ranges->pending.count > NT_RECENT_FIRST) {
		nt_recent_forget(&resolver->recent);
		return;
	}
	for (size_t i = 0; i < ranges->pending.count; i++)
		nt_recent_forget_some(&resolver->recent, ranges->pending.items[i].start, ranges->pending.items[i].end);
}

void nt_resolver_settle_images(struct nt_resolver *resolver, nt_time now)
{
	memset(resolver->nothing_wanted, 0, sizeof(resolver->nothing_wanted));
	if (nt_images_replaced(&resolver->images))
		nt_recent_forget(&resolver->recent);
	forget_recent(resolver, &resolver->maps);
	resolver->images_settled |= nt_ranges_settle(&resolver->maps, now);
	resolver->images_settled |= nt_images_settle(&resolver->images, now);
	if (resolver->images_settled)
		forget_provisional(resolver);
}

uint32_t nt_resolver_settle(struct nt_resolver *resolver, nt_time now)
{
	bool changed = resolver->stale || resolver->images_settled;
	if (resolver->stale || nt_images_replaced(&resolver->images))
		nt_recent_forget(&resolver->recent);
	const struct nt_ranges *const tables[] = { &resolver->methods, &resolver->stubs, &resolver->loads, &resolver->maps };
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		forget_recent(resolver, tables[i]);
	changed |= nt_ranges_settle(&resolver->methods, now);
	changed |= nt_ranges_settle(&resolver->stubs, now);
	changed |= nt_ranges_settle(&resolver->loads, now);
	changed |= nt_ranges_settle(&resolver->listed.methods, now);
	changed |= nt_ranges_settle(&resolver->maps, now);
	changed |= nt_images_settle(&resolver->images, now);
	nt_resolver_forget_lines(resolver, now);
	resolver->stale = resolver->images_settled = false;
	if (changed) {
		resolver->version++;
		forget_provisional(resolver);
	}
	return resolver->version;
}

void nt_resolver_lacks_mapping(struct nt_resolver *resolver)
{
	resolver->unmapped.met = true;
}

bool nt_resolver_awaits_mappings(const struct nt_resolver *resolver)
{
	return resolver->unmapped.open;
}

void nt_resolver_asks_last(struct nt_resolver *resolver)
{
	nt_unmapped_hurry(&resolver->unmapped);
}

bool nt_resolver_meets_passing(struct nt_resolver *resolver)
{
	bool untold = resolver->passing.untold;
	resolver->passing.untold = false;
	return untold && resolver->reads_data;
}

struct nt_question *nt_resolver_ask(struct nt_resolver *resolver, nt_time now, uint32_t pid, size_t max, size_t *count)
{
	*count = 0;
	if (!resolver->answering)
		return NULL;
	struct nt_question *questions = nt_images_ask(&resolver->images, now, pid, max, count);
	questions = nt_passing_ask(&resolver->passing, pid, max, questions, count);
	return nt_unmapped_ask(&resolver->unmapped, now, pid, max, questions, count);
}

const struct nt_key *nt_resolver_key(const struct nt_resolver *resolver, uint32_t key)
{
	nt_assert(nt_keys_valid(&resolver->keys, key));
	return &resolver->keys.items[key];
}

bool nt_resolver_has_key(const struct nt_resolver *resolver, uint32_t key)
{
	return nt_keys_valid(&resolver->keys, key);
}

size_t nt_resolver_key_count(const struct nt_resolver *resolver)
{
	return resolver->keys.used;
}

void nt_resolver_forget_keys(struct nt_resolver *resolver, bool (*unused)(uint32_t key, void *context), void *context)
{
	for (uint32_t key = 0; key < resolver->keys.count; key++)
		if (nt_keys_valid(&resolver->keys, key) && unused(key, context))
			nt_keys_remove(&resolver->keys, key);
	resolver->stale = true;
	nt_recent_forget(&resolver->recent);
}

size_t nt_resolver_code_count(const struct nt_resolver *resolver)
{
	return nt_ranges_count(&resolver->methods) + nt_ranges_count(&resolver->stubs) + nt_ranges_count(&resolver->loads) +
	       nt_ranges_count(&resolver->listed.methods);
}

struct each_ref {
	nt_ref_visit *visit;
	void *context;
};

static void visit_code(struct nt_range *range, void *context)
{
	const struct each_ref *each = context;
	if (!range->b) /* else it is no text */
		each->visit(&range->a, each->context);
}

void nt_resolver_each_ref(struct nt_resolver *resolver, nt_ref_visit *visit, void *context)
{
	struct each_ref each = { .visit = visit, .context = context };
	nt_lines_forget(&resolver->lines);
	nt_ranges_each(&resolver->methods, visit_code, &each);
	nt_ranges_each(&resolver->stubs, visit_code, &each);
	nt_ranges_each(&resolver->loads, visit_code, &each);
	nt_ranges_each(&resolver->listed.methods, visit_code, &each);
	nt_passing_each_ref(&resolver->passing, visit, context);
	nt_images_each_ref(&resolver->images, visit, context);
}

void nt_resolver_each_text(struct nt_resolver *resolver, nt_text_visit *visit, void *context)
{
	nt_lines_forget(&resolver->lines);
	visit(resolver->map_image, context);
	visit(resolver->stub_image, context);
	visit(resolver->dynamic, context);
	visit(resolver->map.reason, context);
	nt_keys_each_text(&resolver->keys, visit, context);
	nt_images_each_text(&resolver->images, visit, context);
	resolver->images.place_names = 0; /* those that are left are of keys, which are bounded */
}
