// SPDX-License-Identifier: GPL-2.0-only
#include "source/image_debug.h"

#include "base/alloc.h"
#include "source/build_id.h"
#include "source/elf_sections.h"
#include "source/foreign_file.h"
#include "source/symbol_cache.h"
#include "target/elf_open.h"

#include <gelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum whose {
	TARGETS, /* as the target sees it */
	OURS,    /* of the machine that nettop sees */
	OWN,     /* of the person who runs nettop */
};

/*
 * In the order in which they are looked at. %p the image's path, %d its folder, %l its .gnu_debuglink, %b its build id, %i the first two digits of that, %r the others, %h
 * our home, %c debuginfod's cache. A form of which something is missing is left out.
 */
static const struct {
	enum whose whose;
	const char *form;
} forms[] = {
	{ TARGETS, "/usr/lib/debug/.build-id/%i/%r.debug" },
	{ TARGETS, "%d/%l" },
	{ TARGETS, "%d/.debug/%l" },
	{ TARGETS, "/usr/lib/debug%d/%l" },
	{ TARGETS, "%p.dbg" },
	{ TARGETS, "%p.debug" },
	{ OURS, "/usr/lib/debug/.build-id/%i/%r.debug" },
	{ OWN, "%c/%b/debuginfo" },
	{ OWN, "%h/.debug/.build-id/%i/%r/debug" },
	{ OWN, "%h/.debug/.build-id/%i/%r/elf" },
};

/* What the forms are filled with. */
struct key {
	const struct nt_image_place *place;
	const char *link; /* NULL = none that names a file */
	char *cache;      /* owned; NULL = none */
	struct nt_build_id build_id;
	char id[NT_BUILD_ID_TEXT];
};

struct piece {
	const char *text;
	size_t length; /* 0 = missing */
};

static struct piece whole(const char *text)
{
	return (struct piece){ text, text ? strlen(text) : 0 };
}

static struct piece piece_of(const struct key *key, char placeholder)
{
	const char *path = key->place->path, *slash = strrchr(path, '/');
	switch (placeholder) {
	case 'p':
		return whole(path);
	case 'd':
		return (struct piece){ path, slash ? (size_t)(slash - path) : 0 };
	case 'l':
		return whole(key->link);
	case 'b':
		return whole(key->id);
	case 'i':
		return (struct piece){ key->id, 2 };
	case 'r':
		return whole(key->id + 2);
	case 'h':
		return whole(getenv("HOME"));
	default:
		return whole(key->cache);
	}
}

/* False: something is missing, or too long. */
static bool fill_form(const struct key *key, const char *form, char path[NT_IMAGE_DEBUG_PATH])
{
	size_t used = 0;
	for (; *form; form++) {
		struct piece piece = { form, 1 };
		if (*form == '%')
			piece = piece_of(key, *++form);
		if (!piece.length || piece.length >= NT_IMAGE_DEBUG_PATH - used)
			return false;
		memcpy(path + used, piece.text, piece.length);
		used += piece.length;
	}
	path[used] = '\0';
	return path[0] == '/' && strcmp(path, key->place->path) != 0;
}

bool nt_image_has_symtab(Elf *elf)
{
	for (Elf_Scn *section = NULL; (section = elf_nextscn(elf, section));) {
		GElf_Shdr header;
		if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB && header.sh_size)
			return true;
	}
	return false;
}

static bool belongs(int fd, const struct key *key)
{
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, NULL);
	if (!elf)
		return false;
	struct nt_build_id id = nt_build_id_of(elf);
	bool yes = nt_build_id_same(&id, &key->build_id) && nt_image_has_symtab(elf);
	elf_end(elf);
	return yes;
}

static struct nt_foreign_file open_path(const struct key *key, enum whose whose, const char *path)
{
	struct nt_foreign_file file = { .fd = -1, .refusal = NT_REFUSAL_OBJECTION };
	if (whose == OWN)
		file = nt_foreign_open("/", path, geteuid());
	/* With sudo the home may be that of the target's user. */
	if (whose != OWN || file.refusal == NT_REFUSAL_OBJECTION)
		file = nt_foreign_open(whose == TARGETS ? key->place->root_dir : "/", path, key->place->uid);
	return file;
}

/*
 * The name in .gnu_debuglink, NUL-terminated within it; NULL = none that names a file. Read here, because libdw's function unpacks a compressed one, whatever size it
 * says it has.
 */
static const char *link_of(Elf *image)
{
	GElf_Shdr header;
	const Elf_Data *data = nt_elf_section_bytes(nt_elf_section_named(image, ".gnu_debuglink"), SHT_PROGBITS, &header);
	const char *name = data ? data->d_buf : NULL;
	if (!name || header.sh_flags & SHF_COMPRESSED || !memchr(name, '\0', data->d_size) || strchr(name, '/'))
		return NULL;
	return name;
}

int nt_image_debug_open(Elf *image, const struct nt_image_place *place, char path[NT_IMAGE_DEBUG_PATH])
{
	struct key key = { .place = place, .link = link_of(image), .build_id = nt_build_id_of(image) };
	int fd = -1;
	if (key.build_id.length) {
		nt_build_id_text(&key.build_id, key.id);
		key.cache = nt_symbol_cache_dir();
	}
	for (size_t i = 0; key.build_id.length && fd < 0 && i < sizeof(forms) / sizeof(*forms); i++) {
		if (!fill_form(&key, forms[i].form, path))
			continue;
		fd = open_path(&key, forms[i].whose, path).fd;
		if (fd >= 0 && !belongs(fd, &key)) {
			close(fd);
			fd = -1;
		}
	}
	if (fd < 0)
		path[0] = '\0';
	free(key.cache);
	return fd;
}
