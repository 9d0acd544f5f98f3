// SPDX-License-Identifier: GPL-2.0-only
/* Procedure linkage tables, byte by byte as GNU ld and lld write them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/elf/elf_plt.h"

#include <elf.h>
#include <string.h>

/* 0x11000.. of the segment lies at file offset 0x1000...; the words of the global offset table are at GOT. */
enum { PLT = 0x11000, GOT = 0x13000, RESOLVER = 0x11800 };
static const struct nt_elf_segment segment = { .vaddr = 0x11000, .offset = 0x1000, .file_size = 0x1000 };

static const char strings[] = "\0memcpy\0_Znwm\0puts";
static const Elf64_Sym symbols[] = { { 0 }, { .st_name = 1 }, { .st_name = 8 }, { .st_name = 14 }, { .st_name = 99 } };

#define RELA(word, type, symbol, addend)                                                                                                   \
	{                                                                                                                                  \
		.r_offset = GOT + 8 * (word), .r_info = ELF64_R_INFO(symbol, type), .r_addend = (addend)                                   \
	}
/* Not in the order of their words: nobody promises that. */
static const Elf64_Rela relocations[] = {
	RELA(4, R_X86_64_JUMP_SLOT, 2, 0),        RELA(3, R_X86_64_JUMP_SLOT, 1, 0),
	RELA(5, R_X86_64_IRELATIVE, 0, RESOLVER), RELA(7, R_X86_64_GLOB_DAT, 3, 0),
	RELA(8, R_X86_64_JUMP_SLOT, 4, 0),        RELA(9, R_X86_64_RELATIVE, 0, RESOLVER),
	RELA(6, R_X86_64_JUMP_SLOT, 5, 0),        RELA(10, R_X86_64_IRELATIVE, 0, RESOLVER + 8),
};

struct section {
	uint8_t bytes[256];
	size_t size;
};

/* An entry of `size` bytes: `code`, and behind it the distance to a word of the global offset table. */
static void put_jump(struct section *section, const char *code, size_t length, int word, size_t size)
{
	uint8_t *at = section->bytes + section->size;
	int32_t distance = GOT + 8 * word - (int32_t)(PLT + section->size + length + 4);
	memset(at, 0x90, size);
	memcpy(at, code, length);
	memcpy(at + length, &distance, sizeof(distance));
	section->size += size;
}

static struct nt_symbols *read_entries(const struct section *section, unsigned entry_bytes, size_t expected)
{
	static const char resolver[] = "strlen";
	uint8_t odd[1 + sizeof(section->bytes)]; /* nothing may be assumed of the alignment */
	memcpy(odd + 1, section->bytes, section->size);
	struct nt_symbols *functions = nt_symbols_new(), *out = nt_symbols_new();
	nt_symbols_add(functions, RESOLVER - PLT + 0x1000, 0x20, 0, resolver, strlen(resolver));
	nt_symbols_finish(functions);
	const struct nt_elf_plt plt = { .bytes = odd + 1,
					.size = section->size,
					.vaddr = PLT,
					.entry_bytes = entry_bytes,
					.rela = (const uint8_t *)relocations,
					.rela_size = sizeof(relocations),
					.symtab = (const uint8_t *)symbols,
					.symtab_size = sizeof(symbols),
					.strtab = strings,
					.strtab_size = sizeof(strings),
					.functions = functions,
					.segments = &segment,
					.segment_count = 1 };
	assert_int_equal(nt_elf_plt_read(&plt, out), expected);
	nt_symbols_free(functions);
	nt_symbols_finish(out);
	return out;
}

/* The whole entry has the name and nothing beside it; NULL = no entry there. */
static void expect(const struct nt_symbols *entries, size_t at, size_t size, const char *name)
{
	struct nt_symbol found;
	if (!name) {
		assert_false(nt_symbols_find(entries, 0x1000 + at, &found));
		return;
	}
	assert_true(nt_symbols_find(entries, 0x1000 + at + size - 1, &found));
	assert_string_equal(found.name, name);
	assert_int_equal(found.start, 0x1000 + at);
	assert_int_equal(found.end, 0x1000 + at + size);
}

static void test_lazy_entries(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	put_jump(&section, "\xff\x35", 2, 1, 16); /* PLT0 pushes a word before it jumps through the next */
	put_jump(&section, "\xff\x25", 2, 3, 16);
	put_jump(&section, "\xff\x25", 2, 4, 16);
	put_jump(&section, "\xff\x25", 2, 5, 16);
	put_jump(&section, "\xff\x25", 2, 10, 16);
	struct nt_symbols *entries = read_entries(&section, 16, 4);
	expect(entries, 0, 16, NULL);
	expect(entries, 16, 16, "memcpy@plt");
	expect(entries, 32, 16, "_Znwm@plt");
	expect(entries, 48, 16, "strlen@plt");        /* its own indirect function */
	expect(entries, 64, 16, "*ABS*+0x11808@plt"); /* one without a name */
	expect(entries, 80, 16, NULL);
	nt_symbols_free(entries);
}

static void test_entries_with_branch_tracking(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	put_jump(&section, "\xf3\x0f\x1e\xfa\xff\x25", 6, 3, 16);                                       /* .plt.sec */
	put_jump(&section, "\xf3\x0f\x1e\xfa\xf2\xff\x25", 7, 4, 16);                                   /* the same with bnd */
	put_jump(&section, "\xf2\xff\x25", 3, 3, 16);                                                   /* .plt.bnd */
	memcpy(section.bytes + section.size, "\xf3\x0f\x1e\xfa\x68\x02\0\0\0\xe9\0\0\0\0\x66\x90", 16); /* .plt: push $2 */
	section.size += 16;
	struct nt_symbols *entries = read_entries(&section, 16, 4);
	expect(entries, 0, 16, "memcpy@plt");
	expect(entries, 16, 16, "_Znwm@plt");
	expect(entries, 32, 16, "memcpy@plt");
	expect(entries, 48, 16, "strlen@plt");
	nt_symbols_free(entries);
}

static void test_short_entries(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	put_jump(&section, "\xff\x25", 2, 7, 8);
	put_jump(&section, "\xff\x25", 2, 3, 8);
	section.size += 5; /* no whole entry any more */
	struct nt_symbols *entries = read_entries(&section, 8, 2);
	expect(entries, 0, 8, "puts@plt");
	expect(entries, 8, 8, "memcpy@plt");
	expect(entries, 16, 8, NULL);
	nt_symbols_free(entries);
}

/* What jumps to nobody known has no name: nobody is guessed. */
static void test_broken_entries(void **state)
{
	(void)state;
	struct section section = { .size = 0 };
	put_jump(&section, "\xff\x25", 2, 8, 16);   /* a name outside the string table */
	put_jump(&section, "\xff\x25", 2, 6, 16);   /* a symbol outside the table */
	put_jump(&section, "\xff\x25", 2, 9, 16);   /* a relocation for data */
	put_jump(&section, "\xff\x25", 2, 300, 16); /* a word without relocation */
	memcpy(section.bytes + section.size, "\xf3\x0f\x1e\xfa\x68\xff\xff\xff\xff\xe9\0\0\0\0\x66\x90", 16);
	section.size += 16;
	put_jump(&section, "\x48\x89", 2, 3, 16); /* no entry at all */
	struct nt_symbols *entries = read_entries(&section, 16, 0);
	assert_int_equal(nt_symbols_count(entries), 0);
	nt_symbols_free(entries);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lazy_entries),
		cmocka_unit_test(test_entries_with_branch_tracking),
		cmocka_unit_test(test_short_entries),
		cmocka_unit_test(test_broken_entries),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
