/* SPDX-License-Identifier: GPL-2.0-only */
/* A question about a place in an image, for whoever answers it later than the model asked. */
#ifndef NT_SOURCE_IMAGE_QUESTION_H
#define NT_SOURCE_IMAGE_QUESTION_H

#include "nettop/source.h"

/* A question that outlives the snapshot it came from. */
struct nt_image_question {
	uint64_t inode, offset;
	uint64_t map_start, map_end;
	nt_time time;
	char *image, *method; /* owned by whoever has the question, who calls nt_image_question_fini(); method: NULL = none */
};

void nt_image_question_fini(struct nt_image_question *question);

#endif
