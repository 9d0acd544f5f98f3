// SPDX-License-Identifier: GPL-2.0-only
#include "source/export/r2r_mapped.h"

#include "base/alloc.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/maps_text.h"

#include <stdlib.h>
#include <string.h>

/* What all methods of a process may take, more than any has: a decoder that lies could go on for ever. */
#define ALL_BYTES ((uint64_t)512 << 20)

struct walk {
	struct nt_decoder *decoder;
	const struct nt_r2r_visitor *visitor;
	const struct nt_procfs_map *map; /* in hand */
	uint64_t next;                   /* number of the method to go on with; 0 = there is none */
	uint64_t left;                   /* of ALL_BYTES */
};

/* Those that lie in this mapping, of those that came. */
static void take(void *context, const struct nt_decoder_request *request, const struct nt_decoder_reply *reply)
{
	struct walk *walk = context;
	const struct nt_procfs_map *map = walk->map;
	const struct nt_decoder_table *table = reply->table;
	for (size_t i = 0; i < table->line_count; i++) {
		const struct nt_batch_line *line = &table->lines[i];
		uint64_t from = line->start - map->offset, size = map->end - map->start;
		uint64_t bytes = sizeof(struct nt_r2r_mapped) + line->length;
		if (!line->size || line->start < map->offset || from > size || line->size > size - from || bytes > walk->left)
			continue;
		walk->left -= bytes;
		walk->visitor->method(walk->visitor->context, &(struct nt_r2r_mapped){ .address = map->start + from,
										       .size = line->size,
										       .offset = line->start,
										       .name = table->letters + line->offset,
										       .length = line->length });
	}
	uint64_t next = reply->answer->has_name ? strtoull(reply->answer->text, NULL, 10) : 0;
	walk->next = next > request->base ? next : 0; /* else it would go on for ever */
}

static bool walk_mapping(struct walk *walk, const struct nt_procfs_map *map, nt_time deadline)
{
	char *path = nt_format("%.*s", (int)map->path_length, map->path);
	size_t length = map->path_length;
	struct nt_decoder_request request = { .verb = NT_DECODE_METHODS,
					      .of = { .inode = map->inode,
						      .offset = map->offset + (map->end - map->start) / 2,
						      .map_start = map->start,
						      .map_end = map->end,
						      .image = path } };
	walk->visitor->file(walk->visitor->context, path, length > 4 && strcmp(path + length - 4, ".dll") == 0);
	walk->map = map;
	bool in_time;
	do {
		walk->next = 0;
		in_time = nt_clock_now() < deadline;
		if (in_time)
			nt_decoder_ask(walk->decoder, &request, 1, take, walk);
		request.base = walk->next;
	} while (walk->next);
	free(path);
	return in_time;
}

static bool has_code(const struct nt_procfs_map *map)
{
	return map->exec && !map->shared && map->inode && map->path_length && map->path[0] == '/';
}

bool nt_r2r_mapped_each(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder, nt_time deadline,
			const struct nt_r2r_visitor *visitor)
{
	struct walk walk = { .decoder = decoder, .visitor = visitor, .left = ALL_BYTES };
	struct nt_maps_text text = { 0 };
	char *path = nt_format("%s/maps", target->proc_dir);
	enum nt_status status = nt_maps_text_read(hand, path, NT_FILES_TIMEOUT_NS, &text); /* no text of a process that has ended */
	bool good = status != NT_ERR_TIMEOUT, valid;
	struct nt_procfs_map map;
	for (size_t at = 0, step; good && (step = nt_procfs_map_next(text.text + at, text.length - at, &map, &valid)); at += step)
		if (valid && has_code(&map))
			good = walk_mapping(&walk, &map, deadline);
	free(text.text);
	free(path);
	return good;
}
