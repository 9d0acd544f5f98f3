/* SPDX-License-Identifier: GPL-2.0-only */
/* The native images that a process maps, and where their symbols are. */
#ifndef NT_SOURCE_SYMBOL_IMAGES_H
#define NT_SOURCE_SYMBOL_IMAGES_H

#include "source/image/build_id.h"
#include "target/process/target.h"

#include <stdint.h>

enum nt_symbol_state {
	NT_SYMBOLS_OWN,        /* in the image itself */
	NT_SYMBOLS_DEBUG_FILE, /* in `file` */
	NT_SYMBOLS_MISSING,
	NT_SYMBOLS_NO_BUILD_ID, /* missing, and nobody can be asked */
	NT_SYMBOLS_UNREADABLE,  /* the image cannot be read; `reason` says why */
	/* When they were missing and have been asked for: */
	NT_SYMBOLS_FETCHED, /* now in `file` */
	NT_SYMBOLS_ABSENT,  /* no server has them */
	NT_SYMBOLS_FAILED,  /* `reason` says why */
	NT_SYMBOL_STATE_COUNT
};

struct nt_symbol_image {
	char *path;  /* owned; as the target sees it */
	char *shown; /* owned; the same for people: control characters escaped */
	uint64_t inode;
	struct nt_build_id build_id;
	enum nt_symbol_state state;
	char *file;                     /* owned; NULL = none */
	uint64_t file_bytes;            /* its size */
	char reason[2 * NT_ERROR_TEXT]; /* one sentence; "" = none */
};

struct nt_symbol_images {
	struct nt_symbol_image *items; /* owned */
	size_t count, capacity;
};

/*
 * Each image once, in the order of the mappings. Reads files of the target: TIMEOUT when they do not answer, GONE when the process ended. *out is to be ended with _fini() when
 * it is OK.
 */
enum nt_status nt_symbol_images_read(const struct nt_target *target, struct nt_symbol_images *out, struct nt_error *err);
void nt_symbol_images_fini(struct nt_symbol_images *images);

#endif
