// SPDX-License-Identifier: GPL-2.0-only
#include "source/unwind/frame_lookup.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "decode/codemap/map_name.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/files_target.h"
#include "source/common/hand.h"
#include "source/common/maps_text.h"
#include "source/decoder/decoder.h"
#include "source/decoder/decoder_process.h"
#include "source/image/image_names.h"
#include "source/unwind/memory_rules.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Mappings are read again at most so often, and in this part of the time: it takes the target's mmap lock. */
enum { PAUSE_MS = 100, COST_RATIO = 50, MAPPINGS_MAX = 1 << 16 };

struct mapping {
	uint64_t start, end, offset, inode;
	char *path; /* owned; NULL = code with frame pointers */
};

struct nt_frame_lookup {
	struct nt_files_target target;
	struct nt_hand *hand;
	struct nt_decoder *decoder;     /* reads the images */
	struct nt_memory_rules *memory; /* what lies in none; NULL = there is no code there but generated one */
	char *maps_path;
	struct mapping *mappings; /* sorted, as the kernel lists them */
	size_t mapping_count, mapping_capacity;
	bool no_pointers; /* who walks begins without one: the runtime's own libraries are looked up, too */
	nt_time next_reading;
};

struct nt_frame_lookup *nt_frame_lookup_new(const struct nt_target *target, const struct nt_source_config *config)
{
	struct nt_frame_lookup *lookup = nt_alloc(sizeof(*lookup));
	nt_files_target_init(&lookup->target, target, config);
	lookup->no_pointers = config->native_stacks;
	lookup->hand = nt_hand_new();
	lookup->decoder = nt_decoder_new(&lookup->target, lookup->hand, NT_DECODER_CFI_WORD);
	lookup->memory = nt_memory_rules_new(target);
	lookup->maps_path = nt_format("%s/maps", lookup->target.proc_dir);
	return lookup;
}

static void drop_mappings(struct nt_frame_lookup *lookup)
{
	for (size_t i = 0; i < lookup->mapping_count; i++)
		free(lookup->mappings[i].path);
	lookup->mapping_count = 0;
}

void nt_frame_lookup_free(struct nt_frame_lookup *lookup)
{
	drop_mappings(lookup);
	nt_memory_rules_free(lookup->memory);
	nt_decoder_free(lookup->decoder);
	nt_hand_free(lookup->hand);
	nt_files_target_fini(&lookup->target);
	free(lookup->maps_path);
	free(lookup->mappings);
	free(lookup);
}

void nt_frame_lookup_cancel(struct nt_frame_lookup *lookup)
{
	nt_hand_cancel(lookup->hand);
	nt_memory_rules_cancel(lookup->memory);
	nt_decoder_cancel(lookup->decoder);
}

uint64_t nt_frame_lookup_cpu_ns(struct nt_frame_lookup *lookup)
{
	return nt_hand_cpu_ns(lookup->hand);
}

uint64_t nt_frame_lookup_helper_cpu_ns(const struct nt_frame_lookup *lookup)
{
	return nt_decoder_cpu_ns(lookup->decoder) + nt_memory_rules_cpu_ns(lookup->memory);
}

uint64_t nt_frame_lookup_helper_bytes(const struct nt_frame_lookup *lookup)
{
	return nt_decoder_bytes(lookup->decoder);
}

/* ---- mappings ---- */

static void add_mapping(struct nt_frame_lookup *lookup, const struct nt_procfs_map *map)
{
	struct nt_map_name name = nt_map_name_read(map->path, map->path_length);
	lookup->mappings = nt_grow(lookup->mappings, &lookup->mapping_capacity, lookup->mapping_count + 1, sizeof(*lookup->mappings));
	struct mapping *mapping = &lookup->mappings[lookup->mapping_count++];
	*mapping = (struct mapping){ .start = map->start, .end = map->end, .offset = map->offset, .inode = map->inode };
	if (name.flags & NT_MAP_JIT || !map->inode || !name.image_length || name.image[0] != '/')
		return;
	mapping->path = nt_format("%.*s", (int)name.image_length, name.image);
	if (!lookup->no_pointers && nt_image_kind(mapping->path) == NT_CODE_RUNTIME) {
		free(mapping->path);
		mapping->path = NULL;
	}
}

