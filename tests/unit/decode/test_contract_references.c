// SPDX-License-Identifier: GPL-2.0-only
/* What objects refer to, and what keeps them alive, by a process's memory: of a heap that is made up (made_heap.h), and of descriptions that no runtime writes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "made_heap.h"

enum { MOST = 64 };

struct told {
	struct made_heap made;
	struct nt_contract_heap heap;
	struct nt_contract_object objects[MOST];
	uint64_t edges[MOST], roots[MOST], pairs[MOST];
	enum nt_contract_root kinds[MOST];
	size_t object_count, edge_count, root_count, pair_count;
};

static struct told told;

static void take_edge(void *context, uint64_t to)
{
	assert_ptr_equal(context, &told);
	told.edges[told.edge_count++] = to - HEAP_BASE;
}

static void take_object(void *context, const struct nt_contract_object *object)
{
	assert_ptr_equal(context, &told);
	told.objects[told.object_count++] = *object;
}

static void take_root(void *context, enum nt_contract_root kind, uint64_t object)
{
	assert_ptr_equal(context, &told);
	told.kinds[told.root_count] = kind;
	told.roots[told.root_count++] = object - HEAP_BASE;
}

static void take_pair(void *context, uint64_t key, uint64_t value)
{
	assert_ptr_equal(context, &told);
	told.pairs[told.pair_count++] = key - HEAP_BASE;
	told.pairs[told.pair_count++] = value - HEAP_BASE;
}

static int setup(void **state)
{
	(void)state;
	memset(&told, 0, sizeof(told));
	made_heap_fill(&told.made);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_contract_heap_fini(&told.heap);
	nt_memory_fini(&told.made.memory);
	return 0;
}

static enum nt_contract_heap_result read_heap(void)
{
	const struct nt_contract_heap_sink sink = { .context = &told, .reference = take_edge, .object = take_object };
	return made_heap_read_for(&told.made, &sink, &told.heap);
}

static bool read_roots(void)
{
	const struct nt_contract_root_sink sink = { .context = &told, .root = take_root, .pair = take_pair };
	nt_memory_forget(&told.made.memory);
	return nt_contract_roots_read(&told.made.contract, &told.made.thread, 1, &sink);
}

static void each_object_has_its_references(void **state)
{
	(void)state;
	assert_int_equal(read_heap(), NT_CONTRACT_HEAP_READ);
	assert_int_equal(told.object_count, told.heap.objects);
	assert_int_equal(told.objects[0].address, HEAP_BASE + YOUNG);
	assert_int_equal(told.objects[0].bytes, ORDER_BYTES);
	assert_int_equal(told.heap.types[told.objects[0].type].table, HEAP_BASE + ORDER);
	assert_int_equal(told.objects[0].references, 2);
	assert_int_equal(told.edge_count, 2);
	assert_int_equal(told.edges[0], YOUNG + ORDER_BYTES);
	assert_int_equal(told.edges[1], OLD);
	assert_true(nt_contract_heap_has(&told.heap, HEAP_BASE + LARGE) && nt_contract_heap_has(&told.heap, HEAP_BASE + YOUNGEST));
	assert_false(nt_contract_heap_has(&told.heap, HEAP_BASE + THREAD) || nt_contract_heap_has(&told.heap, 0));
}

/* What is not within the object, or says too much, makes it none. */
static void references_beyond_their_object_make_a_part(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
	} lies[] = {
		{ ORDER - 16, 0 },                              /* over the type */
		{ ORDER - 16, 32 },                             /* behind the end */
		{ ORDER - 16, 12 },                             /* askew */
		{ ORDER - 24, 8 },                              /* longer than the object */
		{ ORDER - 24, (uint64_t)0 - ORDER_BYTES + 12 }, /* half a word */
		{ ORDER - 8, 2 },                               /* the other one is of no bytes: nothing */
		{ ORDER - 8, 0 },
		{ ORDER - 8, UINT64_C(1) << 40 },
		{ ORDER - 8, UINT64_MAX }, /* an array of structures without a reference */
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		setup(state);
		heap_u64(&told.made, lies[i].at, lies[i].value);
		enum nt_contract_heap_result result = read_heap();
		assert_true(result == NT_CONTRACT_HEAP_READ && told.heap.read_bytes < told.heap.of_bytes);
		teardown(state);
	}
}

