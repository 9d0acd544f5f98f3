// SPDX-License-Identifier: GPL-2.0-only
/* Which IL a method's code was made of, from what its header leads to: bytes as the runtime of .NET 10 writes them, and some as it never would. */
#include "decode/contract/contract_il.h"

#include <stdarg.h>
#include <setjmp.h>

#include <cmocka.h>

#include <string.h>

enum { BASE = 0x10000, PAGES = 2, BYTES = PAGES * NT_PAGE_BYTES, NATIVE_BITS = 5, IL_BITS = 6 };

struct world {
	uint8_t bytes[BYTES]; /* at BASE; what lies behind cannot be read */
	size_t at;
	uint8_t nibble;
	bool half;
	uint32_t il[NT_IL_MAP_MAX], native[NT_IL_MAP_MAX];
};

static bool read_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	const struct world *w = context;
	if (address < BASE || address >= BASE + BYTES)
		return false;
	memcpy(page, w->bytes + (address - BASE), NT_PAGE_BYTES);
	return true;
}

static void put(struct world *w, const void *bytes, size_t size)
{
	memcpy(w->bytes + w->at, bytes, size);
	w->at += size;
}

static void put_nibble(struct world *w, uint8_t nibble)
{
	w->nibble = w->half ? (uint8_t)(w->nibble | nibble << 4) : nibble;
	if (w->half)
		put(w, &w->nibble, 1);
	w->half = !w->half;
}

/* Three bits a nibble, the highest first. */
static void put_number(struct world *w, uint32_t value)
{
	int shift = 0;
	while (shift < 30 && value >> (shift + 3))
		shift += 3;
	for (; shift >= 0; shift -= 3)
		put_nibble(w, (uint8_t)((value >> shift & 7) | (shift ? 8 : 0)));
}

static void align(struct world *w)
{
	if (w->half)
		put_nibble(w, 0);
}

struct entry {
	uint32_t native, il;
};

/* Entries in bits, the lowest first: where the stack is empty, the difference of the offsets, the IL offset and 3. */
static void put_bounds(struct world *w, const struct entry *entries, size_t count)
{
	uint64_t bits = 0;
	unsigned have = 0;
	uint32_t before = 0;
	put_number(w, (uint32_t)count);
	put_number(w, NATIVE_BITS - 1);
	put_number(w, IL_BITS - 1);
	align(w);
	for (size_t i = 0; i < count; i++) {
		uint64_t entry =
			2 | (uint64_t)(entries[i].native - before) << 2 | (uint64_t)((entries[i].il + 3) & 63) << (2 + NATIVE_BITS);
		before = entries[i].native;
		bits |= entry << have;
		for (have += 2 + NATIVE_BITS + IL_BITS; have >= 8; have -= 8, bits >>= 8) {
			uint8_t byte = (uint8_t)bits;
			put(w, &byte, 1);
		}
	}
	uint8_t rest = (uint8_t)bits;
	put(w, &rest, 1);
}

static const struct entry usual[] = { { 0, NT_IL_PROLOG }, { 4, 0 }, { 9, 7 }, { 30, 13 }, { 31, NT_IL_NO_MAPPING }, { 40, NT_IL_EPILOG } };
enum { USUAL = sizeof(usual) / sizeof(*usual), CODE = 64 };

/* Behind the flags and what they announce. */
static void put_usual(struct world *w)
{
	struct world bounds = { 0 };
	put_bounds(&bounds, usual, USUAL);
	put_number(w, (uint32_t)bounds.at);
	put_number(w, 0);
	align(w);
	put(w, bounds.bytes, bounds.at);
}

static bool read_at(struct world *w, uint64_t info, uint64_t size, struct nt_il_map *out)
{
	struct nt_memory memory = { .read = read_page, .context = w };
	nt_memory_allow(&memory, 100);
	bool read = nt_contract_il_read(&memory, info, size, w->il, w->native, out);
	nt_memory_fini(&memory);
	return read;
}

static void expect_usual(struct world *w, uint64_t info)
{
	struct nt_il_map map;
	assert_true(read_at(w, info, CODE, &map));
	assert_int_equal(map.count, USUAL);
	for (size_t i = 0; i < USUAL; i++) {
		assert_int_equal(w->native[i], usual[i].native);
		assert_int_equal(w->il[i], usual[i].il);
	}
}

static void bounds_alone(void **state)
{
	(void)state;
	static struct world w;
	w.at = 1;
	put_usual(&w);
	expect_usual(&w, BASE);
}

static void behind_patchpoints_and_inlining(void **state)
{
	(void)state;
	static struct world w;
	const uint8_t flags = 3, patchpoints[40 + 3 * 4] = { [16] = 3 }, inlining[4 + 5] = { 5 };
	put(&w, &flags, 1);
	put(&w, patchpoints, sizeof(patchpoints));
	put(&w, inlining, sizeof(inlining));
	put_usual(&w);
	expect_usual(&w, BASE);
}

/* The last bytes of what can be read: a piece of the usual size reaches beyond. */
static void at_the_end_of_memory(void **state)
{
	(void)state;
	static struct world w, measured;
	put_usual(&measured);
	w.at = BYTES - measured.at;
	put_usual(&w);
	expect_usual(&w, BASE + BYTES - measured.at - 1);
}

static void what_is_no_map(void **state)
{
	(void)state;
	static struct world w;
	struct nt_il_map map;
	w.at = 1;
	put_usual(&w);
	assert_false(read_at(&w, BASE, 39, &map)); /* of shorter code */
	w.bytes[0] = 4;                            /* a form to come */
	assert_false(read_at(&w, BASE, CODE, &map));
	w.bytes[0] = 1; /* patchpoints without end */
	memset(w.bytes + 17, 0xff, 4);
	assert_false(read_at(&w, BASE, CODE, &map));
	w.bytes[0] = 2;
	memset(w.bytes + 1, 0xff, 4);
	assert_false(read_at(&w, BASE, CODE, &map));
	memset(w.bytes, 0xff, BYTES); /* a number without end */
	w.bytes[0] = 0;
	assert_false(read_at(&w, BASE, CODE, &map));
	assert_false(read_at(&w, BASE + BYTES, CODE, &map));
	assert_false(read_at(&w, UINT64_MAX, CODE, &map));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_alone),
		cmocka_unit_test(behind_patchpoints_and_inlining),
		cmocka_unit_test(at_the_end_of_memory),
		cmocka_unit_test(what_is_no_map),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
