/* SPDX-License-Identifier: GPL-2.0-only */
/* An image file that a process has mapped, by what its mapping looks like now. Reads files of others: run it by a hand (hand.h). */
#ifndef NT_SOURCE_MAPPED_IMAGE_H
#define NT_SOURCE_MAPPED_IMAGE_H

#include "decode/kernel/procfs_text.h"
#include "source/image/image_file.h"

/* Whose. Borrowed. */
struct nt_mapped_process {
	const char *proc_dir; /* "/proc/PID" */
	const char *root_dir; /* "/proc/PID/root" */
	uid_t uid;
};

struct nt_mapped_image {
	struct nt_image_place place; /* its texts are borrowed from the process and the two below */
	char *path, *map_file;       /* owned */
	uint64_t start, end, offset; /* of the mapping: addresses, offset in the file */
};

/* Each mapping of a file, in the order of addresses, until `visit` returns true. Returns whether it did. */
typedef bool nt_mapped_image_visit(const struct nt_procfs_map *map, void *context);
bool nt_mapped_image_each(const struct nt_mapped_process *process, nt_mapped_image_visit *visit, void *context);

/* The image of this mapping. End with nt_mapped_image_fini(). */
void nt_mapped_image_of(const struct nt_mapped_process *process, const struct nt_procfs_map *map, struct nt_mapped_image *out);

typedef bool nt_mapped_image_test(const struct nt_procfs_map *map, const void *context);

/* The first mapping of a file that `is_it` is true for. False: there is none, *out is empty. End with nt_mapped_image_fini() either way. */
bool nt_mapped_image_find(const struct nt_mapped_process *process, nt_mapped_image_test *is_it, const void *context,
			  struct nt_mapped_image *out);
void nt_mapped_image_fini(struct nt_mapped_image *image);

#endif
