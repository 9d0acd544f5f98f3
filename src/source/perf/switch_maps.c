// SPDX-License-Identifier: GPL-2.0-only
#include "source/perf/switch_maps.h"

#include "base/alloc.h"
#include "decode/codemap/map_name.h"
#include "decode/kernel/perf_record.h"
#include "source/perf/perf_attr.h"
#include "source/perf/perf_list.h"

#include <errno.h>
#include <stdlib.h>

enum { RING_BYTES = 256 << 10 }; /* of a CPU: mappings of code of all processes in a round */

struct nt_switch_maps {
	struct nt_perf_list *list; /* owned */
	uint32_t pid;
	uint64_t lost_before;
	nt_time read_before;
	/* While they are read: */
	nt_switch_mapped *mapped;
	void *context;
	uint64_t lost; /* by records */
};

static int open_list(bool reads_lost, struct nt_perf_list **out)
{
	struct perf_event_attr attr;
	bool at_rings;
	nt_perf_attr_init_maps(&attr, reads_lost);
	return nt_perf_list_open(&attr, NULL, 0, RING_BYTES, &at_rings, out);
}

struct nt_switch_maps *nt_switch_maps_new(uint32_t pid)
{
	struct nt_perf_list *list = NULL;
	int error = open_list(true, &list);
	if (error == EINVAL) /* a kernel before 6.0 */
		error = open_list(false, &list);
	if (error)
		return NULL;
	struct nt_switch_maps *maps = nt_alloc(sizeof(*maps));
	maps->list = list;
	maps->pid = pid;
	maps->read_before = nt_clock_now();
	return maps;
}

void nt_switch_maps_free(struct nt_switch_maps *maps)
{
	if (!maps)
		return;
	nt_perf_list_free(maps->list);
	free(maps);
}

static bool put(void *context, const uint8_t *bytes, size_t length)
{
	struct nt_switch_maps *maps = context;
	struct nt_perf_record record;
	if (nt_perf_record_parse(bytes, length, &record) != NT_OK) {
		maps->lost++;
	} else if (record.kind == NT_PERF_LOST) {
		maps->lost += record.lost.count;
	} else if (record.kind == NT_PERF_MAP && record.pid == maps->pid && record.map.exec) {
		struct nt_map_name name = nt_map_name_read(record.map.name, record.map.name_length);
		maps->mapped(maps->context, record.time, record.map.start, record.map.start + record.map.length, name.flags & NT_MAP_JIT);
	}
	return true;
}

void nt_switch_maps_read(struct nt_switch_maps *maps, nt_switch_mapped *mapped, void *context)
{
	nt_time now = nt_clock_now();
	maps->mapped = mapped;
	maps->context = context;
	maps->lost = 0;
	uint64_t unreadable = nt_perf_list_read(maps->list, put, maps), lost = nt_perf_list_lost(maps->list);
	if (unreadable || maps->lost || lost != maps->lost_before)
		mapped(context, maps->read_before, 0, UINT64_MAX, false);
	maps->lost_before = lost;
	maps->read_before = now;
}
