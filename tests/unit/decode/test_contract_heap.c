// SPDX-License-Identifier: GPL-2.0-only
/* Objects of a heap that is made up, one behind the other; and heaps that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "made_heap.h"

static struct made_heap made;
static struct nt_contract_heap heap;

static int setup(void **state)
{
	(void)state;
	made_heap_fill(&made);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_contract_heap_fini(&heap);
	nt_memory_fini(&made.memory);
	return 0;
}

static void check_type(size_t table, uint64_t count, uint64_t bytes)
{
	uint32_t at = nt_index_get(&heap.type_of, HEAP_BASE + table);
	assert_int_not_equal(at, NT_INDEX_NONE);
	assert_int_equal(heap.types[at].count, count);
	assert_int_equal(heap.types[at].bytes, bytes);
}

static void check_all_of_it(void)
{
	check_type(ORDER, 6, (uint64_t)6 * ORDER_BYTES);
	/* No object takes less than 24 bytes. */
	check_type(TEXT, 4, (TEXT_BYTES + 10) + 24 + 24 + (TEXT_BYTES + 24000));
	check_type(FREE, 0, 0);
	assert_int_equal(heap.objects, 10);
	assert_int_equal(heap.bytes, (uint64_t)6 * ORDER_BYTES + 32 + 24 + 24 + 24022);
	assert_int_equal(heap.read_bytes, heap.of_bytes);
}

static void objects_of_all_regions_without_what_is_free(void **state)
{
	(void)state;
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_READ);
	check_all_of_it();
}

static void heaps_of_a_server_say_the_same(void **state)
{
	(void)state;
	heap_of_a_server(&made);
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_READ);
	check_all_of_it();
}

static void what_is_no_object_makes_a_part(void **state)
{
	(void)state;
	static const uint64_t lies[] = { 0, HEAP_BASE + CLASSES, HEAP_BASE + HEAP_BYTES, UINT64_MAX };
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		setup(state);
		heap_u64(&made, YOUNG + ORDER_BYTES, lies[i]);
		assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_READ);
		assert_int_equal(heap.objects, 9);
		assert_int_equal(heap.of_bytes - heap.read_bytes, 32);
		teardown(state);
	}
}

static void an_object_beyond_its_region_is_none(void **state)
{
	(void)state;
	heap_u32(&made, LARGE + 8, 12004); /* its elements */
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_READ);
	assert_int_equal(heap.objects, 9);
	assert_true(heap.read_bytes < heap.of_bytes);
}

static void a_region_that_is_not_there_makes_a_part(void **state)
{
	(void)state;
	heap_region(&made, 3, HEAP_BYTES, HEAP_BYTES + 0x1000, 0);
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_READ);
	assert_int_equal(heap.objects, 9);
	assert_int_equal(heap.of_bytes - heap.read_bytes, 0x1000);
}

static void regions_that_lead_in_a_circle_are_refused(void **state)
{
	(void)state;
	heap_u64(&made, REGIONS + REGION_BYTES + 48, HEAP_BASE + REGIONS);
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_MISSING);
}

static void what_the_collector_does_not_say_is_refused(void **state)
{
	(void)state;
	static const struct {
		size_t at;
		uint64_t value;
		enum nt_contract_heap_result result;
	} lies[] = {
		{ IN_MOTION, 1, NT_CONTRACT_HEAP_IN_MOTION },
		{ VARIANT, 2, NT_CONTRACT_HEAP_SEGMENTS },
		{ TOLD, 0x403, NT_CONTRACT_HEAP_NOT_FOUND },  /* another version */
		{ TOLD, 0x302, NT_CONTRACT_HEAP_NOT_FOUND },  /* an older one */
		{ TOLD + 16, 4, NT_CONTRACT_HEAP_NOT_FOUND }, /* other generations */
		{ VARIABLE, 0, NT_CONTRACT_HEAP_NOT_FOUND },
		{ FREE_CELL, HEAP_BASE + OLD, NT_CONTRACT_HEAP_READ }, /* then what is free is of a type, too */
		{ GENERATION_FIELDS + 4, 0x20000, NT_CONTRACT_HEAP_MISSING },
		{ TOLD + 48, HEAP_BASE + HEAP_BYTES, NT_CONTRACT_HEAP_MISSING },
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		setup(state);
		heap_u64(&made, lies[i].at, lies[i].value);
		assert_int_equal(made_heap_read(&made, &heap), lies[i].result);
		teardown(state);
	}
}

static void of_two_that_look_alike_none_is_believed(void **state)
{
	(void)state;
	memcpy(made.bytes + 0x7000, made.bytes + TOLD, 256);
	heap_u64(&made, VARIABLE + 8, HEAP_BASE + 0x7000);
	heap_u64(&made, DEBUGGER_TABLE + 8 * 20, HEAP_BASE + VARIABLE + 8);
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_NOT_FOUND);
}

static void a_runtime_that_does_not_describe_it(void **state)
{
	(void)state;
	made.contract.layout.has[NT_CONTRACT_HEAP] = false;
	assert_int_equal(made_heap_read(&made, &heap), NT_CONTRACT_HEAP_UNDESCRIBED);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(objects_of_all_regions_without_what_is_free, setup, teardown),
		cmocka_unit_test_setup_teardown(heaps_of_a_server_say_the_same, setup, teardown),
		cmocka_unit_test(what_is_no_object_makes_a_part),
		cmocka_unit_test_setup_teardown(an_object_beyond_its_region_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(a_region_that_is_not_there_makes_a_part, setup, teardown),
		cmocka_unit_test_setup_teardown(regions_that_lead_in_a_circle_are_refused, setup, teardown),
		cmocka_unit_test(what_the_collector_does_not_say_is_refused),
		cmocka_unit_test_setup_teardown(of_two_that_look_alike_none_is_believed, setup, teardown),
		cmocka_unit_test_setup_teardown(a_runtime_that_does_not_describe_it, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
