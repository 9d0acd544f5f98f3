// SPDX-License-Identifier: GPL-2.0-only
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/core/core_file.h"
#include "memory_window.h"

#include <elf.h>
#include <signal.h>
#include <sys/procfs.h>
#include <sys/user.h>

enum { SEGMENTS = 4, FILE_BYTES = 16 << 10, NOTES_AT = 0x400, DATA_AT = 0x2000, PAGE = 4096, PID = 4711, TID = 4712, PIECES = 2 };

/* A core made by hand: notes, and two pieces of memory. */
struct made {
	uint8_t bytes[FILE_BYTES];
	Elf64_Ehdr header;
	Elf64_Phdr segments[SEGMENTS];
	size_t notes; /* bytes of them */
};

static void put_note(struct made *made, uint32_t type, const void *content, size_t size)
{
	const Elf64_Nhdr note = { .n_namesz = sizeof("CORE"), .n_descsz = (uint32_t)size, .n_type = type };
	uint8_t *at = made->bytes + NOTES_AT + made->notes;
	memcpy(at, &note, sizeof(note));
	memcpy(at + sizeof(note), "CORE", sizeof("CORE"));
	memcpy(at + sizeof(note) + 8, content, size);
	made->notes += sizeof(note) + 8 + ((size + 3) & ~(size_t)3);
}

static void put_thread(struct made *made, int tid, int signal, uint64_t pc)
{
	struct elf_prstatus status = { .pr_pid = tid, .pr_cursig = (short)signal };
	struct user_regs_struct regs = { .rip = pc, .rsp = 0x1000, .rbp = 0x2000, .r15 = 15, .orig_rax = UINT64_MAX };
	memcpy(&status.pr_reg, &regs, sizeof(regs));
	put_note(made, NT_PRSTATUS, &status, sizeof(status));
}

/* Offsets are in pages. */
static void put_files(struct made *made, uint64_t count)
{
	uint8_t content[256] = { 0 };
	const uint64_t words[] = { count, PAGE, 0x10000, 0x12000, 3, 0x20000, 0x21000, 0 };
	memcpy(content, words, sizeof(words));
	memcpy(content + sizeof(words), "/lib/a.so\0/lib/b.so", 20);
	put_note(made, NT_FILE, content, sizeof(words) + 20);
}

static void make(struct made *made)
{
	struct elf_prpsinfo info = { .pr_pid = PID, .pr_fname = "shop", .pr_psargs = "shop --now" };
	*made = (struct made){ .header = { .e_ident = { 0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB },
					   .e_type = ET_CORE,
					   .e_machine = EM_X86_64,
					   .e_phoff = sizeof(Elf64_Ehdr),
					   .e_phentsize = sizeof(Elf64_Phdr),
					   .e_phnum = 1 + PIECES } };
	put_note(made, NT_PRPSINFO, &info, sizeof(info));
	put_thread(made, PID, 0, 0x10010);
	put_thread(made, TID, SIGABRT, 0x10020);
	put_files(made, 2);
	made->segments[0] = (Elf64_Phdr){ .p_type = PT_NOTE, .p_offset = NOTES_AT, .p_filesz = made->notes };
	/* Not in the order of addresses. */
	made->segments[1] = (Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = DATA_AT, .p_vaddr = 0x20000, .p_filesz = PAGE, .p_memsz = PAGE };
	made->segments[2] =
		(Elf64_Phdr){ .p_type = PT_LOAD, .p_offset = DATA_AT + PAGE, .p_vaddr = 0x10000, .p_filesz = PAGE, .p_memsz = 2 * PAGE };
}

static enum nt_core_result read_bytes(const uint8_t *bytes, size_t size, struct nt_core *out)
{
	struct memory memory = { .bytes = bytes, .size = size };
	struct nt_window *window = memory_window(&memory);
	enum nt_core_result result = nt_core_read(window, out);
	nt_window_free(window);
	return result;
}

static enum nt_core_result read_made(struct made *made, size_t size, struct nt_core *out)
{
	memcpy(made->bytes, &made->header, sizeof(made->header));
	memcpy(made->bytes + sizeof(made->header), made->segments, sizeof(made->segments));
	return read_bytes(made->bytes, size, out);
}

static void assert_result(struct made *made, enum nt_core_result expected)
{
	struct nt_core core;
	assert_int_equal(read_made(made, FILE_BYTES, &core), expected);
	nt_core_fini(&core);
}

static void it_says_who_and_where(void **state)
{
	(void)state;
	static struct made made;
	struct nt_core core;
	uint64_t offset;
	make(&made);
	assert_int_equal(read_made(&made, FILE_BYTES, &core), NT_CORE_READ);
	assert_int_equal(core.pid, PID);
	assert_string_equal(core.name, "shop");
	assert_string_equal(core.command, "shop --now");
	assert_int_equal(core.thread_count, 2);
	assert_int_equal(core.threads[1].tid, TID);
	assert_int_equal(core.threads[0].signal, 0);
	assert_int_equal(core.threads[1].signal, SIGABRT);
	assert_true(core.threads[0].call == -1);
	assert_int_equal(core.threads[1].regs.value[NT_REG_PC], 0x10020);
	assert_int_equal(core.threads[1].regs.value[NT_REG_R15], 15);
	assert_int_equal(core.threads[1].regs.known, NT_REGS_ALL);
	assert_int_equal(core.mapping_count, 2);
	assert_string_equal(core.mappings[1].path, "/lib/b.so");
	assert_int_equal(nt_core_mapping_at(&core, 0x11fff)->offset, 3 * PAGE);
	assert_null(nt_core_mapping_at(&core, 0x12000));
	assert_true(nt_core_find(&core, 0x10000, PAGE, &offset));
	assert_int_equal(offset, DATA_AT + PAGE);
	assert_true(nt_core_find(&core, 0x20800, 0x800, &offset));
	assert_int_equal(offset, DATA_AT + 0x800);
	assert_false(nt_core_find(&core, 0x20800, PAGE, &offset)); /* the end of it is not there */
	assert_false(nt_core_find(&core, 0x11000, 1, &offset));    /* it was not written */
	assert_false(nt_core_find(&core, 0xfff, 1, &offset));
	nt_core_fini(&core);
}

