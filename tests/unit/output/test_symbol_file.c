// SPDX-License-Identifier: GPL-2.0-only
/* A file of symbols, as its format says that it is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "output/files/symbol_file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const struct nt_perf_map_line lines[] = {
	{ .start = 0x7f0000001000, .offset = 0x1000, .size = 0x20, .name = "void [a] A::M()[PreJIT]", .length = 23 },
	{ .start = 0x7f0000009000, .offset = 0x9000, .size = 0x11, .name = "B\nX", .length = 2 },
};
enum { COUNT = sizeof(lines) / sizeof(lines[0]) };

static const Elf64_Shdr *section(const char *bytes, const char *wanted)
{
	const Elf64_Ehdr *head = (const void *)bytes;
	const Elf64_Shdr *sections = (const void *)(bytes + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++)
		if (strcmp(bytes + sections[head->e_shstrndx].sh_offset + sections[i].sh_name, wanted) == 0)
			return &sections[i];
	return NULL;
}

static char *written(size_t count, size_t *size)
{
	char *bytes = NULL;
	FILE *out = open_memstream(&bytes, size);
	nt_symbol_file_write(out, lines, count);
	fclose(out);
	const Elf64_Ehdr *head = (const void *)bytes;
	assert_memory_equal(bytes, ELFMAG, SELFMAG);
	assert_true(head->e_shoff % 8 == 0 && head->e_shoff + head->e_shnum * sizeof(Elf64_Shdr) == *size);
	return bytes;
}

static void symbols_lie_at_offsets(void **state)
{
	(void)state;
	size_t size;
	char *bytes = written(COUNT, &size);
	const Elf64_Shdr *table = section(bytes, ".symtab"), *names = section(bytes, ".strtab"), *code = section(bytes, ".text");
	assert_true(table && names && code);
	assert_int_equal(table->sh_size, (COUNT + 1) * sizeof(Elf64_Sym));
	assert_int_equal(code->sh_size, 0x9011);
	assert_int_equal(code->sh_addr, code->sh_offset);
	const Elf64_Sym *symbols = (const void *)(bytes + table->sh_offset);
	for (unsigned i = 0; i < COUNT; i++) {
		const Elf64_Sym *symbol = &symbols[i + 1];
		assert_int_equal(symbol->st_value, lines[i].offset);
		assert_int_equal(symbol->st_size, lines[i].size);
		assert_int_equal(ELF64_ST_TYPE(symbol->st_info), STT_FUNC);
		assert_true(symbol->st_name < names->sh_size);
	}
	const char *first = bytes + names->sh_offset + symbols[1].st_name, *second = bytes + names->sh_offset + symbols[2].st_name;
	assert_string_equal(first, "void [a] A::M()[PreJIT]");
	assert_int_equal(second[0], 'B');
	assert_null(strchr(second, '\n'));
	const Elf64_Phdr *segment = (const void *)(bytes + sizeof(Elf64_Ehdr));
	assert_true(segment->p_type == PT_LOAD && segment->p_vaddr == segment->p_offset);
	free(bytes);
}

static void nothing_is_a_file_too(void **state)
{
	(void)state;
	size_t size;
	char *bytes = written(0, &size);
	assert_int_equal(section(bytes, ".symtab")->sh_size, sizeof(Elf64_Sym));
	free(bytes);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(symbols_lie_at_offsets),
		cmocka_unit_test(nothing_is_a_file_too),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
