// SPDX-License-Identifier: GPL-2.0-only
/* A Native AOT executable without symbols, made byte by byte: its methods are named as its own runtime finds their names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "source/image/image_names.h"
#include "tests/unit/aot_made.h"

#include <elf.h>

/*
 * Virtual addresses are BASE above offsets. METHOD and OTHER are functions, of which the first one is in the table of methods, and
 * HANDLER is a part of it.
 */
enum { BASE = 0x100000, CODE = 0x1000, METHOD = 0x1000, HANDLER = 0x1040, OTHER = 0x1080, CODE_END = 0x10c0, FILE_BYTES = 0x2000 };

enum { CODE_SECTION = 1, MODULES, RELOCATIONS, FRAME, NAMES, SECTIONS };

struct file {
	uint8_t bytes[FILE_BYTES];
	size_t size;
	Elf64_Shdr sections[SECTIONS];
	Elf64_Rela relocations[8];
	size_t relocation_count;
};

static void append(struct file *file, const void *bytes, size_t size)
{
	assert_true(file->size + size <= sizeof(file->bytes));
	memcpy(file->bytes + file->size, bytes, size);
	file->size += size;
}

static void append32(struct file *file, uint32_t word)
{
	append(file, &word, sizeof(word));
}

/* The next section begins here. */
static void begin_section(struct file *file, unsigned index, unsigned name, unsigned type)
{
	file->size = (file->size + 7) & ~(size_t)7;
	file->sections[index] =
		(Elf64_Shdr){ .sh_name = name, .sh_type = type, .sh_addr = BASE + file->size, .sh_offset = file->size, .sh_addralign = 1 };
}

static void end_section(struct file *file, unsigned index)
{
	file->sections[index].sh_size = file->size - file->sections[index].sh_offset;
}

/* A pointer that only the loader writes. */
static void append_pointer(struct file *file, uint64_t address)
{
	file->relocations[file->relocation_count++] =
		(Elf64_Rela){ .r_offset = BASE + file->size, .r_info = ELF64_R_INFO(0, R_X86_64_RELATIVE), .r_addend = (int64_t)address };
	append(file, &(uint64_t){ 0 }, sizeof(uint64_t));
}

/* A row of the header: id, flags, start, end. */
static void append_row(struct file *file, uint32_t id, uint64_t start, uint64_t size)
{
	append32(file, id);
	append32(file, 1);
	append_pointer(file, BASE + start);
	append_pointer(file, BASE + start + size);
}

/* Metadata with one method, Shop.Cart.Sum(), and the table that says where its code is. */
static void append_tables(struct file *file, unsigned major, uint64_t *metadata, uint64_t *table, uint64_t *end)
{
	struct aot_made made;
	aot_begin(&made, major);
	struct aot_handle cart = aot_reference(&made, aot_assembly(&made, "Shop", "Shop"), "Cart");
	struct aot_handle nothing = aot_reference(&made, aot_assembly(&made, "System.Private.CoreLib", "System"), "Void");
	uint32_t name = aot_text(&made, "Sum"), signature = aot_signature(&made, AOT_STATIC, nothing, NULL, 0);
	*metadata = file->size;
	append(file, made.bytes, made.size);
	*table = file->size;
	struct aot_made command = { .bytes = { 1, 0, 0, 0, 7 }, .size = 5 };
	uint32_t type = aot_token(&made, cart);
	for (unsigned shift = 0; shift < 32; shift += 8)
		aot_byte(&command, type >> shift & 0xff);
	aot_unsigned(&command, name);
	aot_unsigned(&command, signature);
	append(file, command.bytes, command.size);
	append32(file, (uint32_t)(METHOD - file->size));
	*end = file->size;
}

/* The unwind table of the three functions; the handler's data say that it is 0x40 behind the beginning of its method. */
static void append_frame(struct file *file, uint64_t method_data, uint64_t handler_data)
{
	static const struct {
		uint32_t start;
	} functions[] = { { METHOD }, { HANDLER }, { OTHER } };
	const uint64_t data[] = { method_data, handler_data, method_data };
	size_t common = file->size;
	append32(file, 17);
	append32(file, 0);
	append(file, "\1zLR\0\1\x78\20\2\x1b\x1b\0\0", 13);
	for (size_t i = 0; i < 3; i++) {
		append32(file, 17);
		append32(file, (uint32_t)(file->size - common));
		append32(file, (uint32_t)(functions[i].start - file->size));
		append32(file, 0x40);
		append(file, "\4", 1);
		append32(file, (uint32_t)(data[i] - file->size));
	}
	append32(file, 0);
}