static void another_file_is_told_apart(void **state)
{
	(void)state;
	static struct made made;
	struct nt_core core;
	assert_int_equal(read_bytes((const uint8_t *)"MZ", 2, &core), NT_CORE_NO_ELF);
	assert_int_equal(read_bytes((const uint8_t *)"#!/bin/sh and so on, and on", 27, &core), NT_CORE_NO_ELF);
	make(&made);
	made.header.e_type = ET_DYN;
	assert_result(&made, NT_CORE_NO_CORE);
	make(&made);
	made.header.e_machine = EM_AARCH64;
	assert_result(&made, NT_CORE_OF_OTHERS);
	make(&made);
	made.header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_result(&made, NT_CORE_OF_OTHERS);
	make(&made);
	made.header.e_phentsize = 32;
	assert_result(&made, NT_CORE_BROKEN);
}

static void one_that_is_cut_says_how_long_it_should_be(void **state)
{
	(void)state;
	static struct made made;
	struct nt_core core;
	make(&made);
	assert_int_equal(read_made(&made, DATA_AT + PAGE, &core), NT_CORE_CUT);
	assert_int_equal(core.wanted_bytes, DATA_AT + 2 * PAGE);
	assert_int_equal(read_made(&made, sizeof(Elf64_Ehdr) + 10, &core), NT_CORE_CUT);
	assert_int_equal(read_made(&made, sizeof(Elf64_Ehdr) - 1, &core), NT_CORE_OF_OTHERS);
	made.segments[1].p_offset = made.segments[2].p_offset = 0;
	assert_int_equal(read_made(&made, NOTES_AT + made.notes - 1, &core), NT_CORE_CUT);
	nt_core_fini(&core);
}

static void what_cannot_be_is_broken(void **state)
{
	(void)state;
	static struct made made;
	make(&made);
	made.segments[1].p_vaddr = UINT64_MAX - 10;
	assert_result(&made, NT_CORE_BROKEN);
	make(&made);
	made.segments[1].p_offset = UINT64_MAX - 10;
	assert_result(&made, NT_CORE_BROKEN);
	make(&made);
	made.segments[0].p_filesz = 0; /* no thread */
	assert_result(&made, NT_CORE_BROKEN);
	make(&made);
	made.segments[0].p_filesz -= 8; /* the last note goes beyond them */
	assert_result(&made, NT_CORE_BROKEN);
	make(&made);
	put_files(&made, UINT64_MAX / 8);
	made.segments[0].p_filesz = made.notes;
	assert_result(&made, NT_CORE_BROKEN);
	make(&made);
	made.header.e_phoff = UINT64_MAX - 100;
	assert_result(&made, NT_CORE_BROKEN);
}

static void of_two_over_each_other_the_lower_one_counts(void **state)
{
	(void)state;
	static struct made made;
	struct nt_core core;
	uint64_t offset;
	make(&made);
	made.segments[1].p_vaddr = 0x10800;
	assert_int_equal(read_made(&made, FILE_BYTES, &core), NT_CORE_READ);
	assert_int_equal(core.segment_count, 1);
	assert_true(nt_core_find(&core, 0x10900, 1, &offset));
	assert_int_equal(offset, DATA_AT + PAGE + 0x900);
	assert_false(nt_core_find(&core, 0x11100, 1, &offset));
	nt_core_fini(&core);
}

/* More than 65534 segments. */
static void their_number_may_stand_elsewhere(void **state)
{
	(void)state;
	static struct made made;
	struct nt_core core;
	const Elf64_Shdr section = { .sh_info = 1 + PIECES };
	make(&made);
	made.header.e_phnum = PN_XNUM;
	made.header.e_shoff = FILE_BYTES - sizeof(section);
	memcpy(made.bytes + made.header.e_shoff, &section, sizeof(section));
	assert_int_equal(read_made(&made, FILE_BYTES, &core), NT_CORE_READ);
	assert_int_equal(core.segment_count, PIECES);
	nt_core_fini(&core);
	made.header.e_shoff = FILE_BYTES - 1;
	assert_result(&made, NT_CORE_CUT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_says_who_and_where),
		cmocka_unit_test(another_file_is_told_apart),
		cmocka_unit_test(one_that_is_cut_says_how_long_it_should_be),
		cmocka_unit_test(what_cannot_be_is_broken),
		cmocka_unit_test(of_two_over_each_other_the_lower_one_counts),
		cmocka_unit_test(their_number_may_stand_elsewhere),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
