/* SPDX-License-Identifier: GPL-2.0-only */
/* Shared by resolver.c (intake) and resolve.c (look-up). */
#ifndef NT_SYMBOL_RESOLVER_INTERNAL_H
#define NT_SYMBOL_RESOLVER_INTERNAL_H

#include "symbol/images.h"
#include "symbol/lines.h"
#include "symbol/listed.h"
#include "symbol/passing.h"
#include "symbol/recent.h"
#include "symbol/resolver.h"
#include "symbol/unmapped.h"

enum { NT_PLACE_NAME_LIMIT = 1 << 17, NT_NOTHING_WANTED = 1 << 9 };

/*
 * Use of the three free words of a range (those of code are packed, so their b is no text):
 *   line:  a = its text, b = 0; or a = where its text is in the map file b
 *   load:  a = display name, c = enum nt_tier
 *   listed: a = its text, b = 0
 *   map:   a = image, (b, c) = (file offset - start) in pages of 4 KB, 52 bits, and enum nt_map_flag << 20 in c
 */
struct nt_resolver {
	struct nt_names *names;          /* borrowed */
	struct nt_ranges methods, stubs; /* lines of the perf map */
	struct nt_ranges loads;          /* METHOD_LOAD events */
	struct nt_listed listed;
	struct nt_passing passing; /* what the runtime's data say of code that may be freed */
	struct nt_ranges maps;
	struct nt_unmapped unmapped;
	struct nt_images images;
	struct nt_lines lines;
	const char *map_image, *stub_image; /* the table's: NT_MAP_IMAGE, NT_STUB_IMAGE */
	uint32_t data_image;                /* among the images: NT_RUNTIME_IMAGE */
	const char *dynamic;                /* the table's: the module of dynamic methods */
	struct nt_keys keys;
	struct nt_recent recent;
	uint64_t nothing_wanted
		[NT_NOTHING_WANTED]; /* addresses by their hash that nt_resolver_want() found nothing to ask about, since it was begun */
	bool any_code;               /* a perf map line was seen: the map is on */
	bool answering;
	bool reads_data;         /* NT_RUNTIME_IMAGE is answered, too */
	struct nt_map_fault map; /* what is wrong with the perf map */
	bool map_awaited;        /* there was none when we began */
	nt_time map_since;       /* it was switched on while we watched; 0 = before */
	bool stale;              /* something changed that is not in a range table */
	bool images_settled;     /* mappings or answers have become findable since the last settle */
	bool recent_provisional; /* some of what was found lately is: it ends with the next change of anything */
	uint32_t version;
};

/* As long as there is a perf map, or it is being switched on, what it has no line of is no method. */
bool nt_resolver_lacks_map(const struct nt_resolver *resolver);

/* Forget the texts of lines of the map file, read again when they were wanted, that are lines of no code any more. */
void nt_resolver_forget_lines(struct nt_resolver *resolver, nt_time now);

static inline uint64_t nt_map_file_offset(const struct nt_range *range, uint64_t address)
{
	uint64_t pages = (uint64_t)range->b | (uint64_t)(range->c & 0xfffff) << 32;
	return address + (pages << 12);
}

static inline uint32_t nt_map_flags_of(const struct nt_range *range)
{
	return range->c >> 20;
}

#endif
