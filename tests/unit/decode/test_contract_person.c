// SPDX-License-Identifier: GPL-2.0-only
/* The exception of a thread, in memory made for it; and what is none. Names: a runtime's own, tests/live/test_core.py. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/contract/contract_person.h"

#include <string.h>

#define BASE UINT64_C(0x7f0000000000)

enum {
	THREAD = 0x100,
	THROWN = 24,
	HANDLE = 0x200,
	EXCEPTION = 0x300,
	TYPE = 0x400,
	MESSAGE = 16,
	TEXT = 0x500,
	STRING = 0x480,
	TABLE = 0x80,
	LAST = 0xf00
};
enum { LENGTH = 8, FIRST = 12, UNITS = 1000 };

static uint8_t bytes[NT_PAGE_BYTES];
static struct nt_memory memory;
static struct nt_contract contract;
static struct nt_contract_modules modules;
static struct nt_contract_person person;

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
	nt_memory_forget(&memory);
}

static void put_text(const char *text, uint32_t length)
{
	memcpy(bytes + TEXT + LENGTH, &length, sizeof(length));
	for (size_t i = 0; text[i]; i++)
		bytes[TEXT + FIRST + 2 * i] = (uint8_t)text[i];
	nt_memory_forget(&memory);
}

static int setup(void **state)
{
	(void)state;
	memory = (struct nt_memory){ .read = read_page };
	nt_memory_allow(&memory, 64);
	contract = (struct nt_contract){ .memory = &memory };
	modules = (struct nt_contract_modules){ .contract = &contract };
	contract.layout.globals[NT_GLOBAL_STRING_TABLE] = BASE + TABLE;
	contract.layout.offsets[NT_OFF_THREAD_THROWN] = THROWN;
	contract.layout.offsets[NT_OFF_EXCEPTION_MESSAGE] = MESSAGE;
	contract.layout.offsets[NT_OFF_STRING_LENGTH] = LENGTH;
	contract.layout.offsets[NT_OFF_STRING_FIRST] = FIRST;
	memset(bytes, 0, sizeof(bytes));
	put(THREAD + THROWN, BASE + HANDLE);
	put(HANDLE, BASE + EXCEPTION);
	put(EXCEPTION, BASE + TYPE);
	put(EXCEPTION + MESSAGE, BASE + TEXT);
	put(TABLE, BASE + STRING);
	put(TEXT, BASE + STRING);
	put_text("no more", 7);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	nt_memory_fini(&memory);
	return 0;
}

static void read_person(void)
{
	nt_memory_allow(&memory, 64);
	nt_contract_person_read(&modules, BASE + THREAD, false, &person);
	assert_string_equal(person.name, "");
}

static void it_has_type_and_message(void **state)
{
	(void)state;
	read_person();
	assert_true(person.thrown == BASE + TYPE);
	assert_string_equal(person.message, "no more");
	put(EXCEPTION, (BASE + TYPE) | 1); /* a collection has marked it */
	read_person();
	assert_true(person.thrown == BASE + TYPE);
}

static void where_nothing_was_thrown_there_is_none(void **state)
{
	(void)state;
	put(HANDLE, 0);
	read_person();
	assert_true(person.thrown == 0);
	put(THREAD + THROWN, 0);
	read_person();
	assert_true(person.thrown == 0);
	assert_string_equal(person.message, "");
}

static void what_is_no_text_is_none(void **state)
{
	(void)state;
	put(TEXT, BASE + TYPE); /* an object of another type */
	read_person();
	assert_true(person.thrown == BASE + TYPE);
	assert_string_equal(person.message, "");
	put(TEXT, BASE + STRING);
	put_text("", UINT32_MAX);
	read_person();
	assert_string_equal(person.message, "");
	put(EXCEPTION + MESSAGE, BASE + LAST); /* it goes on where no memory is */
	put(LAST, BASE + STRING);
	put(LAST + LENGTH, UNITS);
	read_person();
	assert_string_equal(person.message, "");
	put(EXCEPTION + MESSAGE, BASE + 2 * (uint64_t)NT_PAGE_BYTES);
	read_person();
	assert_string_equal(person.message, "");
}

static void what_leads_nowhere_is_none(void **state)
{
	(void)state;
	put(THREAD + THROWN, 8);
	read_person();
	assert_true(person.thrown == 0);
	put(THREAD + THROWN, UINT64_MAX - 4);
	read_person();
	assert_true(person.thrown == 0);
}

static void a_long_message_is_cut(void **state)
{
	(void)state;
	put_text("", UNITS);
	memset(bytes + TEXT + FIRST, 'a', 2 * UNITS);
	nt_memory_forget(&memory);
	read_person();
	assert_in_range(strlen(person.message), UNITS, NT_CONTRACT_MESSAGE_MAX - 1); /* U+6161: three bytes each */
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(it_has_type_and_message, setup, teardown),
		cmocka_unit_test_setup_teardown(where_nothing_was_thrown_there_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(what_is_no_text_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(what_leads_nowhere_is_none, setup, teardown),
		cmocka_unit_test_setup_teardown(a_long_message_is_cut, setup, teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
