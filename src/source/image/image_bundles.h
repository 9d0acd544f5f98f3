/* SPDX-License-Identifier: GPL-2.0-only */
/* Which assembly of a single-file program a place in its executable belongs to. The list is read at the first question and kept. */
#ifndef NT_SOURCE_IMAGE_BUNDLES_H
#define NT_SOURCE_IMAGE_BUNDLES_H

#include "source/image/image_bundle.h"

struct nt_image_bundles;

struct nt_image_bundles *nt_image_bundles_new(void);
void nt_image_bundles_free(struct nt_image_bundles *bundles); /* NULL is allowed */

/* Where the assembly at `offset` of the file at `place` lies in it; NULL: the place is in none. Borrowed. Reads files of others. */
const struct nt_bundle_part *nt_image_bundles_find(struct nt_image_bundles *bundles, const struct nt_image_place *place, uint64_t offset);

#endif
