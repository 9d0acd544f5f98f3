// SPDX-License-Identifier: GPL-2.0-only
/* Generated code: address + time -> key. The order of the tables is that of resolver.h. */
#include "symbol/resolve_steps.h"

#include <string.h>

/* The text of a line. 0: it is still in the file, and asked for (*provisional), or it cannot be had; *why says so. */
static nt_text_ref text_of_line(struct nt_resolver *resolver, const struct nt_range *line, const struct nt_hit *hit, struct nt_unnamed *why,
				bool *provisional)
{
	*why = (struct nt_unnamed){ .naming = NT_NAMING_CODE_UNNAMED };
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

/* The text of a line, or why it has none. */
struct line_text {
	nt_text_ref ref; /* 0 = none */
	struct nt_unnamed why;
	bool provisional;
};

static struct line_text read_line(struct nt_resolver *resolver, const struct nt_range *line, const struct nt_hit *hit)
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
		nt_resolve_managed(resolver, text->ref, kind, NULL, out);
	else
		out->key = nt_resolve_key(resolver, kind, kind == NT_CODE_STUB ? "[runtime stub]" : "[jit code]", NULL, text->why);
}

static void take_load(struct nt_resolver *resolver, const struct nt_range *load, struct nt_resolved *out)
{
	const char *name = nt_names_keep(resolver->names, load->a);
	const struct nt_unnamed why = { .naming = name ? NT_NAMING_NAMED : NT_NAMING_CODE_UNNAMED };
	out->key = nt_resolve_key(resolver, NT_CODE_JIT, name ? name : "[jit code]", NULL, why);
	out->tier = load->c;
}

/* Does the line of a map, or of the runtime's data, call the method of a METHOD_LOAD as that does? */
static bool is_called_so(struct nt_resolver *resolver, nt_text_ref raw, const struct nt_range *load)
{
	size_t length;
	const char *name = raw ? nt_lines_name(&resolver->lines, raw)->name : "";
	const char *text = nt_heap_get(resolver->names->heap, load->a, &length);
	return strlen(name) == length && memcmp(name, text, length) == 0;
}

/* Is the method of a METHOD_LOAD the one that the perf map calls so? A line that is still to be read: not that we know. */
static bool same_method(struct nt_resolver *resolver, const struct nt_range *load, const struct nt_range *line, const struct nt_hit *hit)
{
	struct nt_unnamed why;
	bool provisional;
	return is_called_so(resolver, text_of_line(resolver, line, hit, &why, &provisional), load);
}

/*
 * Is a METHOD_LOAD newer than the line that the map has for this address, and its name another one? Then the address was re-used and the map's line is of
 * the method before.
 */
static bool is_newer(struct nt_resolver *resolver, const struct nt_range *line, const struct nt_range *load, const struct nt_hit *hit)
{
	return load->from <= hit->time && load->from > line->from && !same_method(resolver, load, line, hit);
}

/* What the map says of a method once it has caught up with its METHOD_LOAD: the fuller entry. False when it has not. */
static bool line_of_load(struct nt_resolver *resolver, const struct nt_range *load, const struct nt_hit *hit, struct nt_range *line)
{
	struct nt_range_hit latest = nt_ranges_find(&resolver->methods, hit->address, NT_TIME_UNKNOWN - 1);
	*line = latest.range;
	return latest.found && same_method(resolver, load, line, hit);
}

bool nt_resolve_listed(struct nt_resolver *resolver, const struct nt_hit *hit, bool *needed, struct nt_resolved *out)
{
	struct nt_range_hit listed = nt_ranges_find(&resolver->listed.methods, hit->address, hit->time);
	nt_resolve_limit(out, &listed);
	if (listed.found)
		nt_resolve_managed(resolver, listed.range.a, NT_CODE_JIT, NULL, out);
	else if (needed && hit->weight)
		nt_listed_want(&resolver->listed, hit->address, needed);
	return listed.found;
}

