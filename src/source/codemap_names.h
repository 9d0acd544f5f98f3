/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers the model's questions: image and offset -> name of the function there and the range for which the answer holds, or the reason why there is none. The kernel's
 * functions and the vdso's are known here; what an image file has is read by the decoder. */
#ifndef NT_SOURCE_CODEMAP_NAMES_H
#define NT_SOURCE_CODEMAP_NAMES_H

#include "source/codemap_out.h"
#include "source/codemap_target.h"
#include "source/decoder.h"

struct nt_codemap_names;

/* Both are borrowed for its life. */
struct nt_codemap_names *nt_codemap_names_new(const struct nt_codemap_target *target, struct nt_decoder *decoder);
void nt_codemap_names_free(struct nt_codemap_names *names); /* NULL is allowed */

/* Put a NAME event for each question into `out`. May take as long as nt_decoder_ask(). */
void nt_codemap_names_answer(struct nt_codemap_names *names, const struct nt_codemap_question *questions, size_t count,
			     struct nt_codemap_out *out);

#endif
