/* SPDX-License-Identifier: GPL-2.0-only */
/* Room source/core: core dumps read: threads, stacks, names, heaps. */
/*
 * The memory of a process that is gone, page by page: what the core has, and where it lacks some of a mapped file, that file, if it is of the same build and nothing has written there. Inside the process that
 * reads cores (core_process.h) only.
 */
#ifndef NT_SOURCE_CORE_VIEW_H
#define NT_SOURCE_CORE_VIEW_H

#include "decode/contract/memory.h"
#include "decode/core/core_file.h"
#include "decode/core/image_head.h"
#include "source/contract/reader_wire.h"
#include "source/image/image_file.h"

/* The process has room for two descriptors of each. */
enum { NT_CORE_IMAGES_MAX = 240 };

struct nt_core_image {
	const char *path; /* of its mappings: borrowed from the core */
	uint64_t start;   /* where its begin is mapped */
	int pages;        /* descriptor, owned: what memory lacks is read from it */
	int code;         /* the same, for who reads call frame information once and closes it; -1 = that was done */
	uint64_t size;
	struct nt_image_head head;
};

struct nt_core_view {
	int fd; /* owned */
	struct nt_core core;
	struct nt_core_image images[NT_CORE_IMAGES_MAX];
	size_t image_count;
};

/* Takes `fd`. Anything but NT_CORE_READ: there is nothing to be read; wanted_bytes of the core may be set. */
enum nt_core_result nt_core_view_open(struct nt_core_view *view, int fd);

/* nt_page_read of struct nt_memory; the context is the view. */
bool nt_core_view_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES]);

/*
 * The same with what a file has where something may have been written since: as it was before the program ran. For what is constant in a build, and lies there: the runtime's description of its data.
 */
bool nt_core_view_first_page(void *context, uint64_t address, uint8_t page[NT_PAGE_BYTES]);

/* A file for the mapping `number` of the core, which begins with the file's begin. Takes the descriptors; kept when it fits and there is room. */
enum nt_reader_fit nt_core_view_add(struct nt_core_view *view, size_t number, int pages, int code);

/* The image of a mapping; NULL = there is none that fits. */
struct nt_core_image *nt_core_view_image(struct nt_core_view *view, const struct nt_core_mapping *mapping);

/* What the core has of the begin of the mapping's file. False: it has not. */
bool nt_core_view_head(struct nt_core_view *view, const struct nt_core_mapping *mapping, struct nt_image_head *out);

#endif
