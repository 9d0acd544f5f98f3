/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The call frame information (.eh_frame) of an image of the target, through libdw: for a place in its code the rule that leads to the caller, and for which code
 * around it the same rule holds.
 */
#ifndef NT_SOURCE_CFI_IMAGE_H
#define NT_SOURCE_CFI_IMAGE_H

#include "decode/unwind/frame_rule.h"
#include "nettop/status.h"
#include "source/image/image_file.h"

struct nt_cfi_image;

/* Loads libdw, before anything else here and before a process is confined. False: it is not there, or another one; *err. Without it no image has such information. Source: dlopen(3). */
bool nt_cfi_prepare(struct nt_error *err);

/* Opens and reads the file. NULL: it cannot be read, is no ELF image of this machine, or has no such information. */
struct nt_cfi_image *nt_cfi_image_load(const struct nt_image_place *place);
void nt_cfi_image_free(struct nt_cfi_image *image); /* NULL is allowed */

/* What it holds in memory, at most, in bytes. NULL is allowed. */
uint64_t nt_cfi_image_bytes(const struct nt_cfi_image *image);

/* Is a file offset in a segment of the image? */
bool nt_cfi_image_has(const struct nt_cfi_image *image, uint64_t offset);

/*
 * The rule for the code at a file offset, which holds in [*start, *end), file offsets as well. Reads no file. False: there is none. Rules that need more than
 * struct nt_frame_rule can say are NT_FRAME_NOWHERE.
 */
bool nt_cfi_image_rule(struct nt_cfi_image *image, uint64_t offset, uint64_t *start, uint64_t *end, struct nt_frame_rule *rule);

#endif