/* Of a method whose line was lost with the file: what the runtime's data, its events or its list say of it. */
static bool resolve_lost(struct nt_resolver *resolver, const struct nt_range_hit *load, const struct nt_hit *hit, struct nt_resolved *out)
{
	enum nt_read read = nt_resolve_read(resolver, hit, out);
	out->provisional = read == NT_READ_OPEN;
	if (read == NT_READ_NAME)
		return true;
	if (load->found)
		take_load(resolver, &load->range, out);
	return load->found || nt_resolve_listed(resolver, hit, read == NT_READ_NOTHING ? &resolver->listed.code_needs : NULL, out);
}

/* The event says since when it is there; of code that may be freed a look, of other code the runtime's list, says more of it: one row for both. */
static void take_load_or_more(struct nt_resolver *resolver, const struct nt_range *load, const struct nt_hit *hit, enum nt_read read,
			      struct nt_resolved *out)
{
	const struct nt_passed *passed = read == NT_READ_PASSING ? nt_passing_newest(&resolver->passing, hit->address) : NULL;
	const struct nt_range_hit listed = nt_ranges_find(&resolver->listed.methods, hit->address, hit->time);
	nt_resolve_limit(out, &listed);
	if (passed && is_called_so(resolver, passed->name, load))
		nt_resolve_managed(resolver, passed->name, NT_CODE_JIT, NULL, out);
	else if (listed.found && is_called_so(resolver, listed.range.a, load))
		nt_resolve_managed(resolver, listed.range.a, NT_CODE_JIT, NULL, out);
	else
		take_load(resolver, load, out);
}

/* By a line that is a stub, or by an event: no line of a method is right. `reused`: an event is newer than such a line. */
static bool resolve_other_code(struct nt_resolver *resolver, const struct nt_range_hit *load, bool reused, const struct nt_hit *hit,
			       struct nt_resolved *out)
{
	struct nt_range_hit stub = { 0 };
	if (!reused) {
		stub = nt_ranges_find(&resolver->stubs, hit->address, hit->time);
		nt_resolve_limit(out, &stub);
	}
	if (stub.found) {
		struct line_text text = read_line(resolver, &stub.range, hit);
		take_line(resolver, &text, NT_CODE_STUB, out);
	} else if (load->found) {
		bool lacks_map = nt_resolver_lacks_map(resolver);
		enum nt_read read = lacks_map ? nt_resolve_read(resolver, hit, out) : NT_READ_NOTHING;
		if (read != NT_READ_NAME)
			take_load_or_more(resolver, &load->range, hit, read, out);
		out->awaited = false;
		out->provisional = read == NT_READ_OPEN || !lacks_map; /* what tells more, the module for one, is on its way */
	} else {
		return false;
	}
	out->mapped = true;
	return true;
}

bool nt_resolve_code(struct nt_resolver *resolver, const struct nt_hit *hit, struct nt_resolved *out)
{
	struct nt_range_hit line = nt_ranges_find(&resolver->methods, hit->address, hit->time);
	struct nt_range_hit load = nt_ranges_find(&resolver->loads, hit->address, hit->time);
	nt_resolve_limit(out, &line);
	nt_resolve_limit(out, &load);
	bool reused = line.found && load.found && is_newer(resolver, &line.range, &load.range, hit);
	if (reused)
		line.found = line_of_load(resolver, &load.range, hit, &line.range);
	struct line_text text = { 0 };
	enum nt_line_check check = NT_LINE_STANDS;
	if (line.found) {
		text = read_line(resolver, &line.range, hit);
		if (is_lost(&line.range, &text)) {
			if (resolve_lost(resolver, &load, hit, out)) {
				out->mapped = true;
				return true;
			}
			out->provisional = true;
		} else {
			check = nt_resolve_check_line(resolver, hit, &line.range, text.ref, out);
		}
	}
	if (line.found && check == NT_LINE_STANDS)
		take_line(resolver, &text, NT_CODE_JIT, out);
	else if (!line.found || check == NT_LINE_REFUTED)
		return resolve_other_code(resolver, &load, reused, hit, out);
	out->mapped = true;
	return true;
}

