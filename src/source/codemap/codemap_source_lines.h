/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers the model's questions for the source lines of a method. */
#ifndef NT_SOURCE_CODEMAP_SOURCE_LINES_H
#define NT_SOURCE_CODEMAP_SOURCE_LINES_H

#include "source/codemap/codemap_out.h"
#include "source/common/files_target.h"
#include "source/decoder/decoder.h"

/* Put one SOURCE_LINES event into `out`: the lines of question->method, or why there are none. When precompiled code is at map_start, before it an IL_MAP event. */
void nt_codemap_source_lines_answer(const struct nt_files_target *target, struct nt_hand *hand, struct nt_decoder *decoder,
				    const struct nt_image_question *question, struct nt_codemap_out *out);

#endif
