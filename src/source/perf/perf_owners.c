// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/perf_owners.h"

#include "base/alloc.h"

#include <stdlib.h>
#include <string.h>

void nt_perf_owners_fini(struct nt_perf_owners *owners)
{
	free(owners->owners);
	*owners = (struct nt_perf_owners){ 0 };
}

static size_t place_of(const struct nt_perf_owners *owners, pid_t tid)
{
	size_t low = 0, high = owners->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (owners->owners[middle].tid < tid)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static const struct nt_perf_owner *find(const struct nt_perf_owners *owners, pid_t tid)
{
	size_t at = place_of(owners, tid);
	return at < owners->count && owners->owners[at].tid == tid ? &owners->owners[at] : NULL;
}

void nt_perf_owners_set(struct nt_perf_owners *owners, pid_t tid, unsigned list, nt_time from)
{
	size_t at = place_of(owners, tid);
	if (at == owners->count || owners->owners[at].tid != tid) {
		owners->owners = nt_grow(owners->owners, &owners->capacity, owners->count + 1, sizeof(*owners->owners));
		memmove(owners->owners + at + 1, owners->owners + at, (owners->count - at) * sizeof(*owners->owners));
		owners->count++;
	}
	owners->owners[at] = (struct nt_perf_owner){ .tid = tid, .list = list, .from = from };
}

void nt_perf_owners_ended(struct nt_perf_owners *owners, pid_t tid)
{
	if (!find(owners, tid))
		return;
	size_t at = place_of(owners, tid);
	owners->count--;
	memmove(owners->owners + at, owners->owners + at + 1, (owners->count - at) * sizeof(*owners->owners));
}

void nt_perf_owners_born(struct nt_perf_owners *owners, pid_t parent, pid_t tid)
{
	const struct nt_perf_owner *of_parent = find(owners, parent);
	if (of_parent)
		nt_perf_owners_set(owners, tid, of_parent->list, of_parent->from);
	else
		nt_perf_owners_ended(owners, tid);
}

bool nt_perf_owners_count(const struct nt_perf_owners *owners, pid_t tid, unsigned list, nt_time time)
{
	const struct nt_perf_owner *owner = owners->count ? find(owners, tid) : NULL;
	return owner && time >= owner->from ? list == owner->list : list == 0;
}
