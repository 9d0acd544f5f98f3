// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/ctf/ctf_metadata.h"

#include <string.h>

enum { HEADER = 37, PACKET = 64 };

struct file {
	uint8_t bytes[3 * PACKET];
};

static void put_u32(uint8_t *at, uint32_t value, bool swapped)
{
	value = swapped ? __builtin_bswap32(value) : value;
	memcpy(at, &value, sizeof(value));
}

static void put_packet(uint8_t *at, uint32_t content_bits, uint32_t packet_bits, bool swapped)
{
	memset(at, ' ', PACKET);
	memset(at, 0, HEADER);
	put_u32(at, 0x75d11d57, swapped);
	put_u32(at + 24, content_bits, swapped);
	put_u32(at + 28, packet_bits, swapped);
}

static struct file made(bool swapped)
{
	struct file file;
	for (int i = 0; i < 3; i++)
		put_packet(file.bytes + i * PACKET, (HEADER + 10) * 8, PACKET * 8, swapped);
	return file;
}

static void check(const struct file *file, size_t length, size_t packets)
{
	struct nt_ctf_metadata found = nt_ctf_metadata_look(file->bytes, length);
	assert_false(found.is_text);
	assert_int_equal(found.packets, packets);
	assert_int_equal(found.whole_size, packets * PACKET);
}

static void whole_packets_are_counted_up_to_where_one_is_cut(void **state)
{
	(void)state;
	for (int swapped = 0; swapped < 2; swapped++) {
		const struct file file = made(swapped);
		check(&file, 3 * PACKET, 3);
		for (size_t length = 4; length < 3 * PACKET; length++)
			check(&file, length, length / PACKET);
	}
}

static void sizes_that_cannot_be_end_it(void **state)
{
	(void)state;
	static const uint32_t wrong[][2] = {
		{ (HEADER + 10) * 8, 0 },
		{ (HEADER + 10) * 8, PACKET * 8 + 1 },
		{ (HEADER + 10) * 8 + 1, PACKET * 8 },
		{ HEADER * 8 - 8, PACKET * 8 },
		{ PACKET * 8 + 8, PACKET * 8 },
		{ (HEADER + 10) * 8, UINT32_MAX - 7 },
		{ 0, 0 },
	};
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct file file = made(false);
		put_packet(file.bytes + PACKET, wrong[i][0], wrong[i][1], false);
		check(&file, sizeof(file.bytes), 1);
	}
}

static void text_is_text(void **state)
{
	(void)state;
	static const char text[] = "/* CTF 1.8 */ trace { };";
	struct nt_ctf_metadata found = nt_ctf_metadata_look((const uint8_t *)text, sizeof(text) - 1);
	assert_true(found.is_text);
	assert_int_equal(found.whole_size, sizeof(text) - 1);
	assert_true(nt_ctf_metadata_look(NULL, 0).is_text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_packets_are_counted_up_to_where_one_is_cut),
		cmocka_unit_test(sizes_that_cannot_be_end_it),
		cmocka_unit_test(text_is_text),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