/* ---- maps alone ---- */

enum { TABLE = 0x800, PLACE = 0x7f0000 };

static uint8_t page[NT_PAGE_BYTES];

static bool read_page(void *context, uint64_t address, uint8_t into[NT_PAGE_BYTES])
{
	(void)context;
	memcpy(into, page, sizeof(page));
	return address == PLACE;
}

struct run {
	uint64_t offset, count;
};

struct runs {
	struct run items[MOST];
	size_t count;
};

static bool take_run(void *context, uint64_t offset, uint64_t count)
{
	struct runs *runs = context;
	if (runs->count == MOST)
		return false;
	runs->items[runs->count++] = (struct run){ offset, count };
	return true;
}

/* Words in front of the table, the nearest one first. */
static bool each_of(const uint64_t *words, size_t count, uint64_t bytes, struct runs *out)
{
	struct nt_memory memory = { .read = read_page };
	struct nt_reference_map map;
	size_t left = NT_REFERENCE_RUNS_OF_ALL;
	*out = (struct runs){ .count = 0 };
	for (size_t i = 0; i < count; i++)
		memcpy(page + TABLE - 8 * (i + 1), &words[i], 8);
	nt_memory_allow(&memory, 4);
	bool read = nt_reference_map_read(&memory, PLACE + TABLE, &left, &map);
	bool good = read && nt_reference_map_each(&map, bytes, take_run, out);
	nt_reference_map_fini(&map);
	nt_memory_fini(&memory);
	return good;
}

static void runs_of_an_object(void **state)
{
	(void)state;
	struct runs runs;
	const uint64_t two[] = { 2, 8, (uint64_t)0 - 64 + 8, 32, (uint64_t)0 - 64 + 24 };
	assert_true(each_of(two, 5, 64, &runs));
	assert_int_equal(runs.count, 2);
	assert_int_equal(runs.items[0].offset, 8);
	assert_int_equal(runs.items[0].count, 1);
	assert_int_equal(runs.items[1].offset, 32);
	assert_int_equal(runs.items[1].count, 3);
	assert_false(each_of(two, 5, 56, &runs)); /* an object of another size is none of them */
}

static void references_of_an_array_of_any_length(void **state)
{
	(void)state;
	struct runs runs;
	const uint64_t array[] = { 1, 16, (uint64_t)0 - 24 };
	assert_true(each_of(array, 3, 24 + 8 * 1000, &runs));
	assert_int_equal(runs.count, 1);
	assert_int_equal(runs.items[0].count, 1000);
	assert_true(each_of(array, 3, 24, &runs));
	assert_int_equal(runs.count, 0);
}

/* A structure of 24 bytes: a number, then two references. */
static void references_of_an_array_of_structures(void **state)
{
	(void)state;
	struct runs runs;
	const uint64_t array[] = { UINT64_MAX, 24, 2 | UINT64_C(8) << 32 };
	assert_true(each_of(array, 3, 24 + 24 * 3, &runs));
	assert_int_equal(runs.count, 3);
	assert_int_equal(runs.items[2].offset, 24 + 48);
	assert_int_equal(runs.items[2].count, 2);
	assert_true(each_of(array, 3, 24, &runs));
	assert_int_equal(runs.count, 0);
	assert_false(each_of(array, 3, 24 + 24 * 3 - 32, &runs)); /* it ends within an element */
}

/* ---- roots ---- */

static void all_that_keeps_objects(void **state)
{
	(void)state;
	static const enum nt_contract_root kinds[] = { NT_CONTRACT_ROOT_HANDLE, NT_CONTRACT_ROOT_HANDLE, NT_CONTRACT_ROOT_FINALIZER,
						       NT_CONTRACT_ROOT_THREAD };
	static const uint64_t objects[] = { YOUNG, LARGE, YOUNGEST, OLD };
	for (int server = 0; server < 2; server++) {
		setup(state);
		if (server)
			heap_of_a_server(&told.made);
		assert_true(read_roots());
		assert_int_equal(told.root_count, 4);
		assert_memory_equal(told.kinds, kinds, sizeof(kinds));
		assert_memory_equal(told.roots, objects, sizeof(objects));
		assert_int_equal(told.pair_count, 2);
		assert_int_equal(told.pairs[0], YOUNG);
		assert_int_equal(told.pairs[1], OLD);
		teardown(state);
	}
}

