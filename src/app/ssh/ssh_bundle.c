// SPDX-License-Identifier: GPL-2.0-only
#include "app/ssh/ssh_bundle.h"

#include "base/own_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Of the archive: POSIX.1-1988, "ustar Interchange Format". */
enum { BLOCK = 512, NAME = 100, MODE_AT = 100, SIZE_AT = 124, SUM_AT = 148, TYPE_AT = 156, MAGIC_AT = 257, DIGITS_7 = 8, DIGITS_11 = 12 };

struct bundle {
	struct nt_text_buffer *archive;
	char *loader;
	struct nt_error *err;
	enum nt_status status;
};

static void put_header(struct nt_text_buffer *archive, const char *name, size_t bytes)
{
	static const char zeros[] = "0000000", magic[] = "ustar\00000";
	char *header = nt_text_buffer_room(archive, BLOCK);
	unsigned sum = 0;
	memset(header, 0, BLOCK);
	stpncpy(header, name, NAME - 1);
	memcpy(header + MODE_AT, "0000700", DIGITS_7);
	memcpy(header + MODE_AT + DIGITS_7, zeros, DIGITS_7); /* owner, group: whoever unpacks it */
	memcpy(header + MODE_AT + 2 * DIGITS_7, zeros, DIGITS_7);
	snprintf(header + SIZE_AT, DIGITS_11, "%011zo", bytes);
	snprintf(header + SIZE_AT + DIGITS_11, DIGITS_11, "%011o", 0u); /* when it was changed */
	memset(header + SUM_AT, ' ', DIGITS_7);
	header[TYPE_AT] = '0';
	memcpy(header + MAGIC_AT, magic, sizeof(magic) - 1);
	for (size_t i = 0; i < BLOCK; i++)
		sum += (unsigned char)header[i];
	snprintf(header + SUM_AT, DIGITS_7 - 1, "%06o", sum);
	archive->length += BLOCK;
}

static void put_zeros(struct nt_text_buffer *archive, size_t bytes)
{
	memset(nt_text_buffer_room(archive, bytes), 0, bytes);
	archive->length += bytes;
}

/* Sections are what debuggers and linkers look for; they are left out, so nothing may say where they were. */
static void forget_sections(char *image, size_t bytes)
{
	Elf64_Ehdr header;
	if (bytes < sizeof(header) || image[EI_CLASS] != ELFCLASS64)
		return;
	memcpy(&header, image, sizeof(header));
	header.e_shoff = 0;
	header.e_shnum = header.e_shstrndx = 0;
	memcpy(image, &header, sizeof(header));
}

static bool read_whole(int fd, char *bytes, size_t length)
{
	for (size_t have = 0; have < length;) {
		ssize_t got = read(fd, bytes + have, length - have);
		if (got == 0 || (got < 0 && errno != EINTR))
			return false;
		have += got > 0 ? (size_t)got : 0;
	}
	return true;
}

static enum nt_status put_file(struct bundle *bundle, const char *name, const char *path, size_t bytes)
{
	struct nt_text_buffer *archive = bundle->archive;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	put_header(archive, name, bytes);
	char *image = nt_text_buffer_room(archive, bytes);
	errno = 0;
	bool good = fd >= 0 && read_whole(fd, image, bytes);
	int error = errno ? errno : EIO; /* shorter than what is mapped of it */
	if (fd >= 0)
		close(fd);
	if (!good)
		return nt_error_errno(bundle->err, NT_ERR_FAILED, error, "cannot read %s, to copy it", path);
	forget_sections(image, bytes);
	archive->length += bytes;
	put_zeros(archive, (BLOCK - bytes % BLOCK) % BLOCK);
	return NT_OK;
}

/* Up to the end of what the loader maps of the file. */
static size_t mapped_bytes(const struct dl_phdr_info *info)
{
	size_t end = 0;
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		if (part->p_type == PT_LOAD && part->p_offset + part->p_filesz > end)
			end = part->p_offset + part->p_filesz;
	}
	return end;
}

static bool is_loader(const char *name)
{
	return strncmp(name, "ld-", 3) == 0 || strncmp(name, "ld64", 4) == 0 || strncmp(name, "ld.so", 5) == 0;
}

/* The loader's own list: the program, which it has without a name, the kernel's vdso, which is no file, the libraries, itself. */
static int take(struct dl_phdr_info *info, size_t size, void *context)
{
	(void)size;
	struct bundle *bundle = context;
	char program[PATH_MAX];
	const char *slash = strrchr(info->dlpi_name, '/'), *name = slash ? slash + 1 : info->dlpi_name;
	if (!*info->dlpi_name) {
		nt_own_program_path(program);
		bundle->status = put_file(bundle, "nettop", nt_own_program_is_carried() ? program : "/proc/self/exe", mapped_bytes(info));
	} else if (slash && strlen(name) < NT_SSH_LOADER_NAME) {
		if (is_loader(name))
			strcpy(bundle->loader, name);
		bundle->status = put_file(bundle, name, info->dlpi_name, mapped_bytes(info));
	}
	return bundle->status != NT_OK;
}

enum nt_status nt_ssh_bundle_make(struct nt_text_buffer *archive, char loader[NT_SSH_LOADER_NAME], struct nt_error *err)
{
	struct bundle bundle = { .archive = archive, .loader = loader, .err = err, .status = NT_OK };
	*loader = '\0';
	dl_iterate_phdr(take, &bundle);
	if (bundle.status == NT_OK && !*loader)
		return nt_error_set(err, NT_ERR_UNSUPPORTED, "this nettop has no loader that could be copied with it");
	put_zeros(archive, (size_t)2 * BLOCK);
	return bundle.status;
}
