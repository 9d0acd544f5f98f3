/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A file as bytes that are read where somebody looks: the metadata of an image are megabytes, and a name needs a few rows of them. Not thread safe.
 *
 * Parsers that take a window stay functions of bytes: where these come from is the matter of who made it.
 */
#ifndef NT_DECODE_WINDOW_H
#define NT_DECODE_WINDOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Who has the bytes. */
struct nt_window_source {
	/* Put the `size` bytes from `offset` on into buf. False: they cannot be read. Never asked beyond `size` below. */
	bool (*read)(void *context, uint64_t offset, void *buf, size_t size);
	void *context;
	uint64_t size; /* of the file */
	bool by_page; /* what is beside what is looked at costs as much again: NT_WINDOW_MAX bytes are read at a time, else four times as many */
};

/* The most that can be looked at in one piece. */
enum { NT_WINDOW_MAX = 4096 };

struct nt_window;

/* `source` is copied. Takes no memory worth mentioning until somebody looks. */
struct nt_window *nt_window_new(const struct nt_window_source *source);
void nt_window_free(struct nt_window *window); /* NULL is allowed */

uint64_t nt_window_size(const struct nt_window *window);

/* What nt_window_hold() keeps: the first member of a window, for the function below alone. */
struct nt_window_held {
	uint8_t *bytes; /* owned; NULL = none yet */
	size_t size;    /* so much of it is of the file, from `at` on; 0 = nothing is held */
	uint64_t at;
};

const uint8_t *nt_window_look(struct nt_window *window, uint64_t offset, size_t size);

/*
 * The bytes [offset, offset + size), valid until the next call of any function; size <= NT_WINDOW_MAX. NULL: beyond the end of the file, or unreadable. What was read stays
 * for later calls (256 KB at most) until nt_window_rest().
 */
static inline const uint8_t *nt_window_at(struct nt_window *window, uint64_t offset, size_t size)
{
	const struct nt_window_held *held = (const struct nt_window_held *)window;
	uint64_t within = offset - held->at;
	return within < held->size && size <= held->size - within ? held->bytes + within : nt_window_look(window, offset, size);
}

/*
 * Read [offset, offset + size) at once and keep it until the next call or nt_window_rest(): a look within it costs next to nothing, for whoever goes to and fro in a table.
 * size 0: give back what is kept. What cannot be read, or has more than NT_WINDOW_HOLD_MAX bytes, is not kept, and looks cost what they do without.
 */
enum { NT_WINDOW_HOLD_MAX = 4 << 20 };
void nt_window_hold(struct nt_window *window, uint64_t offset, size_t size);

/* Give the memory back and forget what was read. */
void nt_window_rest(struct nt_window *window);

#endif
