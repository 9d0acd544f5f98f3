/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * All precompiled methods of an assembly, some at a time. Reads a stranger's bytes at length: the decoder does it (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_IMAGE_METHODS_H
#define NT_SOURCE_IMAGE_METHODS_H

#include "nettop/event.h"
#include "source/image/image_file.h"

struct nt_image_methods {
	struct nt_batch_line *lines; /* owned; start: offset in the file, by it; the name is `letters` at `offset` */
	size_t count, capacity;
	char *letters; /* owned */
	size_t length, letter_capacity;
	struct nt_image_walk *walk; /* owned; internal: the assembly that the last ones were of */
};

/*
 * Of the assembly that `offset` of the file at `place` lies in, those from number *next on, at most `most`; *next is set to the number of the one after them, 0 = there is none. Nothing where
 * there is no precompiled code. *methods, empty at first, is used again and again; its files stay open until nt_image_methods_rest().
 */
void nt_image_methods_read(struct nt_image_methods *methods, const struct nt_image_place *place, uint64_t offset, uint32_t *next,
			   size_t most);

/* There are no more questions at present: close files. */
void nt_image_methods_rest(struct nt_image_methods *methods);

#endif
