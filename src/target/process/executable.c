// SPDX-License-Identifier: GPL-2.0-only
#include "target/process/executable.h"

#include "base/alloc.h"
#include "base/apart.h"
#include "base/file.h"
#include "base/file_foreign.h"
#include "base/hanging_file.h"
#include "base/hash.h"
#include "decode/assembly/bundle.h"
#include "target/common/elf_open.h"
#include "target/common/elf_text.h"
#include "target/common/needed.h"
#include "target/common/objection.h"

#include <fcntl.h>
#include <gelf.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A section or a dynamic symbol of this name is in the executables of one kind and in no other. */
static const struct mark {
	bool is_section;
	const char *name;
	enum nt_deployment deployment;
} marks[] = {
	{ false, "DotNetRuntimeInfo", NT_DEPLOYED_SINGLE_FILE },       /* by which debuggers find the runtime in a single file */
	{ true, "__managedcode", NT_DEPLOYED_NATIVE_AOT },             /* what the ILCompiler made of the methods */
	{ false, "DotNetRuntimeDebugHeader", NT_DEPLOYED_NATIVE_AOT }, /* the same for debuggers of Native AOT */
};

/* As long as no executable's dynamic symbols, initialised data (together) and configuration are. */
enum { SYMBOLS_BYTES = 16 << 20, DATA_BYTES = 16 << 20, CONFIG_BYTES = 1 << 20 };

/* As long as no library of the runtime's is, nor a runtimeconfig.json. */
enum { FILE_BYTES = 64 << 20 };

#define UST_STEM "liblttng-ust.so."

static enum nt_deployment marked_by(const char *name, bool is_section)
{
	for (size_t i = 0; name && i < sizeof(marks) / sizeof(marks[0]); i++)
		if (marks[i].is_section == is_section && strcmp(marks[i].name, name) == 0)
			return marks[i].deployment;
	return NT_DEPLOYED_UNKNOWN;
}

static enum nt_deployment look_at_symbols(Elf *elf, Elf_Scn *section, const GElf_Shdr *header)
{
	Elf_Data *data = header->sh_size <= SYMBOLS_BYTES ? elf_getdata(section, NULL) : NULL;
	size_t count = data && header->sh_entsize ? header->sh_size / header->sh_entsize : 0;
	const struct nt_elf_texts names = nt_elf_texts_of(elf, header->sh_link);
	enum nt_deployment found = NT_DEPLOYED_UNKNOWN;
	GElf_Sym symbol;
	for (size_t i = 0; found == NT_DEPLOYED_UNKNOWN && i < count && gelf_getsym(data, (int)i, &symbol); i++)
		if (symbol.st_shndx != SHN_UNDEF && GELF_ST_TYPE(symbol.st_info) == STT_OBJECT)
			found = marked_by(nt_elf_text(&names, symbol.st_name), false);
	return found;
}

static enum nt_deployment look_at_sections(Elf *elf)
{
	enum nt_deployment found = NT_DEPLOYED_UNKNOWN;
	size_t index;
	if (elf_getshdrstrndx(elf, &index) != 0)
		return found;
	const struct nt_elf_texts names = nt_elf_texts_of(elf, index);
	for (Elf_Scn *section = NULL; found == NT_DEPLOYED_UNKNOWN && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header))
			continue;
		found = marked_by(nt_elf_text(&names, header.sh_name), true);
		if (found == NT_DEPLOYED_UNKNOWN && header.sh_type == SHT_DYNSYM)
			found = look_at_symbols(elf, section, &header);
	}
	return found;
}

bool nt_executable_holds_runtime(Elf *elf)
{
	return look_at_sections(elf) == NT_DEPLOYED_SINGLE_FILE;
}

/* ---- the bundle behind a single file's host ---- */

uint64_t nt_executable_bundle(Elf *elf)
{
	uint64_t offset = 0, left = DATA_BYTES;
	for (Elf_Scn *section = NULL; !offset && (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS || !(header.sh_flags & SHF_WRITE) ||
		    header.sh_size > left)
			continue;
		left -= header.sh_size;
		const Elf_Data *data = elf_rawdata(section, NULL);
		offset = data && data->d_buf ? nt_bundle_find(data->d_buf, data->d_size) : 0;
	}
	return offset;
}

