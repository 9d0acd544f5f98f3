// SPDX-License-Identifier: GPL-2.0-only
/* Executables that carry a runtime, and those that only look so. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decoder_fixture.h"
#include "fake_proc.h"
#include "read_here.h"
#include "source/decoder/executable_readers.h"
#include "source/image/image_symbols.h"
#include "target/process/executable.h"

#include <fcntl.h>
#include <gelf.h>
#include <sys/mman.h>
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

static void read_of(const struct fake_proc *proc, uid_t uid, struct nt_executable *found)
{
	char *dir = nt_format("%s/%d", proc->root, PID);
	const struct nt_target target = { .pid = PID, .uid = uid, .proc_dir = dir };
	nt_executable_read(&target, found);
	free(dir);
}

static int setup_here(void **state)
{
	nt_executable_is_read_by(read_here);
	return fake_proc_setup(state);
}

static enum nt_deployment deployment_of(const struct fake_proc *proc, uid_t uid)
{
	struct nt_executable found;
	read_of(proc, uid, &found);
	assert_string_equal(found.reason, "");
	return found.deployment;
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

/* The code of a single file is the runtime's, of a library the name says whether it is: what has ".so" in the middle of its name is none. */
static void test_code_of_a_single_file(void **state)
{
	const struct fake_proc *proc = *state;
	static const struct {
		const char *name;
		bool holds_runtime;
	} cases[] = { { "exe", true }, { "app.sockets", true }, { "app.sockets.so", false }, { "libapp.so.1", false } };
	make_executable(proc, ".strings", "DotNetRuntimeInfo", true);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct nt_image_symbols image;
		char *made = nt_format("%s/%d/exe", proc->root, PID), *path = nt_format("/%d/%s", PID, cases[i].name);
		char *file = nt_format("%s%s", proc->root, path);
		assert_true(strcmp(made, file) == 0 || link(made, file) == 0);
		nt_image_symbols_load(&image, &(struct nt_image_place){ .root_dir = proc->root, .path = path, .uid = getuid() });
		assert_int_equal(image.form, NT_IMAGE_ELF);
		assert_int_equal(image.holds_runtime, cases[i].holds_runtime);
		nt_image_symbols_fini(&image);
		free(made);
		free(path);
		free(file);
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

/* ---- by a process without rights ---- */

static int setup_readers(void **state)
{
	nt_executable_is_read_by(nt_executable_readers_read);
	return fake_proc_setup(state);
}

/* As a reader for that user says. */
static enum nt_deployment read_for(const struct fake_proc *proc, uid_t uid)
{
	struct nt_executable found;
	char *path = nt_format("%s/%d/exe", proc->root, PID);
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	nt_executable_readers_read(fd, uid, &found);
	assert_string_equal(found.reason, "");
	close(fd);
	free(path);
	return found.deployment;
}

static size_t count_children(void)
{
	int pid;
	size_t count = 0;
	char *path = nt_format("/proc/self/task/%d/children", (int)gettid());
	FILE *file = fopen(path, "re");
	free(path);
	assert_non_null(file);
	while (fscanf(file, "%d", &pid) == 1)
		count++;
	fclose(file);
	return count;
}

static void check_has_no_rights(pid_t pid)
{
	char *path = nt_format("/proc/%d/status", (int)pid), *status;
	size_t length;
	assert_int_equal(nt_file_read(AT_FDCWD, path, 1 << 16, &status, &length), 0);
	assert_non_null(strstr(status, "\nCapEff:\t0000000000000000\n"));
	assert_non_null(strstr(status, "\nCapPrm:\t0000000000000000\n"));
	assert_non_null(strstr(status, "\nNoNewPrivs:\t1\n"));
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
	assert_non_null(strstr(status, "\nSeccomp:\t2\n"));
#endif
	free(status);
	free(path);
}

static void test_readers(void **state)
{
	const struct fake_proc *proc = *state;
	make_executable(proc, "__managedcode", "main", true);
	assert_int_equal(read_for(proc, getuid()), NT_DEPLOYED_NATIVE_AOT);
	assert_int_equal(count_children(), 0); /* nobody looks at more */
	nt_executable_readers_begin();
	assert_int_equal(read_for(proc, getuid()), NT_DEPLOYED_NATIVE_AOT);
	pid_t reader = child_of_ours();
	assert_true(reader > 0);
	check_has_no_rights(reader);
	make_executable(proc, ".strings", "DotNetRuntimeInfo", true);
	assert_int_equal(read_for(proc, getuid()), NT_DEPLOYED_SINGLE_FILE);
	assert_int_equal(child_of_ours(), reader);
	assert_int_equal(count_children(), 1);
	/* Another user's processes have a reader of their own, and there is a bound to these. */
	assert_int_equal(read_for(proc, 4243), NT_DEPLOYED_SINGLE_FILE);
	assert_int_equal(count_children(), 2);
	for (uid_t uid = 5000; uid < 5040; uid++)
		assert_int_equal(read_for(proc, uid), NT_DEPLOYED_SINGLE_FILE);
	assert_in_range(count_children(), 2, 16);
	nt_executable_readers_end();
	assert_int_equal(count_children(), 0);
}

/* Whoever kills a reader costs nothing; one that stands still costs what it was at. */
static void test_reader_that_ends(void **state)
{
	const struct fake_proc *proc = *state;
	struct nt_executable found;
	make_executable(proc, "__managedcode", "main", true);
	nt_executable_readers_begin();
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_NATIVE_AOT);
	assert_int_equal(kill(child_of_ours(), SIGKILL), 0);
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_NATIVE_AOT);
	assert_int_equal(kill(child_of_ours(), SIGSTOP), 0);
	read_of(proc, getuid(), &found);
	assert_int_equal(found.deployment, NT_DEPLOYED_UNKNOWN);
	assert_string_equal(found.reason, "its executable is not read: timed out");
	assert_int_equal(count_children(), 0);
	nt_executable_readers_end();
	assert_int_equal(deployment_of(proc, getuid()), NT_DEPLOYED_NATIVE_AOT);
}

