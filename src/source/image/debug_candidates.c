// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/debug_candidates.h"

#include "base/alloc.h"
#include "source/common/foreign_file.h"
#include "source/common/symbol_cache.h"

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

enum { FORM_COUNT = sizeof(forms) / sizeof(*forms) };

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

struct candidate {
	enum whose whose;
	unsigned next;    /* the form after its own */
	const char *path; /* borrowed of `paths` */
};

/* Those from form `next` on that can be had. Their paths follow each other in `paths`, which has room for FORM_COUNT of the longest ones: what is not written takes no memory. */
static size_t list_candidates(const struct key *key, unsigned next, struct candidate candidates[FORM_COUNT], char *paths)
{
	size_t count = 0;
	for (; next < FORM_COUNT; next++) {
		if (!fill_form(key, forms[next].form, paths))
			continue;
		candidates[count++] = (struct candidate){ .whose = forms[next].whose, .next = next + 1, .path = paths };
		paths += strlen(paths) + 1;
	}
	return count;
}

/* With sudo the home may be that of the target's user. */
enum { USERS_MAX = 2, NAMES_MAX = USERS_MAX * FORM_COUNT };

static size_t users_of(const struct key *key, const struct candidate *candidate, uid_t users[USERS_MAX])
{
	size_t count = 0;
	if (candidate->whose == OWN)
		users[count++] = geteuid();
	users[count++] = key->place->uid;
	return count;
}

/* The first of them that is there; -1, or a descriptor, and *which it is. */
static int open_first(const struct key *key, const struct candidate *candidates, size_t count, size_t *which)
{
	struct nt_foreign_name names[NAMES_MAX];
	size_t of[NAMES_MAX], name_count = 0, opened;
	for (size_t i = 0; i < count; i++) {
		uid_t users[USERS_MAX];
		size_t user_count = users_of(key, &candidates[i], users);
		for (size_t u = 0; u < user_count; u++) {
			of[name_count] = i;
			names[name_count++] = (struct nt_foreign_name){
				.root_dir = candidates[i].whose == TARGETS ? key->place->root_dir : "/",
				.path = candidates[i].path,
				.uid = users[u],
				.plain = candidates[i].whose == OWN,
			};
		}
	}
	struct nt_foreign_file file = nt_foreign_open_first(names, name_count, &opened);
	*which = file.fd < 0 ? 0 : of[opened];
	return file.fd;
}

int nt_debug_candidate_open(const struct nt_image_place *place, const struct nt_debug_wanted *wanted, unsigned *next,
			    char path[NT_IMAGE_DEBUG_PATH])
{
	const char *link = wanted->link && *wanted->link && !strchr(wanted->link, '/') ? wanted->link : NULL;
	struct key key = { .place = place, .link = link };
	path[0] = '\0';
	if (wanted->build_id.length < 2 || wanted->build_id.length > NT_BUILD_ID_MAX)
		return -1;
	nt_build_id_text(&wanted->build_id, key.id);
	key.cache = nt_symbol_cache_dir();
	struct candidate candidates[FORM_COUNT];
	char *paths = nt_realloc(NULL, FORM_COUNT, NT_IMAGE_DEBUG_PATH);
	size_t which, count = list_candidates(&key, *next, candidates, paths);
	int fd = open_first(&key, candidates, count, &which);
	if (fd >= 0)
		strcpy(path, candidates[which].path);
	*next = fd >= 0 ? candidates[which].next : FORM_COUNT;
	free(paths);
	free(key.cache);
	return fd;
}
