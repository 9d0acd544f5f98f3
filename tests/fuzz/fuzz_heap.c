// SPDX-License-Identifier: GPL-2.0-only
/*
 * Input: events, each a byte (its id), two for the length of its payload, and that. Whatever they say of the heap, each object is counted once and in one type, and what is written of
 * them is JSON that no terminal obeys; who holds what is within the whole.
 */
#include "fuzz.h"
#include "shown.h"

#include "decode/clr/clr.h"
#include "model/heap/heap_holders.h"
#include "output/heap/heap_report.h"
#include "source/eventpipe/heap_table.h"

#include <string.h>

/* A type of few bytes may have itself as arguments, many times: its name is as long as a name may be. */
FUZZ_STEPS(1 << 16, 4096)

static void say(const struct nt_nettrace_sink *sink, uint32_t id, nt_time time, const uint8_t *payload, size_t length)
{
	struct nt_nettrace_meta meta = { .provider = NT_CLR_PROVIDER, .name = "", .id = id };
	const struct nt_nettrace_event event = { .meta = &meta, .time = time, .payload = payload, .payload_length = (uint32_t)length };
	sink->event(sink->context, &event);
}

static void check_counts(const struct nt_heap_found *heap)
{
	uint64_t count = 0;
	for (size_t i = 0; i < heap->type_count; i++) {
		FUZZ_CHECK(heap->types[i].count && heap->types[i].name);
		count += heap->types[i].count;
	}
	FUZZ_CHECK(count == heap->object_count);
	FUZZ_CHECK(heap->came_pct >= 0 && heap->came_pct <= 100);
}

static void check_held(const struct nt_heap_found *heap)
{
	for (size_t i = 0; i < heap->static_count && heap->statics_held; i++)
		FUZZ_CHECK(heap->statics[i].held_bytes <= heap->bytes && heap->statics[i].held_count <= heap->object_count);
	for (size_t i = 0; i < heap->path_count; i++)
		for (size_t j = 0; j < heap->paths[i]->step_count; j++)
			FUZZ_CHECK(heap->paths[i]->steps[j].count <= heap->paths[i]->count - heap->paths[i]->lost);
}

static void check_written(const struct nt_heap_found *heap)
{
	const struct nt_heap_report report = { .pid = 7, .name = "shop", .heap = heap };
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	nt_heap_write_json(out, &report, &report);
	fclose(out);
	json_t *read = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
	FUZZ_CHECK(read && json_array_size(json_object_get(read, "types")) == heap->type_count);
	fuzz_check_json(read);
	json_decref(read);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	enum { HEAD = 3, GRAPH_BYTES = 1 << 22 };
	struct nt_heap_table *table = nt_heap_table_new(GRAPH_BYTES);
	const struct nt_nettrace_sink sink = nt_heap_table_sink(table);
	for (nt_time time = 1; size >= HEAD; time++) {
		size_t length = (size_t)data[1] | (size_t)data[2] << 8;
		if (length > size - HEAD)
			length = size - HEAD;
		say(&sink, data[0], time, data + HEAD, length);
		data += HEAD + length;
		size -= HEAD + length;
	}
	struct nt_heap_found *heap = nt_heap_table_finish(table);
	if (heap->graph)
		FUZZ_CHECK(nt_heap_graph_is_sound(heap->graph) && heap->graph->count > heap->object_count);
	nt_heap_found_name_graph(heap);
	nt_heap_found_join(heap);
	nt_heap_holders_find(heap, NULL, 2, NULL);
	check_counts(heap);
	check_held(heap);
	check_written(heap);
	nt_heap_found_free(heap);
	nt_heap_table_free(table);
	return 0;
}
