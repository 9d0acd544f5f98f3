/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the separate debug file of an image may be: one table of the places where other tools leave them. */
#ifndef NT_SOURCE_DEBUG_CANDIDATES_H
#define NT_SOURCE_DEBUG_CANDIDATES_H

#include "source/image/build_id.h"
#include "source/image/image_file.h"

enum { NT_IMAGE_DEBUG_PATH = 4096 };

/* What the image says of its debug file: a stranger's word. Whatever it is, no other path than one of the table's comes of it. */
struct nt_debug_wanted {
	const char *link; /* its .gnu_debuglink; NULL = none. One with a slash is none */
	struct nt_build_id build_id;
};

/*
 * Open the next file that is there, from candidate *next on (0 at first), and set *next to the one after it. A descriptor that the caller closes, with its path in
 * `path`; -1: no further one. Whether it belongs to the image is the caller's to see. It may block: run it by a hand (hand.h).
 */
int nt_debug_candidate_open(const struct nt_image_place *place, const struct nt_debug_wanted *wanted, unsigned *next,
			    char path[NT_IMAGE_DEBUG_PATH]);

#endif
