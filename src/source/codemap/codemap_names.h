/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers the model's questions: image and offset -> name of the function there and the range for which the answer holds, or the reason why there is none. The kernel's
 * functions and the vdso's are known here; what an image file has is read by the decoder. */
#ifndef NT_SOURCE_CODEMAP_NAMES_H
#define NT_SOURCE_CODEMAP_NAMES_H

#include "source/codemap/codemap_out.h"
#include "source/common/files_target.h"
#include "source/decoder/decoder.h"

struct nt_codemap_names;

/* Both are borrowed for its life. */
struct nt_codemap_names *nt_codemap_names_new(const struct nt_files_target *target, struct nt_decoder *decoder);
void nt_codemap_names_free(struct nt_codemap_names *names); /* NULL is allowed */

/* Put a NAME event for each question into `out`. May take as long as nt_decoder_ask(). */
void nt_codemap_names_answer(struct nt_codemap_names *names, const struct nt_image_question *questions, size_t count,
			     struct nt_codemap_out *out);

/*
 * What had a reason in place of an answer only because there was no decoder is kept, and asked again after 1, 2, 4 … 30 s: nobody else would ask. To be called when
 * nt_codemap_names_due() says so; NT_TIME_UNKNOWN = nothing is kept.
 */
nt_time nt_codemap_names_due(const struct nt_codemap_names *names);
void nt_codemap_names_again(struct nt_codemap_names *names, struct nt_codemap_out *out);

#endif
