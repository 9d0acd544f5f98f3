// SPDX-License-Identifier: GPL-2.0-only
#include "decode/common/window.h"

#include "base/alloc.h"
#include "nettop/status.h"

#include <stdlib.h>
#include <string.h>

/*
 * Lines, each read by one call. Whoever joins two tables of a file walks through both at once and jumps to and fro between them, so a line may lie anywhere here, and the
 * one that was looked at longest ago makes room: with a place for each, tables that fell on the same places were read thousands of times.
 */
enum { LINE_PAGES = 4, LINES = 16 };

struct line {
	uint64_t number; /* of the line in the file, + 1; 0 = none */
	uint64_t looked; /* at it, the last time: by the count of all looks */
	uint8_t pages;   /* a bit for each that could be read */
};

struct lines {
	struct line lines[LINES];
	size_t last; /* where the last look was */
	uint64_t looks;
	uint8_t seam[NT_WINDOW_MAX];
	uint8_t bytes[]; /* of each line, line_bytes() */
};

struct nt_window {
	struct nt_window_held held; /* first: nt_window_at() */
	size_t held_room;           /* the size of its memory */
	struct nt_window_source source;
	struct lines *lines; /* owned; NULL = at rest */
};

struct nt_window *nt_window_new(const struct nt_window_source *source)
{
	struct nt_window *window = nt_alloc(sizeof(*window));
	window->source = *source;
	return window;
}

/* The room stays for the next part, and is larger than this one if need be. */
static void have_room(struct nt_window *window, size_t size)
{
	if (size <= window->held_room)
		return;
	free(window->held.bytes);
	window->held.bytes = nt_realloc(NULL, size, 1);
	window->held_room = size;
}

static void hold_nothing(struct nt_window *window)
{
	free(window->held.bytes);
	window->held = (struct nt_window_held){ 0 };
	window->held_room = 0;
}

void nt_window_rest(struct nt_window *window)
{
	hold_nothing(window);
	free(window->lines);
	window->lines = NULL;
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

static bool read_some(const struct nt_window *window, uint64_t offset, uint8_t *buf, size_t size)
{
	uint64_t left = window->source.size > offset ? window->source.size - offset : 0;
	return left && window->source.read(window->source.context, offset, buf, left < size ? (size_t)left : size);
}

void nt_window_hold(struct nt_window *window, uint64_t offset, size_t size)
{
	window->held.size = 0;
	if (!size)
		hold_nothing(window);
	if (!size || size > NT_WINDOW_HOLD_MAX || offset > window->source.size || size > window->source.size - offset)
		return;
	have_room(window, size);
	if (!read_some(window, offset, window->held.bytes, size))
		return;
	window->held.at = offset;
	window->held.size = size;
}

static unsigned line_pages(const struct nt_window *window)
{
	return window->source.by_page ? 1 : LINE_PAGES;
}

static size_t line_bytes(const struct nt_window *window)
{
	return (size_t)line_pages(window) * NT_WINDOW_MAX;
}

/* Of memory a part may be unreadable: then each page by itself. */
static void read_line(struct nt_window *window, size_t place, uint64_t number)
{
	struct line *line = &window->lines->lines[place];
	uint8_t *bytes = window->lines->bytes + place * line_bytes(window);
	unsigned pages = line_pages(window);
	uint64_t offset = number * line_bytes(window);
	*line = (struct line){ .number = number + 1 };
	if (read_some(window, offset, bytes, line_bytes(window))) {
		line->pages = (uint8_t)((1 << pages) - 1);
		return;
	}
	for (size_t i = 0; i < pages; i++)
		if (read_some(window, offset + i * NT_WINDOW_MAX, bytes + i * NT_WINDOW_MAX, NT_WINDOW_MAX))
			line->pages |= (uint8_t)(1 << i);
}

/* Where it lies, or that which was looked at longest ago. */
static size_t place_of(const struct lines *lines, uint64_t number)
{
	size_t oldest = 0;
	for (size_t i = 0; i < LINES; i++) {
		if (lines->lines[i].number == number + 1)
			return i;
		if (lines->lines[i].looked < lines->lines[oldest].looked)
			oldest = i;
	}
	return oldest;
}

static const uint8_t *page_at(struct nt_window *window, uint64_t page)
{
	struct lines *lines = window->lines;
	uint64_t number = page / line_pages(window);
	size_t within = page % line_pages(window);
	if (lines->lines[lines->last].number != number + 1)
		lines->last = place_of(lines, number);
	struct line *line = &lines->lines[lines->last];
	/* What could not be read is tried again. */
	if (line->number != number + 1 || !(line->pages & 1 << within))
		read_line(window, lines->last, number);
	line->looked = ++lines->looks;
	return line->pages & 1 << within ? lines->bytes + lines->last * line_bytes(window) + within * NT_WINDOW_MAX : NULL;
}

const uint8_t *nt_window_look(struct nt_window *window, uint64_t offset, size_t size)
{
	nt_assert(size <= NT_WINDOW_MAX);
	if (offset > window->source.size || size > window->source.size - offset)
		return NULL;
	if (!window->lines) {
		window->lines = nt_realloc(
			NULL, 1, sizeof(*window->lines) + LINES * line_bytes(window)); /* not zeroed: untouched lines take no memory */
		memset(window->lines, 0, offsetof(struct lines, seam));
	}
	uint64_t page = offset / NT_WINDOW_MAX;
	size_t at = offset % NT_WINDOW_MAX, here = NT_WINDOW_MAX - at;
	if (!size)
		return window->lines->seam;
	const uint8_t *bytes = page_at(window, page);
	if (!bytes || size <= here)
		return bytes ? bytes + at : NULL;
	memcpy(window->lines->seam, bytes + at, here);
	bytes = page_at(window, page + 1);
	if (!bytes)
		return NULL;
	memcpy(window->lines->seam + here, bytes, size - here);
	return window->lines->seam;
}
