/* SPDX-License-Identifier: GPL-2.0-only */
/* The separate debug file of a stripped image: found by build-id or .gnu_debuglink, taken only when its build-id is the same. */
#ifndef NT_SOURCE_IMAGE_DEBUG_H
#define NT_SOURCE_IMAGE_DEBUG_H

#include <libelf.h>

#include "source/image_symbols.h"

/*
 * A descriptor that the caller closes, or -1: none found. Looked for: beside the image and in its .debug/ (debuglink), under the target's
 * /usr/lib/debug (build-id, then debuglink), under our own /usr/lib/debug (build-id). An image without build-id has none.
 */
int nt_image_debug_open(Elf *image, const struct nt_image_place *place);

#endif
