// SPDX-License-Identifier: GPL-2.0-only
#include "source/image/image_question.h"

#include <stdlib.h>

void nt_image_question_fini(struct nt_image_question *question)
{
	free(question->image);
	free(question->method);
}
