/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Rules of call chains (decode/unwind/frame_rule.h) in images: from the call frame information of ELF images, and the unwind information of precompiled ones, also of those that lie in a single-file program. Both, or of the latter the table of functions, are read at the first
 * question for an image and kept, within a budget. Reads a stranger's bytes by a library:
 * the decoder does it (decoder_process.h), nettop asks it (decoder.h).
 */
#ifndef NT_SOURCE_CFI_IMAGES_H
#define NT_SOURCE_CFI_IMAGES_H

#include "decode/unwind/frame_rule.h"
#include "source/image/image_file.h"

struct nt_cfi_images;

/* The rule for the code at `offset` of the file at `place`, and where it holds. False: there is none there, *start and *end say for which part of the file that is so. */
bool nt_cfi_images_rule(struct nt_cfi_images *images, const struct nt_image_place *place, uint64_t offset, uint64_t *start, uint64_t *end,
			struct nt_frame_rule *rule);

struct nt_cfi_images *nt_cfi_images_new(void);

/* There are no more questions at present: close files. True: an image was read since the last time, which leaves freed memory behind. */
bool nt_cfi_images_rest(struct nt_cfi_images *images);

#endif