static void make(struct file *file, unsigned major)
{
	static const char names[] = "\0__managedcode\0__modules\0.rela.dyn\0.eh_frame\0.shstrtab";
	uint64_t metadata, table, end;
	*file = (struct file){ .size = CODE };
	begin_section(file, CODE_SECTION, 1, SHT_PROGBITS);
	file->size = CODE_END;
	end_section(file, CODE_SECTION);
	append_tables(file, major, &metadata, &table, &end);
	uint64_t method_data = file->size, handler_data = method_data + 1;
	append(file, "\0\5\0\0\0\0\x40\0\0\0", 10);
	begin_section(file, FRAME, 35, SHT_PROGBITS);
	append_frame(file, method_data, handler_data);
	end_section(file, FRAME);
	file->size = (file->size + 7) & ~(size_t)7;
	uint64_t header = file->size;
	append32(file, 0x00525452);
	append(file, &(uint16_t[]){ (uint16_t)major, 0, 0, 0, 2 }, 10);
	append(file, "\x18\1", 2);
	append_row(file, 313, metadata, table - metadata);
	append_row(file, 327, table, end - table);
	begin_section(file, MODULES, 15, SHT_PROGBITS);
	append_pointer(file, BASE + header);
	end_section(file, MODULES);
	begin_section(file, RELOCATIONS, 25, SHT_RELA);
	append(file, file->relocations, file->relocation_count * sizeof(*file->relocations));
	end_section(file, RELOCATIONS);
	begin_section(file, NAMES, 45, SHT_STRTAB);
	append(file, names, sizeof(names));
	end_section(file, NAMES);
	file->size = (file->size + 7) & ~(size_t)7;
	const Elf64_Ehdr elf = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
				 .e_type = ET_DYN,
				 .e_machine = EM_X86_64,
				 .e_version = EV_CURRENT,
				 .e_phoff = sizeof(elf),
				 .e_shoff = file->size,
				 .e_ehsize = sizeof(elf),
				 .e_phentsize = sizeof(Elf64_Phdr),
				 .e_phnum = 1,
				 .e_shentsize = sizeof(Elf64_Shdr),
				 .e_shnum = SECTIONS,
				 .e_shstrndx = NAMES };
	append(file, file->sections, sizeof(file->sections));
	const Elf64_Phdr segment = {
		.p_type = PT_LOAD, .p_flags = PF_R | PF_X, .p_vaddr = BASE, .p_filesz = file->size, .p_memsz = file->size
	};
	memcpy(file->bytes, &elf, sizeof(elf));
	memcpy(file->bytes + sizeof(elf), &segment, sizeof(segment));
}

static void load(const struct file *file, struct nt_image_symbols *image)
{
	*image = (struct nt_image_symbols){ 0 };
	nt_image_symbols_load_memory(image, "app", file->bytes, file->size);
}

static void check(struct nt_image_symbols *image, uint64_t offset, const char *name, enum nt_code_kind kind, enum nt_naming naming)
{
	char text[NT_IMAGE_ANSWER_TEXT];
	struct nt_image_answer answer = nt_image_answer_of(image, "/srv/app", offset, text);
	assert_int_equal(answer.naming, naming);
	assert_int_equal(answer.kind, kind);
	if (name)
		assert_string_equal(answer.name, name);
	else
		assert_null(answer.name);
}

static void test_methods(void **state)
{
	(void)state;
	static const unsigned majors[] = { 9, 10, 16 };
	for (size_t i = 0; i < 3; i++) {
		struct file file;
		struct nt_image_symbols image;
		make(&file, majors[i]);
		load(&file, &image);
		check(&image, METHOD, "void [Shop] Shop.Cart::Sum()", NT_CODE_R2R, NT_NAMING_NAMED);
		check(&image, METHOD + 0x3f, "void [Shop] Shop.Cart::Sum()", NT_CODE_R2R, NT_NAMING_NAMED);
		check(&image, HANDLER + 1, "void [Shop] Shop.Cart::Sum()", NT_CODE_R2R, NT_NAMING_NAMED);
		check(&image, OTHER, "app!0x101080", NT_CODE_R2R, NT_NAMING_BOUNDED);
		check(&image, CODE_END + 8, NULL, NT_CODE_NATIVE, NT_NAMING_NO_FUNCTION);
		nt_image_symbols_fini(&image);
	}
}

/* Of a form that nobody knows yet, and of a header that is none, nothing is read. */
static void test_what_is_not_known(void **state)
{
	(void)state;
	struct file file;
	struct nt_image_symbols image;
	make(&file, 17);
	load(&file, &image);
	check(&image, METHOD, "app!0x101000", NT_CODE_R2R, NT_NAMING_BOUNDED);
	nt_image_symbols_fini(&image);
	make(&file, 16);
	uint8_t *magic = memmem(file.bytes, file.size, "RTR", 4);
	assert_non_null(magic);
	*magic = 'X';
	load(&file, &image);
	check(&image, METHOD, "app!0x101000", NT_CODE_R2R, NT_NAMING_BOUNDED);
	nt_image_symbols_fini(&image);
}

/* Whatever byte is another one, it ends, and says nothing of code that is not there (the sanitizers see the rest). */
static void test_any_byte(void **state)
{
	(void)state;
	struct file file;
	make(&file, 16);
	for (size_t at = 0; at < file.size; at++) {
		struct nt_image_symbols image;
		if (at == CODE) /* which nobody reads */
			at = CODE_END;
		uint8_t was = file.bytes[at];
		for (unsigned other = 0; other < 3; other++) {
			file.bytes[at] = other == 0 ? 0 : other == 1 ? 0xff : (uint8_t)(was ^ 0x80);
			load(&file, &image);
			struct nt_image_function function;
			for (uint64_t place = METHOD; place < CODE_END; place += 0x40)
				if (nt_image_symbols_find(&image, place, &function))
					assert_true(function.start <= place && place < function.end);
			nt_image_symbols_fini(&image);
		}
		file.bytes[at] = was;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_methods),
		cmocka_unit_test(test_what_is_not_known),
		cmocka_unit_test(test_any_byte),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
