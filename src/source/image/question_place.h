/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the image of a question is, as an errand needs it that may outlive the question: with texts of its own. */
#ifndef NT_SOURCE_QUESTION_PLACE_H
#define NT_SOURCE_QUESTION_PLACE_H

#include "source/image/image_question.h"
#include "source/common/files_target.h"
#include "source/image/image_file.h"

struct nt_question_place {
	struct nt_image_place place;      /* its texts are these: */
	char *root_dir, *path, *map_file; /* owned */
};

void nt_question_place_init(struct nt_question_place *copy, const struct nt_files_target *target, const struct nt_image_question *question);
void nt_question_place_fini(struct nt_question_place *copy);

#endif
