// SPDX-License-Identifier: GPL-2.0-only
/* What a thread has allocated, in memory made for it; and counters that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/contract/contract_allocated.h"

#include <string.h>

#define BASE UINT64_C(0x7f0000000000)

enum { THREAD = 0x100, LOCALS = 0x400, THREAD_LOCALS = 32, ALLOCATION = 16, GC = 8, POINTER = 0, LIMIT = 8 };
enum { CONTEXT = LOCALS + ALLOCATION + GC, SMALL = CONTEXT + LIMIT + 8, LARGE = SMALL + 8 };

static uint8_t bytes[NT_PAGE_BYTES];
static struct nt_memory memory;
static struct nt_contract contract;

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	(void)context;
	if (address != BASE)
		return false;
	memcpy(page, bytes, NT_PAGE_BYTES);
	return true;
}

static void put(size_t at, uint64_t value)
{
	memcpy(bytes + at, &value, sizeof(value));
}

static int setup(void **state)
{
	(void)state;
	memory = (struct nt_memory){ .read = read_page };
	nt_memory_allow(&memory, 64);
	contract = (struct nt_contract){ .memory = &memory };
	contract.layout.offsets[NT_OFF_THREAD_LOCALS] = THREAD_LOCALS;
	contract.layout.offsets[NT_OFF_LOCALS_ALLOCATION] = ALLOCATION;
	contract.layout.offsets[NT_OFF_ALLOCATION_GC] = GC;
	contract.layout.offsets[NT_OFF_ALLOCATION_POINTER] = POINTER;
	contract.layout.offsets[NT_OFF_ALLOCATION_LIMIT] = LIMIT;
	memset(bytes, 0, sizeof(bytes));
	put(THREAD + THREAD_LOCALS, BASE + LOCALS);
	put(CONTEXT + POINTER, 0x10000);
	put(CONTEXT + LIMIT, 0x10400);
	put(SMALL, 0x2000);
	put(LARGE, 0x100000);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_memory_fini(&memory);
	return 0;
}

static bool read(uint64_t *allocated)
{
	nt_memory_forget(&memory);
	return nt_contract_allocated(&contract, BASE + THREAD, allocated);
}

static void what_was_given_without_what_is_left_of_it(void **state)
{
	(void)state;
	uint64_t allocated;
	assert_true(read(&allocated));
	assert_int_equal(allocated, 0x2000 - 0x400 + 0x100000);
}

static void one_that_has_allocated_nothing(void **state)
{
	(void)state;
	uint64_t allocated = 7;
	memset(bytes + CONTEXT, 0, LARGE + 8 - CONTEXT);
	assert_true(read(&allocated));
	assert_int_equal(allocated, 0);
}

static void what_are_no_counters_is_refused(void **state)
{
	(void)state;
	static const struct {
		size_t at;
		uint64_t value;
	} lies[] = {
		{ THREAD + THREAD_LOCALS, 0 },             /* it has none (yet) */
		{ THREAD + THREAD_LOCALS, BASE + 0x2000 }, /* memory that is not there */
		{ CONTEXT + LIMIT, 0xff00 },               /* below the pointer */
		{ CONTEXT + LIMIT, 0x10000 + (2 << 20) },  /* more room than is ever given */
		{ SMALL, 0x3ff },                          /* less than the room that is left */
		{ SMALL, UINT64_C(1) << 57 },
		{ LARGE, UINT64_MAX },
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		uint64_t allocated;
		setup(state);
		put(lies[i].at, lies[i].value);
		assert_false(read(&allocated));
		teardown(state);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_given_without_what_is_left_of_it, setup, teardown),
		cmocka_unit_test_setup_teardown(one_that_has_allocated_nothing, setup, teardown),
		cmocka_unit_test(what_are_no_counters_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
