/* SPDX-License-Identifier: GPL-2.0-only */
/* Answers for places in precompiled images. Images are read at the first question and kept, as tables of their functions, within a budget. */
#ifndef NT_SOURCE_IMAGE_PRECOMPILED_H
#define NT_SOURCE_IMAGE_PRECOMPILED_H

#include "source/image/image_r2r.h"

/* Rests, without a question in between, after which an image is dropped: it is read again in some milliseconds, and its tables may be half a megabyte. */
enum { NT_IMAGE_RESTS_MAX = 3 };

struct nt_image_precompiled;

struct nt_image_precompiled *nt_image_precompiled_new(void);
void nt_image_precompiled_free(struct nt_image_precompiled *images); /* NULL is allowed */

/* What is at `offset` of the file at `place`? The image lies in [base, end) of it. Valid until the next call; never NULL. Reads files of others. */
const struct nt_image_r2r_answer *nt_image_precompiled_answer(struct nt_image_precompiled *images, const struct nt_image_place *place,
							      uint64_t offset, uint64_t base, uint64_t end);

/*
 * There are no more questions at present: close files, and drop the images that nobody has asked for in the last rests. Between two calls the files of the image asked for
 * last stay open. True: memory was freed.
 */
bool nt_image_precompiled_rest(struct nt_image_precompiled *images);

#endif
