// SPDX-License-Identifier: GPL-2.0-only
/* Executables that carry a runtime, and those that only look so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fake_proc.h"
#include "target/executable.h"

#include <fcntl.h>
#include <gelf.h>
#include <time.h>

enum { PID = 77 };

/* Names in the string table of the executables made here. */
static const char strings[] = "\0.strings\0.dynsym\0__managedcode\0DotNetRuntimeInfo\0DotNetRuntimeDebugHeader\0main";

static size_t place_of(const char *name)
{
	const char *at = memmem(strings, sizeof(strings), name, strlen(name) + 1);
	assert_non_null(at);
	return (size_t)(at - strings);
}

static Elf_Scn *add_section(Elf *elf, const char *name, unsigned type, const void *bytes, size_t length)
{
	Elf_Scn *section = elf_newscn(elf);
	Elf64_Shdr *header = elf64_getshdr(section);
	Elf_Data *data = elf_newdata(section);
	union {
		const void *in;
		void *out;
	} content = { bytes }; /* libelf only reads it, but says otherwise */
	header->sh_name = (Elf64_Word)place_of(name);
	header->sh_type = type;
	data->d_buf = content.out;
	data->d_size = length;
	data->d_type = type == SHT_DYNSYM ? ELF_T_SYM : ELF_T_BYTE;
	data->d_version = EV_CURRENT;
	return section;
}

/* The executable of process PID: a section of this name, and this dynamic symbol, defined there or only wanted from elsewhere. */
static void make_executable(const struct fake_proc *proc, const char *section_name, const char *symbol, bool defined)
{
	fake_proc_text(proc, PID, "exe", "");
	char *path = nt_format("%s/%d/exe", proc->root, PID);
	int fd = open(path, O_RDWR | O_TRUNC);
	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_WRITE, NULL);
	Elf64_Ehdr *header = elf64_newehdr(elf);
	header->e_ident[EI_DATA] = ELFDATA2LSB;
	header->e_type = ET_DYN;
	header->e_machine = EM_X86_64;
	header->e_version = EV_CURRENT;
	Elf_Scn *names = add_section(elf, ".strings", SHT_STRTAB, strings, sizeof(strings));
	header->e_shstrndx = (Elf64_Half)elf_ndxscn(names);
	Elf_Scn *code = add_section(elf, section_name, SHT_PROGBITS, "code", 4);
	const Elf64_Sym symbols[] = { { 0 },
				      { .st_name = (Elf64_Word)place_of(symbol),
					.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT),
					.st_shndx = defined ? (Elf64_Section)elf_ndxscn(code) : SHN_UNDEF } };
	Elf64_Shdr *dynamic = elf64_getshdr(add_section(elf, ".dynsym", SHT_DYNSYM, symbols, sizeof(symbols)));
	dynamic->sh_entsize = sizeof(symbols[0]);
	dynamic->sh_link = (Elf64_Word)elf_ndxscn(names);
	assert_true(elf_update(elf, ELF_C_WRITE) > 0);
	elf_end(elf);
	close(fd);
	free(path);
}

static enum nt_deployment deployment_of(const struct fake_proc *proc, uid_t uid)
{
	char *dir = nt_format("%s/%d", proc->root, PID), *config;
	const struct nt_target target = { .pid = PID, .uid = uid, .proc_dir = dir };
	size_t length;
	enum nt_deployment found = nt_executable_read(&target, &config, &length);
	assert_int_equal(length, config ? strlen(config) : 0);
	free(config);
	free(dir);
	return found;
}

static void test_marks(void **state)
{
	const struct fake_proc *proc = *state;
	static const struct {
		const char *section, *symbol;
		bool defined;
		enum nt_deployment deployment;
	} cases[] = {
		{ ".strings", "DotNetRuntimeInfo", true, NT_DEPLOYED_SINGLE_FILE },
		{ ".strings", "DotNetRuntimeDebugHeader", true, NT_DEPLOYED_NATIVE_AOT },
		{ "__managedcode", "main", true, NT_DEPLOYED_NATIVE_AOT },
		/* A debugger asks for the symbol and is no runtime. */
		{ ".strings", "DotNetRuntimeInfo", false, NT_DEPLOYED_UNKNOWN },
		{ ".strings", "main", true, NT_DEPLOYED_UNKNOWN },
	};
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make_executable(proc, cases[i].section, cases[i].symbol, cases[i].defined);
		assert_int_equal(deployment_of(proc, getuid()), cases[i].deployment);
	}
}