static enum nt_status read_mappings(struct nt_frame_lookup *lookup)
{
	nt_time began = nt_clock_now();
	if (began < lookup->next_reading)
		return NT_AGAIN;
	struct nt_maps_text text;
	enum nt_status status = nt_maps_text_read(lookup->hand, lookup->maps_path, NT_FILES_TIMEOUT_NS, &text);
	nt_time now = nt_clock_now(), cost = (now - began) * COST_RATIO;
	lookup->next_reading = now + (cost > PAUSE_MS * NT_NS_PER_MS ? cost : PAUSE_MS * NT_NS_PER_MS);
	if (status != NT_OK)
		return status == NT_END ? NT_END : NT_AGAIN;
	drop_mappings(lookup);
	for (size_t at = 0; at < text.length && lookup->mapping_count < MAPPINGS_MAX;) {
		struct nt_procfs_map map;
		bool valid;
		size_t used = nt_procfs_map_next(text.text + at, text.length - at, &map, &valid);
		if (!used)
			break;
		at += used;
		if (valid && map.exec)
			add_mapping(lookup, &map);
	}
	free(text.text);
	return NT_OK;
}

static const struct mapping *mapping_at(const struct nt_frame_lookup *lookup, uint64_t address)
{
	size_t next = nt_starts_up_to(lookup->mappings, lookup->mapping_count, sizeof(*lookup->mappings), address);
	return next && lookup->mappings[next - 1].end > address ? &lookup->mappings[next - 1] : NULL;
}

/* ---- images ---- */

struct asking {
	enum nt_status status; /* NT_END: there was no answer, because it was cancelled */
	uint64_t start, end;   /* offsets in the file */
	struct nt_frame_rule rule;
};

static void take(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct asking *asking = context;
	(void)request;
	asking->status = reply->for_now ? NT_AGAIN : NT_OK;
	asking->start = reply->answer->start;
	asking->end = reply->answer->end;
	if (!reply->answer->has_name || !nt_decoder_table_rule(reply->table, &asking->rule))
		asking->rule = (struct nt_frame_rule){ .way = NT_FRAME_POINTER };
}

static void ask(struct nt_frame_lookup *lookup, const struct mapping *mapping, uint64_t offset, struct asking *asking)
{
	const struct nt_decoder_request request = { .verb = NT_DECODE_FRAME,
						    .of = { .inode = mapping->inode,
							    .offset = offset,
							    .map_start = mapping->start,
							    .map_end = mapping->end,
							    .image = mapping->path } };
	asking->status = NT_END;
	nt_decoder_ask(lookup->decoder, &request, 1, take, asking);
}

void nt_frame_lookup_forget(struct nt_frame_lookup *lookup, uint64_t start, uint64_t end)
{
	size_t kept = 0;
	for (size_t i = 0; i < lookup->mapping_count; i++) {
		struct mapping *mapping = &lookup->mappings[i];
		if (mapping->start < end && start < mapping->end)
			free(mapping->path);
		else
			lookup->mappings[kept++] = *mapping;
	}
	lookup->mapping_count = kept;
}

enum nt_status nt_frame_lookup_find(struct nt_frame_lookup *lookup, uint64_t address, uint64_t *start, uint64_t *end,
				    struct nt_frame_rule *rule)
{
	const struct mapping *mapping = mapping_at(lookup, address);
	if (!mapping) {
		enum nt_status status = read_mappings(lookup);
		if (status != NT_OK)
			return status;
		mapping = mapping_at(lookup, address);
	}
	*start = mapping ? mapping->start : address;
	*end = mapping ? mapping->end : address + 1;
	*rule = (struct nt_frame_rule){ .way = mapping ? NT_FRAME_POINTER : NT_FRAME_NOWHERE };
	if (mapping && !mapping->inode && lookup->memory)
		return nt_memory_rules_find(lookup->memory, address, start, end, rule);
	if (!mapping || !mapping->path)
		return NT_OK;
	/* From addresses to offsets in the file and back. */
	uint64_t bias = mapping->start - mapping->offset, size = mapping->end - mapping->start;
	struct asking asking;
	ask(lookup, mapping, address - bias, &asking);
	if (asking.status != NT_OK)
		return asking.status;
	*rule = asking.rule;
	if (asking.start > mapping->offset)
		*start = asking.start + bias;
	if (asking.end < mapping->offset + size)
		*end = asking.end + bias;
	return NT_OK;
}
