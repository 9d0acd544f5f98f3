// SPDX-License-Identifier: GPL-2.0-only
#include "model/history/usual.h"

#include "nettop/request_row.h"

#include <stdlib.h>

static const nt_time part_ns = 10 * NT_NS_PER_S, high_most_ns = 600 * NT_NS_PER_S;
/* The newest parts are not before, but now. */
enum { PARTS_APART = 2 };

void nt_usual_add(struct nt_usual *usual, nt_time time, uint64_t count, uint64_t value_ns)
{
	size_t at = usual->second_count++ % NT_USUAL_SECONDS;
	usual->seconds[at].time = time;
	usual->seconds[at].count = count;
	usual->seconds[at].value_ns = value_ns;
}

static struct nt_u64 level_of(const struct nt_usual *usual, nt_time now, nt_time within_ns, uint64_t *count)
{
	uint64_t largest[NT_USUAL_REACHED] = { 0 };
	size_t known = 0;
	*count = 0;
	for (size_t i = 0; i < NT_USUAL_SECONDS; i++) {
		uint64_t value = usual->seconds[i].value_ns;
		if (!usual->seconds[i].count || usual->seconds[i].time + within_ns <= now)
			continue;
		known++;
		*count += usual->seconds[i].count;
		for (size_t place = 0; place < NT_USUAL_REACHED; place++) {
			if (value <= largest[place])
				continue;
			uint64_t smaller = largest[place];
			largest[place] = value;
			value = smaller;
		}
	}
	bool enough = known >= NT_USUAL_REACHED && *count >= NT_USUAL_LEAST_COUNT;
	return (struct nt_u64){ .known = enough, .v = enough ? largest[NT_USUAL_REACHED - 1] : 0 };
}

static int compare(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return (x > y) - (x < y);
}

/* By the parts that are over, and not forgotten. */
static void reckon(struct nt_usual *usual, uint32_t number)
{
	uint32_t levels[NT_USUAL_PARTS], first = UINT32_MAX, last = 0;
	size_t count = 0, kept = usual->part_count < NT_USUAL_PARTS ? usual->part_count : NT_USUAL_PARTS;
	for (size_t i = 0; i < kept; i++) {
		const struct nt_usual_part *part = &usual->parts[i];
		if (part->number + PARTS_APART > number || part->number + NT_USUAL_PARTS < number)
			continue;
		levels[count++] = part->level_us;
		first = part->number < first ? part->number : first;
		last = part->number > last ? part->number : last;
	}
	usual->usual = (struct nt_usual_part){ .number = number };
	usual->usual_over_ns = 0;
	if (count < NT_USUAL_LEAST_PARTS)
		return;
	qsort(levels, count, sizeof(*levels), compare);
	usual->usual.level_us = levels[count * 3 / 4];
	usual->usual_over_ns = (last - first + 1) * part_ns;
}

static void begin_part(struct nt_usual *usual, uint32_t number)
{
	if (usual->open.level_us)
		usual->parts[usual->part_count++ % NT_USUAL_PARTS] = usual->open;
	usual->open = (struct nt_usual_part){ .number = number };
	if (!usual->high_since) /* then it stays what it was before */
		reckon(usual, number);
}

static void add_level(struct nt_usual *usual, uint64_t level_ns)
{
	uint64_t us = level_ns / NT_NS_PER_US;
	uint32_t level = us > UINT32_MAX ? UINT32_MAX : us ? (uint32_t)us : 1;
	if (level > usual->open.level_us)
		usual->open.level_us = level;
}

static void note_high(struct nt_usual *usual, nt_time now)
{
	if (!usual->high_since)
		usual->high_since = now;
	if (now - usual->high_since < high_most_ns)
		return;
	usual->part_count = 0;
	usual->usual.level_us = 0;
	usual->high_since = 0;
}

struct nt_usual_now nt_usual_close(struct nt_usual *usual, nt_time now, nt_time within_ns)
{
	struct nt_usual_now out = { 0 };
	uint32_t number = (uint32_t)(now / part_ns);
	if (!usual->second_count)
		return out;
	if (usual->open.number != number)
		begin_part(usual, number);
	out.level_ns = level_of(usual, now, within_ns, &out.count);
	if (usual->usual.level_us)
		out.usual_ns = nt_u64_of(usual->usual.level_us * NT_NS_PER_US);
	out.usual_over_ns = usual->usual_over_ns;
	out.high = nt_request_is_slow(out.level_ns, out.usual_ns);
	if (out.high) {
		note_high(usual, now);
	} else {
		usual->high_since = 0;
		if (out.level_ns.known)
			add_level(usual, out.level_ns.v);
	}
	return out;
}
