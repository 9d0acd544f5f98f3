// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/core/image_data.h"
#include "decode/core/image_head.h"
#include "memory_window.h"

#include <elf.h>

enum { PAGE = 4096, FILE_BYTES = 4 * PAGE, NOTE_AT = 0x300, ID_BYTES = 20, RELA_AT = 0x800, DYNAMIC_AT = 0x900, DATA_AT = 2 * PAGE };
enum { BASE = 0x70000000 };

/* Two segments: code and tables, which stay as they are; data. */
struct image {
	uint8_t bytes[FILE_BYTES];
	Elf64_Ehdr header;
	Elf64_Phdr segments[4];
	Elf64_Rela relocations[2];
	Elf64_Dyn dynamic[4];
};

static void finish(struct image *image)
{
	memcpy(image->bytes, &image->header, sizeof(image->header));
	memcpy(image->bytes + sizeof(image->header), image->segments, sizeof(image->segments));
	memcpy(image->bytes + RELA_AT, image->relocations, sizeof(image->relocations));
	memcpy(image->bytes + DYNAMIC_AT, image->dynamic, sizeof(image->dynamic));
}

static void make(struct image *image)
{
	const Elf64_Nhdr note = { .n_namesz = 4, .n_descsz = ID_BYTES, .n_type = NT_GNU_BUILD_ID };
	*image = (struct image){ .header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
					     .e_phoff = sizeof(Elf64_Ehdr),
					     .e_phentsize = sizeof(Elf64_Phdr),
					     .e_phnum = 4 } };
	image->segments[0] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_filesz = 0x1100, .p_memsz = 0x1100 };
	image->segments[1] = (Elf64_Phdr){
		.p_type = PT_LOAD, .p_flags = PF_R | PF_W, .p_offset = DATA_AT, .p_vaddr = DATA_AT, .p_filesz = 0x1800, .p_memsz = 0x3000
	};
	image->segments[2] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = NOTE_AT, .p_filesz = sizeof(note) + 4 + ID_BYTES };
	image->segments[3] = (Elf64_Phdr){ .p_type = PT_DYNAMIC, .p_offset = DYNAMIC_AT, .p_filesz = sizeof(image->dynamic) };
	image->relocations[0] = (Elf64_Rela){ .r_offset = DATA_AT + 0x10, .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE), .r_addend = 0x123 };
	/* Over the border of two pages. */
	image->relocations[1] =
		(Elf64_Rela){ .r_offset = DATA_AT + PAGE - 4, .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE), .r_addend = 0x456 };
	image->dynamic[0] = (Elf64_Dyn){ .d_tag = DT_RELA, .d_un.d_ptr = RELA_AT };
	image->dynamic[1] = (Elf64_Dyn){ .d_tag = DT_RELASZ, .d_un.d_val = sizeof(image->relocations) };
	image->dynamic[2] = (Elf64_Dyn){ .d_tag = DT_RELAENT, .d_un.d_val = sizeof(Elf64_Rela) };
	memcpy(image->bytes + NOTE_AT, &note, sizeof(note));
	memcpy(image->bytes + NOTE_AT + sizeof(note), "GNU", 4);
	memset(image->bytes + NOTE_AT + sizeof(note) + 4, 0xab, ID_BYTES);
	memset(image->bytes + DATA_AT, 0x11, 0x1800);
	finish(image);
}

static void an_elf_image_has_its_build_id(void **state)
{
	(void)state;
	static struct image image, other;
	struct nt_image_head head;
	make(&image);
	assert_true(nt_image_head_read(image.bytes, &head));
	assert_true(head.is_elf);
	assert_int_equal(head.id_length, ID_BYTES);
	assert_int_equal(head.id[ID_BYTES - 1], 0xab);
	assert_true(nt_image_head_is_constant(&head, PAGE, PAGE)); /* the file ends within it: pages are mapped whole */
	assert_false(nt_image_head_is_constant(&head, PAGE, PAGE + 1));
	assert_false(nt_image_head_is_constant(&head, DATA_AT, 1));
	make(&other);
	other.bytes[100]++; /* what the loader has changed does not matter */
	assert_int_equal(nt_image_head_match(image.bytes, other.bytes), NT_IMAGE_SAME);
	other.bytes[NOTE_AT + 20]++;
	assert_int_equal(nt_image_head_match(image.bytes, other.bytes), NT_IMAGE_OTHER);
	other.header.e_phnum = 2; /* without the note */
	finish(&other);
	assert_int_equal(nt_image_head_match(image.bytes, other.bytes), NT_IMAGE_UNSURE);
}

