// SPDX-License-Identifier: GPL-2.0-only
#include "source/core/core_view.h"

#include "decode/core/image_data.h"
#include "source/common/foreign_file.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

_Static_assert((int)NT_PAGE_BYTES == (int)NT_IMAGE_HEAD_BYTES, "the head of an image is a page");

static bool read_file(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct nt_core_view *view = context;
	return nt_foreign_read(view->fd, buf, size, (off_t)offset) == (ssize_t)size;
}

enum nt_core_result nt_core_view_open(struct nt_core_view *view, int fd)
{
	struct stat stat;
	*view = (struct nt_core_view){ .fd = fd };
	uint64_t size = fstat(fd, &stat) == 0 && stat.st_size > 0 ? (uint64_t)stat.st_size : 0;
	struct nt_window *window = nt_window_new(&(struct nt_window_source){ .read = read_file, .context = view, .size = size });
	enum nt_core_result result = nt_core_read(window, &view->core);
	nt_window_free(window);
	return result;
}

static bool read_own(const struct nt_core_view *view, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	uint64_t offset;
	return nt_core_find(&view->core, address, NT_PAGE_BYTES, &offset) && offset <= INT64_MAX &&
	       nt_foreign_read(view->fd, page, NT_PAGE_BYTES, (off_t)offset) == NT_PAGE_BYTES;
}

struct nt_core_image *nt_core_view_image(struct nt_core_view *view, const struct nt_core_mapping *mapping)
{
	for (size_t i = 0; i < view->image_count; i++)
		if (strcmp(view->images[i].path, mapping->path) == 0)
			return &view->images[i];
	return NULL;
}

/* Behind the end of a file a page that is mapped is zero. */
static bool read_of_file(int fd, uint64_t offset, uint8_t page[NT_PAGE_BYTES])
{
	ssize_t got = offset <= INT64_MAX ? nt_foreign_read(fd, page, NT_PAGE_BYTES, (off_t)offset) : -1;
	if (got <= 0)
		return false;
	memset(page + got, 0, (size_t)(NT_PAGE_BYTES - got));
	return true;
}

bool nt_core_view_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	struct nt_core_view *view = context;
	if (read_own(view, address, page))
		return true;
	const struct nt_core_mapping *mapping = nt_core_mapping_at(&view->core, address);
	const struct nt_core_image *image = mapping ? nt_core_view_image(view, mapping) : NULL;
	uint64_t offset;
	if (!image || mapping->end - address < NT_PAGE_BYTES || __builtin_add_overflow(mapping->offset, address - mapping->start, &offset))
		return false;
	return nt_image_head_is_constant(&image->head, offset, NT_PAGE_BYTES) && read_of_file(image->pages, offset, page);
}

static bool read_image(void *context, uint64_t offset, void *buf, size_t size)
{
	const struct nt_core_image *image = context;
	return nt_foreign_read(image->pages, buf, size, (off_t)offset) == (ssize_t)size;
}

bool nt_core_view_first_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES])
{
	struct nt_core_view *view = context;
	if (nt_core_view_page(view, address, page))
		return true;
	const struct nt_core_mapping *mapping = nt_core_mapping_at(&view->core, address);
	struct nt_core_image *image = mapping ? nt_core_view_image(view, mapping) : NULL;
	if (!image || !image->head.is_elf)
		return false;
	struct nt_window *window = nt_window_new(&(struct nt_window_source){ .read = read_image, .context = image, .size = image->size });
	bool read = nt_image_data_page(window, image->start, address, page);
	nt_window_free(window);
	return read;
}

bool nt_core_view_head(struct nt_core_view *view, const struct nt_core_mapping *mapping, struct nt_image_head *out)
{
	uint8_t page[NT_PAGE_BYTES];
	return !mapping->offset && read_own(view, mapping->start, page) && nt_image_head_read(page, out);
}

static enum nt_reader_fit judge(const struct nt_core_view *view, const struct nt_core_mapping *mapping, int fd, struct nt_image_head *head)
{
	uint8_t ours[NT_PAGE_BYTES], theirs[NT_PAGE_BYTES];
	if (mapping->offset || !read_own(view, mapping->start, theirs))
		return NT_READER_FITS_UNKNOWN;
	if (!read_of_file(fd, 0, ours) || !nt_image_head_read(ours, head))
		return NT_READER_FITS_NOT;
	switch (nt_image_head_match(ours, theirs)) {
	case NT_IMAGE_SAME:
		return NT_READER_FITS_WELL;
	case NT_IMAGE_OTHER:
		return NT_READER_FITS_NOT;
	case NT_IMAGE_UNSURE:
		break;
	}
	return NT_READER_FITS_UNKNOWN;
}

enum nt_reader_fit nt_core_view_add(struct nt_core_view *view, size_t number, int pages, int code)
{
	struct nt_image_head head;
	struct stat stat;
	enum nt_reader_fit fit = NT_READER_FITS_UNKNOWN;
	const struct nt_core_mapping *mapping = number < view->core.mapping_count ? &view->core.mappings[number] : NULL;
	bool taken = mapping && view->image_count < NT_CORE_IMAGES_MAX && !nt_core_view_image(view, mapping);
	if (taken)
		fit = judge(view, mapping, pages, &head);
	if (fit != NT_READER_FITS_WELL) {
		close(pages);
		close(code);
		return fit;
	}
	view->images[view->image_count++] =
		(struct nt_core_image){ .path = mapping->path,
					.start = mapping->start,
					.pages = pages,
					.code = code,
					.size = fstat(pages, &stat) == 0 && stat.st_size > 0 ? (uint64_t)stat.st_size : 0,
					.head = head };
	return fit;
}