/*
 * Each of a hundred thousand symbols has a name that does not end, in a table of 16 MB without any end: to look for the end of each would take minutes. What an executable that means harm may take of us is
 * seconds.
 */
static void test_names_without_an_end(void **state)
{
	enum { SYMBOLS = 100000, NAMES_BYTES = 16 << 20, CPU_S_MAX = 5 };
	const struct fake_proc *proc = *state;
	struct file {
		Elf64_Ehdr header;
		Elf64_Shdr sections[3];
		Elf64_Sym symbols[SYMBOLS];
		char names[NAMES_BYTES];
	} *file = nt_alloc(sizeof(*file));
	make_executable(proc, ".strings", "main", true);
	file->header = (Elf64_Ehdr){ .e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT },
				     .e_type = ET_DYN,
				     .e_machine = EM_X86_64,
				     .e_version = EV_CURRENT,
				     .e_shoff = offsetof(struct file, sections),
				     .e_ehsize = sizeof(file->header),
				     .e_shentsize = sizeof(file->sections[0]),
				     .e_shnum = 3,
				     .e_shstrndx = 2 };
	file->sections[1] = (Elf64_Shdr){ .sh_type = SHT_DYNSYM,
					  .sh_offset = offsetof(struct file, symbols),
					  .sh_size = sizeof(file->symbols),
					  .sh_link = 2,
					  .sh_entsize = sizeof(file->symbols[0]) };
	file->sections[2] =
		(Elf64_Shdr){ .sh_type = SHT_STRTAB, .sh_offset = offsetof(struct file, names), .sh_size = sizeof(file->names) };
	for (size_t i = 0; i < SYMBOLS; i++)
		file->symbols[i] = (Elf64_Sym){ .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_OBJECT), .st_shndx = 1 };
	memset(file->names, 'A', sizeof(file->names));
	char *path = nt_format("%s/%d/exe", proc->root, PID);
	FILE *stream = fopen(path, "w");
	assert_non_null(stream);
	assert_int_equal(fwrite(file, sizeof(*file), 1, stream), 1);
	assert_int_equal(fclose(stream), 0);
	clock_t start = clock();
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_UNKNOWN);
	assert_true(clock() - start < CPU_S_MAX * CLOCKS_PER_SEC);
	free(path);
	free(file);
}

/* Whatever is missing of the file, it is a file without a runtime or one with it, and no crash. */
static void test_cut_anywhere(void **state)
{
	const struct fake_proc *proc = *state;
	make_executable(proc, "__managedcode", "DotNetRuntimeInfo", true);
	char *path = nt_format("%s/%d/exe", proc->root, PID);
	struct stat whole;
	assert_int_equal(stat(path, &whole), 0);
	for (off_t size = whole.st_size; size-- > 0;) {
		assert_int_equal(truncate(path, size), 0);
		deployment_of(proc, getuid());
	}
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_UNKNOWN);
	free(path);
}

static void test_what_is_not_read(void **state)
{
	const struct fake_proc *proc = *state;
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_UNKNOWN);
	fake_proc_text(proc, PID, "exe", "#!/bin/sh\n");
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_UNKNOWN);
	make_executable(proc, "__managedcode", "main", true);
	char *path = nt_format("%s/%d/exe", proc->root, PID);
	if (geteuid() == 0) {
		assert_int_equal(chown(path, 4242, 4242), 0);
		assert_int_equal(deployment_of(proc, 4243), NT_DEPLOYED_UNKNOWN);
	}
	assert_int_equal(unlink(path), 0);
	assert_int_equal(mkfifo(path, 0644), 0);
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_UNKNOWN);
	free(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_marks, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_names_without_an_end, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_cut_anywhere, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_what_is_not_read, fake_proc_setup, fake_proc_teardown),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
