/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers for places in precompiled images. Images are read at the first question and kept, as tables of their functions, within a budget. */
#ifndef NT_SOURCE_CODEMAP_R2R_H
#define NT_SOURCE_CODEMAP_R2R_H

#include "source/image_r2r.h"

struct nt_codemap_r2r;

struct nt_codemap_r2r *nt_codemap_r2r_new(void);
void nt_codemap_r2r_free(struct nt_codemap_r2r *images); /* NULL is allowed */

/* What is at `offset` of the file at `place`? The image lies in [base, end) of it. Valid until the next call; never NULL. Reads files of others. */
const struct nt_image_r2r_answer *nt_codemap_r2r_answer(struct nt_codemap_r2r *images, const struct nt_image_place *place, uint64_t offset,
							uint64_t base, uint64_t end);

/* There are no more questions at present: close files. Between two calls those of the image asked for last stay open. */
void nt_codemap_r2r_rest(struct nt_codemap_r2r *images);

#endif