/* Generated code that is in no table. */
static struct nt_unnamed why_no_line(const struct nt_resolver *resolver, nt_time time)
{
	struct nt_unnamed why = { .naming = resolver->any_code ? NT_NAMING_NO_LINE : NT_NAMING_PERF_MAP_OFF, .text = resolver->map.reason };
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
static bool resolve_stub(struct nt_resolver *resolver, const struct nt_range *map, const struct nt_hit *hit, struct nt_unnamed *why,
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
	nt_resolve_limit(out, &answer);
	const char *name = nt_names_keep(resolver->names, answer.range.a), *reason = nt_names_keep(resolver->names, answer.range.b);
	if (name)
		out->key = nt_resolve_key(resolver, NT_CODE_STUB, name, NULL, (struct nt_unnamed){ .naming = NT_NAMING_STUB });
	else if (reason && !why->text)
		why->text = reason;
	return name != NULL;
}

/* Why it has no name, as far as a name would be the map's or the data's to tell. */
static struct nt_unnamed why_unnamed(const struct nt_resolver *resolver, const struct nt_hit *hit, enum nt_read read)
{
	bool lacks_map = nt_resolver_lacks_map(resolver);
	if (read == NT_READ_STUB)
		return (struct nt_unnamed){ .naming = lacks_map ? NT_NAMING_STUB_KIND : NT_NAMING_NO_LINE };
	if (read == NT_READ_OPEN && lacks_map)
		return (struct nt_unnamed){ .naming = NT_NAMING_PENDING };
	if (read == NT_READ_PASSING && lacks_map)
		return (struct nt_unnamed){ .naming = NT_NAMING_PASSING };
	if (resolver->reads_data && lacks_map)
		return (struct nt_unnamed){ .naming = NT_NAMING_CODE_UNNAMED };
	return why_no_line(resolver, hit->time);
}

/* `map`: the memory that it lies in. */
static void resolve_unnamed_code(struct nt_resolver *resolver, const struct nt_range *map, const struct nt_hit *hit, enum nt_read read,
				 struct nt_resolved *out)
{
	struct nt_unnamed why = why_unnamed(resolver, hit, read);
	bool stub = read == NT_READ_STUB, lacks_map = nt_resolver_lacks_map(resolver);
	out->provisional = !lacks_map || read != NT_READ_PASSING || out->awaited;
	if ((!resolver->any_code && !stub) || (read == NT_READ_PASSING && lacks_map)) {
		/* Most of it is methods: their machine code says nothing. */
		out->key = nt_resolve_key(resolver, NT_CODE_UNKNOWN, "[jit code]", NULL, why);
		return;
	}
	if (resolve_stub(resolver, map, hit, &why, out)) {
		out->provisional = false;
		return;
	}
	/* What is no stub was a method that the map came too late for; the answer changes when it comes. */
	bool late = why.naming == NT_NAMING_PERF_MAP_LATE, gone = stub && why.text;
	if (late && resolver->map_since < out->valid_to)
		out->valid_to = resolver->map_since;
	else if (!late && resolver->map_since > out->valid_from)
		out->valid_from = resolver->map_since;
	if (gone) /* it is no method's any more: nobody can say whether it was */
		why.naming = NT_NAMING_PASSING;
	out->key = late || gone ? nt_resolve_key(resolver, NT_CODE_UNKNOWN, "[jit code]", NULL, why)
				: nt_resolve_key(resolver, NT_CODE_STUB, "[runtime stub]", NULL, why);
}

void nt_resolve_jitted(struct nt_resolver *resolver, const struct nt_range *map, const struct nt_hit *hit, struct nt_resolved *out)
{
	enum nt_read read = nt_resolve_read(resolver, hit, out);
	/* A list of all methods costs the target something: stubs, and what may still be told for nothing, are no need. */
	bool *needed = read == NT_READ_NOTHING ? &resolver->listed.code_needs : NULL;
	if (read == NT_READ_NAME || nt_resolve_listed(resolver, hit, needed, out)) {
		out->provisional = !nt_resolver_lacks_map(resolver); /* the map's line, of what may be there by now, is on its way */
		out->awaited = false;
	} else {
		resolve_unnamed_code(resolver, map, hit, read, out);
	}
	out->provisional |= read == NT_READ_OPEN;
}

/* ---- what is to be asked ---- */

/* A line of the perf map may still have to be read, and that of a method is checked; what an event named needs nothing. *found: it is in one of them. */
bool nt_resolve_want_code(struct nt_resolver *resolver, const struct nt_hit *hit, bool *found)
{
	const struct nt_ranges *const tables[] = { &resolver->methods, &resolver->stubs, &resolver->loads };
	*found = false;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables) && !*found; i++) {
		struct nt_range_hit line = nt_ranges_find(tables[i], hit->address, hit->time);
		*found = line.found;
		if (line.found && tables[i] != &resolver->loads) {
			struct line_text text = read_line(resolver, &line.range, hit);
			bool check = tables[i] == &resolver->methods && text.ref;
			return (check && nt_resolve_want_read(resolver, hit)) || text.provisional;
		}
		if (line.found)
			return nt_resolver_lacks_map(resolver) && nt_resolve_want_read(resolver, hit);
	}
	return false;
}