static void read_config(int fd, uint64_t offset, uint64_t length, struct nt_executable *out)
{
	if (length > CONFIG_BYTES || offset > INT64_MAX)
		return;
	char *config = nt_alloc(length + 1);
	if (pread(fd, config, length, (off_t)offset) == (ssize_t)length) {
		nt_framework_version_read(config, length, out->runtime);
		nt_runtime_config_read(config, length, out->config);
	}
	free(config);
}

static void read_bundled_config(int fd, uint64_t bundle_offset, struct nt_executable *out)
{
	uint8_t header[NT_BUNDLE_HEADER_BYTES];
	struct nt_bundle_part part;
	ssize_t got = bundle_offset && bundle_offset <= INT64_MAX ? pread(fd, header, sizeof(header), (off_t)bundle_offset) : 0;
	if (got > 0 && nt_bundle_config(header, (size_t)got, &part))
		read_config(fd, part.offset, part.length, out);
}

/* ---- the file as a whole ---- */

bool nt_executable_needs_holds(const char *name)
{
	const size_t stem = sizeof(UST_STEM) - 1, digits = strncmp(name, UST_STEM, stem) == 0 ? strspn(name + stem, "0123456789") : 0;
	return digits && !name[stem + digits] && stem + digits < NT_SONAME_BYTES;
}

static void look_at_program(int fd, Elf *elf, struct nt_executable *out)
{
	out->deployment = look_at_sections(elf);
	if (out->deployment == NT_DEPLOYED_SINGLE_FILE)
		read_bundled_config(fd, nt_executable_bundle(elf), out);
	nt_elf_needs(elf, UST_STEM, out->needs, sizeof(out->needs));
	if (!nt_executable_needs_holds(out->needs))
		out->needs[0] = '\0';
}

void nt_executable_look(int fd, struct nt_executable *out)
{
	*out = (struct nt_executable){ 0 };
	struct stat stat;
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, NULL);
	if (elf)
		look_at_program(fd, elf, out);
	else if (fstat(fd, &stat) == 0)
		read_config(fd, 0, (uint64_t)stat.st_size, out);
	elf_end(elf);
}

void nt_executable_prepare(void)
{
	json_object_seed(nt_hash_secret[0] | 1); /* left to itself it opens a file for that */
}

/* ---- the file ---- */

struct asked {
	uid_t uid;
	char path[PATH_MAX];
};

static void open_there(const void *asked_bytes, const int *given, void *answer, int *fd)
{
	const struct asked *asked = asked_bytes;
	char objection[NT_OBJECTION_BYTES];
	int named = open(asked->path, NT_FILE_NAMED);
	struct stat stat;
	bool copied;
	(void)given;
	(void)answer;
	if (named < 0)
		return;
	if (fstat(named, &stat) == 0 && !*nt_file_objection(&stat, asked->uid, objection) && nt_file_open_named(named, fd) == 0)
		nt_hanging_file_copy(fd, &copied);
	close(named);
}

/* /proc/PID/exe is a link of the kernel's own, which leads to the file whatever its path is now. */
static int open_executable(const struct nt_target *target)
{
	struct asked asked = { .uid = target->uid };
	char answer;
	int fd;
	snprintf(asked.path, sizeof(asked.path), "%s/exe", target->proc_dir);
	nt_apart_do(&(struct nt_apart){ .work = open_there,
					.where = asked.path,
					.asked = &asked,
					.asked_size = sizeof(asked),
					.answer = &answer,
					.answer_size = sizeof(answer),
					.fd = &fd });
	return fd;
}

static nt_executable_reader *reader;

void nt_executable_is_read_by(nt_executable_reader *by)
{
	reader = by;
}

static void read_descriptor(int fd, uid_t uid, struct nt_executable *out)
{
	if (reader)
		reader(fd, uid, out);
	else
		snprintf(out->reason, sizeof(out->reason), "its executable is not read: there is nobody who does");
	close(fd);
}

void nt_executable_read(const struct nt_target *target, struct nt_executable *out)
{
	*out = (struct nt_executable){ 0 };
	int fd = open_executable(target);
	if (fd >= 0)
		read_descriptor(fd, target->uid, out);
}

bool nt_executable_read_file(const struct nt_target *target, const char *path, struct nt_executable *out)
{
	char *outside = nt_format("%s%s", target->root_dir, path);
	int fd, error = nt_file_open_foreign(outside, target->uid, FILE_BYTES, &fd);
	free(outside);
	*out = (struct nt_executable){ 0 };
	if (!error)
		read_descriptor(fd, target->uid, out);
	return !error;
}
