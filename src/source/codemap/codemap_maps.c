// SPDX-License-Identifier: GPL-2.0-only
#include "source/codemap/codemap_maps.h"

#include "base/alloc.h"
#include "base/hash.h"
#include "decode/codemap/map_name.h"
#include "decode/kernel/procfs_text.h"
#include "source/common/maps_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * Reading takes the target's mmap lock and some of our time: at most this part of it. At first it is read often, because the source of the samples may
 * attach a little later than we; then that source tells of new mappings, and this is for what it may have lost. Sooner when somebody misses one.
 */
enum { COST_RATIO = 200, WANTED_COST_RATIO = 20, PAUSE_MS = 1000, PAUSE_GROWTH = 4, PAUSE_MOST_MS = 8000 };

struct nt_codemap_maps {
	struct nt_hand *hand;
	char *path;
	uint64_t *known; /* hashes of the executable mappings of the last reading, sorted */
	size_t known_count;
	bool read;        /* all of them once, [vsyscall] too */
	nt_time pause_ns; /* until the next reading, at least */
	nt_time due;
	nt_time due_wanted; /* the same, if one is missed */
	bool wanted;        /* one is: whoever asked is told when they have been read */
	uint64_t question;  /* the newest one's offset */
};

/* The mappings of the reading in hand. */
struct fresh {
	uint64_t *hashes;
	size_t count, capacity;
};

struct nt_codemap_maps *nt_codemap_maps_new(const struct nt_files_target *target, struct nt_hand *hand)
{
	struct nt_codemap_maps *maps = nt_alloc(sizeof(*maps));
	maps->hand = hand;
	maps->pause_ns = PAUSE_MS * NT_NS_PER_MS;
	size_t size = strlen(target->proc_dir) + sizeof("/maps");
	maps->path = nt_alloc(size);
	snprintf(maps->path, size, "%s/maps", target->proc_dir);
	return maps;
}

void nt_codemap_maps_free(struct nt_codemap_maps *maps)
{
	if (!maps)
		return;
	free(maps->path);
	free(maps->known);
	free(maps);
}

static uint64_t hash_of(const struct nt_procfs_map *map)
{
	const uint64_t words[] = { map->start, map->end, map->offset, map->inode, nt_hash_bytes(map->path, map->path_length) };
	return nt_hash_bytes(words, sizeof(words));
}

static int compare(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return a < b ? -1 : a > b;
}

static void put(struct nt_codemap_out *out, nt_time now, const struct nt_procfs_map *map)
{
	struct nt_map_name name = nt_map_name_read(map->path, map->path_length);
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_MAP, now);
	struct nt_ev_map *said = &event->u.map;
	said->start = map->start;
	said->length = map->end - map->start;
	/* Memory files have no name in the file system and always count as deleted: that says nothing. */
	said->flags = name.flags | (map->deleted && !(name.flags & NT_MAP_JIT) ? NT_MAP_DELETED : 0);
	said->file_offset = map->offset;
	said->inode = map->inode;
	said->image = nt_codemap_out_str(out, name.image, name.image_length);
}

static void take(struct nt_codemap_maps *maps, const struct nt_maps_text *text, struct nt_codemap_out *out, nt_time now)
{
	struct fresh fresh = { 0 };
	for (size_t at = 0; at < text->length;) {
		struct nt_procfs_map map;
		bool valid;
		size_t used = nt_procfs_map_next(text->text + at, text->length - at, &map, &valid);
		if (!used)
			break;
		at += used;
		if (!valid || !map.exec)
			continue;
		uint64_t hash = hash_of(&map);
		if (!maps->known_count || !bsearch(&hash, maps->known, maps->known_count, sizeof(hash), compare))
			put(out, now, &map);
		fresh.hashes = nt_grow(fresh.hashes, &fresh.capacity, fresh.count + 1, sizeof(*fresh.hashes));
		fresh.hashes[fresh.count++] = hash;
	}
	if (fresh.count)
		qsort(fresh.hashes, fresh.count, sizeof(*fresh.hashes), compare);
	free(maps->known);
	maps->known = fresh.hashes;
	maps->known_count = fresh.count;
}

nt_time nt_codemap_maps_due(const struct nt_codemap_maps *maps)
{
	return maps->due;
}

void nt_codemap_maps_want(struct nt_codemap_maps *maps, uint64_t question)
{
	maps->wanted = true;
	maps->question = question;
	if (maps->due > maps->due_wanted)
		maps->due = maps->due_wanted;
}

bool nt_codemap_maps_are_wanted(const struct nt_codemap_maps *maps)
{
	return maps->wanted;
}

static void answer(struct nt_codemap_maps *maps, struct nt_codemap_out *out, nt_time now)
{
	if (!maps->wanted)
		return;
	maps->wanted = false;
	struct nt_event *event = nt_codemap_out_event(out, NT_EV_NAME, now);
	event->u.name.start = event->u.name.end = maps->question;
	event->u.name.image = nt_codemap_out_cstr(out, NT_MAPPINGS_IMAGE);
}

void nt_codemap_maps_poll(struct nt_codemap_maps *maps, struct nt_codemap_out *out)
{
	struct nt_maps_text text;
	nt_time began = nt_clock_now();
	enum nt_status status = maps->read ? nt_maps_text_read_code(maps->hand, maps->path, NT_FILES_TIMEOUT_NS, &text)
					   : nt_maps_text_read(maps->hand, maps->path, NT_FILES_TIMEOUT_NS, &text);
	nt_time now = nt_clock_now(), cost = (now - began) * COST_RATIO;
	maps->due_wanted = now + (now - began) * WANTED_COST_RATIO;
	/* Of a process that ended, what it had stays known. */
	if (status == NT_OK) {
		maps->read = true;
		take(maps, &text, out, now);
		free(text.text);
	}
	answer(maps, out, now);
	nt_codemap_out_flush(out);
	maps->due = now + (cost > maps->pause_ns ? cost : maps->pause_ns);
	maps->pause_ns *= PAUSE_GROWTH;
	if (maps->pause_ns > PAUSE_MOST_MS * NT_NS_PER_MS)
		maps->pause_ns = PAUSE_MOST_MS * NT_NS_PER_MS;
}
