// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/clr/il_map.h"

#include <string.h>

enum { START = 0x1000, SIZE = 0x40 };

struct entry {
	uint32_t il, native;
};

/* A payload as the runtime writes it; what follows the map stands for the rest of it. */
static size_t write_payload(uint8_t *out, const struct entry *entries, uint16_t count)
{
	static const uint64_t ids[] = { 0x7f0000001234, 7 };
	static const uint8_t rest[] = { 9, 0, 1, 2, 3, 4, 5, 6, 7, 8 };
	uint8_t *at = out;
	memcpy(at, ids, sizeof(ids));
	at += sizeof(ids);
	*at++ = 0;
	memcpy(at, &count, sizeof(count));
	at += sizeof(count);
	for (uint16_t i = 0; i < count; i++, at += sizeof(uint32_t))
		memcpy(at, &entries[i].il, sizeof(uint32_t));
	for (uint16_t i = 0; i < count; i++, at += sizeof(uint32_t))
		memcpy(at, &entries[i].native, sizeof(uint32_t));
	memcpy(at, rest, sizeof(rest));
	return (size_t)(at - out) + sizeof(rest);
}

static size_t places_of(const struct entry *entries, uint16_t count, struct nt_batch_place *places)
{
	uint8_t payload[1024];
	struct nt_il_map map;
	size_t length = write_payload(payload, entries, count);
	assert_int_equal(nt_il_map_parse(payload, length, &map), NT_OK);
	assert_int_equal(map.count, count);
	return nt_il_map_places(&map, START, SIZE, places);
}

static void check_place(const struct nt_batch_place *place, uint64_t start, uint32_t size, uint32_t il)
{
	assert_int_equal(place->start, start);
	assert_int_equal(place->size, size);
	assert_int_equal(place->offset, il);
}

static void test_payload_is_read(void **state)
{
	(void)state;
	const struct entry entries[] = { { NT_IL_PROLOG, 0 }, { 0, 8 } };
	uint8_t payload[256];
	struct nt_il_map map;
	size_t length = write_payload(payload, entries, 2);
	assert_int_equal(nt_il_map_parse(payload, length, &map), NT_OK);
	assert_int_equal(map.method_id, 0x7f0000001234);
	assert_int_equal(map.rejit_id, 7);
	assert_int_equal(map.count, 2);
}

static void test_payload_that_ends_early_is_refused(void **state)
{
	(void)state;
	const struct entry entries[] = { { 0, 0 }, { 1, 4 } };
	uint8_t payload[256];
	struct nt_il_map map;
	size_t needed = write_payload(payload, entries, 2) - 10;
	for (size_t length = 0; length < needed; length++)
		assert_int_equal(nt_il_map_parse(payload, length, &map), NT_ERR_MALFORMED);
	assert_int_equal(nt_il_map_parse(payload, needed, &map), NT_OK);
}

static void test_places_are_sorted_and_reach_to_the_next(void **state)
{
	(void)state;
	const struct entry entries[] = { { NT_IL_PROLOG, 0 }, { 0, 4 }, { 12, 0x20 }, { 7, 0x10 }, { NT_IL_EPILOG, 0x3c } };
	struct nt_batch_place places[5];
	assert_int_equal(places_of(entries, 5, places), 5);
	check_place(&places[0], START, 4, NT_IL_PROLOG);
	check_place(&places[1], START + 4, 12, 0);
	check_place(&places[2], START + 0x10, 16, 7);
	check_place(&places[3], START + 0x20, 28, 12);
	check_place(&places[4], START + 0x3c, 4, NT_IL_EPILOG);
}

static void test_first_of_one_offset_counts(void **state)
{
	(void)state;
	const struct entry entries[] = { { 3, 8 }, { 1, 0 }, { 4, 8 }, { 2, 8 } };
	struct nt_batch_place places[4];
	assert_int_equal(places_of(entries, 4, places), 2);
	check_place(&places[0], START, 8, 1);
	check_place(&places[1], START + 8, SIZE - 8, 3);
}

static void test_what_lies_outside_of_the_code_is_left_out(void **state)
{
	(void)state;
	const struct entry entries[] = { { 1, SIZE }, { 2, SIZE - 1 }, { 3, UINT32_MAX } };
	struct nt_batch_place places[3];
	assert_int_equal(places_of(entries, 3, places), 1);
	check_place(&places[0], START + SIZE - 1, 1, 2);
}

static void test_address_is_found_in_its_place_only(void **state)
{
	(void)state;
	const struct entry entries[] = { { 5, 8 }, { 9, 16 } };
	struct nt_batch_place places[2];
	size_t count = places_of(entries, 2, places);
	assert_null(nt_il_map_find(places, count, START + 7));
	assert_int_equal(nt_il_map_find(places, count, START + 8)->offset, 5);
	assert_int_equal(nt_il_map_find(places, count, START + 15)->offset, 5);
	assert_int_equal(nt_il_map_find(places, count, START + SIZE - 1)->offset, 9);
	assert_null(nt_il_map_find(places, count, START + SIZE));
	assert_null(nt_il_map_find(places, 0, START));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_payload_is_read),
		cmocka_unit_test(test_payload_that_ends_early_is_refused),
		cmocka_unit_test(test_places_are_sorted_and_reach_to_the_next),
		cmocka_unit_test(test_first_of_one_offset_counts),
		cmocka_unit_test(test_what_lies_outside_of_the_code_is_left_out),
		cmocka_unit_test(test_address_is_found_in_its_place_only),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
