// SPDX-License-Identifier: GPL-2.0-only
#include "source/debug_candidates.h"

#include "source/foreign_file.h"
#include "source/symbol_cache.h"

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

int nt_debug_candidate_open(const struct nt_image_place *place, const struct nt_debug_wanted *wanted, unsigned *next,
			    char path[NT_IMAGE_DEBUG_PATH])
{
	const char *link = wanted->link && *wanted->link && !strchr(wanted->link, '/') ? wanted->link : NULL;
	struct key key = { .place = place, .link = link };
	int fd = -1;
	path[0] = '\0';
	if (wanted->build_id.length < 2 || wanted->build_id.length > NT_BUILD_ID_MAX)
		return -1;
	nt_build_id_text(&wanted->build_id, key.id);
	key.cache = nt_symbol_cache_dir();
	while (fd < 0 && *next < sizeof(forms) / sizeof(*forms)) {
		unsigned number = (*next)++;
		if (fill_form(&key, forms[number].form, path))
			fd = open_path(&key, forms[number].whose, path).fd;
	}
	free(key.cache);
	if (fd < 0)
		path[0] = '\0';
	return fd;
}
