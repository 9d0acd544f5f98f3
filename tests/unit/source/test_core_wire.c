// SPDX-License-Identifier: GPL-2.0-only
/* What the process that reads a core says of its heap: records are within their packet, or there are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/contract/reader_wire.h"

#include <string.h>

static uint8_t packet[NT_READER_PACKET];
static struct nt_reader_record record;

static size_t take(const void *head, size_t size, size_t length)
{
	memcpy(packet, head, size);
	return nt_reader_take(packet, length, &record);
}

static void lists_of_objects_and_addresses(void **state)
{
	(void)state;
	struct nt_reader_list list = { .what = NT_READER_NODES, .count = 2 };
	const struct nt_reader_node nodes[] = { { .address = 8, .bytes = 24, .type = 1 },
						{ .address = 32, .bytes = 40, .type = 2, .references = 3 } };
	struct nt_reader_node last;
	size_t length = sizeof(list) + sizeof(nodes);
	memcpy(packet + sizeof(list), nodes, sizeof(nodes));
	assert_int_equal(take(&list, sizeof(list), length), length);
	memcpy(&last, record.bytes + sizeof(last), sizeof(last));
	assert_memory_equal(&last, &nodes[1], sizeof(last));
	assert_int_equal(take(&list, sizeof(list), length - 1), 0);
	list.what = NT_READER_EDGES;
	list.count = NT_READER_WORDS_MAX;
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), sizeof(list) + NT_READER_WORDS_MAX * sizeof(uint64_t));
	list.count++;
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), 0);
	list = (struct nt_reader_list){ .what = NT_READER_NODES, .count = NT_READER_NODES_MAX + 1 };
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), 0);
	list = (struct nt_reader_list){ .what = NT_READER_ROOTS, .kind = NT_READER_ROOT_KINDS };
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), 0);
	list = (struct nt_reader_list){ .what = NT_READER_PAIRS, .count = 3 };
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), 0);
	list.count = UINT32_MAX;
	assert_int_equal(take(&list, sizeof(list), sizeof(packet)), 0);
}

static void static_fields_have_a_name_and_an_object(void **state)
{
	(void)state;
	struct nt_reader_field field = { .what = NT_READER_FIELD, .owner_length = 4, .name_length = 6, .object = 8, .bytes = 24 };
	memcpy(packet + sizeof(field), "Shops_list", 10);
	assert_int_equal(take(&field, sizeof(field), sizeof(field) + 10), sizeof(field) + 10);
	assert_memory_equal(record.name, "Shops_list", 10);
	assert_int_equal(take(&field, sizeof(field), sizeof(field) + 9), 0);
	static const struct nt_reader_field lies[] = {
		{ .what = NT_READER_FIELD, .object = 8, .bytes = 24 },
		{ .what = NT_READER_FIELD, .name_length = 6, .bytes = 24 },
		{ .what = NT_READER_FIELD, .name_length = 6, .object = 8 },
		{ .what = NT_READER_FIELD, .name_length = NT_READER_TYPE_MAX + 1, .object = 8, .bytes = 24 },
		{ .what = NT_READER_FIELD, .owner_length = UINT32_MAX, .name_length = 6, .object = 8, .bytes = 24 },
	};
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++)
		assert_int_equal(take(&lies[i], sizeof(lies[i]), sizeof(packet)), 0);
}

static void numbers_of_types_are_below_their_limit(void **state)
{
	(void)state;
	struct nt_reader_objects objects = { .what = NT_READER_OBJECTS, .count = 1, .bytes = 24, .number = NT_READER_OBJECT_TYPES - 1 };
	assert_int_equal(take(&objects, sizeof(objects), sizeof(objects)), sizeof(objects));
	objects.number++;
	assert_int_equal(take(&objects, sizeof(objects), sizeof(objects)), 0);
	struct nt_reader_rooted rooted = { .what = NT_READER_ROOTED, .roots_whole = 1, .statics_whole = 1 };
	assert_int_equal(take(&rooted, sizeof(rooted), sizeof(rooted)), sizeof(rooted));
	rooted.statics_whole = 2;
	assert_int_equal(take(&rooted, sizeof(rooted), sizeof(rooted)), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lists_of_objects_and_addresses),
		cmocka_unit_test(static_fields_have_a_name_and_an_object),
		cmocka_unit_test(numbers_of_types_are_below_their_limit),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
