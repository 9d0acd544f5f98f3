// SPDX-License-Identifier: GPL-2.0-only
#include "source/image_debug.h"

#include "source/foreign_file.h"

#include <elfutils/libdwelf.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { PATH_BYTES = 4096, BUILD_ID_MAX = 64 };

struct build_id {
	const unsigned char *bytes; /* borrowed from the Elf */
	size_t length;
};

static struct build_id build_id_of(Elf *elf)
{
	const void *bytes;
	ssize_t length = dwelf_elf_gnu_build_id(elf, &bytes);
	if (length < 2 || length > BUILD_ID_MAX)
		return (struct build_id){ 0 };
	return (struct build_id){ .bytes = bytes, .length = (size_t)length };
}

static bool has_build_id(int fd, const struct build_id *wanted)
{
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf)
		return false;
	struct build_id id = build_id_of(elf);
	bool same = id.length == wanted->length && memcmp(id.bytes, wanted->bytes, id.length) == 0;
	elf_end(elf);
	return same;
}

/* The file if it may be read and belongs to the image, else -1. */
static int try_path(const char *root_dir, const char *path, uid_t uid, const struct build_id *wanted)
{
	struct nt_foreign_file file = nt_foreign_open(root_dir, path, uid);
	if (file.fd >= 0 && !has_build_id(file.fd, wanted)) {
		close(file.fd);
		return -1;
	}
	return file.fd;
}

/* /usr/lib/debug/.build-id/ab/cdef....debug */
static void build_id_path(const struct build_id *id, char path[PATH_BYTES])
{
	size_t used = (size_t)snprintf(path, PATH_BYTES, "/usr/lib/debug/.build-id/%02x/", id->bytes[0]);
	for (size_t i = 1; i < id->length; i++)
		used += (size_t)snprintf(path + used, PATH_BYTES - used, "%02x", id->bytes[i]);
	snprintf(path + used, PATH_BYTES - used, ".debug");
}

static int try_debuglink(Elf *image, const struct nt_image_place *place, const struct build_id *id)
{
	GElf_Word crc;
	const char *link = dwelf_elf_gnu_debuglink(image, &crc);
	const char *slash = strrchr(place->path, '/');
	if (!link || !*link || strchr(link, '/') || !slash)
		return -1;
	static const char *const forms[] = { "%.*s/%s", "%.*s/.debug/%s", "/usr/lib/debug%.*s/%s" };
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		char path[PATH_BYTES];
		if (snprintf(path, sizeof(path), forms[i], (int)(slash - place->path), place->path, link) >= (int)sizeof(path))
			continue;
		if (strcmp(path, place->path) == 0)
			continue;
		int fd = try_path(place->root_dir, path, place->uid, id);
		if (fd >= 0)
			return fd;
	}
	return -1;
}

int nt_image_debug_open(Elf *image, const struct nt_image_place *place)
{
	struct build_id id = build_id_of(image);
	if (!id.length)
		return -1;
	char path[PATH_BYTES];
	build_id_path(&id, path);
	int fd = try_path(place->root_dir, path, place->uid, &id);
	if (fd < 0)
		fd = try_debuglink(image, place, &id);
	if (fd < 0)
		fd = try_path("/", path, place->uid, &id);
	return fd;
}
