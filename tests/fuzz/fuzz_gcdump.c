// SPDX-License-Identifier: GPL-2.0-only
/* Input: a .gcdump file. What is read of it is a sound graph, who holds what in it is within the whole, and what nettop writes of it is read as the same. */
#include "fuzz.h"
#include "shown.h"

#include "decode/heap/gcdump_read.h"
#include "model/heap/heap_holders.h"
#include "output/heap/gcdump_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GRAPH_BYTES = 8 << 20 };

/* Read, asked, written and read again. A type's name is looked at once for each way in which it may be spelled. */
FUZZ_STEPS(1 << 16, 4096)

static void check_rows(const struct nt_heap_found *heap)
{
	uint64_t count = 0;
	for (size_t i = 0; i < heap->type_count; i++) {
		FUZZ_CHECK(heap->types[i].count && heap->types[i].name);
		count += heap->types[i].count;
	}
	FUZZ_CHECK(count == heap->object_count && count <= heap->graph->count);
}

/* Names may be spelled in two ways that are one to people, so types may be fewer; nodes and references are what they were. */
static void check_again(const struct nt_gcdump *dump)
{
	const struct nt_heap_report report = { .pid = dump->pid, .name = "again", .time_unix_ns = dump->time_unix_ns, .heap = dump->heap };
	char *text = NULL;
	size_t length = 0;
	struct nt_gcdump again;
	const char *why;
	if (nt_gcdump_refusal(&report))
		return;
	FILE *out = open_memstream(&text, &length);
	nt_gcdump_write(out, &report);
	fclose(out);
	FUZZ_CHECK(nt_gcdump_read((const uint8_t *)text, length, GRAPH_BYTES, &again, &why));
	const struct nt_heap_graph *one = dump->heap->graph, *other = again.heap->graph;
	FUZZ_CHECK(one->count == other->count && one->root == other->root && one->type_count == other->type_count);
	FUZZ_CHECK(memcmp(one->type_of, other->type_of, one->count * sizeof(*one->type_of)) == 0);
	FUZZ_CHECK(memcmp(one->bytes, other->bytes, one->count * sizeof(*one->bytes)) == 0);
	FUZZ_CHECK(memcmp(one->first_edge, other->first_edge, (one->count + 1) * sizeof(*one->first_edge)) == 0);
	FUZZ_CHECK(memcmp(one->edges, other->edges, one->first_edge[one->count] * sizeof(*one->edges)) == 0);
	FUZZ_CHECK(again.pid == dump->pid);
	nt_gcdump_fini(&again);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct nt_gcdump dump;
	const char *why = NULL;
	bool good = nt_gcdump_read(data, size, GRAPH_BYTES, &dump, &why);
	FUZZ_CHECK(good == (dump.heap != NULL) && why);
	if (!good)
		return 0;
	FUZZ_CHECK(nt_heap_graph_is_sound(dump.heap->graph));
	check_rows(dump.heap);
	check_again(&dump);
	dump.heap->graph->fields_apart = true;
	nt_heap_found_join(dump.heap);
	nt_heap_holders_find(dump.heap, NULL, 2, NULL);
	for (size_t i = 0; i < dump.heap->static_count && dump.heap->statics_held; i++)
		FUZZ_CHECK(dump.heap->statics[i].held_bytes <= dump.heap->bytes);
	nt_gcdump_fini(&dump);
	return 0;
}
