/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Has a native image its symbols, and where? Reads a stranger's bytes by a library: the decoder does it (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_IMAGE_STATE_H
#define NT_SOURCE_IMAGE_STATE_H

#include "source/image/build_id.h"
#include "source/image/image_file.h"

struct nt_image_state {
	bool native;     /* else it is another file, or cannot be read: `reason` says why, "" = it is another one */
	bool symbols;    /* in itself */
	bool debug_file; /* in the candidate that was opened last */
	struct nt_build_id build_id;
	char reason[160];
};

void nt_image_state_read(const struct nt_image_place *place, struct nt_image_state *out);

/* The words of it, for who is not trusted. False: that is none. */
enum { NT_IMAGE_STATE_BYTES = 4 + NT_BUILD_ID_MAX };
size_t nt_image_state_put(const struct nt_image_state *state, char bytes[NT_IMAGE_STATE_BYTES]);
bool nt_image_state_take(const char *bytes, size_t size, struct nt_image_state *out);

#endif
