/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a function of an ELF image begins, by its name. Reads files of others: the decoder does (source/decoder). */
#ifndef NT_SOURCE_IMAGE_FUNCTION_H
#define NT_SOURCE_IMAGE_FUNCTION_H

#include <stdbool.h>

#include "source/image/image_file.h"

struct nt_image_function_place {
	bool found;
	uint64_t offset;  /* in the file, in one of its executable segments */
	char reason[120]; /* why there is none: one sentence, without the names of image and function */
};

/* By .symtab and .dynsym of the image itself. Of several versions of one function the one that a new program would be linked with. */
void nt_image_function_find(const struct nt_image_place *place, const char *name, struct nt_image_function_place *out);

#endif
