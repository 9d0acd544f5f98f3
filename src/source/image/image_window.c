// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_window.h"

#include "base/alloc.h"
#include "source/common/foreign_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct nt_image_window {
	struct nt_image_place place;      /* its texts are the three below */
	char *root_dir, *path, *map_file; /* owned */
	struct nt_window *window;
	int fd; /* -1 = at rest */
	/* By which a file is known that was written to, or that another has replaced. */
	uint64_t size;
	ino_t inode;
	struct timespec changed;
};

static bool same_time(struct timespec a, struct timespec b)
{
	return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

/* Open the file again. False: it is not the same any more. */
static bool wake(struct nt_image_window *image)
{
	struct nt_image_refusal refusal;
	uint64_t size;
	struct stat stat;
	image->fd = nt_image_open(&image->place, &size, &refusal);
	if (image->fd < 0)
		return false;
	if (size == image->size && fstat(image->fd, &stat) == 0 && stat.st_ino == image->inode && same_time(stat.st_mtim, image->changed))
		return true;
	close(image->fd);
	image->fd = -1;
	return false;
}

static bool read_at(void *context, uint64_t offset, void *buf, size_t size)
{
	struct nt_image_window *image = context;
	return (image->fd >= 0 || wake(image)) && nt_foreign_read(image->fd, buf, size, (off_t)offset) == (ssize_t)size;
}

struct nt_image_window *nt_image_window_new(const struct nt_image_place *place, char *reason, size_t reason_size)
{
	struct nt_image_window *image = nt_alloc(sizeof(*image));
	image->place = *place;
	image->place.root_dir = image->root_dir = nt_strdup(place->root_dir);
	image->place.path = image->path = nt_strdup(place->path);
	image->place.map_file = image->map_file = nt_strdup(place->map_file);
	struct nt_image_refusal refusal;
	image->fd = nt_image_open(&image->place, &image->size, &refusal);
	struct stat stat;
	if (image->fd < 0)
		snprintf(reason, reason_size, "%s", refusal.reason);
	if (image->fd < 0 || fstat(image->fd, &stat) != 0) {
		nt_image_window_free(image);
		return NULL;
	}
	image->inode = stat.st_ino;
	image->changed = stat.st_mtim;
	const struct nt_window_source source = { .read = read_at, .context = image, .size = image->size };
	image->window = nt_window_new(&source);
	return image;
}

void nt_image_window_free(struct nt_image_window *image)
{
	if (!image)
		return;
	if (image->fd >= 0)
		close(image->fd);
	nt_window_free(image->window);
	free(image->root_dir);
	free(image->path);
	free(image->map_file);
	free(image);
}

struct nt_window *nt_image_window(struct nt_image_window *image)
{
	return image->window;
}

const struct nt_image_place *nt_image_window_place(const struct nt_image_window *image)
{
	return &image->place;
}

void nt_image_window_rest(struct nt_image_window *image)
{
	if (image->fd >= 0)
		close(image->fd);
	image->fd = -1;
	nt_window_rest(image->window);
}
