// SPDX-License-Identifier: GPL-2.0-only
/* UNWIND_INFO written by hand for prologs as the runtime's compiler makes them, and what is known of the caller at places in them and behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/unwind/unwind_codes.h"

enum { PUSH, LARGE, SMALL, SET, SAVE, BX = 3, BP = 5, R15 = 15 };
#define HEAD(prolog, count, frame)     1, prolog, count, frame
#define CODE(end, operation, argument) end, (operation) | (argument) << 4

/* push rbp; push r15; push rbx; sub rsp, 16; lea rbp, [rsp + 32] */
static const uint8_t with_pointer[] = { HEAD(13, 5, BP | 2 << 4), CODE(13, SET, 0),   CODE(8, SMALL, 1),
					CODE(4, PUSH, BX),        CODE(3, PUSH, R15), CODE(1, PUSH, BP) };
/* push rbp; push rbx; sub rsp, 40; rbp is used for something else */
static const uint8_t without[] = { HEAD(6, 3, 0), CODE(6, SMALL, 4), CODE(2, PUSH, BX), CODE(1, PUSH, BP) };
static const uint8_t leaf[] = { HEAD(0, 0, 0) };
static const uint8_t large[] = { HEAD(14, 3, 0), CODE(7, LARGE, 0), 0x00, 0x20 /* words */, CODE(0, PUSH, BX) };
static const uint8_t larger[] = { HEAD(14, 3, 0), CODE(7, LARGE, 1), 0x08, 0x00, 0x01, 0x00 /* bytes */ };
static const uint8_t saved[] = { HEAD(14, 3, 0), CODE(12, SAVE, BP), 0x02, 0x00, CODE(4, SMALL, 3) };

static bool read(const uint8_t *bytes, size_t size, uint32_t offset, struct nt_unwind_codes *codes, struct nt_frame_rule *rule)
{
	uint32_t chained;
	*codes = nt_unwind_codes_begin();
	return nt_unwind_codes_undo(codes, bytes, size, offset, &chained) && !chained && nt_unwind_codes_rule(codes, rule);
}

static void check(const uint8_t *bytes, size_t size, uint32_t offset, int cfa, int16_t bp, int16_t bx, uint32_t from, uint32_t to)
{
	struct nt_unwind_codes codes;
	struct nt_frame_rule rule;
	assert_true(read(bytes, size, offset, &codes, &rule));
	assert_int_equal(rule.way, NT_FRAME_CFI);
	assert_int_equal(rule.cfa_reg, NT_REG_SP);
	assert_int_equal(rule.cfa_offset, cfa);
	assert_int_equal(rule.saved[NT_REG_PC], -1);
	assert_int_equal(rule.saved[NT_REG_BP], bp);
	assert_int_equal(rule.saved[NT_REG_BX], bx);
	assert_int_equal(codes.holds_from, from);
	assert_int_equal(codes.holds_to, to);
}

static void test_behind_the_prolog(void **state)
{
	(void)state;
	check(without, sizeof(without), 100, 64, -2, -3, 6, UINT32_MAX);
	check(leaf, sizeof(leaf), 100, 8, NT_SAVED_NOT, NT_SAVED_NOT, 0, UINT32_MAX);
	check(large, sizeof(large), 100, 0x2000 * 8 + 16, NT_SAVED_NOT, -2, 7, UINT32_MAX);
	check(larger, sizeof(larger), 100, 0x10008 + 8, NT_SAVED_NOT, NT_SAVED_NOT, 7, UINT32_MAX);
	check(saved, sizeof(saved), 100, 40, -3, NT_SAVED_NOT, 12, UINT32_MAX);
}

static void test_in_the_prolog(void **state)
{
	(void)state;
	check(without, sizeof(without), 0, 8, NT_SAVED_NOT, NT_SAVED_NOT, 0, 1);
	check(without, sizeof(without), 1, 16, -2, NT_SAVED_NOT, 1, 2);
	check(without, sizeof(without), 5, 24, -2, -3, 2, 6);
	check(with_pointer, sizeof(with_pointer), 9, 48, -2, -4, 8, 13);
}

static void test_a_frame_pointer_is_one(void **state)
{
	(void)state;
	struct nt_unwind_codes codes;
	struct nt_frame_rule rule;
	assert_true(read(with_pointer, sizeof(with_pointer), 13, &codes, &rule));
	assert_int_equal(rule.way, NT_FRAME_POINTER);
	/* It points somewhere else: the caller's is found by it, but it is no chain. */
	uint8_t other[sizeof(with_pointer)];
	for (size_t i = 0; i < sizeof(other); i++)
		other[i] = with_pointer[i];
	other[3] = BP | 1 << 4;
	assert_true(read(other, sizeof(other), 13, &codes, &rule));
	assert_int_equal(rule.way, NT_FRAME_CFI);
	assert_int_equal(rule.cfa_reg, NT_REG_BP);
	assert_int_equal(rule.cfa_offset, 32);
	assert_int_equal(rule.saved[NT_REG_BP], -2);
}

/* A part of a function that lies elsewhere: what the whole one has done comes besides. */
static void test_chained(void **state)
{
	(void)state;
	static const uint8_t part[] = { 1 | 4 << 3, 4, 1, 0, CODE(4, SMALL, 0), 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 0x34, 0x12, 0, 0 };
	struct nt_unwind_codes codes = nt_unwind_codes_begin();
	struct nt_frame_rule rule;
	uint32_t chained;
	assert_true(nt_unwind_codes_undo(&codes, part, sizeof(part), 50, &chained));
	assert_int_equal(chained, 0x1234);
	assert_true(nt_unwind_codes_undo(&codes, without, sizeof(without), UINT32_MAX, &chained));
	assert_true(nt_unwind_codes_rule(&codes, &rule));
	assert_int_equal(rule.cfa_offset, 72);
	assert_int_equal(codes.holds_from, 4);
	assert_int_equal(codes.holds_to, UINT32_MAX);
	assert_false(nt_unwind_codes_undo(&codes, part, sizeof(part) - 1, 50, &chained));
}

static void test_broken(void **state)
{
	(void)state;
	static const uint8_t unknown[] = { HEAD(4, 1, 0), CODE(4, 6, 0) }, version[] = { 3, 0, 0, 0 };
	static const uint8_t beyond[] = { HEAD(4, 1, 0), CODE(4, LARGE, 0), 1, 0 };
	static const uint8_t twice[] = { HEAD(4, 2, BP), CODE(4, SET, 0), CODE(2, SET, 0) };
	static const uint8_t no_register[] = { HEAD(4, 1, 0), CODE(4, SET, 0), 0, 0 };
	struct nt_unwind_codes codes;
	struct nt_frame_rule rule;
	assert_false(read(unknown, sizeof(unknown), 9, &codes, &rule));
	assert_false(read(version, sizeof(version), 9, &codes, &rule));
	assert_false(read(beyond, sizeof(beyond), 9, &codes, &rule));
	assert_false(read(twice, sizeof(twice), 9, &codes, &rule));
	assert_false(read(no_register, sizeof(no_register), 9, &codes, &rule));
	for (size_t size = 0; size < sizeof(without); size++)
		assert_false(read(without, size, 9, &codes, &rule));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_behind_the_prolog),
		cmocka_unit_test(test_in_the_prolog),
		cmocka_unit_test(test_a_frame_pointer_is_one),
		cmocka_unit_test(test_chained),
		cmocka_unit_test(test_broken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