/* ---- what is known of it besides ---- */

/* As the runtime's own data have it. */
static const char *module_of_data(struct nt_resolver *resolver, uint64_t address, const char *name, bool *asked)
{
	const struct nt_range_hit answer = nt_images_find(&resolver->images, resolver->data_image, address);
	const struct nt_place place = { .offset = address, .weight = 1 };
	if (answer.found)
		return answer.range.a ? nt_lines_module(&resolver->lines, answer.range.a, name) : NULL;
	if (asked && resolver->reads_data)
		*asked = nt_resolve_want_place(resolver, resolver->data_image, &place);
	return NULL;
}

static const char *module_of_list(struct nt_resolver *resolver, uint64_t address, const char *name)
{
	const struct nt_range_hit listed = nt_ranges_find(&resolver->listed.methods, address, NT_TIME_UNKNOWN - 1);
	return listed.found ? nt_lines_module(&resolver->lines, listed.range.a, name) : NULL;
}

const char *nt_resolver_module(struct nt_resolver *resolver, uint64_t address, const char *name, bool *asked)
{
	struct nt_range_hit line = nt_ranges_find(&resolver->methods, address, NT_TIME_UNKNOWN - 1);
	if (!line.found) {
		const char *listed = module_of_list(resolver, address, name);
		return listed ? listed : module_of_data(resolver, address, name, asked);
	}
	const struct nt_hit nobody = { .address = address };
	struct nt_unnamed why;
	bool provisional;
	nt_text_ref text = text_of_line(resolver, &line.range, &nobody, &why, &provisional);
	return text ? nt_lines_module(&resolver->lines, text, name) : NULL;
}

/* Neither the map nor an event says when code ends that they do not have: the list's goes with the method's UNLOAD, what the data name is never freed, or nobody says when. */
static bool is_named_besides(const struct nt_resolver *resolver, uint64_t address, nt_time time)
{
	struct nt_range_hit data = nt_images_find(&resolver->images, resolver->data_image, address);
	return (data.found && data.range.a) || nt_ranges_find(&resolver->listed.methods, address, time).found ||
	       nt_passing_newest(&resolver->passing, address);
}

bool nt_resolver_ended(const struct nt_resolver *resolver, uint64_t address, nt_time time)
{
	return !nt_ranges_find(&resolver->methods, address, time).found && !nt_ranges_find(&resolver->stubs, address, time).found &&
	       !nt_ranges_find(&resolver->loads, address, time).found && !is_named_besides(resolver, address, time);
}

bool nt_resolver_replaced(const struct nt_resolver *resolver, uint64_t address, nt_time since)
{
	const nt_time newest_of_all = NT_TIME_UNKNOWN - 1;
	const struct nt_ranges *const tables[] = { &resolver->methods, &resolver->loads };
	const struct nt_passed *passed = nt_passing_newest(&resolver->passing, address);
	bool there = nt_ranges_find(&resolver->stubs, address, newest_of_all).found || is_named_besides(resolver, address, newest_of_all);
	if (passed && passed->from > since)
		return true;
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct nt_range_hit newest = nt_ranges_find(tables[i], address, newest_of_all);
		if (newest.found && newest.range.from > since)
			return true;
		there |= newest.found;
	}
	return !there;
}
