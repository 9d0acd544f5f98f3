// SPDX-License-Identifier: GPL-2.0-only
#include "decode/window.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE_BYTES = NT_WINDOW_MAX, PAGES = 64, RUN_PAGES = 16 };

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

static bool is_here(const struct pages *pages, uint64_t number)
{
	return pages->number[number % PAGES] == number + 1;
}

/* Read `count` pages, which lie side by side here as in the file. */
static bool read_pages(struct nt_window *window, uint64_t first, size_t count)
{
	struct pages *pages = window->pages;
	size_t place = first % PAGES;
	uint64_t offset = first * PAGE_BYTES, left = window->source.size - offset, wanted = (uint64_t)count * PAGE_BYTES;
	memset(&pages->number[place], 0, count * sizeof(pages->number[0]));
	if (!window->source.read(window->source.context, offset, pages->bytes[place], left < wanted ? left : wanted))
		return false;
	for (size_t i = 0; i < count && i * PAGE_BYTES < left; i++)
		pages->number[place + i] = first + i + 1;
	return true;
}

/* Whoever has the page before walks through a table and will want the next ones, too: a call for each would cost more than its bytes. */
static const uint8_t *page_at(struct nt_window *window, uint64_t number)
{
	struct pages *pages = window->pages;
	size_t run = number && is_here(pages, number - 1) ? RUN_PAGES - number % RUN_PAGES : 1;
	bool there = is_here(pages, number) || read_pages(window, number, run) || (run > 1 && read_pages(window, number, 1));
	return there ? pages->bytes[number % PAGES] : NULL;
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