static void test_no_reader(void **state)
{
	const struct fake_proc *proc = *state;
	struct nt_executable found;
	make_executable(proc, "__managedcode", "main", true);
	nt_executable_is_read_by(NULL);
	read_of(proc, getuid(), &found);
	assert_int_equal(found.deployment, NT_DEPLOYED_UNKNOWN);
	assert_string_equal(found.reason, "its executable is not read: there is nobody who does");
}

/* A runtimeconfig.json goes the same way; another text is not handed over. */
static void test_config(void **state)
{
	(void)state;
#define CONFIG                                                                                                                             \
	"{\"runtimeOptions\":{\"includedFrameworks\":[{\"name\":\"Microsoft.AspNetCore.App\",\"version\":\"9.0.9\"},"                      \
	"{\"name\":\"Microsoft.NETCore.App\",\"version\":\"9.0.20\"}]}}"
	static const struct {
		const char *text, *runtime, *config, *reason;
	} files[] = {
		{ CONFIG, "9.0.20", "--------,,,,,,,,,", "" },
		{ "{\"runtimeOptions\":{\"configProperties\":{\"System.Runtime.TieredPGO\":false}}}", "", "-------0,,,,,,,,,", "" },
		{ "{}", "", "", "" },
		{ "#! /bin/sh", "", "", "its executable is not read: it is no program" },
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct nt_executable found;
		int fd = memfd_create("config", MFD_CLOEXEC);
		assert_int_equal(write(fd, files[i].text, strlen(files[i].text)), strlen(files[i].text));
		nt_executable_readers_read(fd, getuid(), &found);
		close(fd);
		assert_string_equal(found.reason, files[i].reason);
		assert_string_equal(found.runtime, files[i].runtime);
		assert_string_equal(found.config, files[i].config);
		assert_int_equal(found.deployment, NT_DEPLOYED_UNKNOWN);
	}
}

static void test_what_a_reader_may_say(void **state)
{
	(void)state;
	struct nt_executable found = { .deployment = NT_DEPLOYED_SINGLE_FILE, .runtime = "10.0.1-rc.2" }, taken;
	char text[NT_EXECUTABLE_TEXT_BYTES], longest[200] = "";
	nt_executable_put(&found, text);
	assert_true(nt_executable_take(text, &taken));
	assert_int_equal(taken.deployment, NT_DEPLOYED_SINGLE_FILE);
	assert_string_equal(taken.runtime, "10.0.1-rc.2");
	found = (struct nt_executable){ .deployment = NT_DEPLOYED_NATIVE_AOT };
	nt_executable_put(&found, text);
	assert_true(nt_executable_take(text, &taken));
	assert_int_equal(taken.deployment, NT_DEPLOYED_NATIVE_AOT);
	assert_string_equal(taken.runtime, "");
	found = (struct nt_executable){ .runtime = "9.0.11", .needs = "liblttng-ust.so.0", .config = "1---0-01,,2,,,402653184,,,," };
	nt_executable_put(&found, text);
	assert_true(nt_executable_take(text, &taken));
	assert_string_equal(taken.runtime, "9.0.11");
	assert_string_equal(taken.needs, "liblttng-ust.so.0");
	assert_string_equal(taken.config, "1---0-01,,2,,,402653184,,,,");
	static const char *const lies[] = { "",
					    " ",
					    "3",
					    "3 ",
					    "1  ",
					    "2  ",
					    "5  ",
					    "x  ",
					    "410.0  ",
					    "3ten  ",
					    "310.0\n  ",
					    "310.0\033[2J  ",
					    "310.0 10 ",
					    "3 libc.so.6 ",
					    "3 liblttng-ust.so. ",
					    "3 liblttng-ust.so.1  ",
					    "3 liblttng-ust.so.1x ",
					    "3 liblttng-ust.so.1111111111111111111111111 ",
					    "3  1",
					    "3  1-----x",
					    "3  111111111,,,,,,,,,",
					    "3  11111111,,,,,,,,, " };
	for (size_t i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		assert_false(nt_executable_take(lies[i], &taken));
		assert_int_equal(taken.deployment, NT_DEPLOYED_UNKNOWN);
		assert_string_equal(taken.needs, "");
	}
	memset(longest, '3', 1 + NT_FRAMEWORK_VERSION_BYTES);
	strcpy(longest + 1 + NT_FRAMEWORK_VERSION_BYTES, "  ");
	assert_false(nt_executable_take(longest, &taken));
	strcpy(longest + NT_FRAMEWORK_VERSION_BYTES, "  ");
	assert_true(nt_executable_take(longest, &taken));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_marks, setup_here, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_code_of_a_single_file, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_names_without_an_end, setup_here, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_cut_anywhere, setup_here, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_what_is_not_read, setup_here, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_readers, setup_readers, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_reader_that_ends, setup_readers, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_config, setup_readers, fake_proc_teardown),
		cmocka_unit_test_setup_teardown(test_no_reader, fake_proc_setup, fake_proc_teardown),
		cmocka_unit_test(test_what_a_reader_may_say),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
