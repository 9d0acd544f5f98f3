/* SPDX-License-Identifier: GPL-2.0-only */
/* Opening the image file that a mapping of the target maps, and no other. It may block: run it by a hand (hand.h). */
#ifndef NT_SOURCE_IMAGE_FILE_H
#define NT_SOURCE_IMAGE_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "nettop/naming.h"

struct nt_image_place;
struct nt_image_refusal;
struct nt_debug_wanted;

/* Who opens files for a process that can open none (decoder_process.h). */
struct nt_image_opener {
	/* As nt_image_open(). An inode of 0: a file beside the image that is read, by the last part of its path. */
	int (*image)(void *context, const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal);
	/* As nt_debug_candidate_open(), of the image that is read. */
	int (*debug)(void *context, const struct nt_debug_wanted *wanted, unsigned *next);
	void *context;
};

/* Where the file is and which one it must be. Borrowed. */
struct nt_image_place {
	const char *root_dir;                 /* "/proc/PID/root", or another way there */
	const char *path;                     /* as the target sees it */
	const char *map_file;                 /* "/proc/PID/map_files/START-END"; NULL = not known */
	uint64_t inode;                       /* 0: whatever lies at the path */
	uid_t uid;                            /* of the target */
	const struct nt_image_opener *opener; /* NULL = this process itself */
};

struct nt_image_refusal {
	enum nt_naming naming;
	char reason[160]; /* one sentence */
};

/*
 * A descriptor that the caller closes, also when the path leads elsewhere by now; -1 with *refusal filled. No file over 4 GB. It is only to be read with read() and
 * pread(): a mapping of a file that somebody truncates kills.
 */
int nt_image_open(const struct nt_image_place *place, uint64_t *size, struct nt_image_refusal *refusal);

#endif