static void of_roots_that_have_another_form_not_all_are_there(void **state)
{
	static const struct {
		size_t at;
		uint64_t value;
	} lies[] = {
		{ SEGMENT + 2008, 0 },                     /* a segment of another table */
		{ HANDLE_TABLE + 56, HEAP_BASE + 0xe008 }, /* askew */
		{ HANDLE_TABLE + 56, HEAP_BASE + HEAP_BYTES },
		{ BUCKET + 0x10, 0 }, /* no table at all */
		{ BUCKET + 0x40, HEAP_BASE + HEAP_BYTES },
		{ BUCKET + 0x48, HEAP_BASE + BUCKET + 0x40 }, /* a map that leads to itself */
		{ TOLD + 232, 0 },
		{ SEGMENT + 1998, HEAP_BASE + SEGMENT },        /* a segment that leads to itself */
		{ SEGMENT + 1680, 0xffffffff },                 /* dependent handles without what they keep */
		{ QUEUE, HEAP_BASE + QUEUE_ARRAY + 32 },        /* parts that go backwards */
		{ QUEUE + 48, HEAP_BASE + QUEUE_ARRAY + 0x48 }, /* beyond the array */
		{ QUEUE + 48, HEAP_BASE + QUEUE_ARRAY + 28 },   /* askew */
		{ QUEUE_CELL, HEAP_BASE + HEAP_BYTES },
		{ THREAD + 40, HEAP_BASE + HEAP_BYTES },
		{ TOLD, 0x403 },
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		setup(state);
		heap_u64(&told.made, lies[i].at, lies[i].value);
		if (read_roots())
			fail_msg("lie %zu is believed", i);
		teardown(state);
	}
}

/* ---- stacks ---- */

enum { STACK = 0x1000, FRAME = 0x1040, CALL = 0x1020, INLINED = 1 };

static uint64_t begin_of(bool cooperative, uint64_t frame, uint64_t kind, uint64_t call)
{
	struct nt_contract *contract = &told.made.contract;
	told.made.thread.cooperative = cooperative;
	contract->layout.offsets[NT_OFF_THREAD_FRAME] = 48;
	contract->layout.offsets[NT_OFF_INLINED_SP] = 24;
	contract->layout.globals[NT_GLOBAL_FRAME_INLINED_CALL] = INLINED;
	heap_u64(&told.made, THREAD + 48, frame);
	heap_u64(&told.made, FRAME, kind);
	heap_u64(&told.made, FRAME + 24, call);
	nt_memory_forget(&told.made.memory);
	nt_memory_allow(&told.made.memory, 10);
	return nt_contract_stack_begin(contract, &told.made.thread, HEAP_BASE + STACK) - HEAP_BASE;
}

static void a_thread_in_native_code_has_its_references_further_out(void **state)
{
	(void)state;
	assert_int_equal(begin_of(false, HEAP_BASE + FRAME, INLINED, HEAP_BASE + CALL), CALL);
	assert_int_equal(begin_of(false, HEAP_BASE + FRAME, 7, 0), FRAME);
	assert_int_equal(begin_of(true, HEAP_BASE + FRAME, INLINED, HEAP_BASE + CALL), STACK);
	/* What is not on the stack, or not where it has to be, says nothing. */
	assert_int_equal(begin_of(false, UINT64_MAX, INLINED, HEAP_BASE + CALL), STACK);
	assert_int_equal(begin_of(false, HEAP_BASE + STACK - 8, 7, 0), STACK);
	assert_int_equal(begin_of(false, HEAP_BASE + FRAME, INLINED, HEAP_BASE + FRAME + 8), STACK);
	assert_int_equal(begin_of(false, HEAP_BASE + FRAME, INLINED, 0), STACK);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(each_object_has_its_references, setup, teardown),
		cmocka_unit_test(references_beyond_their_object_make_a_part),
		cmocka_unit_test(runs_of_an_object),
		cmocka_unit_test(references_of_an_array_of_any_length),
		cmocka_unit_test(references_of_an_array_of_structures),
		cmocka_unit_test(all_that_keeps_objects),
		cmocka_unit_test(of_roots_that_have_another_form_not_all_are_there),
		cmocka_unit_test_setup_teardown(a_thread_in_native_code_has_its_references_further_out, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
