// SPDX-License-Identifier: GPL-2.0-only
/* ELF files that say of themselves what no linker says: refused before libelf takes memory for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "target/common/elf_open.h"

#include <gelf.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTIONS = 4, MB = 1 << 20 };

/* A whole file: its header, one segment, sections. */
struct image {
	Elf64_Ehdr file;
	Elf64_Phdr segment;
	Elf64_Shdr sections[SECTIONS];
};

static const struct image *good(void)
{
	static struct image image;
	image = (struct image){
		.file = { .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
			  .e_type = ET_DYN,
			  .e_machine = EM_X86_64,
			  .e_version = EV_CURRENT,
			  .e_phoff = offsetof(struct image, segment),
			  .e_shoff = offsetof(struct image, sections),
			  .e_ehsize = sizeof(image.file),
			  .e_phentsize = sizeof(image.segment),
			  .e_phnum = 1,
			  .e_shentsize = sizeof(image.sections[0]),
			  .e_shnum = SECTIONS },
		.segment = { .p_type = PT_NOTE },
		.sections = { { 0 },
			      { .sh_type = SHT_DYNSYM, .sh_size = MB, .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym) },
			      { .sh_type = SHT_STRTAB, .sh_size = MB },
			      { .sh_type = SHT_SYMTAB, .sh_size = MB, .sh_link = 2, .sh_entsize = sizeof(Elf64_Sym) } },
	};
	return &image;
}

/* In a file and in memory: what speaks against it is the same. NULL = it was opened. */
static const char *objection_to(const struct image *image, enum nt_elf_use use)
{
	static char objection[NT_OBJECTION_BYTES];
	FILE *file = tmpfile();
	struct image copy = *image;
	assert_non_null(file);
	assert_int_equal(fwrite(image, sizeof(*image), 1, file), 1);
	assert_int_equal(fflush(file), 0);
	Elf *elf = nt_elf_open(fileno(file), use, objection), *inner = nt_elf_open_memory((char *)&copy, sizeof(copy), use);
	bool opened = elf != NULL;
	assert_true(opened == (inner != NULL));
	assert_true(!opened || !*objection);
	elf_end(inner);
	elf_end(elf);
	fclose(file);
	return opened ? NULL : objection;
}

static void test_good(void **state)
{
	(void)state;
	assert_null(objection_to(good(), NT_ELF_DYNAMIC));
	assert_null(objection_to(good(), NT_ELF_SYMBOLS));
}

static void test_counts(void **state)
{
	(void)state;
	struct image image = *good();
	image.file.e_shnum = 5000;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that it has 5000 sections");
	image.file.e_shnum = 0; /* then section 0 says it */
	image.sections[0].sh_size = UINT64_MAX;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that it has 18446744073709551615 sections");
	image.sections[0].sh_size = 31000000;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that it has 31000000 sections");
	image.sections[0].sh_size = SECTIONS;
	assert_null(objection_to(&image, NT_ELF_DYNAMIC));
	image.file.e_phnum = PN_XNUM;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that it has 65535 segments or more");
}

static void test_sums(void **state)
{
	(void)state;
	struct image image = *good();
	image.sections[3].sh_size = UINT64_C(1000) * MB;
	assert_null(objection_to(&image, NT_ELF_DYNAMIC)); /* not read */
	assert_string_equal(objection_to(&image, NT_ELF_SYMBOLS), "says that its tables have 1002 MB");
	image.sections[3].sh_size = UINT64_MAX;
	assert_string_equal(objection_to(&image, NT_ELF_SYMBOLS), "says that its tables have 17592186044415 MB");

	image = *good();
	image.sections[2].sh_size = UINT64_C(1000) * MB; /* texts of both tables of symbols */
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that its tables have 1001 MB");
	assert_string_equal(objection_to(&image, NT_ELF_SYMBOLS), "says that its tables have 1002 MB");

	image = *good();
	image.sections[2].sh_size = UINT64_C(1000) * MB; /* names of sections, and nothing else */
	image.sections[1].sh_type = SHT_PROGBITS;
	assert_null(objection_to(&image, NT_ELF_DYNAMIC));
	image.file.e_shstrndx = 2;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that its tables have 1000 MB");
	image.file.e_shstrndx = SHN_XINDEX;
	image.sections[0].sh_link = 2;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that its tables have 1000 MB");

	image = *good();
	image.segment.p_filesz = UINT64_C(1000) * MB;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "says that its tables have 1002 MB");
}

static void test_compressed(void **state)
{
	(void)state;
	struct image image = *good();
	image.sections[2].sh_flags = SHF_COMPRESSED;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "has a compressed table of symbols");
}

static void test_no_elf(void **state)
{
	(void)state;
	struct image image = *good();
	image.file.e_ident[EI_DATA] = ELFDATA2MSB;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "");
	image = *good();
	image.file.e_ident[EI_CLASS] = 3;
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "");
	memcpy(&image, "!<arch>\n", 8);
	assert_string_equal(objection_to(&image, NT_ELF_DYNAMIC), "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_good),       cmocka_unit_test(test_counts), cmocka_unit_test(test_sums),
		cmocka_unit_test(test_compressed), cmocka_unit_test(test_no_elf),
	};
	return cmocka_run_group_tests_name("target/elf_open", tests, NULL, NULL);
}
