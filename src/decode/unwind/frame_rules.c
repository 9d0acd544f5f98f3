// SPDX-License-Identifier: GPL-2.0-only
#include "decode/unwind/frame_rules.h"

#include "base/alloc.h"
#include "base/starts.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

void nt_frame_rules_fini(struct nt_frame_rules *rules)
{
	free(rules->items);
	*rules = (struct nt_frame_rules){ 0 };
}

/* The first range that ends behind `address`. */
static size_t first_behind(const struct nt_frame_rules *rules, uint64_t address)
{
	size_t next = nt_starts_up_to(rules->items, rules->count, sizeof(*rules->items), address);
	return next && rules->items[next - 1].end > address ? next - 1 : next;
}

const struct nt_frame_rule *nt_frame_rules_find(const struct nt_frame_rules *rules, uint64_t address)
{
	size_t at = first_behind(rules, address);
	return at < rules->count && rules->items[at].start <= address ? &rules->items[at].rule : NULL;
}

void nt_frame_rules_add(struct nt_frame_rules *rules, uint64_t address, uint64_t start, uint64_t end, const struct nt_frame_rule *rule)
{
	nt_assert(start <= address && address < end);
	if (rules->count == NT_FRAME_RULES_MAX)
		rules->count = 0;
	size_t at = first_behind(rules, address);
	if (at < rules->count && rules->items[at].start <= address)
		return;
	if (at && rules->items[at - 1].end > start)
		start = rules->items[at - 1].end;
	if (at < rules->count && rules->items[at].start < end)
		end = rules->items[at].start;
	rules->items = nt_grow(rules->items, &rules->capacity, rules->count + 1, sizeof(*rules->items));
	memmove(rules->items + at + 1, rules->items + at, (rules->count - at) * sizeof(*rules->items));
	rules->items[at] = (struct nt_frame_range){ start, end, *rule };
	rules->count++;
}

void nt_frame_rules_forget(struct nt_frame_rules *rules, uint64_t start, uint64_t end)
{
	size_t first = first_behind(rules, start), behind = first;
	while (behind < rules->count && rules->items[behind].start < end)
		behind++;
	if (behind == first)
		return;
	memmove(rules->items + first, rules->items + behind, (rules->count - behind) * sizeof(*rules->items));
	rules->count -= behind - first;
}
