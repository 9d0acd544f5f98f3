// SPDX-License-Identifier: GPL-2.0-only
#include "model/common/growth.h"

static const nt_time far_ns = 60 * NT_NS_PER_S, least_ns = 30 * NT_NS_PER_S, part_ns = 10 * NT_NS_PER_S;
static const nt_time apart_ns = 900 * NT_NS_PER_MS; /* a second, and timers may be early */

void nt_growth_add(struct nt_growth *growth, nt_time time, double value)
{
	if (growth->count && growth->cells[(growth->count - 1) % NT_GROWTH_CELLS].time + apart_ns > time)
		return;
	growth->cells[growth->count % NT_GROWTH_CELLS].time = time;
	growth->cells[growth->count % NT_GROWTH_CELLS].value = value;
	growth->count++;
}

bool nt_growth_of(const struct nt_growth *growth, nt_time now, struct nt_grown *out)
{
	size_t first = growth->count > NT_GROWTH_CELLS ? growth->count - NT_GROWTH_CELLS : 0;
	while (first < growth->count && growth->cells[first % NT_GROWTH_CELLS].time + far_ns < now)
		first++;
	if (first == growth->count)
		return false;
	nt_time begin = growth->cells[first % NT_GROWTH_CELLS].time;
	if (now - begin < least_ns)
		return false;
	bool any = false;
	*out = (struct nt_grown){ .from = growth->cells[first % NT_GROWTH_CELLS].value, .over_ns = now - begin - part_ns };
	for (size_t i = first; i < growth->count; i++) {
		nt_time time = growth->cells[i % NT_GROWTH_CELLS].time;
		double value = growth->cells[i % NT_GROWTH_CELLS].value;
		if (time < begin + part_ns && value < out->from)
			out->from = value;
		if (time + part_ns > now && (!any || value < out->to)) {
			out->to = value;
			any = true;
		}
	}
	return any;
}
