// SPDX-License-Identifier: GPL-2.0-only
/* Heaps in files: what is written as a .gcdump file is read as it was, with far references, large objects and names of C#; and what is none is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "app/commands/heap_files.h"
#include "base/alloc.h"
#include "output/heap/gcdump_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NODES = 70000, TYPES = 200 };

/* Each node refers to three: near, far ahead, far behind; a type for each of so many. */
static struct nt_heap_found *make(void)
{
	struct nt_heap_found *heap = nt_alloc(sizeof(*heap));
	struct nt_heap_graph *graph = heap->graph = nt_alloc(sizeof(*graph));
	graph->types = nt_alloc(TYPES * sizeof(*graph->types));
	graph->type_count = TYPES;
	for (size_t i = 0; i < TYPES; i++)
		graph->types[i].name = nt_format("Shop.Table<int, string>.Row%zu[]", i);
	free(graph->types[0].name);
	graph->types[0] = (struct nt_heap_graph_type){ .name = nt_strdup("roots"), .is_root = true };
	free(graph->types[1].name);
	graph->types[1] = (struct nt_heap_graph_type){ .name = nt_strdup("static Shop.Cache.s_items"), .is_root = true };
	graph->count = NODES;
	graph->fields_apart = true;
	graph->type_of = nt_alloc(NODES * sizeof(uint32_t));
	graph->bytes = nt_alloc(NODES * sizeof(uint32_t));
	graph->first_edge = nt_alloc((NODES + 1) * sizeof(uint32_t));
	graph->edges = nt_alloc((size_t)3 * NODES * sizeof(uint32_t));
	for (uint32_t i = 0; i < NODES; i++) {
		graph->type_of[i] = i < 2 ? i : 2 + i % (TYPES - 2);
		graph->bytes[i] = i < 2 ? 0 : i == 7 ? INT32_MAX : (i * 37) % 100000;
		graph->first_edge[i] = 3 * i;
		graph->edges[3 * i] = (i + 1) % NODES;
		graph->edges[3 * i + 1] = (i + 40000) % NODES;
		graph->edges[3 * i + 2] = (i * 13) % NODES;
	}
	graph->first_edge[NODES] = 3 * NODES;
	/* The field has one object. */
	memmove(graph->edges + 4, graph->edges + 6, ((size_t)3 * NODES - 6) * sizeof(uint32_t));
	for (uint32_t i = 2; i <= NODES; i++)
		graph->first_edge[i] -= 2;
	return heap;
}

static void write_to(const char *path, const struct nt_heap_found *heap)
{
	const struct nt_heap_report report = { .pid = 4711, .name = "shop", .time_unix_ns = INT64_C(1764374400000000000), .heap = heap };
	FILE *out = fopen(path, "w");
	assert_non_null(out);
	assert_null(nt_gcdump_refusal(&report));
	nt_gcdump_write(out, &report);
	assert_int_equal(fclose(out), 0);
}

static void what_is_written_is_read(void **state)
{
	(void)state;
	char path[] = "/tmp/nettop-XXXXXX.gcdump";
	struct nt_heap_file file;
	struct nt_error err = { 0 };
	close(mkstemps(path, 7));
	struct nt_heap_found *heap = make();
	write_to(path, heap);
	assert_int_equal(nt_heap_file_open(path, &file, &err), NT_OK);
	const struct nt_heap_graph *one = heap->graph, *other = file.heap->graph;
	assert_int_equal(other->count, NODES);
	assert_memory_equal(one->type_of, other->type_of, NODES * sizeof(uint32_t));
	assert_memory_equal(one->bytes, other->bytes, NODES * sizeof(uint32_t));
	assert_memory_equal(one->first_edge, other->first_edge, (NODES + 1) * sizeof(uint32_t));
	assert_memory_equal(one->edges, other->edges, one->first_edge[NODES] * sizeof(uint32_t));
	for (size_t i = 0; i < TYPES; i++) {
		assert_string_equal(one->types[i].name, other->types[i].name);
		assert_int_equal(one->types[i].is_root, other->types[i].is_root);
	}
	assert_string_equal(file.report.name, "shop");
	assert_int_equal(file.report.pid, 4711);
	assert_int_equal(file.report.time_unix_ns, INT64_C(1764374400000000000));
	assert_int_equal(file.heap->object_count, NODES - 2);
	assert_int_equal(file.heap->static_count, 1);
	assert_string_equal(file.heap->statics[0].owner, "Shop.Cache");
	assert_string_equal(file.heap->statics[0].field, "s_items");
	nt_heap_file_fini(&file);
	nt_heap_found_free(heap);
	unlink(path);
}

static void what_is_none_is_refused(void **state)
{
	(void)state;
	char path[] = "/tmp/nettop-XXXXXX.gcdump", text[2 * NT_ERROR_TEXT];
	struct nt_heap_file file;
	struct nt_error err = { 0 };
	int fd = mkstemps(path, 7);
	assert_int_equal(write(fd, "{}", 2), 2);
	close(fd);
	assert_int_equal(nt_heap_file_open(path, &file, &err), NT_ERR_USAGE);
	assert_non_null(strstr(nt_error_text(&err, text, sizeof(text)), "cannot be read"));
	unlink(path);
	assert_int_equal(nt_heap_file_open(path, &file, &err), NT_ERR_USAGE);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(nt_heap_file_open(path, &file, &err), NT_ERR_USAGE); /* and waits for nobody */
	unlink(path);
}

static void a_heap_without_references_cannot_be_one(void **state)
{
	(void)state;
	const struct nt_heap_found heap = { .no_graph = "it was lost" };
	const struct nt_heap_report report = { .name = "shop", .heap = &heap };
	assert_string_equal(nt_gcdump_refusal(&report), "it was lost");
}

static void files_are_told_by_their_names(void **state)
{
	(void)state;
	assert_true(nt_heap_file_is_dump("a.gcdump") && nt_heap_file_is_dump("/tmp/a.b.gcdump"));
	assert_false(nt_heap_file_is_dump(".gcdump") || nt_heap_file_is_dump("gcdump") || nt_heap_file_is_dump(NULL) ||
		     nt_heap_file_is_dump("a.gcdump.json"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_none_is_refused),
		cmocka_unit_test(a_heap_without_references_cannot_be_one),
		cmocka_unit_test(files_are_told_by_their_names),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
