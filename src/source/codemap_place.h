/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the image of a question is, as an errand needs it that may outlive the question: with texts of its own. */
#ifndef NT_SOURCE_CODEMAP_PLACE_H
#define NT_SOURCE_CODEMAP_PLACE_H

#include "source/codemap_inbox.h"
#include "source/codemap_target.h"
#include "source/image_file.h"

struct nt_codemap_place {
	struct nt_image_place place;      /* its texts are these: */
	char *root_dir, *path, *map_file; /* owned */
};

void nt_codemap_place_init(struct nt_codemap_place *copy, const struct nt_codemap_target *target,
			   const struct nt_codemap_question *question);
void nt_codemap_place_fini(struct nt_codemap_place *copy);

#endif
