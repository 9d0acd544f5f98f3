// SPDX-License-Identifier: GPL-2.0-only
#include "source/symbol_images.h"

#include "base/alloc.h"
#include "base/file.h"
#include "base/text.h"
#include "decode/procfs_text.h"
#include "source/elf_sections.h"
#include "source/hand.h"
#include "source/image_debug.h"
#include "target/elf_open.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAPS_MAX_BYTES = 32 << 20 };

/* All images together; each is a few reads. */
#define TIMEOUT_NS (30 * NT_NS_PER_S)

void nt_symbol_images_fini(struct nt_symbol_images *images)
{
	for (size_t i = 0; i < images->count; i++) {
		free(images->items[i].path);
		free(images->items[i].shown);
		free(images->items[i].file);
	}
	free(images->items);
	*images = (struct nt_symbol_images){ 0 };
}

static void find_debug_file(struct nt_symbol_image *image, Elf *elf, const struct nt_image_place *place)
{
	char path[NT_IMAGE_DEBUG_PATH];
	struct stat stat;
	int fd = nt_image_debug_open(elf, place, path);
	if (fd < 0)
		return;
	image->state = NT_SYMBOLS_DEBUG_FILE;
	image->file = nt_strdup(path);
	if (fstat(fd, &stat) == 0)
		image->file_bytes = (uint64_t)stat.st_size;
	close(fd);
}

static void look_at_elf(struct nt_symbol_image *image, Elf *elf, const struct nt_image_place *place)
{
	image->build_id = nt_build_id_of(elf);
	image->state = image->build_id.length ? NT_SYMBOLS_MISSING : NT_SYMBOLS_NO_BUILD_ID;
	if (nt_image_has_symtab(elf) || nt_elf_section_named(elf, ".gnu_debugdata"))
		image->state = NT_SYMBOLS_OWN;
	else
		find_debug_file(image, elf, place);
}

/* False: it is no native image. */
static bool look_at(struct nt_symbol_image *image, const struct nt_image_place *place)
{
	struct nt_image_refusal refusal;
	uint64_t size;
	int fd = nt_image_open(place, &size, &refusal);
	if (fd < 0) {
		image->state = NT_SYMBOLS_UNREADABLE;
		snprintf(image->reason, sizeof(image->reason), "%s", refusal.reason);
		return true;
	}
	char objection[NT_OBJECTION_BYTES];
	Elf *elf = nt_elf_open(fd, NT_ELF_DYNAMIC, objection);
	if (elf) {
		look_at_elf(image, elf, place);
	} else if (*objection) {
		image->state = NT_SYMBOLS_UNREADABLE;
		snprintf(image->reason, sizeof(image->reason), "image not read: it %s", objection);
	}
	elf_end(elf);
	close(fd);
	return elf || *objection;
}

/* ---- the process ---- */

struct reading {
	struct nt_errand errand;
	char *proc_dir, *root_dir; /* owned */
	uid_t uid;
	int errnum; /* of reading the mappings; 0 = none */
	struct nt_symbol_images images;
};

static bool is_known(const struct nt_symbol_images *images, const char *path, uint64_t inode)
{
	for (size_t i = 0; i < images->count; i++)
		if (images->items[i].inode == inode && strcmp(images->items[i].path, path) == 0)
			return true;
	return false;
}

static void add_mapping(struct reading *reading, const struct nt_procfs_map *map)
{
	struct nt_symbol_images *images = &reading->images;
	char *path = nt_format("%.*s", (int)map->path_length, map->path);
	char *map_file = nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, reading->proc_dir, map->start, map->end);
	const struct nt_image_place place = {
		.root_dir = reading->root_dir, .path = path, .map_file = map_file, .inode = map->inode, .uid = reading->uid
	};
	struct nt_symbol_image image = { .path = path, .inode = map->inode };
	if (!is_known(images, path, map->inode) && look_at(&image, &place)) {
		images->items = nt_grow(images->items, &images->capacity, images->count + 1, sizeof(*images->items));
		image.shown = nt_text_escaped(path, strlen(path));
		images->items[images->count++] = image;
		path = NULL; /* moved */
	}
	free(path);
	free(map_file);
}

static bool has_code(const struct nt_procfs_map *map)
{
	return map->exec && map->inode && map->path_length && map->path[0] == '/' && !map->shared;
}

static void run(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	char *path = nt_format("%s/maps", reading->proc_dir), *text = NULL;
	size_t length = 0;
	reading->errnum = nt_file_read(AT_FDCWD, path, MAPS_MAX_BYTES, &text, &length);
	struct nt_procfs_map map;
	bool valid;
	for (size_t at = 0, step; !reading->errnum && (step = nt_procfs_map_next(text + at, length - at, &map, &valid)); at += step)
		if (valid && has_code(&map))
			add_mapping(reading, &map);
	free(text);
	free(path);
}

static void release(struct nt_errand *errand)
{
	struct reading *reading = (struct reading *)errand;
	nt_symbol_images_fini(&reading->images);
	free(reading->proc_dir);
	free(reading->root_dir);
	free(reading);
}

enum nt_status nt_symbol_images_read(const struct nt_target *target, struct nt_symbol_images *out, struct nt_error *err)
{
	struct reading *reading = nt_alloc(sizeof(*reading));
	*reading = (struct reading){ .errand = { run, release },
				     .proc_dir = nt_strdup(target->proc_dir),
				     .root_dir = nt_strdup(target->root_dir),
				     .uid = target->uid };
	struct nt_hand *hand = nt_hand_new();
	enum nt_status status = nt_hand_do(hand, &reading->errand, TIMEOUT_NS);
	nt_hand_free(hand);
	if (status != NT_OK)
		return nt_error_set(err, NT_ERR_TIMEOUT, "the files of process %u do not answer: look at the file systems it is on",
				    (unsigned)target->pid);
	if (reading->errnum) {
		status = nt_error_errno(err, reading->errnum == EACCES ? NT_ERR_FORBIDDEN : NT_ERR_GONE, reading->errnum,
					"cannot read the mappings of process %u", (unsigned)target->pid);
	} else {
		*out = reading->images;
		reading->images = (struct nt_symbol_images){ 0 }; /* moved */
	}
	release(&reading->errand);
	return status;
}
