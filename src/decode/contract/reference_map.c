// SPDX-License-Identifier: GPL-2.0-only
/*
 * In front of a MethodTable stands the number of runs, and in front of that the runs, the first one last: bytes and offset of each. Of an array of structures the number is negative: one offset, of the first element, and in front
 * of it as many pairs: how many references, and how many bytes without any follow. Bytes of a run are what is to be added to those of the object, so that one description is right for arrays of all lengths.
 */
#include "decode/contract/reference_map.h"

#include "base/alloc.h"

#include <stdlib.h>

enum { WORD = 8, RUN_BYTES = 16, HEAD = 8 /* its type; what is in front of an object is counted as its own, too */ };

static struct nt_reference_run read_run(struct nt_memory *memory, uint64_t table, uint32_t number, bool *bad)
{
	uint64_t at = table - WORD - RUN_BYTES * (uint64_t)(number + 1);
	return (struct nt_reference_run){ .bytes = nt_memory_u64(memory, at, bad), .offset = nt_memory_u64(memory, at + WORD, bad) };
}

/* Without a reference it would not be there, and one that leads nowhere would never end. */
static struct nt_reference_run read_repeating(struct nt_memory *memory, uint64_t table, uint32_t number, bool *bad)
{
	uint64_t pair = nt_memory_u64(memory, table - 3 * WORD - WORD * (uint64_t)number, bad);
	struct nt_reference_run run = { .bytes = (pair & UINT32_MAX) * WORD, .offset = pair >> 32 };
	*bad |= !run.bytes || run.offset % WORD;
	return run;
}

bool nt_reference_map_read(struct nt_memory *memory, uint64_t table, size_t *left, struct nt_reference_map *out)
{
	bool bad = false;
	int64_t said = (int64_t)nt_memory_u64(memory, table - WORD, &bad);
	*out = (struct nt_reference_map){ .repeats = said < 0 };
	if (bad || !said || said > NT_REFERENCE_RUNS || said < -NT_REFERENCE_RUNS)
		return false;
	uint32_t count = (uint32_t)(out->repeats ? -said : said);
	if (count > *left)
		return false;
	*left -= count;
	out->runs = nt_realloc(NULL, count, sizeof(*out->runs));
	out->count = count;
	for (uint32_t i = 0; i < count && !bad; i++)
		out->runs[i] = out->repeats ? read_repeating(memory, table, i, &bad) : read_run(memory, table, i, &bad);
	out->begin = out->repeats ? nt_memory_u64(memory, table - 2 * WORD, &bad) : 0;
	if (bad)
		nt_reference_map_fini(out);
	return !bad;
}

void nt_reference_map_fini(struct nt_reference_map *map)
{
	free(map->runs);
	*map = (struct nt_reference_map){ 0 };
}

static bool is_within(uint64_t offset, uint64_t bytes, uint64_t end)
{
	return offset >= HEAD && offset % WORD == 0 && bytes % WORD == 0 && offset <= end && bytes <= end - offset;
}

/* Runs of an object do not lie over each other, so together they are no longer than it is. Only that of an array may be empty. */
static bool each_run(const struct nt_reference_map *map, uint64_t bytes, nt_reference_take *take, void *context)
{
	uint64_t end = bytes - HEAD, left = end;
	for (uint32_t i = 0; i < map->count; i++) {
		uint64_t length = bytes + map->runs[i].bytes;
		if (!is_within(map->runs[i].offset, length, end) || length > left || (!length && map->count > 1))
			return false;
		left -= length;
		if (length && !take(context, map->runs[i].offset, length / WORD))
			return false;
	}
	return true;
}

static bool each_element(const struct nt_reference_map *map, uint64_t bytes, nt_reference_take *take, void *context)
{
	uint64_t end = bytes - HEAD, at = map->begin;
	while (at < end)
		for (uint32_t i = 0; i < map->count; i++) {
			if (!is_within(at, map->runs[i].bytes, end) || !take(context, at, map->runs[i].bytes / WORD))
				return false;
			at += map->runs[i].bytes + map->runs[i].offset;
		}
	return true;
}

bool nt_reference_map_each(const struct nt_reference_map *map, uint64_t bytes, nt_reference_take *take, void *context)
{
	if (!map->count)
		return true;
	if (bytes < HEAD)
		return false;
	return map->repeats ? each_element(map, bytes, take, context) : each_run(map, bytes, take, context);
}
