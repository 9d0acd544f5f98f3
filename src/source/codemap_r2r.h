/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers for places in precompiled images. Images are read at the first question and kept, as tables of their functions, within a budget. */
#ifndef NT_SOURCE_CODEMAP_R2R_H
#define NT_SOURCE_CODEMAP_R2R_H

#include "source/codemap_inbox.h"
#include "source/codemap_target.h"
#include "source/hand.h"
#include "source/image_r2r.h"

struct nt_codemap_r2r;

/* Both are borrowed for its life. */
struct nt_codemap_r2r *nt_codemap_r2r_new(const struct nt_codemap_target *target, struct nt_hand *hand);
void nt_codemap_r2r_free(struct nt_codemap_r2r *images); /* NULL is allowed */

/*
 * What is at the question's place? The image lies in [base, end) of its file. Valid until the next call; NULL when we are closing. May take as long as
 * reading an image may (NT_CODEMAP_TIMEOUT_NS).
 */
const struct nt_image_r2r_answer *nt_codemap_r2r_answer(struct nt_codemap_r2r *images, const struct nt_codemap_question *question,
							uint64_t base, uint64_t end);

#endif