static void an_assembly_is_the_same_when_its_head_is(void **state)
{
	(void)state;
	static uint8_t page[PAGE], other[PAGE];
	struct nt_image_head head;
	const uint32_t at = 0x80;
	const uint16_t sections = 2;
	/* Of two sections one is written to. */
	const uint32_t sizes[] = { 0x2000, 0x1000 }, places[] = { 0x400, 0x2400 }, flags[] = { 0x60000020, 0xc0000040 };
	memset(page, 0, sizeof(page));
	memcpy(page, "MZ", 2);
	assert_false(nt_image_head_read(page, &head));
	memcpy(page + 0x3c, &at, sizeof(at));
	memcpy(page + at, "PE\0", 4);
	memcpy(page + at + 6, &sections, sizeof(sections));
	for (unsigned i = 0; i < 2; i++) {
		memcpy(page + at + 24 + i * 40 + 16, &sizes[i], 4);
		memcpy(page + at + 24 + i * 40 + 20, &places[i], 4);
		memcpy(page + at + 24 + i * 40 + 36, &flags[i], 4);
	}
	assert_true(nt_image_head_read(page, &head));
	assert_true(head.is_pe);
	assert_int_equal(head.part_count, 2); /* the head, and that */
	assert_true(nt_image_head_is_constant(&head, PAGE, PAGE));
	assert_false(nt_image_head_is_constant(&head, 3 * PAGE, 1));
	memcpy(other, page, sizeof(page));
	assert_int_equal(nt_image_head_match(page, other), NT_IMAGE_SAME);
	other[PAGE - 1]++;
	assert_int_equal(nt_image_head_match(page, other), NT_IMAGE_OTHER);
}

static bool page_of(const struct image *image, uint64_t address, uint8_t page[PAGE])
{
	struct memory memory = { .bytes = image->bytes, .size = FILE_BYTES };
	struct nt_window *window = memory_window(&memory);
	bool read = nt_image_data_page(window, BASE, address, page);
	nt_window_free(window);
	return read;
}

static uint64_t word_at(const uint8_t *page, size_t at)
{
	uint64_t word;
	memcpy(&word, page + at, sizeof(word));
	return word;
}

static void data_are_as_the_loader_leaves_them(void **state)
{
	(void)state;
	static struct image image;
	uint8_t page[PAGE], next[PAGE];
	make(&image);
	assert_true(page_of(&image, BASE + DATA_AT, page));
	assert_true(page_of(&image, BASE + DATA_AT + PAGE, next));
	assert_int_equal(word_at(page, 0x10), BASE + 0x123);
	assert_int_equal(word_at(page, 0x18), 0x1111111111111111);
	const uint64_t over = BASE + 0x456;
	assert_memory_equal(page + PAGE - 4, &over, 4);
	assert_memory_equal(next, (const uint8_t *)&over + 4, 4);
	assert_int_equal(next[0x7ff], 0x11);
	assert_int_equal(next[0x800], 0); /* behind what the file has */
	assert_false(page_of(&image, BASE + 4 * PAGE, page));
	assert_false(page_of(&image, BASE - PAGE, page));
}

static void relocations_of_another_form_are_not_guessed(void **state)
{
	(void)state;
	static struct image image;
	uint8_t page[PAGE];
	make(&image);
	image.dynamic[2].d_un.d_val = 16;
	finish(&image);
	assert_false(page_of(&image, BASE + DATA_AT, page));
	make(&image);
	image.dynamic[2].d_tag = 36; /* DT_RELR */
	finish(&image);
	assert_false(page_of(&image, BASE + DATA_AT, page));
	make(&image);
	image.dynamic[1].d_un.d_val = UINT64_MAX;
	finish(&image);
	assert_false(page_of(&image, BASE + DATA_AT, page));
	make(&image);
	image.dynamic[0].d_un.d_ptr = UINT64_MAX - 8;
	finish(&image);
	assert_false(page_of(&image, BASE + DATA_AT, page));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_elf_image_has_its_build_id),
		cmocka_unit_test(an_assembly_is_the_same_when_its_head_is),
		cmocka_unit_test(data_are_as_the_loader_leaves_them),
		cmocka_unit_test(relocations_of_another_form_are_not_guessed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
