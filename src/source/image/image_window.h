/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A window (decode/common/window.h) over an image file of the target, which is open only while somebody looks: dozens of images would take dozens of descriptors.
 * Looking reads files of others: run it by a hand (hand.h).
 */
#ifndef NT_SOURCE_IMAGE_WINDOW_H
#define NT_SOURCE_IMAGE_WINDOW_H

#include "decode/common/window.h"
#include "source/image/image_file.h"

struct nt_image_window;

/*
 * `place` is copied; its inode may be 0: whatever lies at that path. The file is open then. NULL: it cannot be had, with one sentence in `reason`.
 */
struct nt_image_window *nt_image_window_new(const struct nt_image_place *place, char *reason, size_t reason_size);
void nt_image_window_free(struct nt_image_window *image); /* NULL is allowed */

/* Borrowed. When somebody looks after a rest the file is opened again; one that was written to or replaced meanwhile cannot be read any more. */
struct nt_window *nt_image_window(struct nt_image_window *image);

/* As it was given. */
const struct nt_image_place *nt_image_window_place(const struct nt_image_window *image);

/* Close the file and give the memory back. */
void nt_image_window_rest(struct nt_image_window *image);

#endif
