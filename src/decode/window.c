// SPDX-License-Identifier: GPL-2.0-only
#include "decode/window.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = NT_WINDOW_MAX, PAGES = 64 };

/* A page lies in the place of its number modulo PAGES: whoever walks through a table finds the next one beside it. */
struct pages {
	uint64_t number[PAGES]; /* of the page that lies here, + 1; 0 = none */
	uint8_t seam[PAGE_BYTES];
	uint8_t bytes[PAGES][PAGE_BYTES];
};

struct nt_window {
	struct nt_window_source source;
	struct pages *pages; /* owned; NULL = at rest */
};

struct nt_window *nt_window_new(const struct nt_window_source *source)
{
	struct nt_window *window = nt_alloc(sizeof(*window));
	window->source = *source;
	return window;
}

void nt_window_rest(struct nt_window *window)
{
	free(window->pages);
	window->pages = NULL;
}

void nt_window_free(struct nt_window *window)
{
	if (!window)
		return;
	nt_window_rest(window);
	free(window);
}

uint64_t nt_window_size(const struct nt_window *window)
{
	return window->source.size;
}

static const uint8_t *page_at(struct nt_window *window, uint64_t number)
{
	struct pages *pages = window->pages;
	size_t place = number % PAGES;
	if (pages->number[place] == number + 1)
		return pages->bytes[place];
	uint64_t offset = number * PAGE_BYTES, left = window->source.size - offset;
	pages->number[place] = 0;
	if (!window->source.read(window->source.context, offset, pages->bytes[place], left < PAGE_BYTES ? left : PAGE_BYTES))
		return NULL;
	pages->number[place] = number + 1;
	return pages->bytes[place];
}

const uint8_t *nt_window_at(struct nt_window *window, uint64_t offset, size_t size)
{
	nt_assert(size <= NT_WINDOW_MAX);
	if (offset > window->source.size || size > window->source.size - offset)
		return NULL;
	if (!window->pages) {
		window->pages = nt_realloc(NULL, 1, sizeof(*window->pages)); /* not zeroed: untouched pages take no memory */
		memset(window->pages->number, 0, sizeof(window->pages->number));
	}
	uint64_t number = offset / PAGE_BYTES;
	size_t at = offset % PAGE_BYTES, here = PAGE_BYTES - at;
	if (!size)
		return window->pages->seam;
	const uint8_t *page = page_at(window, number);
	if (!page || size <= here)
		return page ? page + at : NULL;
	memcpy(window->pages->seam, page + at, here);
	page = page_at(window, number + 1);
	if (!page)
		return NULL;
	memcpy(window->pages->seam + here, page, size - here);
	return window->pages->seam;
}
