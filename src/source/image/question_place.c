// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/question_place.h"

#include "base/alloc.h"

#include <inttypes.h>
#include <stdlib.h>

void nt_question_place_init(struct nt_question_place *copy, const struct nt_files_target *target, const struct nt_image_question *question)
{
	copy->root_dir = nt_strdup(target->image_dir);
	copy->path = nt_strdup(question->image);
	copy->map_file = question->map_end
				 ? nt_format("%s/map_files/%" PRIx64 "-%" PRIx64, target->proc_dir, question->map_start, question->map_end)
				 : NULL;
	copy->place = (struct nt_image_place){
		.root_dir = copy->root_dir, .path = copy->path, .map_file = copy->map_file, .inode = question->inode, .uid = target->uid
	};
}

void nt_question_place_fini(struct nt_question_place *copy)
{
	free(copy->root_dir);
	free(copy->path);
	free(copy->map_file);
}
